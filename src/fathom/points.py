"""Points of the chart, and sets of points as masks.

A point is ``16 * row + column``. Charts are at most 15 wide, so column 15 is always land and a step
off the chart drowns when the mask meets the water: no edge is ever tested.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

WIDEST: Final = 15
LETTERS: Final = "ABCDEFGHIJKLMNO"
SECTOR_SIDE: Final = 5

Points: TypeAlias = int
"""A set of points: bit ``p`` is set when point ``p`` is in it."""


class Point(int):
    """One point; people and records call it by its name, such as ``H8`` (chart.points)."""

    __slots__ = ()

    def __repr__(self) -> str:
        return name(self)


class BadPoint(ValueError):
    """A name that is no point."""


def name(point: int) -> str:
    """``H8`` for the point in the eighth column and row."""
    return f"{LETTERS[point & 15]}{(point >> 4) + 1}"


def parse(text: str) -> Point:
    """The point called ``text``."""
    column = LETTERS.find(text[:1]) if text else -1
    row = text[1:]
    if column < 0 or not (row.isascii() and row.isdigit()) or row[0] == "0" or int(row) > WIDEST:
        raise BadPoint(f"{text[:20]!r} is not a point: a letter from A to O and a row from 1 to 15")
    return Point((int(row) - 1) * 16 + column)


def bits(points: Points) -> Iterator[int]:
    """Each point of the set, by rows. Slow: never in a search."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def members(points: Points) -> tuple[Point, ...]:
    """The points of a set, by rows."""
    return tuple(map(Point, bits(points))) if points else ()


def collect(points: Iterable[int]) -> Points:
    """The set of these points."""
    mask = 0
    for point in points:
        mask |= 1 << point
    return mask


def shift(points: Points, step: int) -> Points:
    """Every point moved by ``step``; what leaves the chart to the north is gone."""
    return points << step if step > 0 else points >> -step


def cross(points: Points) -> Points:
    """The four neighbours along rows and columns, and nothing of the points themselves."""
    return points << 1 | points >> 1 | points << 16 | points >> 16


def blast(points: Points) -> Points:
    """The points and their eight neighbours; meet it with the water."""
    rows = points | points << 1 | points >> 1
    return rows | rows << 16 | rows >> 16


def reach(points: Points, steps: int, water: Points) -> Points:
    """Where at most ``steps`` steps along rows and columns lead through ``water``."""
    for _ in range(steps):
        points |= cross(points) & water
    return points


def sector_of(point: int, sectors_across: int) -> int:
    """The sector's number, from 1, row by row from the north-west (chart.sectors)."""
    return (point >> 4) // SECTOR_SIDE * sectors_across + (point & 15) // SECTOR_SIDE + 1


def draw(points: Points, picture: str) -> str:
    """The ``picture`` of a chart with an x on each of the points."""
    rows = [line.split() if " " in line else list(line) for line in picture.splitlines()]
    for point in bits(points):
        rows[point >> 4][point & 15] = "x"
    return "\n".join(" ".join(row) for row in rows)


def spell(thing: object) -> str:
    """How msgspec writes a point: by its name."""
    if isinstance(thing, Point):
        return name(thing)
    raise NotImplementedError(f"{type(thing).__name__} has no written form")


def unspell(kind: type, text: object) -> object:
    """How msgspec reads a point."""
    if kind is Point and isinstance(text, str):
        return parse(text)
    raise TypeError(f"expected a point such as 'H8', got {text!r:.40}")
