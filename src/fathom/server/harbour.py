"""The server's heart: all tables and all connections of one process."""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from typing import Any, Final

from fathom.server import table as at
from fathom.server.agreement import agree, tried
from fathom.server.barracks import Barracks
from fathom.server.collector import Collector
from fathom.server.config import Config
from fathom.server.connection import Connection
from fathom.server.docket import Docket
from fathom.server.duel import Duel
from fathom.server.identity import DICE, new_code, new_name, now_ms
from fathom.server.large_pages import AT_ONCE, BUSY, LargePages
from fathom.server.leases import Leases
from fathom.server.limits import (
    API,
    ARRIVALS,
    NEW_PLAYERS,
    RECOVERIES,
    Buckets,
    Rate,
)
from fathom.server.log import Change, Conflict, Log, LogAway, StoredPlayer, StoredTable
from fathom.server.metrics import Metrics
from fathom.server.outgoing import Outgoing
from fathom.server.presence import Presence
from fathom.server.room import TABLES, Room, table_card
from fathom.server.troubles import Trouble, Unplayable
from fathom.server.wire import Goodbye, Lobby, Person, Settings, TableClosed, encode
from fathom.words import CREW_A, CREW_B

NOTES: Final = logging.getLogger("fathom.server")
SWEEP: Final = 1.0
"""Seconds between looks at connections that are silent or stuck, and at memory."""
FEW, QUIET = 20, 10
"""With so few orders between two looks, and so many looks like that, it is quiet."""
TENDING: Final = 1.0
"""Seconds between looks for games that no process looks after."""
MOST_TENDED: Final = 1000
"""Games that are taken up at one look."""
DOUBT: Final = 4.0
"""Seconds after the log came back in which nobody is believed to have left."""
QUIET_LOBBY: Final = 0.5
"""Seconds in which changes of the lobby are gathered."""
SHOWN: Final = 100
"""Tables that the lobby shows."""
FORGOTTEN: Final = 3600.0
"""Seconds after which a table where nobody is goes from memory, or for good if nothing began."""
PATIENCE: Final = 5.0
"""Seconds in which orders under way are finished when the server goes down."""


class Harbour:
    """Everything that lives in one process."""

    def __init__(self, log: Log, config: Config) -> None:
        self.log, self.config = log, config
        self.metrics = Metrics()
        self.barracks = Barracks(config.bot_processes or None)
        self.rooms: dict[str, Room] = {}
        self.duels: dict[str, Duel] = {}
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.missed: set[str] = set()
        """Tables that were changed elsewhere while they were read."""
        self.me = new_name()
        self.leases = Leases(log, self.me, self.gained, self.lost)
        self.presence = Presence(log, self.me, self.presence_changed)
        self.taking = asyncio.Lock()
        self.away_since: float | None = None
        """Since when the log is away: the last time that it was there."""
        self.connections: dict[Connection, None] = {}
        self.by_address: Counter[str] = Counter()
        self.followers: dict[Connection, None] = {}
        """Who looks at the lobby."""
        self.lobby_task: asyncio.Task[None] | None = None
        self.collector, self.large_pages = Collector(), LargePages()
        self.docket = Docket(self.metrics)
        self.outgoing = Outgoing()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.going_down = False
        more = config.rate_factor
        self.arrivals, self.requests = Buckets(ARRIVALS.times(more)), Buckets(API.times(more))
        self.new_players = Buckets(NEW_PLAYERS.times(more))
        self.recoveries = Buckets(RECOVERIES)
        hourly = config.tables_per_hour
        self.new_tables = Buckets(Rate(hourly, hourly / 3600))
        self.empty_since: dict[str, float] = {}
        self.watch_numbers()

    def watch_numbers(self) -> None:
        watch = self.metrics.watch
        watch("connections", "Open connections", lambda: len(self.connections))
        watch("tables", "Tables in memory", lambda: len(self.rooms))
        watch("games", "Games in memory", self.games)
        watch("bots", "Bots that are playing", lambda: len(self.barracks))
        watch("waiting_messages", "Messages that wait for slow connections", self.waiting)

    def games(self) -> int:
        """Games under way in this process."""
        return sum(room.duel is not None and not room.duel.over for room in self.rooms.values())

    def waiting(self) -> int:
        return sum(len(connection.outbox) for connection in self.connections)

    def now(self) -> float:
        """A clock that only goes forward."""
        return time.monotonic()

    # Opening and closing

    async def open(self) -> None:
        """Take up what the log has: tables, and games that were under way."""
        self.collector.open()
        await self.log.open()
        self.log.listen(self.changed)
        self.leases.open()
        self.presence.open()
        self.keep(asyncio.create_task(self.tend()))
        self.keep(asyncio.create_task(self.sweep()))

    async def close(self) -> None:
        """Finish what is under way, tell everyone to come again, and let go."""
        self.going_down = True
        for connection in list(self.connections):
            connection.refuse_orders()
        self.docket.work()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while working := self.working():
                    await asyncio.wait(working)
        farewell = encode(Goodbye(why="going-down"))
        for connection in list(self.connections):
            connection.dismiss(farewell)
        if self.connections:
            closing = [connection.closed.wait() for connection in self.connections]
            await asyncio.wait([asyncio.create_task(c) for c in closing], timeout=PATIENCE)
        for room in self.rooms.values():
            room.close()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.presence.close()
        await self.leases.close()
        await self.barracks.close()
        await self.log.close()

    def working(self) -> "list[asyncio.Future[None]]":
        """What games are waiting for that have orders under way."""
        duels = (room.duel for room in self.rooms.values() if room.duel is not None)
        return [duel.working for duel in duels if duel.working is not None]

    def keep(self, task: "asyncio.Task[Any]") -> None:
        """Hold on to a task until it is done, and note it if it fails."""
        self.tasks.add(task)
        task.add_done_callback(self.done)

    def done(self, task: "asyncio.Task[Any]") -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            if isinstance(fault, LogAway):
                # Whatever it was: it is looked at again when the log is back.
                NOTES.info("a task was given up: the log is away")
                return
            self.metrics.faults += 1
            NOTES.error("a task failed", exc_info=fault)

    # Tables

    async def room(self, code: str) -> Room:
        """A table by its code."""
        room = self.rooms.get(code)
        if room is not None:
            return room
        if code not in self.loading:
            self.loading[code] = asyncio.create_task(self.load(code))
        try:
            return await asyncio.shield(self.loading[code])
        finally:
            self.loading.pop(code, None)

    async def load(self, code: str) -> Room:
        stored = await self.log.table(code)
        if stored is None:
            raise Trouble("unknown-table")
        self.missed.discard(code)
        room = await Room.load(self, stored)
        self.rooms[code] = room
        room.take_charge()
        if code in self.missed:
            self.missed.discard(code)
            room.refresh_soon()
        return room

    async def new_table(self, player: StoredPlayer, settings: Settings) -> Room:
        """A table of one's own."""
        host = Person(player.who, player.name)
        while True:
            table = at.new_table(new_code(), host, settings, now_ms(), DICE.getrandbits(48))
            wrong = tried(settings, 1, 1)
            if wrong is not None and wrong.key not in ("crew.mode", "crew.sizes"):
                raise Unplayable(wrong)
            stored = StoredTable(table.code, table.version, table.phase, encode(table))
            try:
                await self.log.save_table(stored, 0, (player.who,))
                break
            except Conflict:
                continue
        room = self.rooms[table.code] = Room(self, table)
        self.lobby_changed()
        return room

    async def play_solo(self, player: StoredPlayer, settings: Settings) -> Room:
        """A game against the computer, begun."""
        room = await self.new_table(player, settings)
        person = Person(player.who, player.name)

        def seated(table: at.Table) -> at.Table:
            table = at.sit(table, person, CREW_A, ())
            return at.place_bot(table, CREW_B, (), settings.rank)

        crews, _ = at.plan(seated(room.table))
        agree(settings, crews)
        await room.change(seated)
        await room.start(fill=True)
        return room

    def changed(self, change: Change) -> None:
        """Another process has written something."""
        if change.kind == "game":
            duel = self.duels.get(change.name)
            if duel is not None:
                duel.ring(change.position)
            return
        if change.kind == "all":
            self.look_at_everything()
            return
        code, _, plot = change.name.partition("/")
        room = self.rooms.get(code)
        if change.kind == "table":
            self.missed.update({code} & self.loading.keys())
            self.lobby_changed()
        if room is None:
            if change.kind == "presence" and self.leases.holds(f"table/{code}"):
                # Somebody has come, elsewhere, to a table that slept.
                self.gained(f"table/{code}")
            return
        if change.kind == "table":
            room.refresh_soon()
        elif change.kind == "presence":
            self.presence.look_soon(code)
        elif plot:
            room.see_plot_soon(change.name)
        else:
            room.listen_soon()

    def look_at_everything(self) -> None:
        """What was missed can't be told any more."""
        self.missed.update(self.loading)
        for room in self.rooms.values():
            room.refresh_soon()
            room.listen_soon()
        for duel in self.duels.values():
            duel.ring()
        self.keep(asyncio.create_task(self.presence.look_at_all()))
        self.keep(asyncio.create_task(self.wake_sleepers()))
        self.lobby_changed()

    async def wake_sleepers(self) -> None:
        """Somebody may have come to a table that slept, and was not heard."""
        here = {name.split("/")[1] for name in await self.log.held("here/")}
        for code in here - self.rooms.keys():
            if self.leases.holds(f"table/{code}"):
                self.gained(f"table/{code}")

    def presence_changed(self, code: str) -> None:
        """Somebody came to a table or left it, elsewhere."""
        room = self.rooms.get(code)
        if room is not None:
            room.presence_changed()

    def forget(self, room: Room) -> None:
        """A table is no more."""
        code = room.table.code
        if self.rooms.get(code) is room:
            del self.rooms[code]
        self.empty_since.pop(code, None)
        gone = encode(TableClosed(table=code, why="gone"))
        for guest in list(room.guests):
            guest.push(gone)
            room.leave(guest)
        room.close()

    # Looking after games

    async def tend(self) -> None:
        """Take up games that no process looks after, and notice when the log goes and comes."""
        there = time.monotonic()
        while True:
            asked = time.monotonic()
            try:
                codes = await self.log.untended("playing", "table/", MOST_TENDED)
            except LogAway:
                self.log_went(there)
            else:
                there = asked
                self.log_came()
                for code in codes:
                    self.leases.want(f"table/{code}")
            await asyncio.sleep(TENDING)

    def log_went(self, since: float) -> None:
        """Nothing can be saved: everything stands still."""
        if self.away_since is None:
            NOTES.warning("the log is away")
            self.away_since = since
            self.presence.doubt(3600.0)
            for room in list(self.rooms.values()):
                room.wake()

    def log_came(self) -> None:
        """What is saved can be told again."""
        if self.away_since is not None:
            NOTES.info("the log is back")
            self.away_since = None
            self.presence.doubt(DOUBT)
            for room in list(self.rooms.values()):
                room.log_came_back()
                room.listen_soon()

    def gained(self, name: str) -> None:
        """A table is ours to look after."""
        self.keep(asyncio.create_task(self.take_up(name)))

    async def take_up(self, name: str) -> None:
        """Look after a table; if it can't be read, somebody else may.

        One after another: after a restart there are many, and no log must be held whole.
        """
        code = name.partition("/")[2]
        try:
            async with self.taking:
                if code not in self.rooms and await self.sleeps(code):
                    return
                room = await self.room(code)
        except (Trouble, LogAway):
            self.leases.unwant(name)
            return
        room.take_charge()

    async def sleeps(self, code: str) -> bool:
        """Whether nothing is to be done at a table: people play there, and none of them is there.

        The first who comes, to whatever process, rings; then it is taken up.
        """
        stored = await self.log.table(code)
        if stored is None or not at.persons(TABLES.decode(stored.body)):
            return False
        return not await self.log.held(f"here/{code}/")

    def lost(self, name: str) -> None:
        """A table is no longer ours; it is found again if nobody takes it."""
        self.leases.unwant(name)
        room = self.rooms.get(name.partition("/")[2])
        if room is not None:
            room.lay_down()

    # The lobby

    async def lobby(self) -> Lobby:
        """Open tables and running games."""
        stored = await self.log.tables(("gathering", "playing"), SHOWN * 4)
        tables = [TABLES.decode(table.body) for table in stored]
        cards = [table_card(table) for table in tables if table.settings.listed]
        return Lobby(
            tables=tuple(c for c in cards if c.phase == "gathering" and c.free)[:SHOWN],
            games=tuple(c for c in cards if c.phase == "playing" and c.watching != "nobody")[
                :SHOWN
            ],
        )

    def lobby_changed(self) -> None:
        """Let those who look at the lobby see it, soon."""
        if self.followers and self.lobby_task is None:
            self.lobby_task = asyncio.create_task(self.show_lobby())
            self.keep(self.lobby_task)

    async def show_lobby(self) -> None:
        await asyncio.sleep(QUIET_LOBBY)
        self.lobby_task = None
        try:
            message = encode(await self.lobby())
        except LogAway:
            self.lobby_changed()
            return
        for follower in self.followers:
            follower.hint(message)

    # Connections

    def admit(self, connection: Connection) -> None:
        """A connection comes, unless there are too many."""
        if self.going_down:
            raise Trouble("going-down")
        address = connection.address
        if (
            len(self.connections) >= self.config.connections
            or self.by_address[address] >= self.config.connections_per_address
        ):
            raise Trouble("too-many-connections")
        self.connections[connection] = None
        self.by_address[address] += 1

    def discharge(self, connection: Connection) -> None:
        """A connection goes."""
        if connection not in self.connections:
            return
        del self.connections[connection]
        self.followers.pop(connection, None)
        self.by_address[connection.address] -= 1
        if not self.by_address[connection.address]:
            del self.by_address[connection.address]
        for room in list(connection.rooms.values()):
            room.leave(connection)

    async def sweep(self) -> None:
        """Close connections that are silent or stuck; forget empty tables; look after memory."""
        given = quiet = 0
        while True:
            await asyncio.sleep(SWEEP)
            now = time.monotonic()
            for connection in list(self.connections):
                connection.check(now)
            await self.forget_tables(now)
            given, before = self.metrics.orders, given
            quiet = quiet + 1 if given - before < FEW else 0
            self.collector.look(quiet=quiet > QUIET)
            self.large_pages.make(AT_ONCE if quiet else BUSY)

    async def forget_tables(self, now: float) -> None:
        """Tables where nobody has been for long go; what has begun stays in the log."""
        for code, room in list(self.rooms.items()):
            if room.guests or (room.hands and room.awake()):
                self.empty_since.pop(code, None)
            elif now - self.empty_since.setdefault(code, now) > FORGOTTEN:
                del self.rooms[code], self.empty_since[code]
                room.close()
                if room.table.phase == "gathering" and not room.table.games:
                    await self.drop(room)

    async def drop(self, room: Room) -> None:
        """A table at which nothing ever began is forgotten for good, if nobody is there at all."""
        code = room.table.code
        try:
            if await self.log.held(f"here/{code}/"):
                return
            await self.log.drop_table(code, room.table.version)
        except (Conflict, LogAway):
            # It has changed; or it is found and forgotten when somebody looks at it again.
            return
        self.lobby_changed()
