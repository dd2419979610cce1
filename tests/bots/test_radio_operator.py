"""A bot radio operator under another captain: what it reports is what can be known, and no more."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from fathom.arena.match import Match
from fathom.belief.evidence import Belief
from fathom.bots.phrases import AnyPhrase, HeatMap, InSector, NoIdea, Probably, TheyKnow
from fathom.bots.radio import EXPOSED
from fathom.bots.ranks import Rank
from fathom.bots.traits import TRAITS
from fathom.engine.apply import apply_all
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.announce import announce
from fathom.engine.logbook import Logbook
from fathom.engine.offer import offer
from fathom.engine.orders import LaunchDrone, SetCourse
from fathom.points import bits
from fathom.rules.setup import Setup
from fathom.words import CREWS, DRONE, ByCrew, Heading, Post, Seat
from tests.bots.diaries import ranked
from tests.bots.voyages import Voyage, eight, officer, tell
from tests.stories import A, table

TABLES = {
    "eight-open": eight(),
    "eight-closed": eight("captain-sonar-2", closed=True),
    "four": eight("captain-sonar-ru", players=4),
    "family": table("sonar", players=4),
}
ALTERNATING = (Rank.COMMANDER, Rank.ADMIRAL) * 2
"""Those who count all points alike, and those who don't."""


class RadioReport(NamedTuple):
    """What was said after an order, beside what can be known then."""

    game: Game
    seat: Seat
    said: list[AnyPhrase]
    weights: dict[int, float]
    known: int
    """How many points are left to the enemy."""


@cache
def played(setup: Setup) -> Logbook:
    """A game with something in it: silences, surfacings, sonars and torpedoes."""
    match = Match(setup, ByCrew(ranked(Rank.CADET), ranked(Rank.CADET)), 11)
    assert match.play().fault is None
    return match.logbook


def reports(setup: Setup, rank: Rank) -> Iterator[RadioReport]:
    """The reports of both radio operators of a game that others play."""
    game = new_game(setup)
    ground, likely = game.ground, TRAITS[rank].likely
    seats = [Seat(crew, ground.seat_of(crew, Post.RADIO_OPERATOR)) for crew in CREWS]
    bots = [officer(ground, seat, rank) for seat in seats]
    beliefs = ByCrew.of(lambda crew: Belief(ground, crew, likely=likely))
    for step in played(setup).steps:
        game = apply_all(game, step.events)
        news = [said for event in step.events if (said := announce(event)) is not None]
        for belief in beliefs:
            for said in news:
                belief.hear(said)
            if game.public.phase == "playing":
                belief.settle()
        for seat, bot in zip(seats, bots, strict=True):
            tell(bot, ground, seat, step.events)
            if game.public.phase != "playing":
                continue
            bot.choose(offer(game, seat))
            theirs = beliefs[seat.crew.other]
            weights = theirs.weights or even(theirs.possible)
            known = beliefs[seat.crew].possible.bit_count()
            yield RadioReport(game, seat, [*bot.speak()], weights, known)


def even(possible: int) -> dict[int, float]:
    """All points alike."""
    return {point: 1 / possible.bit_count() for point in bits(possible)}


@pytest.mark.parametrize(("name", "rank"), [*zip(TABLES, ALTERNATING, strict=True)])
def test_what_the_radio_operator_reports_is_what_can_be_known(name: str, rank: Rank) -> None:
    maps: dict[Seat, dict[int, int]] = {}
    words = set()
    for report in reports(TABLES[name], rank):
        for phrase in report.said:
            words.add(type(phrase))
            agrees(report, phrase)
            if isinstance(phrase, HeatMap):
                maps[report.seat] = {int(point): share for point, share in phrase.likely.items()}
        # The last map drawn still holds: every possible point is on it, and no other.
        drawn = maps[report.seat]
        assert drawn.keys() == report.weights.keys()
        assert all(abs(drawn[p] - max(1, 1000 * w)) <= 0.5 for p, w in report.weights.items())
        assert drawn[report.game.boats[report.seat.crew.other].helm.at] > 0
    assert {HeatMap, Probably} <= words
    assert NoIdea in words or name == "family", "there the corners are known from the start"


def agrees(report: RadioReport, phrase: AnyPhrase) -> None:
    """Checks a phrase against what can be known."""
    weights, sectors = report.weights, report.game.ground.sectors
    match phrase:
        case Probably(points=points, percent=percent):
            assert 1 <= len(points) <= 3
            assert all(point in weights for point in points)
            assert percent == round(100 * sum(weights[point] for point in points)) >= 50
            rest = [weight for point, weight in weights.items() if point not in points]
            assert all(min(weights[point] for point in points) >= other for other in rest)
        case InSector(sector=sector, percent=percent):
            inside = [weight for point, weight in weights.items() if sectors[point] == sector]
            assert percent == round(100 * sum(inside)) >= 50
        case NoIdea(points=points):
            assert points == len(weights) > 3
        case TheyKnow(points=points):
            assert points == report.known
        case HeatMap():
            pass
        case _:
            pytest.fail(f"a radio operator says {phrase}")


@pytest.mark.parametrize("name", TABLES)
def test_they_know_is_said_when_they_have_found_us_and_when_they_have_lost_us(name: str) -> None:
    exposed: dict[Seat, bool] = {}
    warned = 0
    for report in reports(TABLES[name], Rank.COMMANDER):
        before = exposed.get(report.seat, False)
        exposed[report.seat] = report.known <= EXPOSED
        said = [phrase for phrase in report.said if isinstance(phrase, TheyKnow)]
        assert len(said) == (exposed[report.seat] is not before)
        warned += len(said)
    assert warned > 0


def test_nothing_is_said_twice() -> None:
    radio = Voyage(eight(), Post.RADIO_OPERATOR)
    first = radio.remarks()
    assert [type(phrase) for phrase in first] == [NoIdea, HeatMap]
    assert radio.remarks() == []
    radio.order(A, SetCourse(Heading.E))
    radio.aye(A)
    assert radio.remarks() == []


def test_a_sector_is_named_when_they_are_in_it() -> None:
    radio = Voyage(eight(), Post.RADIO_OPERATOR, b="B8")
    radio.ready(A, DRONE)
    radio.sailed(A)
    # On a chart of 10 by 10 the third of the four sectors is the south-western one.
    radio.order(A, LaunchDrone(3))
    assert radio.remarks()[0] == InSector(3, 100)


def test_a_radio_operator_who_commands_too_reports_to_nobody() -> None:
    captain = Voyage(table(players=2), Post.RADIO_OPERATOR)
    assert captain.remarks() == []
