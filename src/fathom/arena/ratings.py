"""Bradley-Terry ratings on the Elo scale: how strong each is, judged by all games together."""

from collections.abc import Callable, Mapping, Sequence
from math import exp, log, sqrt
from typing import Final

from msgspec import Struct

ELO: Final = 400.0 / log(10.0)
"""Points of rating for a factor e in the odds of winning."""
MIDDLE: Final = 1500.0
"""The mean of all ratings."""
CONFIDENT: Final = 1.959963984540054
"""Standard deviations on each side of an interval of 95 %."""
FINE_ENOUGH: Final = 1e-10
MOST_STEPS: Final = 200

Scores = Mapping[tuple[str, str], tuple[float, float]]
"""For pairs of names, what each scored against the other: a win 1, a draw ½."""


class Rating(Struct, frozen=True):
    """One entrant's strength."""

    name: str
    elo: float
    margin: float
    """Half of the interval of 95 %."""
    bounded: bool = False
    """Whether somebody has won or lost everything, so that this is only a bound."""


def rate(names: Sequence[str], scores: Scores) -> list[Rating]:
    """Everyone's rating, in the order of ``names``; their mean is ``MIDDLE``."""
    table = points_table(names, scores)
    bounded = not connected(table)
    if bounded:
        table = with_half_draws(table)
    strengths = fit(table)
    covariance = inverse(anchored(information(table, strengths)))
    return [
        Rating(
            name,
            MIDDLE + ELO * strengths[place],
            ELO * CONFIDENT * sqrt(max(0.0, covariance[place][place])) if len(names) > 1 else 0.0,
            bounded,
        )
        for place, name in enumerate(names)
    ]


Matrix = list[list[float]]


def points_table(names: Sequence[str], scores: Scores) -> Matrix:
    """What each scored against each."""
    place = {name: number for number, name in enumerate(names)}
    table = [[0.0] * len(names) for _ in names]
    for (one, other), (ones, others) in scores.items():
        table[place[one]][place[other]] += ones
        table[place[other]][place[one]] += others
    return table


def connected(table: Matrix) -> bool:
    """Whether everyone has scored against everyone, at least by way of others."""
    return all(
        len(reached(len(table), scored)) == len(table)
        for scored in (lambda i, j: table[i][j] > 0, lambda i, j: table[j][i] > 0)
    )


def reached(size: int, scored: Callable[[int, int], bool]) -> set[int]:
    """Who can be reached from the first, going from one to another who scored."""
    found, waiting = {0}, [0]
    while waiting:
        here = waiting.pop()
        for there in range(size):
            if there not in found and scored(here, there):
                found.add(there)
                waiting.append(there)
    return found


def with_half_draws(table: Matrix) -> Matrix:
    """The table with one more draw of everyone who met, and of neighbours who never did."""
    size = len(table)
    return [
        [
            table[i][j] + (0.5 if i != j and (table[i][j] + table[j][i] or abs(i - j) == 1) else 0)
            for j in range(size)
        ]
        for i in range(size)
    ]


def fit(table: Matrix) -> list[float]:
    """The likeliest strengths, by Newton's method; their sum is 0."""
    size = len(table)
    strengths = [0.0] * size
    for _ in range(MOST_STEPS):
        slope = [
            sum(
                table[i][j] - (table[i][j] + table[j][i]) * chance(strengths[i] - strengths[j])
                for j in range(size)
                if i != j
            )
            for i in range(size)
        ]
        ahead = inverse(anchored(information(table, strengths)))
        step = [sum(a * b for a, b in zip(row, slope, strict=True)) for row in ahead]
        longest = max(map(abs, step), default=0.0)
        # Far from the top the method overshoots, so a step is never longer than 1.
        shorter = min(1.0, 1.0 / longest) if longest else 1.0
        strengths = [s + shorter * move for s, move in zip(strengths, step, strict=True)]
        if longest < FINE_ENOUGH:
            break
    mean = sum(strengths) / size
    return [strength - mean for strength in strengths]


def chance(ahead: float) -> float:
    """The chance to win for one who is so much stronger."""
    return 1.0 / (1.0 + exp(-ahead)) if ahead > -500 else 0.0


def information(table: Matrix, strengths: Sequence[float]) -> Matrix:
    """Fisher's: how sharply the games tell the strengths."""
    size = len(table)
    found = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(size):
            if i == j:
                continue
            won = chance(strengths[i] - strengths[j])
            known = (table[i][j] + table[j][i]) * won * (1.0 - won)
            found[i][j] -= known
            found[i][i] += known
    return found


def anchored(matrix: Matrix) -> Matrix:
    """Only differences are known; with the mean held fast, the matrix can be inverted.

    The inverse is the covariance but for a constant 1/n², which ``inverse`` takes away.
    """
    size = len(matrix)
    return [[cell + 1.0 for cell in row] for row in matrix] if size else []


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of an anchored matrix, the anchor taken away again."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for pivot in range(size):
        best = max(range(pivot, size), key=lambda row: abs(rows[row][pivot]))
        rows[pivot], rows[best] = rows[best], rows[pivot]
        scale = rows[pivot][pivot]
        rows[pivot] = [cell / scale for cell in rows[pivot]]
        for row in range(size):
            if row != pivot and rows[row][pivot]:
                factor = rows[row][pivot]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[pivot], strict=True)]
    return [[cell - 1.0 / size**2 for cell in row[size:]] for row in rows]


def wilson(points: float, games: int) -> tuple[float, float]:
    """The interval of 95 % for a share of ``points`` in ``games``, draws being half points."""
    if not games:
        return 0.0, 1.0
    share, z = points / games, CONFIDENT
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    spread = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    half = spread / (1 + z * z / games)
    return max(0.0, middle - half), min(1.0, middle + half)
