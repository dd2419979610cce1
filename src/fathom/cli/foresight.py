"""Looking some courses ahead: room to sail, and what the engineer will have to cross out."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from fathom.engine.ground import Ground
from fathom.engine.secrecy import View
from fathom.points import Points, reach, shift
from fathom.rules.sheet import Sheet
from fathom.words import HEADINGS, Heading, Kind

DEPTH: Final = 4
STUCK: Final = -6.0
HURT: Final = 12.0
BREAKS: Final = {Kind.RED: 2.5, Kind.GREEN: 2.0, Kind.YELLOW: 2.0}
"""What it costs to have weapons, detection or silence out of order."""


class EngineRoom:
    """The engineer's sheet as masks: what a mark brings about, and how bad a sheet looks."""

    def __init__(self, sheet: Sheet | None) -> None:
        self.symbols = sheet.symbols if sheet else ()
        self.names = [symbol.name for symbol in self.symbols]
        self.panels = {
            heading: self.mask(s.panel is heading for s in self.symbols) for heading in Heading
        }
        self.kinds = {kind: self.mask(s.kind is kind for s in self.symbols) for kind in Kind}
        self.circuits = [
            self.mask(s.circuit == name for s in self.symbols)
            for name in (sheet.circuits if sheet else ())
        ]
        self.limits = [*filter(None, (*self.panels.values(), self.kinds[Kind.RADIATION]))]
        """What does damage when it is all crossed out."""
        self.total = lru_cache(20_000)(self.work_out_total)
        self.best_mark = lru_cache(20_000)(self.work_out_best_mark)
        self.trouble = lru_cache(20_000)(self.work_out_trouble)

    @staticmethod
    def mask(held: Iterable[bool]) -> int:
        """The set of the places where it holds."""
        return sum(1 << place for place, holds in enumerate(held) if holds)

    def broken(self, crossed: int, kind: Kind) -> bool:
        """Whether the systems of this colour are out of order."""
        return bool(crossed & self.kinds[kind])

    def outcome(self, crossed: int, mark: int) -> tuple[float, int]:
        """What a mark costs in damage, and the sheet after it."""
        after = crossed | mark
        for circuit in self.circuits:
            if circuit & mark and not circuit & ~after:
                return 0.0, after & ~circuit
        if any(not limit & ~after for limit in self.limits):
            return HURT, 0
        return 0.0, after

    def work_out_total(self, crossed: int, mark: int) -> float:
        """What a mark costs at once and leaves behind."""
        cost, after = self.outcome(crossed, mark)
        return cost + self.trouble(after)

    def work_out_best_mark(self, heading: Heading, crossed: int) -> tuple[float, int]:
        """What the best mark for a course costs, and the sheet after it."""
        free = self.panels[heading] & ~crossed
        marks = [1 << place for place in range(free.bit_length()) if free >> place & 1]
        if not marks:
            return 0.0, crossed
        return self.outcome(crossed, min(marks, key=lambda mark: self.total(crossed, mark)))

    def work_out_trouble(self, crossed: int) -> float:
        """How bad the sheet looks: systems out of order, panels and radiation nearly full."""
        broken = sum(cost for kind, cost in BREAKS.items() if self.broken(crossed, kind))
        fill = [(crossed & limit).bit_count() / limit.bit_count() for limit in self.limits]
        return broken + sum(3.0 * share**3 for share in fill)

    def best_symbol(self, crossed: int, offered: Sequence[str | None]) -> str | None:
        """The symbol that is crossed out with the least trouble."""
        marks = {name: 1 << self.names.index(name) for name in offered if name is not None}
        return min(marks, key=lambda name: self.total(crossed, marks[name]), default=None)


class Foresight:
    """One crew's look ahead. It knows its own sheets, and nothing of the enemy."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.room = EngineRoom(ground.setup.sheet)

    def prospect(self, seen: View, heading: Heading) -> float:
        """What is to be expected after this course."""
        if seen.helm is None:
            return 0.0
        at = seen.helm.at + heading.step
        cost, crossed = self.room.best_mark(heading, seen.engine.crossed if seen.engine else 0)
        return self.look(self.open_water(seen) & ~(1 << at), at, crossed, DEPTH - 1) - cost

    def after_surfacing(self, seen: View, at: int) -> float:
        """The same with a fresh route and a clean sheet."""
        mines = seen.helm.mines if seen.helm and self.ground.book.own_mine_blocks else 0
        water = self.ground.water & ~seen.public.lava & ~mines & ~(1 << at)
        return self.look(water, at, 0, DEPTH)

    def open_water(self, seen: View) -> Points:
        """Where the submarine may still sail."""
        helm = seen.helm
        if helm is None:
            return 0
        mines = helm.mines if self.ground.book.own_mine_blocks else 0
        return self.ground.water & ~(helm.covered | seen.public.lava | mines)

    def look(self, water: Points, at: int, crossed: int, depth: int) -> float:
        """The best that the next courses can bring."""
        if depth == 0:
            return size(water, at) - self.room.trouble(crossed)
        best = STUCK
        for heading in HEADINGS:
            ahead = shift(1 << at, heading.step)
            if not ahead & water:
                continue
            cost, marked = self.room.best_mark(heading, crossed)
            further = self.look(water & ~ahead, at + heading.step, marked, depth - 1)
            best = max(best, further - cost)
        return best


def size(water: Points, at: int) -> float:
    """How much water lies within eight courses, up to a point."""
    return min(24, reach(1 << at, 8, water).bit_count()) / 4
