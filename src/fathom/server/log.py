"""The log: all that must outlive a process, behind one small interface.

A game is an append-only list of steps, one for each order that took effect. Who appends says which
position it believes to be the last; if that is no longer true nothing is written, and it must read
on and decide again. A step carries the key of the order that brought it about, and no key is ever
written twice, so an order takes effect once. What the steps say is none of the log's business.

Nothing here waits without end: a log that does not answer in time raises ``LogAway``, and so does
one that can't write. Nothing outside a log knows which one runs. ``tests/server/test_log.py`` is
the contract.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from fathom.server.moderation_log import ModerationLog

ChangeKind: TypeAlias = Literal[
    "game", "table", "chat", "presence", "token", "player", "line", "moderation", "all"
]
"""``player``: somebody was renamed or deleted. ``line``: a line of chat was removed.
``moderation``: a ban or the announcement has changed.
``all``: what was missed can't be told any more, so everything must be looked at."""
EVERY: Final = 1_000_000
"""More codes than a player has tables."""
RUNG: Final[frozenset[ChangeKind]] = frozenset(
    {"presence", "token", "player", "line", "moderation"}
)
"""What does not ring by being written."""


class Conflict(Exception):
    """Somebody else was there first; read on and decide again."""


class AlreadyDone(Exception):
    """An order with this key has taken effect before, at ``position``."""

    def __init__(self, key: str, position: int) -> None:
        super().__init__(key)
        self.key, self.position = key, position


class LogAway(Exception):
    """The log can't be reached or takes no writes: not saved as far as is known, try again.

    What was under way when it went may have been saved; an order's key tells when it comes again.
    """


class LogBusy(LogAway):
    """Too much is asked of the log: this was not read, but the log is there."""


class LogUnusable(Exception):
    """The log can't be served, and waiting does not help; why, in one sentence for people."""


class LeaseLost(Exception):
    """The lease under which something was to be written is another's now."""


class Lease(Struct, frozen=True, gc=False):
    """A lease, and who believes to have it."""

    name: str
    holder: str


class StoredStep(Struct, frozen=True, gc=False):
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
    listed: bool = True
    """Whether the lobby shows it."""


class StoredLine(Struct, frozen=True, gc=False):
    """A line of a table's chat."""

    number: int
    body: bytes


class StoredPlayer(Struct, frozen=True, gc=False):
    """A player."""

    who: str
    name: str


class NewToken(Struct, frozen=True, gc=False):
    """A token as it is stored: its hash, never the secret itself."""

    hash: bytes
    id: str
    device: str = ""
    """What it is called in the list of devices and programs."""
    scope: str = ""
    """What it may be used for; empty: for everything, as on a person's own device."""


class StoredToken(Struct, frozen=True, gc=False):
    """A token, but for its hash."""

    id: str
    player: StoredPlayer
    device: str
    scope: str
    created: int
    """Milliseconds since 1970; 0 for tokens from before that was noted."""
    used: int
    """When it was last noted that it was used."""


def stored_token(row: Sequence[Any]) -> StoredToken:
    """A token as it was read."""
    id, who, name, *rest = row  # noqa: A001
    return StoredToken(id, StoredPlayer(who, name), *rest)


class Retention(Struct, frozen=True):
    """How many days things are kept; 0: for ever."""

    chat: float = 0
    tables: float = 0
    """Where nobody has been since; the game that was under way there goes, too."""
    players: float = 0
    """Who have not been there since, and sit at no table."""


class Times(Struct, frozen=True):
    """The clock by which things are old, in milliseconds since 1970."""

    now: int
    newest: int
    """The latest time that was noted of a player, a table or a line; 0 if there is none."""


class Pruned(Struct, frozen=True):
    """How many were deleted, or there are."""

    lines: int = 0
    tables: int = 0
    players: int = 0

    def __add__(self, more: "Pruned") -> "Pruned":
        return Pruned(
            self.lines + more.lines, self.tables + more.tables, self.players + more.players
        )


class Change(Struct, frozen=True, gc=False):
    """Something that another process has written."""

    kind: ChangeKind
    name: str
    """The game or the table; for tokens, the player who ended some."""
    position: int = 0
    """For a game, the last position that was written; 0 if that is not known."""


Listener: TypeAlias = Callable[[Change], None]


def stored_table(row: Sequence[Any]) -> StoredTable:
    """A table as it was read, ``listed`` as 0 or 1."""
    code, version, phase, body, listed = row
    return StoredTable(code, version, phase, body, bool(listed))


PAGE: Final = 5_000
"""Steps that are read with one question: a long game is read page by page."""


async def read_pages(
    read: Callable[[int], Awaitable[list[StoredStep]]], after: int
) -> list[StoredStep]:
    """All steps after a position; ``read`` gives at most ``PAGE`` of them."""
    steps: list[StoredStep] = []
    while True:
        page = await read(after + len(steps))
        steps += page
        if len(page) < PAGE:
            return steps


def keeps_last(name: str) -> bool:
    """Whether only the last line is kept: so it is with what is drawn at a table, ``CODE/WHAT``."""
    return "/" in name


class Log(Protocol):
    """All that is kept. Every method that writes returns when what it wrote is durable."""

    @property
    def moderation(self) -> "ModerationLog":
        """What only moderation needs."""

    async def open(self) -> None:
        """Be ready for use; until then everything raises ``LogAway``.

        Raises ``LogAway`` if it may work later, and ``LogUnusable`` if it never will.
        """

    async def close(self) -> None:
        """Write what is under way, and let go."""

    def gauges(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        """What an operator should watch: names, what they mean, and how they are read."""

    def when_away(self, told: Callable[[str], None]) -> None:
        """Call ``told`` with the reason whenever something can't be read or written."""

    async def probe(self) -> None:
        """Write something that nobody needs, to see whether the log takes writes again.

        Raises ``LogAway``. Reading proves nothing: a full disk can be read.
        """

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
        steps: Sequence[StoredStep],
        result: bytes | None = None,
        under: Lease | None = None,
    ) -> "asyncio.Future[None]":
        """Write steps after position ``expected``, all or none; with a result the game is over.

        Raises ``Conflict`` if the last position is another, ``AlreadyDone`` for a key that is
        there, ``LeaseLost`` if ``under`` is another process's by now, ``LogAway``.
        """

    async def read(self, game: str, after: int = 0) -> list[StoredStep]:
        """All steps from position ``after + 1`` on; the first step has position 1."""

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

    async def listed(
        self, phases: Collection[str], since: int, most: int = 100
    ) -> list[StoredTable]:
        """Listed tables in these phases, newest first, where somebody was since a time."""

    async def tables_of(
        self, who: str, phases: Collection[str], most: int = 100
    ) -> list[StoredTable]:
        """The tables in these phases at which a player holds a post, newest first."""

    async def codes_of(self, who: str, phases: Collection[str], most: int = 100) -> list[str]:
        """The codes of these tables: what the tables hold is not read."""

    async def solo_tables(self, who: str, skip: int, most: int = 100) -> list[str]:
        """Tables with a game under way at which a player is alone with bots.

        But for the first ``skip``, those first where somebody was last.
        """

    async def visit(self, codes: Collection[str]) -> None:
        """Somebody is at these tables now."""

    async def drop_table(self, code: str, expected: int) -> None:
        """Forget a table; raises ``Conflict``."""

    # Chat

    async def say(self, table: str, body: bytes, who: str = "") -> int:
        """Write a line of chat that a player said; its number, which counts up within the table.

        Under ``CODE/WHAT`` stands what belongs to a table but is not said: of that only the last
        line is kept, and it goes with the table.
        """

    async def chat(self, table: str, after: int = 0, most: int = 200) -> list[StoredLine]:
        """The last lines of chat after a number, oldest first."""

    # Players

    async def add_player(
        self, player: StoredPlayer, token: NewToken, recovery: bytes | None
    ) -> None:
        """A new player, with the hash of their recovery code; None: they have none yet."""

    async def player(self, who: str) -> StoredPlayer | None:
        """A player by their public name."""

    async def player_with_recovery(self, recovery: bytes) -> StoredPlayer | None:
        """Whose recovery code this is."""

    async def has_recovery(self, who: str) -> bool:
        """Whether a player has a recovery code."""

    async def set_recovery(self, who: str, new: bytes, old: bytes | None) -> bool:
        """A new recovery code; the old one is void.

        ``old`` is the present one, or None if there is none yet; False if that is not so.
        """

    async def rename(self, who: str, name: str) -> None:
        """Another name."""

    async def see(self, players: Collection[str]) -> None:
        """Players were there lately; noted once a day for each."""

    # Tokens

    async def token(self, hash: bytes) -> StoredToken | None:  # noqa: A002
        """The token with this hash, and whose it is."""

    async def tokens_of(self, who: str) -> list[StoredToken]:
        """A player's tokens, those first that were used last."""

    async def add_token(self, who: str, token: NewToken) -> None:
        """One more device or program."""

    async def end_tokens(self, who: str, only: str = "", but: str = "") -> set[str]:
        """End one of a player's tokens, or all but one; the ids of those that were ended.

        Other processes are told, as a change of kind ``token`` with the player's name.
        """

    async def living_tokens(self, ids: Collection[str]) -> set[str]:
        """Those of these tokens that have not been ended."""

    async def use_tokens(self, ids: Collection[str]) -> None:
        """Note that tokens are used now."""

    # Retention

    async def times(self) -> "Times":
        """What time it is, and the latest that was noted."""

    async def count_old(self, retention: "Retention") -> "tuple[Pruned, Pruned]":
        """How much has been kept for long enough, and how much there is."""

    async def mend_times(self) -> None:
        """What was noted while the clock was ahead happened now at the latest."""

    async def prune(self, retention: "Retention", most: int) -> "Pruned":
        """Delete what has been kept for long enough, at most so many rows of each kind.

        Finished games stay. A line's number is never given again. What else belongs to players
        who are deleted here is left to ``moderation.deletions``.
        """

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
