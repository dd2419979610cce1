"""A seat's choices change only with what they rest on: otherwise somebody would not be told."""

import random

import pytest

from bench.server.scripts import options
from fathom.engine.apply import apply_all
from fathom.engine.game import Game, new_game
from fathom.engine.orders import AnyOrder, DeclareLost
from fathom.engine.referee import decide, legal
from fathom.rules import library
from fathom.rules.setup import BadSetup, Choices, House, Setup, prepare
from fathom.server.offers import offer_to
from fathom.server.sheets import Fragments
from fathom.words import CREWS, REFEREE, Mode, Referee, Seat

STEPS = 200
RARE = {"Surface": 1, "UseSonar": 1, "LaunchDrone": 1, "LayMine": 1, "FireTorpedo": 1, "Resign": 0}
"""How likely kinds of order are; all others 10."""


def seats_of(game: Game) -> list[Seat]:
    crews = game.ground.setup.crews
    return [Seat(crew, number) for crew in CREWS for number in range(len(crews[crew].seats))]


def next_game(game: Game, dice: random.Random) -> Game | None:
    """After a random order of anyone; None if nobody can do anything."""
    found: list[tuple[Seat | Referee, AnyOrder]] = []
    for seat in seats_of(game):
        found += [(seat, order) for order in options(game, seat)]
    found += [(REFEREE, o) for o in legal(game, REFEREE) if not isinstance(o, DeclareLost)]
    if not found:
        return None
    kinds = sorted({type(order).__name__ for _, order in found})
    weights = [RARE.get(kind, 10) for kind in kinds]
    (kind,) = dice.choices(kinds, weights)
    alike = [one for one in found if type(one[1]).__name__ == kind]
    # Always the first gauge that is not full: so systems are ready while marks are due.
    by, order = alike[0] if kind == "Charge" else dice.choice(alike)
    return apply_all(game, decide(game, by, order))


@pytest.mark.parametrize(
    ("book", "players"),
    [
        (book, players)
        for book in library.rulebook_names()
        for players in (2, 4, 8)
        if players <= library.rulebook(book).players[1]
    ],
)
@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.value)
def test_what_an_offer_rests_on(book: str, players: int, mode: Mode) -> None:
    dice = random.Random(players)
    house = House(lift_crew_rules=True, trace_judge="enemy-engineer" if players == 4 else "program")
    setup = prepare(Choices(rulebook=book, mode=mode, players=players, house=house))
    spared = sum(spared_offers(setup, dice) for _ in range(6))
    # In the family game every step changes something that everyone sees.
    assert spared > 20 or book == "sonar"


@pytest.mark.parametrize("scenario", library.scenario_names())
@pytest.mark.parametrize("mode", list(Mode), ids=lambda mode: mode.value)
def test_what_an_offer_rests_on_in_every_scenario(scenario: str, mode: Mode) -> None:
    house, played = House(lift_crew_rules=True), 0
    for book in library.rulebook_names():
        try:
            setup = prepare(Choices(rulebook=book, mode=mode, scenario=scenario, house=house))
        except BadSetup:
            continue
        for seed in (5, 6, 7):
            spared_offers(setup, random.Random(seed))
        played += 1
    assert played


def spared_offers(setup: Setup, dice: random.Random) -> int:
    """Play; how often nothing changed that an offer rests on, and so it had to be the same."""
    game: Game | None = new_game(setup)
    spared = 0
    for _ in range(STEPS):
        before, game = game, next_game(game, dice) if game is not None else None
        if before is None or game is None:
            break
        fragments = Fragments(game.ground, before, game)
        for seat in seats_of(game):
            if fragments.of(seat.crew).same_offers:
                spared += 1
                assert offer_to(before, seat) == offer_to(game, seat), seat
    return spared
