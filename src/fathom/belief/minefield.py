"""The tracked crew's mines.

Each lies next to where it was laid. What explodes tells where that was; what doesn't, where not.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fathom.belief.patience import Patience
from fathom.belief.route import Leg, LegMoment, between, placed
from fathom.points import Points, bits, blast, cross

Places = tuple[int, ...]
NEVER = 1 << 30


class Lay:
    """A mine that was laid; or, as a phantom, the room there was for one or for a course."""

    __slots__ = ("armed", "dead", "forgotten", "living", "moment", "phantom", "room", "to_sail")

    def __init__(
        self, moment: LegMoment, room: Points, *, phantom: bool = False, to_sail: bool = False
    ) -> None:
        self.moment = moment
        self.room = room
        """Where a mine could be laid at all: sea, no old mine."""
        self.living = 0 if phantom else room
        """Points where it would still lie today, by what has exploded since."""
        self.dead: list[tuple[int, LegMoment]] = []
        """Points where it would have been destroyed unheard, and when."""
        self.phantom = phantom
        """There was room, but nothing was laid."""
        self.to_sail = to_sail
        """The room was one to sail to: in four directions, not eight."""
        self.armed = False
        self.forgotten = False
        """The route on which it was laid was given up: all that is left is where it may lie."""

    def around(self, at: int) -> Points:
        """The points that it can be about when the submarine is here."""
        return (cross(1 << at) if self.to_sail else blast(1 << at)) & self.room


class Burst(NamedTuple):
    """An explosion of one of the tracked crew's mines: where, when, and which it may have been."""

    at: int
    when: LegMoment
    lays: tuple[Lay, ...]


class ChartedRoute:
    """One history laid out on the chart: the points of every leg and silence."""

    def __init__(self, legs: Sequence[Leg], ends: Places) -> None:
        self.legs, self.ends = legs, ends
        self.bodies = [leg.points(end) for leg, end in zip(legs, ends, strict=True)]
        self.lines = [0] * len(legs)
        for place in range(1, len(legs)):
            if legs[place].joint == "silence":
                self.lines[place] = between(ends[place - 1], self.first(place))

    def first(self, place: int) -> int:
        """Where a leg begins."""
        return self.ends[place] + self.legs[place].first

    def at(self, moment: LegMoment) -> int:
        """Where the submarine was."""
        return self.ends[moment.leg] + moment.offset

    def covered(self, moment: LegMoment) -> Points:
        """The route since the last surfacing, as it was then."""
        place = moment.leg
        mask = self.bodies[place] & ~placed(moment.after, self.ends[place])
        while self.legs[place].joint == "silence":
            mask |= self.lines[place] | self.bodies[place - 1]
            place -= 1
        return mask

    def entered(self, since: LegMoment, until: LegMoment | None = None) -> Points:
        """The points entered after one moment, up to another or to now."""
        last = until.leg if until else len(self.legs) - 1
        mask = placed(since.after, self.ends[since.leg])
        if until is not None and until.leg == since.leg:
            return mask & ~placed(until.after, self.ends[last])
        for place in range(since.leg + 1, last + 1):
            later = placed(until.after, self.ends[last]) if until and place == last else 0
            mask |= self.newly(place) & ~later
        return mask

    def newly(self, place: int) -> Points:
        """What a leg and the silence before it entered.

        A surfacing and a silence of 0 points enter nothing: the leg begins where one is.
        """
        first = self.first(place)
        stayed = 1 << first if first == self.ends[place - 1] else 0
        return (self.bodies[place] | self.lines[place]) & ~stayed


class KnownMines(NamedTuple):
    """All that is known of the mines, apart from the route."""

    lays: tuple[Lay, ...]
    bursts: tuple[Burst, ...]
    blocks: bool
    """Whether a mine blocks its own crew's way (move.own-mine)."""
    patience: Patience


class Puzzle:
    """Which mine lay where, on one path."""

    def __init__(self, path: ChartedRoute, field: KnownMines) -> None:
        self.path, self.field = path, field
        field.patience.spend(1 + (len(path.legs) + 3 * len(field.lays)) // 2)
        self.rooms = [lay.around(path.at(lay.moment)) for lay in field.lays]
        """Where each could be laid then: next to the submarine, in the sea, off its route."""
        for number, lay in enumerate(field.lays):
            self.rooms[number] &= ~path.covered(lay.moment)

    def solve(self) -> Points | None:
        """Where the living mines lie in one layout that fits; none if none does."""
        if not all(self.rooms):
            return None
        for exploded in self.explanations({}):
            places = [self.places(number, exploded) for number in range(len(self.rooms))]
            for lying in self.layouts(places, exploded, {}):
                return lying
        return None

    def explanations(self, taken: dict[int, int]) -> Iterator[dict[int, int]]:
        """Every way to say which mine each burst was: from the mine's number to the burst's."""
        self.field.patience.spend()
        number = len(taken)
        if number == len(self.field.bursts):
            yield taken
            return
        burst = self.field.bursts[number]
        for lay in burst.lays:
            mine = self.field.lays.index(lay)
            if mine not in taken and self.could_be(mine, burst):
                yield from self.explanations({**taken, mine: number})

    def could_be(self, mine: int, burst: Burst) -> bool:
        """Whether this mine could have lain where the burst was, until then."""
        if not self.rooms[mine] >> burst.at & 1:
            return False
        laid = self.field.lays[mine].moment
        return not (self.field.blocks and self.path.entered(laid, burst.when) >> burst.at & 1)

    def places(self, mine: int, exploded: dict[int, int]) -> Points:
        """Where a mine may have been laid, apart from the other mines."""
        lay = self.field.lays[mine]
        if mine in exploded:
            return 1 << self.field.bursts[exploded[mine]].at
        if lay.phantom:
            return self.rooms[mine]
        places = lay.living
        if self.field.blocks:
            places &= ~self.path.entered(lay.moment)
        for at, when in lay.dead:
            if not (self.field.blocks and self.path.entered(lay.moment, when) >> at & 1):
                places |= 1 << at
        return places & self.rooms[mine]

    def layouts(
        self, places: list[Points], exploded: dict[int, int], chosen: dict[int, int]
    ) -> Iterator[Points]:
        """Every way to place the mines, one after another in the order of their laying."""
        mine = len(chosen)
        lays = self.field.lays
        if mine == len(lays):
            yield sum(
                1 << at
                for n, at in chosen.items()
                if n not in exploded and lays[n].living >> at & 1
            )
            return
        for at in bits(places[mine] & ~self.taken(mine, exploded, chosen)):
            self.field.patience.spend(2)
            yield from self.layouts(places, exploded, {**chosen, mine: at})

    def taken(self, mine: int, exploded: dict[int, int], chosen: dict[int, int]) -> Points:
        """Where other mines lay when this one was laid."""
        lay, mask = self.field.lays[mine], 0
        if lay.to_sail and not self.field.blocks:
            return 0
        for n, at in chosen.items():
            if lay.moment.number < self.end_of(n, at, exploded):
                mask |= 1 << at
        return mask

    def end_of(self, mine: int, at: int, exploded: dict[int, int]) -> int:
        """The moment, by its number, from which a mine no longer lies on its point."""
        lay = self.field.lays[mine]
        if lay.phantom:
            return 0
        if mine in exploded:
            return self.field.bursts[exploded[mine]].when.number
        return next((when.number for gone, when in lay.dead if gone == at), NEVER)
