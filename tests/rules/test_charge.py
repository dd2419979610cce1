"""The first mate: gauges, damage boxes, and the family game's energy."""

from typing import Any

import pytest

from fathom.engine.events import (
    CourseSet,
    Damaged,
    Exploded,
    GameEnded,
    GaugeCharged,
    SystemReady,
    TurnEnded,
)
from fathom.engine.orders import (
    AnyOrder,
    Charge,
    CrossOut,
    FireTorpedo,
    LayMine,
    RunSilent,
    SetCourse,
    Surface,
    UseSonar,
)
from fathom.points import parse
from fathom.rules.rulebook import Boxes
from fathom.rules.setup import BadSetup
from fathom.words import ByCrew, Crew, Heading, Mode, Post, System
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
    with_pace,
)

N, S, E, W = Heading
MINE, TORPEDO, DRONE, SONAR, SILENCE, SCENARIO = System
TURN_BY_TURN, REAL_TIME = MODES
WATERS = sea(OPEN_SEA)
CHARGEABLE = (MINE, TORPEDO, DRONE, SONAR, SILENCE)


def at_sea(book: str = "captain-sonar", mode: Mode = REAL_TIME, **choices: Any) -> Story:
    """A on E5, B far away."""
    return Story(table(book, mode, chart=WATERS, **choices), "E5", "J10")


def filled(story: Story, system: System, crew: Crew = A) -> int:
    """The gauge's filled boxes."""
    return story.boat(crew).gauges.boxes[system.index]


def boxes_to_fill(story: Story, system: System) -> int:
    """How many courses' charges the gauge takes until its system is ready."""
    for count in range(1, 13):
        story.change(A, duty={"charge": "box"})
        if SystemReady(A, system) in story.order(A, Charge(system)):
            return count
    raise AssertionError(f"{system} never got ready")


# charge.one


@pytest.mark.rule("charge.one", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("system", CHARGEABLE)
def test_for_a_course_one_box_of_any_gauge_is_filled(book: str, mode: Mode, system: System) -> None:
    story = at_sea(book, mode)
    story.order(A, SetCourse(N))
    assert story.order(A, Charge(system)) == [GaugeCharged(A, system)]
    assert [filled(story, s) for s in CHARGEABLE] == [int(s is system) for s in CHARGEABLE]
    assert [filled(story, s, B) for s in CHARGEABLE] == [0, 0, 0, 0, 0]


@pytest.mark.rule("charge.one", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_one_course_fills_one_box(book: str) -> None:
    story = at_sea(book)
    assert story.refusal(A, Charge(MINE)) == "charge.one"
    story.order(A, SetCourse(N), Charge(MINE))
    assert story.refusal(A, Charge(TORPEDO)) == "charge.one"
    story.order(A, CrossOut("N6"), SetCourse(N), Charge(MINE))
    assert filled(story, MINE) == 2


@pytest.mark.rule("charge.one", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_charge_counts_at_once_though_the_engineer_is_not_done(book: str) -> None:
    story = at_sea(book, TURN_BY_TURN)
    story.change(A, gauges={"boxes": (1, 0, 0, 0, 0, 0)})
    story.order(A, SetCourse(N))
    assert SystemReady(A, MINE) in story.order(A, Charge(MINE))
    story.order(A, CrossOut("N6"))
    assert story.accepts(A, LayMine(parse("D3")))


@pytest.mark.rule("charge.one", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_engineer_may_come_first(book: str) -> None:
    story = at_sea(book)
    story.order(A, SetCourse(N), CrossOut("N6"))
    assert story.order(A, Charge(MINE)) == [GaugeCharged(A, MINE)]


@pytest.mark.rule("charge.one")
def test_while_a_box_is_empty_it_must_be_filled() -> None:
    story = at_sea()
    story.order(A, SetCourse(N))
    assert story.refusal(A, Charge()) == "charge.one"
    assert set(story.legal(A, Post.FIRST_MATE)) >= {Charge(system) for system in CHARGEABLE}
    assert Charge() not in story.legal(A, Post.FIRST_MATE)


@pytest.mark.rule("charge.one")
def test_what_is_charged_stays_aboard() -> None:
    story = at_sea(players=8)
    events = story.order(A, SetCourse(N), Charge(MINE))
    assert story.heard_by(A, events, Post.CAPTAIN) == events
    assert story.heard_by(B, events) == [CourseSet(A, N)]


# charge.full


@pytest.mark.rule("charge.full", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("system", CHARGEABLE)
def test_a_full_gauge_cannot_be_charged(book: str, mode: Mode, system: System) -> None:
    story = at_sea(book, mode)
    story.ready(A, system)
    story.order(A, SetCourse(N))
    assert story.refusal(A, Charge(system)) == "charge.full"


@pytest.mark.rule("charge.full", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_mine_ready_is_called_out_to_the_crew_alone(book: str) -> None:
    story = at_sea(book, TURN_BY_TURN, players=8)
    story.change(A, gauges={"boxes": (1, 0, 0, 0, 0, 0)})
    story.order(A, SetCourse(N))
    events = story.order(A, Charge(MINE))
    assert events == [GaugeCharged(A, MINE), SystemReady(A, MINE)]
    for post in Post:
        assert SystemReady(A, MINE) in story.heard_by(A, events, post)
        assert story.heard_by(B, events, post) == []


@pytest.mark.rule("charge.full")
def test_with_closed_stations_the_call_is_still_heard_aboard() -> None:
    story = at_sea(mode=TURN_BY_TURN, players=8, house={"stations": "closed"})
    story.change(A, gauges={"boxes": (1, 0, 0, 0, 0, 0)})
    story.order(A, SetCourse(N))
    events = story.order(A, Charge(MINE))
    assert SystemReady(A, MINE) in story.heard_by(A, events, Post.RADIO_OPERATOR)
    assert GaugeCharged(A, MINE) not in story.heard_by(A, events, Post.RADIO_OPERATOR)


@pytest.mark.rule("charge.full", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_after_its_use_a_gauge_is_charged_again(book: str) -> None:
    story = at_sea(book)
    story.ready(A, MINE)
    story.sailed(A)
    story.order(A, LayMine(parse("D5")))
    story.resume()
    assert filled(story, MINE) == 0
    story.order(A, SetCourse(N))
    assert story.order(A, Charge(MINE)) == [GaugeCharged(A, MINE)]


# charge.sizes

BOXES = {
    REAL_TIME: {MINE: 3, TORPEDO: 3, DRONE: 4, SONAR: 3, SILENCE: 6},
    TURN_BY_TURN: {MINE: 2, TORPEDO: 3, DRONE: 3, SONAR: 2, SILENCE: 5},
}


@pytest.mark.rule("charge.sizes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_gauges_are_longer_in_real_time(book: str, mode: Mode) -> None:
    story = at_sea(book, mode)
    assert {system: boxes_to_fill(story, system) for system in CHARGEABLE} == BOXES[mode]


@pytest.mark.rule("charge.sizes", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_the_family_game_has_one_gauge_of_four(mode: Mode) -> None:
    ground = at_sea("sonar", mode).game.ground
    assert ground.boxes == (0, 0, 0, 0, 0, 0)
    assert ground.energy == 4


@pytest.mark.rule("charge.sizes")
def test_a_rulebook_with_other_sheets_has_other_gauges() -> None:
    setup = with_pace(table(chart=WATERS), gauges=Boxes(mine=1, torpedo=7))
    story = Story(setup)
    assert boxes_to_fill(story, MINE) == 1
    assert boxes_to_fill(story, TORPEDO) == 7


# damage.boxes


@pytest.mark.rule("damage.boxes", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("book", "boxes"),
    [("captain-sonar", 4), ("captain-sonar-ru", 4), ("captain-sonar-2", 4), ("sonar", 2)],
)
def test_a_submarine_is_destroyed_when_all_damage_boxes_are_crossed_out(
    book: str, mode: Mode, boxes: int
) -> None:
    chart = sea("......\n......", special="ice")
    for damage in range(boxes):
        story = Story(table(book, mode, chart=chart), "A1", "F2")
        story.public(damage=ByCrew(damage, 0))
        events = story.order(A, Surface())
        assert (GameEnded(B, "end.sunk") in events) == (damage == boxes - 1)
        assert story.game.public.damage == ByCrew(damage + 1, 0)


@pytest.mark.rule("damage.boxes", "captain-sonar-2")
def test_in_sudden_death_there_is_one_box() -> None:
    chart = sea("......\n......", special="ice")
    story = Story(table("captain-sonar-2", chart=chart, goal="sudden-death"), "A1", "F2")
    assert story.order(A, Surface())[-1] == GameEnded(B, "end.sunk")


@pytest.mark.rule("damage.boxes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_damage_adds_up(book: str) -> None:
    story = at_sea(book)
    story.put(B, "E1")
    for target, total in (("D1", 1), ("E1", 3)):
        story.ready(A, TORPEDO)
        story.sailed(A)
        story.put(A, "E4")
        events = story.order(A, FireTorpedo(parse(target)))
        assert [e.damage for e in events if isinstance(e, Exploded)] == [
            ByCrew(0, 2 if target == "E1" else 1)
        ]
        assert story.game.public.damage == ByCrew(0, total)
        story.resume()


@pytest.mark.rule("damage.boxes", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_surfacing_repairs_no_damage(book: str) -> None:
    story = at_sea(book, TURN_BY_TURN)
    story.public(damage=ByCrew(1, 1))
    story.order(A, Surface())
    story.order(B, Surface())
    assert story.game.public.damage == ByCrew(1, 1)


@pytest.mark.rule("damage.boxes", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_breakdown_crosses_out_a_damage_box(book: str) -> None:
    story = at_sea(book)
    story.cross_out(A, "W1", "W2", "W3", "W4", "W5")
    story.order(A, SetCourse(W), Charge(MINE))
    assert Damaged(A, 1, "breakdown") in story.order(A, CrossOut("W6"))
    assert story.game.public.damage == ByCrew(1, 0)


# energy.gauge


@pytest.mark.rule("energy.gauge", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_every_course_fills_one_box_and_a_full_gauge_stays_full(mode: Mode) -> None:
    story = at_sea("sonar", mode)
    seen = []
    for heading, back in ((N, N), (N, N), (W, W), (W, W), (S, N), (S, N)):
        story.order(A, SetCourse(heading))
        seen.append(story.boat(A).gauges.energy)
        if mode is TURN_BY_TURN:
            story.order(B, SetCourse(back))
    assert seen == [1, 2, 3, 4, 4, 4]


@pytest.mark.rule("energy.gauge", "sonar")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("order", "cost"),
    [(UseSonar(), 2), (RunSilent(1, N), 3), (FireTorpedo(parse("E1")), 4)],
)
def test_systems_cost_energy(mode: Mode, order: AnyOrder, cost: int) -> None:
    for energy in range(5):
        story = at_sea("sonar", mode)
        story.change(A, gauges={"energy": energy})
        if energy < cost:
            assert story.refusal(A, order) == "system.charged"
        else:
            story.order(A, order)
            assert story.boat(A).gauges.energy == energy - cost


@pytest.mark.rule("energy.gauge", "sonar")
def test_three_energy_allow_sonar_or_silence() -> None:
    # The family rules' example.
    story = at_sea("sonar")
    story.change(A, gauges={"energy": 3})
    assert story.accepts(A, UseSonar())
    assert story.accepts(A, RunSilent(1, N))
    assert not story.accepts(A, FireTorpedo(parse("E1")))


@pytest.mark.rule("energy.gauge", "sonar")
def test_neither_silence_nor_surfacing_gathers_energy() -> None:
    story = at_sea("sonar", TURN_BY_TURN)
    story.change(A, gauges={"energy": 3})
    assert story.order(A, RunSilent(1, N))[-1] == TurnEnded(A, B)
    story.order(B, Surface())
    assert story.boat(A).gauges.energy == story.boat(B).gauges.energy == 0


@pytest.mark.rule("energy.gauge", "sonar")
def test_surfacing_keeps_the_energy() -> None:
    story = at_sea("sonar", TURN_BY_TURN)
    story.change(A, gauges={"energy": 3})
    story.order(A, Surface())
    assert story.boat(A).gauges.energy == 3


@pytest.mark.rule("energy.gauge", "sonar")
def test_there_is_nothing_to_charge() -> None:
    story = at_sea("sonar")
    story.order(A, SetCourse(N))
    assert story.refusal(A, Charge(TORPEDO)) == "crew.orders"


@pytest.mark.rule("energy.gauge", "sonar")
def test_a_table_may_rule_other_costs_and_a_longer_gauge() -> None:
    energy = {"boxes": 6, "sonar": 1, "silence": 2, "torpedo": 6}
    story = at_sea("sonar", rulings={"energy": energy})
    story.change(A, gauges={"energy": 5})
    assert story.refusal(A, FireTorpedo(parse("E1"))) == "system.charged"
    story.order(A, SetCourse(N), FireTorpedo(parse("E1")))
    assert story.boat(A).gauges.energy == 0


@pytest.mark.rule("energy.gauge", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "energy"),
    [
        *((book, {"boxes": 4, "sonar": 2, "silence": 3, "torpedo": 4}) for book in CAPTAIN_BOOKS),
        ("sonar", None),
    ],
)
def test_energy_takes_the_place_of_gauges_and_never_stands_beside_them(
    book: str, energy: dict[str, int] | None
) -> None:
    # Mines and drones have no price in energy; without any, the family game has no gauge at all.
    with pytest.raises(BadSetup) as bad:
        at_sea(book, rulings={"energy": energy})
    assert bad.value.rule == "start.choices"


@pytest.mark.rule("energy.gauge", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_other_rulebooks_know_no_energy(book: str) -> None:
    story = at_sea(book)
    story.order(A, SetCourse(N))
    assert story.boat(A).gauges.energy == 0
    assert story.setup.book.energy is None
