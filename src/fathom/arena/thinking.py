"""How long bots think: sums and a rough distribution, small enough to keep for every game."""

from collections.abc import Iterable
from math import log2
from typing import Final

from msgspec import Struct

from fathom.bots.ranks import Rank

LIMITS: Final = {Rank.COMMANDER.value: 0.010, Rank.ADMIRAL.value: 0.100}
"""Seconds of CPU that a decision may take."""
FINENESS: Final = 8
"""Steps of the distribution for each doubling: percentiles are right within 9 %."""
SHORTEST: Final = 1e-7
"""Seconds; what is shorter counts as this."""


class ThinkingTimes(Struct):
    """Times spent on something, in seconds of CPU."""

    count: int = 0
    total: float = 0.0
    longest: float = 0.0
    steps: dict[int, int] = {}
    """How many took about ``2 ** (step / FINENESS)`` seconds."""

    def note(self, seconds: float) -> None:
        """One more."""
        self.count += 1
        self.total += seconds
        self.longest = max(self.longest, seconds)
        step = round(log2(max(seconds, SHORTEST)) * FINENESS)
        self.steps[step] = self.steps.get(step, 0) + 1

    @property
    def mean(self) -> float:
        """The mean."""
        return self.total / self.count if self.count else 0.0

    def percentile(self, share: float) -> float:
        """What ``share`` of all times stay below, roughly."""
        left = share * self.count
        for step in sorted(self.steps):
            left -= self.steps[step]
            if left <= 0:
                return min(self.longest, 2 ** (step / FINENESS))
        return self.longest


def together(parts: Iterable[ThinkingTimes]) -> ThinkingTimes:
    """Several of them as one."""
    whole = ThinkingTimes()
    for part in parts:
        whole.count += part.count
        whole.total += part.total
        whole.longest = max(whole.longest, part.longest)
        for step, count in part.steps.items():
            whole.steps[step] = whole.steps.get(step, 0) + count
    return whole
