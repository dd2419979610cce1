"""Torpedoes: how far they reach."""

from typing import Any

import pytest

from fathom.engine.events import TorpedoFired
from fathom.engine.orders import FireTorpedo
from fathom.points import collect, draw, parse
from fathom.words import ByCrew, Mode, System
from tests.stories import (
    ALL_BOOKS,
    CAPTAIN_BOOKS,
    MODES,
    OPEN_SEA,
    A,
    B,
    Story,
    sea,
    table,
)

TURNS, REAL_TIME = MODES

STRAITS = """\
. . . . . . . . .
. . . . # . . . .
. . # # # # # . .
. . . . # . . . .
. . . . . . # . .
. . # # . # # . .
. . . . . . . . ."""

WALLED = """\
. . . . . . . . . .
. # # # # # # . . .
. # . . # . # . . .
. # . . . . # . . .
. # . # . . # . . .
. # # # . # # . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . ."""


def armed(
    book: str = "captain-sonar",
    at: str = "E5",
    picture: str = OPEN_SEA,
    mode: Mode = TURNS,
    *,
    special: str = "none",
    **choices: Any,
) -> Story:
    """A on its point with a torpedo ready, and its turn to fire; B on A1."""
    chart = sea(picture, special=special)
    story = Story(table(book, mode, chart=chart, **choices), a=at, b="A1")
    if book != "sonar":
        story.sailed(A)
    story.ready(A, System.TORPEDO)
    return story


def reached(story: Story, picture: str) -> str:
    """The picture with an x wherever A's torpedo reaches."""
    targets = [order.target for order in story.legal(A) if isinstance(order, FireTorpedo)]
    assert all(story.accepts(A, FireTorpedo(target)) for target in targets)
    return draw(collect(targets), picture)


# Four steps


@pytest.mark.rule("torpedo.range", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
def test_a_torpedo_travels_four_steps_along_rows_and_columns(book: str, mode: Mode) -> None:
    story = armed(book, mode=mode)
    assert (
        reached(story, OPEN_SEA)
        == """\
. . . . x . . . . .
. . . x x x . . . .
. . x x x x x . . .
. x x x x x x x . .
x x x x x x x x x .
. x x x x x x x . .
. . x x x x x . . .
. . . x x x . . . .
. . . . x . . . . .
. . . . . . . . . ."""
    )


@pytest.mark.rule("torpedo.range", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("target", ["J5", "E10", "H7", "G8", "A6", "B3"])
def test_a_fifth_step_is_too_far(book: str, target: str) -> None:
    story = armed(book)
    far = abs(ord(target[0]) - ord("E")) + abs(int(target[1:]) - 5)
    assert far == 5
    assert story.refusal(A, FireTorpedo(parse(target))) == "torpedo.range"


@pytest.mark.rule("torpedo.range", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_it_sails_around_islands_and_not_over_them(book: str) -> None:
    story = armed(book, at="D4", picture=STRAITS)
    assert (
        reached(story, STRAITS)
        == """\
. . . . . . . . .
. x . . # . . . .
x x # # # # # . .
x x x x # x . . .
x x x x x x # . .
. x # # x # # . .
. . . . x . . . ."""
    )
    # Two steps as the crow flies, but six by sea.
    assert story.refusal(A, FireTorpedo(parse("D2"))) == "torpedo.range"


@pytest.mark.rule("torpedo.range")
def test_it_does_not_slip_between_islands_diagonally() -> None:
    corner = ". . .\n. # .\n# . ."
    story = armed(at="B3", picture=corner)
    assert reached(story, corner) == ". x x\n. # x\n# x x"
    assert story.refusal(A, FireTorpedo(parse("A2"))) == "torpedo.range"


@pytest.mark.rule("torpedo.range")
def test_it_does_not_sail_round_the_edge_of_the_chart() -> None:
    story = armed(at="J1")
    for target in ("A1", "A2", "J10"):
        assert story.refusal(A, FireTorpedo(parse(target))) == "torpedo.range"


@pytest.mark.rule("torpedo.range")
def test_routes_and_mines_do_not_stop_it() -> None:
    story = armed()
    story.put(A, "E5", "E8 F8 F7 F6 E6 D6 D5 D4 E4")
    story.mine(A, "F5", "F4")
    story.mine(B, "E6", "D5", "G5")
    story.ready(A, System.TORPEDO)
    assert reached(story, OPEN_SEA) == reached(armed(), OPEN_SEA)


@pytest.mark.rule("torpedo.range")
def test_an_old_mine_does_not_stop_it() -> None:
    channel = ". m . . .\n. # # # #\n. . . . ."
    story = armed(at="A1", picture=channel, special="old-mines")
    assert story.accepts(A, FireTorpedo(parse("E1")))
    assert story.accepts(A, FireTorpedo(parse("B1")))


@pytest.mark.rule("torpedo.range")
def test_cooled_lava_stops_it_as_an_island_does() -> None:
    picture = ". r . . V\n. r V . .\n. r . . .\n. . . . ."
    story = armed(at="A3", picture=picture, special="volcanoes")
    assert story.accepts(A, FireTorpedo(parse("B3")))
    assert story.accepts(A, FireTorpedo(parse("D3")))
    story.public(lava=collect([parse("B1"), parse("B2"), parse("B3")]))
    assert story.refusal(A, FireTorpedo(parse("B3"))) == "chart.islands"
    assert story.accepts(A, FireTorpedo(parse("C3")))
    # Five steps now that row 4 is the only way.
    assert story.refusal(A, FireTorpedo(parse("D3"))) == "torpedo.range"


@pytest.mark.rule("torpedo.range", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_it_may_be_fired_onto_the_submarines_own_point(book: str) -> None:
    story = armed(book)
    story.order(A, FireTorpedo(parse("E5")))
    assert story.game.public.damage == ByCrew(2, 0)


@pytest.mark.rule("torpedo.range")
def test_a_table_may_forbid_ones_own_point() -> None:
    story = armed(rulings={"torpedo_own_point": False})
    assert story.refusal(A, FireTorpedo(parse("E5"))) == "torpedo.range"
    assert story.accepts(A, FireTorpedo(parse("E6")))


@pytest.mark.rule("torpedo.range")
def test_a_table_may_let_it_fly_over_islands() -> None:
    story = armed(at="D4", picture=STRAITS, rulings={"torpedo_over_islands": True})
    assert (
        reached(story, STRAITS)
        == """\
. . x x x . . . .
. x x x # x . . .
x x # # # # # . .
x x x x # x x x .
x x x x x x # . .
. x # # x # # . .
. . x x x . . . ."""
    )
    assert story.refusal(A, FireTorpedo(parse("D3"))) == "chart.islands"


@pytest.mark.rule("torpedo.range")
@pytest.mark.parametrize(
    ("steps", "near", "far"), [(1, "E6", "E7"), (2, "F6", "F7"), (6, "H8", "H9")]
)
def test_a_table_may_choose_another_range(steps: int, near: str, far: str) -> None:
    story = armed(rulings={"torpedo_range": steps})
    assert story.accepts(A, FireTorpedo(parse(near)))
    assert story.refusal(A, FireTorpedo(parse(far))) == "torpedo.range"


@pytest.mark.rule("torpedo.range", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_land_and_points_off_the_chart_are_no_targets(book: str) -> None:
    story = armed(book, at="D4", picture=STRAITS)
    assert story.refusal(A, FireTorpedo(parse("E4"))) == "chart.islands"
    assert story.refusal(A, FireTorpedo(parse("D8"))) == "chart.points"


@pytest.mark.rule("torpedo.range", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_point_of_impact_is_announced_and_not_the_way(book: str) -> None:
    story = armed(book, players=8)
    events = story.order(A, FireTorpedo(parse("G6")))
    heard = story.heard_by(B, events)
    assert heard[0] == TorpedoFired(A, parse("G6"))
    assert heard[0].__struct_fields__ == ("crew", "target")


@pytest.mark.rule("torpedo.range")
def test_the_firer_stays_where_it_is() -> None:
    story = armed()
    helm = story.boat(A).helm
    story.order(A, FireTorpedo(parse("G6")))
    assert story.boat(A).helm == helm


# Any point of the sector


@pytest.mark.rule("torpedo.sector", "sonar")
@pytest.mark.rule("torpedo.range", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_the_family_games_torpedo_reaches_its_whole_sector_and_no_more(mode: Mode) -> None:
    story = armed("sonar", at="E5", mode=mode)
    assert (
        reached(story, OPEN_SEA)
        == """\
x x x x x . . . . .
x x x x x . . . . .
x x x x x . . . . .
x x x x x . . . . .
x x x x x . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . ."""
    )


@pytest.mark.rule("torpedo.sector", "sonar")
def test_it_does_not_matter_what_lies_between() -> None:
    story = armed("sonar", at="A2", picture=WALLED)
    assert (
        reached(story, WALLED)
        == """\
x x x x x . . . . .
x # # # # # # . . .
x # x x # . # . . .
x # x x x . # . . .
x # x # x . # . . .
. # # # . # # . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . ."""
    )


@pytest.mark.rule("torpedo.sector", "sonar")
@pytest.mark.parametrize(
    ("at", "corners", "outside"),
    [
        ("C3", ("A1", "E1", "A5", "E5"), ("F3", "C6", "F6")),
        ("H3", ("F1", "J1", "F5", "J5"), ("E3", "H6", "E6")),
        ("C8", ("A6", "E6", "A10", "E10"), ("C5", "F8", "F5")),
        ("H8", ("F6", "J6", "F10", "J10"), ("E8", "H5", "E5")),
    ],
)
def test_it_reaches_every_corner_of_its_own_sector_alone(
    at: str, corners: tuple[str, ...], outside: tuple[str, ...]
) -> None:
    story = armed("sonar", at=at)
    assert all(story.accepts(A, FireTorpedo(parse(corner))) for corner in corners)
    refusals = {story.refusal(A, FireTorpedo(parse(point))) for point in outside}
    assert refusals == {"torpedo.sector"}


@pytest.mark.rule("torpedo.sector", "sonar")
def test_the_next_point_is_out_of_reach_across_a_sectors_border() -> None:
    story = armed("sonar", at="E5")
    assert story.refusal(A, FireTorpedo(parse("F5"))) == "torpedo.sector"
    assert story.refusal(A, FireTorpedo(parse("E6"))) == "torpedo.sector"


@pytest.mark.rule("torpedo.sector", "sonar")
def test_an_island_of_the_sector_is_no_target() -> None:
    story = armed("sonar", at="A2", picture=WALLED)
    assert story.refusal(A, FireTorpedo(parse("B2"))) == "chart.islands"


@pytest.mark.rule("torpedo.sector", "sonar")
def test_ones_own_point_is_part_of_the_sector_unless_the_table_forbids_it() -> None:
    assert armed("sonar").accepts(A, FireTorpedo(parse("E5")))
    story = armed("sonar", rulings={"torpedo_own_point": False})
    assert story.refusal(A, FireTorpedo(parse("E5"))) == "torpedo.sector"


@pytest.mark.rule("torpedo.sector")
def test_a_table_may_choose_the_other_kind_of_reach() -> None:
    by_sector = armed(rulings={"torpedo_reach": "sector"})
    assert by_sector.accepts(A, FireTorpedo(parse("A1")))
    assert by_sector.refusal(A, FireTorpedo(parse("F5"))) == "torpedo.sector"
    by_steps = armed("sonar", rulings={"torpedo_reach": "steps"})
    assert by_steps.accepts(A, FireTorpedo(parse("F5")))
    assert by_steps.refusal(A, FireTorpedo(parse("A1"))) == "torpedo.range"


@pytest.mark.rule("torpedo.sector", "sonar")
def test_the_point_is_announced() -> None:
    story = armed("sonar", players=4)
    events = story.order(A, FireTorpedo(parse("D3")))
    assert story.heard_by(B, events)[0] == TorpedoFired(A, parse("D3"))
