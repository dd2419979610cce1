"""Environments for learning: ours, plain and vectorised, beside those of PettingZoo.

Every step counts, waiting too: an agent was shown an observation and a mask, and chose an action.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from time import process_time
from typing import Any

from bench.peers import pettingzoo_chess, pettingzoo_connect_four, pettingzoo_hanabi, play_aec
from bench.table import WARM_UP_SECONDS, PlayRate, RandomPlay, measure_all, print_table

GAMES = 1024
STEPS = 20
"""Steps between two looks at the clock."""


@cache
def _env(env_type: str, name: str) -> Any:
    import_module("fathom.env")
    return import_module("pettingzoo").make(env_type, f"fathom/{name}-v0")


def turn_by_turn(name: str) -> RandomPlay:
    """A bench row: one random game through the plain environment."""
    return lambda rng: play_aec(_env("aec", name), rng)


def real_time(name: str) -> RandomPlay:
    """The same in real time; every agent's choice is a step."""

    def play(rng: random.Random) -> int:
        env = _env("parallel", name)
        shown, _ = env.reset(seed=rng.getrandbits(32))
        steps = 0
        while env.agents:
            chosen = {
                agent: rng.choice(seen["action_mask"].nonzero()[0].tolist())
                for agent, seen in shown.items()
            }
            shown = env.step(chosen)[0]
            steps += len(chosen)
        return steps

    return play


OURS = "Fathom captain-sonar, turn by turn, crews"
ROWS: dict[str, RandomPlay] = {
    OURS: turn_by_turn("captain-sonar-turn-by-turn-crew"),
    "Fathom captain-sonar, turn by turn, posts": turn_by_turn("captain-sonar-turn-by-turn-post"),
    "Fathom sonar, turn by turn, crews": turn_by_turn("sonar-turn-by-turn-crew"),
    "Fathom captain-sonar, real time, crews": real_time("captain-sonar-real-time-crew"),
    "Fathom captain-sonar, real time, posts": real_time("captain-sonar-real-time-post"),
}
PEERS: dict[str, RandomPlay] = {
    "PettingZoo connect_four_v3": pettingzoo_connect_four,
    "PettingZoo hanabi_v5": pettingzoo_hanabi,
    "PettingZoo chess_v6": pettingzoo_chess,
}
VECTORS = {
    f"{name}, {GAMES:,} at once (core)": f"fathom/{id_}-v0"
    for name, id_ in {
        "Fathom captain-sonar, turn by turn, crews": "captain-sonar-turn-by-turn-crew",
        "Fathom captain-sonar, turn by turn, posts": "captain-sonar-turn-by-turn-post",
        "Fathom captain-sonar, real time, crews": "captain-sonar-real-time-crew",
    }.items()
}


def print_envs(seconds: float, rounds: int, *, peers: bool) -> None:
    """Measure and print."""
    print(
        "Steps through environments, with observation and mask; random actions that are offered.\n"
    )
    rows = measure_all({**ROWS, **(PEERS if peers else {})}, seconds, rounds)
    rows |= {name: _vector(id_, seconds, rounds) for name, id_ in VECTORS.items()}
    print_table(rows, ours=OURS)


def _vector(id_: str, seconds: float, rounds: int) -> PlayRate | str:
    try:
        make: Callable[..., Any] = import_module("fathom.env.vector").VectorEnv
    except ImportError as missing:
        return f"not installed ({missing})"
    total = PlayRate()
    for seed in range(rounds):
        env = make(id_, GAMES)
        env.reset(seed)
        _run(env, WARM_UP_SECONDS)
        gc.collect()
        total += _run(env, seconds)
    return total


def _run(env: Any, seconds: float) -> PlayRate:
    """Play on until the CPU time has passed."""
    games = moves = 0
    spent, start = 0.0, process_time()
    while not games or spent < seconds:
        for _ in range(STEPS):
            chosen = env.sample()
            _, _, over, cut, _ = env.step(chosen)
            moves += chosen.size
            games += int((over | cut).sum())
        spent = process_time() - start
    return PlayRate(games, moves, spent)
