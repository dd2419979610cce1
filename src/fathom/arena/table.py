"""The table: it holds the game, tells every bot its share, and lets its orders be judged."""

from collections.abc import Callable, Iterable, Sequence
from random import Random
from time import process_time
from typing import Final, Literal

import msgspec
from msgspec import Struct

from fathom.arena.entrants import Entrant
from fathom.arena.forms import ENCODER
from fathom.arena.tally import count, fresh
from fathom.bots.protocol import Bot
from fathom.engine import orders as give
from fathom.engine.apply import apply
from fathom.engine.events import AnyEvent
from fathom.engine.game import new_game
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.view import overhear
from fathom.engine.logbook import Step
from fathom.engine.offer import Offer, offer
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.points import unspell
from fathom.rules.setup import Setup
from fathom.words import CREWS, RADIO_OPERATOR, REFEREE, ByCrew, Crew, Referee, Seat

MOST_ORDERS: Final = 4000
"""Orders of both crews after which a game is called off: some 500 turns of each."""
MOST_TALK: Final = 8
"""How often what was said may be answered before the next order."""

FaultKind = Literal["illegal-order", "exception", "no-order"]
ORDERS: Final[msgspec.json.Decoder[AnyOrder]] = msgspec.json.Decoder(AnyOrder, dec_hook=unspell)


class Fault(Struct, frozen=True, omit_defaults=True):
    """What a crew lost the game for without being sunk."""

    crew: Crew
    seat: int
    kind: FaultKind
    what: str
    trace: str = ""
    """The traceback of an exception."""


class Lost(Exception):
    """A crew forfeits."""

    def __init__(self, seat: Seat, kind: FaultKind, what: str) -> None:
        super().__init__(what)
        self.fault = Fault(seat.crew, seat.number, kind, what[:2000])


class CalledOff(Exception):
    """The game goes on for too long."""


class SeatedBot:
    """One seat of the table with its bot, and its hand on a virtual clock."""

    def __init__(self, seat: Seat, bot: Bot, *, lone_listener: bool) -> None:
        self.seat, self.bot = seat, bot
        self.lone_listener = lone_listener
        """Whether it holds no post but the radio operator's."""
        self.meter: Callable[[], float] = getattr(bot, "meter", process_time)
        self.mates: tuple[SeatedBot, ...] = ()
        self.busy = 0.0
        """Until when its hand is."""
        self.ready = 0.0
        """When it will be asked next."""
        self.tracing = False
        """Whether its hand traces a section of the hull."""


class BotTable:
    """A game with bots at all seats."""

    def __init__(self, setup: Setup, crews: ByCrew[Entrant], seed: int) -> None:
        self.setup, self.crews, self.seed = setup, crews, seed
        self.dice = Random(f"{seed}/table")
        self.game = new_game(setup)
        self.steps: list[Step] = []
        self.tallies = fresh()
        self.places: list[SeatedBot] = []
        self.by_crew: ByCrew[list[SeatedBot]] = ByCrew([], [])
        self.orders = 0
        self.announced = False
        """Whether the last step said anything aloud."""
        self.acting: Seat | None = None
        """Whose bot is at work now; what goes wrong meanwhile is its fault."""
        self.startle: Callable[[SeatedBot], None] = leave_alone
        """What becomes of a seat that has heard something."""

    # Who sits there

    def take_seats(self) -> None:
        """A bot for every seat; its dice are the seat's, the same for whoever sits there."""
        for crew in CREWS:
            for number in range(len(self.setup.crews[crew].seats)):
                self.by_crew[crew].append(self.seat_bot(Seat(crew, number)))
            for place in self.by_crew[crew]:
                place.mates = tuple(mate for mate in self.by_crew[crew] if mate is not place)
        self.places = [*self.by_crew.a, *self.by_crew.b]

    def seat_bot(self, seat: Seat) -> SeatedBot:
        """A bot for this seat."""
        ground, crew, number = self.game.ground, seat.crew, seat.number
        seed = Random(f"{self.seed}/{crew.value}/{number}").getrandbits(32)
        self.acting = seat
        bot = self.crews[crew].enlist(ground, seat, seed)
        self.acting = None
        lone = ground.posts[crew][number] == RADIO_OPERATOR.bit
        return SeatedBot(seat, bot, lone_listener=lone)

    def leave(self) -> None:
        """Bots that hold something, such as a process, let it go."""
        for place in (*self.by_crew.a, *self.by_crew.b):
            close: Callable[[], None] | None = getattr(place.bot, "close", None)
            if close is not None:
                close()

    # Orders

    def ask(self, place: SeatedBot) -> AnyOrder | None:
        """What the seat wants to do, if there is anything that it may do."""
        offered = offer(self.game, place.seat)
        if not worthwhile(offered, place):
            return None
        self.acting, before = place.seat, place.meter()
        order = place.bot.choose(offered)
        self.tallies[place.seat.crew].choosing.note(place.meter() - before)
        self.acting = None
        self.let_speak([place])
        return None if order is None else self.check(place.seat, order, offered)

    def check(self, seat: Seat, order: AnyOrder, offered: Offer) -> AnyOrder:
        """The order as it was offered; one with a drawing, a judgement or words must be whole."""
        if order in offered.orders:
            self.tallies[seat.crew].forced += forced(order, offered.orders)
            return offered.orders[offered.orders.index(order)]
        try:
            whole = ORDERS.decode(ENCODER.encode(order))
        except (msgspec.MsgspecError, TypeError, ValueError, NotImplementedError) as bad:
            what = f"this is no order: {order!r:.500} ({bad})"
            raise Lost(seat, "illegal-order", what) from None
        return whole

    def give(self, place: SeatedBot, order: AnyOrder) -> None:
        """Let the order be judged; an illegal one loses the game."""
        seat = place.seat
        try:
            events = decide(self.game, seat, order)
        except OrderRefused as refused:
            what = f"the rule {refused.rule} forbids this order: {order!r}"
            raise Lost(seat, "illegal-order", what) from None
        self.orders += 1
        self.tallies[seat.crew].orders += 1
        count(self.tallies, seat.crew, events)
        self.happen(seat, events)

    def rule(self, order: AnyOrder) -> None:
        """An order of the referee's."""
        self.happen(REFEREE, decide(self.game, REFEREE, order))

    def happen(self, by: Seat | Referee, events: Sequence[AnyEvent]) -> None:
        """What an order brought about, and everyone hears their share."""
        for event in events:
            self.game = apply(self.game, event)
        self.steps.append(Step(by, tuple(events)))
        self.announced = any(announce(event) is not None for event in events)
        for place in self.places:
            self.tell(place, events)
        self.let_speak(self.places)

    def within_limits(self) -> None:
        """Every game ends."""
        if self.orders >= MOST_ORDERS:
            raise CalledOff

    # News and talk

    def tell(self, place: SeatedBot, events: Iterable[AnyEvent]) -> None:
        """The seat hears its share."""
        seat, ground = place.seat, self.game.ground
        shares = [overhear(ground, event, seat) for event in events]
        news = [heard for heard in shares if heard is not None]
        if not news:
            return
        self.acting, before = seat, place.meter()
        for heard in news:
            place.bot.hear(heard)
        self.tallies[seat.crew].hearing.note(place.meter() - before)
        self.acting = None
        self.startle(place)

    def let_speak(self, speakers: Iterable[SeatedBot]) -> None:
        """Phrases go to the other seats of the crew, who may answer."""
        for _ in range(MOST_TALK):
            listeners = {mate.seat: mate for place in speakers for mate in self.hear_out(place)}
            if not listeners:
                return
            speakers = list(listeners.values())

    def hear_out(self, place: SeatedBot) -> tuple[SeatedBot, ...]:
        """What one seat has to say, passed on to its mates; those, if it said anything."""
        self.acting = place.seat
        phrases = place.bot.speak()
        self.acting = None
        if not phrases:
            return ()
        for mate in place.mates:
            self.acting = mate.seat
            for phrase in phrases:
                mate.bot.heed(place.seat, phrase)
            self.acting = None
            self.startle(mate)
        return place.mates


def leave_alone(place: SeatedBot) -> None:
    """Turn by turn nobody is startled."""


def worthwhile(offered: Offer, place: SeatedBot) -> bool:
    """Whether the seat may do anything but give up; a lone radio operator may always write."""
    orders = offered.orders
    if len(orders) > 1 or (orders and orders[0] != give.RESIGN):
        return True
    return bool(offered.sections) or offered.judging or (offered.writing and place.lone_listener)


def forced(order: AnyOrder, orders: Sequence[AnyOrder]) -> bool:
    """Whether the captain surfaces because there is no course left."""
    if not isinstance(order, give.Surface):
        return False
    return not any(isinstance(other, give.SetCourse) for other in orders)
