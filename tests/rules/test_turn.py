"""Turn by turn: what a turn is made of, how it ends, and whose it is."""

from typing import Any

import pytest

from fathom.engine.events import (
    AnyEvent,
    CourseSet,
    GameEnded,
    MineTriggered,
    RanSilent,
    SonarAnswered,
    SonarUsed,
    Surfaced,
    SymbolCrossed,
    SystemFailed,
    TorpedoFired,
    TurnEnded,
)
from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    EndTurn,
    FireTorpedo,
    LaunchDrone,
    LayMine,
    PutMark,
    Resign,
    RunSilent,
    SetCourse,
    Surface,
    TriggerMine,
    UseSonar,
)
from fathom.points import parse
from fathom.words import ByCrew, Crew, Heading, Mode, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

N, S, E, W = Heading
MINE, TORPEDO, DRONE, SONAR, SILENCE, SCENARIO = System
WATERS = sea(OPEN_SEA)
FAR = FireTorpedo(parse("E1"))
"""A torpedo from around E5 that hits nobody."""
SYSTEMS_OF_CAPTAINS: tuple[AnyOrder, ...] = (
    *(LayMine(parse("D4")), FAR, LaunchDrone(1), UseSonar(), RunSilent(1, N), RunSilent(0)),
)


def at_sea(book: str = "captain-sonar", mode: Mode = Mode.TURN_BY_TURN, **choices: Any) -> Story:
    """A on E5 begins; B is far away."""
    return Story(table(book, mode, chart=WATERS, **choices), "E5", "J10")


def whose_turn(story: Story) -> Crew:
    """The crew whose turn it is."""
    turn = story.game.public.turn
    assert turn is not None
    return turn.crew


def under_way(book: str = "captain-sonar", **choices: Any) -> Story:
    """A has set its course and the marks are made; everything but silence is charged."""
    story = at_sea(book, **choices)
    story.ready(A, MINE, TORPEDO, DRONE, SONAR)
    story.order(A, SetCourse(N), Charge(SILENCE), CrossOut("N6"))
    return story


def ends_turn(events: list[AnyEvent]) -> bool:
    """Whether the turn ended with these events."""
    return bool(events) and isinstance(events[-1], TurnEnded)


# turn.order: a course or surfacing


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_turn_is_course_marks_and_its_end(book: str) -> None:
    story = at_sea(book)
    assert story.order(A, SetCourse(N)) == [CourseSet(A, N)]
    assert not ends_turn(story.order(A, Charge(MINE), CrossOut("N6")))
    assert story.order(A, EndTurn()) == [TurnEnded(A, B)]
    assert whose_turn(story) is B


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_turn_has_one_course(book: str) -> None:
    story = under_way(book)
    assert story.refusal(A, SetCourse(N)) == "turn.order"


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_after_a_course_nobody_surfaces(book: str) -> None:
    assert under_way(book).refusal(A, Surface()) == "turn.order"


@pytest.mark.rule("turn.order", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_there_is_no_pass(book: str) -> None:
    story = at_sea(book)
    assert story.refusal(A, EndTurn()) == "turn.order"
    assert EndTurn() not in story.legal(A)


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_surfacing_ends_the_turn_at_once(book: str) -> None:
    story = at_sea(book)
    assert story.order(A, Surface()) == [Surfaced(A, sector=1), TurnEnded(A, B, 3)]
    assert whose_turn(story) is B


# turn.order: the marks


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("marks", [(Charge(MINE), CrossOut("N6")), (CrossOut("N6"), Charge(MINE))])
def test_the_marks_come_in_either_order_and_before_the_end(
    book: str, marks: tuple[AnyOrder, ...]
) -> None:
    story = at_sea(book)
    story.order(A, SetCourse(N))
    for mark in marks:
        assert story.refusal(A, EndTurn()) == "turn.order"
        story.order(A, mark)
    assert story.accepts(A, EndTurn())


# turn.order: at most one activation


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", SYSTEMS_OF_CAPTAINS)
def test_no_system_comes_before_the_course(book: str, order: AnyOrder) -> None:
    story = at_sea(book)
    story.ready(A, MINE, TORPEDO, DRONE, SONAR, SILENCE)
    assert story.refusal(A, order) == "turn.order"


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", [LayMine(parse("D4")), FAR, LaunchDrone(1)])
def test_after_an_activation_the_turn_ends_by_itself(book: str, order: AnyOrder) -> None:
    story = under_way(book)
    assert story.order(A, order)[-1] == TurnEnded(A, B)
    assert story.refusal(A, FAR) == "turn.yours"


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_after_a_sonar_the_turn_ends_with_the_answer(book: str) -> None:
    story = under_way(book)
    assert story.order(A, UseSonar()) == [SonarUsed(A)]
    assert story.refusal(A, EndTurn()) == "sonar.answer"
    assert story.order(B, AnswerSonar(row=10, column="A")) == [
        SonarAnswered(B, row=10, column="A"),
        TurnEnded(A, B),
    ]


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("book", "marks"),
    [
        ("captain-sonar", (Charge(DRONE), CrossOut("N6"))),
        ("captain-sonar-ru", (CrossOut("N6"),)),
        ("captain-sonar-2", (Charge(DRONE), CrossOut("N6"))),
    ],
)
def test_after_a_silence_the_turn_ends_with_its_last_mark(
    book: str, marks: tuple[AnyOrder, ...]
) -> None:
    story = at_sea(book)
    story.ready(A, SILENCE)
    story.sailed(A)
    assert story.order(A, RunSilent(2, N)) == [RanSilent(A, 2, N)]
    *before, last = marks
    for mark in before:
        assert not ends_turn(story.order(A, mark))
    assert story.order(A, last)[-1] == TurnEnded(A, B)


@pytest.mark.rule("turn.order", "captain-sonar-2")
def test_after_a_failed_system_the_turn_ends_with_the_radiation_mark() -> None:
    story = under_way("captain-sonar-2")
    story.cross_out(A, "N2")
    assert story.order(A, FAR) == [SystemFailed(A, TORPEDO)]
    assert story.refusal(A, EndTurn()) == "turn.order"
    assert story.order(A, CrossOut("W5")) == [SymbolCrossed(A, "W5"), TurnEnded(A, B)]


@pytest.mark.rule("turn.order")
def test_a_game_that_is_over_has_no_further_turn() -> None:
    story = under_way()
    story.put(B, "E1")
    story.public(damage=ByCrew(0, 3))
    assert story.order(A, FAR)[-1] == GameEnded(A, "end.sunk")


# turn.order: the end by hand


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("ready", [(), (TORPEDO,)], ids=["nothing charged", "a torpedo ready"])
def test_without_an_activation_the_turn_is_always_ended_by_hand(
    book: str, ready: tuple[System, ...]
) -> None:
    # A quick end would betray that no gauge is full.
    story = at_sea(book)
    story.ready(A, *ready)
    assert not ends_turn(story.order(A, SetCourse(N), Charge(SILENCE), CrossOut("N6")))
    assert whose_turn(story) is A
    assert story.accepts(A, EndTurn())


QUICK = {"quick_ends": True}


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_table_may_choose_quick_ends(book: str) -> None:
    story = at_sea(book, house=QUICK)
    assert not ends_turn(story.order(A, SetCourse(N), Charge(SILENCE)))
    assert story.order(A, CrossOut("N6"))[-1] == TurnEnded(A, B)


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_quick_ends_leave_time_for_a_system_that_could_be_used(book: str) -> None:
    story = at_sea(book, house=QUICK)
    story.ready(A, TORPEDO)
    assert not ends_turn(story.order(A, SetCourse(N), CrossOut("N6"), Charge(SILENCE)))
    assert story.order(A, FAR)[-1] == TurnEnded(A, B)


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("book", "ends"),
    [("captain-sonar", True), ("captain-sonar-ru", True), ("captain-sonar-2", False)],
)
def test_a_broken_system_could_be_used_only_where_it_may_fail(book: str, ends: bool) -> None:
    story = at_sea(book, house=QUICK)
    story.ready(A, TORPEDO)
    events = story.order(A, SetCourse(N), Charge(SILENCE), CrossOut("N2"))
    assert ends_turn(events) == ends


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_mines_never_hold_a_turn_open(book: str) -> None:
    story = at_sea(book, house=QUICK)
    story.mine(A, "A1")
    assert ends_turn(story.order(A, SetCourse(N), Charge(SILENCE), CrossOut("N6")))
    story = under_way(book)
    story.mine(A, "A1")
    assert ends_turn(story.order(A, FAR))


@pytest.mark.rule("turn.order")
def test_a_mine_is_no_activation_and_ends_no_turn() -> None:
    story = under_way()
    story.mine(A, "A1")
    assert not ends_turn(story.order(A, TriggerMine(parse("A1"))))
    assert story.accepts(A, FAR)


# turn.order: the family game


@pytest.mark.rule("turn.order", "sonar")
@pytest.mark.parametrize(
    ("order", "first"),
    [
        (SetCourse(N), CourseSet(A, N)),
        (RunSilent(1, N), RanSilent(A, 1, N)),
        (FAR, TorpedoFired(A, parse("E1"))),
        (Surface(), Surfaced(A, at=parse("E5"))),
    ],
)
def test_in_the_family_game_a_turn_is_one_order(order: AnyOrder, first: AnyEvent) -> None:
    story = at_sea("sonar")
    story.change(A, gauges={"energy": 4})
    events = story.order(A, order)
    assert (events[0], events[-1]) == (first, TurnEnded(A, B))
    assert story.refusal(A, SetCourse(W)) == "turn.yours"


@pytest.mark.rule("turn.order", "sonar")
def test_in_the_family_game_a_sonar_is_a_turn_that_ends_with_the_answer() -> None:
    story = at_sea("sonar")
    story.change(A, gauges={"energy": 4})
    assert story.order(A, UseSonar()) == [SonarUsed(A)]
    assert story.refusal(A, SetCourse(N)) == "sonar.answer-true"
    assert story.order(B, AnswerTruly("row")) == [SonarAnswered(B, row=10), TurnEnded(A, B)]


@pytest.mark.rule("turn.order", "sonar")
def test_in_the_family_game_an_activation_takes_the_place_of_the_course() -> None:
    story = at_sea("sonar")
    story.change(A, gauges={"energy": 4})
    assert story.accepts(A, FAR)
    story.order(A, SetCourse(N))
    assert story.refusal(A, FAR) == "turn.yours"


@pytest.mark.rule("turn.order", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_a_table_may_rule_that_systems_follow_courses_in_the_family_game_too(mode: Mode) -> None:
    story = at_sea("sonar", mode, rulings={"activations": "between-courses"})
    for heading in (N, W):
        story.change(A, gauges={"energy": 4})
        story.order(A, SetCourse(heading))
        assert story.order(A, FAR)[0] == TorpedoFired(A, parse("E1"))
        if mode is Mode.REAL_TIME:
            story.resume()
        else:
            story.order(B, Surface())


# turn.yours


@pytest.mark.rule("turn.yours", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    "order",
    [
        *(SetCourse(N), Surface(), EndTurn(), LayMine(parse("I9")), FireTorpedo(parse("J8"))),
        *(LaunchDrone(1), UseSonar(), RunSilent(1, N)),
    ],
)
def test_an_order_out_of_turn_is_refused(book: str, order: AnyOrder) -> None:
    story = at_sea(book)
    story.ready(B, MINE, TORPEDO, DRONE, SONAR, SILENCE)
    assert story.refusal(B, order) == "turn.yours"
    story.order(A, SetCourse(N))
    assert story.refusal(B, order) == "turn.yours"


@pytest.mark.rule("turn.yours", "sonar")
@pytest.mark.parametrize(
    "order", [SetCourse(N), Surface(), FireTorpedo(parse("J8")), UseSonar(), RunSilent(1, N)]
)
def test_an_order_out_of_turn_is_refused_in_the_family_game(order: AnyOrder) -> None:
    story = at_sea("sonar")
    story.change(B, gauges={"energy": 4})
    assert story.refusal(B, order) == "turn.yours"


@pytest.mark.rule("turn.yours", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_in_real_time_there_are_no_turns(book: str) -> None:
    story = at_sea(book, Mode.REAL_TIME)
    assert story.game.public.turn is None
    story.order(B, SetCourse(N))
    story.order(A, SetCourse(N))
    assert story.refusal(A, EndTurn()) == "turn.order"


@pytest.mark.rule("turn.yours", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_may_be_triggered_in_the_enemys_turn(book: str) -> None:
    story = at_sea(book)
    story.mine(B, "A10")
    story.order(A, SetCourse(N))
    assert story.order(B, TriggerMine(parse("A10")))[0] == MineTriggered(B, parse("A10"))
    assert whose_turn(story) is A


@pytest.mark.rule("turn.yours", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_an_answer_is_given_in_the_enemys_turn(book: str) -> None:
    story = at_sea(book)
    story.ready(A, SONAR)
    story.sailed(A)
    story.order(A, UseSonar())
    answer = AnswerTruly("column") if book == "sonar" else AnswerSonar(row=10, column="A")
    assert isinstance(story.order(B, answer)[0], SonarAnswered)


@pytest.mark.rule("turn.yours")
def test_an_answer_that_nobody_asked_for_is_refused() -> None:
    story = at_sea()
    assert story.refusal(B, AnswerSonar(row=10, column="A")) == "sonar.answer"


@pytest.mark.rule("turn.yours")
def test_marks_are_due_to_the_crew_that_set_course() -> None:
    story = at_sea()
    story.order(A, SetCourse(N))
    assert story.refusal(B, Charge(MINE)) == "charge.one"
    assert story.refusal(B, CrossOut("N6")) == "breakdown.cross"


@pytest.mark.rule("turn.yours")
@pytest.mark.parametrize("order", [PutMark(10, 10), Resign()])
def test_writing_and_resigning_need_no_turn(order: AnyOrder) -> None:
    assert at_sea().accepts(B, order)


@pytest.mark.rule("turn.yours", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_turns_alternate(book: str) -> None:
    story = at_sea(book)
    turns = []
    for crew, heading in ((A, N), (B, N), (A, W), (B, W)):
        turns.append(whose_turn(story))
        story.order(crew, SetCourse(heading))
        story.aye(crew)
        if book != "sonar":
            story.order(crew, EndTurn())
    assert turns == [A, B, A, B]
