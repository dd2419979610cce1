"""Drone and sonar: what is asked, and what must be answered."""

from itertools import product
from typing import Any

import pytest

from fathom.engine.events import DroneLaunched, SonarAnswered, SonarUsed, TurnEnded
from fathom.engine.game import Awaited
from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    EndTurn,
    LaunchDrone,
    SetCourse,
    UseSonar,
)
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.points import LETTERS, parse
from fathom.words import REFEREE, Heading, Mode, Post, System
from tests.stories import (
    CAPTAIN_BOOKS,
    MODES,
    OPEN_SEA,
    A,
    B,
    Story,
    sea,
    table,
)

N, S, E, W = Heading
TURNS, REAL_TIME = MODES
LARGE_SEA = "\n".join(["." * 15] * 15)


def listening(
    book: str = "captain-sonar",
    b: str = "H3",
    mode: Mode = TURNS,
    *,
    picture: str = OPEN_SEA,
    **choices: Any,
) -> Story:
    """A has drone and sonar ready and may use them now; B is on its point."""
    story = Story(table(book, mode, chart=sea(picture), **choices), a="A1", b=b)
    if book != "sonar":
        story.sailed(A)
    story.ready(A, System.DRONE, System.SONAR)
    return story


def asked(book: str = "captain-sonar", b: str = "H3", mode: Mode = TURNS, **choices: Any) -> Story:
    """A's sonar waits for the answer of B's captain."""
    story = listening(book, b, mode, **choices)
    story.order(A, UseSonar())
    return story


# The drone


@pytest.mark.rule("drone.ask", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("at", "sector"),
    [("A2", 1), ("E5", 1), ("F5", 2), ("J1", 2), ("E6", 3), ("A10", 3), ("F6", 4), ("J10", 4)],
)
def test_the_answer_is_a_truthful_yes_or_no(book: str, mode: Mode, at: str, sector: int) -> None:
    for named in (1, 2, 3, 4):
        story = listening(book, at, mode)
        events = story.order(A, LaunchDrone(named))
        assert events[0] == DroneLaunched(A, named, "yes" if named == sector else "no")
        assert story.game.public.awaited is None


@pytest.mark.rule("drone.ask")
def test_a_large_chart_has_nine_sectors_to_ask_about() -> None:
    for named in range(1, 10):
        story = listening(b="L11", mode=REAL_TIME, picture=LARGE_SEA)
        story.order(A, LaunchDrone(named))
        assert story.events[-1] == DroneLaunched(A, named, "yes" if named == 9 else "no")


@pytest.mark.rule("drone.ask")
@pytest.mark.parametrize("sector", [-1, 0, 5, 9])
def test_a_sector_that_is_not_on_the_chart_is_refused(sector: int) -> None:
    assert listening().refusal(A, LaunchDrone(sector)) == "chart.sectors"


@pytest.mark.rule("drone.ask")
def test_ones_own_sector_may_be_asked_about() -> None:
    story = listening(b="E5")
    story.put(A, "A1")
    assert story.order(A, LaunchDrone(1))[0] == DroneLaunched(A, 1, "yes")
    story = listening(b="J10")
    assert story.order(A, LaunchDrone(1))[0] == DroneLaunched(A, 1, "no")


@pytest.mark.rule("drone.ask", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_both_crews_hear_question_and_answer(book: str) -> None:
    story = listening(book, players=8)
    events = story.order(A, LaunchDrone(2))
    for crew in (A, B):
        assert story.heard_by(crew, events)[0] == DroneLaunched(A, 2, "yes")


@pytest.mark.rule("drone.ask", "captain-sonar", "captain-sonar-ru")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru"])
@pytest.mark.parametrize("post", [Post.CAPTAIN, Post.FIRST_MATE])
def test_whoever_activates_the_drone_names_the_sector(book: str, post: Post) -> None:
    story = listening(book, players=8)
    events = decide(story.game, story.seat(A, post), LaunchDrone(2))
    assert events[0] == DroneLaunched(A, 2, "yes")


@pytest.mark.rule("drone.ask", "captain-sonar-2")
def test_in_the_second_edition_the_first_mate_names_it() -> None:
    story = listening("captain-sonar-2", players=8)
    assert story.order(A, LaunchDrone(2))[0] == DroneLaunched(A, 2, "yes")
    captain = story.seat(A, Post.CAPTAIN)
    assert story.refusal(A, LaunchDrone(2), captain) == "system.who"


@pytest.mark.rule("drone.ask")
def test_the_drone_gives_no_more_away_than_its_answer() -> None:
    here, there = listening(b="F1"), listening(b="J5")
    assert here.order(A, LaunchDrone(2)) == there.order(A, LaunchDrone(2))


# The sonar: two facts, one of them false


@pytest.mark.rule("sonar.answer", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "answer",
    [
        AnswerSonar(row=3, column="A"),
        AnswerSonar(row=4, column="H"),
        AnswerSonar(row=3, sector=1),
        AnswerSonar(row=10, sector=2),
        AnswerSonar(column="H", sector=4),
        AnswerSonar(column="J", sector=2),
    ],
)
def test_two_facts_of_different_kinds_one_true_and_one_false(
    book: str, mode: Mode, answer: AnswerSonar
) -> None:
    story = asked(book, "H3", mode)
    assert story.events[-1] == SonarUsed(A)
    events = story.order(B, answer)
    assert events[0] == SonarAnswered(B, answer.row, answer.column, answer.sector)
    assert story.game.public.awaited is None


@pytest.mark.rule("sonar.answer", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    "answer",
    [
        AnswerSonar(),
        AnswerSonar(row=3),
        AnswerSonar(column="A"),
        AnswerSonar(sector=1),
        AnswerSonar(row=3, column="H", sector=1),
        AnswerSonar(row=1, column="A", sector=2),
        AnswerSonar(row=3, column="H"),
        AnswerSonar(row=3, sector=2),
        AnswerSonar(column="H", sector=2),
        AnswerSonar(row=4, column="A"),
        AnswerSonar(row=4, sector=1),
        AnswerSonar(column="A", sector=1),
    ],
    ids=str,
)
def test_one_fact_three_facts_two_truths_and_two_lies_are_refused(
    book: str, answer: AnswerSonar
) -> None:
    assert asked(book, "H3").refusal(B, answer) == "sonar.answer"


@pytest.mark.rule("sonar.answer")
@pytest.mark.parametrize(
    "answer",
    [
        AnswerSonar(row=0, column="H"),
        AnswerSonar(row=11, column="H"),
        AnswerSonar(row=-3, sector=2),
        AnswerSonar(row=3, column="K"),
        AnswerSonar(row=3, column="a"),
        AnswerSonar(row=3, column=""),
        AnswerSonar(row=3, column="AB"),
        AnswerSonar(row=3, column="5"),
        AnswerSonar(row=3, sector=0),
        AnswerSonar(column="H", sector=5),
    ],
    ids=str,
)
def test_a_false_fact_must_exist_on_the_chart(answer: AnswerSonar) -> None:
    assert asked(b="H3").refusal(B, answer) == "sonar.answer"


@pytest.mark.rule("sonar.answer")
def test_what_exists_on_a_large_chart_may_be_said_there() -> None:
    story = asked(b="L11", mode=REAL_TIME, picture=LARGE_SEA)
    assert story.accepts(B, AnswerSonar(row=15, column="L"))
    assert story.accepts(B, AnswerSonar(row=11, column="O"))
    assert story.accepts(B, AnswerSonar(column="L", sector=8))
    assert story.refusal(B, AnswerSonar(row=16, column="L")) == "sonar.answer"
    assert story.refusal(B, AnswerSonar(column="L", sector=10)) == "sonar.answer"


@pytest.mark.rule("sonar.answer")
@pytest.mark.parametrize("at", ["A2", "E6", "J10"])
def test_exactly_the_honest_half_truths_are_accepted(at: str) -> None:
    story = asked(b=at)
    row, column = int(at[1:]), at[0]
    sector = (row - 1) // 5 * 2 + LETTERS.index(column) // 5 + 1
    rows, columns, sectors = range(1, 11), LETTERS[:10], range(1, 5)
    pairs: list[tuple[AnyOrder, bool, bool]] = [
        *((AnswerSonar(row=r, column=c), r == row, c == column) for r, c in product(rows, columns)),
        *((AnswerSonar(row=r, sector=s), r == row, s == sector) for r, s in product(rows, sectors)),
        *(
            (AnswerSonar(column=c, sector=s), c == column, s == sector)
            for c, s in product(columns, sectors)
        ),
    ]
    honest = {order for order, first, second in pairs if first != second}
    assert {order for order, _, _ in pairs if story.accepts(B, order)} == honest
    offered = {order for order in story.legal(B) if isinstance(order, AnswerSonar)}
    assert offered == honest
    assert len(honest) == (9 + 9) + (9 + 3) + (9 + 3)


@pytest.mark.rule("sonar.answer")
def test_the_two_facts_need_not_fit_together() -> None:
    # No point of column A is in sector 2.
    story = asked(b="H3")
    assert story.accepts(B, AnswerSonar(column="A", sector=2))
    assert story.accepts(B, AnswerSonar(row=3, sector=4))


@pytest.mark.rule("sonar.answer")
def test_a_letter_is_a_column_and_a_number_a_row() -> None:
    story = asked(b="C8")
    assert story.accepts(B, AnswerSonar(row=8, column="H"))
    assert story.refusal(B, AnswerSonar(row=3, column="H")) == "sonar.answer"


@pytest.mark.rule("sonar.answer", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_play_waits_for_the_answer(book: str) -> None:
    story = asked(book)
    assert story.game.public.awaited == Awaited("sonar-answer", B)
    assert story.refusal(A, EndTurn()) == "sonar.answer"
    assert story.refusal(A, LaunchDrone(1)) == "sonar.answer"
    assert story.refusal(B, SetCourse(N)) == "sonar.answer"
    assert story.order(B, AnswerSonar(row=3, column="A"))[-1] == TurnEnded(A, B)
    assert story.accepts(B, SetCourse(N))


@pytest.mark.rule("sonar.answer")
def test_a_refused_answer_may_be_given_again() -> None:
    story = asked(b="H3")
    assert story.refusal(B, AnswerSonar(row=3, column="H")) == "sonar.answer"
    assert story.game.public.awaited == Awaited("sonar-answer", B)
    assert story.accepts(B, AnswerSonar(row=3, column="G"))


@pytest.mark.rule("sonar.answer")
def test_the_enemy_captain_answers_and_nobody_else() -> None:
    story = asked(b="H3", players=8)
    answer = AnswerSonar(row=3, column="A")
    for post in (Post.FIRST_MATE, Post.ENGINEER, Post.RADIO_OPERATOR):
        assert story.refusal(B, answer, story.seat(B, post)) == "crew.orders"
    assert story.refusal(A, AnswerSonar(row=1, column="B")) == "sonar.answer"
    assert story.accepts(B, answer)


@pytest.mark.rule("sonar.answer")
@pytest.mark.parametrize("mode", MODES)
def test_nobody_answers_unasked_or_twice(mode: Mode) -> None:
    story = listening(b="H3", mode=mode)
    answer = AnswerSonar(row=3, column="A")
    assert story.refusal(B, answer) == "sonar.answer"
    story.order(A, UseSonar())
    story.order(B, answer)
    assert story.refusal(B, answer) == "sonar.answer"


@pytest.mark.rule("sonar.answer", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_both_crews_hear_the_answer_but_not_which_half_is_true(book: str) -> None:
    answer = AnswerSonar(row=3, column="A")
    truth_in_row = asked(book, "H3", players=8)
    truth_in_column = asked(book, "A7", players=8)
    events = truth_in_row.order(B, answer)
    for crew in (A, B):
        assert truth_in_row.heard_by(crew, events)[0] == SonarAnswered(B, row=3, column="A")
    assert truth_in_column.order(B, answer) == events


@pytest.mark.rule("sonar.answer")
@pytest.mark.parametrize("mode", MODES)
def test_when_the_tables_time_is_up_the_referee_answers(mode: Mode) -> None:
    story = asked(b="H3", mode=mode, house={"answer_seconds": 20.0})
    assert story.setup.house.answer_seconds == 20.0
    with pytest.raises(OrderRefused, match=r"sonar\.answer"):
        decide(story.game, REFEREE, AnswerSonar(row=3, column="H"))
    answered = story.referee(AnswerSonar(row=3, column="A"))
    assert answered[0] == SonarAnswered(B, row=3, column="A")
    assert story.game.public.awaited is None
    with pytest.raises(OrderRefused, match=r"sonar\.answer"):
        decide(story.game, REFEREE, AnswerSonar(row=3, column="A"))


@pytest.mark.rule("sonar.answer")
def test_usually_there_is_no_such_time() -> None:
    assert table().house.answer_seconds is None


@pytest.mark.rule("sonar.answer", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_single_true_fact_is_no_answer_here(book: str) -> None:
    assert asked(book).refusal(B, AnswerTruly("row")) == "sonar.answer"


@pytest.mark.rule("sonar.answer")
def test_the_submarines_stay_where_they_are() -> None:
    story = asked(b="H3")
    story.order(B, AnswerSonar(row=3, column="A"))
    assert story.boat(A).helm.at == parse("A1")
    assert story.boat(B).helm.at == parse("H3")


# The family game's sonar: one true fact


@pytest.mark.rule("sonar.answer-true", "sonar")
@pytest.mark.rule("sonar.answer", "sonar")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("at", "row", "column"), [("H3", 3, "H"), ("J10", 10, "J"), ("B1", 1, "B")]
)
def test_the_captain_chooses_row_or_column_and_the_program_fills_it_in(
    mode: Mode, at: str, row: int, column: str
) -> None:
    told_row = asked("sonar", at, mode).order(B, AnswerTruly("row"))
    assert told_row[0] == SonarAnswered(B, row=row)
    told_column = asked("sonar", at, mode).order(B, AnswerTruly("column"))
    assert told_column[0] == SonarAnswered(B, column=column)


@pytest.mark.rule("sonar.answer-true", "sonar")
@pytest.mark.rule("sonar.answer", "sonar")
def test_two_facts_are_no_answer_in_the_family_game() -> None:
    story = asked("sonar", "H3")
    assert story.refusal(B, AnswerSonar(row=3, column="A")) == "sonar.answer-true"
    assert story.refusal(B, AnswerSonar(row=3)) == "sonar.answer-true"


@pytest.mark.rule("sonar.answer-true", "sonar")
def test_row_and_column_are_all_that_is_offered() -> None:
    story = asked("sonar")
    answers = [order for order in story.legal(B) if isinstance(order, AnswerTruly)]
    assert answers == [AnswerTruly("row"), AnswerTruly("column")]
    assert not [order for order in story.legal(B) if isinstance(order, AnswerSonar)]


@pytest.mark.rule("sonar.answer-true", "sonar")
def test_the_turn_passes_with_the_answer() -> None:
    story = asked("sonar")
    assert story.refusal(A, SetCourse(E)) == "sonar.answer-true"
    assert story.order(B, AnswerTruly("row")) == [SonarAnswered(B, row=3), TurnEnded(A, B)]


@pytest.mark.rule("sonar.answer-true", "sonar")
def test_the_answer_is_heard_by_both() -> None:
    story = asked("sonar", players=4)
    events = story.order(B, AnswerTruly("column"))
    for crew in (A, B):
        assert story.heard_by(crew, events)[0] == SonarAnswered(B, column="H")


@pytest.mark.rule("sonar.answer-true", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_nobody_answers_truly_unasked(mode: Mode) -> None:
    story = listening("sonar", mode=mode)
    assert story.refusal(B, AnswerTruly("row")) == "sonar.answer-true"
    assert story.refusal(A, AnswerTruly("row")) == "sonar.answer-true"


@pytest.mark.rule("sonar.answer-true", "sonar")
def test_here_too_the_referee_answers_when_the_time_is_up() -> None:
    story = asked("sonar")
    assert story.referee(AnswerTruly("column"))[0] == SonarAnswered(B, column="H")


@pytest.mark.rule("sonar.answer-true")
def test_a_table_may_choose_the_other_kind_of_answer() -> None:
    true = asked(rulings={"sonar_answer": "one-true"})
    assert true.refusal(B, AnswerSonar(row=3, column="A")) == "sonar.answer-true"
    assert true.order(B, AnswerTruly("row"))[0] == SonarAnswered(B, row=3)
    false = asked("sonar", rulings={"sonar_answer": "one-false"})
    assert false.refusal(B, AnswerTruly("row")) == "sonar.answer"
    assert false.order(B, AnswerSonar(row=3, column="A"))[0] == SonarAnswered(B, 3, "A")
