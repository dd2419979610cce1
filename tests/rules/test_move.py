"""The captain's courses: where a submarine may go, what it waits for, and the blackout."""

from typing import Any

import pytest

from fathom.engine.events import (
    CourseSet,
    Exploded,
    GaugeCharged,
    MineTriggered,
    RanSilent,
    Surfaced,
    SymbolCrossed,
    TorpedoFired,
    TurnEnded,
)
from fathom.engine.knowledge.view import WATCHER, overhear
from fathom.engine.orders import (
    AnyOrder,
    Charge,
    CrossOut,
    EndTurn,
    FireTorpedo,
    LayMine,
    Resign,
    RunSilent,
    SetCourse,
    Surface,
    TriggerMine,
    UseSonar,
)
from fathom.engine.referee import why_not
from fathom.points import name, parse
from fathom.rules.setup import BadSetup
from fathom.words import ByCrew, Heading, Mode, Post, Seat, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

N, S, E, W = Heading
MINE, TORPEDO, DRONE, SONAR, SILENCE, SCENARIO = System
TURN_BY_TURN, REAL_TIME = MODES
WATERS = sea(OPEN_SEA)


def at_sea(
    book: str = "captain-sonar",
    mode: Mode = REAL_TIME,
    a: str = "E5",
    b: str = "J10",
    **choices: Any,
) -> Story:
    """Both submarines in open water."""
    return Story(table(book, mode, chart=WATERS, **choices), a, b)


def sail(story: Story, headings: str) -> None:
    """A sails these courses in real time, with all marks."""
    for heading in headings:
        story.order(A, SetCourse(Heading(heading)))
        story.aye(A)


# move.course


@pytest.mark.rule("move.course", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize(("heading", "to"), [(N, "E4"), (S, "E6"), (E, "F5"), (W, "D5")])
def test_a_course_moves_the_submarine_one_point(
    book: str, mode: Mode, heading: Heading, to: str
) -> None:
    story = at_sea(book, mode)
    assert story.order(A, SetCourse(heading))[0] == CourseSet(A, heading)
    helm = story.boat(A).helm
    assert [name(point) for point in helm.route] == ["E5", to]
    assert name(helm.at) == to


@pytest.mark.rule("move.course", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_everyone_hears_a_course(book: str, mode: Mode) -> None:
    story = at_sea(book, mode)
    course = story.order(A, SetCourse(N))[0]
    for crew in (A, B):
        assert story.heard_by(crew, [course]) == [course]
    assert overhear(story.game.ground, course, WATCHER) == course


@pytest.mark.rule("move.course", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "names"),
    [
        *((book, ("north", "south", "east", "west")) for book in CAPTAIN_BOOKS),
        ("sonar", ("up", "down", "right", "left")),
    ],
)
def test_the_four_courses_have_their_rulebooks_names(book: str, names: tuple[str, ...]) -> None:
    assert at_sea(book).setup.book.course_names == names


# move.no-crossing


@pytest.mark.rule("move.no-crossing", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_submarine_does_not_turn_back(book: str) -> None:
    story = at_sea(book)
    sail(story, "N")
    assert story.refusal(A, SetCourse(S)) == "move.no-crossing"
    assert story.accepts(A, SetCourse(N))


@pytest.mark.rule("move.no-crossing", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_submarine_does_not_cross_its_route(book: str) -> None:
    story = at_sea(book)
    sail(story, "NNEES")
    assert story.accepts(A, SetCourse(W))
    sail(story, "W")
    assert [h for h in Heading if story.accepts(A, SetCourse(h))] == [S]
    assert story.refusal(A, SetCourse(N)) == "move.no-crossing"


@pytest.mark.rule("move.no-crossing", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_points_passed_in_silence_are_route_too(book: str) -> None:
    story = at_sea(book)
    story.ready(A, SILENCE)
    story.sailed(A)
    story.order(A, RunSilent(2, N))
    story.aye(A)
    story.resume()
    sail(story, "ES")
    assert name(story.boat(A).helm.at) == "F4"
    assert story.refusal(A, SetCourse(W)) == "move.no-crossing"


@pytest.mark.rule("move.no-crossing", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_surfacing_frees_the_route(book: str) -> None:
    story = at_sea(book, TURN_BY_TURN)
    story.put(A, "E5", route="E7 E6")
    assert story.refusal(A, SetCourse(S)) == "move.no-crossing"
    story.order(A, Surface())
    story.order(B, Surface())
    assert story.accepts(A, SetCourse(S))


@pytest.mark.rule("move.no-crossing")
def test_the_enemys_route_may_be_crossed() -> None:
    story = at_sea(b="E4")
    story.put(B, "E4", route="D4")
    sail(story, "NW")
    assert name(story.boat(A).helm.at) == "D4"


# move.islands, move.edge

ROCKS = sea(
    """
    . . . .
    . # . .
    . . . .
    """
)


@pytest.mark.rule("move.islands", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize(("at", "heading"), [("A2", E), ("C2", W), ("B1", S), ("B3", N)])
def test_no_course_leads_onto_an_island(book: str, mode: Mode, at: str, heading: Heading) -> None:
    story = Story(table(book, mode, chart=ROCKS), at, "D1")
    assert story.refusal(A, SetCourse(heading)) == "move.islands"


@pytest.mark.rule("move.islands", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_enemy_is_passed_without_noticing(book: str) -> None:
    story = at_sea(book, b="E4")
    events = story.order(A, SetCourse(N))
    assert events == [CourseSet(A, N)]
    assert story.boat(A).helm.at == story.boat(B).helm.at
    story.aye(A)
    assert story.order(A, SetCourse(N)) == [CourseSet(A, N)]


@pytest.mark.rule("move.edge", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize(("at", "heading"), [("A5", W), ("J5", E), ("E1", N), ("E10", S)])
def test_no_course_leads_off_the_chart(book: str, mode: Mode, at: str, heading: Heading) -> None:
    assert at_sea(book, mode, a=at).refusal(A, SetCourse(heading)) == "move.edge"


@pytest.mark.rule("move.edge")
@pytest.mark.parametrize(
    ("at", "headings"), [("A1", {N, W}), ("O1", {N, E}), ("A15", {S, W}), ("O15", {S, E})]
)
def test_the_largest_chart_has_edges_too(at: str, headings: set[Heading]) -> None:
    story = Story(table(chart=sea("\n".join(["." * 15] * 15))), at, "H8")
    refused = {h for h in Heading if not story.accepts(A, SetCourse(h))}
    assert refused == headings
    assert {story.refusal(A, SetCourse(h)) for h in headings} == {"move.edge"}


# move.own-mine


@pytest.mark.rule("move.own-mine", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_no_course_leads_onto_an_own_mine(book: str, mode: Mode) -> None:
    story = at_sea(book, mode)
    story.mine(A, "E4")
    assert story.refusal(A, SetCourse(N)) == "move.own-mine"


@pytest.mark.rule("move.own-mine", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_just_laid_is_in_the_way(book: str) -> None:
    story = at_sea(book)
    story.ready(A, MINE)
    story.sailed(A)
    story.order(A, LayMine(parse("E4")))
    story.resume()
    assert story.refusal(A, SetCourse(N)) == "move.own-mine"


@pytest.mark.rule("move.own-mine", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_silence_does_not_pass_an_own_mine(book: str) -> None:
    story = at_sea(book)
    story.mine(A, "E3")
    story.ready(A, SILENCE)
    story.sailed(A)
    assert story.refusal(A, RunSilent(3, N)) == "move.own-mine"
    assert story.accepts(A, RunSilent(1, N))


@pytest.mark.rule("move.own-mine", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_enemys_mines_are_passed_without_noticing(book: str, mode: Mode) -> None:
    story = at_sea(book, mode)
    story.mine(B, "E4")
    assert story.order(A, SetCourse(N)) == [CourseSet(A, N)]
    assert story.boat(B).helm.mines == 1 << parse("E4")


@pytest.mark.rule("move.own-mine")
def test_an_own_mine_that_went_off_is_out_of_the_way() -> None:
    story = at_sea()
    story.mine(A, "E4")
    story.order(A, TriggerMine(parse("E4")))
    story.resume()
    assert story.accepts(A, SetCourse(N))


@pytest.mark.rule("move.own-mine", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_table_may_rule_that_own_mines_are_passed(book: str) -> None:
    story = at_sea(book, rulings={"own_mine_blocks": False})
    story.mine(A, "E4")
    assert story.order(A, SetCourse(N)) == [CourseSet(A, N)]
    assert story.boat(A).helm.mines == 1 << parse("E4")


@pytest.mark.rule("move.own-mine", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_the_family_game_has_no_mines(mode: Mode) -> None:
    story = at_sea("sonar", mode)
    story.change(A, gauges={"energy": 4})
    assert story.refusal(A, LayMine(parse("E4"))) == "system.disabled"
    assert not [order for order in story.legal(A) if isinstance(order, LayMine)]


# move.acknowledge


@pytest.mark.rule("move.acknowledge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", [SetCourse(N), Surface(), FireTorpedo(parse("E1"))])
@pytest.mark.parametrize(
    "marks",
    [(Charge(DRONE), CrossOut("N6")), (CrossOut("N6"), Charge(DRONE))],
    ids=["the first mate first", "the engineer first"],
)
def test_in_real_time_orders_wait_for_both_marks(
    book: str, order: AnyOrder, marks: tuple[AnyOrder, AnyOrder]
) -> None:
    story = at_sea(book)
    story.ready(A, TORPEDO)
    story.order(A, SetCourse(N))
    for mark in marks:
        assert story.refusal(A, order) == "move.acknowledge"
        story.order(A, mark)
    assert story.accepts(A, order)


@pytest.mark.rule("move.acknowledge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", [LayMine(parse("D3")), UseSonar(), RunSilent(1, N)])
def test_turn_by_turn_activations_wait_for_both_marks(book: str, order: AnyOrder) -> None:
    story = at_sea(book, TURN_BY_TURN)
    story.ready(A, MINE, SONAR, SILENCE)
    story.order(A, SetCourse(N))
    for mark in (Charge(DRONE), CrossOut("N6")):
        assert story.refusal(A, order) == "move.acknowledge"
        story.order(A, mark)
    assert story.accepts(A, order)


@pytest.mark.rule("move.acknowledge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    "order", [LayMine(parse("D4")), FireTorpedo(parse("E8")), UseSonar(), RunSilent(1, N)]
)
def test_where_an_activation_is_a_whole_turn_it_waits_for_both_marks_too(
    book: str, mode: Mode, order: AnyOrder
) -> None:
    story = at_sea(book, mode, rulings={"activations": "whole-turn"})
    story.ready(A, MINE, TORPEDO, SONAR, SILENCE)
    assert story.accepts(A, order)
    story.order(A, SetCourse(N))
    for mark in (Charge(DRONE), CrossOut("N6")):
        assert story.refusal(A, order) == "move.acknowledge"
        assert order not in story.legal(A)
        assert set(why_not(story.game, Seat(A, 0)).values()) >= {"move.acknowledge"}
        story.order(A, mark)
    assert story.accepts(A, order) == (mode is REAL_TIME)


@pytest.mark.rule("turn.order", *CAPTAIN_BOOKS)
def test_where_marks_hold_up_courses_only_a_course_is_still_a_whole_turn() -> None:
    alone = {"activations": "whole-turn", "acknowledge_systems": False}
    story = at_sea("captain-sonar", TURN_BY_TURN, rulings=alone)
    story.ready(A, TORPEDO)
    story.order(A, SetCourse(N))
    assert story.refusal(A, FireTorpedo(parse("E8"))) == "turn.order"


@pytest.mark.rule("move.acknowledge", "captain-sonar", "captain-sonar-2")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-2"])
def test_after_a_silence_both_marks_are_due_too(book: str) -> None:
    story = at_sea(book, TURN_BY_TURN)
    story.ready(A, SILENCE)
    story.sailed(A)
    assert story.order(A, RunSilent(1, N)) == [RanSilent(A, 1, N)]
    assert story.refusal(A, EndTurn()) == "turn.order"
    story.order(A, Charge(DRONE))
    assert story.order(A, CrossOut("N6")) == [SymbolCrossed(A, "N6"), TurnEnded(A, B)]


@pytest.mark.rule("move.acknowledge", "captain-sonar-ru")
def test_after_a_silence_the_russian_rules_wait_for_the_engineer_only() -> None:
    story = at_sea("captain-sonar-ru", TURN_BY_TURN)
    story.ready(A, SILENCE)
    story.sailed(A)
    story.order(A, RunSilent(1, N))
    assert story.refusal(A, Charge(DRONE)) == "charge.one"
    assert story.order(A, CrossOut("N6"))[-1] == TurnEnded(A, B)


@pytest.mark.rule("move.acknowledge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mines_trigger_never_waits(book: str, mode: Mode) -> None:
    story = at_sea(book, mode)
    story.mine(A, "A1")
    story.order(A, SetCourse(N))
    assert story.order(A, TriggerMine(parse("A1")))[0] == MineTriggered(A, parse("A1"))


@pytest.mark.rule("move.acknowledge")
def test_one_crew_does_not_wait_for_the_others_marks() -> None:
    story = at_sea()
    story.order(A, SetCourse(N))
    story.order(B, SetCourse(N))
    story.aye(B)
    assert story.accepts(B, SetCourse(N))
    assert story.refusal(A, SetCourse(N)) == "move.acknowledge"


@pytest.mark.rule("move.acknowledge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_first_mate_must_charge_while_a_box_is_empty(book: str) -> None:
    story = at_sea(book)
    story.ready(A, MINE, TORPEDO, DRONE, SONAR)
    story.order(A, SetCourse(N))
    assert story.refusal(A, Charge()) == "charge.one"
    assert story.order(A, Charge(SILENCE)) == [GaugeCharged(A, SILENCE)]


@pytest.mark.rule("move.acknowledge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_with_every_gauge_full_the_first_mate_says_so(book: str) -> None:
    story = at_sea(book)
    story.ready(A, MINE, TORPEDO, DRONE, SONAR, SILENCE)
    story.order(A, SetCourse(N), CrossOut("N6"))
    assert story.refusal(A, Charge(MINE)) == "charge.full"
    assert story.refusal(A, SetCourse(N)) == "move.acknowledge"
    assert story.order(A, Charge()) == [GaugeCharged(A, None)]
    assert story.accepts(A, SetCourse(N))


@pytest.mark.rule("move.acknowledge", "captain-sonar-2")
def test_empty_boxes_of_disabled_systems_do_not_count() -> None:
    chart = sea("M...T\n.....\n.....\nD.S.Q", special="damaged")
    story = Story(table("captain-sonar-2", chart=chart), "B2", "C2")
    story.ready(A, SCENARIO)
    story.order(A, SetCourse(S))
    assert story.order(A, Charge()) == [GaugeCharged(A, None)]


@pytest.mark.rule("move.acknowledge", "sonar")
def test_the_family_game_waits_for_nobody() -> None:
    story = at_sea("sonar")
    story.order(A, SetCourse(N), SetCourse(N))
    assert name(story.boat(A).helm.at) == "E3"
    assert (story.boat(A).duty.charge, story.boat(A).duty.cross) == ("none", "none")


COURSES_ONLY = {"acknowledge_systems": False}


@pytest.mark.rule("move.acknowledge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_table_may_rule_that_only_courses_wait(book: str) -> None:
    story = at_sea(book, rulings=COURSES_ONLY)
    story.ready(A, TORPEDO, SILENCE)
    story.order(A, SetCourse(N))
    assert story.refusal(A, SetCourse(N)) == "move.acknowledge"
    # A silence is a move, and asks for marks of its own.
    assert story.refusal(A, RunSilent(1, N)) == "move.acknowledge"
    assert story.accepts(A, Surface())
    assert story.order(A, FireTorpedo(parse("E1")))[0] == TorpedoFired(A, parse("E1"))


@pytest.mark.rule("move.acknowledge")
def test_then_a_turn_ends_with_the_last_mark() -> None:
    story = at_sea(mode=TURN_BY_TURN, rulings=COURSES_ONLY)
    story.ready(A, TORPEDO)
    story.order(A, SetCourse(N))
    assert not isinstance(story.order(A, FireTorpedo(parse("E1")))[-1], TurnEnded)
    story.order(A, Charge(DRONE))
    assert story.order(A, CrossOut("N6"))[-1] == TurnEnded(A, B)


@pytest.mark.rule("move.acknowledge")
def test_then_a_surfacing_makes_the_marks_void() -> None:
    story = at_sea(rulings=COURSES_ONLY)
    story.order(A, SetCourse(N))
    assert story.order(A, Surface()) == [Surfaced(A, sector=1)]
    assert story.refusal(A, Charge(DRONE)) == "surface.idle"
    assert story.refusal(A, CrossOut("N6")) == "surface.idle"
    assert (story.boat(A).duty.charge, story.boat(A).duty.cross) == ("none", "none")


@pytest.mark.rule("move.acknowledge", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("waits", [True, False])
def test_no_table_plays_without_the_marks_or_with_marks_that_nobody_makes(
    book: str, waits: bool
) -> None:
    # Without marks no gauge would ever fill; the family game has nobody to make them.
    with pytest.raises(BadSetup) as bad:
        at_sea(book, rulings={"acknowledge": waits})
    assert bad.value.rule == "start.choices"


# move.blackout

DEAD_END = sea(
    """
    . . . . .
    # . # . .
    # # # . .
    """
)


def in_a_dead_end(book: str, mode: Mode = REAL_TIME, **choices: Any) -> Story:
    """A has sailed from B1 to B2, and no course leads out."""
    story = Story(table(book, mode, chart=DEAD_END, **choices), "B1", "E3")
    story.ready(A, TORPEDO, SONAR)
    story.order(A, SetCourse(S))
    if book != "sonar":
        story.order(A, Charge(DRONE), CrossOut("S2"))
    return story


@pytest.mark.rule("move.blackout", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_without_a_legal_course_the_captain_must_surface(book: str) -> None:
    story = in_a_dead_end(book)
    assert {story.refusal(A, SetCourse(h)) for h in Heading} == {"move.blackout"}
    assert story.order(A, Surface()) == [Surfaced(A, sector=1)]


@pytest.mark.rule("move.blackout", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_the_next_turn_is_a_surfacing(book: str) -> None:
    story = in_a_dead_end(book, TURN_BY_TURN)
    story.order(A, EndTurn())
    story.order(B, SetCourse(N))
    story.aye(B)
    story.order(B, EndTurn())
    assert {story.refusal(A, SetCourse(h)) for h in Heading} == {"move.blackout"}
    assert story.refusal(A, EndTurn()) == "turn.order"
    assert story.order(A, Surface()) == [Surfaced(A, sector=1), TurnEnded(A, B, 3)]
    assert name(story.boat(A).helm.at) == "B2"


@pytest.mark.rule("move.blackout", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_program_does_not_surface_for_the_captain(book: str, mode: Mode) -> None:
    story = in_a_dead_end(book, mode)
    assert not [event for event in story.events if isinstance(event, Surfaced)]
    assert story.game.public.surfaced == ByCrew(False, False)


@pytest.mark.rule("move.blackout", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_last_courses_activation_may_still_come_first(book: str, mode: Mode) -> None:
    story = in_a_dead_end(book, mode)
    assert story.order(A, FireTorpedo(parse("B1")))[0] == TorpedoFired(A, parse("B1"))


@pytest.mark.rule("move.blackout", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_table_may_rule_that_the_captain_surfaces_at_once(book: str, mode: Mode) -> None:
    story = in_a_dead_end(book, mode, rulings={"blackout_systems": False})
    assert story.refusal(A, FireTorpedo(parse("B1"))) == "move.blackout"
    story.mine(A, "E1")
    assert story.accepts(A, TriggerMine(parse("E1")))


@pytest.mark.rule("move.blackout")
def test_that_ruling_holds_in_a_blackout_only() -> None:
    story = at_sea(rulings={"blackout_systems": False})
    story.ready(A, TORPEDO)
    story.sailed(A)
    assert story.accepts(A, FireTorpedo(parse("E1")))


@pytest.mark.rule("move.blackout", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_own_mines_may_black_a_submarine_out_and_a_trigger_frees_it(book: str) -> None:
    story = Story(table(book, chart=sea("...\n#..")), "A1", "C2")
    story.mine(A, "B1")
    assert story.refusal(A, SetCourse(E)) == "move.blackout"
    events = story.order(A, TriggerMine(parse("B1")))
    assert [event.damage for event in events if isinstance(event, Exploded)] == [ByCrew(1, 1)]
    assert story.accepts(A, SetCourse(E))


@pytest.mark.rule("move.blackout")
def test_while_one_course_is_left_the_others_are_refused_by_their_own_rules() -> None:
    story = Story(table(chart=DEAD_END), "A1", "E3")
    refusals = {h: story.refusal(A, SetCourse(h)) for h in (N, S, W)}
    assert refusals == {N: "move.edge", S: "move.islands", W: "move.edge"}


@pytest.mark.rule("move.blackout", "captain-sonar")
def test_a_table_may_play_without_the_rule() -> None:
    story = in_a_dead_end("captain-sonar", rulings={"blackout": False})
    assert story.refusal(A, SetCourse(N)) == "move.no-crossing"
    assert story.refusal(A, SetCourse(E)) == "move.islands"
    assert story.accepts(A, Surface())


@pytest.mark.rule("move.blackout", "sonar")
def test_the_family_game_names_no_blackout() -> None:
    story = in_a_dead_end("sonar")
    assert story.refusal(A, SetCourse(N)) == "move.no-crossing"
    assert {story.refusal(A, SetCourse(h)) for h in (S, E, W)} == {"move.islands"}


@pytest.mark.rule("move.blackout", "sonar")
@pytest.mark.parametrize(
    ("energy", "left"),
    [
        (4, {FireTorpedo(parse("A1")), UseSonar(), Surface()}),
        (3, {UseSonar(), Surface()}),
        (2, {UseSonar(), Surface()}),
        (1, {Surface()}),
    ],
)
def test_in_the_family_game_sonar_and_torpedo_remain_if_the_energy_is_there(
    energy: int, left: set[AnyOrder]
) -> None:
    story = in_a_dead_end("sonar")
    story.change(A, gauges={"energy": energy})
    asked: set[AnyOrder] = {
        FireTorpedo(parse("A1")),
        UseSonar(),
        Surface(),
        RunSilent(1, N),
        RunSilent(1, E),
    }
    assert {order for order in asked if story.accepts(A, order)} == left


@pytest.mark.rule("move.blackout", "sonar")
def test_in_the_family_game_without_energy_only_surfacing_is_left() -> None:
    story = in_a_dead_end("sonar")
    story.change(A, gauges={"energy": 0})
    assert set(story.legal(A, Post.CAPTAIN)) == {Surface(), Resign()}
    assert story.order(A, Surface()) == [Surfaced(A, at=parse("B2"))]
