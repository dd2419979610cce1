"""The duellists: they finish, don't hurt themselves, and know no more than they hear."""

from random import Random

import pytest

from fathom.cli.duel import Duel
from fathom.cli.duellist import LOST, Duellist
from fathom.cli.foresight import HURT, EngineRoom
from fathom.cli.tracker import anywhere, narrow
from fathom.engine import orders as give
from fathom.engine.events import (
    Damaged,
    DroneLaunched,
    Exploded,
    GameEnded,
    Hit,
    SonarAnswered,
    Surfaced,
    TorpedoFired,
)
from fathom.engine.game import new_game
from fathom.engine.ground import Ground
from fathom.engine.heard import SilenceHeard
from fathom.engine.legal import legal
from fathom.engine.secrecy import view
from fathom.points import Points, bits, collect, name, parse
from fathom.rules import library
from fathom.rules.setup import BadSetup, Choices, Setup, prepare
from fathom.words import CREW_A, CREW_B, CREWS, ByCrew, Heading, Mode, Seat
from tests.cli.games import LIFTED
from tests.stories import ALL_BOOKS, Story, sea, table

pytestmark = pytest.mark.slow


def setup_of(book: str, mode: Mode, scenario: str | None = None, goal: str | None = None) -> Setup:
    return prepare(Choices(rulebook=book, mode=mode, scenario=scenario, goal=goal, house=LIFTED))


def names(points: Points) -> set[str]:
    return {name(point) for point in bits(points)}


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_a_duel_ends_by_sinking_and_never_loses_the_truth(book: str, mode: Mode) -> None:
    for seed in range(3):
        duel = Duel(setup_of(book, mode), seed)
        orders = 0
        for step in duel.steps():
            orders += 1
            assert not any(isinstance(event, Damaged) for event in step.events), step
            if duel.game.public.phase != "playing":
                continue
            for crew in CREWS:
                hunter, hunted = duel.duellists[crew], duel.game.boats[crew.other]
                assert hunter.theirs >> hunted.helm.at & 1, (seed, step)
                assert duel.duellists[crew.other].ours == hunter.theirs
        result = duel.game.public.result
        assert result is not None
        assert result.why in ("end.sunk", "end.draw")
        assert orders < 1000


def every_setup() -> list[Setup]:
    """Each rulebook, mode, scenario and goal that go together."""
    found = []
    for book in ALL_BOOKS:
        for mode in Mode:
            for scenario in library.scenario_names():
                for goal in library.rulebook(book).goals:
                    try:
                        found.append(setup_of(book, mode, scenario, goal.name))
                    except BadSetup:
                        continue
    return found


@pytest.mark.slow
def test_every_duel_that_can_be_set_up_ends_by_itself() -> None:
    setups = every_setup()
    assert len(setups) > 100
    for setup in setups:
        *_, last = Duel(setup, seed=5).steps()
        end = last.events[-1]
        assert isinstance(end, GameEnded)
        assert end.why in ("end.sunk", "end.draw"), (setup.book.name, setup.chart.name)


@pytest.mark.slow
def test_a_duel_shows_what_the_game_is_made_of() -> None:
    kinds: set[str] = set()
    for seed in range(12):
        for step in Duel(setup_of("captain-sonar", Mode.REAL_TIME), seed).steps():
            kinds |= {type(event).__name__ for event in step.events}
    assert kinds >= {
        *("CourseSet", "TorpedoFired", "MineLaid", "MineTriggered", "RanSilent", "Surfaced"),
        *("SonarUsed", "SonarAnswered", "DroneLaunched", "CircuitMended", "SectionTraced"),
    }


# One decision at a time


def duellist(story: Story, seat: Seat) -> Duellist:
    """A duellist who has heard nothing yet."""
    return Duellist(story.game.ground, seat, Random(1))


def decision(story: Story, player: Duellist, seat: Seat) -> give.AnyOrder:
    orders = [order for order in legal(story.game, seat) if order != give.RESIGN]
    return player.choose(view(story.game, seat), orders, ())


YELLOW = Seat(CREW_A, 0)


def test_it_fires_where_the_enemy_must_be() -> None:
    story = Story(table(), "C3", "F3")
    story.ready(CREW_A, *story.setup.book.systems)
    story.sailed(CREW_A)
    player = duellist(story, YELLOW)
    player.theirs = 1 << parse("F3")
    assert decision(story, player, YELLOW) == give.FireTorpedo(parse("F3"))


def test_it_keeps_the_torpedo_while_the_enemy_may_be_anywhere() -> None:
    story = Story(table(), "C3", "F3")
    story.ready(CREW_A, *story.setup.book.systems)
    story.sailed(CREW_A)
    assert isinstance(
        decision(story, duellist(story, YELLOW), YELLOW), give.LaunchDrone | give.UseSonar
    )


def test_it_does_not_sink_itself() -> None:
    story = Story(table(), "C3", "C3")
    story.ready(CREW_A, *story.setup.book.systems)
    story.sailed(CREW_A)
    story.public(damage=story.game.public.damage.put(CREW_A, 3))
    player = duellist(story, YELLOW)
    player.theirs = 1 << parse("C3")
    assert not isinstance(decision(story, player, YELLOW), give.FireTorpedo)
    seen = view(story.game, YELLOW)
    assert player.expected(seen, parse("C3")) == player.expected(seen, parse("D3")) == LOST
    assert player.expected(seen, parse("E3")) == 0


def test_it_runs_silent_when_it_has_been_found() -> None:
    story = Story(table(), "E5", "J10")
    story.ready(CREW_A, *story.setup.book.systems)
    story.sailed(CREW_A)
    player = duellist(story, YELLOW)
    player.theirs = 1 << parse("J10")
    player.ours = 1 << parse("E5")
    assert isinstance(decision(story, player, YELLOW), give.RunSilent)


def test_it_steers_away_from_a_dead_end() -> None:
    dead_end = sea(
        """
        # # # # # # # # # #
        # . . . . . . . . .
        # # # # # . # # # #
        # # # # # . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        """
    )
    for seed in range(10):
        story = Story(table(chart=dead_end), "F3", "A10")
        player = Duellist(story.game.ground, YELLOW, Random(seed))
        assert decision(story, player, YELLOW) == give.SetCourse(Heading.S)


def test_it_surfaces_when_there_is_no_way_out() -> None:
    story = Story(table(), "A1", "J10")
    story.put(CREW_A, "A1", route="B2 A2 B1")
    assert decision(story, duellist(story, YELLOW), YELLOW) == give.SURFACE


def test_it_does_not_order_a_broken_system_where_that_costs_radiation() -> None:
    story = Story(table("captain-sonar-2"), "C3", "F3")
    story.ready(CREW_A, *story.setup.book.systems)
    story.sailed(CREW_A)
    story.cross_out(CREW_A, "W1", "W2", "W3")
    player = duellist(story, YELLOW)
    player.theirs = 1 << parse("F3")
    assert decision(story, player, YELLOW) == give.END_TURN


# The engineer's foresight


def room() -> EngineRoom:
    return EngineRoom(library.sheet("24-symbols"))


def crossed(names: str) -> int:
    symbols = [symbol.name for symbol in library.sheet("24-symbols").symbols]
    return sum(1 << symbols.index(symbol) for symbol in names.split())


def test_a_mark_that_mends_is_preferred() -> None:
    three_of_four = crossed("W1 W2 W3")
    offered = ["E1", "E2", "E3", "E4", "E5", "E6"]
    assert room().best_symbol(three_of_four, offered) == "E3"
    assert room().outcome(three_of_four, crossed("E3")) == (0.0, 0)


def test_a_mark_that_damages_is_avoided() -> None:
    sheet = crossed("E4 E6 W5 W6 N6 E1 E2 E3")
    assert room().outcome(sheet, crossed("S5"))[0] == HURT
    assert room().best_symbol(sheet, ["S1", "S2", "S3", "S4", "S5", "S6"]) != "S5"


def test_a_full_panel_does_damage() -> None:
    assert room().outcome(crossed("N1 N4 N5 N6 N2"), crossed("N3"))[0] == HURT


# The tracker


def ground() -> Ground:
    return new_game(table(chart=sea("\n".join(["..........", "....##...."] * 5)))).ground


def test_a_drone_splits_what_is_possible() -> None:
    sea_points = anywhere(ground(), CREW_B)
    yes = narrow(ground(), CREW_B, sea_points, DroneLaunched(CREW_A, 1, "yes"))
    no = narrow(ground(), CREW_B, sea_points, DroneLaunched(CREW_A, 1, "no"))
    smoke = narrow(ground(), CREW_B, sea_points, DroneLaunched(CREW_A, 1, "toxic-smoke"))
    assert (yes.bit_count(), no.bit_count(), smoke) == (23, 67, sea_points)
    own = narrow(ground(), CREW_A, sea_points, DroneLaunched(CREW_A, 1, "yes"))
    assert own == sea_points


def test_of_two_facts_exactly_one_is_true() -> None:
    told = SonarAnswered(CREW_B, row=1, column="A")
    left = names(narrow(ground(), CREW_B, collect(map(parse, "A1 A2 B1 B2".split())), told))
    assert left == {"A2", "B1"}


def test_silence_spreads_along_straight_lines_of_water() -> None:
    possible = narrow(ground(), CREW_B, 1 << parse("D2"), SilenceHeard(CREW_B))
    assert names(possible) == {"D2", "C2", "B2", "A2", "D1", "D3", "D4", "D5", "D6"}


@pytest.mark.parametrize(
    ("hit", "left"),
    [("direct", {"C3"}), ("indirect", {"B2", "D3"}), ("miss", {"E3"})],
)
def test_a_hit_tells_where_they_are(hit: Hit, left: set[str]) -> None:
    possible = collect(map(parse, "B2 C3 D3 E3".split()))
    news = Exploded(parse("C3"), "torpedo", CREW_A, ByCrew("miss", hit), ByCrew(0, 0))
    assert names(narrow(ground(), CREW_B, possible, news)) == left


def test_a_torpedo_betrays_that_its_firer_is_near() -> None:
    news = TorpedoFired(CREW_B, parse("A1"))
    near = narrow(ground(), CREW_B, anywhere(ground(), CREW_B), news)
    assert {"A1", "E1", "A5", "C3"} <= names(near)
    assert not names(near) & {"F1", "A6", "C4"}


def test_a_surfacing_tells_the_sector_or_the_point() -> None:
    everywhere = anywhere(ground(), CREW_B)
    sector = narrow(ground(), CREW_B, everywhere, Surfaced(CREW_B, sector=4))
    assert sector.bit_count() == 22
    point = narrow(ground(), CREW_B, everywhere, Surfaced(CREW_B, at=parse("C3")))
    assert names(point) == {"C3"}
