"""Deletes a player and what belongs to them. Finished games stay, without their name.

A deletion may be cut short by a restart, so it is noted first and everything after that can be done
twice. What is left of it is done in the background.
"""

from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from fathom.server import table as at
from fathom.server.chat_moderation import NOBODY, remove_line
from fathom.server.duel import HEADERS, StoredHeader
from fathom.server.host import without_posts
from fathom.server.log import EVERY, Change, StoredGame
from fathom.server.stored import Unreadable
from fathom.server.table import Table
from fathom.server.time_of_day import now_ms
from fathom.server.troubles import Trouble
from fathom.server.wire import PHASES, encode
from fathom.words import ByCrew, Crew

if TYPE_CHECKING:
    from fathom.server.harbour import Harbour
    from fathom.server.moderation_log import Deletion

STEP: Final = 50
"""Games or lines that are changed before the next are read."""
NOT_DONE: Final = 1 << 60
"""For a time since which players were deleted: only those of whom something is left."""
LEFT_BEHIND: Final = 30_000
"""Milliseconds after which a deletion that is not done was cut short."""
LEASE: Final = "deletions"
LEASE_SECONDS: Final = 60.0


async def delete_player(harbour: "Harbour", who: str) -> bool:
    """Delete a player; whether there was one."""
    deletion = await harbour.log.moderation.begin_deletion(who)
    if deletion is None:
        return False
    harbour.moderation.close_deleted(who)
    await harbour.log.ring(Change("player", who))
    await finish(harbour, deletion)
    return True


async def finish_deletions(harbour: "Harbour") -> None:
    """Finish what was cut short, if no other process is about it."""
    before = now_ms() - LEFT_BEHIND
    found = await harbour.log.moderation.deletions(NOT_DONE)
    left = [deletion for deletion in found if deletion.at < before]
    if not left:
        return
    holder = f"{harbour.me}/{LEASE}"
    if LEASE in await harbour.log.hold(holder, (LEASE,), LEASE_SECONDS):
        for deletion in left:
            await finish(harbour, deletion)
            await harbour.log.keep(holder, LEASE_SECONDS)
        await harbour.log.release(holder, (LEASE,))


async def finish(harbour: "Harbour", deletion: "Deletion") -> None:
    """Delete all that is left of somebody: posts, names in games, lines of chat."""
    log, who = harbour.log, deletion.who
    for code in await log.codes_of(who, PHASES, EVERY):
        await leave_table(harbour, code, who)
    while games := await log.games_of(who, STEP):
        for game in games:
            await make_nameless(harbour, game, deletion)
        await log.moderation.forget_games(who, [game.game for game in games])
    while lines := await log.moderation.lines_by(who, STEP):
        for line in lines:
            await forget_line(harbour, line.table, line.number)
    await log.moderation.end_deletion(who)
    await harbour.moderation.player_changed(who)
    await log.ring(Change("player", who))


async def forget_line(harbour: "Harbour", table: str, number: int) -> None:
    """Remove a line, whatever it says."""
    try:
        await remove_line(harbour, table, number, nameless=True)
    except Unreadable:
        await harbour.log.moderation.change_line(table, number, b"", nameless=True)


# Tables


async def leave_table(harbour: "Harbour", code: str, who: str) -> None:
    """Take somebody from a table; one where nobody else holds a post is closed."""
    try:
        room = await harbour.room(code)
        if set(at.persons(room.table)) <= {who}:
            await close_table(harbour, code)
            return
        await room.change(lambda table: without(table, who))
        room.man_posts()
    except Trouble:
        # The table is gone, or can't be read.
        return


def without(table: Table, who: str) -> Table:
    """The table without somebody; another one with a post is host, if they were."""
    table = without_posts(table, who)
    muted = tuple(other for other in table.muted if other != who)
    removed = tuple(other for other in table.removed if other != who)
    if table.host == who:
        person = next(iter(at.persons(table).values()))
        table = replace(table, host=person.who, host_name=person.name)
    return replace(table, muted=muted, removed=removed)


async def close_table(harbour: "Harbour", code: str) -> bool:
    """Delete a table with its unfinished game; everyone there is told. Whether there was one."""
    found = await harbour.log.moderation.close_table(code)
    room = harbour.rooms.get(code)
    if room is not None:
        for guest in list(room.guests):
            guest.expel(room, "closed")
        harbour.forget(room)
    harbour.lobby_changed()
    return found


# Games


async def make_nameless(harbour: "Harbour", game: StoredGame, deletion: "Deletion") -> None:
    """Take somebody's name out of a game."""
    try:
        header = HEADERS.decode(game.header)
    except Unreadable:
        return
    seat = header.places.get(deletion.who)
    seat = seat or await harbour.log.moderation.seat_in(game.game, deletion.who)
    seat = seat or seat_by_name(header, deletion)
    kept = replace(
        nameless(header, seat) if seat else header,
        sides=without_name(header.sides, deletion.who),
        places=without_name(header.places, deletion.who),
    )
    await harbour.log.moderation.change_header(game.game, encode(kept))


def seat_by_name(header: StoredHeader, deletion: "Deletion") -> str:
    """The seat of somebody who never gave an order, in a game from before seats were noted."""
    side = header.sides.get(deletion.who)
    for crew, names in zip(Crew, header.names, strict=True):
        if crew.value == side and deletion.name in names:
            return f"{side}{names.index(deletion.name)}"
    return ""


def nameless(header: StoredHeader, seat: str) -> StoredHeader:
    """The header with nobody's name on a seat."""
    side, number = Crew(seat[0]), int(seat[1:])

    def named(crew: Crew) -> tuple[str, ...]:
        names = header.names[0 if crew is Crew.A else 1]
        if crew is not side:
            return names
        return (*names[:number], NOBODY, *names[number + 1 :])

    plan = header.setup.crews[side]
    seats = (
        *plan.seats[:number],
        replace(plan.seats[number], name=NOBODY),
        *plan.seats[number + 1 :],
    )
    crews: ByCrew = header.setup.crews.put(side, replace(plan, seats=seats))  # type: ignore[type-arg]
    return replace(
        header,
        setup=replace(header.setup, crews=crews),
        names=(named(Crew.A), named(Crew.B)),
    )


def without_name(found: dict[str, str], who: str) -> dict[str, str]:
    return {name: value for name, value in found.items() if name != who}
