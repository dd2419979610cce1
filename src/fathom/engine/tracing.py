"""Judging a traced section by geometry: in the band, closed, and all the way round."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, pairwise

from fathom.rules.sheet import Hull, Spot

SheetPosition = tuple[float, float]
LinePiece = tuple[float, float, float, float, float]
"""A straight piece of line: its start, how far it goes across and down, its length squared."""
FARTHEST = 1_000_000
"""No sheet is larger; numbers far beyond could be neither judged nor written down."""
SHORTEST = 0.5
"""A way this short is not halved any more; the band is many times wider."""


def stays_in_band(hull: Hull, section: int, stroke: Sequence[Spot]) -> bool:
    """Whether one closed stroke runs round the section without leaving its band (surface.trace)."""
    centre_line = hull.sections[section - 1]
    closed = [*stroke, stroke[0]]
    if not on_a_sheet(stroke) or _square(stroke[0], stroke[-1]) > hull.closing**2:
        return False
    if not _all_inside(closed, centre_line, hull.band / 2):
        return False
    return _goes_round(closed, _middle(centre_line))


def on_a_sheet(stroke: Sequence[Spot]) -> bool:
    """Whether the stroke could be on any sheet at all."""
    return max(map(abs, chain.from_iterable(stroke)), default=0) <= FARTHEST


def ideal_stroke(hull: Hull, section: int) -> tuple[Spot, ...]:
    """The stroke along the centre line: what a steady hand draws."""
    line = hull.sections[section - 1]
    return (*line, line[0])


def _all_inside(closed: Sequence[SheetPosition], line: tuple[Spot, ...], reach: float) -> bool:
    """Whether the whole stroke is within reach of the closed line."""
    pieces, square = _pieces(line), reach * reach
    start = closed[0]
    last = _piece_by(start, start, pieces, square)
    if last is None:
        return False
    for end in closed[1:]:
        # A stroke runs along one piece for a while, and then along the next one: where this way
        # starts the one before it ended, near the last piece.
        if not _near(end, pieces[last], square):
            following = (last + 1) % len(pieces)
            piece = pieces[following]
            if _near(end, piece, square) and _near(start, piece, square):
                last = following
            else:
                near = _piece_by(start, end, pieces, square)
                if near is None:
                    near = _piece_by(end, end, pieces, square)
                    if near is None or not _halves_inside(start, end, pieces, square):
                        return False
                last = near
        start = end
    return True


def _piece_by(
    start: SheetPosition, end: SheetPosition, pieces: Sequence[LinePiece], square: float
) -> int | None:
    """The place of a piece that both ends are near, and all between: what is near is convex."""
    for place, piece in enumerate(pieces):
        if _near(start, piece, square) and _near(end, piece, square):
            return place
    return None


@lru_cache(64)
def _pieces(line: tuple[Spot, ...]) -> tuple[LinePiece, ...]:
    """The straight pieces of the closed line."""
    found = []
    for (x, y), (to_x, to_y) in pairwise((*line, line[0])):
        across, down = to_x - x, to_y - y
        found.append((x, y, across, down, (across * across + down * down) or 1))
    return tuple(found)


def _halves_inside(
    start: SheetPosition, end: SheetPosition, pieces: Sequence[LinePiece], square: float
) -> bool:
    """Whether a way that no single piece is near to stays in the band, looked at by halves."""
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if _piece_by(middle, middle, pieces, square) is None:
        return False
    if max(abs(start[0] - end[0]), abs(start[1] - end[1])) <= SHORTEST:
        return True
    return all(
        _piece_by(*half, pieces, square) is not None or _halves_inside(*half, pieces, square)
        for half in ((start, middle), (middle, end))
    )


def _near(spot: SheetPosition, piece: LinePiece, square: float) -> bool:
    """Whether the square of the distance from the spot to the piece of line is no larger."""
    x, y, across, down, length = piece
    to_x, to_y = spot
    x, y = to_x - x, to_y - y
    along = x * across + y * down
    if along >= length:
        x, y = x - across, y - down
    elif along > 0:
        part = along / length
        x, y = x - part * across, y - part * down
    return x * x + y * y <= square


def _square(one: Spot, two: Spot) -> int:
    return (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2


@lru_cache(64)
def _middle(line: tuple[Spot, ...]) -> SheetPosition:
    """The middle of the line's extent, which every section's band runs around."""
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return (min(xs) + max(xs)) / 2 + 0.25, (min(ys) + max(ys)) / 2 + 0.25


def _goes_round(closed: Sequence[Spot], middle: SheetPosition) -> bool:
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
