"""What is counted, in the form that Prometheus reads."""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Final

BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
COUNTERS: Final = {
    "orders": "Orders that took effect",
    "refusals": "Orders refused by a rule",
    "repeats": "Orders that had taken effect before",
    "unsaved": "Orders that could not be saved",
    "conflicts": "Times that another process wrote first",
    "told": "Messages about games handed to connections",
    "messages": "Messages received",
    "bad_messages": "Malformed messages received",
    "bad_requests": "Malformed HTTP requests received",
    "not_accepted": "Times that no descriptor was left to accept a connection",
    "limited": "Messages and requests refused by a limit",
    "too_slow": "Connections closed because they stopped reading",
    "resyncs": "Times that a slow connection was given the whole view instead of its backlog",
    "bot_orders": "Orders given by bots",
    "outages": "Times that the log went away",
    "unreadable": "Stored rows left out because this release can't read them",
    "faults": "Faults of our own that were caught",
}


class Metrics:
    """Counters, gauges and how long orders take from arrival to acknowledgement."""

    def __init__(self) -> None:
        self.orders = self.refusals = self.repeats = self.unsaved = self.conflicts = 0
        self.told = self.messages = self.bad_messages = self.bad_requests = self.limited = 0
        self.not_accepted = self.too_slow = self.resyncs = self.bot_orders = self.faults = 0
        self.outages = self.unreadable = 0
        self.gauges: dict[str, tuple[str, Callable[[], float]]] = {}
        self.counts = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0
        self.began = time.time()

    def took(self, seconds: float) -> None:
        """An order was acknowledged after so long."""
        self.seconds += seconds
        self.counts[bisect_left(BUCKETS, seconds)] += 1

    def watch(self, name: str, meaning: str, read: Callable[[], float]) -> None:
        """A number that goes up and down."""
        self.gauges[name] = (meaning, read)

    def text(self) -> str:
        """All of it."""
        return "\n".join([*self.lines(), ""])

    def lines(self) -> Iterator[str]:
        for name, meaning in COUNTERS.items():
            yield f"# HELP fathom_{name}_total {meaning}."
            yield f"# TYPE fathom_{name}_total counter"
            yield f"fathom_{name}_total {getattr(self, name)}"
        for name, (meaning, read) in self.gauges.items():
            yield f"# HELP fathom_{name} {meaning}."
            yield f"# TYPE fathom_{name} gauge"
            yield f"fathom_{name} {read()}"
        yield "# HELP fathom_order_seconds From an order's arrival to its acknowledgement."
        yield "# TYPE fathom_order_seconds histogram"
        total = 0
        for bound, count in zip(BUCKETS, self.counts, strict=False):
            total += count
            yield f'fathom_order_seconds_bucket{{le="{bound}"}} {total}'
        total += self.counts[-1]
        yield f'fathom_order_seconds_bucket{{le="+Inf"}} {total}'
        yield f"fathom_order_seconds_sum {self.seconds}"
        yield f"fathom_order_seconds_count {total}"
        yield "# HELP process_start_time_seconds Start time of the process."
        yield "# TYPE process_start_time_seconds gauge"
        yield f"process_start_time_seconds {self.began}"
