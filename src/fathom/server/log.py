"""The log: all that must outlive a process, behind one small interface.

A game is an append-only list of steps, one for each order that took effect. Who appends says which
position it believes to be the last; if that is no longer true nothing is written, and it must read
on and decide again. A step carries the key of the order that brought it about, and no key is ever
written twice, so an order takes effect once. What the steps say is none of the log's business.

Nothing outside a log knows which one runs. ``tests/server/test_log.py`` is the contract.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Literal, Protocol, TypeAlias

from msgspec import Struct

Kind: TypeAlias = Literal["game", "table", "chat", "presence", "all"]
"""``all``: what was missed can't be told any more, so everything must be looked at."""


class Conflict(Exception):
    """Somebody else was there first; read on and decide again."""


class AlreadyDone(Exception):
    """An order with this key has taken effect before, at ``position``."""

    def __init__(self, key: str, position: int) -> None:
        super().__init__(key)
        self.key, self.position = key, position


class LogAway(Exception):
    """The log can't be reached: not saved as far as is known, try again.

    What was under way when it went may have been saved; an order's key tells when it comes again.
    """


class LeaseLost(Exception):
    """The lease under which something was to be written is another's now."""


class Lease(Struct, frozen=True, gc=False):
    """A lease, and who believes to have it."""

    name: str
    holder: str


class Step(Struct, frozen=True, gc=False):
    """One order that took effect."""

    by: str
    """Who gave it: ``a0`` to ``b3``, or empty for the referee."""
    key: str
    """The order's own key, or empty if it has none. No two steps of a game share one."""
    at: int
    """When: milliseconds since 1970."""
    spent: int
    """How many milliseconds the game had been running since the step before."""
    events: bytes
    """What it brought about, as JSON."""


class NewGame(Struct, frozen=True, gc=False):
    """A game that begins."""

    game: str
    table: str
    players: tuple[str, ...]
    """Everybody whose game it is."""
    began: int
    header: bytes
    """Set-up and seats, as JSON."""
    card: bytes
    """What a list of games tells of it, as JSON."""


class StoredGame(Struct, frozen=True, gc=False):
    """A game without its steps."""

    game: str
    table: str
    began: int
    header: bytes
    card: bytes
    result: bytes | None
    """How it ended, as JSON; None while it goes on."""


class StoredTable(Struct, frozen=True, gc=False):
    """A table, whole. The version counts up with every change."""

    code: str
    version: int
    phase: str
    body: bytes


class StoredLine(Struct, frozen=True, gc=False):
    """A line of a table's chat."""

    number: int
    body: bytes


class StoredPlayer(Struct, frozen=True, gc=False):
    """A player."""

    who: str
    name: str


class Change(Struct, frozen=True, gc=False):
    """Something that another process has written."""

    kind: Kind
    name: str
    """The game or the table."""
    position: int = 0
    """For a game, the last position that was written; 0 if that is not known."""


Listener: TypeAlias = Callable[[Change], None]


def keeps_last(name: str) -> bool:
    """Whether only the last line is kept: so it is with what is drawn at a table, ``CODE/WHAT``."""
    return "/" in name


class Log(Protocol):
    """All that is kept. Every method that writes returns when what it wrote is durable."""

    async def open(self) -> None:
        """Be ready for use."""

    async def close(self) -> None:
        """Write what is under way, and let go."""

    def gauges(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """What an operator should watch: names, what they mean, and how they are read."""

    def listen(self, listener: Listener) -> None:
        """Call ``listener`` for what other processes write; it may ring once too often."""

    async def ring(self, change: Change) -> None:
        """Let the other processes know of something that is not written down.

        What is written rings by itself.
        """

    # Games

    def append(
        self,
        game: str,
        expected: int,
        steps: Sequence[Step],
        result: bytes | None = None,
        under: Lease | None = None,
    ) -> "asyncio.Future[None]":
        """Write steps after position ``expected``, all or none; with a result the game is over.

        Raises ``Conflict`` if the last position is another, ``AlreadyDone`` for a key that is
        there, ``LeaseLost`` if ``under`` is another process's by now, ``LogAway``.
        """

    async def read(self, game: str, after: int = 0, most: int = 10_000) -> list[Step]:
        """The steps from position ``after + 1`` on; the first step has position 1."""

    async def position_of(self, game: str, key: str) -> int | None:
        """The position of the step with this order's key."""

    async def game(self, game: str) -> StoredGame | None:
        """A game without its steps."""

    async def games_of(self, who: str, most: int = 100) -> list[StoredGame]:
        """A player's games, newest first."""

    # Tables

    async def save_table(
        self,
        table: StoredTable,
        expected: int,
        members: Collection[str] = (),
        begins: NewGame | None = None,
        under: Lease | None = None,
    ) -> None:
        """Write a table, who holds posts there, and a game that begins with it.

        ``expected`` is the version before, 0 for a new table.

        Raises ``Conflict`` if the table's version is another, ``LeaseLost``.
        """

    async def table(self, code: str) -> StoredTable | None:
        """A table by its code."""

    async def tables(self, phases: Collection[str], most: int = 1000) -> list[StoredTable]:
        """The tables in these phases, newest first."""

    async def tables_of(self, who: str, phases: Collection[str]) -> list[StoredTable]:
        """The tables in these phases at which a player holds a post."""

    async def drop_table(self, code: str, expected: int) -> None:
        """Forget a table; raises ``Conflict``."""

    # Chat

    async def say(self, table: str, body: bytes) -> int:
        """Write a line of chat; its number, which counts up within the table.

        Under ``CODE/WHAT`` stands what belongs to a table but is not said: of that only the last
        line is kept, and it goes with the table.
        """

    async def chat(self, table: str, after: int = 0, most: int = 200) -> list[StoredLine]:
        """The last lines of chat after a number, oldest first."""

    # Players

    async def add_player(self, player: StoredPlayer, token: bytes, recovery: bytes) -> None:
        """A new player; token and recovery code come hashed."""

    async def player(self, who: str) -> StoredPlayer | None:
        """A player by their public name."""

    async def player_with_token(self, token: bytes) -> StoredPlayer | None:
        """Whose token this is."""

    async def player_with_recovery(self, recovery: bytes) -> StoredPlayer | None:
        """Whose recovery code this is."""

    async def add_token(self, who: str, token: bytes) -> None:
        """One more device."""

    async def drop_token(self, token: bytes) -> None:
        """A device that is forgotten."""

    async def set_recovery(self, who: str, recovery: bytes) -> None:
        """A new recovery code; the old one is void."""

    async def rename(self, who: str, name: str) -> None:
        """Another name."""

    # Leases

    async def hold(self, holder: str, names: Collection[str], seconds: float) -> set[str]:
        """Take or keep leases; those of these that ``holder`` has now.

        A holder has one clock: all that it has, it has for so long from now.
        """

    async def keep(self, holder: str, seconds: float) -> int:
        """Keep all leases of a holder for so long; how many, or 0 if they had run out."""

    async def release(self, holder: str, names: Collection[str]) -> None:
        """Let leases go."""

    async def held(self, prefix: str) -> set[str]:
        """The names of living leases that begin so, whoever has them."""

    async def untended(self, phase: str, prefix: str, most: int = 100) -> list[str]:
        """Tables in a phase for which no lease of that prefix and the table's code is living."""
