"""A simple bot for a seat that holds every post, until better ones are there.

A duellist is given news, its seat's view and its legal orders, and never the game itself.
"""

from collections.abc import Mapping, Sequence
from math import log2
from random import Random
from typing import Final

from fathom.cli.foresight import Foresight, size
from fathom.cli.tracker import anywhere, narrow
from fathom.engine import orders as give
from fathom.engine.announce import announce
from fathom.engine.events import CourseSet, SonarAnswered
from fathom.engine.ground import Ground
from fathom.engine.heard import MarkAcknowledged, MineLaidHeard, SilenceHeard
from fathom.engine.orders import AnyOrder
from fathom.engine.secrecy import Heard, View
from fathom.engine.tracing import ideal_stroke
from fathom.points import Points, blast, cross, reach, shift
from fathom.words import (
    DRONE,
    MINE,
    SCENARIO,
    SILENCE,
    SONAR,
    TORPEDO,
    Kind,
    Seat,
    System,
)

Offers = Mapping[type, Sequence[AnyOrder]]
"""The legal orders by their kind."""

LOST: Final = -1000.0
SURFACING: Final = 5.0
"""What surfacing costs: the enemy's turns and a sector told."""
ICE: Final = 8.0
"""What breaking through ice costs on top."""
SHORTEST_ROUTE: Final = 4
"""With a shorter one, nobody surfaces who needn't."""
EXPOSED: Final = 5
"""With no more points left for the enemy to search, it is time for silence."""
VAGUE: Final = 4
"""With more points than these left to search, drone and sonar are worth it."""
MOST_MINES: Final = 3
NEEDS: Final[dict[type, Kind]] = {
    give.LayMine: Kind.RED,
    give.FireTorpedo: Kind.RED,
    give.LaunchDrone: Kind.GREEN,
    give.UseSonar: Kind.GREEN,
    give.RunSilent: Kind.YELLOW,
    give.DetonateOldMine: Kind.YELLOW,
    give.RepairSystem: Kind.YELLOW,
}
"""The colour that must be whole (breakdown.kinds)."""


class Duellist:
    """Plays a seat that holds every post of its crew."""

    def __init__(self, ground: Ground, seat: Seat, dice: Random) -> None:
        self.ground, self.crew, self.dice = ground, seat.crew, dice
        self.theirs = anywhere(ground, seat.crew.other)
        """Where they can be."""
        self.ours = anywhere(ground, seat.crew)
        """Where we can be, for all that they have heard."""
        self.courses = 0
        self.foresight = Foresight(ground)

    def hear(self, news: Heard) -> None:
        """Narrow down where they can be, and where they can think that we are."""
        if isinstance(news, MarkAcknowledged):
            return
        said = news if isinstance(news, SilenceHeard | MineLaidHeard) else announce(news)
        if said is None:
            return
        self.theirs = narrow(self.ground, self.crew.other, self.theirs, said)
        self.ours = narrow(self.ground, self.crew, self.ours, said)
        self.courses += isinstance(said, CourseSet) and said.crew is self.crew

    def choose(self, seen: View, orders: Sequence[AnyOrder], to_trace: Sequence[int]) -> AnyOrder:
        """The best order that comes to mind."""
        if to_trace:
            stroke = ideal_stroke(self.ground.setup.hull, to_trace[0])
            return give.TraceSection(to_trace[0], stroke, self.crew.value.upper())
        offers: dict[type, list[AnyOrder]] = {}
        for order in orders:
            if not self.would_fail(seen, order):
                offers.setdefault(type(order), []).append(order)
        plans = (self.reply, self.mark, self.strike, self.hide, self.search, self.mine, self.sail)
        if chosen := self.begin(offers):
            return chosen
        for plan in plans:
            if chosen := plan(seen, offers):
                return chosen
        return give.END_TURN if give.EndTurn in offers else orders[0]

    def would_fail(self, seen: View, order: AnyOrder) -> bool:
        """Whether a broken system would be ordered, where the rulebook lets that happen."""
        kind = NEEDS.get(type(order))
        room = self.foresight.room
        return (
            kind is not None and seen.engine is not None and room.broken(seen.engine.crossed, kind)
        )

    # Beginning, answers and marks

    def begin(self, offers: Offers) -> AnyOrder | None:
        """Start somewhere with room around it."""
        if give.Dive in offers:
            return give.DIVE
        roomy = [
            order
            for order in offers.get(give.Place, ())
            if isinstance(order, give.Place)
            and (cross(1 << order.at) & self.ground.water).bit_count() > 2
        ]
        return self.dice.choice(roomy) if roomy else None

    def reply(self, seen: View, offers: Offers) -> AnyOrder | None:
        """Answer a sonar so that much remains possible; name the volcano that is nearer to them."""
        answers = [
            *offers.get(give.AnswerSonar, ()),
            *offers.get(give.AnswerTruly, ()),
            *offers.get(give.NameVolcano, ()),
        ]
        if not answers:
            return None
        return max(
            answers, key=lambda answer: (self.value_of_answer(seen, answer), self.dice.random())
        )

    def value_of_answer(self, seen: View, answer: AnyOrder) -> int:
        at = seen.helm.at if seen.helm else 0
        match answer:
            case give.AnswerSonar(row=row, column=column, sector=sector):
                told = SonarAnswered(self.crew, row, column, sector)
                return narrow(self.ground, self.crew, self.ours, told).bit_count()
            case give.AnswerTruly(line=line):
                along = 0x7FFF << (at & ~15) if line == "row" else self.column(at)
                return (self.ours & along).bit_count()
            case give.NameVolcano(volcano=volcano):
                lava = self.ground.lava[volcano - 1]
                return (lava & self.theirs).bit_count() - 99 * (lava >> at & 1)
            case _:
                return 0

    @staticmethod
    def column(at: int) -> Points:
        return sum(1 << 16 * y + (at & 15) for y in range(15))

    def mark(self, seen: View, offers: Offers) -> AnyOrder | None:
        """Charge what is wanted most; cross out what hurts least."""
        crossings = offers.get(give.CrossOut, ())
        if crossings and seen.engine:
            symbols = [order.symbol for order in crossings if isinstance(order, give.CrossOut)]
            return give.CrossOut(self.foresight.room.best_symbol(seen.engine.crossed, symbols))
        systems = [o.system for o in offers.get(give.Charge, ()) if isinstance(o, give.Charge)]
        if not systems:
            return None
        return give.Charge(next((s for s in self.wishes() if s in systems), systems[0]))

    def wishes(self) -> tuple[System, ...]:
        """What to charge, the dearest wish first."""
        if self.ours.bit_count() <= 2 * EXPOSED:
            return TORPEDO, SILENCE, SONAR, DRONE, MINE, SCENARIO
        if self.theirs.bit_count() > VAGUE:
            return TORPEDO, SONAR, DRONE, SCENARIO, SILENCE, MINE
        return TORPEDO, MINE, SILENCE, SCENARIO, SONAR, DRONE

    # Weapons

    def strike(self, seen: View, offers: Offers) -> AnyOrder | None:
        """Repair a weapon, or let something explode where they can be if enough comes of it."""
        shots = [
            (self.expected(seen, at), self.dice.random(), order)
            for kind in (give.FireTorpedo, give.TriggerMine, give.DetonateOldMine)
            for order in offers.get(kind, ())
            if (at := explosion_of(order)) is not None
        ]
        if repairs := offers.get(give.RepairSystem):
            return repairs[0]
        if not shots:
            return None
        gain, _, shot = max(shots, key=lambda found: found[:2])
        # The longer the duel lasts, the bolder the captains become.
        patience = max(0.17, 0.4 - self.courses / 250) * self.ground.book.blast_direct
        return shot if gain >= patience else None

    def expected(self, seen: View, at: int) -> float:
        """The damage to expect of an explosion, less what it does to ourselves."""
        direct, near = self.ground.book.blast_direct, self.ground.near
        count = max(1, self.theirs.bit_count())
        around = blast(1 << at) & ~(1 << at)
        gain = direct * (self.theirs >> at & 1) + near * (self.theirs & around).bit_count()
        here = seen.helm.at if seen.helm else 0
        harm = direct if here == at else near * (around >> here & 1)
        if harm and seen.public.damage[self.crew] + harm >= self.ground.sinks_at:
            return LOST
        return gain / count - 1.5 * harm

    def mine(self, seen: View, offers: Offers) -> AnyOrder | None:
        """Lay a mine near where they can be, without closing our own way."""
        helm = seen.helm
        if helm is None or helm.mines.bit_count() >= MOST_MINES:
            return None
        exits = cross(1 << helm.at) & self.ground.water & ~helm.covered & ~helm.mines
        spots = [
            ((blast(1 << order.at) & self.theirs).bit_count(), self.dice.random(), order)
            for order in offers.get(give.LayMine, ())
            if isinstance(order, give.LayMine) and not exits >> order.at & 1
        ]
        return max(spots)[2] if spots else None

    # Searching, hiding, sailing

    def search(self, seen: View, offers: Offers) -> AnyOrder | None:
        """Ask about the sector that halves what is possible, or use the sonar."""
        count = self.theirs.bit_count()
        if count <= VAGUE or not self.may_spend(seen):
            return None
        halves = [
            (abs(0.5 - (self.theirs & sector).bit_count() / count), self.dice.random(), order)
            for order in offers.get(give.LaunchDrone, ())
            if isinstance(order, give.LaunchDrone)
            and (sector := self.ground.sector_points[order.sector])
        ]
        if halves and min(halves)[0] < 0.35:
            return min(halves)[2]
        return give.USE_SONAR if give.UseSonar in offers else None

    def may_spend(self, seen: View) -> bool:
        """With one gauge for everything, only a full one is spent on searching."""
        energy = self.ground.energy
        return not energy or (seen.gauges is not None and seen.gauges.energy == energy)

    def hide(self, seen: View, offers: Offers) -> AnyOrder | None:
        """Run silent when they have nearly found us."""
        if self.ours.bit_count() > EXPOSED or not self.may_spend(seen):
            return None
        if self.ground.energy and self.theirs.bit_count() > VAGUE:
            # There is one gauge for everything, and who hides all the time finds nobody.
            return None
        ways = [o for o in offers.get(give.RunSilent, ()) if isinstance(o, give.RunSilent)]
        if not ways:
            return None
        return max(ways, key=lambda way: self.value_of_silence(seen, way))

    def value_of_silence(self, seen: View, way: give.RunSilent) -> float:
        """Room to go on afterwards, and how far from where they expect us."""
        at = seen.helm.at if seen.helm else 0
        step = way.heading.step if way.heading else 0
        sailed = sum(1 << at + step * n for n in range(way.distance + 1))
        room = size(self.foresight.open_water(seen) & ~sailed, at + step * way.distance)
        return room + 0.5 * way.distance + self.dice.random()

    def sail(self, seen: View, offers: Offers) -> AnyOrder | None:
        """The course with the best prospects, or surfacing if that is better."""
        courses = [o for o in offers.get(give.SetCourse, ()) if isinstance(o, give.SetCourse)]
        choices = [(self.value_of_course(seen, course), course) for course in courses]
        best = max(choices, key=lambda found: found[0], default=(LOST, None))
        if give.Surface in offers and best[0] <= self.value_of_surfacing(seen):
            return give.SURFACE
        return best[1]

    def value_of_surfacing(self, seen: View) -> float:
        """A fresh route and no breakdowns, at a price; without a route there is nothing to gain."""
        helm = seen.helm
        if helm is None or len(helm.route) < SHORTEST_ROUTE:
            return LOST
        ice = self.ground.thin_ice >> helm.at & 1
        if ice and seen.public.damage[self.crew] + 1 >= self.ground.sinks_at:
            return LOST
        fresh = self.foresight.after_surfacing(seen, helm.at) + self.value_of_place(seen, helm.at)
        return fresh - SURFACING - (ICE if ice else 0.0)

    def value_of_course(self, seen: View, course: give.SetCourse) -> float:
        """Room and a sound engine for some courses ahead, and a good place to hunt from."""
        at = (seen.helm.at if seen.helm else 0) + course.heading.step
        prospect = self.foresight.prospect(seen, course.heading)
        return prospect + self.value_of_place(seen, at) + self.stealth(course) + self.dice.random()

    def stealth(self, course: give.SetCourse) -> float:
        """How much remains possible for them when they hear the course."""
        left = shift(self.ours, course.heading.step) & self.ground.water
        return 0.6 * log2(max(1, left.bit_count()))

    def value_of_place(self, seen: View, at: int) -> float:
        """Within reach of them when armed, out of it when not; near an island of repairs."""
        count = max(1, self.theirs.bit_count())
        close = (reach(1 << at, 4, self.ground.water) & self.theirs).bit_count() / count
        service = seen.public.in_service[self.crew]
        if not service & TORPEDO.bit:
            return -self.steps_to_repair(at)
        return 2.5 * close if self.armed(seen) else -1.0 * close

    def armed(self, seen: View) -> bool:
        """Whether a torpedo is ready or nearly so."""
        if seen.gauges is None:
            return False
        if self.ground.energy:
            return seen.gauges.energy + 1 >= self.ground.costs[TORPEDO.index]
        return seen.gauges.boxes[TORPEDO.index] + 1 >= self.ground.boxes[TORPEDO.index]

    def steps_to_repair(self, at: int) -> float:
        """How far it is to where the torpedo can be repaired."""
        goal, near = self.ground.repair_at[TORPEDO.index], 1 << at
        for steps in range(20):
            if near & goal:
                return float(steps)
            near |= cross(near) & self.ground.water
        return 20.0


def explosion_of(order: AnyOrder) -> int | None:
    """Where the order would let something explode."""
    match order:
        case give.FireTorpedo(target=at) | give.TriggerMine(at=at) | give.DetonateOldMine(at=at):
            return at
        case _:
            return None
