"""Memory in large pages, where the system leaves that to its programs (Linux: ``madvise``).

A server with many games looks at a few bytes here and there in hundreds of megabytes. In pages of
4 KB, where it finds them is looked up almost every time, and that takes as long as to look at them.
Python can't ask for larger pages, so we do it for the memory that it has got.
"""

import ctypes
import os
import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MAPS: Final = Path("/proc/self/maps")
RESIDENT: Final = Path("/proc/self/statm")
LARGE: Final = 2 << 20
"""Bytes of a large page."""
WORTHWHILE: Final = 8 * LARGE
"""Bytes of growth after which it is asked for again."""
HUGEPAGE, COLLAPSE = 14, 25
"""What ``madvise`` is told: large pages from now on; and to make them of what there is (6.1)."""
OWN: Final = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p \S+ 00:00 0 *(\[heap\])?\n")
"""A line about memory that is the process's own, and of no file."""


class LargePages:
    """Asks for them whenever the process has grown."""

    def __init__(self) -> None:
        self.resident = 0
        self.madvise = ctypes.CDLL(None).madvise if MAPS.exists() else None
        if self.madvise is not None:
            self.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)

    def wanted(self, *, quiet: bool) -> bool:
        """Whether the process has grown enough; much more, while others need the processor."""
        growth = max(WORTHWHILE, self.resident // (8 if quiet else 1))
        return self.madvise is not None and resident() >= self.resident + growth

    def ask(self) -> None:
        """Ask for all memory of our own; for another thread, as it takes some time.

        Where the kernel knows no such thing, it says so, and all stays as it was.
        """
        if self.madvise is None:
            return
        for start, end in ranges(MAPS.read_text()):
            self.madvise(start, end - start, HUGEPAGE)
            first, last = -(-start // LARGE) * LARGE, end // LARGE * LARGE
            if first < last:
                self.madvise(first, last - first, COLLAPSE)
        self.resident = resident()


def resident() -> int:
    """Bytes that the process holds in memory; without Linux's files, the most that it ever held."""
    try:
        return int(RESIDENT.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return most_resident()


def most_resident() -> int:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def ranges(maps: str) -> Iterator[tuple[int, int]]:
    """Where memory of our own is that a large page fits into."""
    for found in OWN.finditer(maps):
        start, end = int(found[1], 16), int(found[2], 16)
        if end - start >= LARGE:
            yield start, end
