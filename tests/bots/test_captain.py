"""A bot captain of a crew of others: asks for what it can't see, and heeds what it is told."""

import pytest

from fathom.arena.match import Match
from fathom.bots.phrases import (
    Broken,
    Danger,
    InSector,
    Mended,
    No,
    PleaseCharge,
    PleaseUse,
    Probably,
    Safe,
    WhereAreThey,
    WhichWay,
)
from fathom.bots.ranks import RANKS, Rank
from fathom.engine.events import Damaged, SystemFailed
from fathom.engine.orders import (
    Charge,
    CrossOut,
    EndTurn,
    FireTorpedo,
    LaunchDrone,
    RunSilent,
    SetCourse,
    Surface,
)
from fathom.points import bits, collect, parse
from fathom.words import (
    DRONE,
    HEADINGS,
    MINE,
    SILENCE,
    SONAR,
    TORPEDO,
    ByCrew,
    Heading,
    Kind,
    Mode,
    Post,
)
from tests.bots.diaries import ranked
from tests.bots.voyages import Voyage, eight
from tests.stories import OPEN_SEA, A, B, sea, table

OFFICERS = [rank for rank in RANKS if rank.level >= 1]
TRACKERS = [rank for rank in RANKS if rank.level >= 2]
STARTS = ("E5", "C7", "H7", "B2")


def captain(
    rank: Rank = Rank.COMMANDER,
    book: str = "captain-sonar",
    *,
    closed: bool = False,
    a: str = "E5",
    b: str = "J10",
) -> Voyage:
    return Voyage(eight(book, closed=closed), Post.CAPTAIN, rank=rank, a=a, b=b)


def course(voyage: Voyage) -> Heading:
    order = voyage.ask()
    assert isinstance(order, SetCourse)
    return order.heading


# Warnings of the engineer


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("rank", OFFICERS)
def test_a_captain_who_cant_see_the_sheet_heeds_the_engineers_warning(
    rank: Rank, start: str
) -> None:
    voyage = captain(rank, closed=True, a=start)
    wanted = course(voyage)
    voyage.say(Post.ENGINEER, Danger(wanted))
    assert course(voyage) is not wanted
    voyage.say(Post.ENGINEER, Safe(wanted))
    assert course(voyage) is wanted


def test_with_three_dangerous_courses_the_fourth_is_sailed() -> None:
    for left in HEADINGS:
        voyage = captain(closed=True, a="F4")
        for heading in HEADINGS:
            if heading is not left:
                voyage.say(Post.ENGINEER, Danger(heading))
        assert course(voyage) is left


def test_a_warning_holds_until_the_next_course() -> None:
    voyage = captain(closed=True)
    voyage.say(Post.ENGINEER, Danger(Heading.N))
    assert voyage.bot.counsel.dangers == {Heading.N}
    voyage.order(A, SetCourse(Heading.E))
    voyage.listen()
    assert not voyage.bot.counsel.dangers


@pytest.mark.slow
def test_crews_at_closed_stations_do_themselves_no_damage_that_they_could_avoid() -> None:
    courses = damage = 0
    for seed in range(6):
        entrant = ranked(Rank.COMMANDER)
        match = Match(eight(closed=True), ByCrew(entrant, entrant), seed)
        outcome = match.play()
        assert outcome.fault is None
        courses += outcome.tallies.a.courses + outcome.tallies.b.courses
        damage += sum(
            isinstance(event, Damaged) and event.cause == "breakdown"
            for event in match.logbook.events
        )
    assert 100 * damage / courses < 1


# Reports of the radio operator


@pytest.mark.parametrize("rank", TRACKERS)
def test_a_captain_fires_where_a_human_radio_operator_says_they_are(rank: Rank) -> None:
    voyage = captain(rank, a="E3", b="F6")
    voyage.ready(A, TORPEDO)
    voyage.sailed(A)
    assert not isinstance(voyage.ask(), FireTorpedo)
    voyage.say(Post.RADIO_OPERATOR, Probably((parse("F6"),), 95))
    assert voyage.ask() == FireTorpedo(parse("F6"))


def test_what_the_radio_operator_names_weighs_as_much_as_was_said() -> None:
    voyage = captain()
    named = (parse("B2"), parse("C2"))
    before = voyage.desk().weights
    voyage.say(Post.RADIO_OPERATOR, Probably(named, 70))
    after = voyage.desk().weights
    assert after.keys() == before.keys()
    assert sum(after.values()) == pytest.approx(1)
    share = sum(before[point] for point in named)
    assert sum(after[point] for point in named) == pytest.approx(0.7 + 0.3 * share)


def test_nobody_is_believed_who_names_what_is_impossible() -> None:
    voyage = captain()
    voyage.order(A, SetCourse(Heading.E))
    voyage.aye(A)
    voyage.order(A, EndTurn())
    voyage.order(B, SetCourse(Heading.N))
    voyage.aye(B)
    before = voyage.desk().weights
    # After a course north nobody is in the lowest row.
    gone = tuple(parse(f"{letter}10") for letter in "ABC")
    assert not before.keys() & set(gone)
    voyage.say(Post.RADIO_OPERATOR, Probably(gone, 95))
    assert voyage.desk().weights == before


def test_a_report_moves_along_with_them_and_is_lost_in_silence() -> None:
    voyage = captain(b="F6")
    voyage.say(Post.RADIO_OPERATOR, Probably((parse("F6"),), 90))
    voyage.order(A, SetCourse(Heading.E))
    voyage.aye(A)
    voyage.order(A, EndTurn())
    voyage.order(B, SetCourse(Heading.S))
    voyage.aye(B)
    weights = voyage.desk().weights
    assert max(weights, key=lambda point: weights[point]) == parse("F7")
    voyage.ready(B, SILENCE)
    voyage.order(B, RunSilent(1, Heading.S))
    weights = voyage.desk().weights
    assert max(weights.values()) == pytest.approx(min(weights.values()))


def test_a_sector_counts_like_its_points() -> None:
    voyage = captain()
    voyage.say(Post.RADIO_OPERATOR, InSector(1, 80))
    weights = voyage.desk().weights
    inside = voyage.game.ground.sector_points[1]
    told = sum(weight for point, weight in weights.items() if inside >> point & 1)
    assert told > 0.8
    voyage.say(Post.RADIO_OPERATOR, InSector(99, 80))
    assert voyage.desk().weights == weights


# Objections


@pytest.mark.parametrize("rank", OFFICERS)
def test_a_captain_does_not_surface_while_somebody_objects(rank: Rank) -> None:
    voyage = captain(rank, a="A1")
    # One point to the north is left, with no way on from there, and the mark for it does damage.
    voyage.put(A, "A2", "D2 C2 C1 B1 B2 B3 A3")
    voyage.cross_out(A, "N1", "N2", "N3", "N4", "N5")
    voyage.say(Post.ENGINEER, Danger(Heading.N))
    assert voyage.ask() == Surface()
    voyage.say(Post.ENGINEER, No())
    assert voyage.ask() == SetCourse(Heading.N)


def test_an_objection_holds_for_two_courses() -> None:
    voyage = captain()
    voyage.say(Post.ENGINEER, No())
    held = []
    for heading in (Heading.E, Heading.S, Heading.E):
        held.append(voyage.bot.counsel.objections > 0)
        voyage.order(A, SetCourse(heading))
        voyage.aye(A)
        voyage.order(A, EndTurn())
        voyage.order(B, next(o for o in voyage.legal(B) if isinstance(o, SetCourse)))
        voyage.aye(B)
        voyage.order(B, EndTurn())
        voyage.listen()
    assert held == [True, True, False]


def test_without_another_way_a_captain_surfaces_whoever_objects() -> None:
    voyage = captain(a="A1")
    voyage.put(A, "A1", "C1 C2 B2 A3 A2 B1")
    voyage.say(Post.ENGINEER, No())
    assert voyage.ask() == Surface()


# What the captain asks for


def test_a_captain_asks_for_what_it_cant_see() -> None:
    said = captain(closed=True).remarks()
    assert said == [PleaseCharge(TORPEDO), WhichWay(), WhereAreThey()]


def test_a_captain_who_sees_the_sheet_does_not_ask_the_engineer() -> None:
    assert WhichWay() not in captain().remarks()


def test_a_captain_with_the_gauges_and_the_radio_asks_nobody() -> None:
    alone = Voyage(table(), Post.CAPTAIN)
    assert alone.remarks() == []
    # With four players the captain is first mate and engineer too.
    four = Voyage(eight(players=4), Post.CAPTAIN)
    assert four.remarks() == [WhereAreThey()]


def test_the_engineer_is_asked_once_for_each_course() -> None:
    voyage = captain(closed=True)
    assert WhichWay() in voyage.remarks()
    assert WhichWay() not in voyage.remarks()
    voyage.order(A, SetCourse(Heading.E))
    assert WhichWay() in voyage.remarks()


def test_a_captain_asks_for_something_else_once_the_torpedo_is_ready() -> None:
    voyage = captain()
    assert PleaseCharge(TORPEDO) in voyage.remarks()
    voyage.ready(A, TORPEDO)
    assert PleaseCharge(SONAR) in voyage.remarks()
    assert not any(isinstance(phrase, PleaseCharge) for phrase in voyage.remarks())


# Detection that only the first mate may use


@pytest.mark.parametrize("rank", TRACKERS)
@pytest.mark.parametrize("closed", [False, True], ids=["open", "closed"])
def test_the_first_mate_is_sent_and_if_nothing_happens_the_turn_goes_on(
    rank: Rank, closed: bool
) -> None:
    voyage = captain(rank, "captain-sonar-2", closed=closed)
    voyage.ready(A, SONAR)
    voyage.sailed(A)
    assert voyage.ask() is None
    assert PleaseUse(SONAR) in voyage.bot.speak()
    assert voyage.ask() == EndTurn()
    assert not any(isinstance(phrase, PleaseUse) for phrase in voyage.bot.speak())


def test_a_drone_is_asked_about_a_sector_that_tells_something() -> None:
    voyage = captain(book="captain-sonar-2")
    voyage.ready(A, DRONE)
    voyage.sailed(A)
    assert voyage.ask() is None
    (wish,) = (phrase for phrase in voyage.bot.speak() if isinstance(phrase, PleaseUse))
    assert wish.system is DRONE
    assert wish.sector in range(1, 5)


def test_nobody_is_sent_for_what_is_not_ready_or_known_anyway() -> None:
    voyage = captain(book="captain-sonar-2")
    voyage.sailed(A)
    assert voyage.ask() == EndTurn()
    known = captain(book="captain-sonar-2", b="F6")
    known.ready(A, SONAR, DRONE)
    known.sailed(A)
    known.bot.mind.theirs.tracker.see(collect([parse("F6")]))
    assert known.ask() == EndTurn()


def test_where_captains_may_search_themselves_they_do() -> None:
    voyage = captain()
    voyage.ready(A, DRONE)
    voyage.sailed(A)
    assert isinstance(voyage.ask(), LaunchDrone)


@pytest.mark.parametrize("rank", TRACKERS)
def test_where_only_the_first_mate_may_search_it_is_sent_in_real_time_too(rank: Rank) -> None:
    setup = eight("captain-sonar-2", Mode.REAL_TIME, chart=sea(OPEN_SEA))
    voyage = Voyage(setup, Post.CAPTAIN, rank=rank, a="E5", b="J10")
    voyage.ready(A, SONAR)
    voyage.order(A, SetCourse(Heading.S), Charge(MINE), CrossOut("S5"))
    voyage.ask()
    assert PleaseUse(SONAR) in voyage.bot.speak()


@pytest.mark.parametrize("rank", TRACKERS)
def test_nobody_is_sent_to_use_what_the_captain_sees_broken(rank: Rank) -> None:
    voyage = captain(rank, "captain-sonar-2")
    voyage.ready(A, SONAR, DRONE)
    voyage.sailed(A)
    voyage.cross_out(A, "W4")
    assert voyage.ask() == EndTurn()
    assert not any(isinstance(phrase, PleaseUse) for phrase in voyage.bot.speak())


@pytest.mark.parametrize("rank", TRACKERS)
def test_what_the_engineer_says_is_broken_is_not_used(rank: Rank) -> None:
    # In the second edition the order is legal, fails, and costs a radiation mark.
    voyage = captain(rank, "captain-sonar-2", closed=True, a="E3", b="F6")
    voyage.ready(A, TORPEDO)
    voyage.sailed(A)
    voyage.cross_out(A, "W1")
    voyage.say(Post.ENGINEER, Broken(Kind.RED))
    voyage.say(Post.RADIO_OPERATOR, Probably((parse("F6"),), 95))
    assert voyage.ask() == EndTurn()
    voyage.change(A, engine={"crossed": 0})
    voyage.say(Post.ENGINEER, Mended(Kind.RED))
    assert voyage.ask() == FireTorpedo(parse("F6"))


@pytest.mark.slow
def test_crews_who_see_the_sheet_order_nothing_that_is_broken() -> None:
    for seed in range(2):
        entrant = ranked(Rank.ADMIRAL)
        match = Match(eight("captain-sonar-2"), ByCrew(entrant, entrant), seed)
        assert match.play().fault is None
        failed = [event for event in match.logbook.events if isinstance(event, SystemFailed)]
        assert failed == []


def test_every_course_of_a_captain_is_one_that_can_be_sailed() -> None:
    voyage = captain(Rank.ADMIRAL, a="A1")
    for point in bits(voyage.game.ground.water):
        voyage.change(A, helm={"at": point, "route": (point,), "covered": 1 << point})
        assert isinstance(voyage.ask(), SetCourse)
