"""Duels as ``fathom play`` shows them: every one that can be set up ends, and is worth watching."""

import pytest

from fathom.arena.entrants import Entrant
from fathom.arena.match import Match
from fathom.engine.logbook import Logbook
from fathom.rules import library
from fathom.rules.setup import BadSetup, Choices, Setup, prepare
from fathom.words import ByCrew, Mode
from tests.cli.games import LIFTED
from tests.stories import ALL_BOOKS

pytestmark = pytest.mark.slow

ADMIRALS = ByCrew(Entrant("admiral", "admiral"), Entrant("admiral", "admiral"))


def every_setup() -> list[Setup]:
    """Each rulebook, mode, scenario and goal that go together."""
    found = []
    for book in ALL_BOOKS:
        for mode in Mode:
            for scenario in library.scenario_names():
                for goal in library.rulebook(book).goals:
                    choices = Choices(
                        rulebook=book, mode=mode, scenario=scenario, goal=goal.name, house=LIFTED
                    )
                    try:
                        found.append(prepare(choices))
                    except BadSetup:
                        continue
    return found


def duel(setup: Setup, seed: int) -> tuple[str, Logbook]:
    """How a duel of admirals ended, and its record."""
    match = Match(setup, ADMIRALS, seed)
    return match.play().ending, match.logbook


def test_every_duel_that_can_be_set_up_ends_by_itself() -> None:
    setups = every_setup()
    assert len(setups) > 100
    endings = {
        (setup.book.name, setup.mode, setup.chart.name, setup.goal.name): duel(setup, seed=5)[0]
        for setup in setups
    }
    unended = {e: how for e, how in endings.items() if how not in ("sunk", "draw", "goal")}
    assert not unended


def test_a_duel_shows_what_the_game_is_made_of() -> None:
    kinds: set[str] = set()
    for seed in range(12):
        choices = Choices(mode=Mode.REAL_TIME, house=LIFTED)
        for step in duel(prepare(choices), seed)[1].steps:
            kinds |= {type(event).__name__ for event in step.events}
    assert kinds >= {
        *("CourseSet", "TorpedoFired", "MineLaid", "MineTriggered", "RanSilent", "Surfaced"),
        *("SonarUsed", "SonarAnswered", "CircuitMended", "SectionTraced"),
    }
