"""``make soak-core``: the core against the Python engine in very many games, on all cores."""

import argparse
import os
from concurrent.futures import ProcessPoolExecutor
from time import monotonic

from tests.core.differential import play_games

BATCH = 200


def main() -> None:
    """Play, and say how fast. A game that differs ends the run and is named."""
    parser = argparse.ArgumentParser(prog="make soak-core", description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=10_000_000, help="the first game's seed")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    options = parser.parse_args()
    games = orders = 0
    started = monotonic()
    with ProcessPoolExecutor(options.processes) as pool:
        last = options.seed + options.games
        batches = (range(n, min(n + BATCH, last)) for n in range(options.seed, last, BATCH))
        for played in pool.map(play_games, batches):
            games, orders = min(games + BATCH, options.games), orders + played
            rate = games / (monotonic() - started)
            print(f"{games:,} games, {orders:,} orders agree; {rate:.0f} games/s", flush=True)


if __name__ == "__main__":
    main()
