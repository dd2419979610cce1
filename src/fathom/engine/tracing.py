"""Judging a traced section by geometry: in the band, closed, and all the way round."""

from collections.abc import Sequence
from itertools import pairwise

from fathom.rules.sheet import Hull, Place

Spot = tuple[float, float]
Piece = tuple[Place, Place]
FARTHEST = 1_000_000
"""No sheet is larger; numbers far beyond could be neither judged nor written down."""
SHORTEST = 0.5
"""A way this short is not halved any more; the band is many times wider."""


def stays_in_band(hull: Hull, section: int, stroke: Sequence[Place]) -> bool:
    """Whether one closed stroke runs round the section without leaving its band (surface.trace)."""
    centre_line = hull.sections[section - 1]
    closed = [*stroke, stroke[0]]
    if not on_a_sheet(stroke) or _square(stroke[0], stroke[-1]) > hull.closing**2:
        return False
    if not _all_inside(closed, centre_line, hull.band / 2):
        return False
    return _goes_round(closed, _middle(centre_line))


def on_a_sheet(stroke: Sequence[Place]) -> bool:
    """Whether the stroke could be on any sheet at all."""
    return all(abs(x) <= FARTHEST and abs(y) <= FARTHEST for x, y in stroke)


def ideal_stroke(hull: Hull, section: int) -> tuple[Place, ...]:
    """The stroke along the centre line: what a steady hand draws."""
    line = hull.sections[section - 1]
    return (*line, line[0])


def _all_inside(closed: Sequence[Spot], line: Sequence[Place], reach: float) -> bool:
    """Whether the whole stroke is within reach of the closed line."""
    pieces, square = tuple(pairwise((*line, line[0]))), reach * reach
    last = pieces[0]
    for start, end in pairwise(closed):
        # A stroke runs along one piece for a while, so that one is looked at first.
        if not _both_near(start, end, last, square):
            near = next((p for p in pieces if _both_near(start, end, p, square)), None)
            if near is None and not (
                _near_any(start, pieces, square)
                and _near_any(end, pieces, square)
                and _halves_inside(start, end, pieces, square)
            ):
                return False
            last = near or last
    return True


def _both_near(start: Spot, end: Spot, piece: Piece, square: float) -> bool:
    """Whether both ends are near the piece, and with them all between: what is near is convex."""
    return _distance_square(start, piece) <= square and _distance_square(end, piece) <= square


def _near_any(spot: Spot, pieces: Sequence[Piece], square: float) -> bool:
    """Whether the spot is near any piece."""
    return any(_distance_square(spot, piece) <= square for piece in pieces)


def _halves_inside(start: Spot, end: Spot, pieces: Sequence[Piece], square: float) -> bool:
    """Whether a way that no single piece is near to stays in the band, looked at by halves."""
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if not _near_any(middle, pieces, square):
        return False
    if max(abs(start[0] - end[0]), abs(start[1] - end[1])) <= SHORTEST:
        return True
    return all(
        any(_both_near(*half, piece, square) for piece in pieces)
        or _halves_inside(*half, pieces, square)
        for half in ((start, middle), (middle, end))
    )


def _distance_square(spot: Spot, piece: Piece) -> float:
    """The square of the distance from the spot to the straight piece of line."""
    start, end = piece
    (x, y), (dx, dy) = spot, (end[0] - start[0], end[1] - start[1])
    along = ((x - start[0]) * dx + (y - start[1]) * dy) / ((dx * dx + dy * dy) or 1)
    along = min(1.0, max(0.0, along))
    return (x - start[0] - along * dx) ** 2 + (y - start[1] - along * dy) ** 2


def _square(one: Place, two: Place) -> int:
    return (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2


def _middle(line: Sequence[Place]) -> Spot:
    """The middle of the line's extent, which every section's band runs around."""
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return (min(xs) + max(xs)) / 2 + 0.25, (min(ys) + max(ys)) / 2 + 0.25


def _goes_round(closed: Sequence[Place], middle: Spot) -> bool:
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
