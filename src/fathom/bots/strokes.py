"""Tracing the hull as a hand does: near the middle of the band, with a little wobble."""

from math import pi, sin
from random import Random

from fathom.engine.tracing import ideal_stroke, stays_in_band
from fathom.rules.sheet import Hull

Stroke = tuple[tuple[int, int], ...]


def stroke(hull: Hull, section: int, dice: Random) -> Stroke:
    """One closed stroke that stays in the band: a wobbly one, or the ideal where that leaves it."""
    ideal = ideal_stroke(hull, section)
    for amplitude in (3.0, 2.0, 1.0):
        wobbly = wobble(ideal, amplitude, dice)
        if stays_in_band(hull, section, wobbly):
            return wobbly
    return ideal


def wobble(line: Stroke, amplitude: float, dice: Random) -> Stroke:
    """The line with slow waves on it; it still ends where it began."""
    turns, phase = dice.randint(2, 4), dice.random()
    moved = []
    for place, (x, y) in enumerate(line):
        wave = 2 * pi * (turns * place / max(1, len(line) - 1) + phase)
        moved.append((x + round(amplitude * sin(wave)), y + round(amplitude * sin(wave + pi / 3))))
    return (*moved[:-1], moved[0])
