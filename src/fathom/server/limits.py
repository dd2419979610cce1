"""How much a client may ask for: rates and bounds."""

from collections import OrderedDict
from typing import Annotated, Final

from msgspec import Meta, Struct


class Rate(Struct, frozen=True, forbid_unknown_fields=True, rename={"a_second": "per_second"}):
    """So many at once, and so many a second in the long run."""

    burst: Annotated[float, Meta(ge=1)]
    a_second: Annotated[float, Meta(gt=0)]

    def times(self, factor: float) -> "Rate":
        """More of both, or less."""
        return Rate(self.burst * factor, self.a_second * factor)


ORDERS: Final = Rate(40, 20)
"""Orders and all other messages of one player, or of a connection before it says whose it is."""
CHAT: Final = Rate(5, 0.5)
"""Lines said by one player."""
OPENINGS: Final = Rate(20, 0.5)
"""Tables opened by one player."""
SETTINGS: Final = Rate(20, 4)
"""Changes of a table's settings by one player: all at the table are shown what is possible."""
STAND_INS: Final = Rate(6, 0.2)
"""Times that one player lets a bot play or takes over: each bot hears the whole game first."""
ARRIVALS: Final = Rate(20, 1 / 3)
"""Connections of one player."""
NEW_PLAYERS: Final = Rate(60, 1 / 10)
"""Of one address."""
RECOVERIES: Final = Rate(5, 1 / 60)
GUESSES: Final = Rate(20, 1 / 30)
"""Wrong table codes of one address."""
ALL_GUESSES: Final = Rate(200, 1)
"""Wrong table codes of everybody together, in one process."""
ADVICE: Final = Rate(10, 0.5)
"""Of one player."""
NEW_GAMES: Final = Rate(20, 1 / 10)
"""That one player begins."""
API: Final = Rate(100, 30)
"""Requests of one address."""
REPORTS: Final = Rate(5, 1 / 60)
"""Of lines of chat, by one player."""
EXPORTS: Final = Rate(3, 1 / 600)
"""Of all that is kept of one player."""
SMALL_FRAMES: Final = Rate(200, 20)
"""Frames of one connection that are no whole message: parts of one, pings, pongs."""
SOCKETS: Final = Rate(300, 20)
"""Websockets of one address; after a restart a whole school comes back at once."""

RATES: Final = {
    name.lower(): rate for name, rate in list(globals().items()) if isinstance(rate, Rate)
}
"""All of them by name: an operator may set each one."""
SHARED_RATES: Final = ("orders", "chat", "openings", "settings", "stand_ins")
"""Of all connections of a player together: who has many must not have many times as much."""

LONGEST_MESSAGE: Final = 4096
LONGEST_DRAWING: Final = 32_768
"""Traced strokes, and settings with a chart of one's own."""
MOST_SOLO: Final = 30
"""Unfinished games against the computer that are kept of one player: those they were at last."""
MOST_OPEN: Final = 8
"""Tables open on one connection."""


def table_rates(hourly: int) -> tuple[Rate, Rate]:
    """New tables of one address, and games against the computer.

    Those show up nowhere and end when their only player goes, so they may be many more.
    """
    return Rate(hourly, hourly / 3600), Rate(3 * hourly, 12 * hourly / 3600)


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

    def wait(self, now: float) -> float:
        """Seconds until there is one to take."""
        left = self.left + (now - self.since) * self.a_second
        return max(0.0, (1 - left) / self.a_second)


class Buckets:
    """One bucket for each name; those that were not used for longest are forgotten."""

    def __init__(self, rate: Rate, most: int = 10_000) -> None:
        self.rate, self.most = rate, most
        self.buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, name: str, now: float) -> bool:
        """Take one for this name, if there is one."""
        return self.bucket(name, now).take(now)

    def bucket(self, name: str, now: float) -> Bucket:
        """The bucket of this name, for whoever takes from it often."""
        bucket = self.buckets.get(name)
        if bucket is None:
            bucket = self.buckets[name] = Bucket(self.rate, now)
            if len(self.buckets) > self.most:
                self.buckets.popitem(last=False)
        self.buckets.move_to_end(name)
        return bucket

    def wait(self, name: str, now: float) -> float:
        """Seconds until there is one for this name."""
        bucket = self.buckets.get(name)
        return 0.0 if bucket is None else bucket.wait(now)
