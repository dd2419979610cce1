"""Measure random play by CPU time and print the figures as one table."""

from __future__ import annotations

import gc
import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import process_time

RandomPlay = Callable[[random.Random], int]

SECONDS = 2.0
ROUNDS = 3
WARM_UP_SECONDS = 0.1

HEADINGS = ("game", "moves/s", "games/s", "µs/move", "moves/game", "ours ÷ this")


@dataclass(frozen=True)
class PlayRate:
    """Games and moves finished in a span of CPU time."""

    games: int = 0
    moves: int = 0
    cpu_seconds: float = 0.0

    def __add__(self, other: PlayRate) -> PlayRate:
        """Return both spans taken as one."""
        return PlayRate(
            self.games + other.games,
            self.moves + other.moves,
            self.cpu_seconds + other.cpu_seconds,
        )

    @property
    def moves_per_s(self) -> float:
        """Return the moves per second of CPU time."""
        return self.moves / self.cpu_seconds

    @property
    def games_per_s(self) -> float:
        """Return the games per second of CPU time."""
        return self.games / self.cpu_seconds

    @property
    def us_per_move(self) -> float:
        """Return the microseconds of CPU time per move."""
        return 1e6 * self.cpu_seconds / self.moves

    @property
    def moves_per_game(self) -> float:
        """Return the mean length of a game."""
        return self.moves / self.games


# A row that could not be measured holds the reason in place of its rate.
RateRows = Mapping[str, PlayRate | str]


def use_one_core() -> None:
    """Keep this process, and any thread a library starts, on a single core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def measure(play: RandomPlay, seconds: float = SECONDS, seed: int = 0) -> PlayRate:
    """Play whole games, at least one, until the CPU time has passed, after a warm-up."""
    rng = random.Random(seed)
    _run(play, WARM_UP_SECONDS, rng)
    # Garbage left by the row before must not be charged to this one.
    gc.collect()
    return _run(play, seconds, rng)


def _run(play: RandomPlay, seconds: float, rng: random.Random) -> PlayRate:
    """Play whole games, at least one, until the CPU time has passed."""
    games = moves = 0
    spent, start = 0.0, process_time()
    while not games or spent < seconds:
        moves += play(rng)
        games += 1
        spent = process_time() - start
    return PlayRate(games, moves, spent)


def measure_all(
    plays: Mapping[str, RandomPlay], seconds: float = SECONDS, rounds: int = ROUNDS
) -> dict[str, PlayRate | str]:
    """Measure every row once a round, so that noise of the machine hits all rows alike."""
    load_all(plays)
    rows: dict[str, PlayRate | str] = {}
    for seed in range(rounds):
        for name, play in plays.items():
            rows[name] = _one_more_round(rows.get(name, PlayRate()), play, seconds, seed)
    return rows


def load_all(plays: Mapping[str, RandomPlay]) -> None:
    """Play one game of each, so that every library is in memory before anything is measured."""
    for play in plays.values():
        _one_more_round(PlayRate(), play, seconds=0, seed=0)


def _one_more_round(
    so_far: PlayRate | str, play: RandomPlay, seconds: float, seed: int
) -> PlayRate | str:
    """Add a round to a row's rate, or give the reason why the row has none."""
    if isinstance(so_far, str):
        return so_far
    try:
        return so_far + measure(play, seconds, seed)
    except ImportError as missing:
        return f"not installed ({missing})"


def print_table(rows: RateRows, ours: str | None = None) -> None:
    """Print all rows aligned, each beside the moves per second of the row named ours."""
    our_rate = rows[ours] if ours else None
    print_lines([HEADINGS, *(_cells(name, rate, our_rate) for name, rate in rows.items())])


def print_lines(lines: Sequence[tuple[str, ...]]) -> None:
    """Print lines of texts in columns as wide as they need; a short line holds a remark."""
    whole = [line for line in lines if len(line) == len(lines[0])]
    widths = [max(map(len, column)) for column in zip(*whole, strict=True)]
    widths[0] = max(len(line[0]) for line in lines)
    for line in lines:
        print(_aligned(line, widths))


def _cells(name: str, rate: PlayRate | str, ours: PlayRate | str | None) -> tuple[str, ...]:
    """Return the texts of one row."""
    if isinstance(rate, str):
        return name, rate
    ratio = f"{ours.moves_per_s / rate.moves_per_s:.2f}" if isinstance(ours, PlayRate) else "-"
    return (
        name,
        f"{rate.moves_per_s:,.0f}",
        f"{rate.games_per_s:,.1f}",
        f"{rate.us_per_move:,.2f}",
        f"{rate.moves_per_game:,.0f}",
        ratio,
    )


def _aligned(cells: tuple[str, ...], widths: list[int]) -> str:
    """Return a line of the table: the name to the left, figures to the right."""
    name = cells[0].ljust(widths[0])
    if len(cells) < len(widths):
        return "  ".join((name, *cells[1:]))
    figures = (cell.rjust(width) for cell, width in zip(cells[1:], widths[1:], strict=True))
    return "  ".join((name, *figures))
