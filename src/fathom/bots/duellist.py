"""The end duel as the captain plays it: courses, torpedoes, silence and surfacing, turns ahead."""

from typing import Final

from fathom.bots.desk import TRACING_TAKES, Desk
from fathom.bots.exposure import Exposure
from fathom.bots.gunner import Gunner
from fathom.bots.skirmish import Side, Skirmish
from fathom.bots.traits import Traits
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.points import Points

Foes = list[tuple[float, Side]]
"""They, wherever they may be, and how likely that is."""
MOST_FOES: Final = 3


class Duellist:
    """Plays when both know well where the other is."""

    def __init__(
        self, traits: Traits, exposure: Exposure, gunner: Gunner, skirmish: Skirmish
    ) -> None:
        self.traits, self.exposure, self.gunner = traits, exposure, gunner
        self.skirmish = skirmish

    def foes(self, desk: Desk) -> Foes:
        """They in the duel; nobody while that is too uncertain."""
        mind = desk.mind
        if desk.at < 0 or not 0 < mind.where.bit_count() <= self.traits.duel_at:
            return []
        load, left = mind.torpedo_needs(), float(desk.hull.theirs)
        hit, graze = self.their_hits(desk, mind.known)
        likeliest = sorted(desk.weights.items(), key=lambda item: -item[1])[:MOST_FOES]
        return [
            (weight, Side(point, desk.sea & ~mind.covered_by_them(point), load, hit, graze, left))
            for point, weight in likeliest
        ]

    def their_hits(self, desk: Desk, known: Points) -> tuple[float, float]:
        """What their torpedo promises on our point and next to it, if that is what they know."""
        direct, near = self.exposure.damages(desk)
        hit = self.exposure.hit(desk, known)
        return hit, hit * near / direct

    def us(self, desk: Desk) -> Side:
        """We in the duel."""
        hit, waters = self.exposure.our_hit(desk), self.exposure.waters
        left = desk.hull.theirs
        graze = hit * min(waters.near, left) / min(waters.direct, left)
        return Side(desk.at, desk.open, desk.armed_in, hit, graze, float(desk.hull.ours))

    def courses(self, desk: Desk) -> dict[int, float]:
        """What each course is worth in the duel."""
        us, free = self.us(desk), desk.turns_to_come
        total: dict[int, float] = {}
        for weight, them in self.foes(desk):
            courses = self.skirmish.courses(us, them, self.traits.turns, free)
            for heading, worth in courses.items():
                total[heading] = total.get(heading, 0.0) + weight * worth
        return total

    def price_of_surfacing(self, desk: Desk) -> float | None:
        """What they gain from their turns while we are on the surface; none if that is unclear."""
        foes, courses = self.foes(desk), self.courses(desk)
        if not foes or not courses:
            return None
        idle, turns = self.idle_turns(desk), self.traits.turns
        us = self.us(desk)._replace(open=desk.fresh & ~(1 << desk.at))
        risen = sum(w * -self.skirmish.value(them, us, turns + 1, idle) for w, them in foes)
        return max(0.0, max(courses.values()) - risen)

    @staticmethod
    def idle_turns(desk: Desk) -> int:
        """How many turns more than one they have while we are on the surface."""
        if desk.public.turn is None:
            return TRACING_TAKES
        return desk.ground.book.surfacing_turns - 1

    def act(self, desk: Desk, foes: Foes) -> AnyOrder | None:
        """Fire, run silent or wait, whichever is best after some turns of both."""
        best, chosen = self.after(desk, self.us(desk), foes), None
        for worth, order in (self.firing(desk, foes), self.hiding(desk, foes)):
            if order is not None and worth > best:
                best, chosen = worth, order
        return chosen

    def after(self, desk: Desk, us: Side, foes: Foes) -> float:
        """What the duel is worth after our turn."""
        turns, free = self.traits.turns - 1, desk.turns_to_come
        return sum(weight * self.skirmish.after(us, them, turns, free) for weight, them in foes)

    def firing(self, desk: Desk, foes: Foes) -> tuple[float, AnyOrder | None]:
        """What the best torpedo is worth, with the answer to it."""
        gain, shot = self.gunner.shot(desk)
        if shot is None:
            return 0.0, None
        if gain >= desk.hull.theirs:
            return gain, shot
        known = desk.mind.known
        told = known & self.gunner.waters.ranges[shot.target] or known
        hit, graze = self.their_hits(desk, told)
        hurt = max(0.1, desk.hull.theirs - gain)
        warned = [(w, foe._replace(hit=hit, graze=graze, left=hurt)) for w, foe in foes]
        empty = self.us(desk)._replace(load=self.skirmish.boxes)
        return gain + self.after(desk, empty, warned) - self.traits.hold, shot

    def hiding(self, desk: Desk, foes: Foes) -> tuple[float, AnyOrder | None]:
        """What the best silence is worth: they fire into the dark, and we come from nowhere."""
        ways = desk.working(give.RunSilent)
        if not ways:
            return 0.0, None
        hit, graze = self.their_hits(desk, self.exposure.after_silence(desk))
        blind = [(weight, foe._replace(hit=hit, graze=graze)) for weight, foe in foes]
        us, found = self.us(desk), []
        for way in ways:
            at, sea = desk.after_silence(way)
            worth = self.after(desk, us._replace(at=at, open=sea), blind)
            found.append((worth - self.traits.silence_price, desk.dice.random(), way))
        worth, _, way = max(found, key=lambda item: item[:2])
        return worth, way
