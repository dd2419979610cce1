"""The server's heart: all tables and all connections of one process."""

import asyncio
import contextlib
import logging
import time
from collections import Counter
from math import ceil
from random import random
from typing import Any, Final

from msgspec.structs import replace

from fathom.server import table as at
from fathom.server.addresses import Proxies
from fathom.server.agreement import agree, tried
from fathom.server.barracks import Barracks
from fathom.server.capacity import LoopErrors, capacity
from fathom.server.collector import Collector
from fathom.server.config import Config
from fathom.server.connection import Connection
from fathom.server.deletion import close_table
from fathom.server.docket import Docket
from fathom.server.duel import Duel
from fathom.server.http_connections import HttpConnections, counted
from fathom.server.identity import new_code, new_name
from fathom.server.leases import Leases
from fathom.server.limits import (
    ALL_GUESSES,
    GUESSES,
    MOST_SOLO,
    RECOVERIES,
    SHARED_RATES,
    Buckets,
    table_rates,
)
from fathom.server.lobby import LobbyCache
from fathom.server.log import (
    Change,
    Conflict,
    Log,
    LogAway,
    LogBusy,
    LogUnusable,
    StoredPlayer,
    StoredTable,
)
from fathom.server.metrics import Metrics
from fathom.server.moderation import Moderation
from fathom.server.outgoing import Outgoing
from fathom.server.presence import Presence
from fathom.server.retention import Retainer
from fathom.server.room import TABLES, Room, read_table, table_card
from fathom.server.sessions import Sessions
from fathom.server.stored import StoredRows
from fathom.server.supervise import Supervisor
from fathom.server.time_of_day import now_ms
from fathom.server.troubles import Trouble, Unplayable
from fathom.server.visitors import Guesses, Visitor
from fathom.server.wire import Goodbye, Lobby, Person, Settings, encode
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
FIRST_WAIT, LONGEST_WAIT = 0.5, 10.0
"""Seconds between attempts to open a log that is away at the start: they double, with jitter."""
DOUBT: Final = 4.0
"""Seconds after the log came back in which nobody is believed to have left."""
QUIET_LOBBY: Final = 0.5
"""Seconds in which changes of the lobby are gathered."""
SHOWN: Final = 100
"""Tables that the lobby shows."""
LISTED: Final = 86_400
"""Seconds for which the lobby shows a table where nobody is."""
FORGOTTEN: Final = 3600.0
"""Seconds after which a table where nobody is goes from memory, or for good if nothing began."""
PATIENCE: Final = 5.0
"""Seconds in which orders under way are finished when the server goes down."""


class Harbour:
    """Everything that lives in one process."""

    def __init__(self, log: Log, config: Config, supervisor: Supervisor | None = None) -> None:
        self.log, self.config = log, config
        self.supervisor = supervisor or Supervisor()
        self.metrics = Metrics()
        self.rows = StoredRows(self.metrics)
        self.barracks = Barracks(self.supervisor, config.bot_processes or None)
        self.rooms: dict[str, Room] = {}
        self.duels: dict[str, Duel] = {}
        self.loading: dict[str, asyncio.Task[Room]] = {}
        self.missed: set[str] = set()
        """Tables that were changed elsewhere while they were read."""
        self.me = new_name()
        self.leases = Leases(log, self.me, self.gained, self.lost)
        self.presence = Presence(log, self.me, self.presence_changed)
        self.retainer = Retainer(log, config, self.me, self.occupied, self.connected)
        self.taking = asyncio.Lock()
        self.away_since: float | None = None
        """Since when the log is away: the last time that it was there."""
        self.there = time.monotonic()
        """When the log was last known to be there."""
        self.unusable: LogUnusable | None = None
        """Why the log can never be opened, if that was found out after the server had started."""
        self.must_end = asyncio.Event()
        """Set when the server must end, because it can never serve."""
        self.proxies = Proxies(config.trusted_proxies, anyone=config.behind_proxy)
        room = capacity(config.connections)
        self.most_connections = room.websockets
        self.http = HttpConnections(
            self.metrics, counted(self.proxies.trusts), room.http, config.connections_per_address
        )
        self.connections: dict[Connection, None] = {}
        self.sessions = Sessions(log, lambda: self.connections)
        self.by_address: Counter[str] = Counter()
        self.followers: dict[Connection, None] = {}
        """Who looks at the lobby."""
        self.lobby_task: asyncio.Task[None] | None = None
        self.lobby_cache = LobbyCache(self.lobby)
        self.collector, self.loop_errors = Collector(), LoopErrors(self.metrics)
        self.docket, self.outgoing = Docket(self.metrics), Outgoing()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.going_down = False
        rate = config.rate
        self.arrivals, self.requests = Buckets(rate("arrivals")), Buckets(rate("api"))
        self.sockets = Buckets(rate("sockets"))
        self.new_players = Buckets(rate("new_players"))
        # However generous a server is otherwise: nobody shall try many codes.
        self.recoveries = Buckets(config.rates.get("recoveries", RECOVERIES))
        self.guesses = Guesses(
            config.rates.get("guesses", GUESSES), config.rates.get("all_guesses", ALL_GUESSES)
        )
        self.new_tables, self.solo_games = map(Buckets, table_rates(config.tables_per_hour))
        self.new_games, self.advice = Buckets(rate("new_games")), Buckets(rate("advice"))
        self.player_rates = {name: Buckets(rate(name)) for name in SHARED_RATES}
        self.empty_since: dict[str, float] = {}
        self.moderation = Moderation(self)
        self.watch_numbers()

    def watch_numbers(self) -> None:
        watch = self.metrics.watch
        watch("connections", "Open connections", lambda: len(self.connections))
        watch("http_connections", "Open connections that are no websockets", lambda: len(self.http))
        watch("tables", "Tables in memory", lambda: len(self.rooms))
        watch("games", "Games in memory", self.games)
        watch("bots", "Bots that are playing", lambda: len(self.barracks))
        watch(
            "restarts", "Times that a task that should never end was started again", self.restarts
        )
        watch(
            "hung_bot_processes",
            "Bot processes that were killed because they did not answer",
            self.barracks.hung,
        )
        watch("failing_tasks", "Tasks that can't go on", lambda: len(self.supervisor.failing()))
        watch(
            "log_away", "1 while nothing can be saved", lambda: float(self.away_since is not None)
        )
        watch("waiting_messages", "Messages that wait for slow connections", self.waiting)

    def occupied(self) -> list[str]:
        """Tables where somebody is."""
        return [code for code, room in self.rooms.items() if room.guests]

    def connected(self) -> set[str]:
        """Who is connected."""
        return {connection.who for connection in self.connections if connection.who}

    def games(self) -> int:
        """Games under way in this process."""
        return sum(room.duel is not None and not room.duel.over for room in self.rooms.values())

    def restarts(self) -> int:
        return self.supervisor.restarts

    def waiting(self) -> int:
        return sum(len(connection.outbox) for connection in self.connections)

    def take(self, buckets: Buckets, name: str) -> None:
        """Take one for this name; if there is none, say when there will be."""
        now = self.now()
        if not buckets.take(name, now):
            self.metrics.limited += 1
            raise Trouble("too-many-tables", seconds=ceil(buckets.wait(name, now)))

    def now(self) -> float:
        """A clock that only goes forward."""
        return time.monotonic()

    def limit_of(self, path: str) -> Buckets | None:
        """What counts requests for a path; the client's files are not counted."""
        if path == "/socket":
            return self.sockets
        return self.requests if path.startswith("/api/") else None

    # Opening and closing

    async def open(self) -> None:
        """Take up what the log has: tables, and games that were under way.

        If the log is away, that is done when it comes; until then nothing can be read or saved.
        """
        asyncio.get_running_loop().set_exception_handler(self.loop_errors)
        self.collector.open()
        self.log.when_away(self.log_failed)
        try:
            await self.log.open()
        except LogAway as away:
            self.log_went(str(away))
            self.keep(asyncio.create_task(self.open_later()))
        else:
            self.begin()

    async def open_later(self) -> None:
        """Open the log as soon as it is there."""
        wait = FIRST_WAIT
        while True:
            await asyncio.sleep(wait * (0.5 + random()))
            wait = min(LONGEST_WAIT, 2 * wait)
            try:
                await self.log.open()
            except LogAway:
                continue
            except LogUnusable as unusable:
                self.unusable = unusable
                self.must_end.set()
                return
            self.begin()
            return

    def begin(self) -> None:
        """The log is open: look after everything."""
        self.log_came()
        self.log.listen(self.changed)
        self.leases.open(self.supervisor)
        self.presence.open(self.supervisor)
        self.supervisor.start("tending", self.tend)
        self.supervisor.start("sweep", self.sweep)
        self.supervisor.start("retention", self.retainer.run)
        self.supervisor.start("use of tokens", self.sessions.run)
        self.supervisor.start("moderation", self.moderation.run)

    async def close(self) -> None:
        """Finish what is under way, tell everyone to come again, and let go."""
        self.going_down = True
        for connection in list(self.connections):
            connection.refuse_orders()
        self.docket.work()
        patience = self.now() + PATIENCE
        while (working := self.working()) and (left := patience - self.now()) > 0:
            await asyncio.wait(working, timeout=left)
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
        await self.supervisor.close()
        with contextlib.suppress(LogAway):
            await self.retainer.note()
            await self.sessions.note()
        await self.presence.close()
        await self.leases.close()
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

    async def room_for(self, visitor: Visitor, code: str) -> Room:
        """A live table by its code, for somebody who may know of it."""
        await self.table_for(visitor, code)
        return await self.room(code)

    async def table_for(self, visitor: Visitor, code: str, *, member: bool = False) -> at.Table:
        """A table by its code, for somebody who may know of it, without waking it up.

        Whoever may not is told what is told of a code that nobody has, after the same question to
        the log. While a table gathers, its code is enough: friends say it aloud. Where the visitor
        may be a member who can't show it yet, only a code that nobody has counts as a wrong one.
        """
        room = self.rooms.get(code)
        if room is not None and at.is_open_to(room.table, visitor.who, visitor.key):
            return room.table
        stored = await self.log.table(code)
        if stored is not None and stored.listed:
            return read_table(self, stored)
        table = None if stored is None else self.readable(stored)
        if table is None or not at.is_open_to(table, visitor.who, visitor.key):
            self.guesses.check(visitor.address)
            if table is None or table.phase != "gathering":
                if stored is None or not member:
                    self.guesses.miss(visitor.address)
                raise Trouble("unknown-table")
        return table

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
        settings = self.allowed(settings)
        host = Person(player.who, player.name)
        while True:
            table = at.new_table(new_code(), host, settings, now_ms())
            wrong = tried(settings, 1, 1)
            if wrong is not None and wrong.key not in ("crew.mode", "crew.sizes"):
                raise Unplayable(wrong)
            try:
                await self.log.save_table(at.stored(table), 0, (player.who,))
                break
            except Conflict:
                continue
        room = self.rooms[table.code] = Room(self, table)
        self.lobby_changed()
        return room

    def allowed(self, settings: Settings) -> Settings:
        """What a table asks for, as far as this server goes along with it."""
        delay = max(settings.watch_delay, self.config.shortest_watch_delay)
        return replace(settings, watch_delay=delay)

    async def play_solo(self, player: StoredPlayer, settings: Settings) -> Room:
        """A game against the computer, begun."""
        person = Person(player.who, player.name)

        def seated(table: at.Table) -> at.Table:
            table = at.sit(table, person, CREW_A, ())
            return at.place_bot(table, CREW_B, (), settings.rank)

        # What can't begin must leave no table behind.
        crews, _ = at.plan(seated(at.new_table("", person, settings, now_ms())))
        agree(settings, crews)
        room = await self.new_table(player, settings)
        await room.change(seated)
        await room.start(fill=True)
        return room

    async def close_old_games(self, who: str) -> None:
        """Close games that somebody began alone with bots and left, but for the newest."""
        while codes := await self.log.solo_tables(who, MOST_SOLO):
            for code in codes:
                await close_table(self, code)

    async def rename(self, who: str, name: str) -> None:
        """Give a player another name, also at tables that they have open and that still gather."""
        await self.log.rename(who, name)
        mine = [one for one in self.connections if one.who == who]
        for connection in mine:
            connection.name = name
        rooms = {code: room for one in mine for code, room in one.rooms.items()}
        for room in rooms.values():
            if room.table.phase == "gathering":
                await room.change(lambda table: at.rename(table, who, name))

    def changed(self, change: Change) -> None:
        """Another process has written something."""
        if change.kind == "game":
            duel = self.duels.get(change.name)
            if duel is not None:
                duel.ring(change.position)
            return
        if change.kind == "token":
            self.keep(asyncio.create_task(self.sessions.check(change.name)))
            return
        if change.kind == "all":
            self.look_at_everything()
            return
        if change.kind in ("player", "line", "moderation"):
            self.moderation.changed(change)
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
        self.moderation.look_again.set()
        # Somebody may have been deleted.
        self.moderation.forget_records()
        for room in self.rooms.values():
            room.refresh_soon()
            room.listen_soon()
        for duel in self.duels.values():
            duel.ring()
        self.keep(asyncio.create_task(self.presence.look_at_all()))
        self.keep(asyncio.create_task(self.wake_sleepers()))
        self.keep(asyncio.create_task(self.sessions.check()))
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
        for guest in list(room.guests):
            guest.expel(room, "gone")
        room.close()

    # Looking after games

    async def tend(self) -> None:
        """Take up games that no process looks after, and notice when the log goes and comes."""
        while True:
            asked = time.monotonic()
            try:
                if self.away_since is not None:
                    await self.log.probe()
                codes = await self.log.untended("playing", "table/", MOST_TENDED)
            except LogBusy:
                NOTES.warning("the log has too much to do")
            except LogAway as away:
                self.log_went(str(away))
            else:
                self.there = asked
                self.log_came()
                for code in codes:
                    self.leases.want(f"table/{code}")
            await asyncio.sleep(TENDING)

    def log_failed(self, why: str) -> None:
        """Something could not be read or saved."""
        if not self.going_down:
            self.log_went(why)

    def log_went(self, why: str) -> None:
        """Nothing can be saved: everything stands still."""
        if self.away_since is None:
            NOTES.warning("the log is away: %s", why)
            self.metrics.outages += 1
            self.away_since = self.there
            self.presence.doubt(3600.0)
            for room in list(self.rooms.values()):
                room.wake()

    def log_came(self) -> None:
        """What is saved can be told again."""
        if self.away_since is not None:
            NOTES.info("the log is back")
            self.away_since = None
            self.presence.doubt(DOUBT)
            # Tokens may have been ended elsewhere, and asking failed.
            self.keep(asyncio.create_task(self.sessions.check()))
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
        """Whether nothing is to be done at a table, because nobody is there.

        The first who comes, to whatever process, rings; then it is taken up.
        """
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
        since = now_ms() - 1000 * LISTED
        # Twice as many: the release before may list some that are not to be shown.
        gathering = await self.log.listed(("gathering",), since, SHOWN * 2)
        playing = await self.log.listed(("playing",), since, SHOWN * 2)
        tables, games = (
            tuple(
                table_card(table)
                for table in map(self.readable, found)
                if table is not None and at.in_lobby(table)
            )
            for found in (gathering, playing)
        )
        return Lobby(tables=tables[:SHOWN], games=games[:SHOWN])

    def readable(self, stored: StoredTable) -> at.Table | None:
        """A table as it is kept, if this release can read it."""
        return self.rows.read(TABLES, stored.body, f"table {stored.code}")

    def lobby_changed(self) -> None:
        """Let those who look at the lobby see it, soon."""
        self.lobby_cache.forget()
        if self.followers and self.lobby_task is None:
            self.lobby_task = asyncio.create_task(self.show_lobby())
            self.keep(self.lobby_task)

    async def show_lobby(self) -> None:
        await asyncio.sleep(QUIET_LOBBY)
        self.lobby_task = None
        try:
            message = encode(await self.lobby_cache.get())
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
        self.moderation.check_address(address)
        if (
            len(self.connections) >= self.most_connections
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
        self.sessions.leave(connection)
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
            self.http.check(now)
            self.loop_errors.look()
            await self.forget_tables(now)
            given, before = self.metrics.orders, given
            quiet = quiet + 1 if given - before < FEW else 0
            self.collector.look(quiet=quiet > QUIET)

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
