"""What an explosion promises: damage to them, less damage to ourselves."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from fathom.bots.waters import Waters
from fathom.points import Points, blast, collect

KILL: Final = 1.5
"""What sinking them is worth on top of the damage."""
OWN: Final = 4.0
"""What our own damage counts."""
LOST: Final = -50.0


class HullsLeft(NamedTuple):
    """What each side can still take, and where we are."""

    ours: int
    theirs: int
    at: int
    hurts_us: bool
    """Whether our own explosions hurt us."""


def worth(damage: int, left: int) -> float:
    """What damage is worth to a crew that wants the other sunk."""
    return left + KILL if damage >= left else float(damage)


class Gunnery:
    """Weighs explosions."""

    def __init__(self, waters: Waters) -> None:
        self.waters = waters

    def expected(self, at: int, weights: dict[int, float], hull: HullsLeft) -> float:
        """What an explosion at a point promises."""
        waters = self.waters
        gain = 0.0
        if (direct := weights.get(at)) is not None:
            gain += direct * worth(waters.direct, hull.theirs)
        if waters.near:
            beside = worth(waters.near, hull.theirs)
            for step in (-17, -16, -15, -1, 1, 15, 16, 17):
                if (weight := weights.get(at + step)) is not None:
                    gain += weight * beside
        return gain - self.harm(at, hull)

    def harm(self, at: int, hull: HullsLeft) -> float:
        """What an explosion does to us."""
        if not hull.hurts_us or not self.waters.blasts[hull.at] >> at & 1:
            return 0.0
        damage = self.waters.direct if at == hull.at else self.waters.near
        if not damage:
            return 0.0
        return -LOST if damage >= hull.ours else OWN * damage

    def best(
        self, targets: Iterable[int], weights: dict[int, float], hull: HullsLeft
    ) -> tuple[float, int]:
        """The target that promises most, and what."""
        return max(
            ((self.expected(target, weights, hull), target) for target in targets),
            default=(0.0, -1),
        )


def surroundings(weights: dict[int, float]) -> Points:
    """All points where an explosion might hit someone."""
    return blast(collect(weights))
