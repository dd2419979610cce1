"""How a game ends: sunk, Sudden Death, a draw, another goal, resigning, leaving."""

from typing import Any

import msgspec
import pytest

from fathom.engine.events import (
    AnyEvent,
    CourseSet,
    Damaged,
    Exploded,
    GameEnded,
    Surfaced,
    SymbolCrossed,
    VolcanoNamed,
)
from fathom.engine.game import Result
from fathom.engine.orders import (
    AnyOrder,
    CrossOut,
    DeclareLost,
    Dive,
    EndTurn,
    FireTorpedo,
    NameVolcano,
    Place,
    PutMark,
    Resign,
    RunSilent,
    SetCourse,
    Surface,
    TriggerMine,
    UseSonar,
)
from fathom.engine.referee import legal
from fathom.engine.refusals import OrderRefused
from fathom.points import parse
from fathom.rules import library
from fathom.rules.chart import Chart
from fathom.rules.setup import BadSetup
from fathom.words import REFEREE, ByCrew, Crew, Heading, Mode, Post, Seat, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

N, S, E, W = Heading
TURNS, REAL_TIME = MODES
HULLS = [("captain-sonar", 4), ("captain-sonar-ru", 4), ("captain-sonar-2", 4), ("sonar", 2)]
VOLCANOES = """
    . . . . . . . . . .
    . r r . . . . . . .
    . V . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . r .
    . . . . . . . . V .
    . . . . . . . . . .
"""


def duel(
    book: str = "captain-sonar",
    mode: Mode = TURNS,
    *,
    a: str = "B2",
    b: str = "D4",
    chart: Chart | None = None,
    **choices: Any,
) -> Story:
    """A has sailed, made its marks and has a torpedo ready."""
    story = Story(table(book, mode, chart=chart or sea(OPEN_SEA), **choices), a, b)
    story.sailed(A)
    story.ready(A, System.TORPEDO)
    return story


def sudden_death(a: str = "B2", b: str = "D4", **choices: Any) -> Story:
    return duel("captain-sonar-2", a=a, b=b, goal="sudden-death", **choices)


def fire(story: Story, at: str) -> list[AnyEvent]:
    return story.order(A, FireTorpedo(parse(at)))


def hurt(story: Story, a: int, b: int) -> None:
    """Both have taken damage before."""
    story.public(damage=ByCrew(a, b))


def all_but_one_radiation(story: Story, crew: Crew) -> None:
    """A course to the south is due, and the last radiation symbol lies there."""
    story.cross_out(crew, "W5", "W6", "N6", "E4", "E6")
    story.change(crew, duty={"cross": "S"})


# Sunk


@pytest.mark.rule("end.sunk", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("book", "hull"), HULLS)
def test_the_last_damage_sinks_and_the_other_crew_wins_at_once(
    book: str, hull: int, mode: Mode
) -> None:
    story = duel(book, mode)
    hurt(story, 0, hull - 1)
    assert fire(story, "D4")[-1] == GameEnded(A, "end.sunk")
    assert story.game.public.phase == "over"
    assert story.game.public.result == Result(A, "end.sunk")


@pytest.mark.rule("end.sunk", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "before", "after"),
    [
        ("captain-sonar", 1, 3),
        ("captain-sonar-ru", 1, 3),
        ("captain-sonar-2", 1, 3),
        ("sonar", 0, 1),
    ],
)
def test_a_damage_less_does_not_sink(book: str, before: int, after: int) -> None:
    story = duel(book)
    hurt(story, 0, before)
    events = fire(story, "D4")
    assert not any(isinstance(event, GameEnded) for event in events)
    assert story.game.public.damage == ByCrew(0, after)
    assert story.game.public.phase == "playing"


@pytest.mark.rule("end.sunk", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_damage_of_every_kind_adds_up(book: str) -> None:
    story = duel(book, b="B10", chart=sea(OPEN_SEA, special="ice"))
    story.mine(A, "A9")
    story.order(A, TriggerMine(parse("A9")))
    story.mine(B, "C10")
    story.order(B, TriggerMine(parse("C10")))
    story.order(A, EndTurn())
    story.order(B, Surface())
    assert story.game.public.damage == ByCrew(0, 3)
    all_but_one_radiation(story, B)
    assert story.order(B, CrossOut("S5")) == [
        SymbolCrossed(B, "S5"),
        Damaged(B, 1, "breakdown"),
        GameEnded(A, "end.sunk"),
    ]


@pytest.mark.rule("end.sunk", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "hull"), HULLS)
def test_a_submarine_may_sink_itself(book: str, hull: int) -> None:
    story = duel(book)
    hurt(story, hull - 1, 0)
    assert fire(story, "B2")[-1] == GameEnded(B, "end.sunk")


@pytest.mark.rule("end.sunk", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "hull"), HULLS)
def test_ice_that_sinks_ends_the_game_before_anything_is_named(book: str, hull: int) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA, special="ice")))
    hurt(story, hull - 1, 0)
    assert story.order(A, Surface()) == [Damaged(A, 1, "ice"), GameEnded(B, "end.sunk")]


@pytest.mark.rule("end.sunk", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_ice_that_does_not_sink_ends_nothing(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA, special="ice")))
    hurt(story, 2, 0)
    assert story.order(A, Surface())[:2] == [Damaged(A, 1, "ice"), Surfaced(A, sector=1)]


@pytest.mark.rule("end.sunk", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("book", "hull"), HULLS)
def test_after_the_end_every_order_is_refused(book: str, hull: int, mode: Mode) -> None:
    story = duel(book, mode)
    hurt(story, 0, hull - 1)
    fire(story, "D4")
    orders: list[AnyOrder] = [
        SetCourse(N), Surface(), Dive(), Place(parse("A1")), TriggerMine(parse("A1")), UseSonar(),
        EndTurn(), Resign(), PutMark(0, 0),
    ]  # fmt: skip
    for crew in (A, B):
        assert {story.refusal(crew, order) for order in orders} == {"end.sunk"}
        assert story.legal(crew) == ()
    assert legal(story.game, REFEREE) == ()


@pytest.mark.rule("end.sunk", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_nobody_wins_by_stalemate_because_surfacing_is_left(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA)))
    story.put(A, "A1", route="B2 B1 A2")
    assert story.refusal(A, SetCourse(E)) == "move.blackout"
    assert Surface() in story.legal(A)
    story.order(A, Surface())
    assert story.game.public.phase == "playing"


@pytest.mark.rule("end.sunk", "sonar")
def test_in_the_family_game_surfacing_is_always_left_too() -> None:
    story = Story(table("sonar", chart=sea(OPEN_SEA)))
    story.put(A, "A1", route="B2 B1 A2")
    assert set(story.legal(A)) == {Surface(), Resign()}
    story.order(A, Surface())
    assert story.game.public.phase == "playing"


@pytest.mark.rule("end.sunk", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "hull"), HULLS)
def test_the_rulebooks_usual_goal_is_to_sink(book: str, hull: int) -> None:
    setup = table(book)
    assert setup.goal.hull == hull
    assert not setup.goal.sudden


# Sudden Death


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
@pytest.mark.rule("end.sunk", "captain-sonar-2")
@pytest.mark.parametrize("at", ["D4", "C3"], ids=["direct", "indirect"])
def test_in_sudden_death_any_hit_loses(at: str) -> None:
    story = sudden_death(a="D1")
    assert fire(story, at)[-1] == GameEnded(A, "end.sunk")


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
@pytest.mark.rule("blast.direct", "captain-sonar-2")
def test_in_sudden_death_a_direct_hit_is_still_two_damage() -> None:
    story = sudden_death()
    fire(story, "D4")
    assert story.game.public.damage == ByCrew(0, 2)


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
@pytest.mark.parametrize("at", ["B2", "A1"], ids=["direct", "indirect"])
def test_in_sudden_death_ones_own_weapon_loses(at: str) -> None:
    assert fire(sudden_death(b="J10"), at)[-1] == GameEnded(B, "end.sunk")


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
def test_in_sudden_death_a_miss_loses_nothing() -> None:
    story = sudden_death(b="J10")
    events = fire(story, "D4")
    assert not any(isinstance(event, GameEnded) for event in events)


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
def test_in_sudden_death_the_last_radiation_loses() -> None:
    story = sudden_death()
    all_but_one_radiation(story, A)
    events = story.order(A, CrossOut("S5"))
    assert events[1:] == [Damaged(A, 1, "breakdown"), GameEnded(B, "end.sunk")]


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
def test_in_sudden_death_a_full_panel_loses() -> None:
    story = sudden_death()
    story.cross_out(A, "W1", "W2", "W3", "W4", "W5")
    story.change(A, duty={"cross": "W"})
    events = story.order(A, CrossOut("W6"))
    assert events[1:] == [Damaged(A, 1, "breakdown"), GameEnded(B, "end.sunk")]


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
@pytest.mark.parametrize(("special", "mark"), [("ice", "."), ("ice-field", "~")])
def test_in_sudden_death_ice_loses(special: str, mark: str) -> None:
    chart = sea(OPEN_SEA.replace(".", mark), special=special)
    story = Story(table("captain-sonar-2", chart=chart, goal="sudden-death"))
    assert story.order(A, Surface()) == [Damaged(A, 1, "ice"), GameEnded(B, "end.sunk")]


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
def test_a_hunt_takes_four_damage() -> None:
    story = duel("captain-sonar-2", goal="hunt")
    assert not any(isinstance(event, GameEnded) for event in fire(story, "D4"))
    story.sailed(A)
    story.ready(A, System.TORPEDO)
    assert fire(story, "D4")[-1] == GameEnded(A, "end.sunk")
    assert story.game.public.damage == ByCrew(0, 4)


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
@pytest.mark.parametrize("at", ["C3", "E5"])
def test_a_table_may_rule_that_indirect_hits_do_not_count_in_sudden_death(at: str) -> None:
    story = sudden_death(a="D1", rulings={"sudden_death_indirect": False})
    story.mine(A, at)
    assert story.order(A, TriggerMine(parse(at)))[1:] == [
        Exploded(parse(at), "mine", A, ByCrew("miss", "miss"), ByCrew(0, 0))
    ]
    assert fire(story, "D4")[-1] == GameEnded(A, "end.sunk")


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
def test_that_ruling_changes_nothing_in_a_hunt() -> None:
    story = duel("captain-sonar-2", a="A1", rulings={"sudden_death_indirect": False})
    fire(story, "C3")
    assert story.game.public.damage == ByCrew(0, 1)


@pytest.mark.rule("end.sudden-death", "captain-sonar-2")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru", "sonar"])
def test_only_the_second_edition_has_sudden_death(book: str) -> None:
    with pytest.raises(BadSetup) as bad:
        table(book, goal="sudden-death")
    assert bad.value.rule == "start.choices"


# Draw


@pytest.mark.rule("end.draw", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("book", "hull"), HULLS)
def test_one_explosion_that_sinks_both_is_a_draw(book: str, hull: int, mode: Mode) -> None:
    story = duel(book, mode, a="C3", b="C3")
    hurt(story, hull - 1, hull - 1)
    assert fire(story, "C3")[-1] == GameEnded(None, "end.draw")
    assert story.game.public.result == Result(None, "end.draw")
    assert story.refusal(A, SetCourse(N)) == "end.draw"


@pytest.mark.rule("end.draw", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_between_two_battered_submarines_is_a_draw(book: str) -> None:
    story = duel(book)
    hurt(story, 3, 3)
    story.mine(B, "C3")
    assert story.order(B, TriggerMine(parse("C3")))[-1] == GameEnded(None, "end.draw")


@pytest.mark.rule("end.draw", "captain-sonar-2")
def test_one_wave_that_sinks_both_is_a_draw() -> None:
    story = duel("captain-sonar-2", a="A5", b="E7")
    hurt(story, 3, 3)
    story.mine(A, "D6")
    story.mine(B, "B4")
    events = fire(story, "C5")
    damage = [event.damage for event in events if isinstance(event, Exploded)]
    assert damage == [ByCrew(0, 0), ByCrew(0, 1), ByCrew(1, 0)]
    assert events[-1] == GameEnded(None, "end.draw")


@pytest.mark.rule("end.draw", "captain-sonar-2")
def test_two_waves_are_two_steps() -> None:
    story = duel("captain-sonar-2", a="A5", b="D6")
    hurt(story, 3, 3)
    story.mine(B, "B4")
    assert fire(story, "C5")[-1] == GameEnded(A, "end.sunk")


@pytest.mark.rule("end.draw", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_an_eruption_that_sinks_both_is_a_draw(book: str) -> None:
    story = duel(book, a="C2", b="I8", chart=sea(VOLCANOES, special="volcanoes"))
    story.public(volcano_marks=ByCrew(2, 0))
    hurt(story, 3, 3)
    assert fire(story, "F1")[-1] == GameEnded(None, "end.draw")


@pytest.mark.rule("end.draw", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_lava_over_both_is_a_draw(book: str) -> None:
    story = duel(book, a="B2", b="C2", chart=sea(VOLCANOES, special="volcanoes"))
    story.public(volcano_events=2, volcano_marks=ByCrew(2, 0))
    fire(story, "E1")
    assert story.order(A, NameVolcano(1)) == [
        VolcanoNamed(A, 1, "lava"),
        GameEnded(None, "end.draw"),
    ]


@pytest.mark.rule("end.draw", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_torpedo_that_sinks_ends_the_game_before_the_eruption_could(book: str) -> None:
    story = duel(book, a="C2", b="E2", chart=sea(VOLCANOES, special="volcanoes"))
    story.public(volcano_marks=ByCrew(2, 0))
    hurt(story, 3, 3)
    events = fire(story, "E2")
    assert events[-1] == GameEnded(A, "end.sunk")
    assert [event.source for event in events if isinstance(event, Exploded)] == ["torpedo"]


@pytest.mark.rule("end.draw", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "hull"), HULLS)
def test_a_table_may_rule_that_the_crew_that_acted_loses(book: str, hull: int) -> None:
    story = duel(book, a="C3", b="C3", rulings={"draw": False})
    hurt(story, hull - 1, hull - 1)
    assert fire(story, "C3")[-1] == GameEnded(B, "end.sunk")


@pytest.mark.rule("end.draw", "captain-sonar")
def test_by_that_ruling_the_mines_owner_acted_even_in_the_enemys_turn() -> None:
    story = duel(rulings={"draw": False})
    hurt(story, 3, 3)
    story.mine(B, "C3")
    assert story.order(B, TriggerMine(parse("C3")))[-1] == GameEnded(A, "end.sunk")


# Another goal


@pytest.mark.rule("end.goal", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_chart_may_be_won_by_reaching_a_point(book: str, mode: Mode) -> None:
    story = Story(table(book, mode, chart=sea(OPEN_SEA, finish="A3, E6")), "E5", "J10")
    assert story.order(A, SetCourse(S)) == [CourseSet(A, S), GameEnded(A, "end.goal")]
    assert story.game.public.result == Result(A, "end.goal")
    assert story.refusal(B, SetCourse(N)) == "end.goal"


@pytest.mark.rule("end.goal", "captain-sonar")
@pytest.mark.parametrize("heading", [N, E, W])
def test_no_other_point_wins(heading: Heading) -> None:
    story = Story(table(chart=sea(OPEN_SEA, finish="A3, E6")), "E5", "J10")
    assert story.order(A, SetCourse(heading)) == [CourseSet(A, heading)]


@pytest.mark.rule("end.goal", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_silence_reaches_the_point_too(book: str) -> None:
    story = duel(book, a="E5", chart=sea(OPEN_SEA, finish="E6"))
    story.ready(A, System.SILENCE)
    assert story.order(A, RunSilent(1, S))[-1] == GameEnded(A, "end.goal")


@pytest.mark.rule("end.goal", "captain-sonar")
def test_sinking_the_enemy_still_wins_on_such_a_chart() -> None:
    story = duel(chart=sea(OPEN_SEA, finish="A3"))
    hurt(story, 0, 3)
    assert fire(story, "D4")[-1] == GameEnded(A, "end.sunk")


@pytest.mark.rule("end.goal", *ALL_BOOKS)
def test_no_printed_scenario_has_such_a_goal() -> None:
    assert [name for name in library.chart_names() if library.chart(name).finish] == []


# Resigning


@pytest.mark.rule("end.resign", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("crew", [A, B])
def test_a_crew_may_resign_in_its_turn_or_not(book: str, mode: Mode, crew: Crew) -> None:
    story = Story(table(book, mode, chart=sea(OPEN_SEA)))
    assert Resign() in story.legal(crew)
    assert story.order(crew, Resign()) == [GameEnded(crew.other, "end.resign")]
    assert story.game.public.result == Result(crew.other, "end.resign")


@pytest.mark.rule("end.resign", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_crew_may_resign_before_the_game_begins(book: str) -> None:
    story = Story(table(book), begun=False)
    assert story.order(B, Resign()) == [GameEnded(A, "end.resign")]


@pytest.mark.rule("end.resign", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_crew_may_resign_during_a_stop_or_instead_of_an_answer(book: str) -> None:
    story = duel(book, REAL_TIME)
    story.ready(A, System.SONAR)
    story.order(A, UseSonar())
    assert story.refusal(B, SetCourse(N)) == "system.stop"
    assert story.order(B, Resign()) == [GameEnded(A, "end.resign")]
    assert story.game.public.awaited is None


@pytest.mark.rule("end.resign", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_crew_may_resign_while_surfaced(book: str) -> None:
    story = Story(table(book, REAL_TIME, chart=sea(OPEN_SEA)))
    story.order(A, Surface())
    assert story.order(A, Resign()) == [GameEnded(B, "end.resign")]


@pytest.mark.rule("end.resign", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_crew_may_not_resign_twice(book: str) -> None:
    story = Story(table(book))
    story.order(A, Resign())
    assert story.refusal(A, Resign()) == "end.resign"
    assert story.refusal(B, Resign()) == "end.resign"


@pytest.mark.rule("end.resign", *ALL_BOOKS)
@pytest.mark.parametrize(("book", "players"), [*((b, 8) for b in CAPTAIN_BOOKS), ("sonar", 4)])
def test_only_the_captain_resigns(book: str, players: int) -> None:
    story = Story(table(book, players=players))
    others = range(1, players // 2)
    assert {story.refusal(A, Resign(), seat=Seat(A, n)) for n in others} == {"crew.orders"}
    assert Resign() in story.legal(A, Post.CAPTAIN)
    assert Resign() not in story.legal(A, Post.RADIO_OPERATOR)


# A player who has gone


@pytest.mark.rule("end.abandon", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("crew", [A, B])
def test_the_referee_declares_a_crew_lost_that_has_gone(book: str, mode: Mode, crew: Crew) -> None:
    story = Story(table(book, mode, chart=sea(OPEN_SEA), house={"leaving": "lose"}))
    assert story.referee(DeclareLost(crew)) == [GameEnded(crew.other, "end.abandon")]
    assert story.game.public.result == Result(crew.other, "end.abandon")
    assert story.refusal(A, SetCourse(S)) == "end.abandon"


@pytest.mark.rule("end.abandon", *ALL_BOOKS)
def test_a_crew_may_be_gone_before_the_game_begins() -> None:
    story = Story(table(house={"leaving": "lose"}), begun=False)
    assert story.referee(DeclareLost(A)) == [GameEnded(B, "end.abandon")]


@pytest.mark.rule("end.abandon", *ALL_BOOKS)
def test_no_player_can_declare_a_crew_lost() -> None:
    story = Story(table(house={"leaving": "lose"}))
    assert story.refusal(A, DeclareLost(B)) == "crew.orders"
    assert story.refusal(B, DeclareLost(B)) == "crew.orders"


@pytest.mark.rule("end.abandon", *ALL_BOOKS)
def test_a_game_that_is_over_stays_as_it_ended() -> None:
    story = Story(table(house={"leaving": "lose"}))
    story.order(A, Resign())
    with pytest.raises(OrderRefused, match=r"end\.resign"):
        story.referee(DeclareLost(B))
    assert story.game.public.result == Result(B, "end.resign")


# Out of time


@pytest.mark.rule("end.time", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("crew", [A, B])
def test_the_referee_declares_a_crew_lost_whose_time_is_up(book: str, crew: Crew) -> None:
    story = Story(table(book, Mode.TURN_BY_TURN, chart=sea(OPEN_SEA)))
    lost = DeclareLost(crew, "end.time")
    assert story.refusal(A, lost) == story.refusal(B, lost) == "crew.orders"
    assert story.referee(lost) == [GameEnded(crew.other, "end.time")]
    assert story.game.public.result == Result(crew.other, "end.time")
    assert story.refusal(A, SetCourse(S)) == "end.time"


@pytest.mark.rule("end.time", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_in_real_time_there_are_no_clocks(book: str) -> None:
    story = Story(table(book, Mode.REAL_TIME, chart=sea(OPEN_SEA)))
    with pytest.raises(OrderRefused, match=r"end\.time"):
        story.referee(DeclareLost(A, "end.time"))
    assert story.game.public.result is None


# A player who has gone, and the table's choice


@pytest.mark.rule("end.abandon", *ALL_BOOKS)
@pytest.mark.parametrize("leaving", ["wait", "bot", "lose"])
def test_the_table_chooses_at_set_up_what_happens(leaving: str) -> None:
    setup = table(house={"leaving": leaving, "leaving_seconds": 90.0})
    assert (setup.house.leaving, setup.house.leaving_seconds) == (leaving, 90.0)


@pytest.mark.rule("end.abandon", *ALL_BOOKS)
def test_usually_the_table_waits_and_nothing_else_can_be_chosen() -> None:
    assert table().house.leaving == "wait"
    with pytest.raises(msgspec.ValidationError, match="leaving"):
        table(house={"leaving": "forget"})
