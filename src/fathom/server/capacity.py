"""How many connections a process can have with the descriptors that it is given."""

import asyncio
import errno
import logging
import os
import time
from typing import Any, Final, NamedTuple

from fathom.server.metrics import Metrics
from fathom.server.operating_system import allow_descriptors

NOTES: Final = logging.getLogger("fathom.server")
MOST_WEBSOCKETS: Final = 20_000
"""Unless an operator asks for another number."""
HTTP: Final = 1000
"""Connections that are no websockets; they don't last."""
DESCRIPTORS_OF_ONE: Final = 2
"""What such a connection may need: its own descriptor, and that of the file that it is sent."""
OTHERS: Final = 500
"""Descriptors for everything else: the log, bot processes, files of the client."""
EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
"""What the system says when it has no more."""
SECONDS: Final = 60.0
"""Between two notes that descriptors have run out."""


class Capacity(NamedTuple):
    """How many there may be at once."""

    websockets: int
    http: int


def capacity(asked: int) -> Capacity:
    """Room for so many websockets, or for fewer if there are too few descriptors.

    Some are always left for all else, so that a crowd can't keep bots from being started. An
    operator who asked for a number (not 0) is told if there is no room for it.
    """
    wanted = asked or MOST_WEBSOCKETS
    others = HTTP * DESCRIPTORS_OF_ONE + OTHERS
    limit = allow_descriptors(wanted + others)
    if limit is None or limit >= wanted + others:
        return Capacity(wanted, HTTP)
    quarter = limit // 4 // DESCRIPTORS_OF_ONE
    fewer = Capacity(min(wanted, max(limit - others, limit // 2)), min(HTTP, quarter))
    if asked:
        NOTES.warning(
            "%d open files are allowed: there is room for %d connections, not for %d",
            *(limit, fewer.websockets, asked),
        )
    return fewer


class LoopErrors:
    """What the loop itself could not do.

    When descriptors run out, Python's own loop says so a thousand times a second, with tracebacks.
    """

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.noted = -SECONDS

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Count it, and note it unless that was noted lately."""
        error = context.get("exception")
        if not isinstance(error, OSError) or error.errno not in EXHAUSTED:
            self.metrics.faults += 1
            loop.default_exception_handler(context)
            return
        self.exhausted()

    def look(self) -> None:
        """See for oneself: where uvloop has no descriptor, it turns clients away without a word."""
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:
            if error.errno not in EXHAUSTED:
                raise
            self.exhausted()

    def exhausted(self) -> None:
        self.metrics.not_accepted += 1
        if time.monotonic() - self.noted > SECONDS:
            self.noted = time.monotonic()
            NOTES.error("no descriptors are left: new connections have to wait")
