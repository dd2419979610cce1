"""What is to be sent, gathered: each connection is written to once, however much it is."""

import asyncio
from typing import Final, Protocol

CROWD: Final = 256
"""So many are written to in one go. Whoever sleeps is woken by the first, which costs as much as
writing: the orders of one commit wake a machine's clients once, and not once for each order."""


class Sender(Protocol):
    """Something that has messages to send."""

    def flush(self) -> None:
        """Send them."""


class Outgoing:
    """Everyone who has something to send."""

    def __init__(self) -> None:
        self.waiting: list[Sender] = []

    def add(self, sender: Sender) -> None:
        """Have the sender's messages sent, at the latest when all that is due now is done."""
        if not self.waiting:
            asyncio.get_running_loop().call_soon(self.flush)
        self.waiting.append(sender)

    def flush_crowd(self) -> None:
        """An order is told: if many wait by now, send it, so that none waits long."""
        if len(self.waiting) >= CROWD:
            self.flush()

    def flush(self) -> None:
        """Send what there is now."""
        waiting, self.waiting = self.waiting, []
        for sender in waiting:
            sender.flush()
