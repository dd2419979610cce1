"""Bots that write down what they were given and what they did with it."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import field

from fathom.arena.entrants import Entrant
from fathom.arena.match import Match
from fathom.bots.phrases import AnyPhrase
from fathom.bots.protocol import Bot
from fathom.bots.ranks import Rank
from fathom.bots.roster import enlist
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.knowledge.heard import Heard
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.rules.setup import Setup
from fathom.words import ByCrew, Seat


class DiaryEntry(NamedTuple):
    """One decision: after how much news, what was offered, what was chosen, what was said."""

    heard: int
    heeded: int
    offer: Offer
    order: AnyOrder | None


class Diary:
    """A bot of some rank, and all that passed between it and the table."""

    def __init__(self, bot: Bot, ground: CompiledSetup, seat: Seat, seed: int) -> None:
        self.bot, self.ground, self.seat, self.seed = bot, ground, seat, seed
        self.news: list[Heard] = []
        self.told: list[tuple[Seat, AnyPhrase]] = []
        self.said: list[tuple[int, AnyPhrase]] = []
        """What the bot said, and after how many decisions."""
        self.entries: list[DiaryEntry] = []

    def hear(self, news: Heard) -> None:
        self.news.append(news)
        self.bot.hear(news)

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        self.told.append((speaker, phrase))
        self.bot.heed(speaker, phrase)

    def choose(self, offer: Offer) -> AnyOrder | None:
        order = self.bot.choose(offer)
        self.entries.append(DiaryEntry(len(self.news), len(self.told), offer, order))
        return order

    def speak(self) -> Sequence[AnyPhrase]:
        said = self.bot.speak()
        self.said += [(len(self.entries), phrase) for phrase in said]
        return said


class DiaryEntrant(Entrant, frozen=True):
    """An entrant whose bots keep diaries."""

    diaries: list[Diary] = field(default_factory=list)

    def enlist(self, ground: CompiledSetup, seat: Seat, seed: int) -> Bot:
        bot = super().enlist(ground, seat, seed)
        self.diaries.append(Diary(bot, ground, seat, seed))
        return self.diaries[-1]


def ranked(rank: Rank) -> Entrant:
    """Bots of a rank."""
    return Entrant(rank.value, rank.value)


def recorded(setup: Setup, rank: Rank, seed: int, other: Rank | None = None) -> list[Diary]:
    """The diaries of a whole game, which ends without a fault."""
    a, b = (DiaryEntrant(r.value, r.value) for r in (rank, other or rank))
    outcome = Match(setup, ByCrew(a, b), seed).play()
    assert outcome.fault is None, outcome.fault
    return [*a.diaries, *b.diaries]


def again(diary: Diary, entry: DiaryEntry, rank: Rank, seed: int) -> AnyOrder | None:
    """What a fresh bot chooses that is told everything again."""
    bot = enlist(rank, diary.ground, diary.seat, seed)
    for news in diary.news[: entry.heard]:
        bot.hear(news)
    for speaker, phrase in diary.told[: entry.heeded]:
        bot.heed(speaker, phrase)
    return bot.choose(entry.offer)
