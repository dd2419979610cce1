"""How likely each possible point is: a second layer on the exact set, and only approximate.

A captain is thought to choose among open ways, not quite evenly, and to run silent rather far than
near; the route is left aside. What the exact set rules out has no weight. The two numbers below
were chosen by the bits that they save in recorded games (docs/architecture.md).
"""

from functools import lru_cache
from typing import Final

from fathom.points import Points, bits, shift
from fathom.words import HEADINGS, Heading

Weights = dict[int, float]

DOUBT: Final = 0.01
"""What is always shared out evenly."""
FREEDOM: Final = 0.5
"""How far a course tells against points where there were many others: 0 is not at all, 1 fully."""
FARTHER: Final = 1.0
"""How much more likely a silence of one point more is, compared with staying where one is."""

STRESS: Final = (1.0, *(ways**-FREEDOM for ways in range(1, 5)))
"""How much a course tells, by the number of ways that were open."""


def even(points: Points) -> Weights:
    """All points alike."""
    count = points.bit_count()
    return dict.fromkeys(bits(points), 1 / count) if count else {}


def within(weights: Weights, possible: Points) -> Weights:
    """Only what is possible, summing up to one; all alike where nothing is left."""
    kept = {point: w for point, w in weights.items() if point >= 0 and possible >> point & 1}
    total = sum(kept.values())
    if not total:
        return even(possible)
    share = DOUBT / possible.bit_count()
    # A point that is possible is never given up, however unlikely it seems.
    return {point: kept.get(point, 0.0) / total * (1 - DOUBT) + share for point in bits(possible)}


@lru_cache(maxsize=4096)
def lines_from(
    point: int, silence: tuple[int, int], water: Points
) -> tuple[tuple[int, float], ...]:
    """Where a silence may end, the route left aside, and how likely that is."""
    least, most = silence
    ends = [(point, 1.0)] if least == 0 else []
    for heading in HEADINGS:
        at = 1 << point
        for distance in range(1, most + 1):
            at = shift(at, heading.step) & water
            if not at:
                break
            if distance >= least:
                ends.append((at.bit_length() - 1, 1 + FARTHER * distance))
    total = sum(odds for _, odds in ends)
    return tuple((end, odds / total) for end, odds in ends)


class Odds:
    """The weights of the possible points, carried on from news to news."""

    def __init__(self, possible: Points, silence: tuple[int, int]) -> None:
        self.weights = even(possible)
        self.silence = silence
        self.astern = 0
        """The step back to where the submarine came from, if that is known."""

    def sail(self, heading: Heading, water: Points) -> None:
        """After a course: it tells more where few others were open."""
        ahead = [shift(water, -h.step) for h in HEADINGS if h.step != self.astern]
        step, self.astern = heading.step, -heading.step
        self.weights = {
            point + step: weight * STRESS[sum(free >> point & 1 for free in ahead)]
            for point, weight in self.weights.items()
        }

    def slip(self, water: Points) -> None:
        """After a silence: every line of open water."""
        self.astern = 0
        after: Weights = {}
        for point, weight in self.weights.items():
            for end, odds in lines_from(point, self.silence, water):
                after[end] = after.get(end, 0.0) + weight * odds
        self.weights = after

    def surface(self) -> None:
        """After a surfacing all ways are open again."""
        self.astern = 0

    def keep(self, possible: Points) -> None:
        """Only these points are possible."""
        self.weights = within(self.weights, possible)
