"""A heard route: courses are rigid, silences and surfacings are joints.

Between two joints the shape of a route is known exactly and only its place is not: that is a
``Leg``. A ``LegMoment`` is what later facts may refer to, such as the laying of a mine.
"""

from typing import Final, Literal, NamedTuple

from fathom.points import Points, shift
from fathom.words import HEADINGS

ANCHOR: Final = 256
"""A shape's last point stands at this bit, so that offsets to the north and west fit below it."""

STEPS: Final = tuple(heading.step for heading in HEADINGS)

Past = tuple[Points, tuple[int, ...]]
"""A dive up to the end of one leg: the points covered, and where each leg before ended."""

Joint = Literal["start", "silence", "surfacing"]


class LegMoment:
    """A moment of a leg: where the submarine was then, and what it has covered since."""

    __slots__ = ("after", "leg", "number", "offset")

    def __init__(self, leg: int, number: int) -> None:
        self.number = number
        """Later moments have higher numbers."""
        self.leg = leg
        """The leg's place in the route."""
        self.offset = 0
        """From the leg's last point back to where the submarine was."""
        self.after: Points = 0
        """The leg's points since then, relative to its last one."""

    def sail(self, step: int) -> None:
        """One more course in the same leg."""
        self.offset -= step
        self.after = shift(self.after, -step) | 1 << ANCHOR


class Leg:
    """The courses between two joints: a rigid shape, and where it may end."""

    __slots__ = ("closed", "ends", "first", "joint", "pasts", "shape", "water")

    def __init__(self, joint: Joint, ends: Points, water: Points) -> None:
        self.joint = joint
        """How the route came to the leg's first point."""
        self.shape: Points = 1 << ANCHOR
        """The points of the leg, relative to its last one."""
        self.first = 0
        """From the last point back to the first."""
        self.ends = ends
        """Where the last point may be; exact once the leg is closed."""
        self.water = water
        """What a silence at the leg's beginning could move through."""
        self.closed: dict[int, tuple[int, ...]] = {}
        """For a leg that ended with a surfacing: to each end one history that led there."""
        self.pasts: dict[int, list[Past] | None] = {}
        """For a closed leg: to each end all that its dive can have been, where that is little."""

    def sail(self, step: int, water: Points) -> None:
        """One more course."""
        self.shape = shift(self.shape, -step) | 1 << ANCHOR
        self.first -= step
        self.ends = shift(self.ends, step) & water

    def points(self, end: int) -> Points:
        """The leg's points when it ends here."""
        return self.shape >> (ANCHOR - end)


def placed(shape: Points, end: int) -> Points:
    """A shape relative to a leg's last point, with that point here."""
    return shape >> (ANCHOR - end)


def between(one: int, other: int) -> Points:
    """The points strictly between two points of the same row or column."""
    low, high = (one, other) if one < other else (other, one)
    step = 1 if high - low < 16 else 16
    mask = 0
    for point in range(low + step, high, step):
        mask |= 1 << point
    return mask


def in_line(points: Points, silence: tuple[int, int], water: Points) -> Points:
    """Where silences from these points can lead, the route left aside."""
    least, most = silence
    reached = points if least == 0 else 0
    for step in STEPS:
        line = points
        for distance in range(1, most + 1):
            line = shift(line, step) & water
            if distance >= least:
                reached |= line
    return reached


class Witness(NamedTuple):
    """One history that explains all that was heard: it shows that a point is possible."""

    covered: Points
    """The route since the last surfacing."""
    joints: tuple[int, ...] = ()
    """Where each earlier leg ended."""
    mines: Points = 0
    """Where the submarine's living mines lie in this history."""
