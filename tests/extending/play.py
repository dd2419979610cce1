"""Run in an extended copy of the package: whole games with bots, referee, logbook and views.

``python -m tests.extending.play RULEBOOK CHART WANTED``: ``WANTED`` is the kind of order that has
to be given, or a rule that has to be refused by, or ``-``.
"""

import json
import random
import sys
from collections import Counter

from fathom.arena.entrants import Entrant
from fathom.arena.match import Match
from fathom.engine.apply import apply_all
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.named_view import portray
from fathom.engine.knowledge.view import WATCHER, Watcher, follow, overhear, view
from fathom.engine.logbook import Logbook, Step, read, write
from fathom.engine.orders import DeclareLost, Order, Resign
from fathom.engine.records import decode_order, encode
from fathom.engine.referee import decide, legal, may_trace, why_not
from fathom.rules.setup import Choices, House, Setup, prepare
from fathom.server.offers import offer_to
from fathom.server.sheets import facts
from fathom.server.wire import encode as encode_for_clients
from fathom.words import CREWS, REFEREE, ByCrew, Mode, Referee, Seat

STEPS = 400


def setup_of(rulebook: str, chart: str, mode: Mode) -> Setup:
    """The set-up of two players."""
    house = House(lift_crew_rules=True, radio_help="computer")
    named = None if chart == "-" else chart
    return prepare(Choices(rulebook=rulebook, chart=named, mode=mode, house=house))


def options(game: Game) -> list[tuple[Seat | Referee, Order]]:
    """What anyone may order now."""
    givers: tuple[Seat | Referee, ...] = (*(Seat(crew, 0) for crew in CREWS), REFEREE)
    return [
        (by, order)
        for by in givers
        for order in legal(game, by)
        if not isinstance(order, Resign | DeclareLost)
    ]


def random_game(setup: Setup, dice: random.Random, met: Counter[str]) -> Logbook:
    """Any legal orders; what each seat follows is what it sees, and every reason is heard of."""
    game = new_game(setup)
    steps: list[Step] = []
    watching: tuple[Seat | Watcher, ...] = (*(Seat(crew, 0) for crew in CREWS), WATCHER)
    views = {seat: view(game, seat) for seat in watching}
    while game.public.result is None and len(steps) < STEPS:
        found = options(game)
        kinds = sorted({type(order).__name__ for _, order in found})
        if not kinds:
            break
        kind = dice.choice(kinds)
        by, order = dice.choice([one for one in found if type(one[1]).__name__ == kind])
        assert decode_order(encode(order)) == order
        events = decide(game, by, order)
        for event in events:
            views = {
                seat: follow(game.ground, seen, overhear(game.ground, event, seat))
                for seat, seen in views.items()
            }
        game = apply_all(game, events)
        assert all(seen == view(game, seat) for seat, seen in views.items())
        steps.append(Step(by, tuple(events)))
        met[encode(order).decode().split('"')[3]] += 1
        for crew in CREWS:
            met.update(why_not(game, Seat(crew, 0)).values())
            assert not may_trace(game, Seat(crew, 0))
            encode(portray(game.ground, views[Seat(crew, 0)]))
            encode_for_clients(offer_to(game, Seat(crew, 0)))
    return Logbook(setup, tuple(steps))


def bots_game(setup: Setup, rank: str, seed: int) -> Logbook:
    """A game between two bots of a rank, to its end."""
    entrant = Entrant(rank, rank)
    match = Match(setup, ByCrew(entrant, entrant), seed)
    outcome = match.play()
    assert outcome.fault is None, outcome.fault
    return match.logbook


def main(rulebook: str, chart: str, wanted: str) -> None:
    """Play, and tell what was met."""
    met: Counter[str] = Counter()
    setup = setup_of(rulebook, chart, Mode.TURN_BY_TURN)
    encode_for_clients(facts(new_game(setup).ground))
    for seed in range(6):
        logbook = random_game(setup, random.Random(seed), met)
        assert read(write(logbook)).events == logbook.events
    for seed, rank in enumerate(("cadet", "commander", "admiral")):
        logbook = bots_game(setup, rank, seed)
        assert read(write(logbook)).events == logbook.events
    assert wanted == "-" or met[wanted], (wanted, met)
    print(json.dumps({"orders": sum(met.values()), "wanted": met[wanted]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
