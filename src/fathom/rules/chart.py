"""Charts: an ASCII picture of the sea with its special points, read and checked."""

from typing import NoReturn

from msgspec import Struct

from fathom.points import BadPoint, Point, Points, bits, collect, cross, name, parse
from fathom.rules.terrain import ISLAND, PLAIN, TERRAINS, Terrain, terrain_of
from fathom.words import ByCrew

SMALLEST, LARGEST = 2, 15


class Chart(Struct, frozen=True, forbid_unknown_fields=True):
    """One chart. ``rows`` is its picture; what a mark means is said by ``special``."""

    name: str
    title: str
    rows: tuple[str, ...]
    special: str = PLAIN.name
    """Its special rule: the name of a scenario's terrain."""
    gauge: int = 0
    """Boxes of the scenario gauge (scenario.gauge)."""
    starts: ByCrew[Point] | None = None
    """Where the submarines start, if the captains don't choose (scenario.corners)."""
    finish: tuple[Point, ...] = ()
    """Points that win the game for the submarine that reaches one first (end.goal)."""
    sectors: tuple[str, ...] = ()
    """The sectors' labels, if they are not simply numbered."""
    origin: str = ""
    note: str = ""

    @property
    def across(self) -> int:
        """Points from west to east."""
        return len(self.rows[0])

    @property
    def down(self) -> int:
        """Points from north to south."""
        return len(self.rows)

    @property
    def sectors_across(self) -> int:
        """Sectors from west to east."""
        return -(-self.across // 5)

    @property
    def sector_count(self) -> int:
        """How many sectors there are."""
        return self.sectors_across * -(-self.down // 5)

    def where(self, marks: str | frozenset[str]) -> Points:
        """The points that carry one of ``marks``."""
        return collect(
            16 * y + x for y, row in enumerate(self.rows) for x, m in enumerate(row) if m in marks
        )

    @property
    def all_points(self) -> Points:
        """Land and sea."""
        return collect(16 * y + x for y in range(self.down) for x in range(self.across))

    @property
    def terrain(self) -> Terrain:
        """What its marks mean."""
        return terrain_of(self.special) or PLAIN

    @property
    def land(self) -> Points:
        """Where no submarine can be."""
        return self.where(frozenset((ISLAND, *self.terrain.land)))

    @property
    def water(self) -> Points:
        """Where a submarine can be."""
        return self.all_points & ~self.land


class BadChart(ValueError):
    """A chart that can't be read, with its place: file, line and column."""

    def __init__(self, file: str, line: int, column: int, what: str) -> None:
        super().__init__(f"{file}, line {line}, column {column}: {what}")
        self.file, self.line, self.column, self.what = file, line, column, what


class ChartReader:
    """Reads one chart file; every complaint knows its line and column."""

    KEYS = frozenset(
        "title rulebook played origin note legend special gauge starts finish sectors".split()
    )

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.lines = text.splitlines()
        self.header: dict[str, str] = {}
        self.at: dict[str, int] = {}
        self.top = 0

    def fail(self, line: int, column: int, what: str) -> NoReturn:
        """Complain about a place of the file."""
        raise BadChart(self.file, line, column, what)

    def read(self, chart_name: str) -> Chart:
        """The chart, checked."""
        self.read_header()
        rows = self.read_rows()
        chart = Chart(
            name=chart_name,
            title=self.header["title"],
            rows=rows,
            special=self.terrain().name,
            gauge=self.number("gauge", self.terrain().gauge),
            starts=self.starts(),
            finish=tuple(self.points("finish")),
            sectors=tuple(self.header.get("sectors", "").split()),
            origin=self.header.get("origin", ""),
            note=self.header.get("note", ""),
        )
        self.check_marks(chart)
        self.check_sea(chart)
        self.check_special(chart)
        self.check_named_points(chart)
        return chart

    def read_header(self) -> None:
        """Lines of ``key: value`` up to the first empty line."""
        for number, line in enumerate(self.lines, 1):
            if not line.strip():
                self.top = number
                break
            key, colon, value = line.partition(":")
            if not colon or key.strip() not in self.KEYS:
                known = ", ".join(sorted(self.KEYS))
                self.fail(number, 1, f"expected 'key: value' with one of the keys {known}")
            if key.strip() in self.header:
                self.fail(number, 1, f"{key.strip()!r} is given twice")
            self.header[key.strip()], self.at[key.strip()] = value.strip(), number
        if not self.header.get("title"):
            self.fail(1, 1, "the header needs a title")
        if not self.top:
            self.fail(len(self.lines) + 1, 1, "an empty line and the picture must follow")

    def read_rows(self) -> tuple[str, ...]:
        """The picture: rows of the same width, at most 15 by 15."""
        rows = [line.rstrip() for line in self.lines[self.top :]]
        while rows and not rows[-1]:
            rows.pop()
        first = self.top + 1
        if not SMALLEST <= len(rows) <= LARGEST:
            self.fail(first, 1, f"the picture has {len(rows)} rows; it may have 2 to 15")
        if not SMALLEST <= len(rows[0]) <= LARGEST:
            self.fail(first, 1, f"the first row has {len(rows[0])} points; it may have 2 to 15")
        for number, row in enumerate(rows, first):
            if len(row) != len(rows[0]):
                shorter = min(len(row), len(rows[0])) + 1
                self.fail(
                    number, shorter, f"this row has {len(row)} points, the first {len(rows[0])}"
                )
        return tuple(rows)

    def terrain(self) -> Terrain:
        """The special rule that holds on this chart."""
        word = self.header.get("special", PLAIN.name)
        found = terrain_of(word)
        if found is None:
            self.fail(
                self.at["special"], 10, f"unknown special rule {word!r}: {', '.join(TERRAINS)}"
            )
        return found

    def number(self, key: str, usual: int) -> int:
        """A number from the header."""
        text = self.header.get(key, str(usual))
        if not (text.isascii() and text.isdigit()) or int(text) > 12:
            self.fail(self.at[key], len(key) + 3, f"{text!r} is not a number from 0 to 12")
        return int(text)

    def points(self, key: str) -> list[Point]:
        """Points from the header, such as ``A1, J10``."""
        found = []
        for word in self.header.get(key, "").replace(",", " ").split():
            try:
                found.append(parse(word))
            except BadPoint as bad:
                self.fail(self.at[key], len(key) + 3, str(bad))
        return found

    def starts(self) -> ByCrew[Point] | None:
        """The two given starts, if any."""
        points = self.points("starts")
        if len(points) not in (0, 2):
            self.fail(self.at["starts"], 9, "two starting points are needed, or none")
        return ByCrew(*points) if points else None

    def place(self, point: int) -> tuple[int, int]:
        """Line and column of a point of the picture."""
        return self.top + 1 + (point >> 4), (point & 15) + 1

    def check_marks(self, chart: Chart) -> None:
        """Only marks that the chart's special rules know."""
        known = chart.terrain.marks
        for y, row in enumerate(chart.rows):
            for x, mark in enumerate(row):
                if mark not in known:
                    words = " ".join(known)
                    self.fail(
                        *self.place(16 * y + x),
                        f"unknown mark {mark!r}; with special: {chart.special} known are {words}",
                    )

    def check_sea(self, chart: Chart) -> None:
        """There is a sea, and it is one sea."""
        if not chart.water:
            self.fail(self.top + 1, 1, "there is no sea to start on")
        sea = chart.water & -chart.water
        while (more := sea | cross(sea) & chart.water) != sea:
            sea = more
        for lonely in bits(chart.water & ~sea):
            self.fail(*self.place(lonely), "this part of the sea is cut off from the rest")

    def check_special(self, chart: Chart) -> None:
        """What the special rule needs is on the chart."""
        for point, what in chart.terrain.problems(chart):
            self.fail(*((self.top + 1, 1) if point is None else self.place(point)), what)

    def check_named_points(self, chart: Chart) -> None:
        """Starts and finish lie in the sea; sectors have all their labels."""
        for key in ("starts", "finish"):
            for point in self.points(key):
                if not chart.water >> point & 1:
                    self.fail(self.at[key], len(key) + 3, f"{name(point)} is not sea")
        if chart.sectors and len(set(chart.sectors)) != chart.sector_count:
            self.fail(
                self.at["sectors"], 10, f"{chart.sector_count} different labels are needed, or none"
            )


def read_chart(chart_name: str, file: str, text: str) -> Chart:
    """The chart written in ``text``; ``file`` is what complaints call it."""
    return ChartReader(file, text).read(chart_name)
