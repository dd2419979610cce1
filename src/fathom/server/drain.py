"""Lets one process run empty, so that it can be stopped without disturbing a game."""

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from fathom.server.troubles import Trouble
from fathom.server.wire import Goodbye, encode

if TYPE_CHECKING:
    from fathom.server.connection import Connection
    from fathom.server.harbour import Harbour

LOOK: Final = 0.5
"""Seconds between two looks at who is still here."""
ARRIVING: Final = 5.0
"""Seconds in which somebody who came back to their game opens it."""
GOODBYE: Final = encode(Goodbye(why="going-down"))


class Drain:
    """Whether this process takes nobody new, and ends when everybody has gone."""

    def __init__(self, harbour: "Harbour") -> None:
        self.harbour = harbour
        self.deadline: float | None = None
        """When it ends, whoever is still here; None: it does not drain."""
        self.task: asyncio.Task[None] | None = None

    @property
    def on(self) -> bool:
        return self.deadline is not None

    @property
    def seconds_left(self) -> int | None:
        """Until the process ends at the latest."""
        return None if self.deadline is None else max(0, round(self.deadline - time.monotonic()))

    def begin(self, seconds: float) -> None:
        """Take nobody new from now on, and end after so many seconds at the latest."""
        self.deadline = time.monotonic() + seconds
        if self.task is None:
            self.task = asyncio.create_task(self.run())
            self.harbour.keep(self.task)

    def cancel(self) -> None:
        """Go on as before."""
        self.deadline = None
        if self.task is not None:
            self.task.cancel()
            self.task = None

    def check(self) -> None:
        """Nothing new begins here."""
        if self.on:
            raise Trouble("going-down")

    def turns_away(self, tables: Iterable[str]) -> bool:
        """Whether somebody who comes has no game under way here, and shall try elsewhere."""
        rooms = self.harbour.rooms
        return self.on and not any(code in rooms and rooms[code].plays for code in tables)

    async def run(self) -> None:
        """Send away who is in no game; end when nobody is left, or at the deadline."""
        while self.deadline is not None:
            now = time.monotonic()
            for connection in list(self.harbour.connections):
                if now - connection.came > ARRIVING and not busy(connection):
                    connection.dismiss(GOODBYE)
            if not self.harbour.connections or now >= self.deadline:
                self.harbour.must_end.set()
                return
            await asyncio.sleep(LOOK)


def busy(connection: "Connection") -> bool:
    """Whether somebody is in a game that is under way, or watches one."""
    return any(room.plays for room in connection.rooms.values())
