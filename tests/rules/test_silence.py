"""Silence: moving in a straight line, unheard."""

from typing import Any

import pytest

from fathom.engine.events import (
    CircuitMended,
    CourseSet,
    Damaged,
    GaugeCharged,
    RanSilent,
    SilenceHeard,
    SymbolCrossed,
    SystemReady,
    TurnEnded,
)
from fathom.engine.knowledge.view import WATCHER, overhear
from fathom.engine.orders import Charge, CrossOut, EndTurn, RunSilent, SetCourse
from fathom.points import Point, bits, collect, draw, name, parse
from fathom.words import Heading, Mode, Post, System
from tests.stories import (
    CAPTAIN_BOOKS,
    MODES,
    OPEN_SEA,
    A,
    B,
    Story,
    crossed_names,
    sea,
    table,
)

N, S, E, W = Heading
TURNS, REAL_TIME = MODES
CHARGING = ("captain-sonar", "captain-sonar-2")

STRAITS = """\
. . . . . . . .
. # . . . . . .
. . . # . . . .
. . . . . . # .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . ."""


def quiet(
    book: str = "captain-sonar",
    mode: Mode = TURNS,
    at: str = "E5",
    picture: str = OPEN_SEA,
    **choices: Any,
) -> Story:
    """A has silence ready and may use it now; B is on A1."""
    story = Story(table(book, mode, chart=sea(picture), **choices), a=at, b="A1")
    if book != "sonar":
        story.sailed(A)
    story.ready(A, System.SILENCE)
    return story


def route(story: Story) -> str:
    return " ".join(name(point) for point in story.boat(A).helm.route)


def reached(story: Story, picture: str) -> str:
    """The picture with an x wherever a silence of A may end."""
    at = story.boat(A).helm.at
    runs = [order for order in story.legal(A) if isinstance(order, RunSilent)]
    assert all(story.accepts(A, run) for run in runs)
    ends = (at + run.heading.step * run.distance if run.heading else at for run in runs)
    return draw(collect(ends), picture)


def silence_boxes(story: Story) -> int:
    return story.boat(A).gauges.boxes[System.SILENCE.index]


# Where it leads


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
def test_up_to_four_points_in_one_straight_line(book: str, mode: Mode) -> None:
    assert (
        reached(quiet(book, mode), OPEN_SEA)
        == """\
. . . . x . . . . .
. . . . x . . . . .
. . . . x . . . . .
. . . . x . . . . .
x x x x x x x x x .
. . . . x . . . . .
. . . . x . . . . .
. . . . x . . . . .
. . . . x . . . . .
. . . . . . . . . ."""
    )


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("order", "way"),
    [
        (RunSilent(0), "E5"),
        (RunSilent(1, N), "E5 E4"),
        (RunSilent(2, S), "E5 E6 E7"),
        (RunSilent(3, W), "E5 D5 C5 B5"),
        (RunSilent(4, E), "E5 F5 G5 H5 I5"),
    ],
)
def test_every_point_passed_joins_the_route(book: str, order: RunSilent, way: str) -> None:
    story = quiet(book)
    assert story.order(A, order) == [RanSilent(A, order.distance, order.heading)]
    assert route(story) == way
    helm = story.boat(A).helm
    assert [name(point) for point in bits(helm.covered)] == sorted(way.split(), key=parse)
    assert helm.at == parse(way.rsplit(maxsplit=1)[-1])
    assert helm.silent == helm.covered & ~(1 << parse("E5"))


@pytest.mark.rule("silence.move")
def test_points_passed_in_silence_can_not_be_crossed_later() -> None:
    story = quiet(mode=REAL_TIME)
    story.order(A, RunSilent(2, N))
    story.aye(A)
    story.resume()
    assert story.refusal(A, SetCourse(S)) == "move.no-crossing"
    story.order(A, SetCourse(E))
    assert route(story) == "E5 E4 E3 F3"


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    "order",
    [RunSilent(5, E), RunSilent(-1, E), RunSilent(100, N), RunSilent(0, N), RunSilent(2)],
    ids=["five", "backwards", "far", "a heading for nothing", "no heading"],
)
def test_what_is_no_silence_is_refused(book: str, order: RunSilent) -> None:
    assert quiet(book).refusal(A, order) == "silence.move"


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_every_point_must_be_one_that_a_course_could_enter(book: str) -> None:
    story = quiet(book, at="D4", picture=STRAITS)
    story.put(A, "D4", "E6 D6 D5 C5 C6")
    story.mine(A, "B4")
    assert (
        reached(story, STRAITS)
        == """\
. . . . . . . .
. # . . . . . .
. . . # . . . .
. . x x x x # .
. . . . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . ."""
    )
    assert story.refusal(A, RunSilent(1, N)) == "move.islands"
    assert story.refusal(A, RunSilent(3, E)) == "move.islands"
    assert story.refusal(A, RunSilent(1, S)) == "move.no-crossing"
    assert story.refusal(A, RunSilent(2, W)) == "move.own-mine"


@pytest.mark.rule("silence.move")
@pytest.mark.parametrize(("at", "heading"), [("E3", N), ("E8", S), ("C5", W), ("H5", E)])
def test_it_ends_at_the_edge_of_the_chart(at: str, heading: Heading) -> None:
    story = quiet(at=at)
    assert story.accepts(A, RunSilent(2, heading))
    assert story.refusal(A, RunSilent(3, heading)) == "move.edge"


@pytest.mark.rule("silence.move")
def test_it_does_not_jump_over_what_is_in_the_way() -> None:
    # D2 lies behind the island on D3, and A4 behind the crew's own mine.
    story = quiet(at="D4", picture=STRAITS)
    story.mine(A, "B4")
    assert story.refusal(A, RunSilent(2, N)) == "move.islands"
    assert story.refusal(A, RunSilent(3, W)) == "move.own-mine"


@pytest.mark.rule("silence.move")
def test_the_enemy_and_its_mines_are_passed_without_noticing() -> None:
    story = quiet()
    story.put(B, "F5")
    story.mine(B, "G5", "H5")
    assert story.order(A, RunSilent(3, E)) == [RanSilent(A, 3, E)]
    assert story.boat(B).helm.mines == collect([parse("G5"), parse("H5")])


@pytest.mark.rule("silence.move")
def test_in_a_blackout_a_silence_of_no_points_is_left() -> None:
    story = quiet(at="A1")
    story.put(A, "A1", "A2 B2 B1")
    runs = [order for order in story.legal(A) if isinstance(order, RunSilent)]
    assert runs == [RunSilent(0)]


@pytest.mark.rule("silence.move")
def test_it_never_takes_the_place_of_the_course() -> None:
    story = Story(table(chart=sea(OPEN_SEA)), a="E5", b="A1")
    story.ready(A, System.SILENCE)
    assert story.refusal(A, RunSilent(2, E)) == "turn.order"


@pytest.mark.rule("silence.move")
@pytest.mark.parametrize("waits", [True, False])
def test_it_waits_for_the_courses_marks(waits: bool) -> None:
    # Even where other systems don't: its own marks would take the place of those due.
    story = quiet(mode=REAL_TIME, rulings={"acknowledge_systems": waits})
    story.order(A, SetCourse(N))
    assert story.refusal(A, RunSilent(2, E)) == "move.acknowledge"
    story.order(A, Charge(System.MINE), CrossOut("N6"))
    assert story.accepts(A, RunSilent(2, E))


# What is heard


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", [RunSilent(0), RunSilent(1, N), RunSilent(4, E)])
def test_only_silence_is_announced(book: str, mode: Mode, order: RunSilent) -> None:
    story = quiet(book, mode, players=8)
    events = story.order(A, order)
    assert [story.heard_by(B, events, post) for post in Post] == [[SilenceHeard(A)]] * 4
    assert overhear(story.game.ground, events[0], WATCHER) == SilenceHeard(A)
    assert SilenceHeard(A).__struct_fields__ == ("crew",)
    # The marks, pretended or not, betray nothing either.
    marks = [event for event in story.aye(A) if not isinstance(event, TurnEnded)]
    assert story.heard_by(B, marks) == []


@pytest.mark.rule("silence.move")
@pytest.mark.parametrize("stations", ["open", "closed"])
def test_the_captain_shows_the_crew_direction_and_distance(stations: str) -> None:
    story = quiet(players=8, house={"stations": stations})
    events = story.order(A, RunSilent(3, W))
    for post in Post:
        assert story.heard_by(A, events, post) == [RanSilent(A, 3, W)]


# The marks after it


@pytest.mark.rule("silence.move", *CHARGING)
@pytest.mark.parametrize("book", CHARGING)
@pytest.mark.parametrize("mode", MODES)
def test_one_symbol_of_that_direction_and_one_box(book: str, mode: Mode) -> None:
    story = quiet(book, mode)
    story.order(A, RunSilent(3, W))
    assert story.refusal(A, CrossOut("N1")) == "breakdown.cross"
    assert story.refusal(A, CrossOut()) == "breakdown.cross"
    assert story.refusal(A, Charge()) == "charge.one"
    assert story.order(A, CrossOut("W5")) == [SymbolCrossed(A, "W5")]
    assert story.order(A, Charge(System.MINE))[0] == GaugeCharged(A, System.MINE)
    assert story.refusal(A, CrossOut("W6")) == "breakdown.cross"
    assert crossed_names(story, A) == {"W5"}


@pytest.mark.rule("silence.move", *CHARGING)
@pytest.mark.parametrize("book", CHARGING)
def test_the_box_may_be_one_of_silence_itself(book: str) -> None:
    story = quiet(book)
    story.order(A, RunSilent(3, W))
    assert silence_boxes(story) == 0
    story.order(A, Charge(System.SILENCE))
    assert silence_boxes(story) == 1


@pytest.mark.rule("silence.move")
def test_the_box_may_make_a_system_ready() -> None:
    story = quiet()
    story.change(A, gauges={"boxes": (1, 0, 0, 0, 5, 0)})
    story.order(A, RunSilent(3, W))
    assert story.order(A, Charge(System.MINE)) == [
        GaugeCharged(A, System.MINE),
        SystemReady(A, System.MINE),
    ]


@pytest.mark.rule("silence.move", "captain-sonar-ru")
@pytest.mark.parametrize("mode", MODES)
def test_by_the_russian_rules_nothing_is_charged(mode: Mode) -> None:
    story = quiet("captain-sonar-ru", mode)
    story.order(A, RunSilent(3, W))
    assert story.refusal(A, Charge(System.MINE)) == "charge.one"
    assert story.refusal(A, Charge()) == "charge.one"
    story.order(A, CrossOut("W5"))
    assert crossed_names(story, A) == {"W5"}
    assert silence_boxes(story) == 0


@pytest.mark.rule("silence.move")
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("charges", [True, False])
def test_a_table_may_choose_whether_a_silence_charges(book: str, charges: bool) -> None:
    story = quiet(book, rulings={"silence_charges": charges})
    story.order(A, RunSilent(3, W))
    assert story.accepts(A, Charge(System.MINE)) is charges


@pytest.mark.rule("silence.move")
def test_its_symbol_may_do_damage() -> None:
    story = quiet()
    story.cross_out(A, "E4", "E6", "W5", "W6", "N6")
    story.order(A, RunSilent(1, S))
    assert story.order(A, CrossOut("S5"))[1] == Damaged(A, 1, "breakdown")


@pytest.mark.rule("silence.move")
def test_its_symbol_may_mend_a_circuit() -> None:
    story = quiet()
    story.order(A, RunSilent(1, E))
    story.cross_out(A, "W1", "W2", "W3")
    assert story.order(A, CrossOut("E3"))[1] == CircuitMended(A, "west")


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_the_turn_ends_after_the_marks(book: str) -> None:
    story = quiet(book)
    story.order(A, RunSilent(3, W))
    assert story.refusal(A, EndTurn()) == "turn.order"
    assert story.aye(A)[-1] == TurnEnded(A, B)


# Silence of no points


@pytest.mark.rule("silence.move", *CHARGING)
@pytest.mark.parametrize("book", CHARGING)
@pytest.mark.parametrize("mode", MODES)
def test_with_no_points_both_answer_with_an_empty_mark(book: str, mode: Mode) -> None:
    story = quiet(book, mode)
    story.order(A, RunSilent(0))
    assert story.refusal(A, CrossOut("N1")) == "silence.move"
    assert story.refusal(A, Charge(System.MINE)) == "silence.move"
    assert story.order(A, CrossOut()) == [SymbolCrossed(A, None)]
    assert story.order(A, Charge())[0] == GaugeCharged(A, None)
    assert crossed_names(story, A) == set()
    assert sum(story.boat(A).gauges.boxes) == 0
    assert route(story) == "E5"


@pytest.mark.rule("silence.move", "captain-sonar-ru")
def test_with_no_points_the_russian_engineer_pretends_too() -> None:
    story = quiet("captain-sonar-ru")
    story.order(A, RunSilent(0))
    assert story.refusal(A, CrossOut("N1")) == "silence.move"
    assert story.refusal(A, Charge()) == "charge.one"
    assert story.order(A, CrossOut()) == [SymbolCrossed(A, None), TurnEnded(A, B)]


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_same_marks_are_awaited_with_and_without_points(book: str) -> None:
    still, moved = quiet(book, REAL_TIME), quiet(book, REAL_TIME)
    still.order(A, RunSilent(0))
    moved.order(A, RunSilent(4, W))
    owed = [
        (story.boat(A).duty.charge != "none", story.boat(A).duty.cross != "none")
        for story in (still, moved)
    ]
    assert owed[0] == owed[1]


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", [RunSilent(0), RunSilent(2, E)])
def test_the_gauge_is_emptied_in_any_case(book: str, order: RunSilent) -> None:
    story = quiet(book)
    assert silence_boxes(story) == 5
    story.order(A, order)
    assert silence_boxes(story) == 0
    assert story.boat(A).duty.ready == 0


@pytest.mark.rule("silence.move")
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_table_may_charge_for_no_points_too(book: str) -> None:
    story = quiet(book, rulings={"silence_zero_charges": True})
    story.order(A, RunSilent(0))
    assert story.refusal(A, Charge()) == "charge.one"
    assert story.order(A, Charge(System.MINE)) == [GaugeCharged(A, System.MINE)]
    assert story.refusal(A, CrossOut("N1")) == "silence.move"


@pytest.mark.rule("silence.move")
def test_a_table_may_cross_out_for_no_points_too() -> None:
    story = quiet(rulings={"silence_zero_marks": True})
    story.order(A, RunSilent(0))
    assert story.refusal(A, CrossOut()) == "breakdown.cross"
    offered = [order for order in story.legal(A, Post.ENGINEER) if isinstance(order, CrossOut)]
    assert len(offered) == 24
    story.order(A, CrossOut("S5"))
    assert crossed_names(story, A) == {"S5"}
    assert story.refusal(A, Charge(System.MINE)) == "silence.move"


@pytest.mark.rule("silence.move")
def test_a_table_may_choose_another_least_and_most() -> None:
    story = quiet(rulings={"silence_least": 2, "silence_most": 3})
    for distance, allowed in ((1, False), (2, True), (3, True), (4, False)):
        assert story.accepts(A, RunSilent(distance, W)) is allowed
    assert story.refusal(A, RunSilent(0)) == "silence.move"
    assert story.refusal(A, RunSilent(1, W)) == "silence.move"
    distances = {order.distance for order in story.legal(A) if isinstance(order, RunSilent)}
    assert distances == {2, 3}


# The family game


@pytest.mark.rule("silence.one", "sonar")
@pytest.mark.rule("silence.move", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_the_family_games_silence_moves_exactly_one_point(mode: Mode) -> None:
    assert (
        reached(quiet("sonar", mode), OPEN_SEA)
        == """\
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . x . . . . .
. . . x . x . . . .
. . . . x . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . ."""
    )


@pytest.mark.rule("silence.one", "sonar")
@pytest.mark.parametrize(
    "order",
    [RunSilent(0), RunSilent(2, E), RunSilent(4, N), RunSilent(-1, N), RunSilent(1)],
    ids=["none", "two", "four", "backwards", "no heading"],
)
def test_none_or_two_points_are_refused(order: RunSilent) -> None:
    assert quiet("sonar").refusal(A, order) == "silence.one"


@pytest.mark.rule("silence.one", "sonar")
@pytest.mark.parametrize("heading", [N, S, E, W])
def test_only_the_silence_is_heard(heading: Heading) -> None:
    story = quiet("sonar", players=4)
    events = story.order(A, RunSilent(1, heading))
    assert events == [RanSilent(A, 1, heading), TurnEnded(A, B)]
    assert story.heard_by(B, events) == [SilenceHeard(A), TurnEnded(A, B)]
    assert story.heard_by(A, events)[0] == RanSilent(A, 1, heading)


@pytest.mark.rule("silence.one", "sonar")
def test_the_point_must_be_free() -> None:
    story = quiet("sonar", at="D4", picture=STRAITS)
    story.put(A, "D4", "C4")
    assert story.refusal(A, RunSilent(1, N)) == "move.islands"
    assert story.refusal(A, RunSilent(1, W)) == "move.no-crossing"
    story.put(A, "D8")
    assert story.refusal(A, RunSilent(1, S)) == "move.edge"


@pytest.mark.rule("silence.one", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_it_costs_three_energy_and_brings_none(mode: Mode) -> None:
    story = quiet("sonar", mode)
    story.order(A, RunSilent(1, E))
    assert story.boat(A).gauges.energy == 1
    assert route(story) == "E5 F5"
    assert story.refusal(A, Charge(System.SILENCE)) == "crew.orders"


@pytest.mark.rule("silence.one", "sonar")
def test_its_point_bars_the_way_back() -> None:
    story = quiet("sonar")
    story.order(A, RunSilent(1, E))
    story.order(B, SetCourse(S))
    assert story.refusal(A, SetCourse(W)) == "move.no-crossing"
    assert story.order(A, SetCourse(E))[0] == CourseSet(A, E)
    assert story.boat(A).helm.at == Point(parse("G5"))
