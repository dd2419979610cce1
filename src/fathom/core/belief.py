"""The exact belief inside the core: the same answers as ``fathom.belief``, much sooner."""

from copy import copy
from typing import Self

import numpy as np
from numpy.typing import NDArray

from fathom.belief.patience import BUDGET
from fathom.core.codes import crew_code
from fathom.core.events import encode
from fathom.core.native import NativeBelief, core_for
from fathom.engine.events import AnyEvent
from fathom.engine.knowledge.heard import Announcement
from fathom.points import Points, bits
from fathom.rules.setup import Setup
from fathom.words import Crew


class CoreBelief:
    """Where one crew's submarine can be, for anyone who hears what everyone hears.

    It is used as ``fathom.belief.evidence.Belief``, and hears the core's rows, too. Only what is
    announced is taken in.
    """

    def __init__(
        self, setup: Setup, target: Crew, *, likely: bool = False, budget: int = BUDGET
    ) -> None:
        self.setup, self.target = setup, target
        self.native = NativeBelief(core_for(setup).native, crew_code(target), likely, budget)

    def copy(self) -> Self:
        """The same belief, to go on from."""
        other = copy(self)
        other.native = copy(self.native)
        return other

    def hear(self, news: Announcement | AnyEvent) -> None:
        """Take an announcement in."""
        self.hear_rows(np.array([encode(self.setup, news)], np.int16))

    def hear_rows(self, rows: NDArray[np.int16]) -> None:
        """Take in what the core told of an order."""
        self.native.hear(rows)

    def settle(self) -> None:
        """All announcements of an order have been heard, and the game goes on."""
        self.native.settle()

    @property
    def possible(self) -> Points:
        """The points where the submarine can be."""
        return int.from_bytes(self.native.possible(), "little")

    @property
    def exact(self) -> bool:
        """Whether each of them really is possible."""
        return self.native.exact()

    @property
    def weights(self) -> dict[int, float]:
        """How likely each possible point is, if that was asked for."""
        weights = self.native.weights()
        return {point: weights[point] for point in bits(self.possible)} if weights else {}

    def mines(self) -> list[Points]:
        """For each mine that may still lie somewhere, all points where it may lie."""
        return [int.from_bytes(where, "little") for where in self.native.mines()]
