"""Where a submarine can be: exactly the points that some history explains.

For every possible point one history is kept that explains all that was heard, its witness. A
course moves the witnesses on; one that would cross its own wake is replaced by another history,
found by going back over the legs and silences, or the point is impossible. So the set is exact,
without ever listing all histories. Patience bounds the search: a point left undecided stays
possible, and ``exact`` says so.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from fathom.belief.minefield import Burst, ChartedRoute, KnownMines, Lay, Places, Puzzle
from fathom.belief.patience import OutOfPatience, Patience
from fathom.belief.route import STEPS, Joint, Leg, LegMoment, Witness, in_line, placed
from fathom.belief.search import Search
from fathom.points import Points, bits, blast, collect, shift
from fathom.words import Heading

LONGEST: Final = 40
"""With more legs than these, what lies far back is forgotten: no game of sense comes so far."""


class Tracker:
    """The possible points of one submarine and their witnesses."""

    def __init__(
        self, starts: Points, silence: tuple[int, int], *, blocks: bool, patience: Patience
    ) -> None:
        self.silence = silence
        """The fewest and most points of a silence."""
        self.blocks = blocks
        """Whether a mine blocks its own crew's way (move.own-mine)."""
        self.patience = patience
        self.legs = [Leg("start", starts, 0)]
        self.witnesses = {point: Witness(1 << point) for point in bits(starts)}
        self.undecided: set[int] = set()
        """Points that the search gave up on, with no witness; searched again in their order."""
        self.blurred = False
        """Whether the route began with too many points, or was forgotten in part."""
        self.lays: list[Lay] = []
        self.bursts: list[Burst] = []
        self.moments: list[LegMoment] = []
        """The moments of the current leg."""
        self.count = 0

    # What is known

    @property
    def possible(self) -> Points:
        """The points where the submarine can be."""
        return collect(self.witnesses) | collect(self.undecided)

    @property
    def exact(self) -> bool:
        """Whether every possible point has a witness; a single one must be the truth."""
        if len(self.witnesses) + len(self.undecided) == 1:
            return True
        return not self.undecided and not self.blurred

    def may_lie(self, lay: Lay) -> Points:
        """Where a mine may lie today: next to where the submarine can have been, off its route."""
        if not lay.living or lay.forgotten:
            return lay.living
        moment = lay.moment
        leg = self.legs[moment.leg]
        where = 0
        for end in bits(self.possible if leg is self.legs[-1] else leg.ends):
            route = leg.points(end)
            if not self.blocks:
                route &= ~placed(moment.after, end)
            where |= lay.around(end + moment.offset) & ~route
        return where & lay.living

    # News

    def sail(self, heading: Heading, water: Points) -> None:
        """A course was heard."""
        step = heading.step
        self.legs[-1].sail(step, water)
        for moment in self.moments:
            moment.sail(step)
        ends = self.legs[-1].ends
        old, open_still = self.witnesses, [point + step for point in sorted(self.undecided)]
        lost = []
        self.witnesses, self.undecided = {}, set()
        for point, (covered, joints, mines) in old.items():
            ahead = point + step
            if ahead < 0 or not ends >> ahead & 1:
                continue
            if (covered | mines if self.blocks else covered) >> ahead & 1:
                lost.append(ahead)
            else:
                self.witnesses[ahead] = Witness(covered | 1 << ahead, joints, mines)
        self.settle(lost + open_still)

    def run_silent(self, water: Points) -> None:
        """A silence was heard: every straight line from where the submarine can be."""
        if len(self.legs) >= LONGEST:
            self.forget()
        self.close_leg("silence", in_line(self.possible, self.silence, water), water)
        old, self.witnesses, self.undecided = self.witnesses, {}, set()
        for point, witness in old.items():
            self.slip(point, witness, water)
        missing = self.legs[-1].ends & ~collect(self.witnesses)
        self.settle(bits(missing))

    def slip(self, point: int, witness: Witness, water: Points) -> None:
        """Carry one witness on, along every line that its own route leaves open."""
        covered, joints, mines = witness
        least, most = self.silence
        blocked = covered | ~water | (mines if self.blocks else 0)
        joints = (*joints, point)
        if least == 0:
            self.witnesses.setdefault(point, Witness(covered, joints, mines))
        for step in STEPS:
            at, way = point, covered
            for distance in range(1, most + 1):
                at += step
                if at < 0 or blocked >> at & 1:
                    break
                way |= 1 << at
                if distance >= least and at not in self.witnesses:
                    self.witnesses[at] = Witness(way, joints, mines)

    def see(self, points: Points) -> None:
        """The submarine is on one of these points now."""
        self.legs[-1].ends &= points
        self.witnesses = {p: w for p, w in self.witnesses.items() if points >> p & 1}
        self.undecided = {p for p in self.undecided if points >> p & 1}

    def surface(self) -> None:
        """The submarine surfaced: its route is erased, its mines stay."""
        if not any(lay.living for lay in self.lays):
            self.lays = []
            self.begin_anew()
            return
        if len(self.legs) >= LONGEST:
            self.forget()
        self.legs[-1].closed = {point: w.joints for point, w in self.witnesses.items()}
        self.close_leg("surfacing", self.possible, 0)
        self.witnesses = {
            point: Witness(1 << point, (*w.joints, point), w.mines)
            for point, w in self.witnesses.items()
        }

    def begin_anew(self) -> None:
        """Nothing before now matters any more, but for too many points that came of it."""
        possible = self.possible
        self.blurred = not self.exact
        self.legs = [Leg("start", possible, 0)]
        self.bursts, self.moments = [], []
        self.witnesses = {point: Witness(1 << point) for point in bits(possible)}
        self.undecided = set()

    def forget(self) -> None:
        """Give up the route so far; from now on there may be points too many."""
        for lay in self.lays:
            lay.living, lay.forgotten = self.may_lie(lay), True
        self.lays = [lay for lay in self.lays if lay.living]
        self.begin_anew()
        self.blurred = True

    def close_leg(self, joint: Joint, ends: Points, water: Points) -> None:
        """The current leg is over, and its ends are known exactly now."""
        self.legs[-1].ends = self.possible
        self.moments = []
        self.legs.append(Leg(joint, ends, water))

    def now(self) -> LegMoment:
        """This moment, to be referred to later."""
        self.count += 1
        moment = LegMoment(len(self.legs) - 1, self.count)
        self.moments.append(moment)
        return moment

    # Mines

    def lay(self, room: Points) -> Lay:
        """A mine was laid somewhere next to the submarine."""
        return self.note(Lay(self.now(), room))

    def had_room(self, room: Points, *, to_sail: bool) -> None:
        """There was room to lay a mine or, in four directions only, to sail on."""
        self.note(Lay(self.now(), room, phantom=True, to_sail=to_sail))

    def note(self, lay: Lay) -> Lay:
        """Keep the witnesses that have a place for it off their route and their other mines."""
        self.lays.append(lay)
        cramped = {}
        for point, witness in self.witnesses.items():
            heeded = witness.mines if self.blocks or not lay.to_sail else 0
            places = lay.around(point) & ~witness.covered & ~heeded
            if not places:
                cramped[point] = witness
            elif not lay.phantom:
                self.witnesses[point] = witness._replace(mines=witness.mines | places & -places)
        self.recheck(cramped)
        return lay

    def burst(self, at: int, lays: tuple[Lay, ...]) -> None:
        """One of these mines exploded here: it lay here all the time."""
        if len(lays) == 1:
            lays[0].living = 0
        if any(lay.forgotten for lay in lays):
            return
        self.bursts.append(Burst(at, self.now(), lays))
        if len(lays) == 1:
            self.learn_late(lays[0].moment, blast(1 << at))
        self.recheck(self.witnesses)

    def learn_late(self, moment: LegMoment, points: Points) -> None:
        """At an earlier moment the submarine was on one of these points."""
        self.legs[moment.leg].ends &= shift(points, -moment.offset)
        for leg in self.legs[moment.leg + 1 :]:
            leg.pasts = {}

    def exploded(self, first: Points, everything: Points, *, chain: bool) -> None:
        """After explosions that set off none of the living mines: where those can't lie."""
        self.vanish(first, first | (blast(everything) if chain else 0))

    def buried(self, lava: Points) -> None:
        """Mines under the lava are gone."""
        self.vanish(lava, lava)

    def vanish(self, unheard: Points, gone: Points) -> None:
        """No mine lies on any of these points; on some it may have been destroyed unheard."""
        when = self.now()
        for lay in self.lays:
            lay.dead += [(at, when) for at in bits(lay.living & unheard)]
            lay.living &= ~gone
        self.recheck({p: w for p, w in self.witnesses.items() if w.mines & gone})

    def recheck(self, doubtful: Mapping[int, Witness]) -> None:
        """Ask these witnesses again whether the mines fit, and look for others where they don't."""
        lost, open_still, self.undecided = [], sorted(self.undecided), set()
        for point, witness in list(doubtful.items()):
            try:
                mines = self.mines_along((*witness.joints, point))
            except OutOfPatience:
                mines = None
            if mines is None:
                del self.witnesses[point]
                lost.append(point)
            else:
                self.witnesses[point] = witness._replace(mines=mines)
        self.settle(lost + open_still)

    def mines_along(self, ends: Places) -> Points | None:
        """Where the living mines lie in one layout that fits the history; none if none does."""
        lays = tuple(lay for lay in self.lays if not lay.forgotten)
        if not lays:
            return 0
        self.patience.spend()
        if not all(leg.ends >> end & 1 for leg, end in zip(self.legs, ends, strict=True)):
            return None
        field = KnownMines(lays, tuple(self.bursts), self.blocks, self.patience)
        return Puzzle(ChartedRoute(self.legs, ends), field).solve()

    # Witnesses

    def settle(self, points: Iterable[int]) -> None:
        """Find a witness for each of these points, or drop it, or leave it open."""
        ends = self.legs[-1].ends
        search = Search(self.legs, self.silence, self.patience, self.accept)
        for point in points:
            if point < 0 or not ends >> point & 1:
                continue
            try:
                witness = search.find(point)
            except OutOfPatience:
                self.undecided.add(point)
                continue
            if witness is not None:
                self.witnesses[point] = witness

    def accept(self, joints: Places, end: int, covered: Points) -> Witness | None:
        """A history as a witness, if the mines fit."""
        mines = self.mines_along((*joints, end))
        return None if mines is None else Witness(covered, joints, mines)
