"""A duel of two simple bots: something worth watching."""

from collections.abc import Iterator
from random import Random
from typing import Final

from msgspec import Struct

from fathom.cli.duellist import Duellist
from fathom.engine import orders as give
from fathom.engine.events import AnyEvent
from fathom.engine.game import new_game
from fathom.engine.history import apply
from fathom.engine.legal import legal, may_trace
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.engine.secrecy import overhear, view
from fathom.rules.setup import Setup
from fathom.words import CREW_A, CREW_B, CREWS, REFEREE, ByCrew, Crew, Referee, Seat


class Step(Struct, frozen=True):
    """One order of a duel and what came of it."""

    seat: Seat | Referee
    order: AnyOrder
    events: tuple[AnyEvent, ...]


MOST_ORDERS: Final = 2000
"""A duel that lasts longer is called off; with these duellists none does."""
EFFORT: Final[dict[type, int]] = {give.SetCourse: 4, give.TraceSection: 5, give.Dive: 3}
"""How long an order takes in real time; others take one."""


class Duel:
    """Two duellists at one table, and the referee who draws lots and ends stops."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.dice = Random(seed)
        self.game = new_game(setup)
        self.seats = ByCrew(Seat(CREW_A, 0), Seat(CREW_B, 0))
        self.duellists = self.seats.map(
            lambda seat: Duellist(self.game.ground, seat, Random(self.dice.random()))
        )
        self.spent = {CREW_A: 0, CREW_B: 0}
        """Time that each crew has used, in real time."""

    def steps(self) -> Iterator[Step]:
        """The whole duel, order by order."""
        for _ in range(MOST_ORDERS):
            if self.game.public.phase == "over":
                return
            yield self.give(*self.next_order())
        yield self.give(REFEREE, give.DeclareLost(self.worse()))

    def give(self, seat: Seat | Referee, order: AnyOrder) -> Step:
        """Let the order be judged, and let everyone hear what came of it."""
        events = decide(self.game, seat, order)
        for event in events:
            self.game = apply(self.game, event)
            self.tell(event)
        if isinstance(seat, Seat):
            self.spent[seat.crew] += EFFORT.get(type(order), 1)
        return Step(seat, order, tuple(events))

    def tell(self, event: AnyEvent) -> None:
        """Each duellist hears its share."""
        for crew in CREWS:
            heard = overhear(self.game.ground, event, self.seats[crew])
            if heard is not None:
                self.duellists[crew].hear(heard)

    def next_order(self) -> tuple[Seat | Referee, AnyOrder]:
        """Who gives the next order, and which."""
        lots = legal(self.game, REFEREE)
        if give.DrawFirst(CREW_A) in lots:
            return REFEREE, give.DrawFirst(self.dice.choice(CREWS))
        if give.RESUME in lots:
            return REFEREE, give.RESUME
        for crew in self.whose_turn():
            if (order := self.order_of(crew)) is not None:
                return self.seats[crew], order
        raise AssertionError("nobody has anything to do")

    def whose_turn(self) -> tuple[Crew, ...]:
        """The crews in the order in which they are asked. A mine may go off in the other's turn."""
        public = self.game.public
        if public.phase == "placing":
            return CREWS
        if public.awaited is not None:
            return (public.awaited.crew,)
        if public.turn is not None:
            return public.turn.crew.other, public.turn.crew
        first = min(CREWS, key=lambda crew: self.spent[crew])
        return first, first.other

    def order_of(self, crew: Crew) -> AnyOrder | None:
        """What the duellist wants, if it has any choice."""
        seat, turn = self.seats[crew], self.game.public.turn
        orders = [order for order in legal(self.game, seat) if order != give.RESIGN]
        seen = view(self.game, seat)
        if turn is not None and turn.crew is not crew and self.game.public.awaited is None:
            mines = [order for order in orders if isinstance(order, give.TriggerMine)]
            return self.duellists[crew].strike(seen, {give.TriggerMine: mines})
        to_trace = may_trace(self.game, seat)
        if not orders and not to_trace:
            return None
        return self.duellists[crew].choose(seen, orders, to_trace)

    def worse(self) -> Crew:
        """The crew with more damage."""
        damage = self.game.public.damage
        return CREW_A if damage.a >= damage.b else CREW_B
