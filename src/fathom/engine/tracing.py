"""Judging a traced section by geometry: in the band, closed, and all the way round."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fathom.rules.sheet import Hull, Place

STEP = 4
"""A stroke is looked at every so many units; the band is several times wider."""


def stays_in_band(hull: Hull, section: int, stroke: Sequence[Place]) -> bool:
    """Whether one closed stroke runs round the section without leaving its band (surface.trace)."""
    centre_line = hull.sections[section - 1]
    closed = [*stroke, stroke[0]]
    if _square(stroke[0], stroke[-1]) > hull.closing**2:
        return False
    if not all(_near(spot, centre_line, hull.band / 2) for spot in _spots(closed)):
        return False
    return _goes_round(closed, _middle(centre_line))


def ideal_stroke(hull: Hull, section: int) -> tuple[Place, ...]:
    """The stroke along the centre line: what a steady hand draws."""
    line = hull.sections[section - 1]
    return (*line, line[0])


def _spots(line: Sequence[Place]) -> Iterator[tuple[float, float]]:
    """Spots along the line, close together, its corners among them."""
    for (x, y), (to_x, to_y) in pairwise(line):
        count = max(1, int(max(abs(to_x - x), abs(to_y - y)) // STEP))
        for n in range(count):
            yield x + (to_x - x) * n / count, y + (to_y - y) * n / count


def _near(spot: tuple[float, float], line: Sequence[Place], reach: float) -> bool:
    """Whether the spot is within reach of the closed line."""
    return any(
        _distance_square(spot, start, end) <= reach * reach
        for start, end in pairwise((*line, line[0]))
    )


def _distance_square(spot: tuple[float, float], start: Place, end: Place) -> float:
    """The square of the distance from the spot to the straight piece from start to end."""
    (x, y), (dx, dy) = spot, (end[0] - start[0], end[1] - start[1])
    along = ((x - start[0]) * dx + (y - start[1]) * dy) / ((dx * dx + dy * dy) or 1)
    along = min(1.0, max(0.0, along))
    return (x - start[0] - along * dx) ** 2 + (y - start[1] - along * dy) ** 2


def _square(one: Place, two: Place) -> int:
    return (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2


def _middle(line: Sequence[Place]) -> tuple[float, float]:
    """The middle of the line's extent, which every section's band runs around."""
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return (min(xs) + max(xs)) / 2 + 0.25, (min(ys) + max(ys)) / 2 + 0.25


def _goes_round(closed: Sequence[Place], middle: tuple[float, float]) -> bool:
    """Whether the closed line winds around the middle."""
    across, down = middle
    winding = 0
    for (x, y), (to_x, to_y) in pairwise(closed):
        if (y > down) == (to_y > down):
            continue
        crossing = x + (down - y) * (to_x - x) / (to_y - y)
        if crossing > across:
            winding += 1 if to_y > y else -1
    return winding != 0
