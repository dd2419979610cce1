"""One running game: orders in the order of their arrival; write before you tell.

A duel has a mailbox and no task of its own while it is empty. What has arrived is judged in order
on the state that the log has, written in one go, and only then applied, told and acknowledged. If
somebody else wrote first, the duel reads on and judges again. It never waits for a socket.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct

from fathom.engine.announce import announce
from fathom.engine.events import AnyEvent, GameEnded
from fathom.engine.game import Game, Result, new_game
from fathom.engine.ground import Ground
from fathom.engine.heard import Announcement
from fathom.engine.history import apply_all
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.engine.refusals import Refused
from fathom.engine.secrecy import WATCHER, Heard, Watcher, kept_by, overhear, share
from fathom.points import unspell
from fathom.rules.setup import Setup
from fathom.server import wire
from fathom.server.clock import Clock, new_clock
from fathom.server.docket import Docket
from fathom.server.identity import now_ms
from fathom.server.log import (
    AlreadyDone,
    Conflict,
    Lease,
    LeaseLost,
    Log,
    LogAway,
    Step,
    StoredGame,
)
from fathom.server.offers import (
    BRIEF,
    MOST_KEPT,
    Grounds,
    basis_of,
    commands,
    kept_offers,
    offer_to,
    offer_to_writer,
)
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
from fathom.server.wire import GameOpened, Told, encode
from fathom.words import CREWS, REFEREE, ByCrew, Crew, Referee, Seat

RECENT: Final = 32
"""How many events an audience remembers for those who resume; more are read from the log."""
AGAIN: Final = 0.5
"""Seconds after which a log that was away is read again."""
KEYS: Final = 64
"""How many orders' keys are remembered; more are looked up in the log."""
EVENTS: Final[msgspec.json.Decoder[tuple[AnyEvent, ...]]] = msgspec.json.Decoder(
    tuple[AnyEvent, ...], dec_hook=unspell
)

Place: TypeAlias = Seat | Watcher
Spoken: TypeAlias = list[tuple[AnyEvent, Announcement | None]]
"""Events, each with what everyone hears of it."""


class Header(Struct, frozen=True):
    """What the log keeps of a game beside its steps."""

    setup: Setup
    clocks: wire.Clocks
    names: tuple[tuple[str, ...], tuple[str, ...]]
    """Who plays which seat, by name, for the record."""
    sides: dict[str, str] = {}
    """For each player, their crew: a secret no more than the table is."""


HEADERS: Final[msgspec.json.Decoder[Header]] = msgspec.json.Decoder(Header, dec_hook=unspell)


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


DONE: Final = Outcome()
STALE: Final = Outcome(stale=True)


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

    __slots__ = (
        *("basis", "circle", "ears", "kept", "make", "name", "names"),
        *("offered", "place", "rests", "seat"),
    )

    def __init__(self, game: Game, place: Place) -> None:
        self.place = place
        self.names = visible(game.ground, place)
        self.ears: list[Ear] = []
        self.offered = b""
        self.rests: Grounds = ()
        """What the offer rests on, as it was then."""
        self.circle: Circle
        if isinstance(place, Seat):
            self.seat, self.name = place, seat_name(place)
            self.basis = basis_of(game.ground, place)
            self.make = offer_to if commands(game.ground, place) else offer_to_writer
            self.kept = kept_offers(game.ground.setup)[place]

    @property
    def position(self) -> int:
        """How much it has heard."""
        return self.circle.position

    def forget(self) -> None:
        """Forget what was offered, if nobody listens; whoever comes is offered everything."""
        if not self.ears:
            self.offered, self.rests = b"", ()

    def new_offer(self, game: Game) -> bytes | None:
        """What the seat may do now, as JSON, if it is not what it could do before."""
        rests = self.basis(game, self.seat)
        if rests == self.rests:
            return None
        before, after = self.offered, self.offer(game, rests)
        return after if after != before else None

    def offer(self, game: Game, rests: Grounds) -> bytes:
        """What the seat may do now, as JSON, and maybe as it was written for another game."""
        self.rests = rests
        written = self.kept.get(rests) if rests[0] is BRIEF else None
        if written is None:
            written = encode(self.make(game, self.seat))
            if rests[0] is BRIEF:
                if len(self.kept) == MOST_KEPT:
                    self.kept.clear()
                self.kept[rests] = written
        self.offered = written
        return written


class Circle:
    """Audiences that hear and see the same: they are told in one go."""

    __slots__ = (
        *("audiences", "crew", "ears", "hull", "listening"),
        *("names", "place", "position", "recent"),
    )

    def __init__(self, ground: Ground, audiences: list[Audience]) -> None:
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

    def hear(self, ground: Ground, spoken: Spoken) -> list[Heard]:
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

    step: Step
    by: Seat | Referee
    events: tuple[AnyEvent, ...]
    after: Game


class Unsure(Exception):
    """Whether an order took effect long ago must be looked up in the log."""


class Duel:
    """A game under way, and everyone who hears of it."""

    def __init__(self, log: Log, docket: Docket, stored: StoredGame) -> None:
        self.log, self.docket, self.metrics = log, docket, docket.metrics
        self.id, self.table = stored.game, stored.table
        header = HEADERS.decode(stored.header)
        self.setup = shared(header.setup)
        self.names = header.names
        self.began = stored.began
        self.game = new_game(self.setup)
        self.ground = self.game.ground
        self.position = 0
        """How many steps the log has, as far as is known here. Never told to anyone."""
        self.clock: Clock | None = new_clock(header.clocks)
        self.since = time.monotonic()
        """When the last step was made."""
        self.stopped: float | None = None
        """Since when the game stands still, because nobody is there."""
        self.keys: dict[str, int] = {}
        self.inbox: list[Letter] = []
        self.working: asyncio.Future[None] | None = None
        """What the duel waits for before it looks into its mailbox again."""
        self.telling = False
        """Whether steps that are saved are just being told: what is ordered now comes after."""
        self.behind = False
        self.loading = False
        self.retry: asyncio.TimerHandle | None = None
        seats: list[Place] = [
            Seat(crew, number)
            for crew in CREWS
            for number in range(len(self.setup.crews[crew].seats))
        ]
        self.audiences: dict[Place, Audience] = {
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
            steps = await self.log.read(self.id)
        finally:
            self.loading = False
        for step in steps:
            events = EVENTS.decode(step.events)
            self.take(step, apply_all(self.game, events))
            spoken = speak(events)
            for circle in self.circles:
                circle.hear(self.ground, spoken)
        if self.inbox or self.behind:
            self.work()

    def close(self) -> None:
        """Nobody in this process needs it any more."""
        if self.retry is not None:
            self.retry.cancel()
            self.retry = None

    def seen(self, by: Seat | Referee) -> int:
        """How much somebody knows of: a seat what it has heard, the referee everything."""
        return self.audiences[by].position if isinstance(by, Seat) else self.position

    def take(self, step: Step, after: Game) -> None:
        """The game after a step that is in the log."""
        before, self.game = self.game.public, after
        self.position += 1
        if step.key:
            self.keys[step.key] = self.position
            if len(self.keys) > KEYS:
                del self.keys[next(iter(self.keys))]
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
        """Serve what has arrived; most orders need no task of their own."""
        if self.working is not None or self.telling or self.loading:
            return
        if not self.behind:
            letters = self.next_letters()
            try:
                outcomes, steps = self.judge(letters)
            except Unsure:
                self.inbox = letters + self.inbox
            except Exception:
                for letter in letters:
                    if letter.answer is not None:
                        letter.answer(Outcome(failed=True))
                raise
            else:
                self.write(letters, outcomes, steps)
                return
        self.working = asyncio.create_task(self.serve_all())

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

    def write(self, letters: list[Letter], outcomes: list[Outcome], steps: list[Judged]) -> None:
        """Have the steps written, if there are any, and go on when they are."""
        if not steps:
            self.finish(letters, outcomes, steps)
            return
        self.working = self.append(letters, steps)
        self.working.add_done_callback(partial(self.written, letters, outcomes, steps))

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
        failure = LogAway("given up") if saving.cancelled() else saving.exception()
        if failure is None:
            self.working = None
            self.finish(letters, outcomes, steps)
        elif isinstance(failure, LeaseLost):
            self.working = None
            self.finish(letters, [STALE] * len(letters), [])
        else:
            self.inbox = letters + self.inbox
            self.working = asyncio.create_task(self.serve_all(failure))

    async def serve_all(self, failure: BaseException | None = None) -> None:
        """Serve until the mailbox is empty, with everything that can go wrong."""
        letters: list[Letter] = []
        try:
            if failure is not None:
                await self.mend(failure)
            while self.inbox or self.behind:
                if self.behind:
                    self.behind = False
                    await self.catch_up()
                letters = self.next_letters()
                if letters:
                    await self.serve(letters)
                letters = []
        except LogAway:
            # What was under way may have been saved, and what was rung has not been read.
            self.behind = True
            self.try_again()
            self.metrics.unsaved += len(letters) + len(self.inbox)
            lost, self.inbox = [*letters, *self.inbox], []
            for letter in lost:
                if letter.answer is not None:
                    letter.answer(Outcome(lost=True))
        finally:
            self.working = None
            if self.inbox:
                self.work()

    def try_again(self) -> None:
        """Read on after a while; what is ordered meanwhile tries at once."""
        if self.retry is not None:
            self.retry.cancel()
        self.retry = asyncio.get_running_loop().call_later(AGAIN, self.work)

    async def serve(self, letters: list[Letter]) -> None:
        """Judge, write, apply, tell, acknowledge; and all over again if somebody was faster."""
        while True:
            await self.look_up(letters)
            outcomes, steps = self.judge(letters, sure=True)
            if not steps:
                break
            try:
                await self.append(letters, steps)
                break
            except LeaseLost:
                outcomes, steps = [STALE] * len(letters), []
                break
            except (Conflict, AlreadyDone) as failure:
                await self.mend(failure)
        self.finish(letters, outcomes, steps)

    async def mend(self, failure: BaseException) -> None:
        """Nothing was written: because somebody was faster, or the order is an old one."""
        if isinstance(failure, Conflict):
            self.metrics.conflicts += 1
        elif isinstance(failure, AlreadyDone):
            self.keys[failure.key] = failure.position
        else:
            raise LogAway(str(failure)) from failure
        await self.catch_up()

    async def look_up(self, letters: list[Letter]) -> None:
        """Remember which of the orders took effect long ago."""
        for letter in letters:
            if letter.key and letter.key not in self.keys:
                known = await self.log.position_of(self.id, letter.key)
                if known is not None:
                    self.keys[letter.key] = known

    def judge(
        self, letters: list[Letter], *, sure: bool = False
    ) -> tuple[list[Outcome], list[Judged]]:
        """What becomes of each order, one after another, and the steps that are to be written."""
        game, spent = self.game, self.elapsed()
        outcomes: list[Outcome] = []
        steps: list[Judged] = []
        fresh: set[str] = set()
        for letter in letters:
            if letter.key and (letter.key in self.keys or letter.key in fresh):
                outcomes.append(Outcome(again=True))
                continue
            if letter.seen is not None and self.is_stale(letter.by, letter.seen, len(steps)):
                outcomes.append(STALE)
                continue
            try:
                events = tuple(decide(game, letter.by, letter.order))
            except Refused as refused:
                # An order that was done long ago would be refused now, and yet it was done.
                if letter.key and not sure:
                    raise Unsure from None
                outcomes.append(Outcome(rule=refused.rule))
                continue
            game = apply_all(game, events)
            by = self.audiences[letter.by].name if isinstance(letter.by, Seat) else ""
            step = Step(by, letter.key, now_ms(), spent, encode(events))
            spent = 0
            steps.append(Judged(step, letter.by, events, game))
            outcomes.append(DONE)
            fresh.add(letter.key)
        return outcomes, steps

    def is_stale(self, by: Seat | Referee, seen: int, before: int) -> bool:
        """Whether an order rests on what is no longer so; so many steps come before it."""
        more = 0 if isinstance(by, Seat) else before
        return seen != self.seen(by) + more

    def finish(self, letters: list[Letter], outcomes: list[Outcome], steps: list[Judged]) -> None:
        """Everything is saved: tell it, and acknowledge the orders."""
        self.metrics.orders += len(steps)
        self.telling = True
        try:
            for judged in steps:
                self.tell(judged)
            for letter, outcome in zip(letters, outcomes, strict=True):
                self.acknowledge(letter, outcome)
        finally:
            self.telling = False
            if self.inbox or self.behind:
                asyncio.get_running_loop().call_soon(self.work)

    def rest(self, *, resting: bool, since: float | None = None) -> None:
        """Stand still, maybe since a while ago; go on without the time that passed meanwhile."""
        now = time.monotonic()
        if resting and self.stopped is None:
            self.stopped = now if since is None else min(now, max(self.since, since))
        elif not resting and self.stopped is not None:
            self.since += now - self.stopped
            self.stopped = None

    def elapsed(self) -> int:
        """Milliseconds that the game has been running since the last step."""
        until = self.stopped if self.stopped is not None else time.monotonic()
        return max(0, round((until - self.since) * 1000))

    def acknowledge(self, letter: Letter, outcome: Outcome) -> None:
        """Let whoever gave the order know what became of it."""
        if isinstance(letter.by, Seat) and not outcome.rule and not outcome.stale:
            position = self.audiences[letter.by].circle.position
            outcome = Outcome(position, outcome.again)
        elif outcome.rule:
            self.metrics.refusals += 1
        if letter.answer is not None:
            letter.answer(outcome)

    async def catch_up(self) -> None:
        """Read what others wrote, and tell it."""
        for step in await self.log.read(self.id, self.position):
            events = EVENTS.decode(step.events)
            self.tell(Judged(step, named(step.by), events, apply_all(self.game, events)))

    # Telling

    def tell(self, judged: Judged) -> None:
        """Apply a step that is saved, and let everyone know their share of it."""
        before, after = self.game, judged.after
        self.take(judged.step, after)
        self.since = time.monotonic()
        if self.stopped is not None:
            self.stopped = self.since
        ground, spoken = self.ground, speak(judged.events)
        fragments = Fragments(ground, before, after)
        alone = kept_by_one(spoken)
        for circle in self.circles if alone is None else self.circles_of[alone]:
            heard = circle.hear(ground, spoken)
            if heard and circle.listening:
                self.tell_circle(circle, heard, judged, fragments)
        for callback in self.stepped:
            callback(judged.by, judged.events, judged.step.at)

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

    async def attach(self, ear: Ear, place: Place, position: int | None) -> None:
        """Listen for a seat: first what never changes, then all it sees, then whatever comes.

        With the position last heard, what was missed since then comes with it.
        """
        audience = self.audiences[place]
        missed: list[Heard] = []
        if position is not None and position < audience.position:
            missed = await self.missed(audience, position)
        ear.push(self.opened(place))
        ear.push(self.whole(audience, missed))
        if ear not in audience.ears:
            audience.ears.append(ear)
            audience.circle.look_round()

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
        self.keys = {}
        for circle in self.circles:
            circle.recent.clear()

    def opened(self, place: Place) -> bytes:
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

    def whole(self, audience: Audience, missed: Iterable[Heard] = ()) -> bytes:
        """All that somebody sees now."""
        offer: Any = UNSET
        if isinstance(audience.place, Seat):
            rests = audience.basis(self.game, audience.place)
            offer = Raw(audience.offer(self.game, rests))
        circle = audience.circle
        fragments = Fragments(self.ground, None, self.game).of(circle.crew)
        return encode(
            Told(
                game=self.id,
                position=circle.position,
                whole=True,
                events=tuple(missed),
                view=fragments.view(circle.names, hull=circle.hull),  # type: ignore[arg-type]
                offer=offer,
                clock=self.face(),
            )
        )

    async def missed(self, audience: Audience, position: int) -> list[Heard]:
        """What somebody has heard since a position."""
        count = audience.position - position
        if count <= len(audience.circle.recent):
            return list(audience.circle.recent)[-count:]
        while True:
            until = audience.position
            steps = await self.log.read(self.id)
            heard = [
                news
                for step in steps
                for event in EVENTS.decode(step.events)
                if (news := overhear(self.ground, event, audience.place)) is not None
            ]
            # While the log was read, more may have been told: then the answer would be too short.
            if audience.position == until:
                return heard[position:until]


def speak(events: Iterable[AnyEvent]) -> Spoken:
    """The events with what is said of them."""
    return [(event, announce(event)) for event in events]


def kept_by_one(spoken: Spoken) -> Crew | None:
    """The crew that alone learns of all this, if only one does."""
    crews = {kept_by(event, said) for event, said in spoken}
    return crews.pop() if len(crews) == 1 else None


def circles(ground: Ground, audiences: Iterable[Audience]) -> tuple[Circle, ...]:
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
