"""``python -m fathom`` is ``fathom``."""

import sys

from fathom.cli import main

sys.exit(main())
