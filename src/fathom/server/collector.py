"""Python's collector of circular garbage, run when nobody waits for it.

Most of what a game leaves behind is gone at once; only circles are left to the collector, and there
are few. Left to itself it looks at all that a busy server has got lately, and sometimes at all that
it has got at all, and meanwhile everyone waits: a tenth of a second, or more. So what there is is
put out of its sight every second, and all is looked at only when the process has grown much.
"""

import gc
import os
import resource
import sys
from pathlib import Path
from typing import Final

RESIDENT: Final = Path("/proc/self/statm")
LEAST: Final = 64 << 20
"""Bytes of growth before anything is looked for in a quiet moment; in a busy one, four times."""


class Collector:
    """Keeps the collector quiet, and calls it."""

    def __init__(self) -> None:
        self.resident = 0
        """Bytes in memory when it was called last."""

    def open(self) -> None:
        """Take over; what is loaded stays."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(50_000, 20, 20)
        self.resident = resident()

    def look(self, *, quiet: bool) -> None:
        """Every second: collect if there may be much, in a quiet moment if one comes in time."""
        much = max(LEAST, self.resident // 4) if quiet else max(4 * LEAST, self.resident)
        if resident() - self.resident > much:
            gc.unfreeze()
            gc.collect()
            self.resident = resident()
        gc.freeze()


def resident() -> int:
    """Bytes that the process holds in memory; without Linux's files, the most that it ever held."""
    try:
        return int(RESIDENT.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return most_resident()


def most_resident() -> int:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
