"""Reports about lines of chat, and lines that the operator removes.

A reader knows a line by a number of their own, the log by another (``chat_lines``).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fathom.server import wire
from fathom.server.chat_lines import LINES, ChatRecord, Counts
from fathom.server.identity import new_code
from fathom.server.log import Change, StoredLine
from fathom.server.moderation_log import StoredReport
from fathom.server.stored import Stored
from fathom.server.time_of_day import now_ms
from fathom.server.troubles import Trouble
from fathom.server.wire import LinesRemoved, encode

if TYPE_CHECKING:
    from fathom.server.connection import Connection
    from fathom.server.harbour import Harbour
    from fathom.server.room import Room

NOBODY: Final = "—"
"""How chat and records call somebody who was deleted."""
MOST_LOOKED: Final = 500
"""How many lines back a report may reach; nobody is shown more than the last 200."""


class ReportedLine(Struct, frozen=True, omit_defaults=True):
    """A line of chat as it was when somebody reported it."""

    number: int
    """In the log."""
    at: int
    channel: wire.Channel
    name: str
    who: str | None = None
    text: str = ""
    phrase: str = ""


class ReportBody(Struct, frozen=True):
    """What a report says."""

    why: str
    text: str
    lines: tuple[ReportedLine, ...]


REPORTS: Final[Stored[ReportBody]] = Stored(ReportBody)


async def report(connection: "Connection", request: wire.Report) -> None:
    """Keep a report with the lines that it is about, as they are now."""
    room, harbour = connection.room(request), connection.harbour
    harbour.moderation.take_report(connection.who)
    wanted = set(request.lines)
    async with room.talking:
        await room.catch_up_on_talk()
        said = readable(room, await room.log.chat(room.table.code, 0, MOST_LOOKED))
        lines = [
            reported(at, line)
            for number, at, line in numbered(said, room.counts, connection.who)
            if number in wanted
        ]
    if len(lines) != len(wanted):
        raise Trouble("unknown-entry")
    text = " ".join(request.text.split())
    body = ReportBody(request.why, text, tuple(lines[::-1]))
    name = new_code(8)
    await harbour.log.moderation.add_report(
        StoredReport(name, now_ms(), connection.who, room.table.code, encode(body))
    )


def readable(room: "Room", stored: list[StoredLine]) -> list[tuple[int, ChatRecord]]:
    """Lines with their numbers in the log, but for those that this release can't read."""
    read = ((each.number, room.stored_chat.read(each)) for each in stored)
    return [(number, line) for number, line in read if line is not None]


def numbered(
    said: list[tuple[int, ChatRecord]], counts: Counts, who: str
) -> Iterator[tuple[int, int, ChatRecord]]:
    """The lines that somebody may see, newest first: their number, the log's, and the line."""
    number = counts.of(who)
    for stored, line in reversed(said):
        if stored <= counts.upto and line.is_for(who):
            yield number, stored, line
            number -= 1


def reported(number: int, line: ChatRecord) -> ReportedLine:
    """A line as a report or an operator has it."""
    shown = line.shown
    phrase = encode(shown.phrase).decode() if shown.phrase is not None else ""
    return ReportedLine(number, shown.at, shown.channel, shown.name, shown.who, shown.text, phrase)


async def remove_line(
    harbour: "Harbour", table: str, number: int, *, nameless: bool = False
) -> None:
    """Remove what was said, in the log and from everybody's screen; its place is kept."""
    body = await harbour.log.moderation.line(table, number)
    if body is None:
        raise Trouble("unknown-entry")
    line = LINES.decode(body)
    shown = replace(line.shown, text="", phrase=None, removed=True)
    if nameless:
        shown = replace(shown, name=NOBODY, who=None)
    kept = encode(replace(line, shown=shown))
    await harbour.log.moderation.change_line(table, number, kept, nameless=nameless)
    await harbour.log.ring(Change("line", table, number))
    room = harbour.rooms.get(table)
    if room is not None:
        await show_removed(room, number)


async def show_removed(room: "Room", number: int) -> None:
    """Let everybody here who has a line forget it."""
    async with room.talking:
        counts = room.counts
        later = readable(room, await room.log.chat(room.table.code, number - 1, MOST_LOOKED))
        if not later or later[0][0] != number or number > counts.upto:
            # It is older than anything that is on a screen, or was not shown yet.
            return
        for guest in list(room.guests):
            if later[0][1].is_for(guest.who):
                found = numbered(later, counts, guest.who)
                theirs = next(mine for mine, stored, _ in found if stored == number)
                guest.push(encode(LinesRemoved(table=room.table.code, lines=(theirs,))))


def read_report(body: bytes) -> ReportBody:
    """What a report says."""
    try:
        return REPORTS.decode(body)
    except msgspec.MsgspecError:
        return ReportBody("other", "", ())
