"""Scenarios: a chart of each size, in the order that the rulebooks advise."""

from msgspec import Struct

LARGE_SIDE = 15


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """One scenario; its special rules come with its charts."""

    name: str
    title: str
    edition: str
    advised: int
    """Its place in the order in which the rulebook advises to play them."""
    about: str
    small: str
    """The chart of 10 by 10 points."""
    large: str | None = None
    """The chart of 15 by 15 points; the family game has none."""

    def chart(self, side: int) -> str | None:
        """The chart's name for a sea of this size."""
        return self.large if side == LARGE_SIDE else self.small
