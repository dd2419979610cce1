"""When to ask, and what: drone and sonar, used by the captain or by the first mate on request."""

from math import log2
from typing import Final

from fathom.bots.desk import Desk
from fathom.bots.phrases import PleaseUse
from fathom.bots.traits import Traits
from fathom.engine import orders as give
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.orders import AnyOrder
from fathom.points import Points
from fathom.words import CAPTAIN, DRONE, FIRST_MATE, SONAR

SONAR_KEEPS: Final = 0.36
"""The share of the points that a sonar's answer usually leaves."""
LINE_KEEPS: Final = 0.2
"""The same where the answer is one true line."""
WORTH_ASKING: Final = 0.6
"""A question must promise so many bits."""


class Scout:
    """Chooses questions."""

    def __init__(self, traits: Traits) -> None:
        self.traits = traits
        self.errand: PleaseUse | None = None
        """What the first mate is to be asked for, where the captain may not ask the enemy."""
        self.asked_at = -1
        """The course after which the first mate was asked."""

    def choose(self, desk: Desk) -> AnyOrder | None:
        """Ask what tells most, when there is much to tell."""
        if not self.vague(desk) or not self.may_spend(desk):
            return None
        found: list[tuple[float, AnyOrder]] = []
        if desk.working(give.LaunchDrone):
            told, sector = best_drone(desk)
            found.append((told, give.LaunchDrone(sector)))
        if sonars := desk.working(give.UseSonar):
            found.append((sonar_bits(desk.ground, desk.mind.where), sonars[0]))
        told, order = max(found, key=lambda item: item[0], default=(0.0, None))
        return order if told >= WORTH_ASKING else None

    def vague(self, desk: Desk) -> bool:
        """Whether there is much to search."""
        return desk.mind.where.bit_count() > self.traits.scout_at

    @staticmethod
    def may_spend(desk: Desk) -> bool:
        """With one gauge for everything, only a full one is spent on searching."""
        energy, gauges = desk.ground.energy, desk.view.gauges
        return not energy or gauges is None or gauges.energy == energy

    def send(self, desk: Desk) -> bool:
        """Ask the first mate to search, where only the first mate may; whether to wait for it."""
        if self.asked_at == desk.mind.courses or not self.worth_sending(desk):
            return False
        self.asked_at = desk.mind.courses
        ready = desk.view.duty.ready if desk.view.duty else 0
        told, sector = best_drone(desk)
        if ready & SONAR.bit and sonar_bits(desk.ground, desk.mind.where) >= WORTH_ASKING:
            self.errand = PleaseUse(SONAR)
        elif ready & DRONE.bit and told >= WORTH_ASKING:
            self.errand = PleaseUse(DRONE, sector)
        return self.errand is not None

    def worth_sending(self, desk: Desk) -> bool:
        """Whether there is much to tell, and somebody else who may ask now."""
        duty, turn = desk.view.duty, desk.public.turn
        free = duty is not None and not duty.barred and (turn is None or turn.sailed)
        return self.vague(desk) and free and desk.works(SONAR) and self.may_only_send(desk)

    @staticmethod
    def may_only_send(desk: Desk) -> bool:
        """Whether the captain must leave drone and sonar to another seat."""
        ground, seat = desk.ground, desk.view.seat
        if seat is None or ground.allowed[desk.crew][give.UseSonar] & CAPTAIN.bit:
            return False
        return not ground.posts[seat.crew][seat.number] & FIRST_MATE.bit


def drone_bits(ground: CompiledSetup, weights: dict[int, float], sector: int) -> float:
    """What asking about a sector tells, in bits."""
    inside = ground.sector_points[sector]
    share = sum([weight for point, weight in weights.items() if inside >> point & 1])
    if not 0 < share < 1:
        return 0.0
    return -share * log2(share) - (1 - share) * log2(1 - share)


def best_drone(desk: Desk) -> tuple[float, int]:
    """The sector to ask about, and what that tells; dice decide between equal ones."""
    ground, weights, dice = desk.ground, desk.weights, desk.dice
    sectors = range(1, ground.chart.sector_count + 1)
    told, _, sector = max((drone_bits(ground, weights, s), dice.random(), s) for s in sectors)
    return told, sector


def sonar_bits(ground: CompiledSetup, where: Points) -> float:
    """What a sonar usually tells, in bits; never more than there is to tell."""
    keeps = LINE_KEEPS if ground.book.sonar_answer == "one-true" else SONAR_KEEPS
    return min(log2(max(1, where.bit_count())), -log2(keeps))
