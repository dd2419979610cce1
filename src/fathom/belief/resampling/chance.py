"""Where chance comes from: outside. ``random.Random`` will do."""

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Chance(Protocol):
    """The draws that resampling makes."""

    def random(self) -> float:
        """A number from 0 to 1."""

    def choice(self, seq: Sequence[T], /) -> T:
        """Any of these."""

    def shuffle(self, x: MutableSequence[Any], /) -> None:
        """Put these into any order."""


def drawn(chance: Chance, weights: dict[int, float]) -> int:
    """A key, as likely as its weight."""
    left = chance.random() * sum(weights.values())
    point = -1
    for point, weight in weights.items():
        left -= weight
        if left <= 0:
            return point
    return point


def shuffled(chance: Chance, things: Sequence[T]) -> list[T]:
    """These in any order."""
    mixed = list(things)
    chance.shuffle(mixed)
    return mixed
