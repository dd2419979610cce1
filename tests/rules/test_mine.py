"""Laying, arming and triggering mines."""

from typing import Any

import pytest
from msgspec.structs import replace

from fathom.engine.events import (
    AnyEvent,
    CourseSet,
    Exploded,
    GameEnded,
    MineDestroyed,
    MineLaid,
    MineLaidHeard,
    MineTriggered,
    Surfaced,
    SystemFailed,
    TurnEnded,
)
from fathom.engine.orders import (
    AnswerSonar,
    Dive,
    EndTurn,
    FireTorpedo,
    LayMine,
    NameVolcano,
    Place,
    ReportReady,
    RunSilent,
    SetCourse,
    Surface,
    TraceSection,
    TriggerMine,
    UseSonar,
)
from fathom.engine.tracing import ideal_stroke
from fathom.points import bits, collect, name, parse
from fathom.rules.chart import Chart
from fathom.words import ByCrew, Crew, Heading, Mode, Seat, System
from tests.stories import CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

N, S, E, W = Heading
TURNS, REAL_TIME = MODES
LATE_BOOKS = ("captain-sonar-ru", "captain-sonar-2")
RED_SYMBOLS = "W1 N2 N5 S3 S4 E3".split()


def duel(
    book: str = "captain-sonar",
    mode: Mode = TURNS,
    *,
    a: str = "E5",
    b: str = "J10",
    chart: Chart | None = None,
    **choices: Any,
) -> Story:
    """A has sailed, made its marks and has a mine ready."""
    story = Story(table(book, mode, chart=chart or sea(OPEN_SEA), **choices), a, b)
    story.sailed(A)
    story.ready(A, System.MINE)
    return story


def lay(at: str) -> LayMine:
    return LayMine(parse(at))


def trigger(at: str) -> TriggerMine:
    return TriggerMine(parse(at))


def exploded(at: str, owner: Crew = A) -> Exploded:
    """A mine that went off far from everyone."""
    return Exploded(parse(at), "mine", owner, ByCrew("miss", "miss"), ByCrew(0, 0))


def mines(story: Story, crew: Crew = A) -> set[str]:
    return {name(point) for point in bits(story.boat(crew).helm.mines)}


def unarmed(story: Story, crew: Crew = A) -> set[str]:
    return {name(point) for point in bits(story.boat(crew).helm.unarmed)}


def whole_turn(story: Story, crew: Crew, heading: Heading) -> None:
    """A turn without an activation."""
    story.order(crew, SetCourse(heading))
    story.aye(crew)
    story.order(crew, EndTurn())


def repair(story: Story, crew: Crew) -> None:
    """A surfaced crew traces its hull and reports ready."""
    for section in range(1, 5):
        stroke = ideal_stroke(story.setup.hull, section)
        story.order(crew, TraceSection(section, stroke, "AB"))
    story.order(crew, ReportReady())


def laid_at(story: Story) -> set[str]:
    """Where A may lay a mine now."""
    return {repr(order.at) for order in story.legal(A) if isinstance(order, LayMine)}


# Laying


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_goes_on_any_of_the_eight_points_around(book: str, mode: Mode) -> None:
    story = duel(book, mode)
    around = set("D4 E4 F4 D5 F5 D6 E6 F6".split())
    assert laid_at(story) == around
    assert all(story.accepts(A, lay(at)) for at in around)


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_enemy_hears_that_a_mine_was_laid_and_not_where(book: str, mode: Mode) -> None:
    story = duel(book, mode)
    events = story.order(A, lay("D4"))
    assert events[0] == MineLaid(A, parse("D4"))
    assert story.heard_by(B, events[:1]) == [MineLaidHeard(A)]
    assert mines(story) == {"D4"}
    assert story.boat(A).gauges.boxes[System.MINE.index] == 0


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_no_mine_goes_farther_than_next_to_the_submarine(book: str) -> None:
    story = duel(book)
    assert story.refusal(A, lay("E7")) == "mine.lay"
    assert story.refusal(A, lay("G5")) == "mine.lay"
    assert story.refusal(A, lay("E5")) == "mine.lay"


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_no_mine_goes_on_the_route(book: str) -> None:
    story = duel(book)
    story.put(A, "E5", route="D4 D5")
    assert story.refusal(A, lay("D5")) == "mine.lay"
    assert story.refusal(A, lay("D4")) == "mine.lay"
    assert laid_at(story) == set("E4 F4 F5 D6 E6 F6".split())


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_may_go_where_the_route_was_before_surfacing(book: str) -> None:
    story = duel(book)
    story.put(A, "E5", route="D4 D5")
    story.tell(Surfaced(A, sector=1))
    assert story.accepts(A, lay("D5"))


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_no_two_mines_of_one_crew_on_a_point(book: str) -> None:
    story = duel(book)
    story.mine(A, "D4")
    assert story.refusal(A, lay("D4")) == "mine.lay"


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_an_enemy_mine_on_the_point_is_not_noticed(book: str) -> None:
    story = duel(book)
    free = laid_at(story)
    story.mine(B, "D4")
    assert laid_at(story) == free
    events = story.order(A, lay("D4"))
    assert not any(isinstance(event, Exploded | MineDestroyed) for event in events)
    assert mines(story, A) == mines(story, B) == {"D4"}


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_may_go_under_the_enemy(book: str) -> None:
    story = duel(book, b="F6")
    story.order(A, lay("F6"))
    assert mines(story) == {"F6"}
    assert story.game.public.damage == ByCrew(0, 0)


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_goes_in_the_sea_only(book: str) -> None:
    chart = sea("""
        . . . .
        . . # .
        . . . .
        . . . .
    """)
    story = duel(book, a="D3", b="A1", chart=chart)
    assert laid_at(story) == {"D2", "C3", "C4", "D4"}
    assert story.refusal(A, lay("C2")) == "chart.islands"
    assert story.refusal(A, lay("E3")) == "chart.points"


@pytest.mark.rule("mine.lay", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_no_mine_goes_on_an_old_mine(book: str) -> None:
    chart = sea(
        """
        . . .
        . . m
        . . .
        """,
        special="old-mines",
    )
    story = duel(book, a="B2", b="A1", chart=chart)
    assert story.refusal(A, lay("C2")) == "scenario.old-mines"
    assert "C2" not in laid_at(story)


@pytest.mark.rule("mine.lay", "captain-sonar")
def test_lava_is_no_place_for_a_mine() -> None:
    story = duel()
    story.public(lava=collect([parse("D4")]))
    assert story.refusal(A, lay("D4")) == "chart.islands"
    assert "D4" not in laid_at(story)


# Arming


@pytest.mark.rule("mine.armed", "captain-sonar")
@pytest.mark.parametrize("mode", MODES)
def test_in_the_first_edition_a_mine_is_armed_at_once(mode: Mode) -> None:
    story = duel(mode=mode)
    story.order(A, lay("D4"))
    if mode is REAL_TIME:
        story.resume()
    else:
        story.order(B, SetCourse(N))
    assert story.order(A, trigger("D4"))[0] == MineTriggered(A, parse("D4"))


@pytest.mark.rule("mine.armed", *LATE_BOOKS)
@pytest.mark.parametrize("book", LATE_BOOKS)
def test_turn_by_turn_a_mine_is_armed_from_the_crews_next_turn(book: str) -> None:
    story = duel(book)
    assert story.order(A, lay("D4"))[-1] == TurnEnded(A, B)
    story.order(B, SetCourse(N))
    assert story.refusal(A, trigger("D4")) == "mine.armed"
    story.aye(B)
    story.order(B, EndTurn())
    assert story.order(A, trigger("D4"))[0] == MineTriggered(A, parse("D4"))


@pytest.mark.rule("mine.armed", *LATE_BOOKS)
@pytest.mark.parametrize("book", LATE_BOOKS)
def test_a_further_turn_of_the_same_crew_arms_it_too(book: str) -> None:
    story = duel(book)
    turn = story.game.public.turn
    assert turn is not None
    story.public(turn=replace(turn, left=2))
    assert story.order(A, lay("D4"))[-1] == TurnEnded(A, A, 2)
    assert story.accepts(A, trigger("D4"))


@pytest.mark.rule("mine.armed", *LATE_BOOKS)
@pytest.mark.parametrize("book", LATE_BOOKS)
def test_an_armed_mine_stays_armed_in_the_enemys_turn(book: str) -> None:
    story = duel(book)
    story.order(A, lay("D4"))
    whole_turn(story, B, N)
    whole_turn(story, A, S)
    story.order(B, SetCourse(N))
    assert story.accepts(A, trigger("D4"))


@pytest.mark.rule("mine.armed", *LATE_BOOKS)
@pytest.mark.parametrize("book", LATE_BOOKS)
def test_in_real_time_a_mine_is_armed_by_its_crews_next_course(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.order(A, lay("D4"))
    story.resume()
    assert story.refusal(A, trigger("D4")) == "mine.armed"
    story.order(B, SetCourse(N))
    assert story.refusal(A, trigger("D4")) == "mine.armed"
    story.order(A, SetCourse(S))
    assert story.order(A, trigger("D4"))[0] == MineTriggered(A, parse("D4"))


@pytest.mark.rule("mine.armed", *LATE_BOOKS)
@pytest.mark.parametrize("book", LATE_BOOKS)
def test_in_real_time_a_dive_arms_it_too(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.order(A, lay("D4"))
    story.resume()
    story.order(A, Surface())
    repair(story, A)
    assert unarmed(story) == {"D4"}
    story.order(A, Dive())
    assert unarmed(story) == set()
    assert story.accepts(A, trigger("D4"))


@pytest.mark.rule("mine.armed", *LATE_BOOKS)
@pytest.mark.parametrize("book", LATE_BOOKS)
def test_in_real_time_a_silence_is_no_course_and_arms_nothing(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.order(A, lay("D4"))
    story.resume()
    story.change(A, duty={"barred": ""})
    story.ready(A, System.SILENCE)
    story.order(A, RunSilent(2, S))
    story.aye(A)
    story.resume()
    assert story.refusal(A, trigger("D4")) == "mine.armed"


@pytest.mark.rule("mine.armed", *LATE_BOOKS)
@pytest.mark.parametrize("book", LATE_BOOKS)
def test_only_armed_mines_are_offered(book: str) -> None:
    story = duel(book)
    story.mine(A, "H8")
    story.order(A, lay("D4"))
    story.order(B, SetCourse(N))
    assert [order for order in story.legal(A) if isinstance(order, TriggerMine)] == [trigger("H8")]


@pytest.mark.rule("mine.armed", "sonar")
def test_in_the_family_game_there_are_no_mines_to_arm() -> None:
    story = Story(table("sonar", chart=sea(OPEN_SEA)), "E5", "J10")
    story.ready(A)
    assert story.refusal(A, lay("D4")) == "system.disabled"
    assert laid_at(story) == set()


@pytest.mark.rule("mine.armed", "captain-sonar", "captain-sonar-2")
@pytest.mark.parametrize(
    ("book", "armed", "held"),
    [("captain-sonar", "next-turn", {"D4"}), ("captain-sonar-2", "at-once", set())],
)
def test_a_table_may_rule_when_mines_are_armed(book: str, armed: str, held: set[str]) -> None:
    story = duel(book, rulings={"mine_armed": armed})
    story.order(A, lay("D4"))
    assert unarmed(story) == held
    story.order(B, SetCourse(N))
    assert story.accepts(A, trigger("D4")) is not bool(held)


# Triggering


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_explodes_like_a_torpedo_and_is_gone(book: str, mode: Mode) -> None:
    story = duel(book, mode, b="H7")
    story.mine(A, "H8", "B2")
    assert story.order(A, trigger("H8")) == [
        MineTriggered(A, parse("H8")),
        Exploded(parse("H8"), "mine", A, ByCrew("miss", "indirect"), ByCrew(0, 1)),
    ]
    assert mines(story) == {"B2"}
    assert story.game.public.damage == ByCrew(0, 1)


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_only_ones_own_mines_may_be_triggered(book: str) -> None:
    story = duel(book)
    story.mine(B, "H8")
    assert story.refusal(A, trigger("H8")) == "mine.trigger"
    assert story.refusal(A, trigger("C3")) == "mine.trigger"
    assert mines(story, B) == {"H8"}


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_can_not_be_triggered_twice(book: str) -> None:
    story = duel(book)
    story.mine(A, "H8")
    story.order(A, trigger("H8"))
    assert story.refusal(A, trigger("H8")) == "mine.trigger"


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("boxes", [0, 1, 2])
def test_no_gauge_is_needed_or_emptied(book: str, boxes: int) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)), "E5", "J10")
    story.mine(A, "H8")
    gauges = (boxes, 0, 0, 0, 0, 0)
    story.change(A, gauges={"boxes": gauges})
    story.order(A, trigger("H8"))
    assert story.boat(A).gauges.boxes == gauges


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_triggering_is_no_activation(book: str) -> None:
    story = duel(book)
    story.mine(A, "H8")
    story.ready(A, System.TORPEDO)
    story.order(A, trigger("H8"))
    assert story.boat(A).duty.barred == ""
    assert story.accepts(A, FireTorpedo(parse("E2")))
    assert story.accepts(A, lay("D4"))


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_may_be_triggered_after_an_activation(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.mine(A, "H8")
    story.order(A, lay("D4"))
    story.resume()
    assert story.refusal(A, lay("D5")) == "system.once"
    assert story.order(A, trigger("H8"))[-1] == exploded("H8")


@pytest.mark.rule("mine.trigger", "captain-sonar", "captain-sonar-ru")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru"])
def test_any_number_of_mines_one_after_another(book: str) -> None:
    story = duel(book)
    story.mine(A, "H8", "H9", "B1")
    story.order(A, trigger("H8"), trigger("B1"), trigger("H9"))
    assert mines(story) == set()


@pytest.mark.rule("mine.trigger", "captain-sonar-2")
def test_any_number_of_mines_in_the_second_edition_where_they_lie_apart() -> None:
    story = duel("captain-sonar-2")
    story.mine(A, "H8", "E9", "B1")
    story.order(A, trigger("H8"), trigger("B1"), trigger("E9"))
    assert mines(story) == set()


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_in_real_time_each_trigger_is_a_stop_of_its_own(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.mine(A, "H8", "B1")
    story.mine(B, "D1")
    story.order(A, trigger("H8"))
    assert story.refusal(A, trigger("B1")) == "system.stop"
    assert story.refusal(B, trigger("D1")) == "system.stop"
    story.resume()
    assert story.accepts(A, trigger("B1"))
    assert story.accepts(B, trigger("D1"))


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_in_ones_own_turn_before_the_course_too(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)), "E5", "J10")
    story.mine(A, "H8")
    assert story.order(A, trigger("H8"))[-1] == exploded("H8")
    assert story.order(A, SetCourse(N)) == [CourseSet(A, N)]


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize(("mode", "rule"), [(TURNS, "turn.order"), (REAL_TIME, "move.acknowledge")])
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_triggering_never_waits_for_the_marks(book: str, mode: Mode, rule: str) -> None:
    story = Story(table(book, mode, chart=sea(OPEN_SEA)), "E5", "J10")
    story.mine(A, "H8")
    story.order(A, SetCourse(N))
    assert story.refusal(A, SetCourse(N)) == rule
    assert story.order(A, trigger("H8"))[-1] == exploded("H8")
    assert story.boat(A).duty.charge == "box"
    assert story.boat(A).duty.cross == "N"


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_in_the_enemys_turn_only_after_an_announcement_of_its_own(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)), "E5", "J10")
    story.mine(B, "H8")
    assert story.refusal(B, trigger("H8")) == "mine.trigger"
    assert trigger("H8") not in story.legal(B)
    story.order(A, SetCourse(N))
    assert trigger("H8") in story.legal(B)
    assert story.order(B, trigger("H8"))[-1] == exploded("H8", B)
    turn = story.game.public.turn
    assert turn is not None
    assert turn.crew is A


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_may_answer_a_mine(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)), "E5", "J10")
    story.mine(A, "H8")
    story.mine(B, "B1")
    story.order(A, trigger("H8"))
    assert story.order(B, trigger("B1"))[-1] == exploded("B1", B)


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_new_turn_needs_a_new_announcement(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)), "E5", "J10")
    story.mine(A, "H8")
    whole_turn(story, A, N)
    assert story.refusal(A, trigger("H8")) == "mine.trigger"
    story.order(B, SetCourse(N))
    assert story.accepts(A, trigger("H8"))


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_turn_by_turn_never_while_surfaced(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)), "E5", "J10")
    story.mine(A, "H8")
    story.order(A, Surface())
    for heading in (N, N, W):
        story.order(B, SetCourse(heading))
        assert story.refusal(A, trigger("H8")) == "surface.turns"
        story.aye(B)
        story.order(B, EndTurn())
    assert story.accepts(A, trigger("H8"))


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_in_real_time_never_while_surfaced(book: str) -> None:
    story = Story(table(book, REAL_TIME, chart=sea(OPEN_SEA)), "E5", "J10")
    story.mine(A, "H8")
    story.order(A, Surface())
    assert story.refusal(A, trigger("H8")) == "surface.idle"
    repair(story, A)
    assert story.refusal(A, trigger("H8")) == "surface.idle"
    story.order(A, Dive())
    assert story.accepts(A, trigger("H8"))


@pytest.mark.rule("mine.trigger", "captain-sonar")
@pytest.mark.parametrize("mode", MODES)
def test_a_table_may_let_a_surfaced_crew_trigger(mode: Mode) -> None:
    setup = table(mode=mode, chart=sea(OPEN_SEA), rulings={"trigger_while_surfaced": True})
    story = Story(setup, "E5", "J10")
    story.mine(A, "H8")
    story.order(A, Surface())
    story.order(B, SetCourse(N))
    assert story.order(A, trigger("H8"))[-1] == exploded("H8")


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize(("mode", "rule"), [(TURNS, "sonar.answer"), (REAL_TIME, "system.stop")])
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_not_while_an_answer_is_open(book: str, mode: Mode, rule: str) -> None:
    story = duel(book, mode)
    story.mine(A, "H8")
    story.mine(B, "B1")
    story.ready(A, System.SONAR)
    story.order(A, UseSonar())
    assert story.refusal(A, trigger("H8")) == rule
    assert story.refusal(B, trigger("B1")) == rule
    story.order(B, AnswerSonar(row=10, sector=1))
    if mode is REAL_TIME:
        story.resume()
        assert story.accepts(B, trigger("B1"))


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_not_while_a_volcano_is_being_named(book: str) -> None:
    chart = sea(
        """
        . . . . . . . .
        . r . . . . . .
        . V . . . . . .
        . . . . . . . .
        . . . . . r . .
        . . . . . V . .
        . . . . . . . .
        """,
        special="volcanoes",
    )
    story = duel(book, a="D4", b="H1", chart=chart)
    story.public(volcano_events=1, volcano_marks=ByCrew(2, 0))
    story.mine(A, "A7")
    story.mine(B, "G7")
    story.order(A, lay("E4"))
    assert story.refusal(A, trigger("A7")) == "scenario.volcanoes"
    assert story.refusal(B, trigger("G7")) == "scenario.volcanoes"
    story.order(A, NameVolcano(1))
    story.order(B, SetCourse(W))
    assert story.accepts(A, trigger("A7"))


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_not_before_the_game_and_not_after_it(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)), begun=False)
    story.order(A, Place(parse("E5")))
    story.mine(A, "H8", "J9")
    assert story.refusal(A, trigger("H8")) == "start.place"
    story.begin("E5", "J10")
    story.mine(A, "H8", "J9")
    story.public(damage=ByCrew(0, 3))
    assert story.order(A, trigger("J9"))[-1] == GameEnded(A, "end.sunk")
    assert story.refusal(A, trigger("H8")) == "end.sunk"


@pytest.mark.rule("mine.trigger", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_only_the_captain_triggers(book: str) -> None:
    story = Story(table(book, REAL_TIME, chart=sea(OPEN_SEA), players=8), "E5", "J10")
    story.mine(A, "H8")
    refusals = [story.refusal(A, trigger("H8"), seat=Seat(A, number)) for number in (1, 2, 3)]
    assert refusals == ["crew.orders"] * 3
    assert story.accepts(A, trigger("H8"))


@pytest.mark.rule("mine.trigger", "sonar")
def test_in_the_family_game_there_is_nothing_to_trigger() -> None:
    story = Story(table("sonar", chart=sea(OPEN_SEA)), "E5", "J10")
    assert story.refusal(A, trigger("H8")) == "mine.trigger"


# Weapon circuits


@pytest.mark.rule("mine.circuits", "captain-sonar-ru")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("symbol", RED_SYMBOLS)
def test_by_the_russian_rules_a_red_symbol_bars_the_trigger(symbol: str, mode: Mode) -> None:
    story = duel("captain-sonar-ru", mode)
    story.mine(A, "H8")
    story.cross_out(A, symbol)
    assert story.refusal(A, trigger("H8")) == "mine.circuits"
    assert trigger("H8") not in story.legal(A)
    assert mines(story) == {"H8"}


@pytest.mark.rule("mine.circuits", "captain-sonar-ru")
def test_by_the_russian_rules_other_breakdowns_do_not_matter() -> None:
    story = duel("captain-sonar-ru")
    story.mine(A, "H8")
    story.cross_out(A, "W2", "W3", "N6")
    assert story.order(A, trigger("H8"))[-1] == exploded("H8")


@pytest.mark.rule("mine.circuits", "captain-sonar-ru")
def test_by_the_russian_rules_the_enemys_circuits_do_not_matter() -> None:
    story = duel("captain-sonar-ru")
    story.mine(A, "H8")
    story.cross_out(B, *RED_SYMBOLS)
    assert story.accepts(A, trigger("H8"))


@pytest.mark.rule("mine.circuits", "captain-sonar", "captain-sonar-2")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-2"])
def test_elsewhere_broken_circuits_do_not_bar_the_trigger(book: str, mode: Mode) -> None:
    story = duel(book, mode)
    story.mine(A, "H8")
    story.cross_out(A, "W1", "N2")
    events: list[AnyEvent] = story.order(A, trigger("H8"))
    assert events == [MineTriggered(A, parse("H8")), exploded("H8")]
    assert story.boat(A).duty.cross == "none"


@pytest.mark.rule("mine.circuits", "captain-sonar-2")
def test_in_the_second_edition_the_trigger_is_no_misuse_where_laying_is() -> None:
    story = duel("captain-sonar-2")
    story.mine(A, "H8")
    story.cross_out(A, "W1")
    story.order(A, trigger("H8"))
    assert story.order(A, lay("D4")) == [SystemFailed(A, System.MINE)]


@pytest.mark.rule("mine.circuits", "sonar")
def test_in_the_family_game_there_are_neither_mines_nor_circuits() -> None:
    story = Story(table("sonar", chart=sea(OPEN_SEA)), "E5", "J10")
    assert story.game.ground.symbols == {}
    assert story.refusal(A, trigger("H8")) == "mine.trigger"


@pytest.mark.rule("mine.circuits", "captain-sonar", "captain-sonar-ru")
@pytest.mark.parametrize(("book", "needed"), [("captain-sonar", True), ("captain-sonar-ru", False)])
def test_a_table_may_rule_on_the_circuits(book: str, needed: bool) -> None:
    story = duel(book, rulings={"trigger_needs_circuits": needed})
    story.mine(A, "H8")
    story.cross_out(A, "W1")
    assert story.accepts(A, trigger("H8")) is not needed
