"""The fast core's rows: bare playouts, and batches with observation and mask for every agent.

Like a peer, it is loaded when its first row is measured, so that a missing one costs only that.
"""

from __future__ import annotations

import gc
import random
from collections.abc import Callable
from functools import cache
from importlib import import_module
from time import process_time
from typing import Any

from bench.engine import setup_of
from bench.table import WARM_UP_SECONDS, PlayRate
from fathom.words import Mode

GAMES = 1024
STEPS = 20
"""Steps between two looks at the clock."""


@cache
def _core(rulebook: str, mode: Mode) -> tuple[Any, Any, Any]:
    """The core, a state and its dice, made once."""
    numpy = import_module("numpy")
    core = import_module("fathom.core.native").core_for(setup_of(rulebook, mode))
    return core, core.new_states(1), numpy.zeros(1, numpy.uint64)


def row(rulebook: str, mode: Mode) -> Callable[[random.Random], int]:
    """A bench row: one random game at a time, played wholly within the core."""

    def play(rng: random.Random) -> int:
        core, state, dice = _core(rulebook, mode)
        core.begin(state)
        dice[0] = rng.getrandbits(64)
        return int(core.playouts(state, dice, most=1_000_000)[0])

    return play


OURS = "Fathom core captain-sonar, turn by turn (C++)"
ROWS: dict[str, Callable[[random.Random], int]] = {
    OURS: row("captain-sonar", Mode.TURN_BY_TURN),
    "Fathom core captain-sonar-2, turn by turn (C++)": row("captain-sonar-2", Mode.TURN_BY_TURN),
    "Fathom core captain-sonar, real time (C++)": row("captain-sonar", Mode.REAL_TIME),
    "Fathom core sonar, turn by turn (C++)": row("sonar", Mode.TURN_BY_TURN),
}

BATCHES = {
    f"Fathom core {book}, {mode.value.replace('-', ' ')}, {GAMES:,} at once, seen": (book, mode)
    for book, mode in (
        ("captain-sonar", Mode.TURN_BY_TURN),
        ("captain-sonar-2", Mode.TURN_BY_TURN),
        ("captain-sonar", Mode.REAL_TIME),
        ("sonar", Mode.TURN_BY_TURN),
    )
}
"""Random orders drawn from the offers; every one is followed by an observation and a mask."""


def measure_batches(seconds: float, rounds: int) -> dict[str, PlayRate | str]:
    """Measure every batch, each round with other dice."""
    return {name: _measured(book, mode, seconds, rounds) for name, (book, mode) in BATCHES.items()}


def _measured(book: str, mode: Mode, seconds: float, rounds: int) -> PlayRate | str:
    try:
        batches = import_module("fathom.core.batch")
    except ImportError as missing:
        return f"not installed ({missing})"
    total = PlayRate()
    for seed in range(rounds):
        batch = batches.Batch(setup_of(book, mode), GAMES, seed=seed)
        _run(batch, WARM_UP_SECONDS)
        gc.collect()
        total += _run(batch, seconds)
    return total


def _run(batch: Any, seconds: float) -> PlayRate:
    """Play on until the CPU time has passed. Only orders count; waiting is none."""
    count_nonzero = import_module("numpy").count_nonzero
    games = moves = 0
    spent, start = 0.0, process_time()
    while not games or spent < seconds:
        for _ in range(STEPS):
            chosen = batch.sample()
            moves += int(count_nonzero(chosen))
            batch.step(chosen)
            games += int(count_nonzero(batch.ended))
        spent = process_time() - start
    return PlayRate(games, moves, spent)
