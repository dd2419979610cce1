"""A chart drawn in the terminal: letters, numbers, sectors, land, and whatever lies on it.

It knows no rules: it is told which mark and which line to draw where.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from rich.text import Text

from fathom.cli.terminal import printable
from fathom.points import LETTERS, SECTOR_SIDE, Points
from fathom.rules.chart import Chart
from fathom.rules.terrain import ISLAND, SEA

EAST, WEST, SOUTH, NORTH = 1, 2, 4, 8
SIDES: Final = {1: EAST, -1: WEST, 16: SOUTH, -16: NORTH}

FRAME: Final = "grey50"
SECTOR: Final = "cyan"
INLAND: Final = "#a08a50"


class StyledGlyph(NamedTuple):
    """One point's picture: a letter, and how it is coloured."""

    glyph: str
    style: str = ""


class RouteLine(NamedTuple):
    """A route in the order in which it was sailed. Points reached in silence are dots."""

    points: Sequence[int]
    silent: Points
    glyphs: str
    """Across, down, and the corners that join south-east, south-west, north-east, north-west."""
    style: str


class Frame(NamedTuple):
    """The letters of a chart's edge, and of the dashed borders of sectors."""

    across: str
    down: str
    north_west: str
    north_east: str
    south_west: str
    south_east: str
    dash_across: str
    dash_down: str


class Pens(NamedTuple):
    """The letters that a terminal can draw with."""

    frame: Frame
    routes: tuple[str, str]
    mines: tuple[str, str]
    boxes: tuple[str, str]
    """Full and empty."""
    dot: str
    burst: str
    marks: Mapping[str, StyledGlyph]
    """How the marks of a chart file are drawn."""


LINED: Final = Pens(
    frame=Frame(*"─│┌┐└┘┈┊"),
    routes=("━┃┏┓┗┛", "═║╔╗╚╝"),
    mines=("◆", "◇"),
    boxes=("■", "□"),
    dot="•",
    burst="✶",
    marks={
        ".": StyledGlyph("·", "grey42"),
        "#": StyledGlyph("▒", INLAND),
        "o": StyledGlyph("o", "bold cyan"),
        "~": StyledGlyph("~", "cyan"),
        "m": StyledGlyph("¤", "bold magenta"),
        "V": StyledGlyph("▲", "bold red"),
        "r": StyledGlyph(":", "red"),
    },
)
ASCII: Final = Pens(
    frame=Frame(*"-|++++-:"),
    routes=("-|++++", "=!%%%%"),
    mines=("x", "X"),
    boxes=("#", "."),
    dot="'",
    burst="*",
    marks={
        ".": StyledGlyph("."),
        "#": StyledGlyph("#"),
        "o": StyledGlyph("o"),
        "~": StyledGlyph("~"),
        "m": StyledGlyph("m"),
        "V": StyledGlyph("^"),
        "r": StyledGlyph(":"),
    },
)

MEANINGS: Final = {SEA: "sea", ISLAND: "island"}
"""Of marks that every chart may have; the others are told by its terrain."""


def drawn(pens: Pens, chart: Chart, mark: str) -> StyledGlyph:
    """How a mark of a chart file is drawn: by itself, where nothing else is agreed."""
    land = mark in chart.terrain.land
    return pens.marks.get(mark) or StyledGlyph(mark, f"bold {INLAND}" if land else "bold")


class Picture:
    """One chart with what lies on it. Later marks cover earlier ones."""

    def __init__(self, chart: Chart, pens: Pens) -> None:
        self.chart, self.pens = chart, pens
        self.marks: dict[int, StyledGlyph] = {
            16 * y + x: drawn(pens, chart, mark)
            for y, row in enumerate(chart.rows)
            for x, mark in enumerate(row)
        }
        self.eastward: dict[int, StyledGlyph] = {}
        """What joins a point to its eastern neighbour."""
        self.southward: dict[int, StyledGlyph] = {}

    def put(self, point: int, mark: StyledGlyph) -> None:
        """Draw a mark on a point."""
        self.marks[point] = mark

    def put_line(self, line: RouteLine) -> None:
        """Draw a route: lines from point to point, dots where it was silent."""
        sides = dict.fromkeys(line.points, 0)
        for start, end in pairwise(line.points):
            if line.silent >> end & 1:
                continue
            sides[start] |= SIDES[end - start]
            sides[end] |= SIDES[start - end]
            self.join(min(start, end), abs(end - start), line)
        for point, open_sides in sides.items():
            glyph = self.pens.dot if line.silent >> point & 1 else bend(line.glyphs, open_sides)
            self.put(point, StyledGlyph(glyph, line.style))

    def join(self, point: int, step: int, line: RouteLine) -> None:
        """A stroke between two neighbours."""
        if step == 1:
            self.eastward[point] = StyledGlyph(line.glyphs[0], line.style)
        else:
            self.southward[point] = StyledGlyph(line.glyphs[1], line.style)

    def draw(self) -> Text:
        """The whole picture, line by line."""
        return Text("\n").join(self.lines())

    def lines(self) -> Iterator[Text]:
        """Letters, frame, rows with their numbers, and the borders of sectors."""
        frame = self.pens.frame
        yield self.letters()
        yield self.border(0, (frame.north_west, frame.across, frame.north_east))
        for y in range(self.chart.down):
            if y and y % SECTOR_SIDE == 0:
                yield self.sector_border(y)
            yield self.row(y)
        bottom = f"   {frame.south_west}{frame.across * self.inner_width}{frame.south_east}"
        yield Text().append(bottom, FRAME)

    @property
    def inner_width(self) -> int:
        """Two letters a point, two for each border between sectors, and a margin."""
        return 2 * self.chart.across + 2 * (self.chart.sectors_across - 1) + 1

    def place(self, x: int) -> int:
        """Where a column stands within the frame."""
        return 2 * x + 2 * (x // SECTOR_SIDE) + 1

    def letters(self) -> Text:
        """The columns' letters."""
        line = [" "] * (self.inner_width + 4)
        for x in range(self.chart.across):
            line[self.place(x) + 4] = LETTERS[x]
        return Text().append("".join(line).rstrip(), "bold")

    def border(self, y: int, frame: Sequence[str]) -> Text:
        """A line above a row of sectors, with their labels in the corners."""
        line = Text().append(f"   {frame[0]}{frame[1] * self.inner_width}{frame[2]}", FRAME)
        for x in range(0, self.chart.across, SECTOR_SIDE):
            number = y // SECTOR_SIDE * self.chart.sectors_across + x // SECTOR_SIDE
            label = self.chart.sectors[number] if self.chart.sectors else str(number + 1)
            room = 2 * min(SECTOR_SIDE, self.chart.across - x)
            line = overwrite(line, self.place(x) + 3, printable(label)[:room], SECTOR)
        return line

    def sector_border(self, y: int) -> Text:
        """The same within the chart, crossed by routes."""
        frame = self.pens.frame
        line = self.border(y, (frame.down, frame.dash_across, frame.down))
        for x in range(self.chart.across):
            if mark := self.southward.get(16 * (y - 1) + x):
                line = overwrite(line, self.place(x) + 4, *mark)
        return line

    def row(self, y: int) -> Text:
        """One row of points."""
        frame = self.pens.frame
        line = Text().append(f"{y + 1:>2} ", "bold").append(frame.down, FRAME)
        for x in range(self.chart.across):
            before = self.eastward.get(16 * y + x - 1) if x else None
            if x and x % SECTOR_SIDE == 0:
                line.append(*(before or StyledGlyph(" "))).append(
                    *(before or StyledGlyph(frame.dash_down, FRAME))
                )
            line.append(*(before or self.filler(y, x)))
            line.append(*self.marks[16 * y + x])
        return line.append(" ").append(frame.down, FRAME)

    def filler(self, y: int, x: int) -> StyledGlyph:
        """What stands before a point: nothing, or the rest of an island."""
        joined = x and x % SECTOR_SIDE and self.chart.rows[y][x] == "#" == self.chart.rows[y][x - 1]
        return self.pens.marks["#"] if joined else StyledGlyph(" ")


def bend(glyphs: str, sides: int) -> str:
    """The letter of a line that leaves a point on these sides."""
    bends = (EAST | SOUTH, WEST | SOUTH, EAST | NORTH, WEST | NORTH)
    if sides in bends:
        return glyphs[2 + bends.index(sides)]
    return glyphs[1] if sides & (NORTH | SOUTH) else glyphs[0]


def overwrite(line: Text, at: int, glyphs: str, style: str) -> Text:
    """The line with some letters replaced."""
    return line[:at] + Text().append(glyphs, style) + line[at + len(glyphs) :]


LegendEntry = tuple[StyledGlyph, str]
"""A mark and what it means."""


def legend(chart: Chart, pens: Pens) -> list[LegendEntry]:
    """The marks of this chart and what they mean."""
    used = set("".join(chart.rows))
    meanings = {**MEANINGS, **chart.terrain.land, **chart.terrain.sea}
    keys = [(drawn(pens, chart, mark), told) for mark, told in meanings.items() if mark in used]
    first, last = chart.sectors[:1] or ("1",), chart.sectors[-1:] or (str(chart.sector_count),)
    return [*keys, (StyledGlyph(printable(f"{first[0]}-{last[0]}"), SECTOR), "sectors")]


def flow(keys: Sequence[LegendEntry], width: int) -> Iterator[Text]:
    """The keys one after another, in as many lines as they need."""
    line = Text()
    for (glyph, style), meaning in keys:
        key = Text().append(glyph, style) + Text(f" {meaning}")
        if line and line.cell_len + 3 + key.cell_len > width:
            yield line
            line = Text()
        line = line + Text("   ") + key if line else key
    yield line
