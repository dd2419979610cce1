"""What breaks down for every course, what mends itself, and the damage that is done."""

from collections import Counter
from typing import Any

import pytest

from fathom.engine.events import (
    CircuitMended,
    Damaged,
    Exploded,
    GameEnded,
    Hit,
    SymbolCrossed,
    SystemFailed,
    TorpedoFired,
    TurnEnded,
)
from fathom.engine.knowledge.view import WATCHER, overhear
from fathom.engine.orders import (
    AnyOrder,
    Charge,
    CrossOut,
    DetonateOldMine,
    EndTurn,
    FireTorpedo,
    LaunchDrone,
    LayMine,
    RepairSystem,
    RunSilent,
    SetCourse,
    Surface,
    TriggerMine,
    UseSonar,
)
from fathom.engine.refusals import OrderRefused
from fathom.points import parse
from fathom.rules.setup import BadSetup
from fathom.rules.sheet import Sheet
from fathom.words import ByCrew, Heading, Kind, Mode, Post, System
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

RED = {"W1", "N2", "N5", "S3", "S4", "E3"}
GREEN = {"W3", "W4", "N4", "S1", "E1", "E5"}
YELLOW = {"W2", "N1", "N3", "S2", "S6", "E2"}
RADIATION = {"W5", "W6", "N6", "S5", "E4", "E6"}

# A at E5 has an old mine at hand, so that each of the six systems has an order.
OLD_MINE = """
. . . . . . . . . .
. m . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
"""

USES: dict[System, AnyOrder] = {
    System.MINE: LayMine(parse("E6")),
    System.TORPEDO: FireTorpedo(parse("E7")),
    System.DRONE: LaunchDrone(1),
    System.SONAR: UseSonar(),
    System.SILENCE: RunSilent(2, E),
    System.SCENARIO: DetonateOldMine(parse("B2")),
}
COLOURS = {
    "red": (RED, {System.MINE, System.TORPEDO}),
    "green": (GREEN, {System.DRONE, System.SONAR}),
    "yellow": (YELLOW, {System.SILENCE, System.SCENARIO}),
    "radiation": (RADIATION, set[System]()),
}


def under_way(book: str = "captain-sonar", mode: Mode = MODES[0], **choices: Any) -> Story:
    """A is on E5 in open sea, B far away."""
    return Story(table(book, mode, chart=sea(OPEN_SEA), **choices), a="E5", b="J10")


def all_ready(book: str = "captain-sonar", mode: Mode = MODES[0], **choices: Any) -> Story:
    """A is on E5, has set its course and made its marks, and every system is charged."""
    chart = sea(OLD_MINE, special="old-mines")
    story = Story(table(book, mode, chart=chart, **choices), a="E5", b="J10")
    story.sailed(A)
    story.ready(A, *System)
    return story


def sheet_of(book: str, mode: Mode = MODES[0], sheet: str | None = None) -> Sheet:
    """The engineer's sheet of a table."""
    found = table(book, mode, sheet=sheet).sheet
    assert found is not None
    return found


def damage(story: Story) -> tuple[int, int]:
    return story.game.public.damage.a, story.game.public.damage.b


# The mark for every course


@pytest.mark.rule("breakdown.cross", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("heading", [N, S, E, W])
def test_any_symbol_of_the_courses_panel_may_be_crossed_out(
    book: str, mode: Mode, heading: Heading
) -> None:
    story = under_way(book, mode)
    story.order(A, SetCourse(heading))
    offered = {o.symbol for o in story.legal(A, Post.ENGINEER) if isinstance(o, CrossOut)}
    assert offered == {f"{heading.value}{number}" for number in range(1, 7)}


@pytest.mark.rule("breakdown.cross")
@pytest.mark.parametrize("symbol", ["N2", "N5"], ids=["central circuits", "reactor"])
def test_the_engineer_crosses_out_in_the_circuits_or_in_the_reactor(symbol: str) -> None:
    story = under_way()
    story.order(A, SetCourse(N))
    assert story.order(A, CrossOut(symbol)) == [SymbolCrossed(A, symbol)]
    assert crossed_names(story, A) == {symbol}
    assert crossed_names(story, B) == set()


@pytest.mark.rule("breakdown.cross")
def test_another_panels_symbol_is_refused() -> None:
    story = under_way()
    story.order(A, SetCourse(N))
    assert story.refusal(A, CrossOut("S1")) == "breakdown.cross"


@pytest.mark.rule("breakdown.cross")
def test_a_symbol_is_crossed_out_once() -> None:
    story = under_way()
    story.cross_out(A, "N1")
    story.order(A, SetCourse(N))
    assert story.refusal(A, CrossOut("N1")) == "breakdown.cross"
    assert story.accepts(A, CrossOut("N2"))


@pytest.mark.rule("breakdown.cross")
def test_a_course_costs_exactly_one_symbol() -> None:
    story = under_way()
    assert story.refusal(A, CrossOut("N1")) == "breakdown.cross"
    story.order(A, SetCourse(N), CrossOut("N1"))
    assert story.refusal(A, CrossOut("N2")) == "breakdown.cross"
    assert crossed_names(story, A) == {"N1"}


@pytest.mark.rule("breakdown.cross")
def test_the_engineer_may_not_only_pretend_after_a_course() -> None:
    story = under_way()
    story.order(A, SetCourse(N))
    assert story.refusal(A, CrossOut()) == "breakdown.cross"


@pytest.mark.rule("breakdown.cross")
def test_the_mark_counts_before_the_first_mates_too() -> None:
    story = under_way()
    story.order(A, SetCourse(N), CrossOut("N4"))
    assert crossed_names(story, A) == {"N4"}
    assert story.refusal(A, EndTurn()) == "turn.order"
    story.order(A, Charge(System.MINE))
    assert story.accepts(A, EndTurn())


@pytest.mark.rule("breakdown.cross")
def test_only_the_engineer_crosses_out() -> None:
    story = under_way(players=8)
    story.order(A, SetCourse(N))
    for post in (Post.CAPTAIN, Post.FIRST_MATE, Post.RADIO_OPERATOR):
        assert story.refusal(A, CrossOut("N1"), story.seat(A, post)) == "crew.orders"
    assert story.accepts(A, CrossOut("N1"))


@pytest.mark.rule("breakdown.cross")
def test_what_is_crossed_out_stays_aboard() -> None:
    story = under_way(players=8)
    story.order(A, SetCourse(N))
    events = story.order(A, CrossOut("N1"))
    assert story.heard_by(B, events) == []
    assert story.heard_by(A, events) == [SymbolCrossed(A, "N1")]


# What the symbols stop


@pytest.mark.rule("breakdown.kinds", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("colour", COLOURS)
def test_one_symbol_stops_the_systems_of_its_colour_and_no_other(book: str, colour: str) -> None:
    symbols, stopped = COLOURS[colour]
    for symbol in sorted(symbols):
        story = all_ready(book, rulings={"broken_system": "refused"})
        story.cross_out(A, symbol)
        working = {system for system, order in USES.items() if story.accepts(A, order)}
        assert working == set(System) - stopped, symbol
        for system in stopped:
            assert story.refusal(A, USES[system]) == "system.intact"


@pytest.mark.rule("breakdown.kinds")
def test_a_system_works_again_when_the_last_symbol_of_its_colour_is_erased() -> None:
    story = under_way(mode=Mode.REAL_TIME)
    story.ready(A, System.TORPEDO)
    story.cross_out(A, "W1", "W2", "W3", "N5")
    story.order(A, SetCourse(E), Charge(System.MINE))
    # E3 closes the west circuit, but the north reactor's red symbol is still crossed out.
    story.order(A, CrossOut("E3"))
    assert crossed_names(story, A) == {"N5"}
    assert story.refusal(A, FireTorpedo(parse("E7"))) == "system.intact"
    story.change(A, engine={"crossed": 0})
    assert story.accepts(A, FireTorpedo(parse("E7")))


# The sheets


@pytest.mark.rule("breakdown.sheet", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_usual_sheet_has_24_symbols_in_four_panels(book: str, mode: Mode) -> None:
    sheet = sheet_of(book, mode)
    assert len(sheet.symbols) == 24
    assert Counter(symbol.panel for symbol in sheet.symbols) == dict.fromkeys(Heading, 6)
    assert Counter(symbol.kind for symbol in sheet.symbols) == dict.fromkeys(Kind, 6)


@pytest.mark.rule("breakdown.sheet")
def test_every_symbol_of_the_24_stands_where_it_is_printed() -> None:
    letters = {Kind.RED: "r", Kind.GREEN: "g", Kind.YELLOW: "y", Kind.RADIATION: "*"}
    sheet = sheet_of("captain-sonar")
    drawn = {
        heading: "".join(letters[s.kind] for s in sheet.symbols if s.panel is heading)
        for heading in Heading
    }
    assert drawn == {W: "rygg**", N: "yrygr*", S: "gyrr*y", E: "gyr*g*"}


@pytest.mark.rule("breakdown.sheet")
@pytest.mark.parametrize("name", ["24-symbols", "20-symbols"])
def test_three_circuits_of_four_join_the_central_symbols(name: str) -> None:
    sheet = sheet_of("captain-sonar-2", sheet=name)
    circuits = {
        circuit: {s.name for s in sheet.symbols if s.circuit == circuit}
        for circuit in sheet.circuits
    }
    assert circuits == {
        "west": {"W1", "W2", "W3", "E3"},
        "north": {"N1", "N2", "N3", "E1"},
        "south": {"S1", "S2", "S3", "E2"},
    }


@pytest.mark.rule("breakdown.sheet", "captain-sonar-2")
def test_the_second_edition_may_choose_20_symbols_turn_by_turn() -> None:
    sheet = sheet_of("captain-sonar-2", sheet="20-symbols")
    assert Counter(symbol.panel for symbol in sheet.symbols) == dict.fromkeys(Heading, 5)
    kinds = Counter(symbol.kind for symbol in sheet.symbols)
    assert kinds == dict.fromkeys(Kind, 5)
    radiation = {symbol.name for symbol in sheet.symbols if symbol.kind is Kind.RADIATION}
    assert radiation == {"W4", "W5", "N5", "S5", "E4"}


@pytest.mark.rule("breakdown.sheet", *ALL_BOOKS)
@pytest.mark.parametrize(
    ("book", "mode"),
    [
        *(
            (book, mode)
            for book in ("captain-sonar", "captain-sonar-ru", "sonar")
            for mode in MODES
        ),
        ("captain-sonar-2", Mode.REAL_TIME),
    ],
)
def test_elsewhere_the_sheet_of_20_is_refused(book: str, mode: Mode) -> None:
    with pytest.raises(BadSetup) as bad:
        table(book, mode, sheet="20-symbols")
    assert bad.value.rule == "start.choices"


@pytest.mark.rule("breakdown.sheet", "sonar")
@pytest.mark.parametrize("mode", MODES)
def test_the_family_game_has_no_engineer_and_no_sheet(mode: Mode) -> None:
    story = under_way("sonar", mode, players=4)
    assert story.setup.sheet is None
    story.order(A, SetCourse(N))
    for number in range(2):
        seat = story.seat(A, (Post.CAPTAIN, Post.RADIO_OPERATOR)[number])
        assert story.refusal(A, CrossOut("N1"), seat) == "crew.orders"


@pytest.mark.rule("breakdown.sheet")
@pytest.mark.parametrize("symbol", ["N7", "n1", "Q1", ""])
def test_a_symbol_that_is_not_on_the_sheet_is_refused(symbol: str) -> None:
    story = under_way()
    story.order(A, SetCourse(N))
    assert story.refusal(A, CrossOut(symbol)) == "breakdown.sheet"


@pytest.mark.rule("breakdown.sheet", "captain-sonar-2")
def test_the_sheet_of_20_has_no_sixth_symbol() -> None:
    story = under_way("captain-sonar-2", sheet="20-symbols")
    story.order(A, SetCourse(W))
    assert story.refusal(A, CrossOut("W6")) == "breakdown.sheet"


# Circuits that mend themselves

CLOSINGS = [
    *[("west", name, course) for name, course in (("W1", W), ("W2", W), ("W3", W), ("E3", E))],
    *[("north", name, course) for name, course in (("N1", N), ("N2", N), ("N3", N), ("E1", E))],
    *[("south", name, course) for name, course in (("S1", S), ("S2", S), ("S3", S), ("E2", E))],
]
CIRCUITS = {
    circuit: {name for of, name, _ in CLOSINGS if of == circuit}
    for circuit in ("west", "north", "south")
}


@pytest.mark.rule("repair.circuit", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(("circuit", "last", "course"), CLOSINGS)
def test_the_fourth_mark_of_a_circuit_erases_the_four(
    book: str, circuit: str, last: str, course: Heading
) -> None:
    story = under_way(book)
    # One reactor symbol of the panel too: it is no part of the circuit and stays.
    reactor = f"{last[0]}4"
    story.cross_out(A, *CIRCUITS[circuit] - {last}, reactor)
    story.order(A, SetCourse(course))
    events = story.order(A, CrossOut(last))
    assert events == [SymbolCrossed(A, last), CircuitMended(A, circuit)]
    assert crossed_names(story, A) == {reactor}
    assert damage(story) == (0, 0)


@pytest.mark.rule("repair.circuit")
def test_three_marks_of_a_circuit_mend_nothing() -> None:
    story = under_way()
    story.cross_out(A, "W1", "W2")
    story.order(A, SetCourse(W))
    assert story.order(A, CrossOut("W3")) == [SymbolCrossed(A, "W3")]
    assert crossed_names(story, A) == {"W1", "W2", "W3"}


@pytest.mark.rule("repair.circuit")
def test_a_mended_circuit_can_break_down_and_mend_again() -> None:
    story = under_way(mode=Mode.REAL_TIME)
    for _ in range(2):
        story.cross_out(A, "W1", "W2", "W3")
        story.order(A, SetCourse(E), Charge(System.SILENCE))
        assert story.order(A, CrossOut("E3"))[-1] == CircuitMended(A, "west")
        assert crossed_names(story, A) == set()


@pytest.mark.rule("repair.circuit")
def test_a_repair_is_told_to_nobody_outside() -> None:
    story = under_way(players=8)
    story.cross_out(A, "W1", "W2", "W3")
    story.order(A, SetCourse(E))
    events = story.order(A, CrossOut("E3"))
    assert story.heard_by(B, events) == []
    assert story.heard_by(A, events) == events


# Radiation


@pytest.mark.rule("damage.radiation", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("last", sorted(RADIATION))
def test_the_last_radiation_does_one_damage_and_erases_everything(
    book: str, mode: Mode, last: str
) -> None:
    # Other reactor lights are not needed: "radiation" is played, not "reactor" (ruling).
    story = under_way(book, mode)
    story.cross_out(A, *RADIATION - {last}, "W1", "N4", "S2")
    story.order(A, SetCourse(Heading(last[0])))
    assert story.order(A, CrossOut(last)) == [SymbolCrossed(A, last), Damaged(A, 1, "breakdown")]
    assert damage(story) == (1, 0)
    assert crossed_names(story, A) == set()


@pytest.mark.rule("damage.radiation")
def test_five_radiations_of_six_do_no_harm() -> None:
    story = under_way()
    story.cross_out(A, *RADIATION - {"S5", "E6"})
    story.order(A, SetCourse(S))
    assert story.order(A, CrossOut("S5")) == [SymbolCrossed(A, "S5")]
    assert damage(story) == (0, 0)


@pytest.mark.rule("damage.radiation", "captain-sonar-2")
def test_on_the_sheet_of_20_the_fifth_radiation_does_the_damage() -> None:
    story = under_way("captain-sonar-2", sheet="20-symbols")
    story.cross_out(A, "W4", "W5", "N5", "S5")
    story.order(A, SetCourse(E))
    assert story.order(A, CrossOut("E4"))[-1] == Damaged(A, 1, "breakdown")
    assert crossed_names(story, A) == set()


@pytest.mark.rule("damage.radiation")
def test_radiation_can_sink_a_submarine() -> None:
    story = under_way()
    story.public(damage=ByCrew(3, 0))
    story.cross_out(A, *RADIATION - {"E6"})
    story.order(A, SetCourse(E))
    assert story.order(A, CrossOut("E6"))[1:] == [
        Damaged(A, 1, "breakdown"),
        GameEnded(B, "end.sunk"),
    ]


# Panels


@pytest.mark.rule("damage.panel", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("heading", [N, S, E, W])
def test_a_full_panel_does_one_damage_and_erases_everything(book: str, heading: Heading) -> None:
    story = under_way(book)
    elsewhere = {"E5", "N4", "W4", "S4"}
    panel = {f"{heading.value}{number}" for number in range(1, 7)}
    last = f"{heading.value}6"
    story.cross_out(A, *(panel | elsewhere) - {last})
    story.order(A, SetCourse(heading))
    assert story.order(A, CrossOut(last)) == [SymbolCrossed(A, last), Damaged(A, 1, "breakdown")]
    assert crossed_names(story, A) == set()
    assert damage(story) == (1, 0)


@pytest.mark.rule("damage.panel")
def test_five_symbols_of_a_panel_do_no_harm() -> None:
    story = under_way()
    story.cross_out(A, "N1", "N2", "N3", "N4")
    story.order(A, SetCourse(N))
    assert story.order(A, CrossOut("N5")) == [SymbolCrossed(A, "N5")]
    assert len(crossed_names(story, A)) == 5


@pytest.mark.rule("damage.panel", "captain-sonar-2")
def test_a_panel_of_the_sheet_of_20_is_full_with_five() -> None:
    story = under_way("captain-sonar-2", sheet="20-symbols")
    story.cross_out(A, "N1", "N2", "N3", "N4")
    story.order(A, SetCourse(N))
    assert story.order(A, CrossOut("N5"))[-1] == Damaged(A, 1, "breakdown")


@pytest.mark.rule("damage.panel")
def test_after_the_damage_the_panel_can_be_crossed_out_anew() -> None:
    story = under_way(mode=Mode.REAL_TIME)
    story.cross_out(A, "N1", "N2", "N3", "N4", "N5")
    story.order(A, SetCourse(N), Charge(System.MINE), CrossOut("N6"))
    story.order(A, SetCourse(N), Charge(System.MINE))
    assert story.order(A, CrossOut("N6")) == [SymbolCrossed(A, "N6")]


@pytest.mark.rule("damage.panel")
def test_the_damage_leaves_gauges_route_and_mines_as_they_are() -> None:
    story = under_way()
    story.mine(A, "F5")
    story.cross_out(A, "N1", "N2", "N3", "N4", "N5")
    story.order(A, SetCourse(N), Charge(System.MINE))
    before = story.boat(A)
    story.order(A, CrossOut("N6"))
    after = story.boat(A)
    assert (after.helm, after.gauges) == (before.helm, before.gauges)


# Repair and damage at once


@pytest.mark.rule("repair.first", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mark_that_closes_a_circuit_and_fills_a_panel_only_repairs(book: str) -> None:
    story = under_way(book)
    story.cross_out(A, "W1", "W2", "W4", "W5", "W6", "E3", "N5")
    story.order(A, SetCourse(W))
    assert story.order(A, CrossOut("W3")) == [SymbolCrossed(A, "W3"), CircuitMended(A, "west")]
    assert crossed_names(story, A) == {"W4", "W5", "W6", "N5"}
    assert damage(story) == (0, 0)


@pytest.mark.rule("repair.first")
def test_the_east_symbol_of_a_circuit_saves_the_east_panel_too() -> None:
    story = under_way()
    story.cross_out(A, "E1", "E3", "E4", "E5", "E6", "S1", "S2", "S3")
    story.order(A, SetCourse(E))
    assert story.order(A, CrossOut("E2"))[1:] == [CircuitMended(A, "south")]
    assert crossed_names(story, A) == {"E1", "E3", "E4", "E5", "E6"}
    assert damage(story) == (0, 0)


@pytest.mark.rule("repair.first", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_table_may_rule_that_damage_comes_first(book: str) -> None:
    story = under_way(book, rulings={"repair_first": False})
    story.cross_out(A, "W1", "W2", "W4", "W5", "W6", "E3", "N5")
    story.order(A, SetCourse(W))
    assert story.order(A, CrossOut("W3"))[1:] == [Damaged(A, 1, "breakdown")]
    assert crossed_names(story, A) == set()
    assert damage(story) == (1, 0)


@pytest.mark.rule("repair.first")
def test_that_ruling_leaves_a_circuit_without_damage_alone() -> None:
    story = under_way(rulings={"repair_first": False})
    story.cross_out(A, "W1", "W2", "E3")
    story.order(A, SetCourse(W))
    assert story.order(A, CrossOut("W3"))[1:] == [CircuitMended(A, "west")]


@pytest.mark.rule("repair.first")
def test_radiation_and_panel_at_once_are_one_damage() -> None:
    story = under_way()
    story.cross_out(A, "W1", "W2", "W3", "W4", *RADIATION - {"W5"})
    story.order(A, SetCourse(W))
    assert story.order(A, CrossOut("W5"))[1:] == [Damaged(A, 1, "breakdown")]
    assert damage(story) == (1, 0)


@pytest.mark.rule("repair.first", "sonar")
def test_nothing_breaks_or_mends_in_the_family_game() -> None:
    story = under_way("sonar")
    for course in (E, E, E, N, N, N, W):
        story.order(A, SetCourse(course))
        story.order(B, SetCourse(W if story.boat(B).helm.at & 15 > 2 else N))
    kinds = (SymbolCrossed, CircuitMended, Damaged)
    assert not [event for event in story.events if isinstance(event, kinds)]
    assert damage(story) == (0, 0)


# What is told of damage


@pytest.mark.rule("damage.announced", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    "before", [RADIATION - {"W6"}, {"W1", "W2", "W3", "W4", "W5"}], ids=["radiation", "panel"]
)
def test_damage_by_breakdown_is_public_but_not_what_did_it(book: str, before: set[str]) -> None:
    story = under_way(book, players=8)
    story.cross_out(A, *before)
    story.order(A, SetCourse(W))
    events = story.order(A, CrossOut("W6"))
    said = [Damaged(A, 1, "breakdown")]
    assert [story.heard_by(B, events, post) for post in Post] == [said] * 4
    ground = story.game.ground
    assert [news for e in events if (news := overhear(ground, e, WATCHER))] == said


@pytest.mark.rule("damage.announced")
@pytest.mark.parametrize(
    ("target", "hits", "hurt"),
    [
        ("E7", ByCrew("miss", "direct"), ByCrew(0, 2)),
        ("E6", ByCrew("indirect", "indirect"), ByCrew(1, 1)),
        ("E5", ByCrew("direct", "miss"), ByCrew(2, 0)),
        ("E4", ByCrew("indirect", "miss"), ByCrew(1, 0)),
    ],
)
def test_a_weapons_damage_is_public_ones_own_too(
    target: str, hits: ByCrew[Hit], hurt: ByCrew[int]
) -> None:
    story = all_ready(players=8)
    story.put(B, "E7")
    events = story.order(A, FireTorpedo(parse(target)))
    for crew in (A, B):
        heard = story.heard_by(crew, events)
        assert heard[:2] == [
            TorpedoFired(A, parse(target)),
            Exploded(parse(target), "torpedo", A, hits, hurt),
        ]
    assert story.game.public.damage == hurt


@pytest.mark.rule("damage.announced", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_damage_by_ice_is_public(book: str) -> None:
    story = Story(table(book, chart=sea(OPEN_SEA, special="ice"), players=4), a="E5")
    events = story.order(A, Surface())
    assert story.heard_by(B, events)[0] == Damaged(A, 1, "ice")
    assert damage(story) == (1, 0)


# Ordering a broken system


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
@pytest.mark.parametrize("system", System)
def test_a_broken_system_fails_and_a_radiation_mark_is_due(system: System) -> None:
    story = all_ready("captain-sonar-2")
    story.cross_out(A, "W1", "W2", "W3")
    before = story.boat(A)
    assert story.order(A, USES[system]) == [SystemFailed(A, system)]
    after = story.boat(A)
    assert (after.gauges, after.helm, after.duty.ready) == (
        before.gauges,
        before.helm,
        before.duty.ready,
    )
    assert (after.duty.cross, after.duty.charge) == ("radiation", "none")
    assert story.game.public.awaited is None
    assert damage(story) == (0, 0)


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_the_engineer_chooses_a_radiation_symbol_on_any_panel() -> None:
    story = all_ready("captain-sonar-2")
    story.cross_out(A, "N2", "N6")
    story.order(A, FireTorpedo(parse("E7")))
    offered = {o.symbol for o in story.legal(A, Post.ENGINEER) if isinstance(o, CrossOut)}
    assert offered == RADIATION - {"N6"}
    assert story.refusal(A, CrossOut("S4")) == "breakdown.misuse"
    assert story.refusal(A, CrossOut("N6")) == "breakdown.misuse"
    assert story.order(A, CrossOut("S5")) == [SymbolCrossed(A, "S5"), TurnEnded(A, B)]
    assert crossed_names(story, A) == {"N2", "N6", "S5"}


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_the_engineer_may_not_only_pretend_after_a_misuse() -> None:
    story = all_ready("captain-sonar-2")
    story.cross_out(A, "N2")
    story.order(A, FireTorpedo(parse("E7")))
    assert story.refusal(A, CrossOut()) == "breakdown.cross"


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_turn_by_turn_the_next_order_waits_for_the_mark() -> None:
    story = all_ready("captain-sonar-2")
    story.cross_out(A, "N2")
    story.order(A, FireTorpedo(parse("E7")))
    assert story.refusal(A, EndTurn()) == "turn.order"
    assert story.refusal(A, LaunchDrone(1)) == "move.acknowledge"
    assert story.refusal(B, SetCourse(N)) == "turn.yours"


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_in_real_time_everyone_waits_for_the_mark() -> None:
    story = all_ready("captain-sonar-2", Mode.REAL_TIME)
    story.cross_out(A, "N2")
    story.order(A, FireTorpedo(parse("E7")))
    assert story.refusal(A, SetCourse(N)) == "system.stop"
    assert story.refusal(B, SetCourse(N)) == "system.stop"
    with pytest.raises(OrderRefused, match=r"system\.stop"):
        story.resume()
    story.order(A, CrossOut("W5"))
    story.resume()
    assert story.accepts(A, SetCourse(N))


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_the_attempt_counts_as_the_activation() -> None:
    story = all_ready("captain-sonar-2", Mode.REAL_TIME)
    story.cross_out(A, "N2")
    story.order(A, FireTorpedo(parse("E7")), CrossOut("W5"))
    story.resume()
    assert story.refusal(A, LaunchDrone(1)) == "system.once"
    assert story.refusal(A, FireTorpedo(parse("E7"))) == "system.once"
    story.order(A, SetCourse(N))
    story.aye(A)
    assert story.accepts(A, LaunchDrone(1))


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_the_gauge_stays_full_for_a_later_activation() -> None:
    story = all_ready("captain-sonar-2", Mode.REAL_TIME)
    story.cross_out(A, "W1", "W2", "W3")
    story.order(A, FireTorpedo(parse("E7")), CrossOut("W5"))
    story.resume()
    story.order(A, SetCourse(E), Charge(), CrossOut("E3"))
    assert story.order(A, FireTorpedo(parse("F7")))[0] == TorpedoFired(A, parse("F7"))


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
@pytest.mark.parametrize("mode", MODES)
def test_the_marks_consequences_follow(mode: Mode) -> None:
    story = all_ready("captain-sonar-2", mode)
    story.cross_out(A, "N2", *RADIATION - {"E6"})
    story.order(A, FireTorpedo(parse("E7")))
    assert story.order(A, CrossOut("E6"))[1] == Damaged(A, 1, "breakdown")
    assert crossed_names(story, A) == set()
    assert damage(story) == (1, 0)


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_the_mark_may_fill_a_panel() -> None:
    story = all_ready("captain-sonar-2")
    story.cross_out(A, "N1", "N2", "N3", "N4", "N5")
    story.order(A, FireTorpedo(parse("E7")))
    assert story.order(A, CrossOut("N6"))[1] == Damaged(A, 1, "breakdown")


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_the_mark_may_lose_a_sudden_death() -> None:
    story = all_ready("captain-sonar-2", goal="sudden-death")
    story.cross_out(A, "N2", *RADIATION - {"E6"})
    story.order(A, FireTorpedo(parse("E7")))
    assert story.order(A, CrossOut("E6"))[2] == GameEnded(B, "end.sunk")


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
@pytest.mark.parametrize("system", System)
def test_the_enemy_hears_which_system_failed(system: System) -> None:
    story = all_ready("captain-sonar-2", players=8)
    story.cross_out(A, "W1", "W2", "W3")
    events = story.order(A, USES[system])
    assert story.heard_by(B, events) == [SystemFailed(A, system)]
    mark = story.order(A, CrossOut("W5"))
    assert story.heard_by(B, mark) == [TurnEnded(A, B)]


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_an_uncharged_broken_system_is_refused_without_penalty() -> None:
    story = under_way("captain-sonar-2")
    story.sailed(A)
    story.cross_out(A, "N2")
    assert story.refusal(A, FireTorpedo(parse("E7"))) == "system.charged"


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_a_disabled_broken_system_is_refused_without_penalty() -> None:
    chart = sea("M T D S Q\n. . . . .\n. . . . .\n. . . . .\n. . . . .", special="damaged")
    story = Story(table("captain-sonar-2", chart=chart), a="C3", b="E5")
    story.sailed(A)
    story.ready(A, *System)
    story.cross_out(A, "N2")
    assert story.refusal(A, FireTorpedo(parse("C4"))) == "system.disabled"


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_a_failed_repair_leaves_the_system_disabled() -> None:
    chart = sea("M T D S Q\n. . . . .\n. . . . .\n. . . . .\n. . . . .", special="damaged")
    story = Story(table("captain-sonar-2", chart=chart), a="B2", b="E5")
    story.sailed(A)
    story.ready(A, System.SCENARIO)
    story.cross_out(A, "N1")
    order = RepairSystem(System.TORPEDO)
    assert story.order(A, order) == [SystemFailed(A, System.SCENARIO)]
    assert story.game.public.in_service[A] == System.SCENARIO.bit


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
def test_a_second_activation_is_refused_without_penalty() -> None:
    story = all_ready("captain-sonar-2", Mode.REAL_TIME)
    story.order(A, LaunchDrone(1))
    story.resume()
    story.cross_out(A, "N2")
    assert story.refusal(A, FireTorpedo(parse("E7"))) == "system.once"


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
@pytest.mark.parametrize(
    ("order", "rule"),
    [
        (FireTorpedo(parse("E10")), "torpedo.range"),
        (LayMine(parse("E7")), "mine.lay"),
        (LaunchDrone(5), "chart.sectors"),
        (RunSilent(5, N), "silence.move"),
        (DetonateOldMine(parse("C3")), "scenario.old-mines"),
    ],
)
def test_an_order_that_is_wrong_anyway_is_refused_without_penalty(
    order: AnyOrder, rule: str
) -> None:
    story = all_ready("captain-sonar-2")
    story.cross_out(A, "W1", "W2", "W3")
    assert story.refusal(A, order) == rule


@pytest.mark.rule("breakdown.misuse", "captain-sonar-2")
@pytest.mark.parametrize("mode", MODES)
def test_a_mines_trigger_is_exempt(mode: Mode) -> None:
    story = all_ready("captain-sonar-2", mode)
    story.mine(A, "H8")
    story.cross_out(A, "N2")
    events = story.order(A, TriggerMine(parse("H8")))
    assert not [event for event in events if isinstance(event, SystemFailed)]
    assert story.boat(A).helm.mines == 0
    assert story.boat(A).duty.cross == "none"


@pytest.mark.rule("breakdown.misuse", "captain-sonar", "captain-sonar-ru")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru"])
@pytest.mark.parametrize("system", System)
def test_elsewhere_the_order_is_refused_and_nothing_is_spent(book: str, system: System) -> None:
    story = all_ready(book)
    story.cross_out(A, "W1", "W2", "W3")
    assert story.refusal(A, USES[system]) == "system.intact"
    story.change(A, engine={"crossed": 0})
    assert story.accepts(A, USES[system])


@pytest.mark.rule("breakdown.misuse", "sonar")
def test_the_family_games_systems_never_fail() -> None:
    story = under_way("sonar")
    story.ready(A, System.TORPEDO)
    assert story.order(A, FireTorpedo(parse("E4")))[0] == TorpedoFired(A, parse("E4"))
    assert not [event for event in story.events if isinstance(event, SystemFailed)]


@pytest.mark.rule("breakdown.misuse")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru"])
def test_a_table_may_let_broken_systems_fail_in_any_rulebook(book: str) -> None:
    story = all_ready(book, rulings={"broken_system": "radiation-mark"})
    story.cross_out(A, "N2")
    assert story.order(A, FireTorpedo(parse("E7"))) == [SystemFailed(A, System.TORPEDO)]
    assert story.boat(A).duty.cross == "radiation"


@pytest.mark.rule("breakdown.misuse")
def test_a_failure_waits_for_marks_that_are_still_due() -> None:
    # Where activations don't wait for the marks, the radiation mark would take the panel's place.
    rulings = {"acknowledge_systems": False}
    story = under_way("captain-sonar-2", Mode.REAL_TIME, rulings=rulings)
    story.ready(A, System.TORPEDO)
    story.cross_out(A, "N2")
    story.order(A, SetCourse(N))
    assert story.refusal(A, FireTorpedo(parse("E7"))) == "move.acknowledge"
    story.order(A, Charge(System.MINE), CrossOut("N4"))
    assert story.order(A, FireTorpedo(parse("E7"))) == [SystemFailed(A, System.TORPEDO)]
