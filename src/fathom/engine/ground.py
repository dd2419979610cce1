"""What never changes during a game, worked out once from its set-up."""

from functools import reduce
from operator import or_

from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    DetonateOldMine,
    Dive,
    DrawLine,
    EndTurn,
    FireTorpedo,
    JudgeTrace,
    LaunchDrone,
    LayMine,
    NameVolcano,
    NewSheet,
    Place,
    PutMark,
    RepairSystem,
    ReportReady,
    Resign,
    ResumePlay,
    Rub,
    RunSilent,
    SetCourse,
    SlideSheet,
    Surface,
    TraceSection,
    TriggerMine,
    UseSonar,
    WipeSheet,
    WriteNote,
)
from fathom.points import Points, blast, sector_of
from fathom.rules.rulebook import Boxes
from fathom.rules.setup import Setup
from fathom.words import (
    CAPTAIN,
    DRONE,
    ENGINEER,
    FIRST_MATE,
    HEADINGS,
    MINE,
    RADIO_OPERATOR,
    SCENARIO,
    SILENCE,
    SONAR,
    SYSTEMS,
    TORPEDO,
    ByCrew,
    Crew,
    Kind,
    Mode,
    Post,
    System,
)

NO_BOXES = (0,) * len(SYSTEMS)

CAPTAINS: tuple[type[AnyOrder], ...] = (
    Place, Dive, SetCourse, Surface, LayMine, TriggerMine, FireTorpedo, RunSilent, DetonateOldMine,
    RepairSystem, NameVolcano, AnswerSonar, AnswerTruly, EndTurn, ResumePlay, Resign,
)  # fmt: skip
RADIO_OPERATORS: tuple[type[AnyOrder], ...] = (
    DrawLine, PutMark, WriteNote, Rub, WipeSheet, SlideSheet, NewSheet,
)  # fmt: skip

ACTIVATIONS: dict[type, int] = {
    LayMine: MINE.bit,
    FireTorpedo: TORPEDO.bit,
    LaunchDrone: DRONE.bit,
    UseSonar: SONAR.bit,
    RunSilent: SILENCE.bit,
    DetonateOldMine: SCENARIO.bit,
    RepairSystem: SCENARIO.bit,
}
"""Orders that use a system, each with that system's bit."""

COLOURS: dict[System, Kind] = dict(
    zip(
        SYSTEMS, (Kind.RED, Kind.RED, Kind.GREEN, Kind.GREEN, Kind.YELLOW, Kind.YELLOW), strict=True
    )
)


class Ground:
    """The set-up, compiled: masks, tables and who may give which order."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.book = setup.book
        self.pace = setup.pace
        self.chart = setup.chart
        self.house = setup.house
        self.real_time = setup.mode is Mode.REAL_TIME
        self.tracing = self.pace.surfacing == "trace"
        self.taped = setup.house.radio_help != "paper"
        self.open_stations = setup.house.stations == "open"
        self.sinks_at = setup.goal.hull
        self.near = (
            0 if setup.goal.sudden and not self.book.sudden_death_indirect else self.book.blast_near
        )
        self.compile_sea()
        self.compile_sheet()
        self.compile_gauges()
        self.posts = setup.crews.map(
            lambda plan: tuple(sum(post.bit for post in seat.posts) for seat in plan.seats)
        )
        self.engineer_seat = ByCrew.of(lambda crew: self.seat_of(crew, ENGINEER))
        self.allowed = ByCrew.of(self.orders_by_post)
        self.orders_of = ByCrew.of(
            lambda crew: tuple(
                frozenset(kind for kind, allowed in self.allowed[crew].items() if allowed & held)
                for held in self.posts[crew]
            )
        )
        """For each seat, the kinds of order that it may give."""
        self.held = ByCrew.of(
            lambda crew: tuple(
                (posts, self.systems_by(kinds))
                for posts, kinds in zip(self.posts[crew], self.orders_of[crew], strict=True)
            )
        )
        """For each seat its posts, and the systems of this game that it could use."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ground) and self.setup == other.setup

    __hash__ = None  # type: ignore[assignment]

    def compile_sea(self) -> None:
        """Water, special points and sectors."""
        chart = self.chart
        self.chart_points = chart.all_points
        self.water = chart.water
        self.old_mines = chart.where("m")
        self.holes = chart.where("o")
        self.thin_ice = {
            "ice": chart.water & ~self.holes,
            "ice-field": chart.where("~"),
        }.get(chart.special, 0)
        self.finish = sum(1 << point for point in chart.finish)
        self.volcanoes = chart.volcanoes
        self.lava = tuple(chart.red_points(volcano) for volcano in chart.volcanoes)
        self.repair_at = tuple(
            (blast(shore) if self.book.repair_diagonal else _beside(shore)) & chart.water
            for shore in (chart.islands_of(system) for system in SYSTEMS)
        )
        self.sectors = tuple(sector_of(point, chart.sectors_across) for point in range(16 * 16))
        self.sector_points = tuple(
            self.points_of(sector) for sector in range(chart.sector_count + 1)
        )

    def points_of(self, sector: int) -> Points:
        """All points of a sector, land included."""
        inside = self.chart.all_points
        return sum(1 << p for p in range(256) if inside >> p & 1 and self.sectors[p] == sector)

    def compile_sheet(self) -> None:
        """The engineer's sheet as masks of symbols."""
        symbols = self.setup.sheet.symbols if self.setup.sheet else ()
        self.symbols = {symbol.name: place for place, symbol in enumerate(symbols)}
        self.symbol_names = tuple(self.symbols)
        self.panels = {
            heading.value: sum(1 << i for i, s in enumerate(symbols) if s.panel is heading)
            for heading in HEADINGS
        }
        circuits = self.setup.sheet.circuits if self.setup.sheet else ()
        self.circuits = {
            name: sum(1 << i for i, s in enumerate(symbols) if s.circuit == name)
            for name in circuits
        }
        of_kind = {
            kind: sum(1 << i for i, s in enumerate(symbols) if s.kind is kind) for kind in Kind
        }
        self.radiation = of_kind[Kind.RADIATION]
        self.circuit_of = tuple(symbol.circuit for symbol in symbols)
        self.panel_of = tuple(self.panels[symbol.panel.value] for symbol in symbols)
        self.kind_of = tuple((of_kind[symbol.kind], symbol.kind) for symbol in symbols)
        """For each symbol all that are of its kind, and the kind."""
        self.weapon_symbols = of_kind[Kind.RED]
        self.colours = tuple(
            (of_kind[kind], sum(system.bit for system in SYSTEMS if COLOURS[system] is kind))
            for kind in (Kind.RED, Kind.GREEN, Kind.YELLOW)
        )
        """For each colour its symbols, and the systems that they break (breakdown.kinds)."""
        self.all_symbols = (1 << len(symbols)) - 1

    def compile_gauges(self) -> None:
        """How many boxes each gauge has, what may be charged, and what systems cost."""
        gauges: Boxes = self.pace.gauges
        scenario = self.chart.gauge if self.chart.special in ("old-mines", "damaged") else 0
        self.boxes = (
            gauges.mine,
            gauges.torpedo,
            gauges.drone,
            gauges.sonar,
            gauges.silence,
            scenario,
        )
        self.gauged = sum(1 << place for place, boxes in enumerate(self.boxes) if boxes)
        self.volcano_gauge = self.chart.gauge if self.chart.special == "volcanoes" else 0
        energy = self.book.energy
        self.energy = energy.boxes if energy else 0
        self.costs = (0, energy.torpedo, 0, energy.sonar, energy.silence, 0) if energy else NO_BOXES
        self.affordable = tuple(
            sum(s.bit for s in self.book.systems if self.costs[s.index] <= level)
            for level in range(self.energy + 1)
        )
        """For each level of energy, the systems that it pays for (energy.gauge)."""
        self.systems = sum(system.bit for system in self.book.systems) | (
            System.SCENARIO.bit if scenario else 0
        )
        self.in_service = System.SCENARIO.bit if self.chart.special == "damaged" else self.systems

    def orders_by_post(self, crew: Crew) -> dict[type, int]:
        """For each kind of order, the posts that may give it (crew.orders, system.who)."""
        shy = self.setup.crews[crew].shy_mate
        detection = CAPTAIN.bit if shy else sum(post.bit for post in self.book.detection_by)
        everyone = sum(post.bit for post in Post)
        return {
            **dict.fromkeys(CAPTAINS, CAPTAIN.bit),
            **dict.fromkeys(RADIO_OPERATORS, RADIO_OPERATOR.bit),
            **dict.fromkeys((LaunchDrone, UseSonar), detection),
            Charge: FIRST_MATE.bit,
            **dict.fromkeys((CrossOut, ReportReady, JudgeTrace), ENGINEER.bit),
            TraceSection: everyone,
        }

    def systems_by(self, kinds: frozenset[type]) -> int:
        """The systems that can be used by giving these kinds of order."""
        used = (system for order, system in ACTIVATIONS.items() if order in kinds)
        return reduce(or_, used, 0) & self.systems

    def seat_of(self, crew: Crew, post: Post) -> int:
        """The number of the seat that holds ``post``, or 0 where nobody does."""
        return next((n for n, posts in enumerate(self.posts[crew]) if posts & post.bit), 0)


def _beside(shore: Points) -> Points:
    return shore | shore << 1 | shore >> 1 | shore << 16 | shore >> 16
