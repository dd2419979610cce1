"""The engineer's sheet looked at ahead: what each mark brings about, and how bad a sheet is."""

from functools import lru_cache
from typing import Final, NamedTuple

from fathom.engine.compiled_setup import CompiledSetup
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


class CrossOutChoice(NamedTuple):
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

    def __init__(self, ground: CompiledSetup) -> None:
        self.ground = ground
        self.panels = tuple(ground.panels.get(heading.value, 0) for heading in HEADINGS)
        self.circuits = tuple(ground.circuits.values())
        limits = tuple(filter(None, (*self.panels, ground.radiation)))
        """What does damage when it is all crossed out."""
        places = range(sum(limits).bit_length())
        self.limits_at = tuple(tuple(limit for limit in limits if limit >> at & 1) for at in places)
        self.circuits_at = tuple(
            tuple(circuit for circuit in self.circuits if circuit >> at & 1) for at in places
        )
        self.crowds = tuple((limit, cubes(limit.bit_count())) for limit in limits)
        """How crowded each is with so many symbols crossed out."""
        self.colours = tuple((symbols, 1 << at) for at, (symbols, _) in enumerate(ground.colours))
        self.outages = tuple(cost_of_outage(out) for out in range(1 << len(self.colours)))
        self.marks = lru_cache(50_000)(self.work_out_marks)
        self.trouble = lru_cache(50_000)(self.work_out_trouble)

    def work_out_marks(self, crossed: int, heading: int) -> tuple[CrossOutChoice, ...]:
        """Every mark for a course, the best first; alike ones once."""
        found: dict[tuple[int, int], CrossOutChoice] = {}
        for mark in self.marks_among(crossed, self.panels[heading] & ~crossed):
            found.setdefault((mark.crossed, mark.hurt), mark)
        if not found:
            return (CrossOutChoice(-1, crossed, 0, self.trouble(crossed), self.out(crossed)),)
        return tuple(sorted(found.values(), key=lambda mark: mark.cost))

    def marks_among(self, crossed: int, free: int) -> list[CrossOutChoice]:
        """What each of these free symbols would bring about."""
        places = (place for place in range(free.bit_length()) if free >> place & 1)
        return [self.mark(crossed, place) for place in places]

    def mark(self, crossed: int, place: int) -> CrossOutChoice:
        """What comes of crossing out one symbol."""
        after, hurt, cost = crossed | 1 << place, 0, 0.0
        mended = self.mended(after, place)
        full = any(not limit & ~after for limit in self.limits_at[place])
        if mended and (self.ground.book.repair_first or not full):
            after &= ~mended
        elif full:
            after, hurt, cost = 0, 1, BREAKDOWN
        return CrossOutChoice(place, after, hurt, cost + self.trouble(after), self.out(after))

    def mended(self, crossed: int, place: int) -> int:
        """The circuit that the mark on this place closes, if any."""
        for circuit in self.circuits_at[place]:
            if not circuit & ~crossed:
                return circuit
        return 0

    def out(self, crossed: int) -> int:
        """The colours out of order."""
        out = 0
        for symbols, bit in self.colours:
            if crossed & symbols:
                out |= bit
        return out

    def work_out_trouble(self, crossed: int) -> float:
        """How bad a sheet is for a course: systems out of order, panels and radiation crowded."""
        crowded = 0.0
        for limit, by_count in self.crowds:
            crowded += by_count[(crossed & limit).bit_count()]
        return self.outages[self.out(crossed)] + CROWDED * crowded


def cubes(most: int) -> tuple[float, ...]:
    """The cube of each share of so many, from none to all."""
    return tuple((count / most) ** 3 for count in range(most + 1))


def cost_of_outage(out: int) -> float:
    """What it costs for one course to have these colours out of order."""
    return sum(cost for place, cost in enumerate(OUTAGE) if out >> place & 1)


@lru_cache(32)
def engine_room_of(setup: Setup) -> EngineRoom:
    """Games with the same set-up share it, and what it has worked out."""
    return EngineRoom(CompiledSetup(setup))
