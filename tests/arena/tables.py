"""Tables and entrants for tests of the arena."""

from typing import Any

from fathom.arena.entrants import Entrant
from fathom.arena.match import Match
from fathom.rules.setup import Choices, House, Setup, prepare
from fathom.words import ByCrew, Mode

CADET = Entrant("cadet", "cadet")
BOOKS = ("captain-sonar", "captain-sonar-ru", "captain-sonar-2", "sonar")


def bot(name: str) -> Entrant:
    """One of the bots for tests."""
    return Entrant(name, f"python:tests.arena.bots:{name}")


def setup(
    book: str = "captain-sonar", mode: Mode = Mode.TURN_BY_TURN, players: int = 2, **choices: Any
) -> Setup:
    house = House(lift_crew_rules=True, **choices.pop("house", {}))
    return prepare(Choices(rulebook=book, mode=mode, players=players, house=house, **choices))


def match(a: Entrant = CADET, b: Entrant = CADET, seed: int = 1, **choices: Any) -> Match:
    return Match(setup(**choices), ByCrew(a, b), seed)
