"""What belief asks of whoever follows a submarine, exactly or roughly."""

from typing import Protocol

from fathom.belief.minefield import Lay
from fathom.points import Points
from fathom.words import Heading


class Follower(Protocol):
    """The possible points of one submarine and its mines, after each piece of news."""

    lays: list[Lay]

    @property
    def possible(self) -> Points:
        """The points where the submarine can be."""

    @property
    def exact(self) -> bool:
        """Whether each of them really is possible."""

    def sail(self, heading: Heading, water: Points) -> None:
        """A course was heard."""

    def run_silent(self, water: Points) -> None:
        """A silence was heard."""

    def see(self, points: Points) -> None:
        """The submarine is on one of these points now."""

    def surface(self) -> None:
        """The submarine surfaced: its route is erased, its mines stay."""

    def lay(self, room: Points) -> Lay:
        """A mine was laid somewhere next to the submarine."""

    def had_room(self, room: Points, *, to_sail: bool) -> None:
        """There was room to lay a mine or, in four directions only, to sail on."""

    def burst(self, at: int, lays: tuple[Lay, ...]) -> None:
        """One of these mines exploded here: it lay here all the time."""

    def exploded(self, first: Points, everything: Points, *, chain: bool) -> None:
        """After explosions that set off none of the living mines: where those can't lie."""

    def buried(self, lava: Points) -> None:
        """Mines under the lava are gone."""

    def may_lie(self, lay: Lay) -> Points:
        """Where a mine may lie today; nowhere if it is gone."""
