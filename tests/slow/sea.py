"""The chart as the rules see it: points, sea, sectors, and what is near."""

from typing import TypeAlias

from fathom import points
from fathom.points import Point
from fathom.rules.chart import Chart
from fathom.words import Heading, System

ColumnRow: TypeAlias = tuple[int, int]
"""Column and row, from 0: A1 is (0, 0)."""

STEPS = {Heading.N: (0, -1), Heading.S: (0, 1), Heading.E: (1, 0), Heading.W: (-1, 0)}
ISLANDS = {
    "M": System.MINE,
    "T": System.TORPEDO,
    "D": System.DRONE,
    "S": System.SONAR,
    "Q": System.SILENCE,
}
"""Islands that belong to a system (scenario.damaged)."""


def place_of(point: Point) -> ColumnRow:
    """The place of a point that an order names (chart.points)."""
    text = points.name(point)
    return "ABCDEFGHIJKLMNO".index(text[0]), int(text[1:]) - 1


def point_of(place: ColumnRow) -> Point:
    """The point as orders and events name it."""
    return points.parse(f"{letter_of(place)}{place[1] + 1}")


def letter_of(place: ColumnRow) -> str:
    """The letter of the place's column."""
    return "ABCDEFGHIJKLMNO"[place[0]]


def step(place: ColumnRow, heading: Heading, count: int = 1) -> ColumnRow:
    """The place so many points further."""
    right, down = STEPS[heading]
    return place[0] + count * right, place[1] + count * down


def around(place: ColumnRow) -> set[ColumnRow]:
    """The eight places around; some may be off the chart."""
    column, row = place
    block = {(column + right, row + down) for right in (-1, 0, 1) for down in (-1, 0, 1)}
    return block - {place}


class SlowSea:
    """The chart of one game; lava changes it."""

    def __init__(self, chart: Chart) -> None:
        self.columns = len(chart.rows[0])
        self.rows = len(chart.rows)
        self.marks = {
            (column, row): mark
            for row, line in enumerate(chart.rows)
            for column, mark in enumerate(line)
        }
        self.special = chart.special
        self.lava: set[ColumnRow] = set()

    def copy(self) -> "SlowSea":
        """The same sea, with lava of its own."""
        twin = SlowSea.__new__(SlowSea)
        vars(twin).update(vars(self))
        twin.lava = set(self.lava)
        return twin

    def marked(self, mark: str) -> list[ColumnRow]:
        """The places that carry this mark, row by row."""
        return [place for place, found in self.marks.items() if found == mark]

    def is_sea(self, place: ColumnRow) -> bool:
        """Neither off the chart nor land nor under lava (move.edge, move.islands)."""
        land = {"#", "V", *ISLANDS}
        return place in self.marks and self.marks[place] not in land and place not in self.lava

    def sea_places(self) -> list[ColumnRow]:
        """Every sea point, row by row."""
        return [place for place in self.marks if self.is_sea(place)]

    # Sectors are 5x5 blocks, left to right, top to bottom (chart.sectors).

    def sector(self, place: ColumnRow) -> int:
        """The sector's number, from 1."""
        column, row = place
        return row // 5 * self.sectors_across() + column // 5 + 1

    def sectors_across(self) -> int:
        """How many sectors lie side by side; the last may be cut off."""
        return (self.columns + 4) // 5

    def sector_count(self) -> int:
        """How many sectors there are."""
        return self.sectors_across() * ((self.rows + 4) // 5)

    def within_steps(self, start: ColumnRow, count: int) -> set[ColumnRow]:
        """What a torpedo reaches: along rows and columns, through sea only (torpedo.range)."""
        reached = {start}
        for _ in range(count):
            next_to = {step(place, heading) for place in reached for heading in Heading}
            reached |= {place for place in next_to if self.is_sea(place)}
        return reached

    def same_sector(self, start: ColumnRow) -> set[ColumnRow]:
        """The family game's torpedo: any sea point of the sector (torpedo.sector)."""
        return {place for place in self.sea_places() if self.sector(place) == self.sector(start)}

    def breaks_ice(self, place: ColumnRow) -> bool:
        """Whether surfacing here does damage (scenario.ice, scenario.ice-field)."""
        if self.special == "ice":
            return self.marks[place] != "o"
        return self.special == "ice-field" and self.marks[place] == "~"

    def volcanoes(self) -> list[ColumnRow]:
        """The volcanoes, row by row; players call them 1 and 2."""
        return self.marked("V")

    def red_points(self, volcano: ColumnRow) -> set[ColumnRow]:
        """What this volcano's lava makes land (scenario.volcanoes)."""
        return {place for place in around(volcano) if self.marks.get(place) == "r"}

    def next_to_island_of(self, place: ColumnRow, system: System) -> bool:
        """Whether the island of a damaged system is near, in 8 directions (scenario.damaged)."""
        return any(ISLANDS.get(self.marks.get(near, "")) is system for near in around(place))
