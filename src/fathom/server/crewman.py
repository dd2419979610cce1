"""A bot at a networked table: it is given a client's messages, and nothing else.

Its view comes from following what the seat heard, as any client could do it.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from fathom.bots.phrases import AnyPhrase
from fathom.bots.protocol import Bot
from fathom.engine.game import ground_for, new_game
from fathom.engine.ground import Ground
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.engine.secrecy import View, follow, view
from fathom.server.wire import GameOpened, Offered, Told
from fathom.words import Seat

Enlist: TypeAlias = Callable[[Ground, Seat], Bot]


class Crewman:
    """Plays one seat by the messages that come for it."""

    def __init__(self, enlist: Enlist) -> None:
        self.enlist = enlist
        self.bot: Bot | None = None
        self.offered = Offered()

    def open(self, opened: GameOpened) -> None:
        """Sit down at a game; what the seat has heard so far must come with the first news."""
        if opened.seat is None:
            raise ValueError("a bot needs a seat")
        self.seat = opened.seat
        self.ground = ground_for(opened.setup)
        self.first: View = view(new_game(opened.setup), self.seat)
        self.begin()

    def begin(self) -> None:
        self.bot = self.enlist(self.ground, self.seat)
        self.view = self.first
        self.position = 0

    def hear(self, told: Told) -> None:
        """Take in what the seat heard, and what it may do now."""
        if self.bot is None:
            return
        if told.whole and told.position == len(told.events):
            self.begin()
        for news in told.events:
            self.bot.hear(news)
            self.view = follow(self.ground, self.view, news)
        self.position = told.position
        if isinstance(told.offer, Offered):
            self.offered = told.offer

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        """Take in what another seat of the crew said."""
        if self.bot is not None and speaker != self.seat:
            self.bot.heed(speaker, phrase)

    def choose(self) -> AnyOrder | None:
        """What it does now, if anything."""
        if self.bot is None:
            return None
        offered = self.offered
        return self.bot.choose(
            Offer(self.view, offered.orders, offered.sections, offered.judging, offered.writing)
        )

    def speak(self) -> Sequence[AnyPhrase]:
        """What there is to say to the crew."""
        return self.bot.speak() if self.bot is not None else ()
