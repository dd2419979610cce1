"""The command line: ``fathom`` and its sub-commands."""

import sys

# Nothing before this line may need a newer Python than that of the oldest machines.
if sys.version_info < (3, 11):  # noqa: UP036 (pip sees to it, but a checkout is run without pip)
    sys.exit("fathom: Fathom needs Python 3.11 or newer; this is {}.{}".format(*sys.version_info))

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command: 0 if all went well, 1 if it could not be done, 2 if it was misused."""
    from fathom.cli.parser import build_parser
    from fathom.cli.terminal import (
        FAILED,
        INTERRUPTED,
        OK,
        Failure,
        complain,
        leave_the_pipe,
        never_choke_on_a_letter,
    )

    never_choke_on_a_letter()
    try:
        options = build_parser().parse_args(arguments)
        result: int = options.run(options)
        sys.stdout.flush()
    except Failure as failure:
        complain(str(failure))
        return FAILED
    except BrokenPipeError:
        leave_the_pipe()
        return OK
    except KeyboardInterrupt:
        return INTERRUPTED
    return result
