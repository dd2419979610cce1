"""Captain and engineer planned together, stealth, and how much is looked at for a decision."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from fathom.arena import table as arena_table
from fathom.arena.match import Match
from fathom.belief.evidence import Belief
from fathom.bots.engine_room import EngineRoom
from fathom.bots.engineer import DEPTH, WIDTH
from fathom.bots.pilot import (
    FEW_MARKS,
    NO_LOTS,
    Lots,
    Node,
    Outlook,
    Pilot,
    RoutePlan,
    Values,
    start_at,
)
from fathom.bots.ranks import RANKS, Rank
from fathom.bots.traits import TRAITS
from fathom.bots.waters import Waters
from fathom.engine.apply import apply_all
from fathom.engine.events import CourseSet, Damaged
from fathom.engine.game import new_game
from fathom.engine.orders import CrossOut, EndTurn, SetCourse
from fathom.engine.referee import legal
from fathom.points import Points, bits, name, parse
from fathom.rules.library import chart
from fathom.rules.rulebook import Goal
from fathom.rules.setup import Setup
from fathom.words import HEADINGS, SYSTEMS, ByCrew, Heading, Mode, Post, Seat
from tests.bots.diaries import ranked
from tests.bots.test_engineer import sheets, truly_dangerous
from tests.bots.voyages import Voyage, eight
from tests.stories import A, B, sea, table

ABLE = [rank for rank in RANKS if rank.level >= 3]
OFFICERS = [rank for rank in RANKS if rank.level >= 1]
CALM = Outlook(
    theirs=0, shot=0.0, armed_in=99, hunt=0.0, threat=(0.0,) * 12, secrecy=0.0, exposed=(2, 1),
    sea=-1, danger={}, pull={},
)  # fmt: skip
"""Nobody is near, so only room and the engineer's sheet count."""

# The sheet


@pytest.mark.parametrize("rank", ABLE)
def test_no_course_is_set_that_does_damage_where_another_does_not(rank: Rank) -> None:
    voyage = Voyage(table(), Post.CAPTAIN, rank=rank, a="E5")
    checked = 0
    for crossed in sheets(voyage.game, voyage.place, 9, 60):
        dangers = truly_dangerous(voyage.game, voyage.place, crossed)
        if not dangers or len(dangers) == 4:
            continue
        voyage.change(A, engine={"crossed": crossed})
        order = voyage.ask()
        assert isinstance(order, SetCourse)
        assert order.heading not in dangers
        checked += 1
    assert checked > 5


@pytest.mark.parametrize("rank", ABLE)
def test_the_symbol_crossed_out_is_that_of_the_plan_and_does_no_damage(rank: Rank) -> None:
    any_voyage = Voyage(table(), Post.CAPTAIN)
    for crossed in sheets(any_voyage.game, any_voyage.place, 3, 12):
        voyage = Voyage(table(), Post.CAPTAIN, rank=rank, a="E5")
        voyage.change(A, engine={"crossed": crossed})
        if len(truly_dangerous(voyage.game, voyage.place, crossed)) == 4:
            continue
        assert isinstance(voyage.let_act(), SetCourse)
        planned = voyage.bot.captain.steersman.symbol
        order = voyage.let_act()
        while not isinstance(order, CrossOut):
            order = voyage.let_act()
        assert voyage.game.ground.symbols[order.symbol or ""] == planned
        assert not any(isinstance(event, Damaged) for event in voyage.events)


def test_looking_ahead_finds_the_way_that_keeps_the_sheet_whole() -> None:
    # From C5 the way west leads to the roomy north; but the mark for a course north does damage
    # when N6 is the last symbol of its panel.
    drawn = sea("""
        . . . . .
        . . . . .
        . . . . .
        # . # # #
        # . . . #
        # # # . #
        . . . . .
        . . . . .""")
    room, pilot, water = instruments(table(chart=drawn))
    start = start_at(parse("C5"), water & ~(1 << parse("C5")), 0, 0)
    clean, _ = pilot.plan(start, CALM, 6, 60)
    assert HEADINGS[clean.heading] is Heading.W
    crossed = sum(1 << room.ground.symbols[name] for name in ("N1", "N2", "N3", "N4", "N5"))
    worn, _ = pilot.plan(start._replace(crossed=crossed), CALM, 6, 60)
    assert HEADINGS[worn.heading] is Heading.E


def test_a_dead_end_is_not_entered_where_there_is_another_way() -> None:
    drawn = sea("""
        # # # # # # #
        # . . . . # #
        # # # . # # #
        # # # . . . .
        # # # . . . .
        # # # . . . .""")
    _, pilot, water = instruments(table(chart=drawn))
    here = 1 << parse("D3")
    start = start_at(parse("D3"), water & ~here, 0, 0)
    plan, _ = pilot.plan(start, CALM, 4, 20)
    assert HEADINGS[plan.heading] is Heading.S


def test_without_any_way_there_is_no_plan() -> None:
    _, pilot, _ = instruments(table())
    plan, values = pilot.plan(start_at(parse("E5"), 0, 0, 0), CALM, 6, 40)
    assert plan.heading == -1
    assert values == {}


def instruments(setup: Setup) -> tuple[EngineRoom, Pilot, Points]:
    ground = new_game(setup).ground
    room = EngineRoom(ground)
    return room, Pilot(Waters(ground), room), ground.water


class Wear(NamedTuple):
    """What crews did to themselves in some games."""

    courses: int
    hurt: int
    needless: int
    """Courses that had to do damage while another did not."""


def wear(rank: Rank, seeds: range) -> Wear:
    """Whole games of bots of one rank, looked at course by course."""
    courses = hurt = needless = 0
    for seed in seeds:
        match = Match(table(), ByCrew(ranked(rank), ranked(rank)), seed)
        assert match.play().fault is None
        game = new_game(match.table.setup)
        for step in match.logbook.steps:
            by = step.by
            for event in step.events:
                hurt += isinstance(event, Damaged) and event.cause == "breakdown"
                if isinstance(event, CourseSet) and isinstance(by, Seat):
                    courses += 1
                    dangers = truly_dangerous(game, by, game.boats[by.crew].engine.crossed)
                    ways = {o.heading for o in legal(game, by) if isinstance(o, SetCourse)}
                    needless += event.heading in dangers and bool(ways - dangers)
            game = apply_all(game, step.events)
    return Wear(courses, hurt, needless)


def test_a_commander_breaks_nothing_of_its_own() -> None:
    found = wear(Rank.COMMANDER, range(1))
    assert found.courses > 20
    assert found.hurt == found.needless == 0


@pytest.mark.slow
@pytest.mark.parametrize("rank", ABLE)
def test_commanders_and_above_hardly_ever_damage_themselves(
    rank: Rank, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Some games are long; the first hundred courses of each are enough.
    monkeypatch.setattr(arena_table, "MOST_ORDERS", 300)
    found = wear(rank, range(100, 107))
    assert found.courses > 150
    assert found.needless == 0
    # Now and then a captain is caught in a dead end, and damage is better than to surface there.
    assert 100 * found.hurt / found.courses < 0.5


# Stealth


Steering = Callable[[Voyage, Random], Heading | None]


def left_to_them(steer: Steering, seed: int) -> int | None:
    """How many points an exact listener has left after 24 courses; None if the way ends before."""
    dice = Random(seed)
    alone = replace(table(mode=Mode.REAL_TIME, chart=chart("alpha-10")), goal=Goal("sink", 99))
    start = name(dice.choice([*bits(new_game(alone).ground.water)]))
    voyage = Voyage(alone, Post.CAPTAIN, a=start)
    listener = Belief(voyage.game.ground, A)
    for _ in range(24):
        heading = steer(voyage, dice)
        if heading is None:
            return None
        for news in (*voyage.order(A, SetCourse(heading)), *voyage.aye(A)):
            if isinstance(news, CourseSet):
                listener.hear(news)
        # Only steering is compared: the engineer's sheet stays clean.
        voyage.change(A, engine={"crossed": 0})
    listener.settle()
    return listener.possible.bit_count()


def courses(voyage: Voyage) -> list[Heading]:
    return [order.heading for order in voyage.legal(A) if isinstance(order, SetCourse)]


def by_chance(voyage: Voyage, dice: Random) -> Heading | None:
    ways = courses(voyage)
    return dice.choice(ways) if ways else None


def by_the_commander(voyage: Voyage, dice: Random) -> Heading | None:
    del dice
    if not courses(voyage):
        return None
    desk, steersman = voyage.desk(), voyage.bot.captain.steersman
    return HEADINGS[steersman.best_plan(desk, steersman.outlook(desk)).heading]


def mean_left(steer: Steering, count: int) -> tuple[float, float]:
    """The mean of some ways that did not end, and how many of them leave three points or fewer."""
    found: list[int] = []
    seed = 0
    while len(found) < count:
        left = left_to_them(steer, seed)
        found += [] if left is None else [left]
        seed += 1
    return sum(found) / count, sum(left <= 3 for left in found) / count


def test_a_commander_leaves_them_more_to_search_than_chance_does() -> None:
    chance, found_by_chance = mean_left(by_chance, 30)
    stealthy, found = mean_left(by_the_commander, 10)
    assert chance < 2
    assert stealthy > 1.5 * chance
    assert found < found_by_chance


# Bounded thought


class CountingPilot(Pilot):
    """A pilot who counts the plans that it has looked at, for each search."""

    def __init__(self, pilot: Pilot) -> None:
        super().__init__(pilot.waters, pilot.room)
        self.searches: list[tuple[int, int]] = []
        """For each search how many plans it may look at, and how many it did."""
        self.seen = 0

    def plan(
        self, start: Node, outlook: Outlook, depth: int, width: int, lots: Lots = NO_LOTS
    ) -> tuple[RoutePlan, dict[int, float]]:
        self.seen = 0
        found = super().plan(start, outlook, depth, width, lots)
        self.searches.append((depth * width * len(HEADINGS) * FEW_MARKS, self.seen))
        return found

    def sail(self, node: Node, outlook: Outlook, ply: int, values: Values) -> list[Node]:
        found = super().sail(node, outlook, ply, values)
        self.seen += len(found)
        return found


def counted(voyage: Voyage) -> CountingPilot:
    steersman = voyage.bot.captain.steersman
    steersman.pilot = voyage.bot.engineer.pilot = pilot = CountingPilot(steersman.pilot)
    return pilot


@pytest.mark.parametrize("rank", OFFICERS)
def test_what_is_looked_at_for_a_decision_is_bounded(rank: Rank) -> None:
    # Each of at most `width` plans is continued by four headings, each with FEW_MARKS symbols; so
    # a search of `depth` courses looks at depth * width * 4 * FEW_MARKS plans at most, wherever
    # the submarines are and whatever was heard. That bounds the time, on any machine.
    traits = TRAITS[rank]
    # Small searches beside the plan, such as the engineer's, have bounds of their own.
    largest = max(traits.depth * traits.width, 3 * 10) * len(HEADINGS) * FEW_MARKS
    for seed in range(3):
        voyage = Voyage(table(), Post.CAPTAIN, rank=rank, a="E5", b="F7")
        pilot, dice = counted(voyage), Random(seed)
        for _ in range(30):
            voyage.ready(A, *dice.sample(SYSTEMS[:5], 2))
            before = len(pilot.searches)
            if voyage.let_act() is None:
                break
            searches = pilot.searches[before:]
            assert all(seen <= most <= largest for most, seen in searches)
            # A course: the plan, one for another heading, one as if surfaced. A mark: one for each
            # symbol of a panel. A silence: one for each way.
            assert len(searches) <= 16
            pass_the_turn(voyage)


def pass_the_turn(voyage: Voyage) -> None:
    """The enemy does as little as it may, until it is our turn again."""
    while True:
        turn, awaited = voyage.game.public.turn, voyage.game.public.awaited
        if voyage.game.public.phase == "over" or turn is None:
            return
        crew = awaited.crew if awaited else turn.crew
        if crew is A:
            return
        orders = [*voyage.legal(B)]
        ends = [order for order in orders if isinstance(order, EndTurn)]
        voyage.order(B, (ends or orders)[0])


def test_the_engineers_own_search_is_small() -> None:
    voyage = Voyage(eight(), Post.ENGINEER, a="E5")
    pilot = counted(voyage)
    voyage.order(A, SetCourse(Heading.E))
    voyage.ask()
    assert 0 < len(pilot.searches) <= 6
    assert {most for most, _ in pilot.searches} == {DEPTH * WIDTH * 4 * FEW_MARKS}
