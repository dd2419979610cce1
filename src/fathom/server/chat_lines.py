"""Lines of chat as they are kept, and their numbers as each reader sees them.

The log numbers all lines of a table. To show these numbers would tell a crew how much the enemy
talks, so a reader's numbers count only the lines that this reader may see.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec
from msgspec import Struct

from fathom.server.log import Log, StoredLine
from fathom.server.stored import Stored, StoredRows
from fathom.server.wire import ChatLine

RECENT: Final = 200
"""How many lines somebody is shown who comes to a table."""
MOST_READ: Final = 12_800
"""How many lines are looked through for those, if most of them are for others."""
ALL: Final = 1_000_000_000


class Counts(Struct):
    """How many lines everybody has seen so far."""

    upto: int = 0
    """The last line that is counted, by its number in the log."""
    public: int = 0
    """Lines for everyone."""
    crews: dict[str, int] = {}
    """For each player, the lines for a crew that they were in."""

    def of(self, who: str) -> int:
        """How many lines somebody may see; the number of the last one."""
        return self.public + self.crews.get(who, 0)

    def take(self, number: int, line: "ChatRecord | None") -> None:
        """Count the next line; one that nobody can read is none."""
        self.upto = number
        if line is None:
            return
        if line.to is None:
            self.public += 1
        for who in line.to or ():
            self.crews[who] = self.crews.get(who, 0) + 1


class ChatRecord(Struct, frozen=True):
    """A line of chat as it is kept: what is shown, to whom, and in which game it was said."""

    shown: ChatLine
    to: tuple[str, ...] | None = None
    """The players who may read it; None: everyone at the table."""
    game: str | None = None
    counts: Counts | None = None
    """What its writer had counted; so nobody needs to count from the beginning."""

    def is_for(self, who: str) -> bool:
        """Whether somebody may read it."""
        return self.to is None or who in self.to


LINES: Final[Stored[ChatRecord]] = Stored(ChatRecord)


class StoredChat:
    """What was said at one table, as the log keeps it."""

    def __init__(self, log: Log, rows: StoredRows, table: str) -> None:
        self.log, self.rows, self.table = log, rows, table

    def read(self, stored: StoredLine) -> ChatRecord | None:
        """A line; None if this release can't read it."""
        return self.rows.read(LINES, stored.body, f"line {stored.number} of table {self.table}")

    async def count(self) -> Counts:
        """Count what was said so far."""
        counts = last_counts(map(self.read, await self.log.chat(self.table, 0, RECENT)))
        for stored in await self.log.chat(self.table, counts.upto, ALL):
            counts.take(stored.number, self.read(stored))
        return counts

    async def lines_for(self, counts: Counts, who: str, after: int) -> list[ChatLine]:
        """The counted lines that somebody has not seen yet, numbered for them, oldest first."""
        missing = min(RECENT, counts.of(who) - after)
        if missing <= 0:
            return []
        read = RECENT
        while True:
            recent = await self.log.chat(self.table, 0, read)
            stored = [line for line in recent if line.number <= counts.upto]
            lines = [self.read(each) for each in stored]
            found = list(newest_first(lines, counts.of(who), who))[:missing]
            if len(found) == missing or len(stored) < read or read >= MOST_READ:
                return found[::-1]
            read *= 4


def last_counts(lines: Iterable[ChatRecord | None]) -> Counts:
    """The counts that were written down last; none were, before readers had numbers."""
    counts = [line.counts for line in lines if line is not None and line.counts is not None]
    return counts[-1] if counts else Counts()


def newest_first(lines: list[ChatRecord | None], last: int, who: str) -> Iterator[ChatLine]:
    """Those of the lines that somebody may see, numbered down from the last."""
    for line in reversed(lines):
        if line is not None and line.is_for(who):
            yield msgspec.structs.replace(line.shown, number=last)
            last -= 1
