"""Memory in large pages, where the system leaves that to its programs (Linux: ``madvise``).

A server with many games looks at a few bytes here and there in hundreds of megabytes. In pages of
4 KB, where it finds them is looked up almost every time, and that takes as long as to look at them.
Python can't ask for larger pages, so we do it for the memory that it has got.
"""

import ctypes
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

MAPS: Final = Path("/proc/self/maps")
LARGE: Final = 2 << 20
"""Bytes of a large page."""
AT_ONCE, BUSY = 4, 1
"""So many are made in one go: each takes up to ten milliseconds, and everyone waits for it."""
HUGEPAGE, COLLAPSE = 14, 25
"""What ``madvise`` is told: large pages from now on; and to make them of what there is (6.1)."""
OWN: Final = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw-p \S+ 00:00 0 *(\[heap\])?\n")
"""A line about memory that is the process's own, and of no file."""


class LargePages:
    """Asks for some now and then, until all memory of our own is in them."""

    def __init__(self) -> None:
        self.made: set[int] = set()
        """Where large pages are, as far as is known."""
        self.madvise = ctypes.CDLL(None).madvise if MAPS.exists() else None
        if self.madvise is not None:
            self.madvise.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)

    def make(self, most: int) -> int:
        """Make so many, and say how many there were to be made.

        Where the kernel knows no such thing, it says so, and all stays as it was.
        """
        if self.madvise is None:
            return 0
        places = set(large_places(MAPS.read_text()))
        self.made &= places
        wanted = sorted(places - self.made)
        for place in wanted[:most]:
            self.madvise(place, LARGE, HUGEPAGE)
            self.madvise(place, LARGE, COLLAPSE)
            self.made.add(place)
        return len(wanted)


def large_places(maps: str) -> Iterator[int]:
    """Where large pages fit into memory of our own."""
    for found in OWN.finditer(maps):
        start, end = int(found[1], 16), int(found[2], 16)
        yield from range(-(-start // LARGE) * LARGE, end - LARGE + 1, LARGE)
