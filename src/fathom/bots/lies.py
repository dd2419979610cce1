"""Answering a sonar: which answer tells least.

A captain's answer is a signal. The best way to choose it at random makes the information that it
carries about the position as small as the rules allow (Blahut and Arimoto's iteration).
"""

from collections.abc import Sequence
from random import Random
from typing import Final

from fathom.engine.actions.answer import answers_on
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.orders import AnswerSonar, AnswerTruly, AnyOrder
from fathom.points import LETTERS, Points, bits

ROUNDS: Final = 30
MOST_POINTS: Final = 24
"""With more points left, nearly every lie is good enough."""


def largest_lie(
    ground: CompiledSetup, known: Points, answers: Sequence[AnyOrder], dice: Random
) -> AnyOrder:
    """The answer that leaves most points possible."""
    return max(answers, key=lambda answer: (remaining(ground, known, answer), dice.random()))


def remaining(ground: CompiledSetup, known: Points, answer: AnyOrder) -> int:
    """How many points stay possible after an answer."""
    if not isinstance(answer, AnswerSonar):
        return 0
    facts = [
        0xFFFF << 16 * (answer.row - 1) if answer.row is not None else None,
        column_points(LETTERS.index(answer.column)) if answer.column is not None else None,
        ground.sector_points[answer.sector] if answer.sector is not None else None,
    ]
    one, other = (fact for fact in facts if fact is not None)
    return (known & (one ^ other)).bit_count()


def vaguest_line(known: Points, at: int, lines: Sequence[AnswerTruly], dice: Random) -> AnswerTruly:
    """Row or column, whichever leaves more points possible (sonar.answer-true)."""
    return max(lines, key=lambda line: (on_line(known, at, line), dice.random()))


def on_line(known: Points, at: int, answer: AnswerTruly) -> int:
    """How many points a true line leaves."""
    row, column = 0xFFFF << (at & ~15), column_points(at & 15)
    return (known & (row if answer.line == "row" else column)).bit_count()


def column_points(column: int) -> Points:
    """All points of a column."""
    return sum(1 << 16 * row + column for row in range(16))


def least_telling_lie(
    ground: CompiledSetup, known: Points, at: int, answers: Sequence[AnyOrder], dice: Random
) -> AnyOrder:
    """An answer drawn so that hearing it tells as little as possible."""
    if known.bit_count() > MOST_POINTS:
        return largest_lie(ground, known, answers, dice)
    choices = {point: answers_at(ground, point) for point in bits(known | 1 << at)}
    odds = least_telling(choices)
    return dice.choices(choices[at], [odds[answer] for answer in choices[at]])[0]


def answers_at(ground: CompiledSetup, point: int) -> Sequence[AnyOrder]:
    """Every answer that a captain on this point may give."""
    return answers_on(ground, point).listed


def least_telling(choices: dict[int, Sequence[AnyOrder]]) -> dict[AnyOrder, float]:
    """How often each answer should be heard over all points."""
    odds: dict[AnyOrder, float] = {}
    for answers in choices.values():
        for answer in answers:
            odds[answer] = odds.get(answer, 0.0) + 1 / len(answers)
    for _ in range(ROUNDS):
        after = dict.fromkeys(odds, 0.0)
        for answers in choices.values():
            total = sum([odds[answer] for answer in answers])
            for answer in answers:
                after[answer] += odds[answer] / total
        odds = after
    return odds
