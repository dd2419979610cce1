"""The lines between the arena and a program that plays: docs/writing-a-bot.md tells them to people.

Orders, events and views have the same forms as with ``fathom referee``.
"""

from typing import Final

import msgspec
from msgspec import Struct

from fathom.bots.phrases import AnyPhrase
from fathom.engine.game import Result
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.named_view import Portrait
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.points import spell, unspell
from fathom.rules.setup import Setup
from fathom.words import Post

PROTOCOL: Final = 1
"""Raised when a line changes its meaning."""
LONGEST_LINE: Final = 65_536
"""Bytes of an answer; the longest stroke of a traced hull takes about 26,000."""


class ProgramLine(Struct, frozen=True, tag_field="do", kw_only=True, omit_defaults=True):
    """What all lines to a program share."""


class SeatTold(Struct, frozen=True):
    """A seat: how it is called, who sits there, what they do."""

    seat: str
    name: str
    posts: tuple[Post, ...]


class SetupLine(ProgramLine, frozen=True, kw_only=True, tag="setup"):
    """The first line: all that is agreed. It wants no answer."""

    protocol: int
    seat: str
    """The program's own."""
    crew: str
    """Its crew's letter, as events and views call it."""
    seed: int
    seconds: float
    """How long an answer may take, by the clock on the wall."""
    seats: tuple[SeatTold, ...]
    colours: dict[str, str]
    gauges: dict[str, int]
    energy: int = 0
    sinks_at: int
    setup: Setup


class Said(Struct, frozen=True):
    """What another seat of the crew said."""

    seat: str
    phrase: AnyPhrase


class ChooseLine(ProgramLine, frozen=True, kw_only=True, tag="choose"):
    """It is up to the program: its answer is an order."""

    heard: tuple[Heard, ...]
    """Since the last line."""
    said: tuple[Said, ...] = ()
    view: Portrait
    orders: tuple[AnyOrder, ...]
    trace: tuple[int, ...] = ()
    judge: bool = False
    write: bool = False


class OverLine(ProgramLine, frozen=True, kw_only=True, tag="over"):
    """The last line. It wants no answer."""

    heard: tuple[Heard, ...]
    result: Result | None = None


class ProgramReply(Struct, frozen=True, forbid_unknown_fields=True):
    """A program's answer: an order, or none to wait; and what it says to its crew."""

    order: AnyOrder | None = None
    say: tuple[AnyPhrase, ...] = ()


ENCODER: Final = msgspec.json.Encoder(enc_hook=spell)
DECODER: Final[msgspec.json.Decoder[ProgramReply]] = msgspec.json.Decoder(
    ProgramReply, dec_hook=unspell
)


def asking(offer: Offer, portrait: Portrait, heard: list[Heard], said: list[Said]) -> ChooseLine:
    """The offer as a line."""
    return ChooseLine(
        heard=tuple(heard),
        said=tuple(said),
        view=portrait,
        orders=offer.orders,
        trace=offer.sections,
        judge=offer.judging,
        write=offer.writing,
    )
