"""Where the single-file program begins (``make bundle``)."""

import multiprocessing
import os
import sys

if __name__ == "__main__":
    # A process that the program starts from itself begins here, too, and goes no further.
    multiprocessing.freeze_support()
    # The program's own libraries are not for the browser that it opens.
    for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
        before = os.environ.pop(f"{name}_ORIG", None)
        os.environ.pop(name, None)
        if before is not None:
            os.environ[name] = before

    from fathom.cli import main

    sys.exit(main())
