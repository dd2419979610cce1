"""What a table's host may do to keep order there, and who is host when the host is gone."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from fathom.server import table as at
from fathom.server import wire
from fathom.server.log import LogAway
from fathom.server.table import Table
from fathom.server.troubles import Trouble
from fathom.server.wire import Berth, BotHand, Person
from fathom.words import Crew

if TYPE_CHECKING:
    from fathom.server.connection import Connection
    from fathom.server.room import Room

MOST_NAMED: Final = 200
"""People whom a table remembers as removed or muted."""


# What becomes of the table


def hand_over(table: Table, who: str) -> Table:
    """The table with another host, who holds a post."""
    person = at.persons(table).get(who)
    if person is None:
        raise Trouble("unknown-player")
    return replace(table, host=person.who, host_name=person.name)


def remove(table: Table, who: str) -> Table:
    """The table without somebody, for good. In a game a bot takes their posts."""
    if who == table.host:
        raise Trouble("bad-message", where="who")
    return replace(without_posts(table, who), removed=with_name(table.removed, who))


def without_posts(table: Table, who: str) -> Table:
    """The table where somebody holds no post. In a game a bot takes theirs."""
    numbers = [b.holder.number for _, b in at.berths(table) if isinstance(b.holder, BotHand)]
    bot = BotHand(max(numbers, default=0) + 1, table.settings.rank)

    def left(_: Crew, berth: Berth) -> Berth:
        if not at.holds(berth, who):
            return berth
        return replace(berth, holder=bot) if table.phase == "playing" else Berth(berth.post)

    return at.with_berths(table, left)


def mute(table: Table, who: str, *, on: bool) -> Table:
    """The table where somebody's lines of chat are not taken, or are taken again."""
    if who == table.host:
        raise Trouble("bad-message", where="who")
    others = tuple(other for other in table.muted if other != who)
    return replace(table, muted=with_name(others, who) if on else others)


def with_name(names: tuple[str, ...], who: str) -> tuple[str, ...]:
    """The names and one more; the oldest are forgotten."""
    return names if who in names else (*names, who)[-MOST_NAMED:]


# What the host asks


async def asked_hand_over(connection: "Connection", request: wire.HandOver) -> None:
    await connection.as_host(request, lambda table: hand_over(table, request.who))


async def asked_remove(connection: "Connection", request: wire.RemovePerson) -> None:
    room = connection.room(request)
    at.check_host(room.table, connection.who)
    check_known(room, request.who)
    if request.who in room.table.removed:
        # There would be another note each time.
        return
    note = connection.harbour.moderation.note
    await note(connection.who, connection.address, "host-remove", request.who, room.table.code)
    await connection.as_host(request, lambda table: remove(table, request.who))
    room.man_posts()


async def asked_lock(connection: "Connection", request: wire.LockTable) -> None:
    await connection.as_host(request, lambda table: replace(table, locked=request.on))


async def asked_mute(connection: "Connection", request: wire.MutePerson) -> None:
    check_known(connection.room(request), request.who)
    await connection.as_host(request, lambda table: mute(table, request.who, on=request.on))


def check_known(room: "Room", who: str) -> None:
    """Only those who are at the table, or were, can be meant."""
    known = {*at.persons(room.table), *room.here(), *room.table.muted}
    if who not in known:
        raise Trouble("unknown-player")


def expel_removed(room: "Room") -> None:
    """Whoever was removed has the table open no more, in this process."""
    for guest in list(room.guests):
        if guest in room.guests and guest.who in room.table.removed:
            guest.expel(room, "removed")


HANDLERS: Final[dict[type, Callable[["Connection", Any], Awaitable[None]]]] = {
    wire.HandOver: asked_hand_over,
    wire.RemovePerson: asked_remove,
    wire.LockTable: asked_lock,
    wire.MutePerson: asked_mute,
}


class HostWatch:
    """Passes the table on to somebody else when its host has been gone for a while."""

    def __init__(self, room: "Room", seconds: float) -> None:
        self.room, self.seconds = room, seconds
        self.timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Somebody came or went, or the table has changed."""
        room = self.room
        if room.table.host in room.here() or self.successor(room.table) is None:
            self.close()
        elif self.timer is None:
            loop = asyncio.get_running_loop()
            self.timer = loop.call_later(self.seconds, self.time_is_up)

    def close(self) -> None:
        """Wait no longer."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def successor(self, table: Table) -> Person | None:
        """Who of those with a post is here, to whatever process they are connected."""
        here = self.room.here()
        found = (person for person in at.persons(table).values() if person.who in here)
        return next((person for person in found if person.who != table.host), None)

    def time_is_up(self) -> None:
        self.timer = None
        if self.room.harbour.away_since is not None:
            # Nobody knows who is here.
            self.look()
            return
        self.room.harbour.keep(asyncio.create_task(self.pass_on()))

    async def pass_on(self) -> None:
        """Another one is host, unless the host is back. Of several processes, one is first."""

        def passed(table: Table) -> Table:
            person = self.successor(table)
            if table.host in self.room.here() or person is None:
                return table
            return replace(table, host=person.who, host_name=person.name)

        try:
            await self.room.change(passed)
        except Trouble:
            # The table is no more.
            return
        except LogAway:
            self.look()
