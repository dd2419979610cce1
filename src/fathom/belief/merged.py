"""A rough belief: the points where a submarine can be, whatever way it came there.

It forgets the route, so after some silences it holds far more points than need be; the true one is
always among them. It is cheap, and plays like a radio operator who draws no lines.
"""

from fathom.belief.evidence import Belief
from fathom.belief.minefield import Lay
from fathom.belief.route import LegMoment, in_line
from fathom.points import Points, blast, shift
from fathom.words import Heading


class Cloud:
    """The possible points of one submarine, and nothing of how it came there."""

    exact = False

    def __init__(self, starts: Points, silence: tuple[int, int]) -> None:
        self.possible = starts
        self.silence = silence
        self.lays: list[Lay] = []

    def sail(self, heading: Heading, water: Points) -> None:
        self.possible = shift(self.possible, heading.step) & water

    def run_silent(self, water: Points) -> None:
        self.possible = in_line(self.possible, self.silence, water)

    def see(self, points: Points) -> None:
        self.possible &= points

    def surface(self) -> None:
        """There is no route to forget."""

    def lay(self, room: Points) -> Lay:
        lay = Lay(LegMoment(0, 0), blast(self.possible) & room)
        self.lays.append(lay)
        return lay

    def had_room(self, room: Points, *, to_sail: bool) -> None:
        """That tells little without the route."""

    def burst(self, at: int, lays: tuple[Lay, ...]) -> None:  # noqa: ARG002 (a rough belief looks at no route)
        if len(lays) == 1:
            self.lays.remove(lays[0])

    def exploded(self, first: Points, everything: Points, *, chain: bool) -> None:
        self.buried(first | (blast(everything) if chain else 0))

    def buried(self, lava: Points) -> None:
        for lay in self.lays:
            lay.living &= ~lava
        self.lays = [lay for lay in self.lays if lay.living]

    def may_lie(self, lay: Lay) -> Points:
        return lay.living


class Merged(Belief):
    """Where one crew's submarine can be, by its position alone."""

    def follower(self, starts: Points) -> Cloud:
        return Cloud(starts, self.silences)
