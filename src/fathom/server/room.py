"""A table as it lives in this process: who is there, its game, its bots, its talk.

The table itself is a record in the log. A change is worked out on the record that is known here and
saved under the version that it had; if that is no longer the last one, it is read and worked out
again. So two who take the last post at once can't both get it, in whatever processes they are.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, Protocol

from msgspec import Struct
from msgspec.structs import replace

from fathom.bots.phrases import AnyPhrase, HeatMap
from fathom.bots.ranks import Rank
from fathom.engine import orders as give
from fathom.engine.events import AnyEvent
from fathom.engine.game import Result
from fathom.engine.knowledge.view import WATCHER
from fathom.points import Point
from fathom.server import table as at
from fathom.server import wire
from fathom.server.advice import Advised, Advisers
from fathom.server.agreement import agree, obstacle, options
from fathom.server.barracks import Barracks
from fathom.server.bot_tasks import Reply
from fathom.server.chat_lines import ALL, ChatRecord, Counts, StoredChat
from fathom.server.config import Config
from fathom.server.docket import Docket
from fathom.server.duel import Audience, Duel, Ear, Letter, Outcome, StoredHeader
from fathom.server.hands import Billet, BotPlayer, PlotterHand
from fathom.server.host import HostWatch, expel_removed
from fathom.server.identity import new_name
from fathom.server.leases import Leases
from fathom.server.log import (
    Conflict,
    Lease,
    LeaseLost,
    Log,
    LogAway,
    NewGame,
    StoredLine,
    StoredTable,
)
from fathom.server.presence import Presence
from fathom.server.sheets import seat_name
from fathom.server.spectators import Gallery
from fathom.server.stored import Stored, StoredRows
from fathom.server.table import Table
from fathom.server.time_of_day import now_ms
from fathom.server.troubles import Trouble, Unplayable
from fathom.server.watch import Watch
from fathom.server.wire import (
    ChatLine,
    CrewState,
    GameCard,
    Heat,
    Person,
    TableCard,
    TableNews,
    TableState,
    encode,
)
from fathom.words import CREWS, RADIO_OPERATOR, REFEREE, ByCrew, Crew, Referee, Seat

NOTES: Final = logging.getLogger("fathom.table")
AGAIN: Final = 1.0
"""Seconds after which a log that was away is tried again."""
DRAWING_SECONDS: Final = 2.0
"""Seconds between two plots of a bot that are written down for other processes."""
NOT_YET: Final = 1 << 60
"""For a guest, instead of the last line of chat that they were shown: they are sent all of it."""
TABLES: Final[Stored[Table]] = Stored(Table)


class Plot(Struct, frozen=True):
    """What a bot at the radio drew, for those of its crew who are at other processes."""

    game: str
    seat: Seat
    position: int
    """How much the seat had heard."""
    likely: dict[Point, int]


PLOTS: Final[Stored[Plot]] = Stored(Plot)


class Guest(Ear, Protocol):
    """A connection that has the table open."""

    who: str
    name: str

    def expel(self, room: "Room", why: Literal["removed", "closed", "gone"]) -> None:
        """Have the table open no more."""


class TableServices(Protocol):
    """What a table needs of the server."""

    config: Config
    log: Log
    docket: Docket
    barracks: Barracks
    leases: Leases
    """What this process looks after: the bots and clocks of tables."""
    presence: Presence
    duels: dict[str, Duel]
    """Games in this process, by their names."""
    rows: StoredRows
    away_since: float | None
    """Since when the log is away."""

    def now(self) -> float:
        """A clock that only goes forward."""

    def lobby_changed(self) -> None:
        """A table came, went or changed."""

    async def close_old_games(self, who: str) -> None:
        """Close games that somebody began alone with bots and left, but for the newest."""

    def keep(self, task: "asyncio.Task[Any]") -> None:
        """Hold on to a task until it is done."""

    def forget(self, room: "Room") -> None:
        """A table is no more."""


class Room:
    """One table, live."""

    def __init__(self, harbour: TableServices, table: Table) -> None:
        self.harbour, self.log = harbour, harbour.log
        self.table = table
        self.stored_chat = StoredChat(harbour.log, harbour.rows, table.code)
        self.lease = f"table/{table.code}"
        self.charged = False
        """Whether this process looks after the table: its bots, its clocks, who left."""
        self.elsewhere: frozenset[str] = frozenset()
        """Who is at the table by another process."""
        self.guests: dict[Guest, int] = {}
        """Who is here, and the last line of chat that they were shown."""
        self.duel: Duel | None = None
        self.watch: Watch | None = None
        self.gallery: Gallery | None = None
        self.hands: dict[Seat, BotPlayer] = {}
        self.advisers: Advisers | None = None
        self.plotters: dict[Crew, PlotterHand] = {}
        self.plots: dict[Crew, Reply] = {}
        self.leaving: dict[str, asyncio.TimerHandle] = {}
        self.saving, self.opening = asyncio.Lock(), asyncio.Lock()
        self.following, self.talking = asyncio.Lock(), asyncio.Lock()
        self.outdated = False
        self.refreshing: asyncio.Task[None] | None = None
        self.drawn: dict[Crew, float] = {}
        """When a crew's next plot may be written down for other processes."""
        self.unheard = False
        self.listening: asyncio.Task[None] | None = None
        self.counts = Counts()
        """Of the lines of chat that were shown here."""
        self.shown: bytes | None = None
        self.host_watch = HostWatch(self, harbour.config.host_seconds)

    # The record

    @classmethod
    async def load(cls, harbour: TableServices, stored: StoredTable) -> "Room":
        """A table from the log, with its game if it has one."""
        room = cls(harbour, read_table(harbour, stored))
        await harbour.presence.look(stored.code)
        room.elsewhere = harbour.presence.elsewhere.get(stored.code, frozenset())
        room.counts = await room.stored_chat.count()
        await room.follow()
        return room

    async def change(
        self,
        change: Callable[[Table], Table],
        begins: Callable[[Table], NewGame] | None = None,
        under: Lease | None = None,
    ) -> None:
        """Work a change out, save it, and show it to everyone at the table.

        What was to be done under a lease is another's task if that is lost.
        """
        async with self.saving:
            while True:
                try:
                    new = change(self.table)
                except (Trouble, Unplayable):
                    if await self.is_newest():
                        raise
                    continue
                if new == self.table:
                    if await self.is_newest():
                        return
                    continue
                new = replace(new, version=self.table.version + 1)
                try:
                    await self.save(new, begins(new) if begins else None, under)
                    break
                except Conflict:
                    await self.reload()
                except LeaseLost:
                    return
            self.table = new
        self.show()

    async def save(self, new: Table, begins: NewGame | None, under: Lease | None) -> None:
        stored = at.stored(new)
        members = tuple({*at.persons(new), new.host})
        await self.log.save_table(stored, new.version - 1, members, begins, under)

    async def is_newest(self) -> bool:
        """Whether the table is as the log has it; now it is."""
        before = self.table.version
        await self.reload()
        return self.table.version == before

    async def reload(self) -> None:
        """The table as the log has it now."""
        stored = await self.log.table(self.table.code)
        if stored is None:
            raise Trouble("unknown-table")
        read = read_table(self.harbour, stored)
        # A process of the release before does not know of the secret, and saves none.
        self.table = replace(read, secret=read.secret or self.table.secret)

    def refresh_soon(self) -> None:
        """Another process may have changed the table."""
        self.outdated = True
        if self.refreshing is None:
            self.refreshing = asyncio.create_task(self.refresh_all())
            self.harbour.keep(self.refreshing)

    async def refresh_all(self) -> None:
        """Look at the table until it is as the log has it."""
        try:
            while self.outdated:
                self.outdated = False
                try:
                    await self.refresh()
                except LogAway:
                    self.outdated = True
                    await asyncio.sleep(AGAIN)
                except Trouble:
                    self.harbour.forget(self)
        finally:
            self.refreshing = None

    async def refresh(self) -> None:
        """Take the table as the log has it."""
        async with self.saving:
            await self.reload()
        await self.follow()
        self.man_posts()
        self.show()

    async def follow(self) -> None:
        """Open the game that the table plays, and close one that it plays no more."""
        async with self.following:
            game = self.table.game if self.table.phase in ("playing", "over") else None
            if self.duel is not None and self.duel.id == game:
                return
            if game is None:
                self.close_game()
                return
            await self.open_game(game)
            await self.seat_guests()

    # Showing

    def show(self) -> None:
        """Send the table to everyone at it."""
        self.shown = None
        message = self.news()
        for guest in self.guests:
            guest.push(message)
        self.harbour.lobby_changed()
        expel_removed(self)
        self.host_watch.look()

    def news(self) -> bytes:
        """The table, as everyone at it sees it."""
        if self.shown is None:
            there = self.elsewhere - {guest.who for guest in self.guests}
            everyone = (*(guest.who for guest in self.guests), *there)
            watchers = sum(self.seat(who) is None for who in everyone)
            self.shown = encode(TableNews(table=self.state(), watchers=watchers))
        return self.shown

    def state(self) -> TableState:
        """The table with who is here, and what could be agreed."""
        table, gathering = self.table, self.table.phase == "gathering"
        here = self.here()
        book = at.find_book(table.settings)

        def crew_state(crew: Crew) -> CrewState:
            bench = table.crews[crew]
            berths = (replace(berth, holder=seen(berth.holder, here)) for berth in bench.berths)
            colour = book.colours[CREWS.index(crew)]
            return CrewState(bench.boat, colour, tuple(berths), bench.shy_mate)

        return TableState(
            code=table.code,
            version=table.version,
            phase=table.phase,
            host=table.host,
            settings=table.settings,
            key=at.link_key(table) or None,
            crews=ByCrew.of(crew_state),
            swaps=table.swaps,
            obstacle=obstacle(table) if gathering else None,
            options=options(table) if gathering else None,
            game=table.game,
            games=table.games,
            result=table.result,
            locked=table.locked,
            muted=table.muted,
        )

    def card(self) -> TableCard:
        """The table in the lobby."""
        return table_card(self.table)

    def here(self) -> set[str]:
        """Who is connected, to whatever process."""
        return {guest.who for guest in self.guests} | self.elsewhere

    def presence_changed(self) -> None:
        """Somebody came to the table or left it, in another process."""
        before = self.here()
        self.elsewhere = self.harbour.presence.elsewhere.get(self.table.code, frozenset())
        now, persons = self.here(), at.persons(self.table)
        if now == before:
            return
        for who in now - before:
            self.expect_no_more(who)
        for who in before - now:
            if who in persons:
                self.expect(who)
        self.show()
        self.wake()

    @property
    def plays(self) -> bool:
        """Whether a game is under way."""
        return self.duel is not None and not self.duel.over

    def seat(self, who: str) -> Seat | None:
        """A player's seat in the game."""
        return at.seat_of(self.table, who) if self.duel is not None else None

    # Coming and going

    async def enter(self, guest: Guest, resume: wire.OpenTable) -> None:
        """Be at the table; whoever holds a post in the game is back on it."""
        if guest.who in self.table.removed:
            raise Trouble("removed")
        member = guest.who in at.persons(self.table) or guest.who == self.table.host
        if not member and self.table.phase != "gathering":
            self.check_watching()
        if not self.table.settings.listed and not self.table.secret:
            # From before there were secrets: now its link gets one.
            await self.change(at.with_secret)
        self.guests[guest] = NOT_YET
        self.harbour.presence.come(self.table.code, guest.who)
        self.expect_no_more(guest.who)
        if member and self.table.phase == "playing":
            # Another process may just have let a bot play for them.
            async with self.saving:
                await self.reload()
        await self.hand_back(guest.who)
        self.show_arrival(guest)
        await self.send_chat(guest, resume.chat)
        if self.duel is not None:
            same = resume.game == self.duel.id
            await self.seat_guest(guest, resume.position if same else None)
        self.wake()

    def check_watching(self) -> None:
        """Spectators are welcome here."""
        if self.table.settings.watching == "nobody":
            raise Trouble("watching-not-allowed")

    def show_arrival(self, guest: Guest) -> None:
        """Show the table to one who came, and to the others if that changed it."""
        self.shown = None
        message = self.news()
        known = guest.who in at.persons(self.table)
        for other in self.guests if known else (guest,):
            other.push(message)
        self.host_watch.look()

    def leave(self, guest: Guest) -> None:
        """Be at the table no more, on this connection."""
        if guest not in self.guests:
            return
        del self.guests[guest]
        if self.duel is not None:
            self.duel.detach(guest)
        if self.gallery is not None:
            self.gallery.detach(guest)
        if any(other.who == guest.who for other in self.guests):
            return
        self.harbour.presence.go(self.table.code, guest.who)
        self.host_watch.look()
        if guest.who in self.elsewhere:
            self.clear_plotters()
            return
        if guest.who in at.persons(self.table):
            self.show()
            self.expect(guest.who)
        self.clear_plotters()
        self.wake()

    async def seat_guests(self) -> None:
        """Everyone at the table hears of the game that begins."""
        for guest in list(self.guests):
            await self.seat_guest(guest, None)

    async def seat_guest(self, guest: Guest, position: int | None) -> None:
        """One at the table hears of the game: from their seat, or as a spectator."""
        if self.duel is None:
            return
        seat = self.seat(guest.who)
        if seat is not None:
            await self.duel.attach(guest, seat, position)
            self.place_plotter(seat.crew)
            self.show_plot(seat, guest)
        elif self.table.settings.watching == "public":
            await self.duel.attach(guest, WATCHER, position)
        elif self.table.settings.watching == "everything":
            (await self.open_gallery(self.duel)).attach(guest)
        if guest not in self.guests:
            # They left while the log was read.
            self.duel.detach(guest)
            if self.gallery is not None:
                self.gallery.detach(guest)

    async def open_gallery(self, duel: Duel) -> Gallery:
        """The game as spectators see it later."""
        async with self.opening:
            if self.gallery is not None:
                return self.gallery
            shortest = self.harbour.config.shortest_watch_delay
            delay = max(shortest, self.table.settings.watch_delay)
            gallery = Gallery(duel, delay, self.harbour.now)
            await gallery.open()
            self.gallery = gallery
            return gallery

    def resync(self, guest: Guest) -> Iterable[bytes]:
        """What a slow connection needs instead of all that it has not read."""
        yield self.news()
        if self.duel is None:
            return
        seat = self.seat(guest.who)
        audience = self.duel.audiences[seat if seat is not None else WATCHER]
        # What never changes may have been thrown away, too, if that was at the beginning.
        if guest in audience.ears:
            yield self.duel.opened(audience.place)
            yield self.duel.whole(audience)
        elif self.gallery is not None and guest in self.gallery.ears:
            yield self.duel.opened(WATCHER)
            yield self.gallery.whole()

    # The game

    async def start(self, *, fill: bool) -> None:
        """Begin the game."""
        await self.begin(lambda table: at.fill(table) if fill else table)

    async def begin(self, gather: Callable[[Table], Table]) -> None:
        """Begin a game at the table as ``gather`` makes it."""
        started = new_name()

        def begun(table: Table) -> Table:
            table = gather(table)
            at.check_phase(table, "gathering")
            stopped = obstacle(table)
            if stopped is not None:
                raise Unplayable(stopped)
            return replace(at.plan(table)[1], phase="playing", game=started, result=None)

        await self.change(begun, new_game)
        self.harbour.leases.want(self.lease)
        await self.follow()
        self.wake()
        NOTES.info("game began")
        persons = list(at.persons(self.table))
        if len(persons) == 1:
            self.harbour.keep(asyncio.create_task(self.harbour.close_old_games(persons[0])))

    async def open_game(self, game: str) -> None:
        """Take the game up where the log has it."""
        self.close_game()
        stored = await self.log.game(game)
        if stored is None:
            return
        if not self.table.secret and self.table.phase == "playing":
            await self.change(at.with_secret)
        duel = Duel(self.log, self.harbour.docket, stored)
        # From here on it is rung; what comes while it is read is read after.
        self.harbour.duels[game] = duel
        try:
            await duel.load()
        except BaseException:
            self.harbour.duels.pop(game, None)
            raise
        self.duel = duel
        duel.stepped.append(self.stepped)
        if duel.over:
            self.note_end()
            return
        self.watch = Watch(duel, self.awake, self.mandate)
        self.sleep_or_wake()
        self.watch.look()
        self.take_charge()

    def mandate(self) -> Lease | None:
        """The lease for the table's bots and clocks, while this process holds it."""
        leases = self.harbour.leases
        return leases.lease(self.lease) if leases.holds(self.lease) else None

    def take_charge(self) -> None:
        """Look after the table, if that is this process's task and there is something to do."""
        if self.charged or self.duel is None or self.duel.over or self.mandate() is None:
            return
        self.charged = True
        self.sleep_or_wake()
        self.man_posts()
        if self.watch is not None:
            self.watch.close()
            self.watch.look()
        for who in at.persons(self.table):
            if who not in self.here():
                self.expect(who)

    def lay_down(self) -> None:
        """Another process looks after the table, or soon will."""
        self.charged = False
        for hand in self.hands.values():
            hand.leave()
        self.hands = {}
        for timer in self.leaving.values():
            timer.cancel()
        self.leaving = {}

    def close_game(self) -> None:
        """Let go of the game, in this process."""
        self.charged = False
        if self.duel is not None:
            self.duel.close()
            self.harbour.duels.pop(self.duel.id, None)
        for hand in (*self.hands.values(), *self.plotters.values()):
            hand.leave()
        self.hands, self.plotters, self.plots = {}, {}, {}
        if self.watch is not None:
            self.watch.close()
        if self.gallery is not None:
            self.gallery.close()
        if self.advisers is not None:
            self.advisers.close()
        for timer in self.leaving.values():
            timer.cancel()
        self.leaving = {}
        self.duel = self.watch = self.gallery = self.advisers = None

    def stepped(self, _: Seat | Referee, events: tuple[AnyEvent, ...], at_time: int) -> None:
        """Something happened in the game."""
        del events, at_time
        if self.duel is None:
            return
        if self.advisers is not None:
            self.advisers.stepped()
        if self.duel.over:
            self.note_end()
        elif self.watch is not None:
            self.watch.stepped()

    def note_end(self) -> None:
        """The game is over: the bots go, and the table says so."""
        result = self.duel.game.public.result if self.duel is not None else None
        for hand in (*self.hands.values(), *self.plotters.values()):
            hand.leave()
        self.hands, self.plotters = {}, {}
        self.charged = False
        if self.watch is not None:
            self.watch.close()
        if self.table.phase == "playing" and result is not None:
            self.harbour.keep(asyncio.create_task(self.end(result)))

    async def end(self, result: Result) -> None:
        """Write down that the game is over."""
        # While this waits for the log, the table may have begun its next game.
        over = self.duel.id if self.duel is not None else None

        def ended(table: Table) -> Table:
            mine = table.phase == "playing" and table.game == over
            return at.end(table, result) if mine else table

        while True:
            try:
                await self.change(ended)
                break
            except LogAway:
                await asyncio.sleep(AGAIN)
        if self.table.phase != "playing":
            self.harbour.leases.unwant(self.lease)

    async def rematch(self, who: str) -> None:
        """Gather again, with sides swapped."""
        if who not in at.persons(self.table) and who != self.table.host:
            raise Trouble("not-at-this-table")
        await self.note_result()
        await self.change(at.rematch)
        await self.follow()
        self.shown = None

    async def play_again(self, who: str, rank: Rank | None) -> None:
        """Begin the next game at once, for somebody who is alone with bots."""
        await self.note_result()
        await self.begin(lambda table: at.fill(at.play_again(table, who, rank)))

    async def note_result(self) -> None:
        """Write down that the game is over, if players know it already and the table does not."""
        result = self.duel.game.public.result if self.duel is not None else None
        if self.table.phase == "playing" and result is not None:
            await self.end(result)

    def order(self, who: str, letter: Letter) -> None:
        """An order of somebody who holds a seat."""
        if self.duel is None:
            raise Trouble("no-game")
        if letter.by != self.seat(who):
            raise Trouble("not-your-seat")
        self.duel.post(letter)

    def advise(self, seat: Seat, advised: Advised) -> None:
        """Find the answer to a sonar that tells least, for the captain who must give it."""
        if self.duel is None or self.duel.over:
            raise Trouble("no-game")
        if self.advisers is None:
            self.advisers = Advisers(self.harbour.barracks, self.duel, self.table.secret)
        self.advisers.ask(seat, advised)

    # Bots

    def awake(self) -> bool:
        """Whether the game goes on: somebody who plays is there, or watches bots play."""
        if self.harbour.away_since is not None:
            return False
        players, here = at.persons(self.table).keys(), self.here()
        return not players.isdisjoint(here) if players else bool(here)

    def wake(self) -> None:
        """Go on, or stand still, as somebody came or went."""
        if self.duel is None or self.duel.over:
            return
        was_asleep = self.duel.stopped is not None
        self.sleep_or_wake()
        if self.watch is not None:
            self.watch.look()
        if was_asleep and self.awake():
            for hand in self.hands.values():
                hand.ask()

    def sleep_or_wake(self) -> None:
        """While nobody is there, or nothing can be saved, no time passes."""
        if self.duel is not None:
            self.duel.rest(resting=not self.awake(), since=self.harbour.away_since)

    def log_came_back(self) -> None:
        """Go on, and show everyone the clocks, which stood still."""
        self.wake()
        if self.duel is not None and self.duel.clock is not None and not self.duel.over:
            self.duel.show_again()

    def man_posts(self) -> None:
        """A hand for every seat that a bot plays, and for no other."""
        if self.duel is None or self.duel.over or not self.charged:
            return
        wanted = {
            seat: billet
            for seat, holder in at.seats(self.table)
            if (billet := self.billet(seat, holder)) is not None
        }
        for seat in [seat for seat in self.hands if seat not in wanted]:
            self.hands.pop(seat).leave()
        for seat, billet in wanted.items():
            if seat not in self.hands:
                hand = BotPlayer(self.harbour.barracks, self.duel, billet, self)
                self.hands[seat] = hand
                self.harbour.keep(asyncio.create_task(self.man(self.duel, seat, hand)))

    def billet(self, seat: Seat, holder: wire.Holder) -> Billet | None:
        """Which bot plays a seat, if one does."""
        stands_in = isinstance(holder, Person)
        rank = holder.stand_in if isinstance(holder, Person) else holder.rank
        if rank is None:
            return None
        table = self.table
        return Billet(seat, rank, table.settings.pace, table.secret, stands_in, table.host)

    async def man(self, duel: Duel, seat: Seat, hand: BotPlayer) -> None:
        """A bot takes a seat; it knows what was said to its crew in this game."""
        stored: list[StoredLine] | None = None
        while stored is None:
            try:
                stored = await self.log.chat(self.table.code)
            except LogAway:
                await asyncio.sleep(AGAIN)
        hand.replayed = tuple(
            (Seat(seat.crew, line.shown.seat), line.shown.phrase)
            for line in map(self.stored_chat.read, stored)
            if line is not None
            and line.game == duel.id
            and line.shown.phrase is not None
            and line.shown.crew is seat.crew
            and line.shown.seat is not None
        )
        if self.hands.get(seat) is hand and self.duel is duel:
            hand.arrive()

    def place_plotter(self, crew: Crew) -> None:
        """The computer's help at the radio, for a crew of which somebody is here."""
        duel = self.duel
        if duel is None or duel.over or duel.setup.house.radio_help != "computer":
            return
        if crew not in self.plotters:
            seat = Seat(crew, duel.ground.seat_of(crew, RADIO_OPERATOR))
            hand = PlotterHand(self.harbour.barracks, duel, seat, self.plotted)
            self.plotters[crew] = hand
            hand.arrive()

    def clear_plotters(self) -> None:
        """Nobody plots for those who are gone."""
        seats = (self.seat(guest.who) for guest in self.guests)
        crews = {seat.crew for seat in seats if seat is not None}
        for crew in [crew for crew in self.plotters if crew not in crews]:
            self.plotters.pop(crew).leave()
            self.plots.pop(crew, None)

    def plotted(self, seat: Seat, reply: Reply) -> None:
        """Where they can be, for those of the crew who see the radio operator's table."""
        self.plots[seat.crew] = reply
        if self.duel is None:
            return
        for place, audience in self.duel.audiences.items():
            if isinstance(place, Seat) and place.crew is seat.crew and "radio" in audience.names:
                message = self.heat(self.duel, seat, reply, audience)
                for ear in audience.ears:
                    ear.hint(message)

    def heat(self, duel: Duel, radio: Seat, reply: Reply, audience: Audience) -> bytes:
        """The plot that was made at the radio, for somebody of the crew."""
        # While it was worked out, more may have been heard: it tells of what was before that.
        behind = duel.audiences[radio].position - reply.position
        return encode(
            Heat(
                game=duel.id,
                position=max(0, audience.position - behind),
                by="computer",
                them=reply.them,
                us=reply.us,
            )
        )

    def show_plot(self, seat: Seat, guest: Guest) -> None:
        """The plot as it stands, for one who came."""
        reply = self.plots.get(seat.crew)
        if reply is None or self.duel is None:
            return
        audience = self.duel.audiences[seat]
        radio = Seat(seat.crew, self.duel.ground.seat_of(seat.crew, RADIO_OPERATOR))
        if "radio" in audience.names:
            guest.hint(self.heat(self.duel, radio, reply, audience))

    async def let_bot_play(self, who: str, *, on: bool, under: Lease | None = None) -> None:
        """A bot plays for somebody, or they play again themselves."""

        def stands_in(table: Table) -> Table:
            at.check_phase(table, "playing")
            if who not in at.persons(table):
                raise Trouble("not-your-seat")
            rank = table.settings.rank if on else None
            return at.change_person(table, who, lambda person: replace(person, stand_in=rank))

        await self.change(stands_in, under=under)
        self.man_posts()

    # Leaving

    def expect(self, who: str) -> None:
        """Somebody is gone: after a while the table's rule for that holds (end.abandon)."""
        house = self.table.settings.house
        if not self.charged or self.duel is None or self.duel.over or who in self.leaving:
            return
        if house.leaving == "wait":
            return
        loop = asyncio.get_running_loop()
        self.leaving[who] = loop.call_later(house.leaving_seconds, self.give_up_on, who)

    def expect_no_more(self, who: str) -> None:
        timer = self.leaving.pop(who, None)
        if timer is not None:
            timer.cancel()

    def give_up_on(self, who: str) -> None:
        """The time is over; but while nobody is there, nothing happens to anyone."""
        self.leaving.pop(who, None)
        if self.duel is None or self.duel.over or who in self.here():
            return
        under = self.mandate()
        if not self.awake() or under is None:
            self.expect(who)
            return
        seat = self.seat(who)
        if self.table.settings.house.leaving == "lose" and seat is not None:
            self.declare_lost(self.duel, seat.crew, who, under)
        else:
            self.harbour.keep(asyncio.create_task(self.relieve(who, under)))

    def declare_lost(self, duel: Duel, crew: Crew, who: str, under: Lease) -> None:
        """Whoever left has lost; if something came in between, it is looked at again."""

        def judged(outcome: Outcome) -> None:
            if outcome.undone:
                self.leaving[who] = asyncio.get_running_loop().call_later(
                    AGAIN, self.give_up_on, who
                )

        order, seen = give.DeclareLost(crew), duel.seen(REFEREE)
        duel.post(Letter(REFEREE, order, answer=judged, under=under, seen=seen))

    async def relieve(self, who: str, under: Lease) -> None:
        """A bot plays for one who left."""
        try:
            await self.let_bot_play(who, on=True, under=under)
            # They may have come to another process meanwhile.
            await self.harbour.presence.look(self.table.code)
            if who in self.here():
                await self.hand_back(who)
        except LogAway:
            self.expect(who)
        except Trouble:
            # The game is over meanwhile.
            return

    async def hand_back(self, who: str) -> None:
        """Whoever returns gets their posts back."""
        person = at.persons(self.table).get(who)
        if self.table.phase == "playing" and person is not None and person.stand_in is not None:
            await self.let_bot_play(who, on=False)

    # Talk

    async def chat(self, guest: Guest, channel: wire.Channel, text: str) -> None:
        """A line to one's crew or to everyone."""
        if guest.who in self.table.muted:
            raise Trouble("muted")
        crew = at.crew_of(self.table, guest.who)
        if crew is None and (channel == "crew" or self.table.phase == "playing"):
            raise Trouble("not-at-this-table")
        await self.say(guest, channel, text=tidy(text))

    async def phrase(self, guest: Guest, phrase: AnyPhrase) -> None:
        """A quick phrase to one's crew; bots understand it."""
        seat = self.seat(guest.who)
        if self.duel is None or seat is None:
            raise Trouble("no-game")
        await self.say(guest, "crew", phrase=phrase)

    async def say(
        self,
        guest: Guest,
        channel: wire.Channel,
        text: str = "",
        phrase: AnyPhrase | None = None,
    ) -> None:
        """Write a line down and show it to those whom it is for."""
        seat = self.seat(guest.who)
        shown = ChatLine(
            table=self.table.code,
            number=0,
            channel=channel,
            crew=at.crew_of(self.table, guest.who),
            seat=seat.number if seat is not None else None,
            name=guest.name,
            who=guest.who,
            text=text,
            phrase=phrase,
            at=now_ms(),
        )
        await self.publish(shown, guest.who)

    async def publish(self, shown: ChatLine, by: str) -> None:
        """Write a line down. ``by``: whose name it shows, so that it goes when they do."""
        crew = shown.crew
        to = self.mates(crew) if shown.channel == "crew" and crew is not None else None
        game = self.duel.id if self.duel is not None else None
        line = ChatRecord(shown, to, game, self.counts)
        await self.log.say(self.table.code, encode(line), by)
        await self.listen()

    def listen_soon(self) -> None:
        """Somebody said something, in another process."""
        self.unheard = True
        if self.listening is None:
            self.listening = asyncio.create_task(self.listen_to_all())
            self.harbour.keep(self.listening)

    async def listen_to_all(self) -> None:
        """Listen until there is nothing more to hear."""
        try:
            while self.unheard:
                self.unheard = False
                try:
                    await self.listen()
                except LogAway:
                    self.unheard = True
                    await asyncio.sleep(AGAIN)
        finally:
            self.listening = None

    async def listen(self) -> None:
        """Show what was said since the last line that was shown, in whatever process."""
        async with self.talking:
            await self.catch_up_on_talk()

    async def catch_up_on_talk(self) -> None:
        for stored in await self.log.chat(self.table.code, self.counts.upto, ALL):
            line = self.stored_chat.read(stored)
            self.counts.take(stored.number, line)
            if line is not None:
                self.show_line(stored.number, line)
                self.heed_line(line)

    def heed_line(self, line: ChatRecord) -> None:
        """Bots, if they are here, take in what a person said to them."""
        shown = line.shown
        if self.duel is None or line.game != self.duel.id or shown.who is None:
            return
        if shown.phrase is not None and shown.crew is not None and shown.seat is not None:
            self.heed(Seat(shown.crew, shown.seat), shown.phrase)

    def mates(self, crew: Crew) -> tuple[str, ...]:
        """The persons of a crew."""
        found = at.persons(self.table)
        return tuple(who for who in found if at.crew_of(self.table, who) is crew)

    def show_line(self, number: int, line: ChatRecord) -> None:
        """Show a line to those whom it is for, each with their own number."""
        messages: dict[int, bytes] = {}
        for guest, last in self.guests.items():
            if last >= number:
                continue
            self.guests[guest] = number
            if line.is_for(guest.who):
                seen = self.counts.of(guest.who)
                if seen not in messages:
                    messages[seen] = encode(replace(line.shown, number=seen))
                guest.push(messages[seen])

    async def send_chat(self, guest: Guest, after: int) -> None:
        """What was said since the guest's last line, as far as it is for them."""
        async with self.talking:
            await self.catch_up_on_talk()
            await self.send_lines(guest, after)

    async def resend_chat(self, guest: Guest, missed: dict[str, int]) -> None:
        """What was said since a line that a slow guest has missed, if one is noted."""
        code = self.table.code
        while code in missed and guest in self.guests:
            try:
                async with self.talking:
                    await self.catch_up_on_talk()
                    # From here on lines go to the guest again, after those that are sent now.
                    after = missed.pop(code)
                    try:
                        await self.send_lines(guest, after)
                    except LogAway:
                        missed[code] = min(after, missed.get(code, after))
                        raise
            except LogAway:
                await asyncio.sleep(AGAIN)

    async def send_lines(self, guest: Guest, after: int) -> None:
        """The lines after this number of the guest's, as far as they are counted."""
        counts = self.counts
        for line in await self.stored_chat.lines_for(counts, guest.who, after):
            guest.push(encode(line))
        if guest in self.guests:
            self.guests[guest] = counts.upto

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        """The crew's bots take in what was said."""
        for seat, hand in self.hands.items():
            if seat.crew is speaker.crew and seat != speaker:
                hand.heed(speaker, phrase)

    def phrase_said(self, seat: Seat, phrase: AnyPhrase) -> None:
        """A bot spoke to its crew."""
        self.heed(seat, phrase)
        if isinstance(phrase, HeatMap):
            self.share_heat(seat, phrase)
            return
        if not self.mates(seat.crew):
            return
        holder = at.holder_of(self.table, seat)
        shown = ChatLine(
            table=self.table.code,
            number=0,
            channel="crew",
            crew=seat.crew,
            seat=seat.number,
            name=at.holder_name(holder) if holder is not None else "",
            phrase=phrase,
            at=now_ms(),
        )
        by = holder.who if isinstance(holder, Person) else ""
        self.harbour.keep(asyncio.create_task(self.publish(shown, by)))

    def share_heat(self, seat: Seat, phrase: HeatMap) -> None:
        """A bot at the radio tells its crew where they can be, wherever they are."""
        if self.duel is None:
            return
        self.show_heat(seat, phrase)
        now = asyncio.get_running_loop().time()
        if self.elsewhere.isdisjoint(self.mates(seat.crew)) or now < self.drawn.get(seat.crew, 0):
            return
        self.drawn[seat.crew] = now + DRAWING_SECONDS
        plot = Plot(self.duel.id, seat, self.duel.seen(seat), phrase.likely)
        self.harbour.keep(asyncio.create_task(self.draw(plot)))

    async def draw(self, plot: Plot) -> None:
        """Write a plot down. What is rung can be read in logs, so it is not rung with its body."""
        await self.log.say(f"{self.table.code}/plot-{plot.seat.crew.value}", encode(plot))

    def see_plot_soon(self, name: str) -> None:
        """A bot in another process drew a plot."""
        self.harbour.keep(asyncio.create_task(self.see_plot(name)))

    async def see_plot(self, name: str) -> None:
        """Show the last plot of a crew that was drawn elsewhere."""
        for stored in await self.log.chat(name, 0, 1):
            plot = self.harbour.rows.read(PLOTS, stored.body, f"the plot {name}")
            if plot is not None and self.duel is not None and self.duel.id == plot.game:
                self.show_heat(plot.seat, HeatMap(plot.likely), plot.position)

    def show_heat(self, seat: Seat, phrase: HeatMap, position: int | None = None) -> None:
        """Show those of a crew who are here where the enemy can be."""
        if self.duel is None:
            return
        behind = 0 if position is None else self.duel.seen(seat) - position
        for place, audience in self.duel.audiences.items():
            if isinstance(place, Seat) and place.crew is seat.crew and place != seat:
                message = encode(
                    Heat(
                        game=self.duel.id,
                        position=max(0, audience.position - max(0, behind)),
                        by="radio-operator",
                        them=phrase.likely,
                    )
                )
                for ear in audience.ears:
                    ear.hint(message)

    def close(self) -> None:
        """Let go of everything, in this process."""
        self.host_watch.close()
        self.close_game()


def read_table(harbour: TableServices, stored: StoredTable) -> Table:
    """A table as it is kept."""
    table = harbour.rows.read(TABLES, stored.body, f"table {stored.code}")
    if table is None:
        raise Trouble("internal")
    return table


def seen(holder: wire.Holder | None, here: set[str]) -> wire.Holder | None:
    """A holder as everyone sees them."""
    if isinstance(holder, Person):
        return replace(holder, here=holder.who in here)
    return holder


def table_card(table: Table) -> TableCard:
    """A table in a few words."""
    holders = {str(berth.holder): berth.holder for _, berth in at.berths(table) if berth.holder}
    people = sum(isinstance(holder, Person) for holder in holders.values())
    return TableCard(
        code=table.code,
        phase=table.phase,
        host=table.host_name,
        rulebook=table.settings.rulebook,
        mode=table.settings.mode,
        scenario=scenario_of(table),
        free=sum(len(at.free_posts(table, crew)) for crew in CREWS),
        persons=people,
        bots=len(holders) - people,
        watching=table.settings.watching,
        since=table.since,
    )


def scenario_of(table: Table) -> str:
    """The scenario's name; ``own`` for a chart of the table's own."""
    if table.settings.chart_text is not None:
        return "own"
    return table.settings.scenario or at.find_book(table.settings).first_scenario


def new_game(table: Table) -> NewGame:
    """What is written of a game that begins."""
    crews, _ = at.plan(table)
    setup = agree(table.settings, crews)
    names = tuple(tuple(seat.name for seat in crew.seats) for crew in crews)
    now = now_ms()
    card = GameCard(
        game=table.game or "",
        table=table.code,
        rulebook=setup.book.name,
        mode=setup.mode,
        scenario=scenario_of(table),
        boats=crews.map(lambda plan: plan.boat),
        colours=ByCrew(*setup.book.colours),
        crew=None,
        began=now,
    )
    return NewGame(
        game=table.game or "",
        table=table.code,
        players=tuple(at.persons(table)),
        began=now,
        header=encode(
            StoredHeader(setup, table.settings.clocks, names, sides(table), places(table))  # type: ignore[arg-type]
        ),
        card=encode(card),
    )


def sides(table: Table) -> dict[str, str]:
    """For each player of a game, their crew."""
    return {
        who: crew.value for who in at.persons(table) if (crew := at.crew_of(table, who)) is not None
    }


def places(table: Table) -> dict[str, str]:
    """For each player of a game, their seat."""
    found = ((who, at.seat_of(table, who)) for who in at.persons(table))
    return {who: seat_name(seat) for who, seat in found if seat is not None}


def tidy(text: str) -> str:
    """A line of chat without anything but letters and spaces; what is shown is escaped there."""
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    words = " ".join(clean.split())
    if not words:
        raise Trouble("bad-message")
    return words
