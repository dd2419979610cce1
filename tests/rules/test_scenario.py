"""Scenarios: ice, old mines, volcanoes, damaged submarines, and the gauge that serves them."""

from typing import Any

import pytest

from fathom.engine.events import (
    AnyEvent,
    Damaged,
    Dived,
    DroneLaunched,
    Exploded,
    GameEnded,
    OldMineDetonated,
    PlayBegan,
    PlayResumed,
    Surfaced,
    SystemFailed,
    SystemReady,
    SystemRepaired,
    TorpedoFired,
    TurnEnded,
    VolcanoNamed,
    VolcanoStirred,
)
from fathom.engine.orders import (
    AnyOrder,
    Charge,
    DetonateOldMine,
    Dive,
    EndTurn,
    FireTorpedo,
    LaunchDrone,
    LayMine,
    NameVolcano,
    Place,
    RepairSystem,
    ResumePlay,
    RunSilent,
    SetCourse,
    Surface,
    TriggerMine,
    UseSonar,
)
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.points import bits, name, parse
from fathom.rules import library
from fathom.rules.chart import Chart
from fathom.words import REFEREE, ByCrew, Crew, Heading, Mode, System
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

N, S, E, W = Heading
MINE, TORPEDO, DRONE, SONAR, SILENCE, SCENARIO = System
REAL_TIME = Mode.REAL_TIME


def named(points: int) -> set[str]:
    """The points of a set by their names."""
    return {name(point) for point in bits(points)}


def boxes_to_fill(story: Story, crew: Crew, system: System) -> int:
    """How many courses' charges the gauge takes until its system is ready."""
    for count in range(1, 13):
        story.change(crew, duty={"charge": "box"})
        if SystemReady(crew, system) in story.order(crew, Charge(system)):
            return count
    raise AssertionError(f"{system} never got ready")


def explosions(events: list[AnyEvent]) -> list[tuple[str, str]]:
    """What exploded where, in order."""
    return [(event.source, name(event.at)) for event in events if isinstance(event, Exploded)]


# scenario.ice

ICE = sea(
    """
    . . . . . . . . . .
    . . . . . . . . . .
    . . . o . . . # . .
    . . . . . . . . . .
    . . . . . . . . o .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    """,
    special="ice",
)


@pytest.mark.rule("scenario.ice", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_surfacing_under_ice_costs_one_damage_first(book: str) -> None:
    story = Story(table(book, chart=ICE), "E3", "J10")
    events = story.order(A, Surface())
    assert events == [Damaged(A, 1, "ice"), Surfaced(A, sector=1), TurnEnded(A, B, 3)]
    assert story.game.public.damage == ByCrew(1, 0)


@pytest.mark.rule("scenario.ice", "sonar")
def test_surfacing_under_ice_costs_a_hull_point_in_the_family_game() -> None:
    story = Story(table("sonar", chart=ICE), "E3", "J10")
    events = story.order(A, Surface())
    assert events == [Damaged(A, 1, "ice"), Surfaced(A, at=parse("E3")), TurnEnded(A, B)]


@pytest.mark.rule("scenario.ice", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_ice_hurts_in_real_time_too(book: str) -> None:
    story = Story(table(book, REAL_TIME, chart=ICE), "E3", "J10")
    assert story.order(A, Surface())[0] == Damaged(A, 1, "ice")


@pytest.mark.rule("scenario.ice", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize("hole", ["D3", "I5"])
def test_surfacing_in_a_hole_costs_nothing(book: str, mode: Mode, hole: str) -> None:
    story = Story(table(book, mode, chart=ICE), hole, "J10")
    assert isinstance(story.order(A, Surface())[0], Surfaced)
    assert story.game.public.damage == ByCrew(0, 0)


@pytest.mark.rule("scenario.ice", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_ice_that_sinks_ends_the_game_before_the_place_is_named(book: str, mode: Mode) -> None:
    story = Story(table(book, mode, chart=ICE), "E3", "J10")
    story.public(damage=ByCrew(1 if book == "sonar" else 3, 0))
    assert story.order(A, Surface()) == [Damaged(A, 1, "ice"), GameEnded(B, "end.sunk")]


@pytest.mark.rule("scenario.ice", "captain-sonar-2")
def test_in_sudden_death_ice_sinks_at_once() -> None:
    story = Story(table("captain-sonar-2", chart=ICE, goal="sudden-death"), "E3", "J10")
    assert story.order(A, Surface()) == [Damaged(A, 1, "ice"), GameEnded(B, "end.sunk")]


@pytest.mark.rule("scenario.ice")
@pytest.mark.parametrize("chart", ["delta-10", "delta-15", "antarctica-10"])
def test_delta_and_antarctica_lie_under_ice(chart: str) -> None:
    story = Story(table("captain-sonar", chart=library.chart(chart)), "A1", "A1")
    assert story.order(A, Surface())[0] == Damaged(A, 1, "ice")


# scenario.ice-field

ICE_FIELD = sea(
    """
    . . . . . ~ ~ ~ ~ ~
    . . . . . ~ o ~ ~ ~
    . . . . . ~ ~ ~ ~ ~
    . . . . . ~ ~ ~ ~ ~
    """,
    special="ice-field",
)


@pytest.mark.rule("scenario.ice-field", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
@pytest.mark.parametrize(
    ("at", "damage"), [("E2", 0), ("F2", 1), ("G2", 0), ("J4", 1)], ids=["sea", "~", "hole", "~ "]
)
def test_only_surfacing_within_the_field_and_outside_a_hole_costs_damage(
    book: str, at: str, damage: int
) -> None:
    story = Story(table(book, chart=ICE_FIELD), at, "A4")
    events = story.order(A, Surface())
    assert [e for e in events if isinstance(e, Damaged)] == [Damaged(A, 1, "ice")] * damage
    assert any(isinstance(event, Surfaced) for event in events)
    assert story.game.public.damage == ByCrew(damage, 0)


@pytest.mark.rule("scenario.ice-field", "captain-sonar-2")
def test_in_hunt_breaking_through_costs_one_and_surfacing_goes_on() -> None:
    story = Story(table("captain-sonar-2", REAL_TIME, chart=ICE_FIELD, goal="hunt"), "F2", "A4")
    assert story.order(A, Surface()) == [Damaged(A, 1, "ice"), Surfaced(A, sector=2)]


@pytest.mark.rule("scenario.ice-field", "captain-sonar-2")
@pytest.mark.parametrize("mode", MODES)
def test_in_sudden_death_breaking_through_destroys(mode: Mode) -> None:
    setup = table("captain-sonar-2", mode, chart=ICE_FIELD, goal="sudden-death")
    story = Story(setup, "F2", "A4")
    assert story.order(A, Surface()) == [Damaged(A, 1, "ice"), GameEnded(B, "end.sunk")]


@pytest.mark.rule("scenario.ice-field", "captain-sonar-2")
@pytest.mark.parametrize("at", ["E2", "G2"])
def test_in_sudden_death_holes_and_open_sea_are_safe(at: str) -> None:
    setup = table("captain-sonar-2", chart=ICE_FIELD, goal="sudden-death")
    story = Story(setup, at, "A4")
    assert isinstance(story.order(A, Surface())[0], Surfaced)


@pytest.mark.rule("scenario.ice-field", "captain-sonar-2")
@pytest.mark.parametrize(
    ("at", "damage"), [("A1", 0), ("O1", 1), ("L3", 0), ("L8", 0), ("G12", 0), ("N14", 0)]
)
def test_the_holes_of_charlie_2_are_safe(at: str, damage: int) -> None:
    setup = table("captain-sonar-2", REAL_TIME, scenario="charlie-2")
    story = Story(setup, at, "A1")
    story.order(A, Surface())
    assert story.game.public.damage == ByCrew(damage, 0)


# scenario.old-mines

OLD_MINES = sea(
    """
    . . . . . . . . . .
    . . m . . . m . . .
    . . . . . . . . . .
    . . . . # . . . . .
    """,
    special="old-mines",
)
C2, G2 = parse("C2"), parse("G2")


def near_old_mines(
    book: str = "captain-sonar", mode: Mode = Mode.TURN_BY_TURN, a: str = "A4", b: str = "J4"
) -> Story:
    """Both crews have sailed and could set an old mine off."""
    story = Story(table(book, mode, chart=OLD_MINES), a, b)
    story.ready(B, SCENARIO)
    story.ready(A, SCENARIO)
    story.sailed(A)
    return story


def old_mine_blast(at: int, a: tuple[str, int], b: tuple[str, int]) -> Exploded:
    """An old mine's explosion: hit and damage for each crew."""
    hits: ByCrew[str] = ByCrew(a[0], b[0])
    return Exploded(parse(name(at)), "old-mine", None, hits, ByCrew(a[1], b[1]))  # type: ignore[arg-type]


MISS, NEAR, DIRECT = ("miss", 0), ("indirect", 1), ("direct", 2)


@pytest.mark.rule("scenario.old-mines", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_an_old_mine_hurts_whoever_is_near(book: str) -> None:
    story = near_old_mines(book, a="B3", b="C2")
    assert story.order(A, DetonateOldMine(C2)) == [
        OldMineDetonated(A, C2),
        old_mine_blast(C2, NEAR, DIRECT),
        TurnEnded(A, B),
    ]
    assert story.game.public.damage == ByCrew(1, 2)


@pytest.mark.rule("scenario.old-mines")
def test_an_old_mine_may_sink_both() -> None:
    story = near_old_mines(a="B3", b="D3")
    story.public(damage=ByCrew(3, 3))
    assert story.order(A, DetonateOldMine(C2))[-1] == GameEnded(None, "end.draw")


@pytest.mark.rule("scenario.old-mines")
def test_a_captain_may_set_off_an_old_mine_from_afar() -> None:
    story = near_old_mines(a="A4", b="J4")
    assert old_mine_blast(G2, MISS, MISS) in story.order(A, DetonateOldMine(G2))


@pytest.mark.rule("scenario.old-mines")
def test_setting_one_off_empties_the_gauge() -> None:
    story = near_old_mines()
    story.order(A, DetonateOldMine(C2))
    assert story.boat(A).gauges.boxes[SCENARIO.index] == 0
    assert story.boat(B).gauges.boxes[SCENARIO.index] == 4
    story.sailed(A)
    assert story.refusal(A, DetonateOldMine(G2)) == "system.charged"


@pytest.mark.rule("scenario.old-mines")
def test_an_old_mine_that_went_off_is_gone_for_both() -> None:
    story = near_old_mines()
    story.order(A, DetonateOldMine(C2))
    assert named(story.game.public.old_mines) == {"G2"}
    story.sailed(B)
    assert story.refusal(B, DetonateOldMine(C2)) == "scenario.old-mines"
    assert story.accepts(B, DetonateOldMine(G2))


@pytest.mark.rule("scenario.old-mines")
def test_it_takes_four_boxes() -> None:
    story = near_old_mines()
    story.order(A, DetonateOldMine(C2))
    assert boxes_to_fill(story, A, SCENARIO) == 4
    story.sailed(A)
    assert story.accepts(A, DetonateOldMine(G2))


@pytest.mark.rule("scenario.old-mines", "captain-sonar", "captain-sonar-ru")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru"])
@pytest.mark.parametrize(("symbol", "breaks"), [("W2", True), ("W1", False), ("W3", False)])
def test_it_needs_intact_yellow_circuits(book: str, symbol: str, breaks: bool) -> None:
    story = near_old_mines(book)
    story.cross_out(A, symbol)
    if breaks:
        assert story.refusal(A, DetonateOldMine(C2)) == "system.intact"
    else:
        assert story.accepts(A, DetonateOldMine(C2))


@pytest.mark.rule("scenario.old-mines", "captain-sonar-2")
def test_in_the_second_edition_it_fails_when_yellow_is_broken() -> None:
    story = near_old_mines("captain-sonar-2")
    story.cross_out(A, "W2")
    assert story.order(A, DetonateOldMine(C2)) == [SystemFailed(A, SCENARIO)]
    assert named(story.game.public.old_mines) == {"C2", "G2"}


@pytest.mark.rule("scenario.old-mines")
def test_it_follows_a_course() -> None:
    story = Story(table(chart=OLD_MINES), "A4", "J4")
    story.ready(A, SCENARIO)
    assert story.refusal(A, DetonateOldMine(C2)) == "turn.order"
    story.order(A, SetCourse(N))
    assert story.refusal(A, DetonateOldMine(C2)) == "move.acknowledge"


@pytest.mark.rule("scenario.old-mines", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_it_is_that_courses_activation(book: str) -> None:
    story = near_old_mines(book, REAL_TIME)
    story.ready(A, TORPEDO)
    story.order(A, DetonateOldMine(C2))
    story.resume()
    assert story.refusal(A, FireTorpedo(parse("A1"))) == "system.once"
    story.order(A, SetCourse(N))
    story.aye(A)
    assert story.boat(A).duty.barred == ""


@pytest.mark.rule("scenario.old-mines")
@pytest.mark.parametrize("point", ["B2", "E4", "K1"])
def test_where_no_old_mine_lies_none_goes_off(point: str) -> None:
    story = near_old_mines()
    assert story.refusal(A, DetonateOldMine(parse(point))) == "scenario.old-mines"


@pytest.mark.rule("scenario.old-mines")
def test_on_another_chart_there_is_no_such_order() -> None:
    story = Story(table(chart=sea(OPEN_SEA)))
    story.sailed(A)
    assert story.refusal(A, DetonateOldMine(C2)) == "scenario.old-mines"


@pytest.mark.rule("scenario.old-mines", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_submarine_may_start_on_an_old_mine_and_sail_over_one(book: str) -> None:
    story = Story(table(book, chart=OLD_MINES), "C2", "G1")
    story.order(A, Surface())
    events = story.order(B, SetCourse(S))
    assert not [event for event in events if isinstance(event, Exploded | Damaged)]
    assert name(story.boat(B).helm.at) == "G2"


@pytest.mark.rule("scenario.old-mines")
def test_no_mine_is_laid_on_an_old_mine_until_it_is_gone() -> None:
    story = near_old_mines(a="B2")
    story.ready(A, MINE)
    assert story.refusal(A, LayMine(C2)) == "scenario.old-mines"
    assert story.accepts(A, LayMine(parse("C3")))
    story.public(old_mines=1 << G2)
    assert story.accepts(A, LayMine(C2))


BLOCKING = {"old_mine_blocks": True}


@pytest.mark.rule("scenario.old-mines")
def test_a_table_may_rule_that_old_mines_are_in_the_way() -> None:
    setup = table(chart=OLD_MINES, rulings=BLOCKING)
    story = Story(setup, begun=False)
    assert story.refusal(A, Place(C2)) == "scenario.old-mines"
    story = Story(setup, "B2", "J4")
    assert story.refusal(A, SetCourse(E)) == "scenario.old-mines"
    story.ready(A, SILENCE)
    story.sailed(A)
    assert story.refusal(A, RunSilent(2, E)) == "scenario.old-mines"


@pytest.mark.rule("scenario.old-mines")
def test_an_old_mine_that_is_gone_is_in_nobodys_way() -> None:
    story = Story(table(chart=OLD_MINES, rulings=BLOCKING), "B2", "J4")
    story.ready(A, SCENARIO)
    story.sailed(A)
    story.order(A, DetonateOldMine(C2))
    story.order(B, Surface())
    assert story.accepts(A, SetCourse(E))


@pytest.mark.rule("scenario.old-mines", "captain-sonar")
def test_archer_mine_impact_on_c4() -> None:
    # The first edition's example, on Echo.
    story = Story(table(mode=REAL_TIME, scenario="echo"), "B5", "C4")
    story.ready(A, SCENARIO)
    story.sailed(A)
    events = story.order(A, DetonateOldMine(parse("C4")))
    assert events == [
        OldMineDetonated(A, parse("C4")),
        old_mine_blast(parse("C4"), NEAR, DIRECT),
    ]
    assert "C4" not in named(story.game.public.old_mines)


# scenario.volcanoes

VOLCANOES = sea(
    """
    . . . . . . . . . .
    . r r r . . . . . .
    . r V r . . . . . .
    . r r r . . . . . .
    . . . . . . . . . .
    . . . . . . . . . .
    . . . . . r r r . .
    . . . . . r V r . .
    . . . . . r r r . .
    . . . . . . . . . .
    """,
    special="volcanoes",
)
RED_OF_1 = {"B2", "C2", "D2", "B3", "D3", "B4", "C4", "D4"}
RED_OF_2 = {"F7", "G7", "H7", "F8", "H8", "F9", "G9", "H9"}
FAR_A, FAR_B = "A10", "J1"
"""Two points that no volcano reaches."""


def volcanic(
    book: str = "captain-sonar-2",
    mode: Mode = Mode.TURN_BY_TURN,
    *,
    a: str = FAR_A,
    b: str = FAR_B,
    marks: int = 2,
    happened: int = 0,
) -> Story:
    """A has used some weapons and may fire; some events have happened."""
    story = Story(table(book, mode, chart=VOLCANOES), a, b)
    story.public(volcano_marks=ByCrew(marks, 0), volcano_events=happened)
    story.ready(A, MINE, TORPEDO, DRONE)
    story.ready(B, MINE, TORPEDO, DRONE)
    story.sailed(A)
    return story


def fire(story: Story, target: str = "B8") -> list[AnyEvent]:
    """A fires at nobody; from A10, B8 is three steps away."""
    return story.order(A, FireTorpedo(parse(target)))


def eruption(a: tuple[str, int], b: tuple[str, int], at: str) -> Exploded:
    """One volcano's explosion: hit and damage for each crew."""
    hits: ByCrew[str] = ByCrew(a[0], b[0])
    return Exploded(parse(at), "volcano", None, hits, ByCrew(a[1], b[1]))  # type: ignore[arg-type]


@pytest.mark.rule("scenario.volcanoes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("order", [FireTorpedo(parse("B8")), LayMine(parse("A9"))])
def test_a_torpedo_or_a_mine_marks_the_crews_gauge(book: str, order: AnyOrder) -> None:
    story = volcanic(book, marks=0)
    events = story.order(A, order)
    assert story.game.public.volcano_marks == ByCrew(1, 0)
    assert not [event for event in events if isinstance(event, VolcanoStirred)]


@pytest.mark.rule("scenario.volcanoes")
def test_each_crew_counts_its_own_weapons() -> None:
    story = volcanic(marks=1)
    fire(story)
    story.sailed(B)
    story.order(B, FireTorpedo(parse("J3")))
    assert story.game.public.volcano_marks == ByCrew(2, 1)


@pytest.mark.rule("scenario.volcanoes")
def test_triggers_and_other_systems_wake_no_volcano() -> None:
    story = volcanic(marks=2)
    story.mine(A, "A8")
    story.order(A, TriggerMine(parse("A8")), LaunchDrone(2))
    assert story.game.public.volcano_marks == ByCrew(2, 0)
    assert story.game.public.volcano_events == 0


@pytest.mark.rule("scenario.volcanoes", "captain-sonar-2")
def test_a_weapon_that_fails_wakes_no_volcano() -> None:
    story = volcanic("captain-sonar-2", marks=2)
    story.cross_out(A, "N2")
    assert fire(story) == [SystemFailed(A, TORPEDO)]
    assert story.game.public.volcano_marks == ByCrew(2, 0)


@pytest.mark.rule("scenario.volcanoes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_first_mate_cannot_charge_the_volcanoes(book: str) -> None:
    story = Story(table(book, chart=VOLCANOES), FAR_A, FAR_B)
    story.order(A, SetCourse(N))
    assert story.refusal(A, Charge(SCENARIO)) == "scenario.gauge"
    assert Charge(SCENARIO) not in story.legal(A)


@pytest.mark.rule("scenario.volcanoes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_third_weapon_makes_both_volcanoes_erupt(book: str) -> None:
    story = volcanic(book, b="G9")
    events = fire(story)
    assert [type(event) for event in events[:2]] == [TorpedoFired, Exploded]
    assert events[2:] == [
        VolcanoStirred(A, 1),
        eruption(MISS, MISS, "C3"),
        eruption(MISS, NEAR, "G8"),
        TurnEnded(A, B),
    ]
    assert story.game.public.damage == ByCrew(0, 1)
    assert story.game.public.volcano_marks == ByCrew(0, 0)
    assert story.game.public.volcano_events == 1


@pytest.mark.rule("scenario.volcanoes")
def test_a_third_mine_makes_them_erupt_too() -> None:
    story = volcanic()
    events = story.order(A, LayMine(parse("A9")))
    assert explosions(events) == [("volcano", "C3"), ("volcano", "G8")]


@pytest.mark.rule("scenario.volcanoes")
def test_an_eruption_hurts_the_crew_that_caused_it() -> None:
    story = volcanic(a="B2", b="F7")
    fire(story, "A5")
    assert story.game.public.damage == ByCrew(1, 1)


@pytest.mark.rule("scenario.volcanoes")
def test_both_sunk_by_one_eruption_is_a_draw() -> None:
    story = volcanic(a="B2", b="F7")
    story.public(damage=ByCrew(3, 3))
    assert fire(story, "A5")[-1] == GameEnded(None, "end.draw")


@pytest.mark.rule("scenario.volcanoes")
def test_the_weapon_is_settled_first() -> None:
    story = volcanic(b="B8")
    story.public(damage=ByCrew(0, 2))
    events = fire(story, "B8")
    assert events[-1] == GameEnded(A, "end.sunk")
    assert not [event for event in events if isinstance(event, VolcanoStirred)]


@pytest.mark.rule("scenario.volcanoes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("book", "expected"),
    [
        ("captain-sonar", [("volcano", "C3"), ("volcano", "G8")]),
        ("captain-sonar-ru", [("volcano", "C3"), ("volcano", "G8")]),
        ("captain-sonar-2", [("volcano", "C3"), ("volcano", "G8"), ("mine", "D4"), ("mine", "E5")]),
    ],
)
def test_an_eruption_sets_off_mines_where_they_go_off_in_waves(
    book: str, expected: list[tuple[str, str]]
) -> None:
    story = volcanic(book)
    story.mine(B, "D4", "E5")
    assert explosions(fire(story)) == [("torpedo", "B8"), *expected]


@pytest.mark.rule("scenario.volcanoes")
def test_volcanoes_need_no_circuits() -> None:
    story = volcanic("captain-sonar")
    story.cross_out(A, "W2", "N1", "N3")
    assert VolcanoStirred(A, 1) in fire(story)


@pytest.mark.rule("scenario.volcanoes")
def test_an_event_is_no_activation() -> None:
    story = volcanic("captain-sonar", REAL_TIME)
    fire(story)
    story.resume()
    story.order(A, SetCourse(N))
    story.aye(A)
    assert story.accepts(A, LayMine(parse("A8")))


@pytest.mark.rule("scenario.volcanoes")
def test_events_are_crossed_out_by_both_captains() -> None:
    story = volcanic()
    assert VolcanoStirred(A, 1) in fire(story)
    story.public(volcano_marks=ByCrew(0, 2))
    story.sailed(B)
    assert VolcanoStirred(B, 2) in story.order(B, FireTorpedo(parse("J3")))


@pytest.mark.rule("scenario.volcanoes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_captain_names_the_volcano_that_smokes(book: str) -> None:
    story = volcanic(book, happened=1)
    assert fire(story)[-1] == VolcanoStirred(A, 2)
    events = story.order(A, NameVolcano(1))
    assert events == [VolcanoNamed(A, 1, "smoke"), TurnEnded(A, B)]
    assert story.heard_by(B, events) == events


@pytest.mark.rule("scenario.volcanoes")
def test_play_waits_for_the_naming() -> None:
    story = volcanic(happened=1)
    story.mine(A, "E1")
    story.mine(B, "E1")
    fire(story)
    for crew in (A, B):
        for order in (SetCourse(N), EndTurn(), Surface(), TriggerMine(parse("E1")), UseSonar()):
            assert story.refusal(crew, order) == "scenario.volcanoes"
    assert story.accepts(A, NameVolcano(2))


@pytest.mark.rule("scenario.volcanoes")
def test_in_real_time_the_stop_lasts_until_the_naming() -> None:
    story = volcanic(mode=REAL_TIME, happened=1)
    fire(story)
    assert story.refusal(B, SetCourse(S)) == "system.stop"
    with pytest.raises(OrderRefused, match=r"system\.stop"):
        decide(story.game, REFEREE, ResumePlay())
    assert story.order(A, NameVolcano(1)) == [VolcanoNamed(A, 1, "smoke")]
    assert story.resume() == [PlayResumed()]
    assert story.accepts(B, SetCourse(S))


@pytest.mark.rule("scenario.volcanoes")
def test_only_that_captain_names_one_of_the_two_volcanoes() -> None:
    story = volcanic(happened=1)
    assert story.refusal(A, NameVolcano(1)) == "scenario.volcanoes"
    fire(story)
    assert story.refusal(B, NameVolcano(1)) == "scenario.volcanoes"
    for number in (-1, 0, 3):
        assert story.refusal(A, NameVolcano(number)) == "scenario.volcanoes"
    story.order(A, NameVolcano(2))
    assert story.refusal(A, NameVolcano(2)) == "scenario.volcanoes"


@pytest.mark.rule("scenario.volcanoes")
@pytest.mark.parametrize("crew", [A, B])
@pytest.mark.parametrize(
    ("volcano", "sector", "answer"),
    [(1, 1, "toxic-smoke"), (1, 4, "no"), (2, 4, "toxic-smoke"), (2, 1, "no")],
)
def test_a_drone_learns_nothing_through_toxic_smoke(
    crew: Crew, volcano: int, sector: int, answer: str
) -> None:
    story = volcanic(happened=1)
    fire(story)
    story.order(A, NameVolcano(volcano))
    story.sailed(crew)
    events = story.order(crew, LaunchDrone(sector))
    assert events[0] == DroneLaunched(crew, sector, answer)  # type: ignore[arg-type]
    assert story.boat(crew).gauges.boxes[DRONE.index] == 0


@pytest.mark.rule("scenario.volcanoes")
def test_toxic_smoke_does_not_hide_another_sector() -> None:
    story = volcanic(happened=1)
    fire(story)
    story.order(A, NameVolcano(1))
    story.sailed(A)
    assert story.order(A, LaunchDrone(2))[0] == DroneLaunched(A, 2, "yes")


@pytest.mark.rule("scenario.volcanoes")
def test_the_smoke_lasts_until_the_next_event() -> None:
    story = volcanic(happened=1)
    fire(story)
    story.order(A, NameVolcano(1))
    assert story.game.public.smoke == 1
    story.public(volcano_marks=ByCrew(0, 2))
    story.sailed(B)
    story.order(B, FireTorpedo(parse("J3")), NameVolcano(2))
    story.sailed(A)
    assert story.order(A, LaunchDrone(1))[0] == DroneLaunched(A, 1, "no")


@pytest.mark.rule("scenario.volcanoes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(("volcano", "red"), [(1, RED_OF_1), (2, RED_OF_2)])
def test_lava_turns_the_named_volcanos_red_points_into_islands(
    book: str, volcano: int, red: set[str]
) -> None:
    story = volcanic(book, happened=2)
    assert fire(story)[-1] == VolcanoStirred(A, 3)
    assert story.order(A, NameVolcano(volcano)) == [
        VolcanoNamed(A, volcano, "lava"),
        TurnEnded(A, B),
    ]
    assert named(story.game.public.lava) == red


def after_lava(b: str = FAR_B) -> Story:
    """Volcano 2's red points are land, and it is B's turn."""
    story = volcanic(b=b, happened=2)
    fire(story)
    story.order(A, NameVolcano(2))
    story.ready(B, SILENCE)
    return story


@pytest.mark.rule("scenario.volcanoes")
def test_nobody_sails_fires_or_mines_on_lava() -> None:
    story = after_lava(b="E8")
    assert story.refusal(B, SetCourse(E)) == "move.islands"
    story.sailed(B)
    assert story.refusal(B, RunSilent(1, E)) == "move.islands"
    assert story.refusal(B, FireTorpedo(parse("F8"))) == "chart.islands"
    assert story.refusal(B, LayMine(parse("F9"))) == "chart.islands"


@pytest.mark.rule("scenario.volcanoes")
def test_lava_stops_torpedoes_as_islands_do() -> None:
    over_red_points = FireTorpedo(parse("I7"))
    before = volcanic(b="E7")
    before.sailed(B)
    assert before.accepts(B, over_red_points)
    after = after_lava(b="E7")
    after.sailed(B)
    assert after.refusal(B, over_red_points) == "torpedo.range"


@pytest.mark.rule("scenario.volcanoes")
def test_mines_under_lava_vanish() -> None:
    story = volcanic(happened=2)
    story.mine(A, "F7", "A1")
    story.mine(B, "H9", "C2")
    fire(story)
    story.order(A, NameVolcano(2))
    assert named(story.boat(A).helm.mines) == {"A1"}
    assert named(story.boat(B).helm.mines) == {"C2"}


@pytest.mark.rule("scenario.volcanoes")
@pytest.mark.parametrize(
    ("a", "b", "target", "end"),
    [
        ("A10", "H8", "B8", GameEnded(A, "end.sunk")),
        ("F9", "A1", "E10", GameEnded(B, "end.sunk")),
        ("F9", "H8", "D9", GameEnded(None, "end.draw")),
    ],
    ids=["the enemy", "itself", "both"],
)
def test_a_submarine_under_lava_is_destroyed(a: str, b: str, target: str, end: GameEnded) -> None:
    story = volcanic("captain-sonar", a=a, b=b, happened=2)
    fire(story, target)
    assert story.order(A, NameVolcano(2)) == [VolcanoNamed(A, 2, "lava"), end]


@pytest.mark.rule("scenario.volcanoes")
def test_the_other_volcanos_red_points_stay_sea() -> None:
    story = volcanic(b="B2", happened=2)
    fire(story)
    assert story.order(A, NameVolcano(2))[-1] == TurnEnded(A, B)
    assert story.accepts(B, SetCourse(E))


@pytest.mark.rule("scenario.volcanoes")
def test_after_the_third_event_nothing_more_happens() -> None:
    story = volcanic(marks=0, happened=3)
    for _ in range(4):
        story.ready(A, TORPEDO)
        story.sailed(A)
        assert not [event for event in fire(story) if isinstance(event, VolcanoStirred)]
    assert story.game.public.volcano_events == 3


# scenario.damaged

DAMAGED = sea(
    """
    M . . . T
    . . . . .
    . . . . .
    . . . . .
    D . S . Q
    """,
    special="damaged",
)


def damaged(
    book: str = "captain-sonar-2",
    mode: Mode = Mode.TURN_BY_TURN,
    *,
    a: str = "B1",
    chart: Chart = DAMAGED,
    **choices: Any,
) -> Story:
    """A's scenario gauge is full and it has set its course."""
    story = Story(table(book, mode, chart=chart, **choices), a, "C3")
    story.ready(A, SCENARIO)
    story.sailed(A)
    return story


@pytest.mark.rule("scenario.damaged", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("system", [MINE, TORPEDO, DRONE, SONAR, SILENCE])
def test_systems_start_disabled_and_cannot_be_charged(book: str, system: System) -> None:
    story = Story(table(book, chart=DAMAGED), "B1", "C3")
    story.order(A, SetCourse(S))
    assert story.refusal(A, Charge(system)) == "system.disabled"


@pytest.mark.rule("scenario.damaged", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    "order",
    [LayMine(parse("C1")), FireTorpedo(parse("C1")), LaunchDrone(1), UseSonar(), RunSilent(0)],
)
def test_systems_start_disabled_and_cannot_be_used(book: str, order: AnyOrder) -> None:
    story = damaged(book)
    story.ready(A, MINE, TORPEDO, DRONE, SONAR, SILENCE)
    assert story.refusal(A, order) == "system.disabled"


@pytest.mark.rule("scenario.damaged", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_three_boxes_fill_the_scenario_gauge(book: str) -> None:
    story = Story(table(book, chart=DAMAGED), "B1", "C3")
    assert boxes_to_fill(story, A, SCENARIO) == 3
    story.change(A, duty={"charge": "box"})
    assert story.refusal(A, Charge(SCENARIO)) == "charge.full"
    assert story.accepts(A, Charge())


@pytest.mark.rule("scenario.damaged", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_system_is_repaired_at_its_island(book: str) -> None:
    story = damaged(book)
    events = story.order(A, RepairSystem(MINE))
    assert events == [SystemRepaired(A, MINE), TurnEnded(A, B)]
    assert story.heard_by(B, events) == events
    assert story.boat(A).gauges.boxes[SCENARIO.index] == 0
    assert story.game.public.in_service == ByCrew(MINE.bit | SCENARIO.bit, SCENARIO.bit)


@pytest.mark.rule("scenario.damaged")
def test_a_repaired_system_is_charged_and_used_like_any_other() -> None:
    story = damaged()
    story.order(A, RepairSystem(MINE))
    assert boxes_to_fill(story, A, MINE) == 2
    story.sailed(A)
    assert story.accepts(A, LayMine(parse("C1")))
    story.change(B, duty={"charge": "box"})
    assert story.refusal(B, Charge(MINE)) == "system.disabled"


@pytest.mark.rule("scenario.damaged")
@pytest.mark.parametrize(
    ("at", "system"),
    [
        *(("B1", MINE), ("A2", MINE), ("B2", MINE), ("D2", TORPEDO)),
        *(("B4", DRONE), ("B4", SONAR), ("D4", SONAR), ("D4", SILENCE)),
    ],
)
def test_islands_are_next_to_a_submarine_in_eight_directions(at: str, system: System) -> None:
    assert SystemRepaired(A, system) in damaged(a=at).order(A, RepairSystem(system))


@pytest.mark.rule("scenario.damaged")
@pytest.mark.parametrize(
    ("at", "system"), [("B1", TORPEDO), ("C1", MINE), ("A3", MINE), ("A3", DRONE), ("B1", SCENARIO)]
)
def test_elsewhere_a_system_is_not_repaired(at: str, system: System) -> None:
    assert damaged(a=at).refusal(A, RepairSystem(system)) == "scenario.damaged"


@pytest.mark.rule("scenario.damaged")
def test_a_table_may_rule_that_corners_do_not_count() -> None:
    straight = damaged(a="B1", rulings={"repair_diagonal": False})
    assert straight.accepts(A, RepairSystem(MINE))
    diagonal = damaged(a="B2", rulings={"repair_diagonal": False})
    assert diagonal.refusal(A, RepairSystem(MINE)) == "scenario.damaged"


@pytest.mark.rule("scenario.damaged")
def test_each_system_is_repaired_once() -> None:
    story = damaged()
    story.order(A, RepairSystem(MINE))
    story.ready(A, SCENARIO)
    story.sailed(A)
    assert story.refusal(A, RepairSystem(MINE)) == "scenario.damaged"


@pytest.mark.rule("scenario.damaged")
def test_a_repair_needs_a_full_gauge() -> None:
    story = Story(table("captain-sonar-2", chart=DAMAGED), "B1", "C3")
    story.sailed(A)
    assert story.refusal(A, RepairSystem(MINE)) == "system.charged"


@pytest.mark.rule("scenario.damaged", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_repair_needs_intact_yellow_circuits(book: str) -> None:
    story = damaged(book)
    story.cross_out(A, "S2")
    if book == "captain-sonar-2":
        assert story.order(A, RepairSystem(MINE)) == [SystemFailed(A, SCENARIO)]
    else:
        assert story.refusal(A, RepairSystem(MINE)) == "system.intact"
    assert story.game.public.in_service == ByCrew(SCENARIO.bit, SCENARIO.bit)


@pytest.mark.rule("scenario.damaged")
def test_a_repair_follows_a_course() -> None:
    story = Story(table("captain-sonar-2", chart=DAMAGED), "B1", "C3")
    story.ready(A, SCENARIO)
    assert story.refusal(A, RepairSystem(MINE)) == "turn.order"


@pytest.mark.rule("scenario.damaged")
def test_a_repair_is_that_courses_activation() -> None:
    story = damaged(mode=REAL_TIME)
    story.order(A, RepairSystem(MINE))
    story.resume()
    story.ready(A, MINE, SCENARIO)
    assert story.refusal(A, LayMine(parse("C1"))) == "system.once"


@pytest.mark.rule("scenario.damaged")
def test_on_another_chart_there_is_nothing_to_repair() -> None:
    story = Story(table("captain-sonar-2", chart=sea(OPEN_SEA)))
    story.sailed(A)
    assert story.refusal(A, RepairSystem(MINE)) == "scenario.damaged"


@pytest.mark.rule("scenario.damaged", "captain-sonar-2")
def test_echo_2_repairs_torpedoes_at_b2() -> None:
    story = damaged(a="A1", chart=library.chart("echo-2-10"))
    assert SystemRepaired(A, TORPEDO) in story.order(A, RepairSystem(TORPEDO))


# scenario.corners


@pytest.mark.rule("scenario.corners", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_on_archipelago_the_starts_are_given(book: str) -> None:
    story = Story(table(book, chart=library.chart("archipelago-10")), begun=False)
    assert [name(story.boat(crew).helm.at) for crew in (A, B)] == ["A1", "J10"]
    for crew in (A, B):
        assert story.refusal(crew, Place(parse("E5"))) == "scenario.corners"
        assert story.order(crew, Dive())[0] == Dived(crew)
    assert story.events[-1] == PlayBegan(A)


@pytest.mark.rule("scenario.corners", "sonar")
def test_blue_starts_on_a1_and_green_on_j10() -> None:
    story = Story(table("sonar", scenario="archipelago"), begun=False)
    starts = zip(story.setup.book.colours, story.game.boats, strict=True)
    assert {colour: name(boat.helm.at) for colour, boat in starts} == {"blue": "A1", "green": "J10"}


@pytest.mark.rule("scenario.corners")
def test_the_given_start_counts_as_route() -> None:
    story = Story(table("sonar", scenario="archipelago"))
    story.order(A, SetCourse(E))
    story.order(B, SetCourse(W))
    assert story.refusal(A, SetCourse(W)) == "move.no-crossing"


# scenario.gauge


@pytest.mark.rule("scenario.gauge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("header", "boxes"),
    [({}, 4), ({"gauge": "6"}, 6), ({"gauge": "5"}, 5)],
    ids=["usual", "6", "5"],
)
def test_the_scenario_gauge_has_as_many_boxes_as_the_scenario_says(
    book: str, mode: Mode, header: dict[str, str], boxes: int
) -> None:
    chart = sea("...\n.m.\n...", special="old-mines", **header)
    story = Story(table(book, mode, chart=chart), "A1", "C3")
    assert boxes_to_fill(story, A, SCENARIO) == boxes


@pytest.mark.rule("scenario.gauge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("chart", [sea(OPEN_SEA), ICE, ICE_FIELD, VOLCANOES])
def test_without_a_scenario_system_the_gauge_cannot_be_charged(
    book: str, mode: Mode, chart: Chart
) -> None:
    story = Story(table(book, mode, chart=chart), "A1", "A1")
    story.order(A, SetCourse(S))
    assert story.refusal(A, Charge(SCENARIO)) == "scenario.gauge"


@pytest.mark.rule("scenario.gauge")
def test_a_volcanic_scenario_may_have_a_longer_gauge() -> None:
    picture = "\n".join(VOLCANOES.rows)
    story = Story(table(chart=sea(picture, special="volcanoes", gauge="4")), FAR_A, FAR_B)
    for marks, stirs in ((2, False), (3, True)):
        story.public(volcano_marks=ByCrew(marks, 0))
        story.ready(A, TORPEDO)
        story.sailed(A)
        assert (VolcanoStirred(A, 1) in fire(story)) == stirs
