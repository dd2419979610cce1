"""Surfacing: what is told and erased, the turns that it costs, the traced hull and the dive."""

from typing import Any

import pytest

from fathom.engine.events import (
    AnyEvent,
    CourseSet,
    Dived,
    DroneLaunched,
    Exploded,
    PlayResumed,
    ReadyReported,
    SectionTraced,
    SonarAnswered,
    Surfaced,
    TorpedoFired,
    TraceJudged,
    TurnEnded,
)
from fathom.engine.game import Turn
from fathom.engine.knowledge.view import view
from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    Dive,
    DrawLine,
    EndTurn,
    FireTorpedo,
    JudgeTrace,
    LaunchDrone,
    LayMine,
    NewSheet,
    PutMark,
    ReportReady,
    Resign,
    ResumePlay,
    Rub,
    RunSilent,
    SetCourse,
    SlideSheet,
    Surface,
    TraceSection,
    TriggerMine,
    UseSonar,
    WipeSheet,
    WriteNote,
)
from fathom.engine.referee import may_judge, may_trace, may_write
from fathom.engine.tracing import FARTHEST, ideal_stroke
from fathom.points import bits, collect, name, parse
from fathom.rules import library
from fathom.words import ByCrew, Crew, Heading, Mode, Post, Seat, System
from tests.stories import (
    ALL_BOOKS,
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
HULL = library.hull()
GOOD = {section: ideal_stroke(HULL, section) for section in (1, 2, 3, 4)}
BAD = ((0, 0), (1, 1))
"""A scribble in the sheet's corner, far from any band."""

WRITING: tuple[AnyOrder, ...] = (
    DrawLine(((0, 0), (10, 0))),
    PutMark(10, 10),
    WriteNote(0, 0, "here"),
    Rub(1),
    WipeSheet(),
    SlideSheet(1, 1),
    NewSheet(),
)


def under_way(
    book: str = "captain-sonar", mode: Mode = TURNS, a: str = "E5", **choices: Any
) -> Story:
    """A is on E5 in open sea, B far away."""
    return Story(table(book, mode, chart=sea(OPEN_SEA), **choices), a=a, b="J10")


def surfaced(book: str = "captain-sonar", mode: Mode = REAL_TIME, **choices: Any) -> Story:
    """A has surfaced on E5."""
    story = under_way(book, mode, **choices)
    story.order(A, Surface())
    return story


def trace(
    story: Story, section: int, stroke: tuple[tuple[int, int], ...] = (), crew: Crew = A
) -> list[AnyEvent]:
    """Whoever holds the sheet traces the section; without a stroke, with a steady hand."""
    return story.order(crew, TraceSection(section, stroke or GOOD[section], "JV"))


def trace_all(story: Story) -> list[AnyEvent]:
    """All four sections, well traced."""
    return [event for section in GOOD for event in trace(story, section)]


def dive_again(story: Story) -> None:
    """The whole way back."""
    trace_all(story)
    story.order(A, ReportReady(), Dive())


def whole_turn(story: Story, crew: Crew, heading: Heading) -> None:
    """A course, its marks and the end of the turn."""
    story.order(crew, SetCourse(heading))
    story.aye(crew)
    story.order(crew, EndTurn())


def route(story: Story, crew: Crew) -> list[str]:
    return [name(point) for point in story.boat(crew).helm.route]


def whose_turn(story: Story) -> Turn:
    turn = story.game.public.turn
    assert turn is not None
    return turn


# What the enemy is told

SECTORS = [("A1", 1), ("E5", 1), ("F5", 2), ("J1", 2), ("E6", 3), ("F6", 4), ("J9", 4)]


@pytest.mark.rule("surface.announce", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("at", "sector"), SECTORS)
def test_the_sector_is_announced(book: str, mode: Mode, at: str, sector: int) -> None:
    story = under_way(book, mode, a=at, players=8)
    events = story.order(A, Surface())
    assert events[0] == Surfaced(A, sector=sector)
    assert story.heard_by(B, events)[0] == Surfaced(A, sector=sector, at=None)


@pytest.mark.rule("surface.announce", "sonar")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("at", ["A1", "E5", "J9"])
def test_the_family_games_captain_announces_the_exact_point(mode: Mode, at: str) -> None:
    story = under_way("sonar", mode, a=at, players=4)
    events = story.order(A, Surface())
    assert story.heard_by(B, events)[0] == Surfaced(A, sector=None, at=parse(at))


@pytest.mark.rule("surface.announce")
@pytest.mark.parametrize(
    ("book", "tells", "said"),
    [
        ("captain-sonar", "point", Surfaced(A, at=parse("E5"))),
        ("sonar", "sector", Surfaced(A, sector=1)),
    ],
)
def test_a_table_may_tell_the_other_of_the_two(book: str, tells: str, said: Surfaced) -> None:
    story = under_way(book, rulings={"surfacing_tells": tells})
    assert story.order(A, Surface())[0] == said


@pytest.mark.rule("surface.announce")
def test_sectors_of_a_large_chart_are_numbered_to_nine() -> None:
    chart = sea("\n".join(["." * 15] * 15))
    story = Story(table(mode=REAL_TIME, chart=chart), a="L11", b="A1")
    assert story.order(A, Surface()) == [Surfaced(A, sector=9)]


@pytest.mark.rule("surface.announce", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_only_the_captain_surfaces(book: str) -> None:
    story = under_way(book, players=4 if book == "sonar" else 8)
    for number in range(1, len(story.game.ground.posts[A])):
        assert story.refusal(A, Surface(), Seat(A, number)) == "crew.orders"


# What is erased


def worn(book: str, mode: Mode, **choices: Any) -> Story:
    """A on E5 with a route, a silence in it, mines, charges, breakdowns and damage."""
    story = under_way(book, mode, **choices)
    story.put(A, "E5", "C5 D5")
    story.mine(A, "B2", "E6")
    story.ready(A, System.TORPEDO)
    story.change(A, helm={"silent": 1 << parse("D5")}, gauges={"boxes": (1, 3, 2, 0, 4, 0)})
    story.public(damage=ByCrew(1, 0))
    return story


@pytest.mark.rule("surface.erase", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
def test_the_route_is_erased_but_for_the_present_point(book: str, mode: Mode) -> None:
    story = worn(book, mode)
    story.order(A, Surface())
    helm = story.boat(A).helm
    assert route(story, A) == ["E5"]
    assert (helm.at, helm.covered, helm.silent) == (parse("E5"), 1 << parse("E5"), 0)


@pytest.mark.rule("surface.erase", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
def test_mines_gauges_and_damage_stay(book: str, mode: Mode) -> None:
    story = worn(book, mode)
    gauges = story.boat(A).gauges
    story.order(A, Surface())
    assert story.boat(A).helm.mines == collect([parse("B2"), parse("E6")])
    assert story.boat(A).gauges == gauges
    assert story.boat(A).duty.ready == System.TORPEDO.bit
    assert story.game.public.damage == ByCrew(1, 0)


@pytest.mark.rule("surface.erase", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_all_breakdowns_are_erased_at_once(book: str) -> None:
    story = worn(book, TURNS)
    story.cross_out(A, "W1", "N4", "S5", "E6")
    story.cross_out(B, "W1")
    story.order(A, Surface())
    assert crossed_names(story, A) == set()
    assert crossed_names(story, B) == {"W1"}


@pytest.mark.rule("surface.erase", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_in_real_time_breakdowns_are_erased_when_the_repair_is_done(book: str) -> None:
    story = worn(book, REAL_TIME)
    story.cross_out(A, "W1", "N4", "S5", "E6")
    story.order(A, Surface())
    for section in (1, 2, 3):
        trace(story, section)
        assert crossed_names(story, A) == {"W1", "N4", "S5", "E6"}
    trace(story, 4)
    assert crossed_names(story, A) == set()


@pytest.mark.rule("surface.erase")
def test_the_old_route_may_be_crossed_after_the_dive() -> None:
    story = worn("captain-sonar", REAL_TIME)
    assert story.refusal(A, SetCourse(W)) == "move.no-crossing"
    story.order(A, Surface())
    dive_again(story)
    story.order(A, SetCourse(W))
    assert route(story, A) == ["E5", "D5"]


@pytest.mark.rule("surface.erase")
def test_a_mine_that_stayed_still_bars_the_way_of_its_own_crew() -> None:
    story = worn("captain-sonar", REAL_TIME)
    story.order(A, Surface())
    dive_again(story)
    assert story.refusal(A, SetCourse(S)) == "move.own-mine"


@pytest.mark.rule("surface.erase")
def test_surfacing_is_the_way_out_of_a_blackout() -> None:
    chart = sea(". . .\n. # .\n. . .")
    story = Story(table(mode=REAL_TIME, chart=chart), a="A1", b="C3")
    story.put(A, "A1", "B1 C1 C2 C3 B3 A3 A2")
    assert story.refusal(A, SetCourse(E)) == "move.blackout"
    story.order(A, Surface())
    dive_again(story)
    assert story.accepts(A, SetCourse(E))


# Turn by turn: the enemy takes three turns


@pytest.mark.rule("surface.turns", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_enemy_takes_three_turns_and_then_it_is_the_surfaced_crews(book: str) -> None:
    story = under_way(book)
    assert story.order(A, Surface())[1:] == [TurnEnded(A, B, 3)]
    for left in (2, 1, 0):
        assert (whose_turn(story).crew, whose_turn(story).left) == (B, left)
        assert story.refusal(A, SetCourse(N)) == "turn.yours"
        whole_turn(story, B, N)
    assert whose_turn(story) == Turn(A)
    whole_turn(story, A, N)
    assert whose_turn(story) == Turn(B)


@pytest.mark.rule("surface.turns")
def test_each_of_the_three_is_a_full_turn_with_one_activation() -> None:
    story = surfaced(mode=TURNS)
    for _ in range(3):
        assert story.refusal(B, LaunchDrone(1)) == "turn.order"
        story.order(B, SetCourse(N))
        assert story.refusal(B, SetCourse(N)) == "turn.order"
        story.aye(B)
        story.ready(B, System.DRONE)
        assert story.order(B, LaunchDrone(1))[0] == DroneLaunched(B, 1, "yes")
    assert whose_turn(story) == Turn(A)


@pytest.mark.rule("surface.turns", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("played", [0, 1, 2])
def test_if_the_enemy_surfaces_too_the_rest_is_lost_and_the_first_takes_three(
    book: str, played: int
) -> None:
    story = under_way(book)
    story.order(A, Surface())
    for _ in range(played):
        whole_turn(story, B, N)
    assert story.order(B, Surface())[1:] == [TurnEnded(B, A, 3)]
    assert story.game.public.surfaced == ByCrew(False, True)
    for _ in range(3):
        whole_turn(story, A, N)
    assert whose_turn(story) == Turn(B)


@pytest.mark.rule("surface.turns")
def test_and_so_on() -> None:
    story = surfaced(mode=TURNS)
    story.order(B, Surface())
    whole_turn(story, A, N)
    assert story.order(A, Surface())[1:] == [TurnEnded(A, B, 3)]
    for _ in range(3):
        whole_turn(story, B, N)
    assert whose_turn(story) == Turn(A)


@pytest.mark.rule("surface.turns")
def test_a_blackout_among_the_three_turns_does_the_same() -> None:
    story = surfaced(mode=TURNS)
    story.put(B, "J10", "I10 I9 J9")
    assert story.refusal(B, SetCourse(N)) == "move.blackout"
    assert story.order(B, Surface())[1:] == [TurnEnded(B, A, 3)]


@pytest.mark.rule("surface.turns", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_until_its_next_turn_a_surfaced_crew_neither_activates_nor_triggers(book: str) -> None:
    story = under_way(book)
    story.mine(A, "A10")
    story.ready(A, System.TORPEDO)
    story.order(A, Surface())
    for _ in range(3):
        story.order(B, SetCourse(N))
        assert story.refusal(A, TriggerMine(parse("A10"))) == "surface.turns"
        assert story.refusal(A, FireTorpedo(parse("E7"))) == "turn.yours"
        story.aye(B)
        story.order(B, EndTurn())
    assert story.accepts(A, TriggerMine(parse("A10")))


@pytest.mark.rule("surface.turns")
def test_the_ban_ends_when_the_enemys_surfacing_gives_the_turn_back() -> None:
    story = under_way()
    story.mine(A, "A10")
    story.mine(B, "A9")
    story.order(A, Surface())
    story.order(B, Surface())
    assert story.accepts(A, TriggerMine(parse("A10")))
    story.order(A, SetCourse(N))
    assert story.refusal(B, TriggerMine(parse("A9"))) == "surface.turns"


@pytest.mark.rule("surface.turns")
@pytest.mark.parametrize("mode", MODES)
def test_a_table_may_let_a_surfaced_crew_trigger(mode: Mode) -> None:
    story = under_way(mode=mode, rulings={"trigger_while_surfaced": True})
    story.mine(A, "A10")
    story.order(A, Surface())
    story.order(B, SetCourse(N))
    assert story.accepts(A, TriggerMine(parse("A10")))


@pytest.mark.rule("surface.turns")
@pytest.mark.parametrize("turns", [1, 2, 5])
def test_a_table_may_give_the_enemy_another_number_of_turns(turns: int) -> None:
    story = under_way(rulings={"surfacing_turns": turns})
    assert story.order(A, Surface())[-1] == TurnEnded(A, B, turns)
    for _ in range(turns):
        assert whose_turn(story).crew is B
        whole_turn(story, B, N)
    assert whose_turn(story) == Turn(A)


@pytest.mark.rule("surface.turns", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_surfaced_crews_radio_operator_goes_on_writing(book: str) -> None:
    story = surfaced(book, TURNS, house={"radio_help": "tape"})
    heard = story.order(B, SetCourse(N))
    assert all(story.accepts(A, order) for order in WRITING)
    assert story.boat(A).radio.tape[-1] == heard[-1]


@pytest.mark.rule("surface.turns")
def test_a_table_may_lock_that_radio_operators_sheet() -> None:
    story = surfaced(mode=TURNS, rulings={"radio_locked_surfaced": True})
    seat = story.seat(A, Post.RADIO_OPERATOR)
    assert {story.refusal(A, order) for order in WRITING} == {"surface.turns"}
    assert not may_write(story.game, seat)
    for _ in range(3):
        whole_turn(story, B, N)
    assert all(story.accepts(A, order) for order in WRITING)
    assert may_write(story.game, seat)


@pytest.mark.rule("surface.turns")
def test_turn_by_turn_a_surfaced_crew_still_answers_and_takes_damage() -> None:
    story = surfaced(mode=TURNS)
    story.order(B, SetCourse(N))
    story.sailed(B)
    story.ready(B, System.SONAR, System.TORPEDO)
    story.order(B, UseSonar())
    assert story.order(A, AnswerSonar(row=5, column="A"))[0] == SonarAnswered(A, 5, "A")
    story.put(B, "E7")
    story.order(B, SetCourse(S))
    story.aye(B)
    story.order(B, FireTorpedo(parse("E5")))
    assert story.game.public.damage == ByCrew(2, 0)


@pytest.mark.rule("surface.turns", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_no_hull_is_traced(book: str) -> None:
    story = surfaced(book, TURNS)
    assert story.boat(A).trace is None
    assert story.refusal(A, TraceSection(1, GOOD[1], "JV")) == "surface.trace"
    assert story.refusal(A, ReportReady()) == "surface.dive"
    assert story.refusal(A, Dive()) == "surface.dive"


@pytest.mark.rule("surface.turns", "sonar")
def test_in_the_family_game_the_turn_simply_passes() -> None:
    story = under_way("sonar")
    assert story.order(A, Surface()) == [Surfaced(A, at=parse("E5")), TurnEnded(A, B)]
    assert story.order(B, SetCourse(N)) == [CourseSet(B, N), TurnEnded(B, A)]
    assert story.accepts(A, SetCourse(N))


# Real time: the hull is traced


@pytest.mark.rule("surface.trace", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("players", "round_the_crew"),
    [
        (2, [{Post.CAPTAIN, Post.FIRST_MATE, Post.ENGINEER, Post.RADIO_OPERATOR}] * 4),
        (4, [{Post.CAPTAIN, Post.FIRST_MATE, Post.ENGINEER}, {Post.RADIO_OPERATOR}] * 2),
        (
            6,
            [
                {Post.ENGINEER},
                {Post.RADIO_OPERATOR},
                {Post.CAPTAIN, Post.FIRST_MATE},
                {Post.ENGINEER},
            ],
        ),
        (8, [{Post.ENGINEER}, {Post.RADIO_OPERATOR}, {Post.CAPTAIN}, {Post.FIRST_MATE}]),
    ],
    ids=["crew of 1", "crew of 2", "crew of 3", "crew of 4"],
)
def test_the_sheet_goes_round_the_crew_from_the_engineer(
    book: str, players: int, round_the_crew: list[set[Post]]
) -> None:
    story = surfaced(book, players=players)
    seats = story.setup.crews.a.seats
    for section, posts in enumerate(round_the_crew, 1):
        (seat,) = (n for n, plan in enumerate(seats) if set(plan.posts) == posts)
        (traced, *_) = trace(story, section)
        assert traced == SectionTraced(A, seat, section, GOOD[section], "JV")
    assert story.events[-1] == TraceJudged(A, ())


@pytest.mark.rule("surface.trace")
def test_only_who_holds_the_sheet_traces() -> None:
    story = surfaced(players=8)
    holder = story.seat(A, Post.ENGINEER)
    for number in range(4):
        seat = Seat(A, number)
        assert may_trace(story.game, seat) == ((1, 2, 3, 4) if seat == holder else ())
        if seat != holder:
            order = TraceSection(1, GOOD[1], "JV")
            assert story.refusal(A, order, seat) == "surface.trace"
    trace(story, 2)
    assert story.refusal(A, TraceSection(1, GOOD[1], "JV"), holder) == "surface.trace"
    assert may_trace(story.game, story.seat(A, Post.RADIO_OPERATOR)) == (1, 3, 4)


@pytest.mark.rule("surface.trace")
def test_the_sections_may_be_done_in_any_order() -> None:
    story = surfaced(players=8)
    for section in (3, 1, 4, 2):
        trace(story, section)
    assert story.events[-1] == TraceJudged(A, ())


@pytest.mark.rule("surface.trace")
@pytest.mark.parametrize("section", [-1, 0, 5, 2])
def test_a_section_must_be_one_of_the_four_and_not_yet_done(section: int) -> None:
    story = surfaced()
    trace(story, 2)
    assert story.refusal(A, TraceSection(section, GOOD[1], "JV")) == "surface.trace"


@pytest.mark.rule("surface.trace")
@pytest.mark.parametrize("initials", ["J", "JV", "J.V.", "ЖВ", "É"])
def test_a_section_is_signed_with_initials(initials: str) -> None:
    story = surfaced(players=8)
    story.order(A, TraceSection(2, GOOD[2], initials))
    hull = story.boat(A).trace
    assert hull is not None
    section = hull.sections[1]
    assert section is not None
    assert (section.initials, section.seat) == (initials, 2)


@pytest.mark.rule("surface.trace")
@pytest.mark.parametrize("initials", ["", " ", " JV", "JV ", "JULES", "J\nV", "J\x00"])
def test_an_unsigned_section_is_refused(initials: str) -> None:
    story = surfaced()
    assert story.refusal(A, TraceSection(1, GOOD[1], initials)) == "surface.trace"


@pytest.mark.rule("surface.trace")
@pytest.mark.parametrize(
    "stroke",
    [(), ((190, 90),), ((190, 90),) * (HULL.longest + 1)],
    ids=["nothing", "one point", "endless"],
)
def test_what_is_no_stroke_is_refused(stroke: tuple[tuple[int, int], ...]) -> None:
    story = surfaced()
    assert story.refusal(A, TraceSection(1, stroke, "JV")) == "surface.trace"


@pytest.mark.rule("surface.trace")
def test_a_line_far_off_any_sheet_is_refused() -> None:
    # Numbers come from clients: none may be too large to be judged, or to be written down.
    story = surfaced()
    for far in (FARTHEST + 1, -FARTHEST - 1, 10**400):
        refused = story.refusal(A, TraceSection(1, ((far, 0), (0, far)), "MK"))
        assert refused == "surface.trace"


@pytest.mark.rule("surface.trace")
def test_nothing_is_checked_before_the_fourth_section() -> None:
    story = surfaced()
    for section in (1, 2, 3):
        assert trace(story, section, BAD) == [SectionTraced(A, 0, section, BAD, "JV")]
    assert trace(story, 4)[1:] == [TraceJudged(A, (1, 2, 3))]


@pytest.mark.rule("surface.trace", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_one_bad_line_erases_all_four_and_the_engineer_begins_again(book: str) -> None:
    story = surfaced(book, players=8)
    story.cross_out(A, "W1", "N4")
    trace(story, 1)
    trace(story, 2, BAD)
    trace(story, 3)
    assert trace(story, 4)[1:] == [TraceJudged(A, (2,))]
    hull = story.boat(A).trace
    assert hull is not None
    assert hull.sections == (None, None, None, None)
    assert hull.holder == story.seat(A, Post.ENGINEER).number
    assert crossed_names(story, A) == {"W1", "N4"}
    assert story.refusal(A, ReportReady()) == "surface.dive"
    assert trace_all(story)[-1] == TraceJudged(A, ())
    assert crossed_names(story, A) == set()


@pytest.mark.rule("surface.trace")
@pytest.mark.parametrize("players", [2, 4, 6, 8])
def test_whoever_held_the_sheet_last_it_is_the_engineer_who_begins_again(players: int) -> None:
    story = surfaced(players=players)
    for section in (1, 2, 3, 4):
        trace(story, section, BAD)
    (again, *_) = trace(story, 1)
    engineer = story.seat(A, Post.ENGINEER).number
    assert again == SectionTraced(A, engineer, 1, GOOD[1], "JV")


@pytest.mark.rule("surface.trace")
def test_a_table_may_redo_only_the_bad_section() -> None:
    story = surfaced(players=8, house={"trace_redo": "bad"})
    story.cross_out(A, "W1")
    trace(story, 1)
    trace(story, 2, BAD)
    trace(story, 3)
    trace(story, 4)
    hull = story.boat(A).trace
    assert hull is not None
    assert [section is None for section in hull.sections] == [False, True, False, False]
    assert crossed_names(story, A) == {"W1"}
    assert story.refusal(A, TraceSection(1, GOOD[1], "JV")) == "surface.trace"
    assert trace(story, 2)[1:] == [TraceJudged(A, ())]
    assert crossed_names(story, A) == set()


@pytest.mark.rule("surface.trace")
def test_a_redone_section_is_checked_again_with_all_bad_ones() -> None:
    story = surfaced(house={"trace_redo": "bad"})
    for section in (1, 2):
        trace(story, section, BAD)
    trace(story, 3)
    assert trace(story, 4)[1:] == [TraceJudged(A, (1, 2))]
    assert len(trace(story, 1)) == 1
    assert trace(story, 2, BAD)[1:] == [TraceJudged(A, (2,))]
    assert trace(story, 2)[1:] == [TraceJudged(A, ())]


@pytest.mark.rule("surface.trace")
def test_the_enemy_engineer_is_shown_the_drawing_and_needs_to_do_nothing() -> None:
    story = surfaced(players=8)
    events = trace(story, 1)
    assert story.heard_by(B, events, Post.ENGINEER) == events
    for post in (Post.CAPTAIN, Post.FIRST_MATE, Post.RADIO_OPERATOR):
        assert story.heard_by(B, events, post) == []
        assert view(story.game, story.seat(B, post)).enemy_hull is None
    shown = view(story.game, story.seat(B, Post.ENGINEER)).enemy_hull
    assert shown is not None
    assert [section is None for section in shown.sections] == [False, True, True, True]
    for section in (2, 3, 4):
        trace(story, section)
    assert story.refusal(B, JudgeTrace()) == "surface.trace"
    assert story.accepts(A, ReportReady())


def before_the_judge(**house: Any) -> Story:
    """The enemy engineer judges, and four sections are traced, the second one badly."""
    story = surfaced(players=8, house={"trace_judge": "enemy-engineer", **house})
    story.cross_out(A, "W1")
    for section in (1, 2, 3, 4):
        trace(story, section, BAD if section == 2 else ())
    return story


@pytest.mark.rule("surface.trace")
def test_a_table_may_let_the_enemy_engineer_judge() -> None:
    story = before_the_judge()
    assert not [event for event in story.events if isinstance(event, TraceJudged)]
    assert story.refusal(A, ReportReady()) == "surface.dive"
    assert crossed_names(story, A) == {"W1"}
    assert may_judge(story.game, story.seat(B, Post.ENGINEER))
    assert story.order(B, JudgeTrace((2,))) == [TraceJudged(A, (2,))]
    hull = story.boat(A).trace
    assert hull is not None
    assert hull.sections == (None, None, None, None)
    assert hull.holder == story.seat(A, Post.ENGINEER).number


@pytest.mark.rule("surface.trace")
def test_the_judges_word_counts_and_not_the_geometry() -> None:
    story = before_the_judge()
    assert story.order(B, JudgeTrace()) == [TraceJudged(A, ())]
    assert crossed_names(story, A) == set()
    assert story.accepts(A, ReportReady())
    assert not may_judge(story.game, story.seat(B, Post.ENGINEER))
    assert story.refusal(B, JudgeTrace((1,))) == "surface.trace"


@pytest.mark.rule("surface.trace")
def test_the_judge_too_may_have_only_the_bad_sections_redone() -> None:
    story = before_the_judge(trace_redo="bad")
    story.order(B, JudgeTrace((2, 3)))
    hull = story.boat(A).trace
    assert hull is not None
    assert [section is None for section in hull.sections] == [False, True, True, False]


@pytest.mark.rule("surface.trace")
def test_the_judge_waits_for_the_whole_sheet() -> None:
    story = surfaced(players=8, house={"trace_judge": "enemy-engineer"})
    for section in (1, 2, 3):
        assert story.refusal(B, JudgeTrace()) == "surface.trace"
        trace(story, section)
    assert story.refusal(B, JudgeTrace()) == "surface.trace"
    trace(story, 4)
    assert story.accepts(B, JudgeTrace())
    assert story.refusal(A, TraceSection(1, GOOD[1], "JV")) == "surface.trace"


@pytest.mark.rule("surface.trace")
def test_nobody_else_judges() -> None:
    story = before_the_judge()
    for post in (Post.CAPTAIN, Post.FIRST_MATE, Post.RADIO_OPERATOR):
        assert story.refusal(B, JudgeTrace(), story.seat(B, post)) == "crew.orders"
    assert story.refusal(A, JudgeTrace()) == "surface.trace"


@pytest.mark.rule("surface.trace")
@pytest.mark.parametrize("bad", [(0,), (5,), (2, 1), (1, 1)])
def test_a_judgement_names_sections_once_and_in_order(bad: tuple[int, ...]) -> None:
    story = before_the_judge()
    assert story.refusal(B, JudgeTrace(bad)) == "surface.trace"


@pytest.mark.rule("surface.trace")
def test_who_has_not_surfaced_traces_nothing() -> None:
    story = under_way(mode=REAL_TIME)
    assert story.refusal(A, TraceSection(1, GOOD[1], "JV")) == "surface.trace"
    assert story.refusal(B, JudgeTrace()) == "surface.trace"
    assert may_trace(story.game, story.seat(A, Post.ENGINEER)) == ()


@pytest.mark.rule("surface.trace")
def test_both_crews_may_be_tracing_at_once() -> None:
    story = surfaced(players=8)
    trace(story, 1)
    story.order(B, Surface())
    trace(story, 4, crew=B)
    trace(story, 2)
    ours, theirs = story.boat(A).trace, story.boat(B).trace
    assert ours is not None
    assert theirs is not None
    assert [s is None for s in ours.sections] == [False, False, True, True]
    assert [s is None for s in theirs.sections] == [True, True, True, False]


@pytest.mark.rule("surface.trace")
def test_a_second_surfacing_begins_with_a_blank_sheet() -> None:
    story = surfaced()
    dive_again(story)
    assert story.boat(A).trace is None
    story.order(A, Surface())
    hull = story.boat(A).trace
    assert hull is not None
    assert (hull.sections, hull.good, hull.ready) == ((None,) * 4, False, False)


@pytest.mark.rule("surface.trace", "sonar")
def test_the_family_game_knows_no_hull_to_trace() -> None:
    story = under_way("sonar", REAL_TIME, players=4)
    story.order(A, Surface())
    story.order(A, ResumePlay())
    assert story.boat(A).trace is None
    assert story.refusal(A, TraceSection(1, GOOD[1], "JV")) == "surface.trace"
    assert story.accepts(A, SetCourse(N))


# Diving again


@pytest.mark.rule("surface.dive", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_good_trace_is_followed_by_the_report_and_the_dive(book: str) -> None:
    story = surfaced(book, players=8)
    assert story.refusal(A, ReportReady()) == "surface.dive"
    trace_all(story)
    assert story.refusal(A, Dive()) == "surface.dive"
    assert story.order(A, ReportReady()) == [ReadyReported(A)]
    assert story.order(A, Dive()) == [Dived(A)]
    assert story.game.public.surfaced == ByCrew(False, False)
    assert story.accepts(A, SetCourse(N))


@pytest.mark.rule("surface.dive")
def test_the_breakdowns_are_erased_before_the_report() -> None:
    story = surfaced()
    story.cross_out(A, "W1", "E6")
    trace_all(story)
    assert crossed_names(story, A) == set()


@pytest.mark.rule("surface.dive")
def test_the_engineer_reports_and_the_captain_dives() -> None:
    story = surfaced(players=8)
    trace_all(story)
    for post in (Post.CAPTAIN, Post.FIRST_MATE, Post.RADIO_OPERATOR):
        assert story.refusal(A, ReportReady(), story.seat(A, post)) == "crew.orders"
    story.order(A, ReportReady())
    for post in (Post.FIRST_MATE, Post.ENGINEER, Post.RADIO_OPERATOR):
        assert story.refusal(A, Dive(), story.seat(A, post)) == "crew.orders"
    assert story.accepts(A, Dive())


@pytest.mark.rule("surface.dive")
def test_the_report_is_made_once() -> None:
    story = surfaced()
    trace_all(story)
    story.order(A, ReportReady())
    assert story.refusal(A, ReportReady()) == "surface.dive"


@pytest.mark.rule("surface.dive")
def test_the_captain_dives_when_they_like() -> None:
    story = surfaced()
    trace_all(story)
    story.order(A, ReportReady())
    for _ in range(3):
        story.order(B, SetCourse(N))
        story.aye(B)
        assert story.refusal(A, SetCourse(N)) == "surface.idle"
    assert story.accepts(A, Dive())


@pytest.mark.rule("surface.dive")
def test_who_is_under_water_neither_reports_nor_dives() -> None:
    story = under_way(mode=REAL_TIME)
    assert story.refusal(A, ReportReady()) == "surface.dive"
    assert story.refusal(A, Dive()) == "surface.dive"


@pytest.mark.rule("surface.dive")
def test_the_dive_is_heard_and_the_report_is_not() -> None:
    story = surfaced(players=8)
    trace_all(story)
    assert story.heard_by(B, story.order(A, ReportReady())) == []
    assert story.heard_by(B, story.order(A, Dive())) == [Dived(A)]


# Idle until then


def idlers(book: str = "captain-sonar", **choices: Any) -> Story:
    """A, surfaced in real time, with everything charged and a mine laid."""
    story = under_way(book, REAL_TIME, **choices)
    story.mine(A, "A10")
    story.ready(A, *tuple(System)[:5])
    story.order(A, Surface())
    return story


FORBIDDEN: dict[str, AnyOrder] = {
    "move": SetCourse(N),
    "surface": Surface(),
    "charge": Charge(System.MINE),
    "cross out": CrossOut("N1"),
    "mine": LayMine(parse("E6")),
    "torpedo": FireTorpedo(parse("E7")),
    "drone": LaunchDrone(1),
    "sonar": UseSonar(),
    "silence": RunSilent(1, N),
    "trigger": TriggerMine(parse("A10")),
}


@pytest.mark.rule("surface.idle", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("what", FORBIDDEN)
def test_a_surfaced_crew_may_do_nothing_but_trace(book: str, what: str) -> None:
    story = idlers(book)
    order = FORBIDDEN[what]
    assert story.refusal(A, order) == "surface.idle"
    trace_all(story)
    assert story.refusal(A, order) == "surface.idle"
    story.order(A, ReportReady())
    assert story.refusal(A, order) == "surface.idle"


@pytest.mark.rule("surface.idle")
def test_its_captain_is_offered_nothing_but_to_resign() -> None:
    story = idlers(players=8)
    assert story.legal(A, Post.CAPTAIN) == (Resign(),)
    assert story.legal(A, Post.FIRST_MATE) == ()
    assert story.legal(A, Post.ENGINEER) == ()


@pytest.mark.rule("surface.idle", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", WRITING)
def test_the_radio_operators_sheet_is_locked_until_the_dive(book: str, order: AnyOrder) -> None:
    story = surfaced(book, players=8)
    seat = story.seat(A, Post.RADIO_OPERATOR)
    assert story.refusal(A, order) == "surface.idle"
    assert not may_write(story.game, seat)
    assert may_write(story.game, story.seat(B, Post.RADIO_OPERATOR))
    trace_all(story)
    story.order(A, ReportReady())
    assert story.refusal(A, order) == "surface.idle"
    story.order(A, Dive())
    assert story.accepts(A, order)
    assert may_write(story.game, seat)


@pytest.mark.rule("surface.idle")
def test_what_was_written_before_is_still_there() -> None:
    story = under_way(mode=REAL_TIME)
    story.order(A, WriteNote(3, 4, "a mine"))
    films = story.boat(A).radio.films
    story.order(A, Surface())
    assert story.boat(A).radio.films == films
    dive_again(story)
    assert story.boat(A).radio.films == films


@pytest.mark.rule("surface.idle", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("help_given", ["tape", "computer"])
def test_nothing_is_taped_meanwhile_nor_filled_in_later(book: str, help_given: str) -> None:
    story = under_way(book, REAL_TIME, house={"radio_help": help_given})
    story.order(B, SetCourse(N))
    story.aye(B)
    story.order(A, Surface())
    tape = story.boat(A).radio.tape
    assert CourseSet(B, N) in tape
    story.order(B, SetCourse(W))
    story.aye(B)
    assert story.boat(A).radio.tape == tape
    dive_again(story)
    assert CourseSet(B, W) not in story.boat(A).radio.tape
    story.order(B, SetCourse(N))
    assert story.boat(A).radio.tape[-1] == CourseSet(B, N)
    assert story.boat(A).radio.tape[: len(tape)] == tape


@pytest.mark.rule("surface.idle")
def test_the_enemys_tape_runs_on() -> None:
    story = surfaced(house={"radio_help": "tape"})
    assert story.boat(B).radio.tape[-1] == Surfaced(A, sector=1)
    story.order(B, SetCourse(N))
    assert story.boat(B).radio.tape[-1] == CourseSet(B, N)
    dive_again(story)
    assert story.boat(B).radio.tape[-1] == Dived(A)


@pytest.mark.rule("surface.idle")
def test_a_surfaced_crew_still_hears_what_is_said() -> None:
    story = surfaced(players=8)
    events = story.order(B, SetCourse(N))
    assert story.heard_by(A, events) == [CourseSet(B, N)]


@pytest.mark.rule("surface.idle", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_it_still_answers_drone_and_sonar(book: str) -> None:
    story = surfaced(book)
    story.ready(B, System.DRONE, System.SONAR)
    story.sailed(B)
    assert story.order(B, LaunchDrone(1)) == [DroneLaunched(B, 1, "yes")]
    story.resume()
    story.order(B, SetCourse(N))
    story.aye(B)
    story.order(B, UseSonar())
    answer = AnswerSonar(row=5, sector=4)
    assert story.order(A, answer) == [SonarAnswered(A, row=5, sector=4)]


@pytest.mark.rule("surface.idle")
def test_it_still_takes_damage() -> None:
    story = surfaced()
    story.put(B, "E8")
    story.ready(B, System.TORPEDO)
    story.sailed(B)
    assert story.order(B, FireTorpedo(parse("E5"))) == [
        TorpedoFired(B, parse("E5")),
        Exploded(parse("E5"), "torpedo", B, ByCrew("direct", "miss"), ByCrew(2, 0)),
    ]
    assert story.game.public.damage == ByCrew(2, 0)
    story.resume()
    trace(story, 1)


@pytest.mark.rule("surface.idle")
def test_the_enemy_plays_on() -> None:
    story = surfaced()
    for heading in (N, N, W, W):
        story.order(B, SetCourse(heading))
        story.aye(B)
    assert route(story, B) == ["J10", "J9", "J8", "I8", "H8"]
    story.order(B, Surface())
    assert story.game.public.surfaced == ByCrew(True, True)


# A system right after the dive


def dived(book: str, **choices: Any) -> Story:
    """A has set a course, surfaced and dived again, with torpedo and drone charged."""
    story = under_way(book, REAL_TIME, **choices)
    story.ready(A, System.TORPEDO, System.DRONE)
    story.order(A, SetCourse(N))
    story.aye(A)
    story.order(A, Surface())
    dive_again(story)
    return story


@pytest.mark.rule("surface.then-system", "captain-sonar", "captain-sonar-2")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-2"])
def test_a_system_may_follow_the_dive_before_a_course(book: str) -> None:
    story = dived(book)
    assert story.order(A, FireTorpedo(parse("E7")))[0] == TorpedoFired(A, parse("E7"))


@pytest.mark.rule("surface.then-system", "captain-sonar", "captain-sonar-2")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-2"])
def test_but_not_a_second_one_since_the_last_course(book: str) -> None:
    story = under_way(book, REAL_TIME)
    story.ready(A, System.TORPEDO, System.DRONE)
    story.order(A, SetCourse(N))
    story.aye(A)
    story.order(A, LaunchDrone(1))
    story.resume()
    story.change(A, engine={"crossed": 0})
    story.order(A, Surface())
    dive_again(story)
    assert story.refusal(A, FireTorpedo(parse("E7"))) == "system.once"
    story.order(A, SetCourse(N))
    story.aye(A)
    story.change(A, engine={"crossed": 0})
    assert story.accepts(A, FireTorpedo(parse("E7")))


@pytest.mark.rule("surface.then-system", "captain-sonar-ru")
def test_by_the_russian_rules_a_course_must_come_first() -> None:
    story = dived("captain-sonar-ru")
    assert story.refusal(A, FireTorpedo(parse("E7"))) == "surface.then-system"
    assert story.refusal(A, LaunchDrone(1)) == "surface.then-system"
    story.order(A, SetCourse(N))
    story.aye(A)
    story.change(A, engine={"crossed": 0})
    assert story.accepts(A, FireTorpedo(parse("E6")))


@pytest.mark.rule("surface.then-system", "captain-sonar-ru")
def test_a_mine_may_be_triggered_after_the_dive_in_any_case() -> None:
    story = dived("captain-sonar-ru")
    story.mine(A, "A10")
    assert story.accepts(A, TriggerMine(parse("A10")))


@pytest.mark.rule("surface.then-system")
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("allowed", [True, False])
def test_a_table_may_rule_either_way(book: str, allowed: bool) -> None:
    story = dived(book, rulings={"system_after_dive": allowed})
    assert story.accepts(A, FireTorpedo(parse("E7"))) is allowed


@pytest.mark.rule("surface.then-system", "sonar")
@pytest.mark.parametrize("before", [UseSonar(), SetCourse(N)])
def test_in_the_family_game_a_system_is_an_order_like_any_other(before: AnyOrder) -> None:
    story = under_way("sonar", REAL_TIME)
    story.ready(A, System.SONAR)
    story.order(A, before)
    if isinstance(before, UseSonar):
        story.order(B, AnswerTruly("row"))
        story.resume()
    story.order(A, Surface())
    story.resume()
    assert story.accepts(A, UseSonar())


# The family game's surfacing


@pytest.mark.rule("surface.quick", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_the_route_is_erased_and_the_energy_stays(mode: Mode) -> None:
    story = under_way("sonar", mode)
    story.put(A, "E5", "C5 D5")
    story.change(A, gauges={"energy": 3})
    story.order(A, Surface())
    assert route(story, A) == ["E5"]
    assert story.boat(A).gauges.energy == 3
    assert list(bits(story.boat(A).helm.covered)) == [parse("E5")]


@pytest.mark.rule("surface.quick", "sonar")
def test_turn_by_turn_the_turn_then_passes() -> None:
    story = under_way("sonar")
    story.order(A, Surface())
    assert story.refusal(A, SetCourse(N)) == "turn.yours"
    story.order(B, SetCourse(N))
    assert whose_turn(story) == Turn(A)
    assert story.accepts(A, SetCourse(W))


@pytest.mark.rule("surface.quick", "sonar")
def test_in_real_time_play_resumes_at_the_captains_signal() -> None:
    story = under_way("sonar", REAL_TIME, players=4)
    assert story.order(A, Surface()) == [Surfaced(A, at=parse("E5"))]
    assert story.refusal(A, SetCourse(N)) == "system.stop"
    assert story.refusal(B, SetCourse(N)) == "system.stop"
    assert story.refusal(B, ResumePlay()) == "system.stop"
    assert story.order(A, ResumePlay()) == [PlayResumed()]
    assert story.accepts(A, SetCourse(N))
    assert story.accepts(B, SetCourse(N))


@pytest.mark.rule("surface.quick", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_the_damage_is_not_repaired(mode: Mode) -> None:
    story = under_way("sonar", mode)
    story.public(damage=ByCrew(1, 0))
    story.order(A, Surface())
    assert story.game.public.damage == ByCrew(1, 0)


@pytest.mark.rule("surface.quick", "sonar")
def test_there_is_nothing_to_report_and_no_dive() -> None:
    story = under_way("sonar", REAL_TIME)
    story.order(A, Surface())
    story.resume()
    assert story.refusal(A, Dive()) == "surface.dive"
    assert story.refusal(A, ReportReady()) == "crew.orders"
    assert story.game.public.surfaced == ByCrew(False, False)


@pytest.mark.rule("surface.quick", "sonar")
def test_the_radio_operator_writes_on_after_the_signal() -> None:
    story = under_way("sonar", REAL_TIME, players=4, house={"radio_help": "tape"})
    story.order(A, Surface())
    assert story.boat(A).radio.tape[-1] == Surfaced(A, at=parse("E5"))
    story.resume()
    assert all(story.accepts(A, order) for order in WRITING)
