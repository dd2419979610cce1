"""A queue that is shared fairly: who has been served least is served next.

Every item belongs to a share, and what serving it cost is charged to that share. A share that had
nothing waiting starts where the others are: it has saved nothing up, and owes nothing. So whoever
asks one thing at a time waits for what is being served, however many things others have asked.
"""

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class FairQueue(Generic[T]):
    """Items that wait, by share."""

    def __init__(self) -> None:
        self.waiting: dict[str, deque[T]] = {}
        self.served: dict[str, float] = {}
        """What each share has been charged; those that wait for nothing are forgotten in time."""
        self.level = 0.0
        """What the share had been charged that was served last."""

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    def add(self, share: str, item: T) -> None:
        """Wait to be served."""
        if share not in self.waiting:
            self.waiting[share] = deque()
            self.served[share] = self.level
        self.waiting[share].append(item)

    def take(self) -> tuple[str, T] | None:
        """The next item, and whose it is."""
        if not self.waiting:
            return None
        share = min(self.waiting, key=self.served.__getitem__)
        item = self.waiting[share].popleft()
        self.level = self.served[share]
        self.tidy(share)
        return share, item

    def charge(self, share: str, cost: float) -> None:
        """An item of this share was served, and that is what it cost."""
        self.served[share] = max(self.served.get(share, 0.0), self.level) + cost

    def withdraw(self, share: str, item: T) -> bool:
        """Wait no longer; False if it was served, or never there."""
        items = self.waiting.get(share)
        if items is None or item not in items:
            return False
        items.remove(item)
        self.tidy(share)
        return True

    def clear(self) -> None:
        """Nobody waits any more."""
        self.waiting.clear()

    def tidy(self, share: str) -> None:
        """Forget what no longer makes a difference."""
        if not self.waiting[share]:
            del self.waiting[share]
            idle = self.served.keys() - self.waiting.keys()
            for name in [name for name in idle if self.served[name] < self.level]:
                del self.served[name]
