"""The engineer's sheet looked at ahead: what each mark brings about, and how bad a sheet is."""

from functools import lru_cache
from typing import Final, NamedTuple

from fathom.engine.ground import Ground
from fathom.rules.setup import Setup
from fathom.words import HEADINGS

BREAKDOWN: Final = 8.0
"""What a damage of one's own making costs: it also frees the sheet."""
OUTAGE: Final = (0.12, 0.05, 0.08)
"""What it costs for one course to have weapons, detection or silence out of order."""
CROWDED: Final = 0.25
"""What a panel costs that is full but for one symbol."""
WEAPONS: Final = 1
"""The bit of weapons in what is out of order."""


class Mark(NamedTuple):
    """A symbol that could be crossed out, and what comes of it."""

    symbol: int
    crossed: int
    """The sheet afterwards."""
    hurt: int
    cost: float
    """What it costs at once, and how bad the sheet is then."""
    out: int
    """The colours out of order then: bit 0 weapons, 1 detection, 2 silence and the scenario's."""


class EngineRoom:
    """One engineer's sheet; without one every course is free."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self.panels = tuple(ground.panels.get(heading.value, 0) for heading in HEADINGS)
        self.circuits = tuple(ground.circuits.values())
        self.limits = tuple(filter(None, (*self.panels, ground.radiation)))
        """What does damage when it is all crossed out."""
        self.colours = tuple(symbols for symbols, _ in ground.colours)
        self.marks = lru_cache(50_000)(self.work_out_marks)
        self.trouble = lru_cache(50_000)(self.work_out_trouble)

    def work_out_marks(self, crossed: int, heading: int) -> tuple[Mark, ...]:
        """Every mark for a course, the best first; alike ones once."""
        found: dict[tuple[int, int], Mark] = {}
        for mark in self.marks_among(crossed, self.panels[heading] & ~crossed):
            found.setdefault((mark.crossed, mark.hurt), mark)
        if not found:
            return (Mark(-1, crossed, 0, self.trouble(crossed), self.out(crossed)),)
        return tuple(sorted(found.values(), key=lambda mark: mark.cost))

    def marks_among(self, crossed: int, free: int) -> list[Mark]:
        """What each of these free symbols would bring about."""
        places = (place for place in range(free.bit_length()) if free >> place & 1)
        return [self.mark(crossed, place) for place in places]

    def mark(self, crossed: int, place: int) -> Mark:
        """What comes of crossing out one symbol."""
        after, hurt = crossed | 1 << place, 0
        mended = self.mended(after, 1 << place)
        full = any(not limit & ~after for limit in self.limits if limit >> place & 1)
        if mended and (self.ground.book.repair_first or not full):
            after &= ~mended
        elif full:
            after, hurt = 0, 1
        return Mark(place, after, hurt, BREAKDOWN * hurt + self.trouble(after), self.out(after))

    def mended(self, crossed: int, mark: int) -> int:
        """The circuit that this mark closes, if any."""
        for circuit in self.circuits:
            if circuit & mark and not circuit & ~crossed:
                return circuit
        return 0

    def out(self, crossed: int) -> int:
        """The colours out of order."""
        return sum(1 << place for place, colour in enumerate(self.colours) if crossed & colour)

    def work_out_trouble(self, crossed: int) -> float:
        """How bad a sheet is for a course: systems out of order, panels and radiation crowded."""
        out = self.out(crossed)
        broken = sum(cost for place, cost in enumerate(OUTAGE) if out >> place & 1)
        shares = [(crossed & limit).bit_count() / limit.bit_count() for limit in self.limits]
        return broken + CROWDED * sum(share**3 for share in shares)


@lru_cache(32)
def engine_room_of(setup: Setup) -> EngineRoom:
    """Games with the same set-up share it, and what it has worked out."""
    return EngineRoom(Ground(setup))
