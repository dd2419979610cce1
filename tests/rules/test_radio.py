"""The radio operator's transparent sheet."""

from typing import Any

import pytest

from fathom.engine.events import (
    AnyEvent,
    CourseSet,
    LineDrawn,
    MarkPut,
    NoteWritten,
    Rubbed,
    SheetSlid,
    SheetTaken,
    SheetWiped,
)
from fathom.engine.game import Film, Item
from fathom.engine.orders import (
    AnyOrder,
    Dive,
    DrawLine,
    NewSheet,
    PutMark,
    ReportReady,
    Resign,
    Rub,
    SetCourse,
    SlideSheet,
    Surface,
    TraceSection,
    UseSonar,
    WipeSheet,
    WriteNote,
)
from fathom.engine.referee import may_write
from fathom.engine.tracing import ideal_stroke
from fathom.points import bits, name
from fathom.words import Crew, Heading, Mode, Post, Seat, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

N, S, E, W = Heading
TURNS, REAL_TIME = MODES
FULL_CREWS = [*((book, 8) for book in CAPTAIN_BOOKS), ("sonar", 4)]
DOT = Item(shape="dot")
LAGOON = sea("""
    . # . .
    . . . .
    # . . .
    . . . #
""")
EVERY_SHEET_ORDER: list[AnyOrder] = [
    DrawLine(((0, 0), (10, 0))), PutMark(5, 5), WriteNote(0, 0, "here?"), Rub(1), WipeSheet(),
    SlideSheet(2, 3), NewSheet(),
]  # fmt: skip


def duel(book: str = "captain-sonar", mode: Mode = TURNS, **choices: Any) -> Story:
    """A sails first, in open sea."""
    return Story(table(book, mode, chart=sea(OPEN_SEA), **choices), "E5", "J10")


def films(story: Story, crew: Crew = B) -> tuple[Film, ...]:
    return story.boat(crew).radio.films


def stroke(spot: tuple[int, int], heading: Heading) -> tuple[tuple[int, int], tuple[int, int]]:
    """One point of the route, drawn from a spot in the direction heard."""
    (x, y), length = spot, 10
    dx, dy = {N: (0, -length), S: (0, length), E: (length, 0), W: (-length, 0)}[heading]
    return spot, (x + dx, y + dy)


def repair(story: Story, crew: Crew) -> None:
    """A surfaced crew traces its hull and reports ready."""
    for section in range(1, 5):
        line = ideal_stroke(story.setup.hull, section)
        story.order(crew, TraceSection(section, line, "AB"))
    story.order(crew, ReportReady())


# Plotting


@pytest.mark.rule("radio.plot", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("book", "players"), FULL_CREWS)
def test_a_line_is_drawn_for_the_course_heard(book: str, players: int, mode: Mode) -> None:
    story = duel(book, mode, players=players)
    heard = story.heard_by(B, story.order(A, SetCourse(W)))
    assert heard[0] == CourseSet(A, W)
    line = stroke((0, 0), heard[0].heading)
    assert story.order(B, DrawLine(line)) == [LineDrawn(B, ((0, 0), (-10, 0)))]
    assert films(story) == (Film(items=(DOT, Item(line=line))),)


@pytest.mark.rule("radio.plot", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("spot", [(0, 0), (-120, 75), (290, -290)])
def test_the_route_may_begin_anywhere_on_the_sheet(book: str, spot: tuple[int, int]) -> None:
    story = duel(book)
    story.order(B, DrawLine(stroke(spot, S)))
    assert films(story)[0].items[-1].line[0] == spot


@pytest.mark.rule("radio.plot", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_sheet_slides_over_the_chart_with_all_that_is_drawn(book: str) -> None:
    story = duel(book)
    line = stroke((0, 0), N)
    story.order(B, DrawLine(line))
    assert story.order(B, SlideSheet(3, -2)) == [SheetSlid(B, 3, -2)]
    assert films(story) == (Film(x=3, y=-2, items=(DOT, Item(line=line))),)


@pytest.mark.rule("radio.plot", "captain-sonar")
def test_the_program_does_not_judge_what_is_drawn() -> None:
    story = duel()
    there_and_back = ((0, 0), (10, 0), (0, 0))
    story.order(B, DrawLine(there_and_back), SlideSheet(30, 30))
    assert films(story)[0].items[-1].line == there_and_back


@pytest.mark.rule("radio.plot", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize(
    ("heard", "starts"),
    [
        ((N, W, N), {"B3", "D3", "C4"}),
        ((E, E, E), {"A2"}),
        ((N, W, S, E), set()),
    ],
    ids=["around-islands", "along-a-row", "in-a-circle"],
)
def test_the_route_heard_fits_only_where_it_could_be_sailed(
    book: str, heard: tuple[Heading, ...], starts: set[str]
) -> None:
    everywhere = {name(point) for point in bits(LAGOON.water)}
    assert {start for start in everywhere if could_have_sailed(book, start, heard)} == starts


def could_have_sailed(book: str, start: str, route: tuple[Heading, ...]) -> bool:
    """Whether a captain who started there could have set these courses."""
    story = Story(table(book, REAL_TIME, chart=LAGOON), start, "A1")
    for heading in route:
        if SetCourse(heading) not in story.legal(A):
            return False
        story.order(A, SetCourse(heading))
        story.sailed(A)
    return True


@pytest.mark.rule("radio.plot", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_new_sheet_lies_over_the_old_one(book: str) -> None:
    story = duel(book)
    story.order(B, DrawLine(stroke((0, 0), N)), SlideSheet(2, 2))
    assert story.order(B, NewSheet()) == [SheetTaken(B)]
    story.order(B, PutMark(10, 20, "question"))
    below, top = films(story)
    assert below == Film(2, 2, (DOT, Item(line=((0, 0), (0, -10)))))
    assert top == Film(items=(Item(x=10, y=20, shape="question"),))


@pytest.mark.rule("radio.plot", "captain-sonar")
def test_marks_and_notes_may_be_added() -> None:
    story = duel()
    events = story.order(B, PutMark(-30, 40, "mine"), WriteNote(5, 6, "sector 3, or a lie"))
    assert events == [MarkPut(B, -30, 40, "mine"), NoteWritten(B, 5, 6, "sector 3, or a lie")]
    assert films(story)[0].items[1:] == (
        Item(x=-30, y=40, shape="mine"),
        Item(x=5, y=6, text="sector 3, or a lie"),
    )


@pytest.mark.rule("radio.plot", "captain-sonar")
@pytest.mark.parametrize(
    "order",
    [
        DrawLine(((0, 0),)),
        DrawLine(((0, 0), (301, 0))),
        DrawLine(((0, 0), (0, 1)) * 101),
        PutMark(0, -301),
        WriteNote(0, 0, ""),
        WriteNote(0, 0, "x" * 41),
        WriteNote(0, 0, "two\nlines"),
        WriteNote(400, 0, "far out"),
        SlideSheet(31, 0),
        SlideSheet(0, -31),
    ],
    ids=repr,
)
def test_what_does_not_fit_on_the_sheet_is_refused(order: AnyOrder) -> None:
    assert duel().refusal(B, order) == "radio.plot"


@pytest.mark.rule("radio.plot", "captain-sonar")
def test_a_sheet_and_the_pile_of_sheets_have_an_end() -> None:
    story = duel()
    story.order(B, *[PutMark(0, 0)] * 399)
    assert story.refusal(B, PutMark(0, 0)) == "radio.plot"
    story.order(B, *[NewSheet()] * 39)
    assert story.refusal(B, NewSheet()) == "radio.plot"
    assert story.accepts(B, PutMark(0, 0))


@pytest.mark.rule("radio.plot", "captain-sonar")
def test_all_sheets_together_hold_a_thousand_lines_and_wiping_makes_room() -> None:
    story, line = duel(), DrawLine(((0, 0), (10, 0), (10, 10), (0, 10)))
    for number in range(999):
        if number % 300 == 299:
            story.order(B, NewSheet())
        story.order(B, line)
    assert story.refusal(B, line) == story.refusal(B, WriteNote(0, 0, "x" * 40)) == "radio.plot"
    assert story.accepts(A, line), "the other crew has sheets of its own"
    assert story.accepts(B, SlideSheet(1, 1))
    story.order(B, Rub(1))
    assert story.accepts(B, line)
    story.order(B, line)
    assert story.refusal(B, line) == "radio.plot"
    story.order(B, WipeSheet())
    assert story.accepts(B, line)


@pytest.mark.rule("radio.plot", "captain-sonar")
def test_what_is_drawn_and_wiped_again_and_again_has_an_end() -> None:
    story, line = duel(), DrawLine(((0, 0), (10, 0)) * 100)
    drawn = 0
    while story.accepts(B, line):
        story.order(B, line)
        drawn += 1
        if not story.accepts(B, line):
            story.order(B, WipeSheet())
    assert 400 < drawn < 500
    assert story.refusal(B, line) == "radio.plot"


@pytest.mark.rule("radio.plot", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "players"), FULL_CREWS)
def test_only_the_radio_operator_writes_on_it(book: str, players: int) -> None:
    story = duel(book, players=players)
    operator = story.seat(B, Post.RADIO_OPERATOR)
    others = [Seat(B, n) for n in range(players // 2) if n != operator.number]
    for order in EVERY_SHEET_ORDER:
        assert {story.refusal(B, order, seat=seat) for seat in others} == {"crew.orders"}
        assert story.accepts(B, order)
    assert may_write(story.game, operator)
    assert not any(may_write(story.game, seat) for seat in others)


@pytest.mark.rule("radio.plot", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_each_crew_has_its_own_sheet(book: str) -> None:
    story = duel(book)
    story.order(A, DrawLine(stroke((0, 0), E)))
    assert films(story, B) == (Film(items=(DOT,)),)
    assert len(films(story, A)[0].items) == 2


@pytest.mark.rule("radio.plot", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_while_play_is_stopped_the_pen_is_up(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.sailed(A)
    story.ready(A, System.SONAR)
    story.order(A, UseSonar())
    for crew in (A, B):
        assert {story.refusal(crew, order) for order in EVERY_SHEET_ORDER} == {"system.stop"}


# Erasing


@pytest.mark.rule("radio.erase", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_everything_may_be_erased_at_once(book: str, mode: Mode) -> None:
    story = duel(book, mode)
    story.order(B, DrawLine(stroke((0, 0), N)), NewSheet(), PutMark(3, 3), SlideSheet(1, 1))
    assert story.order(B, WipeSheet()) == [SheetWiped(B)]
    # What is begun again begins as the first sheet did (start.radio).
    assert films(story) == (Film(items=(DOT,)),)
    story.order(B, PutMark(7, 7))
    assert films(story) == (Film(items=(DOT, Item(x=7, y=7, shape="dot"))),)


@pytest.mark.rule("radio.erase", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_one_thing_may_be_rubbed_out(book: str) -> None:
    story = duel(book)
    first, second = stroke((0, 0), N), stroke((0, -10), E)
    story.order(B, DrawLine(first), DrawLine(second))
    assert story.order(B, Rub(2)) == [Rubbed(B, 2)]
    assert films(story)[0].items == (DOT, Item(line=second))
    story.order(B, Rub(2), Rub(1))
    assert films(story)[0].items == ()


@pytest.mark.rule("radio.erase", "captain-sonar")
@pytest.mark.parametrize("number", [-1, 0, 2])
def test_what_is_not_there_can_not_be_rubbed_out(number: int) -> None:
    assert duel().refusal(B, Rub(number)) == "radio.erase"


@pytest.mark.rule("radio.erase", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_at_any_time_in_ones_turn_or_not_and_before_the_game(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)), begun=False)
    assert story.accepts(A, WipeSheet())
    story.begin("E5", "J10")
    assert story.accepts(A, WipeSheet())
    assert story.accepts(B, WipeSheet())
    story.order(A, SetCourse(N))
    assert story.accepts(A, WipeSheet())
    assert story.accepts(B, WipeSheet())


@pytest.mark.rule("radio.erase", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_not_while_surfaced_in_real_time(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.order(B, DrawLine(stroke((0, 0), N)))
    drawn = films(story)
    story.order(B, Surface())
    assert {story.refusal(B, order) for order in EVERY_SHEET_ORDER} == {"surface.idle"}
    assert not may_write(story.game, story.seat(B, Post.RADIO_OPERATOR))
    repair(story, B)
    assert story.refusal(B, WipeSheet()) == "surface.idle"
    assert films(story) == drawn
    story.order(B, Dive())
    assert all(story.accepts(B, order) for order in EVERY_SHEET_ORDER)


@pytest.mark.rule("radio.erase", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_enemy_of_a_surfaced_crew_goes_on_writing(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.order(B, Surface())
    assert all(story.accepts(A, order) for order in EVERY_SHEET_ORDER)


@pytest.mark.rule("radio.erase", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_a_surfaced_crews_operator_goes_on_writing(book: str) -> None:
    story = duel(book)
    story.order(A, Surface())
    assert story.game.public.surfaced[A]
    assert all(story.accepts(A, order) for order in EVERY_SHEET_ORDER)


@pytest.mark.rule("radio.erase", "captain-sonar")
def test_a_table_may_rule_that_the_sheet_is_locked_turn_by_turn_too() -> None:
    story = duel(rulings={"radio_locked_surfaced": True})
    story.order(A, Surface())
    assert {story.refusal(A, order) for order in EVERY_SHEET_ORDER} == {"surface.turns"}
    assert story.accepts(B, WipeSheet())


@pytest.mark.rule("radio.erase", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_in_the_family_game_surfacing_locks_nothing(mode: Mode) -> None:
    story = duel("sonar", mode)
    story.order(A, Surface())
    if mode is REAL_TIME:
        assert story.refusal(A, WipeSheet()) == "system.stop"
        story.resume()
    assert all(story.accepts(A, order) for order in EVERY_SHEET_ORDER)


@pytest.mark.rule("radio.erase", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_after_the_end_the_sheet_stays_as_it_is(book: str) -> None:
    story = duel(book)
    story.order(B, Resign())
    assert {story.refusal(A, order) for order in EVERY_SHEET_ORDER} == {"end.resign"}


@pytest.mark.rule("radio.erase", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_enemy_hears_nothing_of_the_sheet(book: str) -> None:
    story = duel(book)
    events: list[AnyEvent] = [*story.order(B, *EVERY_SHEET_ORDER)]
    assert len(events) == len(EVERY_SHEET_ORDER)
    assert story.heard_by(A, events) == []
