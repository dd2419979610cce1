"""What the log keeps for whoever keeps order: bans, reports, audit notes, an announcement.

``tests/server/test_moderation_log.py`` is the contract.
"""

from collections.abc import Collection
from typing import Protocol

from msgspec import Struct

from fathom.server.log import StoredGame, StoredTable


class Ban(Struct, frozen=True):
    """Somebody who may not come, or a range of addresses from which nobody may."""

    id: str
    who: str
    """The player's id; empty for a ban of addresses."""
    network: str
    """Such as ``203.0.113.0/24``; empty for a ban of a player."""
    until: int
    """When it runs out, in milliseconds since 1970; 0: never."""
    reason: str
    """The banned person is told this."""
    at: int
    by: str
    """The operator who made it."""


class StoredReport(Struct, frozen=True, gc=False):
    """A player's report."""

    id: str
    at: int
    by: str
    """Who reported."""
    table: str
    body: bytes
    """What was said about which lines, as JSON."""
    closed: int = 0
    """When an operator closed it; 0: it is open."""
    closed_by: str = ""


class AuditNote(Struct, frozen=True, gc=False):
    """Who did what, and when."""

    at: int
    by: str
    """An operator's name, or a player's id."""
    address: str
    """Where the request came from; empty once the configured retention is over."""
    action: str
    target: str
    detail: str = ""


class FoundPlayer(Struct, frozen=True, gc=False):
    """A player, and when they were last seen, to a day."""

    who: str
    name: str
    seen: int


class FoundTable(Struct, frozen=True, gc=False):
    """A table, and when somebody was last there."""

    table: StoredTable
    visited: int


class SaidLine(Struct, frozen=True, gc=False):
    """A line of chat with its place."""

    table: str
    number: int
    body: bytes


class Deletion(Struct, frozen=True, gc=False):
    """A player who was deleted; until it is done, things of theirs are left."""

    who: str
    name: str
    at: int
    done: bool = False


class StoredAnnouncement(Struct, frozen=True, gc=False):
    """What all players are shown."""

    at: int
    """When the server restarts; 0 if it does not."""
    text: str
    until: int
    """When it is no longer shown."""


MOST_TABLES, MOST_PLAYERS = 5_000, 200_000
"""How many of the last ones are searched by a part of what they hold: nobody waits long for it."""


class ModerationLog(Protocol):
    """The part of a log that only moderation needs. Every method may raise ``LogAway``."""

    # Bans

    async def add_ban(self, ban: Ban) -> None:
        """A new ban."""

    async def bans(self) -> list[Ban]:
        """All bans that have not run out, newest first."""

    async def drop_ban(self, name: str) -> Ban | None:
        """Lift a ban; the ban, if there was one."""

    # Reports

    async def add_report(self, report: StoredReport) -> None:
        """A new report."""

    async def reports(self, *, closed: bool, most: int = 100) -> list[StoredReport]:
        """Open or closed reports, newest first."""

    async def reports_by(self, who: str) -> list[StoredReport]:
        """All reports that a player made."""

    async def close_report(self, name: str, by: str) -> bool:
        """Mark a report as dealt with; whether it was open."""

    # Audit notes

    async def note(self, note: AuditNote) -> None:
        """Write down who did what."""

    async def notes(self, most: int = 100) -> list[AuditNote]:
        """The last notes, newest first."""

    # The announcement

    async def announce(self, announcement: StoredAnnouncement | None) -> None:
        """Show this to everyone instead of what was shown before."""

    async def announcement(self) -> StoredAnnouncement | None:
        """What is shown now."""

    # Searching

    async def found_player(self, who: str) -> FoundPlayer | None:
        """A player by their id."""

    async def find_players(self, search: str, most: int = 100) -> list[FoundPlayer]:
        """Players by their id, and of the last ones by a part of their name; last seen first."""

    async def find_tables(self, search: str, most: int = 100) -> list[FoundTable]:
        """Tables by their code or somebody there; of the last ones also by any name in them.

        Last visited first.
        """

    async def find_games(self, search: str, most: int = 100) -> list[StoredGame]:
        """Games by their id, their table's code or a player's id, newest first."""

    # Changing what was said and played

    async def line(self, table: str, number: int) -> bytes | None:
        """One line of chat."""

    async def lines_by(self, who: str, most: int = 100) -> list[SaidLine]:
        """Lines that a player said, oldest first."""

    async def change_line(
        self, table: str, number: int, body: bytes, *, nameless: bool = False
    ) -> None:
        """Write a line again; with ``nameless`` it is nobody's from now on."""

    async def close_table(self, code: str) -> bool:
        """Delete a table with its talk and its unfinished game; whether there was one."""

    async def seat_in(self, game: str, who: str) -> str:
        """The seat from which a player gave an order in a game, or nothing."""

    async def change_header(self, game: str, header: bytes) -> None:
        """Write a game's header again."""

    async def forget_games(self, who: str, games: Collection[str]) -> None:
        """These games are no longer among a player's."""

    # Deleting players

    async def begin_deletion(self, who: str) -> Deletion | None:
        """Delete a player with their tokens, and note that there is more; None if there is none."""

    async def deletions(self, since: int, most: int = 100) -> list[Deletion]:
        """Players who were deleted since a time or of whom something is left, oldest first."""

    async def end_deletion(self, who: str) -> None:
        """Nothing of a deleted player is left but what others need."""

    async def prune(self, audit: float, addresses: float, reports: float, most: int) -> int:
        """Delete what is older than so many days (0: never): notes, addresses, closed reports.

        Also bans that ran out, after as many days as addresses are kept, and traces of deletions.
        """


def prefix_end(prefix: str) -> str:
    """The first text after all that begin so."""
    return prefix[:-1] + chr(ord(prefix[-1]) + 1)


def like(search: str) -> str:
    """A pattern for texts that hold this."""
    for mark in ("\\", "%", "_"):
        search = search.replace(mark, "\\" + mark)
    return f"%{search}%"
