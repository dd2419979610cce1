"""The end duel: both know well where the other is, and every course and torpedo counts.

A search over whole turns of both sides. Damage to expect is all that counts, the sooner the more.
"""

from typing import Final, NamedTuple

from fathom.bots.gunnery import KILL
from fathom.bots.waters import Waters
from fathom.points import Points
from fathom.words import HEADINGS

STEPS: Final = tuple(heading.step for heading in HEADINGS)
LATER: Final = 0.93
"""What damage counts that is done one turn later."""
TRAPPED: Final = -0.9
"""What it is worth to have no way on."""
LOADING: Final = 0.06
"""What each missing box of a torpedo counts at the end of the search."""


class Side(NamedTuple):
    """One side of the duel."""

    at: int
    open: Points
    """Where it may still sail."""
    load: int
    """The boxes that its torpedo still needs."""
    hit: float
    """The damage that its torpedo promises on the other's point."""
    graze: float
    """The same next to it."""
    left: float
    """The damage that it can still take."""


class Skirmish:
    """Searches duels on one chart."""

    def __init__(self, waters: Waters, boxes: int) -> None:
        self.waters, self.boxes = waters, boxes

    def courses(self, us: Side, them: Side, turns: int, free: int = 0) -> dict[int, float]:
        """What each course is worth, if it is our turn and so many more are."""
        return {
            heading: self.turn(us, them, us.at + step, turns, free)
            for heading, step in enumerate(STEPS)
            if us.at + step >= 0 and us.open >> us.at + step & 1
        }

    def after(self, us: Side, them: Side, turns: int, free: int = 0) -> float:
        """What the duel is worth to us after our turn; so many more are ours."""
        if free:
            return LATER * self.value(us, them, turns, free - 1)
        return -LATER * self.value(them, us, turns)

    def value(self, us: Side, them: Side, turns: int, free: int = 0) -> float:
        """What the duel is worth to the side whose turn it is."""
        if not turns:
            return LOADING * (them.load - us.load)
        best, at, sea = TRAPPED, us.at, us.open
        for step in STEPS:
            ahead = at + step
            if ahead >= 0 and sea >> ahead & 1:
                best = max(best, self.turn(us, them, ahead, turns, free))
        return best

    def turn(self, us: Side, them: Side, ahead: int, turns: int, free: int) -> float:
        """What one turn is worth: a course, and a torpedo if that is better than none."""
        _, sea, load, hit, graze, left = us
        load = load - 1 if load else 0
        moved = Side(ahead, sea & ~(1 << ahead), load, hit, graze, left)
        worth = self.after(moved, them, turns - 1, free)
        if load:
            return worth
        damage = self.damage(us, ahead, them.at)
        if not damage:
            return worth
        if damage >= them.left:
            return damage + KILL
        empty = Side(ahead, moved.open, self.boxes, hit, graze, left)
        hurt = them._replace(left=them.left - damage)
        return max(worth, damage + self.after(empty, hurt, turns - 1, free))

    def damage(self, us: Side, at: int, target: int) -> float:
        """What a torpedo from here does to them, without hurting ourselves."""
        if self.waters.ranges[at] >> target & 1 and not self.waters.blasts[at] >> target & 1:
            return us.hit
        return us.graze if self.waters.fringes[at] >> target & 1 else 0.0
