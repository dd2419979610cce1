"""A bot at a networked table: it is given a client's messages, and nothing else.

Its view comes from following what the seat heard, as any client could do it.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from fathom.bots.phrases import AnyPhrase
from fathom.bots.protocol import Bot
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import ground_for, new_game
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.view import View, follow, view
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.server.wire import GameOpened, Offered, Told
from fathom.words import Seat

BotMaker: TypeAlias = Callable[[CompiledSetup, Seat], Bot]


class Gap(Exception):
    """Something was not told: whoever goes on would believe what is not so."""


def starts_afresh(told: Told, position: int) -> bool:
    """Whether all that was ever heard is told; raises ``Gap`` if it does not go on from before."""
    if told.whole and told.position == len(told.events):
        return True
    if position + len(told.events) != told.position:
        raise Gap(f"{told.position - position - len(told.events)} events are missing")
    return False


class SeatFollower:
    """Follows the messages that come for one seat, and nothing else."""

    def __init__(self) -> None:
        self.position = 0
        self.offered = Offered()

    def open(self, opened: GameOpened) -> None:
        """Begin at the beginning; what was heard so far must come with the first news."""
        if opened.seat is None:
            raise ValueError("only a seat can be followed")
        self.seat = opened.seat
        self.ground = ground_for(opened.setup)
        self.first: View = view(new_game(opened.setup), self.seat)
        self.begin()

    def begin(self) -> None:
        """Forget what was heard."""
        self.view = self.first
        self.position = 0

    def hear(self, told: Told) -> None:
        """Take in what the seat heard, and what it may do now."""
        if starts_afresh(told, self.position):
            self.begin()
        for news in told.events:
            self.take(news)
            self.view = follow(self.ground, self.view, news)
        self.position = told.position
        if isinstance(told.offer, Offered):
            self.offered = told.offer

    def take(self, news: Heard) -> None:
        """Take in one of the news, while the view is still as it was before."""
        raise NotImplementedError


class Crewman(SeatFollower):
    """Plays one seat by the messages that come for it."""

    def __init__(self, enlist: BotMaker) -> None:
        super().__init__()
        self.enlist = enlist
        self.bot: Bot | None = None

    def begin(self) -> None:
        super().begin()
        self.bot = self.enlist(self.ground, self.seat)

    def hear(self, told: Told) -> None:
        if self.bot is not None:
            super().hear(told)

    def take(self, news: Heard) -> None:
        if self.bot is not None:
            self.bot.hear(news)

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
