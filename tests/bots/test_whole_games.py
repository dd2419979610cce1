"""Bots of every rank play whole games of every rulebook, mode and scenario, without a fault."""

from collections.abc import Iterator

import pytest

from fathom.arena.match import Match
from fathom.bots.ranks import RANKS, Rank
from fathom.engine.logbook import verify
from fathom.rules.library import scenario_names
from fathom.rules.setup import BadSetup, Setup
from fathom.words import CREWS, ByCrew, Mode
from tests.bots.diaries import ranked
from tests.bots.voyages import eight
from tests.stories import ALL_BOOKS, MODES, table

BookModeScenario = tuple[str, Mode, str]
"""A rulebook, a mode and a scenario."""
OPPONENTS = tuple(zip(RANKS[:3], RANKS[3:], strict=True))
"""Each rank once."""


def playable() -> Iterator[BookModeScenario]:
    """Every scenario that has a chart for the mode and suits the rulebook."""
    for book in ALL_BOOKS:
        for mode in MODES:
            for scenario in scenario_names():
                try:
                    table(book, mode, scenario=scenario)
                except BadSetup:
                    continue
                yield book, mode, scenario


TABLES = [*playable()]


def names(played: BookModeScenario) -> tuple[str, str, str]:
    """For the test's name."""
    book, mode, scenario = played
    return book, mode.value, scenario


def play(setup: Setup, a: Rank, b: Rank, seed: int) -> None:
    """A whole game: it ends by the rules, and its logbook replays."""
    match = Match(setup, ByCrew(ranked(a), ranked(b)), seed)
    outcome = match.play()
    assert outcome.fault is None, outcome.fault
    game = verify(match.logbook)
    assert game.public.damage == outcome.damage
    assert outcome.ending in {"sunk", "draw", "goal", "called-off"}
    assert all(outcome.tallies[crew].courses > 0 for crew in CREWS)


def test_every_scenario_is_played_with_every_rulebook_that_it_suits() -> None:
    # Fourteen scenarios: family charts are 10 by 10 only, and the family game has no gauges.
    assert len(TABLES) == 94
    assert {scenario for _, _, scenario in TABLES} == set(scenario_names())


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_whole_games_are_played_in_every_rulebook_and_mode(book: str, mode: Mode) -> None:
    play(table(book, mode), Rank.LIEUTENANT, Rank.ENSIGN, 1)


@pytest.mark.parametrize(("book", "closed"), [("captain-sonar", False), ("captain-sonar-2", True)])
def test_whole_games_are_played_with_every_post_seated_apart(book: str, closed: bool) -> None:
    play(eight(book, closed=closed), Rank.LIEUTENANT, Rank.LIEUTENANT, 1)


@pytest.mark.slow
@pytest.mark.parametrize("place", range(len(TABLES)), ids=lambda n: "-".join(names(TABLES[n])))
def test_whole_games_are_played_in_every_scenario(place: int) -> None:
    book, mode, scenario = TABLES[place]
    # Moving on by one with each table, every rank plays every rulebook and mode.
    one, other = OPPONENTS[place % len(OPPONENTS)]
    play(table(book, mode, scenario=scenario), one, other, 100 + place)


def test_every_rank_plays_every_rulebook_and_mode_in_that_test() -> None:
    played = {
        (book, mode, rank)
        for place, (book, mode, _) in enumerate(TABLES)
        for rank in OPPONENTS[place % len(OPPONENTS)]
    }
    assert len(played) == len(ALL_BOOKS) * len(MODES) * len(RANKS)


@pytest.mark.slow
@pytest.mark.parametrize("rank", RANKS)
def test_every_rank_plays_in_larger_crews_at_closed_stations(rank: Rank) -> None:
    players = (4, 6, 8)[rank.level % 3]
    play(eight("captain-sonar-2", closed=True, players=players), rank, rank, players)
