"""Python's collector of circular garbage, run when nobody waits for it.

Left alone, the collector scans recent objects and now and then the whole heap, which stalls the
event loop for 100 ms or more. So we freeze live objects every second, and scan all of them only
when the process has grown much. Where its size can't be had, the collector is left alone.
"""

import gc
from typing import Final

from fathom.server.operating_system import resident

LEAST: Final = 64 << 20
"""Bytes of growth before anything is looked for in a quiet moment; in a busy one, four times."""


class Collector:
    """Keeps the collector quiet, and calls it."""

    def __init__(self) -> None:
        self.before: int | None = None
        """Bytes in memory when everything was scanned last."""

    def open(self) -> None:
        """Take over; what is loaded stays."""
        gc.collect()
        self.before = resident()
        if self.before is not None:
            gc.freeze()
            gc.set_threshold(50_000, 20, 20)

    def look(self, *, quiet: bool) -> None:
        """Every second: collect if there may be much, in a quiet moment if one comes in time."""
        size = resident()
        if self.before is None or size is None:
            return
        much = max(LEAST, self.before // 4) if quiet else max(4 * LEAST, self.before)
        if size - self.before > much:
            gc.unfreeze()
            gc.collect()
            self.before = resident()
        gc.freeze()
