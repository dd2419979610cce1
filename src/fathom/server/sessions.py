"""Connections and the tokens that they came with: a token that is ended closes its own at once.

Whoever ends a token here closes its connections here; other processes are told by the log, and ask
it which of their connections' tokens are still good.
"""

import asyncio
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import Final, Protocol

from fathom.server.log import Log, LogAway, StoredToken
from fathom.server.retention import chunks
from fathom.server.time_of_day import now_ms
from fathom.server.wire import Problem, encode

ENDED: Final = encode(Problem(error="token-ended", fatal=True))
MINUTE: Final = 60_000
"""Milliseconds: how exactly it is noted when a token was used."""
GATHERING_SECONDS: Final = 1.0
"""In which uses are gathered, to be noted with one write."""
NOTING_SECONDS: Final = 600.0
"""Between two notes of tokens whose connections stay open."""


class Session(Protocol):
    """A connection, as far as its token goes."""

    who: str
    token: str
    """The token's id; empty until the client has said who it is."""

    def dismiss(self, farewell: bytes) -> None:
        """Close the connection with a last word."""


class Sessions:
    """The connections of one process by their tokens."""

    def __init__(self, log: Log, connections: Callable[[], Collection[Session]]) -> None:
        self.log, self.connections = log, connections
        self.ended = 0
        """How often tokens were ended, here or elsewhere: who is just arriving looks again."""
        self.used: set[str] = set()
        """Tokens whose use is to be noted."""
        self.fresh = asyncio.Event()

    # Ending

    async def end(self, who: str, only: str = "", but: str = "") -> set[str]:
        """End one of a player's tokens, or all but one, with their connections."""
        gone = await self.log.end_tokens(who, only, but)
        self.close(gone)
        return gone

    def close(self, tokens: Collection[str]) -> None:
        """Close the connections of tokens that were ended."""
        self.ended += 1
        for session in list(self.connections()):
            if session.token and session.token in tokens:
                session.dismiss(ENDED)

    async def check(self, who: str | None = None) -> None:
        """Close connections whose token is no more: a player's, or anybody's."""
        self.ended += 1
        open_now = {s.token for s in self.connections() if s.token and who in (None, s.who)}
        for tokens in chunks(open_now):
            living = await self.log.living_tokens(tokens)
            self.close(set(tokens) - living)

    # Using

    def use(self, token: StoredToken) -> None:
        """Somebody has shown a token."""
        if now_ms() - token.used >= MINUTE:
            self.used.add(token.id)
            self.fresh.set()

    def leave(self, session: Session) -> None:
        """A connection goes: until now its token was used."""
        if session.token:
            self.used.add(session.token)
            self.fresh.set()

    async def run(self) -> None:
        """Note which tokens are used, again and again."""
        clock = asyncio.get_running_loop().time
        due = clock() + NOTING_SECONDS
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout_at(due):
                    await self.fresh.wait()
            if clock() >= due:
                due = clock() + NOTING_SECONDS
                self.used |= {session.token for session in self.connections() if session.token}
            await asyncio.sleep(GATHERING_SECONDS)
            # What can't be noted now is noted with the next use.
            with suppress(LogAway):
                await self.note()

    async def note(self) -> None:
        """Note which tokens were used."""
        self.fresh.clear()
        used, self.used = self.used, set()
        try:
            for tokens in chunks(used):
                await self.log.use_tokens(tokens)
        except LogAway:
            self.used |= used
            raise
