"""``fathom log copy``: everything from one log into another, verified."""

import asyncio
import sys
import time
from argparse import Namespace

from fathom.cli.terminal import OK, Failure
from fathom.server.log_copy import NotCopied, copy, shown

PAUSE = 0.2
"""Seconds between two looks at how it goes."""


class Progress:
    """A line that is written anew while something is copied; nothing in a pipe."""

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()
        self.last = 0.0

    def __call__(self, part: str, done: int, count: int) -> None:
        """So many are done."""
        now = time.monotonic()
        if not self.shown or (done < count and now - self.last < PAUSE):
            return
        self.last = now
        print(f"\r\033[K{part}: {done:,} of {count:,}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Wipe the line."""
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def run(options: Namespace) -> int:
    """Copy, and say what was copied."""
    progress = Progress()
    began = time.monotonic()
    try:
        copied = asyncio.run(copy(options.source, options.target, progress))
    except NotCopied as bad:
        raise Failure(str(bad)) from None
    finally:
        progress.clear()
    for part, found in copied.items():
        print(f"{part:<10}{found.count:>12,}  {found.digest:064x}")
    count, seconds = sum(found.count for found in copied.values()), time.monotonic() - began
    print(f"{count:,} rows copied to {shown(options.target)} and verified in {seconds:.1f} s")
    return OK
