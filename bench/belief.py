"""Following a submarine by ear: the exact belief beside two peers, on the same recorded games.

All three hear the same announcements through the same code and differ only in who follows the
submarine: by witnesses (exact), by position alone, or by every pair of a point and the set of
points covered on the way there.
"""

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from time import process_time
from typing import Any

from bench.recording import OrderHeard, Record, Recorder, long_game
from bench.table import print_lines
from fathom.belief.evidence import Belief
from fathom.belief.merged import Cloud, Merged
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import SilenceHeard, Surfaced
from fathom.engine.game import new_game
from fathom.points import Points, bits, collect
from fathom.words import CREWS, HEADINGS, Crew, Heading

CHARTS = ("alpha-15", "bravo-15", "charlie-15", "delta-15")
GAMES, COURSES = 5, 60
SILENCES = 5
MOST_PAIRS = 10_000
"""With more pairs than these the enumerator gives up until the next surfacing."""

Covered = frozenset[int]
HEADER = ("chart and tracker", "updates/s", "mean ms", "p99 ms", "max ms", "points left", "exact")


class Pairs(Cloud):
    """Every point with every set of points covered on the way there, as plain sets."""

    def __init__(self, starts: Points, silence: tuple[int, int]) -> None:
        super().__init__(starts, silence)
        self.exact = True
        self.routes: dict[int, set[Covered]] = {}
        self.surface()

    def sail(self, heading: Heading, water: Points) -> None:
        """Every pair one point on."""
        super().sail(heading, water)
        ahead = [
            (at + heading.step, covered | {at + heading.step})
            for at, covered in self.pairs()
            if self.free(at + heading.step, covered, water)
        ]
        self.take(ahead)

    def run_silent(self, water: Points) -> None:
        """Every pair along every line."""
        super().run_silent(water)
        self.take(end for at, covered in self.pairs() for end in self.lines(at, covered, water))

    def see(self, points: Points) -> None:
        """Only the pairs on these points."""
        super().see(points)
        self.routes = {at: kept for at, kept in self.routes.items() if points >> at & 1}

    def surface(self) -> None:
        """Begin again with what is possible; if it had given up, that is too much."""
        self.routes = {at: {frozenset({at})} for at in bits(self.possible)}

    def pairs(self) -> Iterator[tuple[int, Covered]]:
        """One after another."""
        return ((at, covered) for at, routes in self.routes.items() for covered in routes)

    @staticmethod
    def free(at: int, covered: Covered, water: Points) -> bool:
        """Whether the point can be entered."""
        return at >= 0 and bool(water >> at & 1) and at not in covered

    def lines(self, at: int, covered: Covered, water: Points) -> Iterator[tuple[int, Covered]]:
        """Where a silence may lead, and what is covered then."""
        least, most = self.silence
        if least == 0:
            yield at, covered
        for heading in HEADINGS:
            point, way = at, covered
            for distance in range(1, most + 1):
                point += heading.step
                if not self.free(point, way, water):
                    break
                way |= {point}
                if distance >= least:
                    yield point, way

    def take(self, pairs: Iterable[tuple[int, Covered]]) -> None:
        """Collect the pairs; give up if they are too many, and know positions only."""
        routes: dict[int, set[Covered]] = {}
        for number, (at, covered) in enumerate(pairs):
            if number == MOST_PAIRS:
                self.exact, routes = False, {}
                break
            routes.setdefault(at, set()).add(covered)
        self.routes = routes
        if routes:
            self.possible = collect(routes)


class EnumeratedBelief(Belief):
    """Belief by the enumerator."""

    def follower(self, starts: Points) -> Pairs:
        """Who follows the submarine."""
        return Pairs(starts, self.silences)


BeliefMaker = Callable[[CompiledSetup, Crew], Any]
"""Makes a belief about a crew."""


def in_core(ground: CompiledSetup, target: Crew) -> Any:
    """The exact belief inside the fast core."""
    return import_module("fathom.core.belief").CoreBelief(ground.setup, target)


TRACKERS: Mapping[str, BeliefMaker] = {
    "exact": Belief,
    "exact, in the fast core (C++)": in_core,
    "by position alone": Merged,
    "all pairs": EnumeratedBelief,
}


@dataclass
class TrackerFigures:
    """What was measured of one tracker."""

    times: list[float] = field(default_factory=list)
    """CPU seconds of each update: news of the submarine that is followed."""
    left: list[int] = field(default_factory=list)
    """Points left after each order, once there have been five silences since the last surfacing."""
    exact: int = 0
    """Updates after which the set was known to be exact."""

    def cells(self, name: str) -> tuple[str, ...]:
        """As a line of the table."""
        ordered, count = sorted(self.times), len(self.times)
        return (
            name,
            f"{count / sum(ordered):,.0f}",
            f"{1e3 * sum(ordered) / count:.3f}",
            f"{1e3 * ordered[int(0.99 * count)]:.2f}",
            f"{1e3 * ordered[-1]:.1f}",
            f"{sum(self.left) / len(self.left):.1f}" if self.left else "-",
            f"{100 * self.exact / count:.0f} %",
        )


def follow(figures: TrackerFigures, belief: Any, record: Record) -> None:
    """Let a belief hear a whole game, and measure it."""
    silences = 0
    for heard in record:
        spent, concerned = hear(belief, heard)
        assert belief.possible >> heard.at[belief.target] & 1, "the truth was ruled out"
        if not concerned:
            continue
        figures.times.append(spent)
        figures.exact += belief.exact
        if isinstance(heard.news[0], SilenceHeard):
            silences += 1
        if isinstance(heard.news[0], Surfaced):
            silences = 0
        if silences >= SILENCES:
            figures.left.append(belief.possible.bit_count())


def hear(belief: Any, heard: OrderHeard) -> tuple[float, bool]:
    """Take in what was heard of an order: how long that took, and whether it was about them."""
    start = process_time()
    for said in heard.news:
        belief.hear(said)
    belief.settle()
    spent = process_time() - start
    return spent, any(getattr(said, "crew", None) is belief.target for said in heard.news)


def measure(kind: BeliefMaker, ground: CompiledSetup, records: list[Record]) -> TrackerFigures:
    """Follow both submarines of every game."""
    figures = TrackerFigures()
    gc.collect()
    gc.freeze()  # the recorded games are no garbage of the trackers
    for record in records:
        for crew in CREWS:
            follow(figures, kind(ground, crew), record)
    gc.unfreeze()
    return figures


def compare(chart: str) -> Iterator[tuple[str, ...]]:
    """Crews who only sail and hide: nothing but the route tells where they are."""
    setup = long_game(chart)
    ground = new_game(setup).ground
    records = [Recorder(setup, n, busy=0, mines=False).play(COURSES) for n in range(GAMES)]
    for name, kind in TRACKERS.items():
        try:
            yield measure(kind, ground, records).cells(f"{chart}, {name}")
        except ImportError as missing:
            yield f"{chart}, {name}", f"not installed ({missing})"


def stress(chart: str) -> tuple[str, ...]:
    """The worst that crews can do: silence and mines after every course, with gauges of one box."""
    setup = long_game(chart, boxes=1)
    records = [Recorder(setup, n, busy=0.5, mines=True).play(COURSES) for n in range(GAMES)]
    return measure(Belief, new_game(setup).ground, records).cells(f"{chart}, exact")


def print_belief() -> None:
    """Measure and print both tables."""
    print(
        f"\nFollowing a submarine by ear: {2 * GAMES} routes of up to {COURSES} courses a chart."
        f"\nPoints left after {SILENCES} or more silences; beyond {MOST_PAIRS:,} the pairs give up"
        " and know positions only.\n"
    )
    print_lines([HEADER, *(line for chart in CHARTS for line in compare(chart))])
    print(
        "\nThe same with silence, mines and weapons after every course: the search is cut short.\n"
    )
    print_lines([HEADER, *map(stress, CHARTS)])
