"""How fast hands are: what bots need for an order in real time, so that people can keep up.

The table sets the factor. Whoever runs the bots keeps the clock, a real one or a virtual one: after
an order its seat's hand is busy, and what a seat hears it takes in before it acts on it.
"""

from random import Random
from typing import Final

from msgspec import Struct

from fathom.bots.ranks import Rank
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder

SECONDS: Final[dict[type, float]] = {
    give.Place: 1.0,
    give.Dive: 1.0,
    give.SetCourse: 3.0,
    give.Surface: 2.0,
    give.RunSilent: 4.0,
    give.Charge: 1.0,
    give.CrossOut: 1.0,
    give.TraceSection: 4.0,
    give.JudgeTrace: 2.0,
    give.ReportReady: 1.0,
    give.DrawLine: 1.0,
    give.PutMark: 1.0,
    give.WriteNote: 2.0,
}
"""How long a hand is busy with an order."""
A_SYSTEM: Final = 2.0
"""And with any order that is not named there: to activate a system, to answer."""
REACTION: Final = 0.7
"""From hearing something to acting on it."""
SPREAD: Final = 0.3
"""How far from that a hand may be, as a share of it."""
GREENHORNS: Final[dict[Rank, float]] = {Rank.CADET: 1.3, Rank.ENSIGN: 1.15}
"""Ranks that take longer for everything."""


class PaceFactor(Struct, frozen=True):
    """A table's pace; a factor of 2 takes twice as long, 0.5 half as long."""

    factor: float = 1.0

    def seconds(self, order: AnyOrder, rank: Rank | None, dice: Random) -> float:
        """How long the order keeps a hand busy.

        A section is traced before the order is given, with the sheet in hand; all others after.
        """
        return self.taking(SECONDS.get(type(order), A_SYSTEM), rank, dice)

    def tracing(self, rank: Rank | None, dice: Random) -> float:
        """How long a seat traces one section of the hull."""
        return self.taking(SECONDS[give.TraceSection], rank, dice)

    def reaction(self, rank: Rank | None, dice: Random) -> float:
        """How long a seat takes from news to acting on it."""
        return self.taking(REACTION, rank, dice)

    def taking(self, usual: float, rank: Rank | None, dice: Random) -> float:
        """The usual time, a little more or less; without a rank, nobody is a greenhorn."""
        green = GREENHORNS.get(rank, 1.0) if rank is not None else 1.0
        return usual * self.factor * green * (1.0 + SPREAD * (2.0 * dice.random() - 1.0))
