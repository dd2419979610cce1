"""``make bench``: this engine and its belief beside their peers, measured in the same run."""

import argparse
import random
import tracemalloc

from bench.belief import print_belief
from bench.engine import OURS, ROWS, random_game, setup_of
from bench.peers import PEERS
from bench.table import ROUNDS, SECONDS, measure_all, print_table, use_one_core
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.history import apply_all
from fathom.words import Mode

GAMES = 20


def memory_of_a_game() -> float:
    """Mean KB that a finished game's state keeps in memory together with all its events."""
    setup, rng = setup_of("captain-sonar", Mode.TURN_BY_TURN), random.Random(0)
    random_game(setup, rng)
    tracemalloc.start()
    kept: list[tuple[Game, list[AnyEvent]]] = []
    for _ in range(GAMES):
        events: list[AnyEvent] = []
        random_game(setup, rng, events)
        kept.append((apply_all(new_game(setup), events), events))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size / GAMES / 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="CPU seconds a row and round"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each row is measured")
    parser.add_argument("--no-peers", action="store_true", help="only this project's own rows")
    parser.add_argument("--only", choices=("engine", "belief"), help="one part of the bench")
    options = parser.parse_args()
    use_one_core()
    if options.only != "belief":
        print_engine(options)
    if options.only != "engine":
        print_belief()


def print_engine(options: argparse.Namespace) -> None:
    """Whole games, beside other engines."""
    plays = ROWS if options.no_peers else {**ROWS, **PEERS}
    print("Random complete games on one core, by CPU time; every row in this same run.\n")
    print_table(measure_all(plays, options.seconds, options.rounds), ours=OURS)
    print(f"\nA finished game with all its events keeps {memory_of_a_game():.0f} KB in memory.")
    print("Copying a state is free: it is immutable, so the copy is the state itself.")


if __name__ == "__main__":
    main()
