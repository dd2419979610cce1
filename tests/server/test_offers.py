"""A seat's choices change only with what they rest on: otherwise somebody would not be told."""

import random

import pytest

from bench.server.scripts import options
from fathom.engine.game import Game, new_game
from fathom.engine.history import apply_all
from fathom.engine.legal import legal
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.rules import library
from fathom.rules.setup import BadSetup, Choices, House, Setup, prepare
from fathom.server.offers import BRIEF, Grounds, basis_of, offer_to
from fathom.server.wire import Offered
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
    found += [(REFEREE, order) for order in legal(game, REFEREE)[2:]]
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
    kept: Kept = {}
    spared = sum(spared_offers(setup, dice, kept) for _ in range(6))
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
        kept: Kept = {}
        for seed in (5, 6, 7):
            spared_offers(setup, random.Random(seed), kept)
        played += 1
    assert played


Kept = dict[tuple[Seat, Grounds], Offered]


def spared_offers(setup: Setup, dice: random.Random, kept: Kept) -> int:
    """Play; how often an offer rested on the same as before, and so had to be the same.

    If it rests on little, it is the same in all games.
    """
    game: Game | None = new_game(setup)
    spared = 0
    for _ in range(STEPS):
        before, game = game, next_game(game, dice) if game is not None else None
        if before is None or game is None:
            break
        for seat in seats_of(game):
            basis = basis_of(game.ground, seat)
            rests, offer = basis(game, seat), offer_to(game, seat)
            if basis(before, seat) == rests:
                spared += 1
                assert offer_to(before, seat) == offer, (seat, rests)
            if rests[0] is BRIEF:
                assert kept.setdefault((seat, rests), offer) == offer, (seat, rests)
    return spared
