"""The lobby as it is read for everybody: whoever asks meanwhile gets the same."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final

from fathom.server.wire import Lobby, LobbyNow, encode

LEAST_SECONDS: Final = 0.2
"""Between two looks at the log, however much changes and however many ask."""
KEPT_SECONDS: Final = 2.0
"""How long what was read is good for, as long as nothing is known to have changed."""


class LobbyCache:
    """What the lobby shows, and when that was read."""

    def __init__(self, read: Callable[[], Awaitable[Lobby]]) -> None:
        self.read = read
        self.kept = Lobby(tables=(), games=())
        self.text = b""
        """The same as the API gives it."""
        self.at = -KEPT_SECONDS
        self.changed = True
        self.reading = asyncio.Lock()
        self.reads = 0

    def forget(self) -> None:
        """A table came, went or changed."""
        self.changed = True

    async def get(self) -> Lobby:
        """The lobby, as it is now; after a change it may take a moment."""
        async with self.reading:
            if self.changed or time.monotonic() - self.at > KEPT_SECONDS:
                await self.refresh()
        return self.kept

    async def get_text(self) -> bytes:
        """The lobby for the API."""
        await self.get()
        return self.text

    async def refresh(self) -> None:
        await asyncio.sleep(self.at + LEAST_SECONDS - time.monotonic())
        self.changed = False
        try:
            self.kept = await self.read()
        except BaseException:
            self.changed = True
            raise
        self.text = encode(LobbyNow(self.kept.tables, self.kept.games))
        self.at = time.monotonic()
        self.reads += 1
