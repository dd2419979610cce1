"""The geometry of a traced section (surface.trace), judged against a slow and simple twin."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import ceil, dist

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fathom.bots.strokes import Stroke
from fathom.engine.tracing import SheetPosition, ideal_stroke, stays_in_band
from fathom.rules import library
from fathom.rules.sheet import Spot

HULL = library.hull()
SECTIONS = (1, 2, 3, 4)
HALF = HULL.band / 2
LEEWAY = 0.5
"""How far outside nobody would see it, on a sheet a thousand units wide."""

each_section = pytest.mark.parametrize("section", SECTIONS)


def along(line: Sequence[SheetPosition], step: float) -> list[SheetPosition]:
    """Spots along the line, its corners among them, no farther apart than ``step``."""
    spots = [line[0]]
    for (x, y), (to_x, to_y) in pairwise(line):
        count = max(1, ceil(dist((x, y), (to_x, to_y)) / step))
        spots += [
            (x + (to_x - x) * n / count, y + (to_y - y) * n / count) for n in range(1, count + 1)
        ]
    return spots


def loop(section: int, step: float = 20.0) -> list[Spot]:
    """Whole-numbered spots once round the centre line; the last is next to the first."""
    spots = along(ideal_stroke(HULL, section), step)[:-1]
    return [(round(x), round(y)) for x, y in spots]


def from_centre(section: int, spot: SheetPosition) -> float:
    """How far a spot is from the section's centre line."""
    return min(to_piece(spot, piece) for piece in pairwise(ideal_stroke(HULL, section)))


def to_piece(spot: SheetPosition, piece: tuple[Spot, Spot]) -> float:
    """How far a spot is from a straight piece, by its nearest spot."""
    start, end = complex(*piece[0]), complex(*piece[1])
    way = end - start
    share = ((complex(*spot) - start) / way).real
    return abs(complex(*spot) - (start + way * min(1.0, max(0.0, share))))


def good(section: int, stroke: Sequence[Spot]) -> bool:
    return stays_in_band(HULL, section, stroke)


def closed(spots: Sequence[Spot]) -> list[Spot]:
    return [*spots, spots[0]]


# Good strokes


@each_section
def test_a_steady_hand_along_the_middle_is_good(section: int) -> None:
    assert good(section, ideal_stroke(HULL, section))


@each_section
def test_the_other_way_round_is_as_good(section: int) -> None:
    assert good(section, ideal_stroke(HULL, section)[::-1])


@each_section
def test_a_stroke_may_begin_anywhere(section: int) -> None:
    spots = loop(section)
    for start in range(len(spots)):
        assert good(section, closed([*spots[start:], *spots[:start]]))


@each_section
def test_a_stroke_of_many_points_is_good(section: int) -> None:
    spots = loop(section, 0.7)
    assert len(spots) > 1000
    assert good(section, closed(spots)[: HULL.longest])


@each_section
def test_lingering_on_a_spot_does_no_harm(section: int) -> None:
    spots = loop(section)
    assert good(section, closed([spot for spot in spots for _ in range(5)]))


@each_section
def test_wandering_back_a_little_does_no_harm(section: int) -> None:
    spots = loop(section)
    assert good(section, closed([*spots[:10], *spots[5:10][::-1], *spots[5:]]))


def test_the_inner_edge_of_the_band_is_still_in_it() -> None:
    # Section 2 is a rectangle from 326, 90 to 542, 470, and its band is 34 wide.
    inner = ((343, 107), (525, 107), (525, 453), (343, 453), (343, 107))
    assert good(2, inner)
    too_far_in = ((344, 108), (524, 108), (524, 452), (344, 452), (344, 108))
    assert not good(2, too_far_in)


def test_the_outer_edge_of_the_band_is_still_in_it() -> None:
    # Round the corners, which the band does too.
    outer = (
        *((326, 73), (542, 73), (554, 78), (559, 90)),
        *((559, 470), (554, 482), (542, 487), (326, 487)),
        *((314, 482), (309, 470), (309, 90), (314, 78), (326, 73)),
    )
    assert good(2, outer)
    too_far_out = [(x, 72 if y == 73 else y) for x, y in outer]
    assert not good(2, too_far_out)


def test_a_sharp_corner_leaves_the_round_band() -> None:
    sharp = ((309, 73), (559, 73), (559, 487), (309, 487), (309, 73))
    assert from_centre(2, sharp[0]) == pytest.approx(HALF * 2**0.5)
    assert not good(2, sharp)


# Closing the stroke


@each_section
def test_a_stroke_may_end_as_near_its_beginning_as_the_band_is_wide(section: int) -> None:
    spots = loop(section, 1.0)
    missing = next(n for n in range(1, 99) if dist(spots[0], spots[-n]) > HULL.closing)
    assert good(section, spots[: 2 - missing])
    assert not good(section, spots[: 1 - missing])


@each_section
@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.75, 0.9])
def test_a_stroke_that_does_not_close_is_bad(section: int, share: float) -> None:
    spots = loop(section, 5.0)
    assert not good(section, spots[: int(len(spots) * share)])


def test_the_gap_must_not_lead_out_of_the_band() -> None:
    # From the left edge to the right one it would be near enough, but both ends are outside.
    spots = loop(2)
    assert not good(2, [(434, 72), *spots[1:], (434, 108)])


# Going round


@each_section
def test_out_and_back_the_same_way_does_not_go_round(section: int) -> None:
    spots = loop(section)
    assert not good(section, [*spots, *spots[::-1]])


@each_section
@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_half_the_way_and_back_does_not_go_round(section: int, share: float) -> None:
    spots = loop(section)
    part = spots[: int(len(spots) * share)]
    assert not good(section, [*part, *part[::-1]])


@each_section
@pytest.mark.parametrize(
    "tiny",
    [
        lambda x, y: [(x, y), (x, y)],
        lambda x, y: [(x, y), (x + 1, y)],
        lambda x, y: [
            (x - 5, y - 5),
            (x + 5, y - 5),
            (x + 5, y + 5),
            (x - 5, y + 5),
            (x - 5, y - 5),
        ],
    ],
    ids=["a dot", "a dash", "a ring"],
)
def test_a_tiny_stroke_is_bad(section: int, tiny: Callable[[int, int], list[Spot]]) -> None:
    for x, y in loop(section):
        assert not good(section, tiny(x, y))


@each_section
def test_a_tiny_stroke_in_the_middle_is_bad(section: int) -> None:
    xs, ys = zip(*loop(section), strict=True)
    x, y = (min(xs) + max(xs)) // 2, (min(ys) + max(ys)) // 2
    assert not good(section, [(x - 2, y - 2), (x + 2, y - 2), (x, y + 2), (x - 2, y - 2)])


# Leaving the band


@each_section
def test_the_line_of_another_section_is_bad(section: int) -> None:
    for other in SECTIONS:
        assert good(section, ideal_stroke(HULL, other)) is (other == section)


@each_section
def test_straight_across_the_section_is_bad(section: int) -> None:
    spots = loop(section)
    assert not good(section, closed(spots[: len(spots) // 2]))


@each_section
def test_one_spot_outside_spoils_the_stroke(section: int) -> None:
    spots = loop(section)
    for at, (x, y) in enumerate(spots):
        for outside in ((x + 40, y + 40), (x - 40, y - 40), (x + 40, y - 40), (x - 40, y + 40)):
            if from_centre(section, outside) > HALF + LEEWAY:
                assert not good(section, closed([*spots[:at], outside, *spots[at:]]))


@each_section
def test_numbers_too_large_for_any_sheet_are_bad(section: int) -> None:
    for far in (10**9, 10**400, -(10**400)):
        assert not good(section, [(far, far), (far, far)])
        assert not good(section, [*loop(section), (far, far), *loop(section)])


def test_the_bands_of_the_sections_do_not_touch() -> None:
    for section in SECTIONS:
        for other in SECTIONS:
            if other != section:
                gap = min(from_centre(other, spot) for spot in loop(section, 1.0))
                assert gap > HULL.band


# Any hand


@st.composite
def shaky_strokes(draw: st.DrawFn) -> tuple[int, Stroke]:
    """A section and a closed stroke round it, begun anywhere, either way, by an unsteady hand.

    Neighbouring spots tremble about the same straight piece of the centre line, and what is near
    to a straight piece is convex: so nothing between them leaves the band either.
    """
    section = draw(st.sampled_from(SECTIONS))
    spots = loop(section, draw(st.sampled_from([25.0, 60.0, 400.0])))
    start = draw(st.integers(0, len(spots) - 1))
    way = closed([*spots[start:], *spots[:start]])[:: draw(st.sampled_from([1, -1]))]
    tremble = st.tuples(st.integers(-11, 11), st.integers(-11, 11))
    shifts = draw(st.lists(tremble, min_size=len(way), max_size=len(way)))
    return section, tuple((x + dx, y + dy) for (x, y), (dx, dy) in zip(way, shifts, strict=True))


@given(shaky_strokes())
def test_a_shaky_stroke_within_the_band_is_good(traced: tuple[int, Stroke]) -> None:
    section, stroke = traced
    assert good(section, stroke)


@given(
    shaky_strokes(),
    st.integers(-100, HULL.width + 100),
    st.integers(-100, HULL.height + 100),
    st.floats(0, 1),
)
def test_a_shaky_stroke_with_one_spot_outside_is_bad(
    traced: tuple[int, Stroke], x: int, y: int, share: float
) -> None:
    section, stroke = traced
    assume(from_centre(section, (x, y)) > HALF + LEEWAY)
    at = int(share * len(stroke))
    assert not good(section, (*stroke[:at], (x, y), *stroke[at:]))


@given(shaky_strokes(), st.integers(-30, 30), st.integers(-30, 30), st.floats(0, 0.999))
def test_a_slip_of_the_pen_is_bad(
    traced: tuple[int, Stroke], dx: int, dy: int, share: float
) -> None:
    section, stroke = traced
    at = int(share * len(stroke))
    x, y = stroke[at]
    slipped = (x + dx, y + dy)
    assume(from_centre(section, slipped) > HALF + LEEWAY)
    assert not good(section, (*stroke[: at + 1], slipped, *stroke[at:]))


@given(shaky_strokes(), st.data())
def test_a_short_cut_that_leaves_the_band_is_bad(
    traced: tuple[int, Stroke], data: st.DataObject
) -> None:
    section, stroke = traced
    start = data.draw(st.integers(0, len(stroke) - 2))
    end = data.draw(st.integers(start + 1, len(stroke) - 1))
    cut = along((stroke[start], stroke[end]), 4.0)
    assume(max(from_centre(section, spot) for spot in cut) > HALF + LEEWAY)
    assert not good(section, (*stroke[: start + 1], *stroke[end:]))


@given(st.sampled_from(SECTIONS), st.integers(0, 10_000), st.floats(0.05, 0.95))
def test_a_stroke_that_ends_too_early_is_bad(section: int, start: int, share: float) -> None:
    spots = loop(section, 5.0)
    start %= len(spots)
    way = [*spots[start:], *spots[:start]][: max(2, int(share * len(spots)))]
    assume(dist(way[0], way[-1]) > HULL.closing)
    assert not good(section, way)


@given(shaky_strokes())
def test_a_shaky_stroke_out_and_back_does_not_go_round(traced: tuple[int, Stroke]) -> None:
    section, stroke = traced
    assert not good(section, (*stroke, *stroke[::-1]))
