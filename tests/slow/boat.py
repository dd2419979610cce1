"""One crew's sheets, and what can be read off them."""

from dataclasses import dataclass, field
from typing import Literal

from fathom.rules.setup import Setup
from fathom.rules.sheet import Symbol
from fathom.words import Crew, Heading, Kind, Mode, Post, System
from tests.slow.sea import ColumnRow

COLOURS = {
    System.MINE: Kind.RED,
    System.TORPEDO: Kind.RED,
    System.DRONE: Kind.GREEN,
    System.SONAR: Kind.GREEN,
    System.SILENCE: Kind.YELLOW,
    System.SCENARIO: Kind.YELLOW,
}
"""What each system's circuits look like (breakdown.kinds)."""


@dataclass
class SlowTrace:
    """The hull of a surfaced submarine (surface.trace)."""

    holder: int
    """The seat that holds the sheet."""
    drawn: dict[int, bool] = field(default_factory=dict)
    """For every section traced so far, whether it stayed in its band."""
    good: bool = False
    ready: bool = False


class SlowBoat:
    """One submarine and its crew."""

    def __init__(self, setup: Setup, crew: Crew) -> None:
        self.crew = crew
        self.setup = setup
        self.seats = [set(seat.posts) for seat in setup.crews[crew].seats]
        self.shy_mate = setup.crews[crew].shy_mate
        # The captain's chart
        self.at: ColumnRow | None = None
        self.route: list[ColumnRow] = []
        self.mines: set[ColumnRow] = set()
        self.unarmed: set[ColumnRow] = set()
        self.dived = False
        self.surfaced = False
        self.trace: SlowTrace | None = None
        # The first mate's sheet. All begins empty (start.empty).
        self.boxes = gauge_sizes(setup)
        self.filled = dict.fromkeys(self.boxes, 0)
        self.in_service = set(self.boxes)
        if setup.chart.special == "damaged":
            self.in_service = {System.SCENARIO}
        self.energy = 0
        self.damage = 0
        # The engineer's sheet
        self.crossed: set[str] = set()
        # What is due, and what has been done since the last course
        self.charge_due: Literal["", "box", "empty"] = ""
        self.cross_due: Heading | Literal["", "radiation", "empty"] = ""
        self.used_system = False
        self.course_must_come_first = False

    def copy(self) -> "SlowBoat":
        """The same sheets on other paper."""
        twin = SlowBoat.__new__(SlowBoat)
        vars(twin).update(vars(self))
        for name in ("route", "mines", "unarmed", "filled", "in_service", "crossed"):
            setattr(twin, name, vars(self)[name].copy())
        if self.trace is not None:
            old = self.trace
            twin.trace = SlowTrace(old.holder, dict(old.drawn), old.good, old.ready)
        return twin

    def seat_of(self, post: Post) -> int:
        """The number of the seat that holds the post."""
        return next(number for number, posts in enumerate(self.seats) if post in posts)

    # The captain's chart

    @property
    def place(self) -> ColumnRow:
        """Where the submarine is, once its start is marked."""
        assert self.at is not None
        return self.at

    def start_at(self, place: ColumnRow) -> None:
        """The starting point counts as route (start.empty)."""
        self.at = place
        self.route = [place]

    def sail_to(self, place: ColumnRow) -> None:
        """One more point of the route."""
        self.at = place
        self.route.append(place)

    def armed_mines(self) -> set[ColumnRow]:
        """Mines that may be triggered (mine.armed)."""
        return self.mines - self.unarmed

    # The first mate's gauges

    def chargeable(self) -> list[System]:
        """Gauges in service with an empty box (charge.full)."""
        return [s for s in self.boxes if s in self.in_service and self.filled[s] < self.boxes[s]]

    def charged(self, system: System) -> bool:
        """Whether there is enough to use the system (system.charged, energy.gauge)."""
        if self.setup.book.energy:
            return self.energy >= self.cost(system)
        return self.filled[system] == self.boxes[system]

    def spend(self, system: System) -> None:
        """Using a system empties its gauge, or takes its energy (system.spent, energy.gauge)."""
        if self.setup.book.energy:
            self.energy -= self.cost(system)
        else:
            self.filled[system] = 0

    def cost(self, system: System) -> int:
        """The energy that a system takes in the family game."""
        energy = self.setup.book.energy
        assert energy is not None
        costs = {
            System.SONAR: energy.sonar,
            System.SILENCE: energy.silence,
            System.TORPEDO: energy.torpedo,
        }
        return costs[system]

    # The engineer's sheet

    def symbols(self) -> tuple[Symbol, ...]:
        """All symbols; none without an engineer."""
        return self.setup.sheet.symbols if self.setup.sheet else ()

    def intact(self, system: System) -> bool:
        """Whether no symbol of the system's colour is crossed out (breakdown.kinds)."""
        return not self.broken(COLOURS[system])

    def broken(self, kind: Kind) -> bool:
        """Whether a symbol of this kind is crossed out."""
        return any(symbol.kind is kind for symbol in self.symbols() if symbol.name in self.crossed)

    def free_symbols(self) -> list[str]:
        """What the engineer may cross out now (breakdown.cross, breakdown.misuse)."""
        free = [symbol for symbol in self.symbols() if symbol.name not in self.crossed]
        if self.cross_due == "radiation":
            return [symbol.name for symbol in free if symbol.kind is Kind.RADIATION]
        return [symbol.name for symbol in free if symbol.panel is self.cross_due]

    def cross_out(self, name: str) -> str | None:
        """Cross a symbol out; tells the circuit that is mended thereby, or ``damage``."""
        self.crossed.add(name)
        symbol = next(symbol for symbol in self.symbols() if symbol.name == name)
        circuit = {s.name for s in self.symbols() if s.circuit and s.circuit == symbol.circuit}
        if circuit and circuit <= self.crossed:
            # A mark that completes a circuit repairs only (repair.circuit, repair.first).
            self.crossed -= circuit
            return symbol.circuit
        panel = {s.name for s in self.symbols() if s.panel is symbol.panel}
        radiation = {s.name for s in self.symbols() if s.kind is Kind.RADIATION}
        if panel <= self.crossed or radiation <= self.crossed:
            # Both at once are one damage (damage.panel, damage.radiation, repair.first).
            self.crossed.clear()
            return "damage"
        return None

    def marks_due(self) -> bool:
        """Whether captain's orders wait for first mate or engineer (move.acknowledge)."""
        return bool(self.charge_due or self.cross_due)

    def owe_marks(self, heading: Heading) -> None:
        """After a course: one box, and one symbol of its panel (charge.one, breakdown.cross)."""
        if self.setup.book.acknowledge:
            self.charge_due = "box"
            self.cross_due = heading


def gauge_sizes(setup: Setup) -> dict[System, int]:
    """Every gauge that the first mate can charge, with its boxes (charge.sizes, scenario.gauge)."""
    if setup.book.energy:
        return {}
    pace = setup.book.real_time if setup.mode is Mode.REAL_TIME else setup.book.turn_by_turn
    sizes = {
        System.MINE: pace.gauges.mine,
        System.TORPEDO: pace.gauges.torpedo,
        System.DRONE: pace.gauges.drone,
        System.SONAR: pace.gauges.sonar,
        System.SILENCE: pace.gauges.silence,
    }
    # The volcanoes' gauge is not the first mate's (scenario.volcanoes).
    if setup.chart.special in ("old-mines", "damaged"):
        sizes[System.SCENARIO] = setup.chart.gauge
    return sizes
