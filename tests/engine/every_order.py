"""Every order that could be given at a table, sensible or not."""

from collections.abc import Iterator
from itertools import product

from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    DeclareLost,
    DetonateOldMine,
    Dive,
    DrawFirst,
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
from fathom.points import LETTERS, Point, parse
from fathom.rules.chart import Chart
from fathom.rules.setup import Setup
from fathom.words import CREWS, HEADINGS, SYSTEMS

UNKNOWN_SYMBOLS = ("", "W0", "W9", "w1", "N", "X1")
FAR_AWAY = "O15"
LAST_ROW = 15


def every_order(setup: Setup) -> list[AnyOrder]:
    """Every well-formed order, but for tracing, judging and writing."""
    return [
        *aimed_orders(setup.chart),
        *sailing_orders(),
        *system_orders(),
        *sonar_answers(setup.chart),
        *crossings_out(setup),
        *plain_orders(),
    ]


def aimed_orders(chart: Chart) -> Iterator[AnyOrder]:
    """Every order that names a point, for points on the chart and off it."""
    for kind in (Place, LayMine, TriggerMine, FireTorpedo, DetonateOldMine):
        for point in points(chart):
            yield kind(point)


def points(chart: Chart) -> Iterator[Point]:
    """All points of the chart, land too, those just off it, and one far away."""
    for letter, row in product(
        LETTERS[: chart.across + 1], range(1, min(chart.down + 2, LAST_ROW + 1))
    ):
        yield parse(f"{letter}{row}")
    yield parse(FAR_AWAY)


def sailing_orders() -> Iterator[AnyOrder]:
    """Courses, and silences of any distance, with a heading and without."""
    yield from (SetCourse(heading) for heading in HEADINGS)
    for distance, heading in product(range(-1, 7), (None, *HEADINGS)):
        yield RunSilent(distance, heading)


def system_orders() -> Iterator[AnyOrder]:
    """Gauges, repairs, drones and volcanoes, by any number."""
    yield from (RepairSystem(system) for system in SYSTEMS)
    yield from (Charge(system) for system in (None, *SYSTEMS))
    yield from (LaunchDrone(sector) for sector in range(-1, 11))
    yield from (NameVolcano(volcano) for volcano in range(4))


def sonar_answers(chart: Chart) -> Iterator[AnyOrder]:
    """Every combination of facts, with facts left out and facts that don't exist."""
    rows = (None, *range(chart.down + 2))
    columns = (None, "", "a", *LETTERS[: chart.across + 1])
    sectors = (None, *range(chart.sector_count + 2))
    yield from (AnswerSonar(*facts) for facts in product(rows, columns, sectors))
    yield AnswerTruly("row")
    yield AnswerTruly("column")


def crossings_out(setup: Setup) -> Iterator[AnyOrder]:
    """Every symbol, some that are not on the sheet, and the pretended mark."""
    known = [symbol.name for symbol in setup.sheet.symbols] if setup.sheet else []
    yield from (CrossOut(symbol) for symbol in (None, *known, *UNKNOWN_SYMBOLS))


def plain_orders() -> Iterator[AnyOrder]:
    """Orders that name nothing, and the referee's."""
    for kind in (Dive, Surface, EndTurn, ResumePlay, Resign, UseSonar, ReportReady):
        yield kind()
    for crew in CREWS:
        yield DrawFirst(crew)
        yield DeclareLost(crew)
        yield DeclareLost(crew, "end.time")


WRITING: tuple[AnyOrder, ...] = (
    DrawLine(((0, 0), (10, 0), (10, 10))),
    PutMark(0, -20, "cross"),
    WriteNote(5, 5, "C4?"),
    SlideSheet(-1, 2),
    NewSheet(),
    WipeSheet(),
)
"""Sensible uses of the transparent sheet."""

GOOD_JUDGEMENTS = tuple(
    JudgeTrace(bad) for bad in ((), (1,), (4,), (1, 3), (2, 3, 4), (1, 2, 3, 4))
)
BAD_JUDGEMENTS = tuple(JudgeTrace(bad) for bad in ((0,), (5,), (2, 1), (1, 1)))


def badly_signed(section: int, stroke: tuple[tuple[int, int], ...]) -> Iterator[TraceSection]:
    """A section traced without a line, or signed with what are no initials."""
    yield TraceSection(section, (), "AB")
    yield TraceSection(section, stroke[:1], "AB")
    yield from (TraceSection(section, stroke, bad) for bad in ("", " ", "ABCDE", "A\n", " A"))


BAD_RUBBING = (Rub(-1), Rub(10_000))
"""Erasing what is not there."""
