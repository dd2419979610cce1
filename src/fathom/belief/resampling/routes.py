"""Random routes and mines that explain all that was heard of a submarine."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Final, NamedTuple

from fathom.belief.evidence import Belief
from fathom.belief.minefield import Burst, ChartedRoute, KnownMines, Lay, Places, Puzzle
from fathom.belief.patience import OutOfPatience, Patience
from fathom.belief.resampling.chance import Chance, drawn, shuffled
from fathom.belief.route import STEPS, Leg, Past, Witness
from fathom.belief.search import Search
from fathom.belief.tracker import Tracker
from fathom.points import Points, bits
from fathom.words import HEADINGS, Heading

BUDGET: Final = 4_000
"""Steps of search for one part of a route; after them the belief's own witness is taken."""
HEADING_OF: Final = dict(zip(STEPS, HEADINGS, strict=True))

Silence = tuple[int, Heading | None]
"""How far a silence went, and where to; nowhere for 0 points."""


class SampledRoute(NamedTuple):
    """Where a submarine started, and each of its silences and mines in order."""

    start: int
    silences: tuple[Silence, ...] = ()
    mines: tuple[int, ...] = ()
    at: int = 0


class Stretch(NamedTuple):
    """A part of a route after which the belief does not look back."""

    legs: list[Leg]
    lays: list[Lay]
    bursts: list[Burst]
    witnesses: dict[int, Witness]


class NoRoute(Exception):
    """No route was found within the budget."""


class RememberingTracker(Tracker):
    """A tracker that keeps what it gives up."""

    def __init__(
        self, starts: Points, silence: tuple[int, int], *, blocks: bool, patience: Patience
    ) -> None:
        super().__init__(starts, silence, blocks=blocks, patience=patience)
        self.past: list[Stretch] = []

    def stretch(self) -> Stretch:
        """The part of the route that is followed now."""
        return Stretch(self.legs, self.lays, self.bursts, self.witnesses)

    def surface(self) -> None:
        """Without living mines, what was before does not matter to the belief any more."""
        if not any(lay.living for lay in self.lays):
            self.past.append(deepcopy(self.stretch()))
        super().surface()

    def forget(self) -> None:
        """The route grows too long."""
        self.past.append(deepcopy(self.stretch()))
        super().forget()


class RememberingBelief(Belief):
    """A belief from which whole routes can be drawn."""

    tracker: RememberingTracker

    def follower(self, starts: Points) -> RememberingTracker:
        """Who follows the submarine."""
        blocks = self.ground.book.own_mine_blocks
        return RememberingTracker(starts, self.silences, blocks=blocks, patience=self.patience)

    def sample_route(self, chance: Chance) -> SampledRoute:
        """A route that explains everything; its end is as likely as the weights say."""
        tracker = self.tracker
        if not tracker.witnesses:
            raise NoRoute
        even = 1 / len(tracker.witnesses)
        weights = {point: self.weights.get(point, even) for point in tracker.witnesses}
        at = end = drawn(chance, weights)
        silences: list[Silence] = []
        mines: list[int] = []
        for stretch in (tracker.stretch(), *reversed(tracker.past)):
            ends, layout = RouteDraw(stretch, self, chance).history(end)
            silences[:0] = heard_silences(stretch.legs, ends)
            mines[:0] = layout
            end = ends[0] + stretch.legs[0].first
        return SampledRoute(end, tuple(silences), tuple(mines), at)


def heard_silences(legs: list[Leg], ends: Places) -> Iterator[Silence]:
    """The silences between legs that end here."""
    for place in range(1, len(legs)):
        if legs[place].joint == "silence":
            yield silence_between(ends[place - 1], ends[place] + legs[place].first)


def silence_between(start: int, end: int) -> Silence:
    """The silence that leads from one point to another in line with it."""
    if start == end:
        return 0, None
    away = abs(end - start)
    step = 1 if away < 16 else 16
    return away // step, HEADING_OF[step if end > start else -step]


class RouteDraw:
    """Draws one history of a stretch."""

    def __init__(self, stretch: Stretch, belief: RememberingBelief, chance: Chance) -> None:
        self.stretch, self.chance = stretch, chance
        self.silence, self.blocks = belief.silences, belief.ground.book.own_mine_blocks
        self.lays = tuple(lay for lay in stretch.lays if not lay.forgotten)
        self.found: tuple[Places, list[int]] | None = None

    def history(self, end: int) -> tuple[Places, list[int]]:
        """Where each leg ended, the last one here, and where each mine was laid."""
        patience = Patience(BUDGET)
        search = ShuffledSearch(self, patience)
        try:
            search.find(end)
        except OutOfPatience:
            self.found = None
        if self.found is None:
            self.accept_known(end)
        if self.found is None:
            raise NoRoute
        return self.found

    def accept_known(self, end: int) -> None:
        """Take the belief's own witness."""
        witness = self.stretch.witnesses.get(end)
        if witness is None:
            return
        try:
            self.accept(Patience(BUDGET), (*witness.joints, end))
        except OutOfPatience:
            self.found = None

    def accept(self, patience: Patience, ends: Places) -> bool:
        """Keep a history if the mines fit."""
        legs = self.stretch.legs
        if not all(leg.ends >> end & 1 for leg, end in zip(legs, ends, strict=True)):
            return False
        field = KnownMines(self.lays, tuple(self.stretch.bursts), self.blocks, patience)
        layout = ShuffledPuzzle(ChartedRoute(legs, ends), field, self.chance).draw()
        if layout is None:
            return False
        real = [at for lay, at in zip(self.lays, layout, strict=True) if not lay.phantom]
        self.found = ends, real
        return True


class ShuffledSearch(Search):
    """The belief's search, which here takes any history instead of the first."""

    def __init__(self, drawing: RouteDraw, patience: Patience) -> None:
        super().__init__(drawing.stretch.legs, drawing.silence, patience, self.keep)
        self.drawing, self.chance = drawing, drawing.chance

    def keep(self, joints: Places, end: int, covered: Points) -> Witness | None:
        """A history, if the mines fit."""
        fits = self.drawing.accept(self.patience, (*joints, end))
        return Witness(covered, joints) if fits else None

    def silences_back(
        self, place: int, first: int, covered: Points
    ) -> Iterator[tuple[int, Points]]:
        """The same in any order."""
        yield from shuffled(self.chance, list(super().silences_back(place, first, covered)))

    def look_through(
        self, place: int, pasts: list[Past], later: Points, joints: Places, dive: Points
    ) -> Witness | None:
        """The same in any order."""
        mixed = shuffled(self.chance, pasts)
        return super().look_through(place, mixed, later, joints, dive)


class ShuffledPuzzle(Puzzle):
    """The belief's puzzle of mines, which here takes any layout instead of the first."""

    def __init__(self, path: ChartedRoute, field: KnownMines, chance: Chance) -> None:
        super().__init__(path, field)
        self.chance = chance

    def draw(self) -> list[int] | None:
        """Where each mine was laid, in one layout that fits; none if none does."""
        if not all(self.rooms):
            return None
        for exploded in self.explanations({}):
            places = [self.places(number, exploded) for number in range(len(self.rooms))]
            found = self.placed(places, exploded, {})
            if found is not None:
                return list(found.values())
        return None

    def placed(
        self, places: list[Points], exploded: dict[int, int], chosen: dict[int, int]
    ) -> dict[int, int] | None:
        """The mines, placed one after another in the order of their laying."""
        mine = len(chosen)
        if mine == len(places):
            return chosen
        free = places[mine] & ~self.taken(mine, exploded, chosen)
        for at in shuffled(self.chance, list(bits(free))):
            self.field.patience.spend(2)
            found = self.placed(places, exploded, {**chosen, mine: at})
            if found is not None:
                return found
        return None
