"""What every bot is: it hears news and phrases, chooses orders, and speaks to its crew.

A bot is given what its seat sees and hears, never the game. What it does follows from its seed
and from what it was given, so a bot that has heard the same news again goes on where it was.
"""

from collections.abc import Sequence
from typing import Protocol

from fathom.bots.phrases import AnyPhrase
from fathom.engine.knowledge.heard import Heard
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.words import Seat


class Bot(Protocol):
    """Plays one seat, with whatever posts it holds."""

    def hear(self, news: Heard) -> None:
        """Take in what the seat overheard; in the order in which it happened, nothing left out."""

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        """Take in what another seat of the crew said."""

    def choose(self, offer: Offer) -> AnyOrder | None:
        """One of the offered orders, a stroke or a judgement; nothing to wait."""

    def speak(self) -> Sequence[AnyPhrase]:
        """What there is to say to the crew since the last time."""
