"""Bots that do something wrong, or that write down what they are given."""

# ruff: noqa: ARG002 - most of them don't care what they are given

import os
import sys
from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

from msgspec.structs import replace

from fathom.bots.cadet import Cadet
from fathom.bots.phrases import AnyPhrase, Ready, WhichWay
from fathom.engine import orders as give
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.knowledge.heard import Heard
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.words import Heading, Seat, System


class RecordingCadet(Cadet):
    """A cadet that keeps what it was given."""

    every: ClassVar[list["RecordingCadet"]] = []

    def __init__(self, ground: CompiledSetup, seat: Seat, seed: int) -> None:
        super().__init__(ground, seat, seed)
        self.news: list[Heard] = []
        self.offers: list[Offer] = []
        RecordingCadet.every.append(self)

    def hear(self, news: Heard) -> None:
        super().hear(news)
        self.news.append(news)

    def choose(self, offer: Offer) -> AnyOrder | None:
        self.offers.append(offer)
        return super().choose(offer)


class Talker(RecordingCadet):
    """Says something whenever it is asked, and keeps what it is told."""

    def __init__(self, ground: CompiledSetup, seat: Seat, seed: int) -> None:
        super().__init__(ground, seat, seed)
        self.told: list[tuple[Seat, AnyPhrase]] = []
        self.sayings: list[AnyPhrase] = []

    def choose(self, offer: Offer) -> AnyOrder | None:
        self.sayings.append(WhichWay())
        return super().choose(offer)

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        self.told.append((speaker, phrase))
        if phrase == WhichWay():
            self.sayings.append(Ready(System.MINE))

    def speak(self) -> Sequence[AnyPhrase]:
        said, self.sayings = self.sayings, []
        return said


class Chatterbox(Cadet):
    """Always has something to say."""

    def speak(self) -> Sequence[AnyPhrase]:
        return (WhichWay(),)


class BreaksRules(Cadet):
    """Sails before it has dived."""

    def choose(self, offer: Offer) -> AnyOrder | None:
        return give.SetCourse(Heading.N)


class TalksNonsense(Cadet):
    """Gives orders that are none."""

    def choose(self, offer: Offer) -> Any:
        return "full steam ahead"


class WrongType(Cadet):
    """Gives an order with something wrong inside."""

    def choose(self, offer: Offer) -> Any:
        return give.SetCourse("up")  # type: ignore[arg-type]


class PlainNumberCadet(Cadet):
    """Gives points as plain numbers, as somebody might who computes with them."""

    def choose(self, offer: Offer) -> Any:
        chosen = super().choose(offer)
        if isinstance(chosen, give.Place):
            return give.Place(int(chosen.at))  # type: ignore[arg-type]
        return chosen


class FailsToBegin(Cadet):
    def __init__(self, ground: CompiledSetup, seat: Seat, seed: int) -> None:
        raise RuntimeError("no fuel")


class FailsToHear(Cadet):
    def hear(self, news: Heard) -> None:
        raise ValueError("what did they say?")


class FailsToChoose(Cadet):
    def choose(self, offer: Offer) -> NoReturn:
        raise KeyError("which one")


class FailsToSpeak(Cadet):
    def speak(self) -> NoReturn:
        raise ValueError("tongue-tied")


class FailsToHeed(Chatterbox):
    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        raise ValueError("not listening")


class Leaves(Cadet):
    def choose(self, offer: Offer) -> NoReturn:
        sys.exit(3)


class Dies(Cadet):
    """Takes its whole process down."""

    def choose(self, offer: Offer) -> NoReturn:
        os._exit(7)


class Sleeps(Cadet):
    """Never orders anything."""

    def choose(self, offer: Offer) -> None:
        return None


class GivesUp(Cadet):
    def choose(self, offer: Offer) -> AnyOrder | None:
        return give.RESIGN


class Peaceful(Cadet):
    """Sails to and fro and surfaces; it never shoots, so its games have no end."""

    def choose(self, offer: Offer) -> AnyOrder | None:
        peaceful = (give.Place, give.Dive, give.SetCourse, give.Surface, give.ResumePlay)
        orders = [order for order in offer.orders if isinstance(order, peaceful)]
        courses = [order for order in orders if isinstance(order, give.SetCourse)]
        dives = [order for order in orders if isinstance(order, give.Dive)]
        return (dives or courses or orders or [None])[0]


class Vengeful(Cadet):
    """Lays mines, and sets them off in the enemy's turn only."""

    def choose(self, offer: Offer) -> AnyOrder | None:
        mines = [order for order in offer.orders if isinstance(order, give.TriggerMine)]
        if mines and self.out_of_turn(offer):
            return mines[0]
        wanted = [order for order in offer.orders if isinstance(order, give.LayMine | give.Charge)]
        unwanted = (give.TriggerMine, give.Surface, give.Resign)
        others = [order for order in offer.orders if not isinstance(order, unwanted)]
        return super().choose(replace(offer, orders=tuple(wanted or others or offer.orders)))
