"""How much a client may ask for: rates and bounds."""

from collections import OrderedDict
from typing import Final

from msgspec import Struct


class Rate(Struct, frozen=True):
    """So many at once, and so many a second in the long run."""

    burst: float
    a_second: float

    def times(self, factor: float) -> "Rate":
        """More of both, or less."""
        return Rate(self.burst * factor, self.a_second * factor)


ORDERS: Final = Rate(40, 20)
CHAT: Final = Rate(5, 0.5)
OPENINGS: Final = Rate(20, 0.5)
"""Tables opened on one connection."""
ARRIVALS: Final = Rate(20, 1 / 3)
"""Connections of one player."""
NEW_PLAYERS: Final = Rate(60, 1 / 10)
"""Of one address."""
RECOVERIES: Final = Rate(5, 1 / 60)
NEW_TABLES: Final = Rate(10, 10 / 3600)
API: Final = Rate(100, 30)
"""Requests of one address."""

LONGEST_MESSAGE: Final = 4096
LONGEST_DRAWING: Final = 32_768
"""Traced strokes, and settings with a chart of one's own."""
MOST_OPEN: Final = 8
"""Tables open on one connection."""


class Bucket:
    """What is left of a rate."""

    __slots__ = ("a_second", "left", "most", "since")

    def __init__(self, rate: Rate, now: float) -> None:
        self.a_second, self.most = rate.a_second, rate.burst
        self.left, self.since = rate.burst, now

    def take(self, now: float) -> bool:
        """Take one, if there is one."""
        left = min(self.left + (now - self.since) * self.a_second, self.most)
        self.since = now
        enough = left >= 1
        self.left = left - enough
        return enough


class Buckets:
    """One bucket for each name; those that were not used for longest are forgotten."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        self.rate, self.most = rate, most
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str, now: float) -> bool:
        """Take one for this name, if there is one."""
        bucket = self.buckets.get(name)
        if bucket is None:
            bucket = self.buckets[name] = Bucket(self.rate, now)
            if len(self.buckets) > self.most:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(name)
        return bucket.take(now)
