"""What the server and its bot processes say to each other: one JSON object a line."""

from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Raw, Struct

from fathom.bots.phrases import AnyPhrase
from fathom.bots.ranks import Rank
from fathom.engine.orders import AnyOrder
from fathom.points import Point, unspell
from fathom.words import Seat

Likely: TypeAlias = dict[Point, int]
"""How likely somebody is on each point, in thousandths."""


Job: TypeAlias = Literal["play", "plot", "advise"]


class Task(Struct, frozen=True, tag_field="do", kw_only=True):
    """What all tasks share."""

    bot: str
    """The bot's name, such as ``game/a0``."""


class Enlist(Task, frozen=True, tag="enlist", kw_only=True):
    """A new bot, and what it does."""

    job: Job = "play"
    rank: Rank | None = None
    """Of one that plays."""
    seed: str
    """In hexadecimal: it is longer than a number in JSON may be."""


class Tell(Task, frozen=True, tag="tell", kw_only=True):
    """A message for its seat, as a client gets it."""

    message: Raw


class Say(Task, frozen=True, tag="say", kw_only=True):
    """What somebody of its crew said."""

    speaker: Seat
    phrase: AnyPhrase


class Ask(Task, frozen=True, tag="ask", kw_only=True):
    """What it does now, where they can be, or what to answer."""

    number: int


class Dismiss(Task, frozen=True, tag="dismiss", kw_only=True):
    """The bot is needed no longer."""


AnyTask: TypeAlias = Enlist | Tell | Say | Ask | Dismiss


class Reply(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The answer to ``Ask``."""

    bot: str
    number: int
    what: Literal["order", "plot", "fault"] = "order"
    order: AnyOrder | None = None
    phrases: tuple[AnyPhrase, ...] = ()
    them: Likely = {}
    us: Likely = {}
    position: int = 0


TASKS: Final[msgspec.json.Decoder[AnyTask]] = msgspec.json.Decoder(AnyTask, dec_hook=unspell)
REPLIES: Final[msgspec.json.Decoder[Reply]] = msgspec.json.Decoder(Reply, dec_hook=unspell)
