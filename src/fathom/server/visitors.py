"""Who comes to a table, and how many wrong codes may be tried.

A code has five letters, so that it can be said aloud: many clients together could try them all. So
wrong ones are counted for each address and for everybody.
"""

import time

from msgspec import Struct

from fathom.server.limits import Bucket, Buckets, Rate
from fathom.server.troubles import Trouble


class Visitor(Struct, frozen=True):
    """Somebody who asks for a table."""

    address: str
    who: str = ""
    """Empty: nobody whom the server knows."""
    key: str = ""
    """What an unlisted table's link carries."""


class Guesses:
    """What is left of both rates."""

    def __init__(self, each: Rate, together: Rate) -> None:
        self.each, self.together = Buckets(each), Bucket(together, time.monotonic())

    def check(self, address: str) -> None:
        """Refuse to say whether there is a table, when too many codes were wrong lately."""
        now = time.monotonic()
        if self.each.wait(address, now) > 0 or self.together.wait(now) > 0:
            raise Trouble("too-many-messages")

    def miss(self, address: str) -> None:
        """A code was wrong."""
        now = time.monotonic()
        self.each.take(address, now)
        self.together.take(now)
