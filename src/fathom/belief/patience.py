"""How long one piece of news may be thought about."""

from typing import Final

BUDGET: Final = 2500
"""Steps of search that one piece of news may cost: 5 to 10 ms on one core."""


class OutOfPatience(Exception):
    """The search took too long; nothing is said about what was searched for."""


class Patience:
    """The steps that are left. They are counted, not timed, so that every game replays."""

    __slots__ = ("budget", "left")

    def __init__(self, budget: int = BUDGET) -> None:
        self.budget = self.left = budget

    def renew(self) -> None:
        """For the next piece of news."""
        self.left = self.budget

    def spend(self, steps: int = 1) -> None:
        """Search on, if any steps are left."""
        self.left -= steps
        if self.left < 0:
            raise OutOfPatience
