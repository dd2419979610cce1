"""Logbooks: whole games as text, read back to the letter, and judged again."""

import re
from typing import Any, get_args

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from fathom.engine import events as happened
from fathom.engine import orders
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import new_game
from fathom.engine.logbook import BadLogbook, Logbook, Step, duel, read, verify, write
from fathom.engine.logbook.lines import BY_KIND, FORMS
from fathom.engine.logbook.steps import Scribe
from fathom.engine.orders import AnyOrder
from fathom.points import parse
from fathom.rules.library import rulebook_names, scenario_names
from fathom.rules.setup import BadSetup, Choices, CrewPlan, House, SeatPlan, Setup, prepare
from fathom.words import CREWS, REFEREE, ByCrew, Crew, Heading, Mode, Post, Seat, System
from tests.duels.files import text as duel_text
from tests.duels.files import without_hearing
from tests.duels.play import play
from tests.duels.samples import BEGIN, DOCS, END, NOTATION, SAMPLES, table
from tests.duels.short import ONE, SHORT, TEXT, TWO, tell, with_row

A, B = CREWS


def lines(text: str) -> list[str]:
    """The lines below the header."""
    return text[text.index("\n---\n") + 5 :].splitlines()


def events(kind: Any) -> set[type]:
    """The classes of a union of unions."""
    return {leaf for part in get_args(kind) for leaf in events(part)} or {kind}


# The text


def test_a_game_reads_like_a_story() -> None:
    assert lines(TEXT) == [
        "   1  yellow starts on C2",
        "   2  blue starts on H8",
        '   3  blue writes "a \\"mine\\" here?" at -5,12',
        "   4  yellow dives",
        "   5  blue dives",
        "   5    play begins with yellow",
        "   6  yellow sets course E",
        "   7  yellow marks mine",
        "   8  yellow crosses out E1",
        "   9  turn of yellow ends, blue is next",
        "  10  blue surfaces in sector 4",
        "  10    turn of blue ends, yellow takes 3 turns",
        "  11  yellow sets course E",
        "  12  yellow marks mine",
        "  12    yellow calls mine ready",
        "  13  yellow crosses out E2",
        "  14  yellow lays a mine on F3",
        "  14    turn of yellow ends, yellow takes 2 turns",
        "  15  yellow wins (end.abandon)",
    ]


def test_the_header_begins_with_what_people_look_for() -> None:
    assert TEXT.splitlines()[:12] == [
        "logbook = 1",
        "rules = 1",
        'rulebook = "captain-sonar"',
        'mode = "turn-by-turn"',
        'goal = "sink"',
        'chart = "charlie-10"',
        'crews = ["yellow: Yellow (Yellow 1)", "blue: Blue (Blue 1)"]',
        'result = "yellow wins (end.abandon)"',
        "",
        "[setup]",
        "version = 1",
        'mode = "turn-by-turn"',
    ]


def test_a_game_lost_on_time_reads_back_as_what_it_was() -> None:
    text = TEXT.replace("end.abandon", "end.time")
    told = read(text)
    assert told.steps[-1].events == (happened.GameEnded(Crew.A, "end.time"),)
    assert write(told) == text
    # The verdict of games from before there was one for time is still read.
    assert read(TEXT).steps[-1].events == (happened.GameEnded(Crew.A, "end.abandon"),)


def test_a_game_under_way_is_unfinished() -> None:
    text = write(replace(SHORT, steps=SHORT.steps[:4]))
    assert 'result = "unfinished"' in text
    assert len(read(text).steps) == 4


def test_a_game_that_has_not_begun_has_no_lines() -> None:
    text = write(Logbook(SHORT.setup))
    assert text.endswith("\n---\n")
    assert read(text) == Logbook(SHORT.setup)


def test_info_is_kept() -> None:
    info = (("date", "1870-03-20"), ("place", 'Le "Nautilus" \\ Україна'))
    told = replace(SHORT, info=info)
    assert 'place = "Le \\"Nautilus\\" \\\\ Україна"' in write(told)
    assert read(write(told)) == told


@pytest.mark.parametrize(
    "info", [("Date", "x"), ("a b", "x"), ("date", "a\nb"), ("date", "x" * 201)]
)
def test_info_that_is_none_is_not_written(info: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match=r"expected|no key"):
        write(replace(SHORT, info=(info,)))


def test_carriage_returns_are_let_pass() -> None:
    assert read(TEXT.replace("\n", "\r\n")) == SHORT


def test_a_step_has_events() -> None:
    with pytest.raises(ValueError, match="brings something about"):
        Step(ONE, ())


# Every line


def test_every_event_has_a_form() -> None:
    assert {form.kind for form in FORMS} == events(AnyEvent)


def test_every_form_has_a_sample() -> None:
    used = {
        next(form.template for form in BY_KIND[type(event)] if form.tells(event))
        for event in SAMPLES
    }
    assert used == {form.template for form in FORMS}


@pytest.mark.parametrize("event", SAMPLES, ids=NOTATION.write)
def test_a_line_is_read_as_it_was_written(event: AnyEvent) -> None:
    assert NOTATION.read(NOTATION.write(event)) == event


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            happened.Exploded(parse("D3"), "torpedo", A, ByCrew("miss", "direct"), ByCrew(0, 2)),
            "torpedo of yellow explodes on D3: yellow miss, blue direct hit, 2 damage",
        ),
        (happened.RanSilent(B, 3, Heading.E), "blue runs silent E 3"),
        (happened.RanSilent(B, 0), "blue runs silent on the spot"),
        (happened.SonarAnswered(A, row=7, sector=2), "yellow answers row 7 and sector 2"),
        (
            happened.SectionTraced(A, 1, 3, ((7, 9), (-8, 4)), 'J"V'),
            r'yellow traces section 3 at seat 2, signed "J\"V": 7,9 -8,4',
        ),
        (happened.GameEnded(None, "end.draw"), "nobody wins (end.draw)"),
    ],
)
def test_lines_are_plain_english(event: AnyEvent, line: str) -> None:
    assert NOTATION.write(event) == line


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
@example('"\\"')
@example("\u2028")
@example(" | --- (referee)")
def test_any_note_is_quoted_safely(text: str) -> None:
    note = happened.NoteWritten(A, 1, -2, text)
    line = NOTATION.write(note)
    assert NOTATION.read(line) == note
    assert "\n" not in line


def test_an_event_that_cannot_be_is_not_told() -> None:
    with pytest.raises(ValueError, match="no logbook can tell"):
        NOTATION.write(happened.Surfaced(A))


# The documentation


def test_the_documentation_lists_every_line() -> None:
    told = DOCS.read_text(encoding="utf-8")
    assert told[told.index(BEGIN) + len(BEGIN) : told.index(END)] == table()


def test_every_line_of_the_documentation_can_be_read() -> None:
    told = DOCS.read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `[^`]*` \| `([^`]*)` \|$", told, re.MULTILINE)
    assert len(rows) == len(FORMS)
    for kind, line in rows:
        assert type(NOTATION.read(line)).__name__ == kind


def test_the_example_of_the_documentation_was_played() -> None:
    blocks = re.findall(r"```text\n(  24 .*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    played = duel_text("sudden-death")
    assert len(blocks) == 2
    assert blocks[0] in without_hearing(played)
    assert blocks[1] in played


# Round trips


def choices() -> st.SearchStrategy[Choices]:
    return st.builds(
        Choices,
        rulebook=st.sampled_from(rulebook_names()),
        mode=st.sampled_from(Mode),
        scenario=st.none() | st.sampled_from(scenario_names()),
        players=st.integers(2, 8),
        first=st.sampled_from([None, A, B]),
        rulings=st.sampled_from(
            [{}, {"silence_zero_marks": True}, {"blast_chain": True}, {"resume": "captain"}]
        ),
        house=st.builds(
            House,
            radio_help=st.sampled_from(["paper", "tape"]),
            stations=st.sampled_from(["open", "closed"]),
            quick_ends=st.booleans(),
            trace_judge=st.sampled_from(["program", "enemy-engineer"]),
            trace_redo=st.sampled_from(["all", "bad"]),
            lift_crew_rules=st.just(True),
            answer_seconds=st.sampled_from([None, 30.0]),
        ),
    )


def setup_of(choices: Choices) -> Setup:
    try:
        return prepare(choices)
    except BadSetup:
        assume(False)
        raise


def same_again(told: Logbook) -> None:
    """The logbook is read to the last letter, and was played by the rules."""
    text = write(told)
    again = read(text)
    assert again == told
    assert write(again) == text
    assert verify(again) == apply_all(new_game(told.setup), told.events)
    assert without_hearing(duel(text)).count("\n") == text.count("\n")


EVERY_GAME = pytest.mark.parametrize(
    ("rulebook", "mode"), [(book, mode) for book in rulebook_names() for mode in Mode]
)


@EVERY_GAME
def test_a_game_is_read_as_it_was_written(rulebook: str, mode: Mode) -> None:
    setup = prepare(Choices(rulebook, mode, players=4 if rulebook == "sonar" else 7))
    same_again(play(setup, 1, 200))


@pytest.mark.slow
@EVERY_GAME
def test_a_long_game_is_read_as_it_was_written(rulebook: str, mode: Mode) -> None:
    setup = prepare(Choices(rulebook, mode, players=4 if rulebook == "sonar" else 8))
    for seed in range(2, 8):
        same_again(play(setup, seed, 1200))


@pytest.mark.slow
@given(choices(), st.integers(0, 2**32))
def test_any_game_is_read_as_it_was_written(choices: Choices, seed: int) -> None:
    same_again(play(setup_of(choices), seed, 160))


def names() -> st.SearchStrategy[str]:
    anything = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=40)
    return anything.filter(str.isprintable)


@given(st.tuples(names(), names(), names(), names()))
@settings(max_examples=40)
def test_any_name_is_quoted_safely(called: tuple[str, str, str, str]) -> None:
    posts = tuple(Post)
    crews = ByCrew(
        CrewPlan(called[0], (SeatPlan(called[1], posts),)),
        CrewPlan(called[2], (SeatPlan(called[3], posts),), shy_mate=True),
    )
    told = Logbook(prepare(Choices("captain-sonar-2", crews=crews)))
    assert read(write(told)) == told


def test_the_set_up_comes_from_the_text_and_not_from_the_library() -> None:
    assert TEXT.count('  "..........",\n') >= 1
    title = TEXT.replace('title = "Charlie"', 'title = "Charlie, corrected"')
    assert read(title).setup.chart.title == "Charlie, corrected"
    island = with_row(TEXT, 1, "#.........")
    assert read(island).setup.chart.rows[0] == "#........."
    assert read(island).steps == SHORT.steps


# Who gave the order

FOUR = prepare(Choices("captain-sonar", players=8, first=A))


def turn(crew: Crew, course: Heading, symbol: str) -> tuple[tuple[Seat, AnyOrder], ...]:
    """A course and its marks, each from the seat whose post it is."""
    return (
        (Seat(crew, 0), orders.SetCourse(course)),
        (Seat(crew, 1), orders.Charge(System.SONAR)),
        (Seat(crew, 2), orders.CrossOut(symbol)),
    )


SONAR_READY: tuple[tuple[Seat, AnyOrder], ...] = (
    *((ONE, orders.Place(parse("A1"))), (ONE, orders.DIVE)),
    *((TWO, orders.Place(parse("J10"))), (TWO, orders.DIVE)),
    *(*turn(A, Heading.S, "S5"), (ONE, orders.END_TURN)),
    *(*turn(B, Heading.N, "N6"), (TWO, orders.END_TURN)),
    *turn(A, Heading.S, "S6"),
)


def test_the_first_mate_is_named_where_the_captain_might_have_asked() -> None:
    for by, signature in ((Seat(A, 1), " (first mate)"), (ONE, "")):
        told = tell(FOUR, *SONAR_READY, (by, orders.USE_SONAR))
        assert lines(write(told))[-1] == f"  16  yellow uses sonar{signature}"
        assert read(write(told)) == told


def test_nobody_else_is_believed_to_have_asked() -> None:
    text = write(tell(FOUR, *SONAR_READY, (ONE, orders.USE_SONAR)))
    with pytest.raises(BadLogbook, match=r"system\.who"):
        read(text.replace("yellow uses sonar", "yellow uses sonar (engineer)"))


def test_the_referee_is_named_where_it_answers_for_a_captain() -> None:
    answer = orders.AnswerSonar(row=9, column="A")
    for by, signature in ((REFEREE, " (referee)"), (TWO, "")):
        told = tell(FOUR, *SONAR_READY, (ONE, orders.USE_SONAR), (by, answer))
        assert lines(write(told))[-2] == f"  17  blue answers row 9 and column A{signature}"
        assert read(write(told)) == told


def test_the_captain_is_named_who_gives_the_signal() -> None:
    setup = prepare(Choices("sonar", Mode.REAL_TIME, players=4))
    told = tell(
        setup,
        (ONE, orders.DIVE),
        (TWO, orders.DIVE),
        (TWO, orders.SURFACE),
        (TWO, orders.RESUME),
    )
    assert lines(write(told))[-2:] == [
        "   3  green surfaces on J10",
        "   4  play resumes (captain of green)",
    ]
    assert read(write(told)) == told


def test_a_trace_is_judged_by_the_other_crew() -> None:
    told = "trace of yellow is good"
    event = NOTATION.read(told)
    scribe = Scribe(FOUR)
    assert list(scribe.write([Step(Seat(B, 2), (event,))])) == [f"   1  {told}"]
    assert list(scribe.write([Step(Seat(A, 2), (event,))])) == [
        f"   1  {told} (engineer of yellow)"
    ]


# Judging again


def test_a_record_is_judged_where_it_would_stand_in_the_text() -> None:
    wrong = Step(ONE, (happened.CourseSet(A, Heading.W),))
    played = replace(SHORT, steps=(*SHORT.steps[:10], wrong), info=(("date", "today"),))
    with pytest.raises(BadLogbook, match=r"move\.no-crossing") as caught:
        verify(played)
    number = caught.value.line
    assert write(played).splitlines()[number - 1] == "  11  yellow sets course W"


def test_a_seat_that_is_not_there_gave_no_order() -> None:
    for number in (1, -1):
        step = Step(Seat(A, number), (happened.SystemFailed(A, System.MINE),))
        with pytest.raises(BadLogbook, match="there is no seat"):
            verify(Logbook(SHORT.setup, (step,)))


def test_a_failure_needs_something_that_could_have_failed() -> None:
    step = Step(ONE, (happened.SystemFailed(A, System.MINE),))
    with pytest.raises(BadLogbook, match="no order could have brought this about"):
        verify(replace(SHORT, steps=(*SHORT.steps[:6], step)))


def test_a_failure_is_judged_whatever_the_order_was_aimed_at() -> None:
    told = read(without_hearing(duel_text("misuse")))
    failed = [e.system for e in told.events if isinstance(e, happened.SystemFailed)]
    assert failed
    assert verify(told).public.result is not None
