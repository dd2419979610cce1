"""One running game: orders in the order of their arrival; write before you tell.

A duel has a mailbox and no task of its own while it is empty. What has arrived is judged in order
on the state that the log has, written in one go, and only then applied, told and acknowledged. If
somebody else wrote first, the duel reads on and judges again. It never waits for a socket.
"""

import asyncio
import logging
import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from msgspec import UNSET, Raw, Struct

from fathom.engine.apply import apply_all
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import AnyEvent, GameEnded
from fathom.engine.game import Game, Result, new_game
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.heard import Announcement, Heard
from fathom.engine.knowledge.view import WATCHER, Watcher, kept_by, overhear, share
from fathom.engine.orders import AnyOrder, Resign
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.rules.setup import Setup
from fathom.server import wire
from fathom.server.clock import Clock, new_clock, to_act
from fathom.server.docket import Docket
from fathom.server.log import (
    AlreadyDone,
    Conflict,
    Lease,
    LeaseLost,
    Log,
    LogAway,
    StoredGame,
    StoredStep,
)
from fathom.server.offers import SeatOffers
from fathom.server.sheets import (
    CrewFragments,
    Fragments,
    facts,
    named_seat,
    seat_name,
    sees_enemy_hull,
    shared,
    visible,
)
from fathom.server.stored import Stored
from fathom.server.time_of_day import now_ms
from fathom.server.wire import GameOpened, Told, encode
from fathom.words import CREWS, REFEREE, ByCrew, Crew, Referee, Seat

NOTES: Final = logging.getLogger("fathom.game")
RECENT: Final = 32
"""How many events an audience remembers for those who resume; more are read from the log."""
AGAIN: Final = 0.5
"""Seconds after which a log that was away is read again."""
MOST_STEPS: Final = 20_000
MOST_BYTES: Final = 4_000_000
"""What is kept of one crew's orders in a game, in steps and in bytes of events. A real game has
some hundred steps and 40 KB; what is drawn on a crew's sheets is bounded by the engine, at about
half of this. Each crew has its own, or the end of one would tell how much the other drew."""
MOST_MISSED: Final = 2_000_000
"""Bytes of what somebody heard that are told at once if they missed it: what came last. Of a bot
in this server nothing is left out; it could not go on."""
SLICE: Final = 65_536
"""Bytes of events that are read in one go; then others get their turn."""
STILL_ALLOWED: Final = (Resign,)
"""What somebody may order in a game of which no more is kept."""
KEYS: Final = 32
"""How many orders' keys are remembered of each crew; more are looked up in the log, which takes
longer. The enemy's orders must not push out one's own: that time would tell how many there were."""
EVENTS: Final[Stored[tuple[AnyEvent, ...]]] = Stored(tuple[AnyEvent, ...])

Viewer: TypeAlias = Seat | Watcher
Spoken: TypeAlias = list[tuple[AnyEvent, Announcement | None]]
"""Events, each with what everyone hears of it."""


class StoredHeader(Struct, frozen=True):
    """What the log keeps of a game beside its steps."""

    setup: Setup
    clocks: wire.Clocks
    names: tuple[tuple[str, ...], tuple[str, ...]]
    """Who plays which seat, by name, for the record."""
    sides: dict[str, str] = {}
    """For each player, their crew: a secret no more than the table is."""
    places: dict[str, str] = {}
    """For each player, their seat (``a0``), so that a name can be taken out of a record."""


class HeaderSides(Struct, frozen=True):
    """The only part of a header that the list of somebody's games shows: it is read for many."""

    sides: dict[str, str] = {}


HEADERS: Final[Stored[StoredHeader]] = Stored(StoredHeader)
SIDES: Final[Stored[HeaderSides]] = Stored(HeaderSides)


class Ear(Protocol):
    """Whoever is told things: a connection, or a bot."""

    def push(self, message: bytes) -> None:
        """Take the message; never wait, never fail."""

    def hint(self, message: bytes) -> None:
        """Take a message that is for people only."""


class Outcome(Struct, frozen=True, gc=False):
    """What became of an order."""

    position: int = 0
    """The position of the seat that gave it, if it took effect."""
    again: bool = False
    rule: str = ""
    """The rule by which it was refused."""
    lost: bool = False
    """Whether it could not be saved."""
    failed: bool = False
    """Whether it could not even be judged, by a fault of ours."""
    stale: bool = False
    """Whether it was dropped, because it rested on what is no longer so."""
    full: bool = False
    """Whether the game is so long that no more is kept of it."""

    @property
    def undone(self) -> bool:
        """Whether nothing came of it, for no reason of the game's: it may be ordered again."""
        return self.lost or self.failed or self.stale


DONE: Final = Outcome()
REPEATED: Final = Outcome(again=True)
LOST: Final = Outcome(lost=True)
FAILED: Final = Outcome(failed=True)
STALE: Final = Outcome(stale=True)
FULL: Final = Outcome(full=True)


class Letter(Struct, frozen=True, gc=False):
    """An order on its way to the game."""

    by: Seat | Referee
    order: AnyOrder
    key: str = ""
    answer: Callable[[Outcome], None] | None = None
    under: Lease | None = None
    """Written only if this lease is still held; for bots and the referee."""
    seen: int | None = None
    """What it rests on, as ``Duel.seen`` told it; dropped if that is no longer so."""


class Audience:
    """A seat, or the public: who listens for it, and what they were offered last."""

    __slots__ = ("circle", "ears", "name", "names", "offers", "place")

    def __init__(self, game: Game, place: Viewer) -> None:
        self.place = place
        self.names = visible(game.ground, place)
        self.ears: list[Ear] = []
        self.circle: Circle
        self.offers: SeatOffers | None = None
        if isinstance(place, Seat):
            self.name = seat_name(place)
            self.offers = SeatOffers(place)

    @property
    def position(self) -> int:
        """How much it has heard."""
        return self.circle.position

    def forget(self) -> None:
        """Forget what was offered, if nobody listens; whoever comes is offered everything."""
        if not self.ears and self.offers is not None:
            self.offers.forget()

    def new_offer(self, game: Game) -> bytes | None:
        """What the seat may do now, as JSON, if it is not what it could do before."""
        return None if self.offers is None else self.offers.new(game)


class Circle:
    """Audiences that hear and see the same: they are told in one go."""

    __slots__ = (
        *("audiences", "crew", "ears", "hull", "listening"),
        *("names", "place", "position", "recent"),
    )

    def __init__(self, ground: CompiledSetup, audiences: list[Audience]) -> None:
        self.audiences = tuple(audiences)
        self.listening: list[Audience] = []
        """Those for whom anybody listens."""
        self.ears = 0
        """How many listen."""
        self.place = place = audiences[0].place
        self.crew = place.crew if isinstance(place, Seat) else None
        self.names = audiences[0].names
        self.hull = sees_enemy_hull(ground, self.place)
        self.position = 0
        self.recent: deque[Heard] = deque(maxlen=RECENT)
        for audience in audiences:
            audience.circle = self

    def hear(self, ground: CompiledSetup, spoken: Spoken) -> list[Heard]:
        """What is heard here of events; it is counted."""
        place = self.place
        heard = [
            news
            for event, said in spoken
            if (news := share(ground, event, said, place)) is not None
        ]
        if heard:
            self.position += len(heard)
            self.recent += heard
        return heard

    def look_round(self) -> None:
        """Somebody has come or gone."""
        self.listening = [audience for audience in self.audiences if audience.ears]
        self.ears = sum(len(audience.ears) for audience in self.listening)


class Judged(Struct, frozen=True, gc=False):
    """An order that is to take effect: its step, and the game after it."""

    step: StoredStep
    by: Seat | Referee
    events: tuple[AnyEvent, ...]
    after: Game


class Missed(Struct, frozen=True, gc=False):
    """What somebody has missed."""

    events: Raw
    """As JSON: written bit by bit, so that much of it holds nobody up."""
    count: int
    skipped: int = 0
    """So much is left out, the oldest."""


NOTHING: Final = Missed(Raw(b"[]"), 0)


class Unsure(Exception):
    """Whether an order took effect long ago must be looked up in the log."""


class Duel:
    """A game under way, and everyone who hears of it."""

    def __init__(self, log: Log, docket: Docket, stored: StoredGame) -> None:
        self.log, self.docket, self.metrics = log, docket, docket.metrics
        self.id, self.table = stored.game, stored.table
        header = HEADERS.decode(stored.header)
        self.clocks = header.clocks
        self.setup = shared(header.setup)
        self.names = header.names
        self.began = stored.began
        self.beginning = self.game = new_game(self.setup)
        self.ground = self.game.ground
        self.position = 0
        """How many steps the log has, as far as is known here. Never told to anyone."""
        self.steps: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        """For each crew, how many of these steps are its own, and the bytes of their events."""
        self.clock: Clock | None = new_clock(self.clocks)
        self.since = time.monotonic()
        """When the last step was made."""
        self.stopped: float | None = None
        """Since when the game stands still, because nobody is there."""
        self.keys: defaultdict[str, dict[str, int]] = defaultdict(dict)
        """For each crew, the keys of its last orders."""
        self.new_keys: set[str] = set()
        """Keys of orders in the mailbox that the log does not have: it was asked."""
        self.inbox: list[Letter] = []
        self.working: asyncio.Future[None] | None = None
        """What the duel waits for before it looks into its mailbox again."""
        self.telling = False
        """Whether steps that are saved are just being told: what is ordered now comes after."""
        self.behind = False
        """Whether somebody else may have written."""
        self.damaged = False
        """Whether a fault of our own has left this in disorder: everything must be read again."""
        self.loading = False
        self.looking_back = asyncio.Lock()
        """Held while somebody is told what happened long ago: one at a time."""
        self.retry: asyncio.TimerHandle | None = None
        seats: list[Viewer] = [
            Seat(crew, number)
            for crew in CREWS
            for number in range(len(self.setup.crews[crew].seats))
        ]
        self.audiences: dict[Viewer, Audience] = {
            place: Audience(self.game, place) for place in (*seats, WATCHER)
        }
        self.circles = circles(self.ground, self.audiences.values())
        self.circles_of = ByCrew.of(
            lambda crew: tuple(circle for circle in self.circles if circle.crew is crew)
        )
        self.heading = b'{"type":"told","game":%b,"position":' % encode(self.id)
        """How all begins that is told of it."""
        self.stepped: list[Callable[[Seat | Referee, tuple[AnyEvent, ...], int], None]] = []
        """Called after every step, when it is saved and told: by whom, what, and when."""

    # Beginning

    @property
    def seats(self) -> Iterator[Seat]:
        """All seats."""
        return (place for place in self.audiences if isinstance(place, Seat))

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.public.result is not None

    async def load(self) -> None:
        """Take in what the log has, and tell nobody; what is rung meanwhile is looked at after."""
        self.loading = True
        try:
            for part in slices(await self.log.read(self.id)):
                self.replay(part)
                await asyncio.sleep(0)
        finally:
            self.loading = False
        if self.inbox or self.behind:
            self.work()

    def replay(self, steps: Iterable[StoredStep]) -> None:
        """Take in steps, and tell nobody."""
        for step in steps:
            events = EVENTS.decode(step.events)
            self.take(step, apply_all(self.game, events))
            spoken = speak(events)
            for circle in self.circles:
                circle.hear(self.ground, spoken)

    async def rebuild(self) -> None:
        """Forget everything, read it from the log again, and show it to everyone."""
        steps = await self.log.read(self.id)
        self.game, self.position = self.beginning, 0
        self.steps.clear()
        self.bytes.clear()
        self.clock = new_clock(self.clocks)
        self.keys.clear()
        heard = {circle: circle.position for circle in self.circles}
        for circle in self.circles:
            circle.position = 0
            circle.recent.clear()
        self.replay(steps)
        self.damaged = False
        for audience in self.audiences.values():
            circle = audience.circle
            news = max(0, circle.position - heard[circle])
            message = self.whole(audience, written(list(circle.recent)[-news:] if news else ()))
            for ear in audience.ears:
                ear.push(message)

    def close(self) -> None:
        """Nobody in this process needs it any more."""
        if self.retry is not None:
            self.retry.cancel()
            self.retry = None

    def seen(self, by: Seat | Referee) -> int:
        """How much somebody acts upon: a seat what it has heard, the referee what everyone has.

        If secret marks made an order of the referee stale, it would come later, and that is heard.
        """
        return self.audiences[by if isinstance(by, Seat) else WATCHER].position

    def take(self, step: StoredStep, after: Game) -> None:
        """The game after a step that is in the log."""
        before, self.game = self.game.public, after
        self.position += 1
        crew = step.by[:1]
        self.steps[crew] += 1
        self.bytes[crew] += len(step.events)
        if step.key:
            keys = self.keys[crew]
            keys[step.key] = self.position
            if len(keys) > KEYS:
                del keys[next(iter(keys))]
        if self.clock is not None:
            self.clock = self.clock.spend(step.spent).follow(before, after.public)

    # Orders

    def post(self, letter: Letter) -> None:
        """Have an order judged after all that came before it."""
        if not self.inbox:
            self.docket.add(self)
        self.inbox.append(letter)

    def ring(self, position: int = 0) -> None:
        """Somebody else may have written, up to a position if that is known."""
        if self.position >= position > 0:
            return
        self.behind = True
        self.work()

    def work(self) -> None:
        """Judge what has arrived and have it written; first mend what must be mended."""
        if self.working is not None or self.telling or self.loading:
            return
        if self.behind or self.damaged:
            self.working = asyncio.create_task(self.mend())
            return
        letters = self.next_letters()
        try:
            outcomes, steps = self.judge(letters)
            saving = self.append(letters, steps) if steps else None
        except Unsure:
            self.inbox = letters + self.inbox
            self.working = asyncio.create_task(self.mend(letters))
            return
        except Exception as failure:  # noqa: BLE001  (everybody concerned is told)
            self.give_up(letters, failure)
            return
        self.new_keys.clear()
        if saving is None:
            self.finish(letters, outcomes, steps)
            return
        self.working = saving
        saving.add_done_callback(partial(self.written, letters, outcomes, steps))

    async def mend(self, unsure: Sequence[Letter] = ()) -> None:
        """Read whatever must be known before the next order is judged."""
        try:
            if self.damaged:
                await self.rebuild()
            if self.behind:
                self.behind = False
                await self.catch_up()
            await self.look_up(unsure)
        except Exception as failure:  # noqa: BLE001  (everybody concerned is told)
            self.working = None
            self.give_up([], failure)
        else:
            self.working = None
            if self.inbox or self.behind:
                self.work()

    def next_letters(self) -> list[Letter]:
        """What is judged and written in one go: a lost lease must not refuse others' orders."""
        inbox, count = self.inbox, 0
        if len(inbox) == 1:
            self.inbox = []
            return inbox
        for letter in inbox:
            if letter.under != inbox[0].under:
                break
            count += 1
        self.inbox = inbox[count:]
        return inbox[:count] if self.inbox else inbox

    def append(self, letters: list[Letter], steps: list[Judged]) -> "asyncio.Future[None]":
        made = [judged.step for judged in steps]
        under = letters[0].under
        return self.log.append(self.id, self.position, made, result_of(steps), under)

    def written(
        self,
        letters: list[Letter],
        outcomes: list[Outcome],
        steps: list[Judged],
        saving: "asyncio.Future[None]",
    ) -> None:
        """The log has answered: tell, acknowledge, and look into the mailbox again."""
        self.working = None
        failure = LogAway("given up") if saving.cancelled() else saving.exception()
        if failure is None:
            self.finish(letters, outcomes, steps)
        elif isinstance(failure, LeaseLost):
            self.finish(letters, [STALE] * len(letters), [])
        elif isinstance(failure, Conflict | AlreadyDone):
            # Somebody was faster, or the order is an old one: read on, and judge again.
            if isinstance(failure, AlreadyDone):
                for letter in letters:
                    if letter.key == failure.key:
                        self.keys_of(letter)[failure.key] = failure.position
            else:
                self.metrics.conflicts += 1
            self.inbox = letters + self.inbox
            self.behind = True
            self.work()
        else:
            self.give_up(letters, failure)

    def give_up(self, letters: list[Letter], failure: BaseException) -> None:
        """Whatever went wrong: answer everyone who waits, and see that the game goes on.

        What was under way may have been saved. It may be ordered again: its key tells.
        """
        loop = asyncio.get_running_loop()
        lost, self.inbox = [*letters, *self.inbox], []
        self.behind = True
        if isinstance(failure, LogAway):
            self.metrics.unsaved += len(lost)
            if self.retry is not None:
                self.retry.cancel()
            self.retry = loop.call_later(AGAIN, self.work)
        else:
            self.fault("a game could not be read or written", failure)
            if not self.damaged:
                self.damaged = True
                loop.call_soon(self.work)
        for letter in lost:
            self.answer(letter, LOST if isinstance(failure, LogAway) else FAILED)

    def fault(self, words: str, failure: BaseException) -> None:
        """A fault of our own: counted, and noted for the operator."""
        self.metrics.faults += 1
        NOTES.error(words, exc_info=failure)

    async def look_up(self, letters: Iterable[Letter]) -> None:
        """Find out which of the orders took effect long ago."""
        for letter in letters:
            key, keys = letter.key, self.keys_of(letter)
            if key and key not in keys and key not in self.new_keys:
                known = await self.log.position_of(self.id, key)
                if known is None:
                    self.new_keys.add(key)
                else:
                    keys[key] = known

    def keys_of(self, letter: Letter) -> dict[str, int]:
        """The keys of the last orders of a letter's crew."""
        return self.keys[letter.by.crew.value if isinstance(letter.by, Seat) else ""]

    def judge(self, letters: list[Letter]) -> tuple[list[Outcome], list[Judged]]:
        """What becomes of each order, one after another, and the steps that are to be written."""
        game, spent = self.game, self.elapsed()
        outcomes: list[Outcome] = []
        steps: list[Judged] = []
        fresh: set[str] = set()
        for letter in letters:
            if letter.key and (letter.key in self.keys_of(letter) or letter.key in fresh):
                outcomes.append(REPEATED)
                continue
            if self.is_full(letter):
                outcomes.append(FULL)
                continue
            if letter.seen is not None and self.is_stale(letter.by, letter.seen, steps):
                outcomes.append(STALE)
                continue
            try:
                events = tuple(decide(game, letter.by, letter.order))
                after = apply_all(game, events)
            except OrderRefused as refused:
                # An order that was done long ago would be refused now, and yet it was done.
                if letter.key and letter.key not in self.new_keys:
                    raise Unsure from None
                outcomes.append(Outcome(rule=refused.rule))
                continue
            except Exception as failure:  # noqa: BLE001  (one order's fault is none of the others')
                self.fault("an order could not be judged", failure)
                outcomes.append(FAILED)
                continue
            by = self.audiences[letter.by].name if isinstance(letter.by, Seat) else ""
            step = StoredStep(by, letter.key, now_ms(), spent, encode(events))
            game, spent = after, 0
            steps.append(Judged(step, letter.by, events, game))
            outcomes.append(DONE)
            fresh.add(letter.key)
        return outcomes, steps

    def is_full(self, letter: Letter) -> bool:
        """Whether no more is kept of a crew's orders, but for the game's end."""
        if not isinstance(letter.by, Seat) or type(letter.order) in STILL_ALLOWED:
            return False
        crew = letter.by.crew.value
        return self.steps[crew] >= MOST_STEPS or self.bytes[crew] >= MOST_BYTES

    def is_stale(self, by: Seat | Referee, seen: int, before: Sequence[Judged]) -> bool:
        """Whether an order is based on what is no longer so; some steps come before it."""
        more = 0
        if not isinstance(by, Seat):
            more = sum(said is not None for step in before for _, said in speak(step.events))
        return seen != self.seen(by) + more

    def finish(self, letters: list[Letter], outcomes: list[Outcome], steps: list[Judged]) -> None:
        """Everything is saved: tell it, and acknowledge the orders."""
        self.metrics.orders += len(steps)
        self.telling = True
        try:
            for judged in steps:
                self.tell(judged)
        except Exception as failure:  # noqa: BLE001  (it is saved; whoever ordered it is told so)
            self.fault("a step could not be told", failure)
            self.damaged = True
            # Read again, it is found by its key; what has none rests on what is no longer so.
            self.inbox = [letter for letter in letters if letter.key] + self.inbox
            for letter in letters:
                if not letter.key:
                    self.answer(letter, STALE)
        else:
            for letter, outcome in zip(letters, outcomes, strict=True):
                self.acknowledge(letter, outcome)
        finally:
            self.telling = False
            if self.inbox or self.behind or self.damaged:
                asyncio.get_running_loop().call_soon(self.work)

    def rest(self, *, resting: bool, since: float | None = None) -> None:
        """Stand still, maybe since a while ago; go on without the time that passed meanwhile."""
        now = time.monotonic()
        if resting and self.stopped is None:
            self.stopped = now if since is None else min(now, max(self.since, since))
        elif not resting and self.stopped is not None:
            self.since += now - self.stopped
            self.stopped = None

    def restart_clock(self, spent: int, before: Game, after: Game, *, here: bool) -> None:
        """Count the time from this step on; it was made by this process, or read from the log.

        While the same crew has to act, no time is left out: not what it takes to save a step, nor
        parts of a millisecond. Else the clocks would show how many secret marks were made.
        """
        if here and self.clock is not None and to_act(before.public) is to_act(after.public):
            self.since += spent / 1000
            if self.stopped is not None:
                self.stopped = max(self.since, self.stopped)
            return
        self.since = time.monotonic()
        if self.stopped is not None:
            self.stopped = self.since

    def elapsed(self) -> int:
        """Milliseconds that the game has been running since the last step."""
        until = self.stopped if self.stopped is not None else time.monotonic()
        # Rounded down: no crew loses a part of a millisecond that it still has.
        return max(0, int((until - self.since) * 1000))

    def acknowledge(self, letter: Letter, outcome: Outcome) -> None:
        """Let whoever gave the order know what became of it."""
        if isinstance(letter.by, Seat) and (outcome is DONE or outcome is REPEATED):
            position = self.audiences[letter.by].circle.position
            outcome = Outcome(position, outcome.again)
        elif outcome.rule:
            self.metrics.refusals += 1
        self.answer(letter, outcome)

    def answer(self, letter: Letter, outcome: Outcome) -> None:
        """Let whoever gave the order know, once; their fault is none of the game's."""
        if letter.answer is not None:
            try:
                letter.answer(outcome)
            except Exception as failure:  # noqa: BLE001
                self.fault("an order could not be answered", failure)

    async def catch_up(self) -> None:
        """Read what others wrote, and tell it."""
        for step in await self.log.read(self.id, self.position):
            events = EVENTS.decode(step.events)
            after = apply_all(self.game, events)
            self.tell(Judged(step, named(step.by), events, after), here=False)

    # Telling

    def tell(self, judged: Judged, *, here: bool = True) -> None:
        """Apply a step that is saved, and let everyone know their share of it."""
        before, after = self.game, judged.after
        self.take(judged.step, after)
        self.restart_clock(judged.step.spent, before, after, here=here)
        ground, spoken = self.ground, speak(judged.events)
        fragments = Fragments(ground, before, after)
        alone = kept_by_one(spoken)
        for circle in self.circles if alone is None else self.circles_of[alone]:
            heard = circle.hear(ground, spoken)
            if heard and circle.listening:
                self.tell_circle(circle, heard, judged, fragments)
        for callback in self.stepped:
            try:
                callback(judged.by, judged.events, judged.step.at)
            except Exception as failure:  # noqa: BLE001  (it is told; what follows is another's task)
                self.fault("a step could not be followed up", failure)

    def tell_circle(
        self, circle: Circle, heard: list[Heard], judged: Judged, fragments: Fragments
    ) -> None:
        """Tell those who hear and see the same; what they may do now is different for each."""
        fresh = fragments.of(circle.crew)
        news = fresh.told_before(heard, circle.names, hull=circle.hull)
        if news is None:
            news = self.write_news(circle, heard, judged, fresh)
        told = b"%b%d%b}" % (self.heading, circle.position, news)
        for audience in circle.listening:
            offer = None if fresh.same_offers else audience.new_offer(self.game)
            # The message with one field more; the rest of it is the same for others.
            message = told if offer is None else b'%b,"offer":%b}' % (told[:-1], offer)
            for ear in audience.ears:
                ear.push(message)
        self.metrics.told += circle.ears

    def write_news(
        self, circle: Circle, heard: list[Heard], judged: Judged, fresh: CrewFragments
    ) -> bytes:
        """What a circle hears and sees, as the middle of a message: it may be told to others."""
        # Who hears all of it hears what the log has.
        events = judged.step.events if tuple(heard) == judged.events else encode(heard)
        view = fresh.view(circle.names, hull=circle.hull)
        clock = b"" if self.clock is None else b',"clock":%b' % encode(self.face())
        news = b',"events":%b,"view":%b%b' % (events, view, clock)
        fresh.news = (news, heard, circle.names, circle.hull)
        return news

    def show_again(self) -> None:
        """Show everyone all they see, as it stands."""
        for audience in self.audiences.values():
            if audience.ears:
                message = self.whole(audience)
                for ear in audience.ears:
                    ear.hint(message)

    def face(self) -> wire.ClockFace | None:
        """The clocks as they stand."""
        return None if self.clock is None else self.clock.face(self.elapsed())

    # Listening

    async def attach(
        self, ear: Ear, place: Viewer, position: int | None, *, complete: bool = False
    ) -> None:
        """Listen for a seat: first what never changes, then all it sees, then whatever comes.

        With the position last heard, what was missed since then comes with it; if that is too much,
        all the same if it must be complete, or else without the oldest.
        """
        audience = self.audiences[place]
        missed = NOTHING
        if position is not None and position > audience.position:
            # They come from another process, which knew more: nobody is told anything twice.
            await self.read_now()
        if position is not None and position < audience.position:
            most = None if complete else MOST_MISSED
            missed = await self.missed(audience, position, most)
        ear.push(self.opened(place))
        ear.push(self.whole(audience, missed))
        if ear not in audience.ears:
            audience.ears.append(ear)
            audience.circle.look_round()

    async def read_now(self) -> None:
        """Take in what the log has by now; raises ``LogAway``."""
        self.behind = True
        self.work()
        while self.working is not None:
            await asyncio.wait([self.working])
        if self.behind:
            raise LogAway("the game can't be read now")

    def detach(self, ear: Ear) -> None:
        """Listen no more."""
        for audience in self.audiences.values():
            if ear in audience.ears:
                audience.ears.remove(ear)
                audience.circle.look_round()
                audience.forget()
        if not any(circle.ears for circle in self.circles):
            self.doze()

    def doze(self) -> None:
        """Nobody is there: let go what the log knows, too."""
        self.keys.clear()
        for circle in self.circles:
            circle.recent.clear()

    def opened(self, place: Viewer) -> bytes:
        """What never changes, for one who comes."""
        seat = place if isinstance(place, Seat) else None
        plan = self.setup.crews[seat.crew].seats[seat.number] if seat else None
        return encode(
            GameOpened(
                game=self.id,
                table=self.table,
                seat=seat,
                posts=plan.posts if plan else (),
                setup=self.setup,
                facts=facts(self.ground),
            )
        )

    def whole(self, audience: Audience, missed: Missed = NOTHING) -> bytes:
        """All that somebody sees now."""
        offer: Any = UNSET
        if audience.offers is not None:
            offer = Raw(audience.offers.now(self.game))
        circle = audience.circle
        fragments = Fragments(self.ground, None, self.game).of(circle.crew)
        return encode(
            Told(
                game=self.id,
                position=circle.position,
                whole=True,
                events=missed.events,  # type: ignore[arg-type]
                skipped=missed.skipped or UNSET,
                view=fragments.view(circle.names, hull=circle.hull),  # type: ignore[arg-type]
                offer=offer,
                clock=self.face(),
            )
        )

    async def missed(self, audience: Audience, position: int, most: int | None = None) -> Missed:
        """What somebody has heard since a position."""
        recent = audience.circle.recent
        count = audience.position - position
        if count <= len(recent):
            return written(list(recent)[-count:])
        async with self.looking_back:
            while True:
                until, known = audience.position, self.position
                steps = await self.log.read(self.id)
                # While the log was read, more may have been told: then nobody knows what is new.
                if audience.position != until or self.position != known:
                    continue
                told = await self.look_back(audience.place, steps[:known], until - position, most)
                # And while it was worked out: that is still at hand, or all is done again.
                more = audience.position - until
                if 0 <= more <= len(recent):
                    return joined(told, written(list(recent)[-more:])) if more else told

    async def look_back(
        self, place: Viewer, steps: Sequence[StoredStep], count: int, most: int | None
    ) -> Missed:
        """The last that was heard somewhere, written bit by bit."""
        pieces: list[bytes] = []
        found = size = 0
        for part in slices(steps, backwards=True):
            for step in part:
                heard = [
                    news
                    for event in EVENTS.decode(step.events)
                    if (news := overhear(self.ground, event, place)) is not None
                ]
                heard = heard[max(0, len(heard) - (count - found)) :]
                if not heard:
                    continue
                piece = encode(heard)[1:-1]
                # Only what this seat heard counts: what the enemy draws must not shorten it.
                size += len(piece)
                if most is not None and size > most:
                    return missed_of(pieces, found, count - found)
                pieces.append(piece)
                found += len(heard)
                if found == count:
                    return missed_of(pieces, found)
            await asyncio.sleep(0)
        return missed_of(pieces, found, count - found)


def missed_of(pieces: list[bytes], count: int, skipped: int = 0) -> Missed:
    """What was missed, of pieces of which the last comes first."""
    return Missed(Raw(b"[%b]" % b",".join(reversed(pieces))), count, skipped)


def joined(first: Missed, then: Missed) -> Missed:
    """One after the other."""
    if not first.count:
        return Missed(then.events, then.count, first.skipped)
    both = Raw(b"%b,%b" % (bytes(first.events)[:-1], bytes(then.events)[1:]))
    return Missed(both, first.count + then.count, first.skipped)


def written(heard: Sequence[Heard]) -> Missed:
    """What was missed, if it is all at hand."""
    return Missed(Raw(encode(heard)), len(heard))


def slices(steps: Sequence[StoredStep], *, backwards: bool = False) -> Iterator[list[StoredStep]]:
    """Steps, as many at a time as can be worked on in one go."""
    part: list[StoredStep] = []
    size = 0
    for step in reversed(steps) if backwards else steps:
        part.append(step)
        # What it takes beside its bytes, too.
        size += len(step.events) + 100
        if size >= SLICE:
            yield part
            part, size = [], 0
    if part:
        yield part


def speak(events: Iterable[AnyEvent]) -> Spoken:
    """The events with what is said of them."""
    return [(event, announce(event)) for event in events]


def kept_by_one(spoken: Spoken) -> Crew | None:
    """The crew that alone learns of all this, if only one does."""
    crews = {kept_by(event, said) for event, said in spoken}
    return crews.pop() if len(crews) == 1 else None


def circles(ground: CompiledSetup, audiences: Iterable[Audience]) -> tuple[Circle, ...]:
    """Who hears and sees the same."""
    found: dict[object, list[Audience]] = {}
    for audience in audiences:
        place = audience.place
        alike: object = None
        if isinstance(place, Seat):
            posts = 0 if ground.open_stations else ground.posts[place.crew][place.number]
            alike = (place.crew, posts, audience.names, sees_enemy_hull(ground, place))
        found.setdefault(alike, []).append(audience)
    return tuple(Circle(ground, alike) for alike in found.values())


def result_of(steps: list[Judged]) -> bytes | None:
    """How the game ends with these steps, if it does."""
    if steps[-1].after.public.result is None:
        return None
    ends = [event for event in steps[-1].events if isinstance(event, GameEnded)]
    return encode(Result(ends[0].winner, ends[0].why)) if ends else None


def named(by: str) -> Seat | Referee:
    """Who gave an order, as the log tells it."""
    return named_seat(by) if by else REFEREE
