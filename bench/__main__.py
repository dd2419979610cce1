"""``make bench``: this engine and its belief beside their peers, measured in the same run."""

import argparse
import random
import tracemalloc

from bench import core
from bench.belief import print_belief
from bench.engine import OURS, ROWS, random_game, setup_of
from bench.envs import print_envs
from bench.peers import PEERS
from bench.table import ROUNDS, SECONDS, PlayRate, measure_all, print_table, use_one_core
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
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
    parser.add_argument(
        "--only", choices=("engine", "belief", "envs"), help="one part of the bench"
    )
    options = parser.parse_args()
    use_one_core()
    if options.only in (None, "engine"):
        print_engine(options)
    if options.only in (None, "envs"):
        print_envs(options.seconds, options.rounds, peers=not options.no_peers)
    if options.only in (None, "belief"):
        print_belief()


def print_engine(options: argparse.Namespace) -> None:
    """Whole games, beside other engines."""
    ours = {**ROWS, **core.ROWS}
    plays = ours if options.no_peers else {**ours, **PEERS}
    print("Random complete games on one core, by CPU time; every row in this same run.\n")
    rows = measure_all(plays, options.seconds, options.rounds)
    rows |= core.measure_batches(options.seconds, options.rounds)
    fastest = core.OURS if isinstance(rows[core.OURS], PlayRate) else OURS
    print_table(rows, ours=fastest)
    print("\nSeen: in batches of 1,024, with an observation and a mask after every order.")
    print(f"\nA finished game with all its events keeps {memory_of_a_game():.0f} KB in memory.")
    print("Copying a state is free: it is immutable, so the copy is the state itself.")


if __name__ == "__main__":
    main()
