"""Games to follow: two crews who play at random, but sail and mark with some sense."""

import random
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from bench.engine import next_seat, step_aside
from fathom.engine.apply import apply_all
from fathom.engine.game import new_game
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.heard import Announcement
from fathom.engine.orders import (
    DIVE,
    AnyOrder,
    Charge,
    CrossOut,
    DetonateOldMine,
    FireTorpedo,
    LaunchDrone,
    LayMine,
    RepairSystem,
    Resign,
    RunSilent,
    SetCourse,
    TriggerMine,
    UseSonar,
)
from fathom.engine.referee import decide, legal
from fathom.points import Points, cross
from fathom.rules.rulebook import Boxes, Goal
from fathom.rules.setup import Choices, House, Setup, prepare
from fathom.words import CREW_A, SILENCE, ByCrew, Kind, Mode, Seat

WEAPONS = (FireTorpedo, LaunchDrone, UseSonar, DetonateOldMine, RepairSystem, LayMine)
"""All activations but silence; the mines last."""
UNSINKABLE = Goal("sink", 14)
CHARGES_SILENCE = 0.7
"""How often the first mate charges silence, if that can be charged."""


def long_game(chart: str, boxes: int = 0) -> Setup:
    """Two players in real time on a large chart, with a thick hull; gauges may be made short."""
    house = House(lift_crew_rules=True)
    chosen = Choices(rulebook="captain-sonar", mode=Mode.REAL_TIME, chart=chart, house=house)
    setup = replace(prepare(chosen), goal=UNSINKABLE)
    if not boxes:
        return setup
    pace = replace(setup.book.real_time, gauges=Boxes(*[boxes] * 5))
    return replace(setup, book=replace(setup.book, real_time=pace))


class OrderHeard(NamedTuple):
    """What everyone heard of one order, and where the submarines then were."""

    news: list[Announcement]
    at: ByCrew[int]


Record = list[OrderHeard]


class Recorder:
    """Plays one game; how busy the crews are with their other systems is for the bench to say."""

    def __init__(self, setup: Setup, seed: int, *, busy: float, mines: bool) -> None:
        self.game, self.dice = new_game(setup), random.Random(seed)
        self.busy, self.mines = busy, mines
        self.record: Record = []

    def play(self, courses: int) -> Record:
        """What was announced, order by order, until crew A has sailed so many courses."""
        while courses > 0 and self.game.public.phase != "over":
            seat = next_seat(self.game, self.dice)
            order = self.choose(seat)
            events = decide(self.game, seat, order) if order else step_aside(self.game, seat)
            courses -= isinstance(order, SetCourse) and seat.crew is CREW_A
            self.game = apply_all(self.game, events)
            said = [news for event in events if (news := announce(event)) is not None]
            if said and self.game.public.phase == "playing":
                at = self.game.boats.map(lambda boat: boat.helm.at)
                self.record.append(OrderHeard(said, at))
        return self.record

    def choose(self, seat: Seat) -> AnyOrder | None:
        """Something sensible to do, if there is anything to do."""
        orders = [order for order in legal(self.game, seat) if not isinstance(order, Resign)]
        by_kind: dict[type, list[AnyOrder]] = {}
        for order in orders:
            by_kind.setdefault(type(order), []).append(order)
        if self.game.public.phase == "placing" and DIVE in orders:
            return DIVE
        for kind, choose in ((Charge, self.charge), (CrossOut, self.cross_out)):
            if kind in by_kind:
                return choose(by_kind[kind])
        return self.act(by_kind) or self.sail(seat, by_kind)

    def charge(self, orders: Sequence[AnyOrder]) -> AnyOrder:
        """Silence above all."""
        silence = Charge(SILENCE)
        if silence in orders and self.dice.random() < CHARGES_SILENCE:
            return silence
        return self.dice.choice(orders)

    def cross_out(self, orders: Sequence[AnyOrder]) -> AnyOrder:
        """Whatever leaves silence intact; in the circuits first, which mend by themselves."""
        sheet = self.game.ground.setup.sheet
        symbols = {symbol.name: symbol for symbol in sheet.symbols} if sheet else {}

        def regret(order: AnyOrder) -> int:
            symbol = symbols.get(getattr(order, "symbol", None) or "")
            return 2 * (symbol.kind is Kind.YELLOW) + (symbol.circuit is None) if symbol else 0

        least = min(map(regret, orders))
        return self.dice.choice([order for order in orders if regret(order) == least])

    def act(self, by_kind: dict[type, list[AnyOrder]]) -> AnyOrder | None:
        """Run silent when it can be done; use another system now and then."""
        if RunSilent in by_kind and self.dice.random() < 0.5:
            return self.dice.choice(by_kind[RunSilent])
        if TriggerMine in by_kind and self.dice.random() < self.busy / 4:
            return self.dice.choice(by_kind[TriggerMine])
        kinds = [kind for kind in WEAPONS[: None if self.mines else -1] if kind in by_kind]
        if kinds and self.dice.random() < self.busy:
            return self.dice.choice(by_kind[self.dice.choice(kinds)])
        return None

    def sail(self, seat: Seat, by_kind: dict[type, list[AnyOrder]]) -> AnyOrder | None:
        """Where most water is left to sail on; surface where there is no way on."""
        courses = [order for order in by_kind.get(SetCourse, ()) if isinstance(order, SetCourse)]
        if not courses:
            idle = (*WEAPONS, RunSilent, TriggerMine)
            rest = [order for kind in by_kind if kind not in idle for order in by_kind[kind]]
            return self.dice.choice(rest) if rest else None
        helm = self.game.boats[seat.crew].helm
        free = self.game.ground.water & ~helm.covered & ~helm.mines
        room = [self.room(helm.at + course.heading.step, free) for course in courses]
        best = max(room)
        return self.dice.choice([c for c, n in zip(courses, room, strict=True) if n >= 0.9 * best])

    @staticmethod
    def room(at: int, free: Points) -> int:
        """How many points can be reached from here, up to some."""
        reached = 1 << at
        for _ in range(12):
            reached |= cross(reached) & free
        return reached.bit_count()
