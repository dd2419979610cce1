"""The worked examples of the rulebooks: a test bears the heading, its parameter the rulebook."""

import pytest
from msgspec.structs import replace

from fathom.engine.events import (
    AnyEvent,
    CircuitMended,
    CourseSet,
    Damaged,
    DroneLaunched,
    Exploded,
    GaugeCharged,
    Hit,
    MineLaid,
    MineLaidHeard,
    MineTriggered,
    OldMineDetonated,
    RanSilent,
    SectionTraced,
    SilenceHeard,
    SonarAnswered,
    SonarUsed,
    Surfaced,
    SymbolCrossed,
    SystemFailed,
    SystemReady,
    TorpedoFired,
    TurnEnded,
)
from fathom.engine.orders import (
    AnswerSonar,
    AnyOrder,
    Charge,
    CrossOut,
    DetonateOldMine,
    DrawLine,
    FireTorpedo,
    LaunchDrone,
    LayMine,
    RunSilent,
    SetCourse,
    SlideSheet,
    Surface,
    TraceSection,
    TriggerMine,
    UseSonar,
)
from fathom.engine.referee import may_trace
from fathom.engine.tracing import ideal_stroke
from fathom.points import bits, name, parse
from fathom.rules import library
from fathom.words import ByCrew, Heading, Kind, Mode, Post, Seat, System
from tests.stories import CAPTAIN_BOOKS, MODES, A, B, Story, crossed_names, table

N, S, E, W = Heading
TURNS, REAL_TIME = MODES
ITALIAN, RUSSIAN, UKRAINIAN = CAPTAIN_BOOKS
POLISH = "sonar"
MISSED = ByCrew[Hit]("miss", "miss")


def bravo(book: str, mode: Mode = TURNS, a: str = "E6", b: str = "J10") -> Story:
    """A duel on Bravo; A has sailed and made its marks."""
    story = Story(table(book, mode, scenario="bravo"), a, b)
    story.sailed(A)
    return story


def jules_verne(a: str, b: str = "J9") -> Story:
    """The family game on Jules Verne; it is A's turn."""
    return Story(table(POLISH, scenario="jules-verne"), a, b)


def route(story: Story) -> list[str]:
    return [name(point) for point in story.boat(A).helm.route]


def mines(story: Story) -> set[str]:
    return {name(point) for point in bits(story.boat(A).helm.mines)}


def offered(story: Story, *kinds: type) -> list[AnyOrder]:
    """A's legal orders of these kinds."""
    return [order for order in story.legal(A) if isinstance(order, kinds)]


def filled(story: Story, system: System) -> int:
    """The boxes filled on A's gauge."""
    return story.boat(A).gauges.boxes[system.index]


# The captain: announcing the course; in Italian Annunciare la rotta


@pytest.mark.rule("move.course", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_announcing_the_course(book: str) -> None:
    """The second edition names the orders: north, then west, then north."""
    story = bravo(book, REAL_TIME, a="H8")
    events: list[AnyEvent] = []
    for heading in (N, W, N):
        events += story.order(A, SetCourse(heading))
        story.aye(A)
    assert route(story) == ["H8", "H7", "G7", "G6"]
    heard = [CourseSet(A, N), CourseSet(A, W), CourseSet(A, N)]
    assert story.heard_by(B, events) == heard


# The radio operator; in Italian Il radio operatore


@pytest.mark.rule("radio.plot", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_radio_operators_route_over_an_island(book: str) -> None:
    story = bravo(book, REAL_TIME, a="G9")
    for heading in (E, N, N):
        story.order(A, SetCourse(heading))
        story.aye(A)
    drawn = ((0, 0), (10, 0), (10, -10), (10, -20))
    story.order(B, DrawLine(drawn), SlideSheet(2, 3))
    # Begun on K11, the route would end on the island L9: no captain could have sailed it.
    elsewhere = bravo(book, REAL_TIME, a="K11")
    for heading in (E, N):
        elsewhere.order(A, SetCourse(heading))
        elsewhere.aye(A)
    assert elsewhere.refusal(A, SetCourse(N)) == "move.islands"
    # So the operator slides the sheet on, to where the route fits.
    assert story.order(B, SlideSheet(-1, 1))
    film = story.boat(B).radio.films[-1]
    assert (film.x, film.y, film.items[-1].line) == (-1, 1, drawn)


# The first mate: managing the gauges; in Italian Gestire gli indicatori


@pytest.mark.rule("charge.full", ITALIAN)
@pytest.mark.rule("system.charged", ITALIAN)
@pytest.mark.parametrize("mode", MODES)
def test_mine_and_torpedo_are_ready(mode: Mode) -> None:
    """The torpedo's last box has just been filled; the mine was ready before."""
    story = bravo(ITALIAN, mode)
    story.ready(A, System.MINE)
    full = story.game.ground.boxes[System.TORPEDO.index]
    gauges = list(story.boat(A).gauges.boxes)
    gauges[System.TORPEDO.index] = full - 1
    story.change(A, gauges={"boxes": tuple(gauges)}, duty={"charge": "box"})
    events = story.order(A, Charge(System.TORPEDO))
    assert events == [GaugeCharged(A, System.TORPEDO), SystemReady(A, System.TORPEDO)]
    assert story.boat(A).duty.ready == System.MINE.bit | System.TORPEDO.bit
    assert {type(order) for order in offered(story, LayMine, FireTorpedo, UseSonar, RunSilent)} == {
        LayMine,
        FireTorpedo,
    }


# The engineer


@pytest.mark.rule("breakdown.cross", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_engineer_course_north(book: str) -> None:
    """One of the two yellow lights in the central circuits, or one of three in the reactor."""
    story = bravo(book, REAL_TIME)
    story.cross_out(A, "N2")
    story.order(A, SetCourse(N))
    sheet = story.setup.sheet
    assert sheet is not None
    kinds = {symbol.name: (symbol.kind, symbol.circuit is not None) for symbol in sheet.symbols}
    marks = [order.symbol for order in offered(story, CrossOut) if isinstance(order, CrossOut)]
    central = [mark for mark in marks if mark and kinds[mark][1]]
    reactor = [mark for mark in marks if mark and not kinds[mark][1]]
    assert [kinds[mark][0] for mark in central] == [Kind.YELLOW, Kind.YELLOW]
    assert reactor == ["N4", "N5", "N6"]
    assert story.refusal(A, CrossOut("N2")) == "breakdown.cross"


EVERY_COLOUR = "W1 E3 W3 N1".split()
"""Two red symbols, a green and a yellow one."""
EVERY_SYSTEM: list[tuple[AnyOrder, System]] = [
    (LayMine(parse("D5")), System.MINE),
    (FireTorpedo(parse("E3")), System.TORPEDO),
    (LaunchDrone(1), System.DRONE),
    (UseSonar(), System.SONAR),
    (RunSilent(2, N), System.SILENCE),
]


@pytest.mark.rule("breakdown.kinds", ITALIAN, RUSSIAN)
@pytest.mark.rule("system.intact", ITALIAN, RUSSIAN)
@pytest.mark.parametrize("book", [ITALIAN, RUSSIAN])
@pytest.mark.parametrize(("order", "system"), EVERY_SYSTEM)
def test_no_system_can_be_activated(book: str, order: AnyOrder, system: System) -> None:
    story = bravo(book)
    story.ready(A, *System)
    story.cross_out(A, *EVERY_COLOUR)
    assert story.refusal(A, order) == "system.intact"
    assert filled(story, system) == story.game.ground.boxes[system.index]


@pytest.mark.rule("breakdown.misuse", UKRAINIAN)
@pytest.mark.rule("system.intact", UKRAINIAN)
@pytest.mark.parametrize(("order", "system"), EVERY_SYSTEM)
def test_no_system_can_be_activated_in_the_second_edition(order: AnyOrder, system: System) -> None:
    """There the order is given, fails, and costs a radiation symbol."""
    story = bravo(UKRAINIAN)
    story.ready(A, *System)
    story.cross_out(A, *EVERY_COLOUR)
    assert story.order(A, order) == [SystemFailed(A, system)]
    assert story.refusal(A, CrossOut("W2")) == "breakdown.misuse"
    assert story.order(A, CrossOut("W5"))[0] == SymbolCrossed(A, "W5")


@pytest.mark.rule("breakdown.kinds", *CAPTAIN_BOOKS)
@pytest.mark.rule("repair.circuit", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_two_red_breakdowns_must_be_repaired_first(book: str) -> None:
    """To use mine or torpedo: here the circuit that holds both red symbols repairs itself."""
    story = bravo(book, REAL_TIME)
    story.ready(A, System.MINE, System.TORPEDO)
    story.cross_out(A, *EVERY_COLOUR)
    story.order(A, SetCourse(W), CrossOut("W2"), Charge(System.DRONE))
    assert crossed_names(story, A) == {"N1"}
    assert story.accepts(A, LayMine(parse("C5")))
    assert story.accepts(A, FireTorpedo(parse("D4")))


# Repairs; in Italian Autoriparazioni nei circuiti centrali and Riparare il reattore


@pytest.mark.rule("repair.circuit", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_circuit_that_repairs_itself(book: str) -> None:
    """Three symbols of the west panel's circuit are crossed out; a course east completes it."""
    story = bravo(book, REAL_TIME)
    story.cross_out(A, "W1", "W2", "W3", "N4")
    story.order(A, SetCourse(E))
    assert story.order(A, CrossOut("E3")) == [SymbolCrossed(A, "E3"), CircuitMended(A, "west")]
    assert crossed_names(story, A) == {"N4"}


@pytest.mark.rule("surface.erase", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_repairing_the_reactor(book: str) -> None:
    """All systems are out and 4 of 6 radiations are crossed out: it is urgent to surface."""
    story = Story(table(book, scenario="bravo"), "E6", "J10")
    story.ready(A, *System)
    story.cross_out(A, "W4", "N5", "S6", "W5", "W6", "N6", "E4")
    assert story.game.public.damage == ByCrew(0, 0)
    story.order(A, Surface())
    assert crossed_names(story, A) == set()
    assert story.game.public.damage == ByCrew(0, 0)


# Damage by breakdowns; in Italian Perdita radioattiva and Guasti ad un'intera area


@pytest.mark.rule("damage.radiation", *CAPTAIN_BOOKS)
@pytest.mark.rule("damage.announced", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_last_radiation(book: str) -> None:
    story = bravo(book, REAL_TIME)
    story.cross_out(A, "W5", "W6", "N6", "S5", "E4", "N1")
    story.order(A, SetCourse(E))
    events = story.order(A, CrossOut("E6"))
    assert events == [SymbolCrossed(A, "E6"), Damaged(A, 1, "breakdown")]
    assert story.heard_by(B, events) == [Damaged(A, 1, "breakdown")]
    assert story.game.public.damage == ByCrew(1, 0)
    assert crossed_names(story, A) == set()


@pytest.mark.rule("damage.panel", *CAPTAIN_BOOKS)
@pytest.mark.rule("damage.announced", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_breakdown_of_a_whole_area(book: str) -> None:
    """Too many courses west. The first edition's caption erases the area, its rule everything."""
    story = bravo(book, REAL_TIME)
    story.cross_out(A, "W1", "W2", "W3", "W4", "W5", "S1")
    story.order(A, SetCourse(W))
    events = story.order(A, CrossOut("W6"))
    assert events == [SymbolCrossed(A, "W6"), Damaged(A, 1, "breakdown")]
    assert story.game.public.damage == ByCrew(1, 0)
    assert crossed_names(story, A) == set()


# Surfacing; in Italian Riemersione


@pytest.mark.rule("surface.announce", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_surfacing_with_its_sector(book: str) -> None:
    story = Story(table(book, scenario="bravo"), "H3", "A10")
    events = story.order(A, Surface())
    assert events == [Surfaced(A, sector=2), TurnEnded(A, B, 3)]
    assert story.heard_by(B, events) == events


@pytest.mark.rule("surface.announce", UKRAINIAN)
@pytest.mark.rule("chart.sectors", UKRAINIAN)
def test_surfacing_with_its_sector_in_the_second_edition() -> None:
    """The example letters its four sectors: it surfaces in the second, labelled Be."""
    letters = ("\u0410", "\u0411", "\u0412", "\u0413")
    chart = replace(library.chart("bravo-10"), sectors=letters)
    story = Story(table(UKRAINIAN, chart=chart), "H3", "A10")
    surfaced = story.order(A, Surface())[0]
    assert isinstance(surfaced, Surfaced)
    assert surfaced.sector is not None
    assert chart.sectors[surfaced.sector - 1] == "\N{CYRILLIC CAPITAL LETTER BE}"


@pytest.mark.rule("surface.erase", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_surfacing_erases_the_route_and_keeps_the_mines(book: str, mode: Mode) -> None:
    story = Story(table(book, mode, scenario="bravo"), "E6", "J10")
    story.put(A, "F7", route="E5 E6 F6")
    story.mine(A, "D5", "G8")
    story.order(A, Surface())
    assert route(story) == ["F7"]
    assert mines(story) == {"D5", "G8"}


@pytest.mark.rule("surface.trace", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_the_engineer_begins_to_trace_the_hull(book: str) -> None:
    """Roberto Fraga, the engineer, traces one of the four parts and signs it; then it goes on."""
    story = Story(table(book, REAL_TIME, scenario="bravo", players=8), "E6", "J10")
    story.order(A, Surface())
    stroke = ideal_stroke(story.setup.hull, 2)
    engineer = story.seat(A, Post.ENGINEER)
    assert may_trace(story.game, engineer) == (1, 2, 3, 4)
    assert story.order(A, TraceSection(2, stroke, "RF")) == [
        SectionTraced(A, engineer.number, 2, stroke, "RF")
    ]
    assert may_trace(story.game, engineer) == ()
    assert may_trace(story.game, Seat(A, engineer.number + 1)) == (1, 3, 4)


# Launching a torpedo; in Italian Lanciare un siluro


@pytest.mark.rule("torpedo.range", *CAPTAIN_BOOKS)
@pytest.mark.rule("blast.direct", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_launching_a_torpedo(book: str, mode: Mode) -> None:
    """From D3 four steps to G2, where the enemy is: two damage."""
    story = bravo(book, mode, a="D3", b="G2")
    story.ready(A, System.TORPEDO)
    assert story.order(A, FireTorpedo(parse("G2")))[:2] == [
        TorpedoFired(A, parse("G2")),
        Exploded(parse("G2"), "torpedo", A, ByCrew("miss", "direct"), ByCrew(0, 2)),
    ]
    assert story.game.public.damage == ByCrew(0, 2)
    assert filled(story, System.TORPEDO) == 0


@pytest.mark.rule("torpedo.range", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_launching_a_torpedo_a_step_too_far(book: str) -> None:
    """G2 is as far as it goes from D3: 3 columns and 1 row, so the letter between counts too."""
    story = bravo(book, a="D3")
    story.ready(A, System.TORPEDO)
    assert story.refusal(A, FireTorpedo(parse("G1"))) == "torpedo.range"


@pytest.mark.rule("blast.chain", UKRAINIAN)
@pytest.mark.parametrize("mode", MODES)
def test_launching_a_torpedo_next_to_a_mine(mode: Mode) -> None:
    """The torpedo's damage first, then that of the mine which it sets off."""
    story = bravo(UKRAINIAN, mode, a="D3", b="F1")
    story.mine(B, "G1")
    story.ready(A, System.TORPEDO)
    assert story.order(A, FireTorpedo(parse("G2")))[:3] == [
        TorpedoFired(A, parse("G2")),
        Exploded(parse("G2"), "torpedo", A, ByCrew("miss", "indirect"), ByCrew(0, 1)),
        Exploded(parse("G1"), "mine", B, ByCrew("miss", "indirect"), ByCrew(0, 1)),
    ]
    assert story.game.public.damage == ByCrew(0, 2)


# Laying a mine; in Italian Sganciare una mina


def lay_then_trigger(story: Story, mine: str, away: str) -> list[AnyEvent]:
    """A lays a mine, leaves, and later sets it off."""
    story.ready(A, System.MINE)
    laid = story.order(A, LayMine(parse(mine)))
    assert laid[0] == MineLaid(A, parse(mine))
    assert story.heard_by(B, laid)[0] == MineLaidHeard(A)
    if story.setup.mode is REAL_TIME:
        story.resume()
    story.put(A, away)
    story.sailed(A)
    return story.order(A, TriggerMine(parse(mine)))


@pytest.mark.rule("mine.lay", ITALIAN)
@pytest.mark.rule("mine.trigger", ITALIAN)
@pytest.mark.rule("blast.near", ITALIAN)
@pytest.mark.parametrize("mode", MODES)
def test_laying_a_mine(mode: Mode) -> None:
    """From C7 on B7; later it goes off with the enemy on C6: an indirect hit, one damage."""
    story = bravo(ITALIAN, mode, a="C7", b="C6")
    assert lay_then_trigger(story, "B7", away="E7") == [
        MineTriggered(A, parse("B7")),
        Exploded(parse("B7"), "mine", A, ByCrew("miss", "indirect"), ByCrew(0, 1)),
    ]
    assert story.game.public.damage == ByCrew(0, 1)
    assert mines(story) == set()


@pytest.mark.rule("mine.lay", UKRAINIAN)
@pytest.mark.rule("mine.trigger", UKRAINIAN)
@pytest.mark.rule("blast.near", UKRAINIAN)
@pytest.mark.parametrize("mode", MODES)
def test_laying_a_mine_in_the_second_edition(mode: Mode) -> None:
    """From D5 on D4. The book puts the enemy on D4 too and calls it indirect: a slip for E4."""
    story = bravo(UKRAINIAN, mode, a="D5", b="E4")
    assert lay_then_trigger(story, "D4", away="D7") == [
        MineTriggered(A, parse("D4")),
        Exploded(parse("D4"), "mine", A, ByCrew("miss", "indirect"), ByCrew(0, 1)),
    ]
    assert story.game.public.damage == ByCrew(0, 1)


# Launching a drone; in Italian Lanciare i droni


@pytest.mark.rule("drone.ask", ITALIAN, UKRAINIAN)
@pytest.mark.parametrize(("book", "sector"), [(ITALIAN, 4), (UKRAINIAN, 5)])
def test_launching_a_drone(book: str, sector: int) -> None:
    """The enemy asks about another sector while we are in 7: no."""
    story = bravo(book, REAL_TIME, a="N5", b="B13")
    assert story.game.ground.sectors[story.boat(B).helm.at] == 7
    story.ready(A, System.DRONE)
    events = story.order(A, LaunchDrone(sector))
    assert events == [DroneLaunched(A, sector, "no")]
    assert story.heard_by(B, events) == events
    assert filled(story, System.DRONE) == 0


# Using the sonar; in Italian Attivare il sonar


@pytest.mark.rule("sonar.answer", ITALIAN, UKRAINIAN)
@pytest.mark.parametrize(
    ("book", "at", "answer"),
    [
        (ITALIAN, "L11", AnswerSonar(column="L", sector=6)),
        (UKRAINIAN, "N12", AnswerSonar(column="N", sector=7)),
    ],
)
def test_using_the_sonar(book: str, at: str, answer: AnswerSonar) -> None:
    """The letter is true, the sector false: both points lie in sector 9."""
    story = bravo(book, REAL_TIME, a="B2", b=at)
    assert story.game.ground.sectors[story.boat(B).helm.at] == 9
    story.ready(A, System.SONAR)
    assert story.order(A, UseSonar()) == [SonarUsed(A)]
    assert story.refusal(B, replace(answer, sector=9)) == "sonar.answer"
    assert story.order(B, answer) == [SonarAnswered(B, column=answer.column, sector=answer.sector)]
    assert filled(story, System.SONAR) == 0


# Silence; in Italian Attivare lo stealth


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("distance", [1, 2, 3, 4])
def test_activating_silence(book: str, mode: Mode, distance: int) -> None:
    """A straight line of up to 4 points, of which the enemy hears only that there was one."""
    story = bravo(book, mode, a="D6")
    story.ready(A, System.SILENCE)
    events = story.order(A, RunSilent(distance, E))
    assert events == [RanSilent(A, distance, E)]
    assert story.heard_by(B, events) == [SilenceHeard(A)]
    assert route(story) == ["D6", "E6", "F6", "G6", "H6"][: distance + 1]


@pytest.mark.rule("silence.move", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_activating_silence_without_crossing_islands_or_the_route(book: str) -> None:
    story = bravo(book, a="C6")
    story.put(A, "C6", route="E5 E6 D6")
    story.ready(A, System.SILENCE)
    assert story.refusal(A, RunSilent(2, N)) == "move.islands"
    assert story.refusal(A, RunSilent(1, E)) == "move.no-crossing"
    assert story.refusal(A, RunSilent(5, S)) == "silence.move"
    assert story.accepts(A, RunSilent(4, S))


@pytest.mark.rule("silence.move", UKRAINIAN)
@pytest.mark.parametrize("mode", MODES)
def test_activating_silence_and_not_moving(mode: Mode) -> None:
    """The captain shows a zero, and the engineer pretends to make a mark."""
    story = bravo(UKRAINIAN, mode)
    story.ready(A, System.SILENCE)
    story.order(A, RunSilent(0))
    assert story.refusal(A, CrossOut("N1")) == "silence.move"
    assert story.order(A, CrossOut())[0] == SymbolCrossed(A, None)
    assert crossed_names(story, A) == set()
    assert route(story) == ["E6"]
    assert filled(story, System.SILENCE) == 0


# Map Echo; in Italian Mappa Echo


@pytest.mark.rule("scenario.old-mines", ITALIAN)
def test_archer_mine_impact_on_c4() -> None:
    story = Story(table(ITALIAN, REAL_TIME, scenario="echo"), "O1", "D5")
    story.sailed(A)
    assert story.refusal(A, DetonateOldMine(parse("C4"))) == "system.charged"
    story.ready(A, System.SCENARIO)
    assert filled(story, System.SCENARIO) == 4
    assert story.order(A, DetonateOldMine(parse("C4"))) == [
        OldMineDetonated(A, parse("C4")),
        Exploded(parse("C4"), "old-mine", None, ByCrew("miss", "indirect"), ByCrew(0, 1)),
    ]
    assert filled(story, System.SCENARIO) == 0
    story.resume()
    story.sailed(A)
    story.ready(A, System.SCENARIO)
    assert story.refusal(A, DetonateOldMine(parse("C4"))) == "scenario.old-mines"
    story.ready(B, System.SCENARIO)
    assert story.refusal(B, DetonateOldMine(parse("C4"))) == "scenario.old-mines"


# Sonar, the family game


@pytest.mark.rule("energy.gauge", POLISH)
def test_navigation_three_levels_of_energy() -> None:
    """("Nawigacja") In the next turn sonar or silence can be activated."""
    story = jules_verne("B4")
    story.change(A, gauges={"energy": 3})
    assert {type(order) for order in offered(story, UseSonar, RunSilent, FireTorpedo)} == {
        UseSonar,
        RunSilent,
    }
    assert story.accepts(A, UseSonar())
    assert story.accepts(A, RunSilent(1, N))
    assert story.refusal(A, FireTorpedo(parse("D3"))) == "system.charged"


@pytest.mark.rule("silence.one", POLISH)
def test_silence_in_the_family_game() -> None:
    """("Cisza") The new direction is drawn, and not announced."""
    story = jules_verne("B4")
    story.ready(A)
    events = story.order(A, RunSilent(1, E))
    assert events == [RanSilent(A, 1, E), TurnEnded(A, B)]
    assert story.heard_by(B, events) == [SilenceHeard(A), TurnEnded(A, B)]
    assert route(story) == ["B4", "C4"]
    assert story.boat(A).gauges.energy == 1


@pytest.mark.rule("torpedo.sector", POLISH)
@pytest.mark.rule("blast.direct", POLISH)
@pytest.mark.parametrize("a", ["A1", "B4", "E5"])
def test_torpedo_on_d3(a: str) -> None:
    """("Torpeda") The blue submarine is in the upper left sector; the enemy is on D3."""
    story = jules_verne(a, b="D3")
    assert story.setup.book.colours[0] == "blue"
    assert story.game.ground.sectors[story.boat(A).helm.at] == 1
    story.ready(A)
    assert story.order(A, FireTorpedo(parse("D3"))) == [
        TorpedoFired(A, parse("D3")),
        Exploded(parse("D3"), "torpedo", A, ByCrew("miss", "direct"), ByCrew(0, 1)),
        TurnEnded(A, B),
    ]
    assert story.boat(A).gauges.energy == 0


@pytest.mark.rule("torpedo.sector", POLISH)
@pytest.mark.rule("blast.miss", POLISH)
def test_torpedo_on_any_other_point_of_the_sector() -> None:
    story = jules_verne("B4", b="D3")
    story.ready(A)
    hits = story.order(A, FireTorpedo(parse("C3")))[1]
    assert hits == Exploded(parse("C3"), "torpedo", A, MISSED, ByCrew(0, 0))


@pytest.mark.rule("surface.quick", POLISH)
@pytest.mark.rule("surface.announce", POLISH)
def test_surfacing_h3() -> None:
    """("Wynurzenie") The point is announced, the route erased but for it."""
    story = jules_verne("H3")
    story.put(A, "H3", route="F3 G3")
    story.change(A, gauges={"energy": 3})
    events = story.order(A, Surface())
    assert events == [Surfaced(A, at=parse("H3")), TurnEnded(A, B)]
    assert story.heard_by(B, events) == events
    assert route(story) == ["H3"]
    assert story.boat(A).gauges.energy == 3
