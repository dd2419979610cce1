"""Games that have orders to be judged, gathered: first all that has arrived is read, then judged.

Reading, judging, telling and sending are different code and different data. Done in turn for each
order, they drive each other out of the processor's caches.
"""

import asyncio
import logging
from typing import Final, Protocol

from fathom.server.metrics import Metrics

NOTES: Final = logging.getLogger("fathom.server")


class OrderHandler(Protocol):
    """Something that has orders to be judged."""

    def work(self) -> None:
        """Judge them."""


class Docket:
    """Every game with a mailbox that is not empty."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.waiting: list[OrderHandler] = []

    def add(self, worker: OrderHandler) -> None:
        """Have the game's orders judged when all that has arrived by now is read."""
        if not self.waiting:
            asyncio.get_running_loop().call_soon(self.work)
        self.waiting.append(worker)

    def work(self) -> None:
        """Judge all of them."""
        waiting, self.waiting = self.waiting, []
        for worker in waiting:
            try:
                worker.work()
            # A fault of our own must not end the games of others.
            except Exception:  # noqa: BLE001
                self.metrics.faults += 1
                NOTES.exception("an order was not judged")
