"""Words as numbers: the codes that states and events have in the core.

Each tuple lists words in the order of their codes. The C++ side is generated from here.
"""

from typing import Final, get_args

from fathom.engine.actions.drone import DroneAnswer
from fathom.engine.events import Cause, Ending, Hit, Source
from fathom.engine.game import ChargeDue, CrossDue
from fathom.points import Points
from fathom.words import CREWS, Crew

NONE: Final = -1
"""No crew, no point, no system, no heading."""

PHASES: Final = ("placing", "playing", "over")
CHARGES: Final = get_args(ChargeDue)
CROSSINGS: Final = get_args(CrossDue)
BARS: Final = ("", "system.once", "surface.then-system")
AWAITED: Final = ("none", "sonar-answer", "volcano")
ENDINGS: Final = get_args(Ending)
HITS: Final = get_args(Hit)
SOURCES: Final = get_args(Source)
CAUSES: Final = get_args(Cause)
ANSWERS: Final = get_args(DroneAnswer)
EFFECTS: Final = ("smoke", "lava")
SURFACINGS: Final = ("three-turns", "pass", "trace", "signal")
SPECIALS: Final = ("none", "ice", "ice-field", "old-mines", "volcanoes", "damaged")
STROKES: Final = ("none", "good", "bad")

CODES: Final[dict[str, tuple[str, ...]]] = {
    "Phase": PHASES,
    "ChargeDue": CHARGES,
    "CrossDue": CROSSINGS,
    "Bar": BARS,
    "Awaits": AWAITED,
    "Ending": ENDINGS,
    "Hit": HITS,
    "Source": SOURCES,
    "Cause": CAUSES,
    "Answer": ANSWERS,
    "Effect": EFFECTS,
    "Surfacing": SURFACINGS,
    "Special": SPECIALS,
    "Stroke": STROKES,
}
"""Every list of words, by its name in C++."""


def crew_code(crew: Crew | None) -> int:
    """0 for crew a, 1 for crew b."""
    return NONE if crew is None else CREWS.index(crew)


def crew_of(code: int) -> Crew | None:
    """The crew with this code."""
    return None if code == NONE else CREWS[code]


def words_of(points: Points) -> tuple[int, int, int, int]:
    """A set of points as four words of 64 bits, the lowest first."""
    low, high = points & (1 << 128) - 1, points >> 128
    word = (1 << 64) - 1
    return low & word, low >> 64, high & word, high >> 64


def points_of(words: tuple[int, int, int, int]) -> Points:
    """The set of points in four words."""
    return sum(int(word) << 64 * place for place, word in enumerate(words))
