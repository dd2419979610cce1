"""All messages of ``fathom referee``: what may be asked, and what is answered.

docs/referee.md tells them to people; the structs here are what is read and written.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from fathom.engine.events import AnyEvent
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.named_view import Portrait
from fathom.engine.orders import AnyOrder
from fathom.rules.setup import Choices, Setup
from fathom.words import Post

PROTOCOL: Final = 1
"""Raised when a message changes its meaning."""

Id: TypeAlias = str | int
GameName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]
DEFAULT_GAME: Final = "game"


# What may be asked


class SeatByNumber(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as an object; the crew is ``a``, ``b`` or its colour."""

    crew: str
    number: int


SeatName: TypeAlias = str | SeatByNumber
"""``yellow/0``, ``{"crew":"yellow","number":0}``, ``referee`` or ``watcher``."""


class RefereeRequest(Struct, frozen=True, forbid_unknown_fields=True, tag_field="do", kw_only=True):
    """What all requests share."""

    id: Id | None = None
    """Whatever it is, the answer carries it, too."""


class AboutGame(RefereeRequest, frozen=True, kw_only=True):
    """What all requests about one game share."""

    game: GameName = DEFAULT_GAME


class AskGreeting(RefereeRequest, frozen=True, kw_only=True, tag="hello"):
    """Ask what there is: versions, limits, rulebooks, scenarios, charts."""


class SetUp(
    Choices, frozen=True, forbid_unknown_fields=True, tag_field="do", tag="setup", kw_only=True
):
    """Set a game up: all choices of a table, and how the referee shall act."""

    id: Id | None = None
    game: GameName = DEFAULT_GAME
    chart_text: str | None = None
    """A chart of one's own, written as a chart file is."""
    auto: bool = False
    """Whether the referee draws lots and ends stops by itself."""
    seed: int | None = None
    """Of the lots that it draws."""


class GiveSeatOrder(AboutGame, frozen=True, kw_only=True, tag="order"):
    """Give an order from a seat."""

    seat: SeatName
    order: AnyOrder


class AskView(AboutGame, frozen=True, kw_only=True, tag="view"):
    """Ask what a seat sees."""

    seat: SeatName


class AskLegal(AboutGame, frozen=True, kw_only=True, tag="legal"):
    """Ask which orders a seat may give."""

    seat: SeatName


class AskEvents(AboutGame, frozen=True, kw_only=True, tag="events"):
    """Ask what happened since a position: everything, or what a seat heard of it."""

    since: int = 0
    seat: SeatName | None = None


class AskLogbook(AboutGame, frozen=True, kw_only=True, tag="logbook"):
    """Ask for the logbook so far."""


class CloseGame(AboutGame, frozen=True, kw_only=True, tag="close"):
    """Forget a game, and make room for another."""


class AskGames(RefereeRequest, frozen=True, kw_only=True, tag="games"):
    """Ask which games are running."""


class Quit(RefereeRequest, frozen=True, kw_only=True, tag="quit"):
    """End the process."""


AnyRefereeRequest: TypeAlias = (
    AskGreeting
    | SetUp
    | GiveSeatOrder
    | AskView
    | AskLegal
    | AskEvents
    | AskLogbook
    | CloseGame
    | AskGames
    | Quit
)


# What is answered


class RefereeAnswer(Struct, frozen=True, tag_field="answer", kw_only=True, omit_defaults=True):
    """What all answers share."""

    id: Id | None = None


class AboutGameAnswer(RefereeAnswer, frozen=True, kw_only=True):
    """What all answers about one game share."""

    game: str
    position: int
    """How many events the game has had so far."""


class Greeting(RefereeAnswer, frozen=True, kw_only=True, tag="hello"):
    """What there is."""

    fathom: str
    protocol: int
    rules: int
    rulebooks: tuple[str, ...]
    scenarios: tuple[str, ...]
    charts: tuple[str, ...]
    most_games: int
    longest_line: int


class SeatAgreed(Struct, frozen=True):
    """A seat: how to call it, who sits there, what they do."""

    seat: str
    name: str
    posts: tuple[Post, ...]


class Agreed(AboutGameAnswer, frozen=True, kw_only=True, tag="setup"):
    """The set-up with everything resolved."""

    seats: tuple[SeatAgreed, ...]
    colours: dict[str, str]
    gauges: dict[str, int]
    """Boxes by system; without an energy gauge."""
    energy: int = 0
    """Boxes of the energy gauge, where there is one."""
    sinks_at: int
    """Damage that sinks a submarine."""
    seed: int | None = None
    setup: Setup
    """All that the engine reads: rulebook, chart, sheet, hull, crews, house."""
    events: tuple[AnyEvent, ...] = ()
    heard: dict[str, tuple[Heard, ...]] = {}


class Happened(AboutGameAnswer, frozen=True, kw_only=True, tag="order"):
    """Events, all of them, and each seat's share."""

    events: tuple[AnyEvent, ...]
    heard: dict[str, tuple[Heard, ...]]
    over: bool = False


class Shown(AboutGameAnswer, frozen=True, kw_only=True, tag="view"):
    """What a seat sees."""

    seat: str
    view: Portrait


class Allowed(AboutGameAnswer, frozen=True, kw_only=True, tag="legal"):
    """The orders that a seat may give, and which orders with drawings or words it may give."""

    seat: str
    orders: tuple[AnyOrder, ...]
    trace: tuple[int, ...] = ()
    """Sections of the hull that the seat may trace."""
    judge: bool = False
    """Whether it may judge the enemy's traced hull."""
    write: bool = False
    """Whether it may write on the transparent sheet."""


class Recalled(AboutGameAnswer, frozen=True, kw_only=True, tag="events"):
    """What happened since a position: all of it, or a seat's share."""

    since: int
    seat: str = ""
    events: tuple[Heard, ...]


class Written(AboutGameAnswer, frozen=True, kw_only=True, tag="logbook"):
    """The logbook so far."""

    text: str


class Closed(AboutGameAnswer, frozen=True, kw_only=True, tag="close"):
    """The game is forgotten."""


class Games(RefereeAnswer, frozen=True, kw_only=True, tag="games"):
    """The games that are running, with their positions."""

    games: dict[str, int]


class LastAnswer(RefereeAnswer, frozen=True, kw_only=True, tag="quit"):
    """The last line."""


class Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An order or a set-up that breaks a rule; nothing has changed."""

    refused: str
    what: str = ""
    id: Id | None = None
    game: str


ErrorCode: TypeAlias = Literal[
    "not-utf-8",
    "not-json",
    "too-long",
    "too-deep",
    "duplicate-key",
    "bad-message",
    "bad-chart",
    "unknown-game",
    "unknown-seat",
    "game-exists",
    "too-many-games",
    "internal",
]


class LineError(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line that could not be understood or done; nothing has changed."""

    error: ErrorCode
    what: str
    where: str = ""
    """The place within the message, such as ``$.order.heading``, or within its line."""
    line: int = 0
    """The number of the input line."""
    id: Id | None = None


AnyRefereeAnswer: TypeAlias = RefereeAnswer | Refusal | LineError
