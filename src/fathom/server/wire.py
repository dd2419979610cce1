"""All messages between server and client, in one file: sockets first, then the HTTP API.

``web/src/wire.ts`` is made from these structs (``python -m fathom.server.typescript``), and so is
the OpenAPI document. docs/protocol.md tells how they are used. Whatever is not public in the game
reaches a client through ``Told`` alone, and what stands there comes from ``engine.secrecy``.

The server sends keys and arguments, never sentences: a rule's name, an error's key, a phrase.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from fathom.bots.phrases import AnyPhrase
from fathom.bots.ranks import Rank
from fathom.engine.actions.cross_out import Mark
from fathom.engine.events import AnyEvent
from fathom.engine.game import Film, Item, Result, Trace
from fathom.engine.knowledge.heard import Announcement, Heard
from fathom.engine.knowledge.named_view import (
    DutyPortrait,
    EnginePortrait,
    GaugesPortrait,
    HelmPortrait,
    PublicPortrait,
)
from fathom.engine.knowledge.view import Drawing
from fathom.engine.orders import AnyOrder
from fathom.points import WIDEST, Point, name, unspell
from fathom.rules.chart import Chart
from fathom.rules.rulebook import Rulebook
from fathom.rules.scenario import Scenario
from fathom.rules.setup import USUAL_RULEBOOK, House, Setup
from fathom.rules.sheet import Hull, Sheet
from fathom.rules.text import Rule, Section
from fathom.words import ByCrew, Crew, Mode, Post, Seat, System

PROTOCOL: Final = 1
"""Raised when a message changes its meaning; a client with another number is sent away."""

CODE_LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What table codes are made of: nothing that is easily taken for something else."""

TableCode: TypeAlias = Annotated[str, Meta(pattern=rf"^[{CODE_LETTERS}]{{4,8}}$")]
"""A table's short code, such as ``K7QMX``."""
TABLE_KEY: Final = "^[0-9A-Za-z_-]{22}$"
TableKey: TypeAlias = Annotated[str, Meta(pattern=TABLE_KEY)]
"""What the link to an unlisted table carries after the ``#``."""
GameId: TypeAlias = Annotated[str, Meta(pattern="^[0-9A-Za-z_-]{8,40}$")]
"""A game's name; who knows it may see the record of the finished game."""
PlayerId: TypeAlias = Annotated[str, Meta(pattern="^[0-9A-Za-z_-]{8,40}$")]
"""A player's public name in messages; it is no secret and opens nothing."""
MessageId: TypeAlias = Annotated[str, Meta(pattern="^[!-~]{1,40}$")]
"""A client's own name for a message. An order with the same one takes effect once."""
Token: TypeAlias = Annotated[str, Meta(min_length=16, max_length=100)]
"""A device's secret. It is sent in ``Hello`` and in the header ``Authorization``, nowhere else."""
TokenId: TypeAlias = Annotated[str, Meta(pattern="^[0-9A-Za-z_-]{8,40}$")]
"""A token's public name, by which its player ends it; it opens nothing."""
DeviceName: TypeAlias = Annotated[str, Meta(max_length=60)]
"""What a token is called in the list of a player's devices and programs."""
RecoveryCode: TypeAlias = Annotated[str, Meta(max_length=60)]
PlayerName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
BoatName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
ChatText: TypeAlias = Annotated[str, Meta(min_length=1, max_length=300)]
Position: TypeAlias = Annotated[int, Meta(ge=0, le=1_000_000)]
"""How many events somebody has heard in a game. Every seat and the public count for themselves."""
Milliseconds: TypeAlias = int
Moment: TypeAlias = int
"""A time of day: milliseconds since 1970, UTC."""
Arguments: TypeAlias = dict[str, str | int]
"""What a key's sentence is about: numbers, names, other keys."""

Channel: TypeAlias = Literal["crew", "table"]
Phase: TypeAlias = Literal["gathering", "playing", "over"]
PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
BotPace: TypeAlias = Literal["at-once", "brisk", "human"]
"""How long bots take for an order: no time, half a person's, about a person's."""
Watching: TypeAlias = Literal["nobody", "public", "everything"]
ReportReason: TypeAlias = Literal["insult", "threat", "spam", "name", "other"]

ErrorKey: TypeAlias = Literal[
    "bad-message",
    "bad-protocol",
    "bad-token",
    "token-ended",
    "not-in-scope",
    "bad-origin",
    "bad-name",
    "bad-recovery",
    "bad-chart",
    "too-long",
    "too-many-messages",
    "too-many-connections",
    "too-many-tables",
    "too-many-tokens",
    "too-much-chat",
    "unknown-table",
    "unknown-game",
    "unknown-token",
    "unknown-scenario",
    "unknown-path",
    "bad-method",
    "not-at-this-table",
    "not-your-seat",
    "not-the-host",
    "post-taken",
    "post-empty",
    "seats-empty",
    "not-ready",
    "game-is-on",
    "no-game",
    "game-too-long",
    "game-not-over",
    "watching-not-allowed",
    "removed",
    "table-locked",
    "muted",
    "banned",
    "unknown-player",
    "unknown-entry",
    "not-open",
    "busy",
    "not-saved",
    "going-down",
    "internal",
]
"""Every error that is not a rule of the game; ``docs/protocol.md`` tells each one's meaning."""


# What both directions speak of


class Clocks(Struct, frozen=True, forbid_unknown_fields=True):
    """How much time a crew has; turn by turn only."""

    turn_seconds: Annotated[int, Meta(ge=5, le=3600)] | None = None
    """For one turn with its marks, and for an answer in the other crew's turn (end.time)."""
    game_seconds: Annotated[int, Meta(ge=30, le=36_000)] | None = None
    """For all of a crew's turns together."""


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All that a table agrees before a game. Everything has a sensible default."""

    rulebook: str = USUAL_RULEBOOK
    mode: Mode = Mode.TURN_BY_TURN
    scenario: str | None = None
    """None: the one that the rulebook advises first."""
    chart_text: Annotated[str, Meta(max_length=20_000)] | None = None
    """A chart of one's own, written as a chart file is, instead of a scenario."""
    goal: str | None = None
    """None: the rulebook's usual way of winning."""
    sheet: str | None = None
    """The engineer's sheet; None: the usual one."""
    rulings: dict[str, Any] = {}
    """Fields of the rulebook that this table plays otherwise; ``Library.rulings`` lists them."""
    house: House = House(leaving="bot", leaving_seconds=30.0)
    """Radio help, stations, pauses, answers' time, what happens when someone leaves."""
    first: Crew | None = None
    """Who begins, turn by turn; None: drawn."""
    clocks: Clocks = Clocks()
    watching: Watching = "public"
    """Whether spectators see nothing, what is public, or everything after a delay."""
    watch_delay: Annotated[int, Meta(ge=10, le=3600)] = 120
    """Seconds after which spectators see everything, where they may; the server raises it to two
    minutes or more. They also wait until each crew has made ten moves since."""
    listed: bool = True
    """Whether the lobby shows the table; otherwise it is joined by its link, or by its code while
    it gathers."""
    rank: Rank = Rank.LIEUTENANT
    """Of bots that fill empty posts or take posts over. Bots of this rank follow its changes."""
    pace: BotPace = "human"


class Obstacle(Struct, frozen=True):
    """Why something can't be: a rule of the game or an error's key, with arguments."""

    key: str
    """A rule's name has a dot (``crew.mode``), an error's key has none."""
    arguments: Arguments = {}


# From the client


class Request(
    Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="type", gc=False
):
    """What all of a client's messages share."""

    id: MessageId | None = None
    """If given, the message is answered by ``Done``, ``Refused`` or ``Problem`` with it."""


class AboutTable(Request, frozen=True, kw_only=True):
    """What all messages about one table share."""

    table: TableCode


class Hello(Request, frozen=True, kw_only=True, tag="hello"):
    """The first message of every connection; answered by ``Welcome``."""

    protocol: int
    token: Token


class Ping(Request, frozen=True, kw_only=True, tag="ping"):
    """Send one every 2.5 seconds; who is silent for 9 seconds counts as gone."""

    number: Annotated[int, Meta(ge=0, le=2**53)] = 0


class FollowLobby(Request, frozen=True, kw_only=True, tag="follow-lobby"):
    """Ask for the lobby, now and whenever it changes, or no longer."""

    on: bool = True


class OpenTable(AboutTable, frozen=True, kw_only=True, tag="open"):
    """Be at a table: get its state, its chat and its game, now and whenever they change.

    Also how one resumes: with the game and position last heard, what was missed is told.
    """

    key: TableKey | None = None
    """For an unlisted table where you hold no post: from its link, or from ``table``. Without it
    the code opens the table while it gathers, and then no more."""
    game: GameId | None = None
    position: Position | None = None
    """The position last heard in that game; 0 asks for all events, None for none of the past."""
    chat: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """The number of the last chat line that the client has."""


class CloseTable(AboutTable, frozen=True, kw_only=True, tag="close"):
    """Hear no more of a table on this connection. Posts are kept."""


class Sit(AboutTable, frozen=True, kw_only=True, tag="sit"):
    """Take posts that are free or a bot's; before the start only. Posts in the other crew go."""

    crew: Crew
    posts: Annotated[tuple[Post, ...], Meta(max_length=4)] = ()
    """None named: all that are free."""


class Stand(AboutTable, frozen=True, kw_only=True, tag="stand"):
    """Give posts up; before the start and after the end."""

    posts: Annotated[tuple[Post, ...], Meta(max_length=4)] = ()
    """None named: all."""


class Swap(AboutTable, frozen=True, kw_only=True, tag="swap"):
    """Ask to change places with whoever holds a post; a bot agrees at once, a person by ``swap``.

    It counts for all posts of both.
    """

    crew: Crew
    post: Post


class PlaceBot(AboutTable, frozen=True, kw_only=True, tag="place-bot"):
    """Put one bot on free posts (the host)."""

    crew: Crew
    posts: Annotated[tuple[Post, ...], Meta(max_length=4)] = ()
    """None named: all that are free."""
    rank: Rank | None = None
    """None: as the table's settings say."""


class ClearPost(AboutTable, frozen=True, kw_only=True, tag="clear-post"):
    """Take a post from a bot or a person; before the start only (the host)."""

    crew: Crew
    post: Post


class ChangeSettings(AboutTable, frozen=True, kw_only=True, tag="settings"):
    """Agree on something else; before the start only (the host)."""

    settings: Settings


class NameBoat(AboutTable, frozen=True, kw_only=True, tag="name-boat"):
    """Name a submarine, and say whether its first mate is shy (its crew, or the host)."""

    crew: Crew
    boat: BoatName
    shy_mate: bool = False


class GetReady(AboutTable, frozen=True, kw_only=True, tag="get-ready"):
    """Say that one is ready to dive, or not yet."""

    ready: bool = True


class Start(AboutTable, frozen=True, kw_only=True, tag="start"):
    """Begin the game: every post is held and every person ready (the host)."""

    fill: bool = False
    """Whether bots take the free posts."""


class Rematch(AboutTable, frozen=True, kw_only=True, tag="rematch"):
    """After the end: gather again, with sides swapped, everybody on their old posts.

    With ``at_once`` the next game begins instead, on the same sides and against the same bots:
    for a host who is the only person at the table. Free posts are filled with bots. If others
    hold posts, the answer is ``not-ready``.
    """

    at_once: bool = False
    rank: Rank | None = None
    """With ``at_once``: the rank of all bots from now on; None: as before."""


class LetBotPlay(AboutTable, frozen=True, kw_only=True, tag="let-bot-play"):
    """Let a bot play one's posts, or take them back. Who comes back gets them back anyway."""

    on: bool = True


class HandOver(AboutTable, frozen=True, kw_only=True, tag="hand-over"):
    """Make somebody who holds a post the host (the host)."""

    who: PlayerId


class RemovePerson(AboutTable, frozen=True, kw_only=True, tag="remove"):
    """Remove somebody from the table for good; in a game a bot takes their posts (the host)."""

    who: PlayerId


class LockTable(AboutTable, frozen=True, kw_only=True, tag="lock"):
    """Let nobody new sit down, or let them again (the host)."""

    on: bool = True


class MutePerson(AboutTable, frozen=True, kw_only=True, tag="mute"):
    """Take somebody's lines of chat no longer, or take them again (the host).

    Quick phrases are still taken.
    """

    who: PlayerId
    on: bool = True


class Report(AboutTable, frozen=True, kw_only=True, tag="report"):
    """Tell the server's operator of lines of chat that break the rules of behaviour."""

    lines: Annotated[tuple[int, ...], Meta(min_length=1, max_length=20)]
    """Their numbers, as the reporter was told them."""
    why: ReportReason
    text: Annotated[str, Meta(max_length=500)] = ""


class GiveOrder(Request, frozen=True, kw_only=True, tag="order"):
    """Give an order. Until it is answered, send it again after a reconnect, with the same id."""

    id: MessageId
    game: GameId
    order: AnyOrder


class Advise(Request, frozen=True, kw_only=True, tag="advise"):
    """Ask which answer to a sonar tells the enemy least; for whoever must give it.

    ``Done`` with ``advice`` comes when it has been worked out; other messages don't wait for it.
    """

    id: MessageId
    game: GameId


class SayWords(AboutTable, frozen=True, kw_only=True, tag="chat"):
    """Write a line to one's crew or to everyone at the table."""

    channel: Channel
    text: ChatText


class SayPhrase(AboutTable, frozen=True, kw_only=True, tag="say"):
    """Say a quick phrase to one's crew; bots understand it."""

    phrase: AnyPhrase


AnyRequest: TypeAlias = (
    Hello
    | Ping
    | FollowLobby
    | OpenTable
    | CloseTable
    | Sit
    | Stand
    | Swap
    | PlaceBot
    | ClearPost
    | ChangeSettings
    | NameBoat
    | GetReady
    | Start
    | Rematch
    | LetBotPlay
    | HandOver
    | RemovePerson
    | LockTable
    | MutePerson
    | Report
    | GiveOrder
    | Advise
    | SayWords
    | SayPhrase
)


# To the client


class News(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True, gc=False):
    """What all of the server's messages share."""


class Welcome(News, frozen=True, kw_only=True, tag="welcome"):
    """The answer to ``Hello``."""

    protocol: int
    fathom: str
    """The server's version."""
    you: PlayerId
    name: PlayerName
    tables: tuple[TableCode, ...] = ()
    """Where you hold a post in a game that is gathering or under way: resume there."""
    ping_seconds: float = 2.5
    silent_seconds: float = 9.0
    now: Moment
    """The server's time of day."""


class Pong(News, frozen=True, kw_only=True, tag="pong"):
    """The answer to ``Ping``."""

    number: int = 0
    now: Moment


class Done(News, frozen=True, kw_only=True, tag="done"):
    """What was asked has been done. For an order: it is saved, and ``position`` tells it."""

    id: MessageId
    game: GameId | None = None
    position: Position | None = None
    """The seat's position after the order; ``Told`` with it came before, or its view did."""
    again: bool = False
    """Whether the order had taken effect already, when it was sent before."""
    advice: AnyOrder | None = None
    """For ``advise``: the order that should be given. Only who asked is told."""


class Refused(News, frozen=True, kw_only=True, tag="refused"):
    """An order, or a game's beginning, that breaks a rule; nothing has changed."""

    id: MessageId
    game: GameId | None = None
    rule: str
    """The rule's name; ``GET /api/rules`` tells it."""
    arguments: Arguments = {}


class Problem(News, frozen=True, kw_only=True, tag="problem"):
    """Something that could not be done; nothing has changed."""

    id: MessageId | None = None
    error: ErrorKey
    arguments: Arguments = {}
    fatal: bool = False
    """Whether the connection is closed after this."""


class Goodbye(News, frozen=True, kw_only=True, tag="goodbye"):
    """The server closes the connection in good order; reconnect after so many seconds."""

    why: Literal["going-down", "too-slow", "silent"]
    retry_seconds: float = 1.0


# Lobby and table


class Person(Struct, frozen=True, tag_field="kind", tag="person", omit_defaults=True):
    """A person who holds a post."""

    who: PlayerId
    name: PlayerName
    ready: bool = False
    here: bool = False
    """Whether they are connected now."""
    stand_in: Rank | None = None
    """The rank of the bot that plays for them, while one does."""


class BotHand(Struct, frozen=True, tag_field="kind", tag="bot", omit_defaults=True):
    """A bot that holds a post; the same number is the same bot."""

    number: int
    rank: Rank


Holder: TypeAlias = Person | BotHand


class Berth(Struct, frozen=True, omit_defaults=True):
    """A post at a table and who holds it."""

    post: Post
    holder: Holder | None = None
    seat: int | None = None
    """Its seat's number in the crew, once the game has begun."""


class CrewState(Struct, frozen=True, omit_defaults=True):
    """One crew at a table."""

    boat: BoatName
    colour: str
    berths: tuple[Berth, ...]
    shy_mate: bool = False


class SwapAsked(Struct, frozen=True):
    """Somebody wants to change places with somebody."""

    by: PlayerId
    with_whom: PlayerId


class Option(Struct, frozen=True, omit_defaults=True):
    """One thing that could be chosen, and why not, if it can't now."""

    name: str
    obstacle: Obstacle | None = None


class Options(Struct, frozen=True):
    """What the table could agree on, everything else staying as it is."""

    modes: tuple[Option, ...]
    scenarios: tuple[Option, ...]
    goals: tuple[Option, ...]
    sheets: tuple[Option, ...]
    clocks: Option
    shy_mate: Option


class TableState(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A table as everyone at it sees it; it holds no secret."""

    code: TableCode
    version: int
    """Counts up with every change."""
    phase: Phase
    host: PlayerId
    settings: Settings
    key: TableKey | None = None
    """Of an unlisted table: whoever has it may come in, so give it to friends only."""
    crews: ByCrew[CrewState]
    swaps: tuple[SwapAsked, ...] = ()
    obstacle: Obstacle | None = None
    """Why the game can't start now; None: it can."""
    options: Options | None = None
    """While gathering."""
    game: GameId | None = None
    """The game under way, or the last one."""
    games: tuple[GameId, ...] = ()
    """Finished games of this table, oldest first."""
    result: Result | None = None
    """How the last game ended, when it is over."""
    locked: bool = False
    """Whether nobody new may sit down."""
    muted: tuple[PlayerId, ...] = ()
    """Whose lines of chat are not taken."""


class TableNews(News, frozen=True, kw_only=True, tag="table"):
    """The table, whole, when it is opened and after every change."""

    table: TableState
    watchers: int = 0
    """Spectators on this server."""


class TableClosed(News, frozen=True, kw_only=True, tag="table-closed"):
    """The table is not open any more on this connection."""

    table: TableCode
    why: Literal["asked", "gone", "watching-not-allowed", "removed", "closed"]
    """``removed``: you, by the host, for good. ``closed``: the table, by the operator."""


class TableCard(Struct, frozen=True, omit_defaults=True):
    """A table in the lobby."""

    code: TableCode
    phase: Phase
    host: PlayerName
    rulebook: str
    mode: Mode
    scenario: str
    free: int
    """Posts that nobody holds."""
    persons: int
    bots: int
    watching: Watching
    since: Moment


class Lobby(News, frozen=True, kw_only=True, tag="lobby"):
    """Open tables and running games, newest first."""

    tables: tuple[TableCard, ...]
    """Gathering, with room for one more."""
    games: tuple[TableCard, ...]
    """Under way, to watch."""


class ChatLine(News, frozen=True, kw_only=True, tag="chat"):
    """A line of chat, or a phrase. A crew's lines reach that crew alone."""

    table: TableCode
    number: int
    """Counts the lines that you may see, from 1 and without gaps. ``open`` resumes after it."""
    channel: Channel
    crew: Crew | None = None
    """The speaker's crew, if they hold a post."""
    seat: int | None = None
    """The speaker's seat, in a game."""
    name: PlayerName
    who: PlayerId | None = None
    """None: a bot."""
    text: str = ""
    phrase: AnyPhrase | None = None
    at: Moment
    removed: bool = False
    """Whether the operator has removed what was said."""


class LinesRemoved(News, frozen=True, kw_only=True, tag="lines-removed"):
    """Lines of chat that the operator has removed: show them no more."""

    table: TableCode
    lines: tuple[int, ...]
    """Their numbers, as you were told them."""


class Announced(News, frozen=True, kw_only=True, tag="announcement"):
    """What the operator tells everyone; it takes the place of what was told before.

    Without ``until`` there is nothing to tell any more.
    """

    restart: Moment | None = None
    """When the server restarts. Games go on after it by themselves."""
    text: str = ""
    """The operator's own words, in whatever language."""
    until: Moment | None = None
    """When it is no longer shown."""


# The game


class Sea(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The chart's points by what they are, so that nobody need know its marks."""

    across: int
    down: int
    sectors: tuple[str, ...]
    """The sectors' labels, row by row; a sector is five by five points."""
    land: tuple[Point, ...]
    """Islands, volcanoes included."""
    ice: tuple[Point, ...] = ()
    """Where surfacing costs damage."""
    holes: tuple[Point, ...] = ()
    """Where surfacing through the ice is free."""
    old_mines: tuple[Point, ...] = ()
    """At the beginning; ``public.old_mines`` tells what is left."""
    volcanoes: tuple[Point, ...] = ()
    """The first is volcano 1."""
    lava: tuple[tuple[Point, ...], ...] = ()
    """For each volcano, what becomes land when its lava flows."""
    repairs: dict[str, tuple[Point, ...]] = {}
    """For each damaged system, its island."""
    finish: tuple[Point, ...] = ()


class Facts(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a client needs of the set-up and would otherwise have to work out."""

    colours: ByCrew[str]
    gauges: dict[str, int]
    """Boxes by system; empty where there is an energy gauge."""
    energy: int = 0
    """Boxes of the energy gauge, where there is one."""
    costs: dict[str, int] = {}
    """Energy that each system costs."""
    systems: tuple[System, ...]
    """The systems of this game, the scenario's included."""
    kinds: dict[str, str]
    """For each system, the kind of symbol that breaks it."""
    sinks_at: int
    """Damage that sinks a submarine."""
    blast: tuple[int, int]
    """Damage on the point of an explosion, and next to it."""
    volcano_gauge: int = 0
    """Weapons that wake the volcanoes."""
    sea: Sea
    posts: tuple[Post, ...]


class GameOpened(News, frozen=True, kw_only=True, tag="game"):
    """What never changes in a game; comes before its first ``Told``."""

    game: GameId
    table: TableCode
    seat: Seat | None = None
    """None: you watch."""
    posts: tuple[Post, ...] = ()
    setup: Setup
    facts: Facts


class RadioNews(Struct, frozen=True, kw_only=True):
    """What is new on the radio operator's table."""

    films: tuple[Film, ...] | UnsetType = UNSET
    """All transparent sheets, the one in use last; absent: the same, but for what follows."""
    x: int | UnsetType = UNSET
    """Where the sheet in use lies now."""
    y: int | UnsetType = UNSET
    rubbed: int | UnsetType = UNSET
    """The number of the thing that was erased from the sheet in use, from 1."""
    items: tuple[Item, ...] | UnsetType = UNSET
    """Added to the sheet in use."""
    tape_from: int | UnsetType = UNSET
    """Keep so many announcements of the tape and add ``tape`` to them."""
    tape: tuple[Announcement, ...] | UnsetType = UNSET
    locked: bool | UnsetType = UNSET


class Sheets(Struct, frozen=True, kw_only=True):
    """The sheets that a seat sees, or those of them that changed: what is absent is as it was."""

    public: PublicPortrait | UnsetType = UNSET
    duty: DutyPortrait | UnsetType = UNSET
    helm: HelmPortrait | UnsetType = UNSET
    gauges: GaugesPortrait | UnsetType = UNSET
    engine: EnginePortrait | UnsetType = UNSET
    radio: RadioNews | UnsetType = UNSET
    trace: Trace | UnsetType | None = UNSET
    """The hull that the crew is tracing; null when there is none any more."""
    enemy_hull: Drawing | UnsetType | None = UNSET
    """The enemy's traced hull, for the engineer."""


class Offered(Struct, frozen=True, omit_defaults=True):
    """What a seat may do now. Orders not listed here would be refused."""

    orders: tuple[AnyOrder, ...] = ()
    """All of them, but for drawings and notes, which are endless."""
    sections: tuple[int, ...] = ()
    """The sections of the hull that it may trace (order ``trace``)."""
    judging: bool = False
    """Whether it may judge the enemy's traced hull (order ``judge``)."""
    writing: bool = False
    """Whether it may write on the transparent sheet (orders ``line`` to ``new-sheet``)."""
    hindered: dict[str, str] = {}
    """Why not: rules' names for what could be pressed and may not be now: ``course N``,
    ``surface``, ``dive``, ``end-turn``, ``trigger``, a system (``torpedo``), ``charge torpedo``."""
    marks: dict[str, Mark] = {}
    """For each symbol that may be crossed out now, what that would do."""


class ClockFace(Struct, frozen=True, omit_defaults=True):
    """Time left, as far as the table plays with clocks; a client counts down by itself."""

    running: Crew | None = None
    turn: Milliseconds | None = None
    """What the running crew has left for its turn, or for the answer that it must give."""
    game: ByCrew[Milliseconds] | None = None


class Told(News, frozen=True, kw_only=True, tag="told"):
    """What a seat (or the public) heard, and what it sees and may do after it.

    ``position`` counts what this seat has heard. A message about which a seat may know nothing is
    never sent, so positions, numbers and sizes of messages tell nothing either.
    """

    game: GameId
    position: Position
    whole: bool = False
    """Whether ``view`` and ``offer`` are complete: forget what was there before."""
    events: tuple[Heard, ...] = ()
    """What was heard, in order; with ``whole``, what was missed since the position asked for."""
    skipped: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    """So many of the oldest of these are left out: the seat has heard more than 2 MB since."""
    view: Sheets
    offer: Offered | UnsetType = UNSET
    """Absent: the same as before."""
    clock: ClockFace | None = None
    """As it stands now, where the table plays with clocks."""
    boats: ByCrew[Sheets] | UnsetType = UNSET
    """Both crews' sheets, for spectators who see everything after the table's delay."""


class Pause(News, frozen=True, kw_only=True, tag="pause"):
    """Something public happens by itself after so long: a stop ends, or the program answers."""

    game: GameId
    what: Literal["resume", "sonar-answer"]
    left: Milliseconds


class Heat(News, frozen=True, kw_only=True, tag="heat"):
    """Where they can be, and where we can be for all that they heard, in thousandths."""

    game: GameId
    position: Position
    """After which of the seat's positions it was worked out."""
    by: Literal["computer", "radio-operator"]
    """The table's help, or a bot at the radio that tells its crew."""
    them: dict[Point, int]
    us: dict[Point, int] = {}


AnyNews: TypeAlias = (
    Welcome
    | Pong
    | Done
    | Refused
    | Problem
    | Goodbye
    | Lobby
    | TableNews
    | TableClosed
    | ChatLine
    | LinesRemoved
    | Announced
    | GameOpened
    | Told
    | Pause
    | Heat
)


# The HTTP API


class NewPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/identity``: a name is all that is needed."""

    name: PlayerName
    device: DeviceName = ""
    """What this device is called in the player's list, such as ``Firefox, Linux``."""
    recovery: bool = True
    """Whether a recovery code is made and told now; without, the first one is made later."""


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """``PATCH /api/identity``."""

    name: PlayerName


class Identity(Struct, frozen=True, omit_defaults=True):
    """Who somebody is. Token and recovery code are told once and stored hashed."""

    you: PlayerId
    name: PlayerName
    token: str = ""
    recovery: str = ""
    device: TokenId | None = None
    """The id of the token that was given, or that asks."""


class Recovery(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/identity/recover``: carry an identity to this device."""

    recovery: Annotated[RecoveryCode, Meta(min_length=1)]
    device: DeviceName = ""
    end_others: bool = False
    """Whether all tokens that the player had until now are ended: a device is lost."""


class NewRecovery(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/identity/recovery``: a new recovery code, for the old one."""

    old: RecoveryCode = ""
    """The present code; empty if there is none yet."""


class Scope(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a program's token may be used for, and nothing else."""

    play: TableCode | None = None
    """Play the player's posts at this table: see it, talk, take posts, give orders. It may not
    do what is the host's."""
    games: bool = False
    """Read the list of the player's games."""


class TokenCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One of a player's devices or programs."""

    id: TokenId
    device: str = ""
    """What it is called; empty if nobody said."""
    scope: Scope | None = None
    """For a program; None: a person's device, which may do everything."""
    created: Moment = 0
    """0: before the server noted that."""
    used: Moment
    """To the minute."""
    this: bool = False
    """Whether it is the one that asks."""


class MyTokens(Struct, frozen=True):
    """``GET /api/identity/tokens``: those first that were used last."""

    tokens: tuple[TokenCard, ...]
    recovery: bool
    """Whether the player has a recovery code."""


class NewProgram(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/identity/tokens``: a token for a bot or another program."""

    device: Annotated[DeviceName, Meta(min_length=1)]
    """What it is called in the list."""
    scope: Scope


class ProgramMade(Struct, frozen=True):
    """A program's token, which is told this once."""

    id: TokenId
    token: str
    device: str
    scope: Scope


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/tables``."""

    settings: Settings = Settings()
    solo: bool = False
    """Play against the computer at once: you hold a whole crew, a bot the other."""


class TableMade(Struct, frozen=True):
    """The table's code, and its link for friends; an unlisted table's link ends with its key."""

    table: TableCode
    link: str


class ApiError(Struct, frozen=True, omit_defaults=True):
    """What every request that fails is answered with."""

    error: str
    """An error's key, or a rule's name."""
    arguments: Arguments = {}


class LobbyNow(Struct, frozen=True):
    """``GET /api/lobby``."""

    tables: tuple[TableCard, ...]
    games: tuple[TableCard, ...]


class GameCard(Struct, frozen=True, omit_defaults=True):
    """A game in the list of mine."""

    game: GameId
    table: TableCode
    rulebook: str
    mode: Mode
    scenario: str
    boats: ByCrew[BoatName]
    colours: ByCrew[str]
    crew: Crew | None
    """Mine."""
    began: Moment
    result: Result | None = None
    """None: it goes on."""


class MyGames(Struct, frozen=True):
    """``GET /api/games``: newest first."""

    games: tuple[GameCard, ...]


class RecordStep(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One order of a finished game, with all that it brought about and what it changed."""

    number: int
    by: Seat | None = None
    """None: the referee, for time and chance."""
    at: Moment
    events: tuple[AnyEvent, ...]
    public: PublicPortrait | UnsetType = UNSET
    boats: ByCrew[Sheets]
    """What changed on both crews' sheets."""


class GameRecord(Struct, frozen=True, omit_defaults=True):
    """``GET /api/games/{game}``: a finished game, whole."""

    game: GameId
    table: TableCode
    setup: Setup
    facts: Facts
    players: ByCrew[tuple[str, ...]]
    """Names by seat."""
    began: Moment
    result: Result | None
    public: PublicPortrait
    """At the beginning."""
    boats: ByCrew[Sheets]
    """At the beginning."""
    steps: tuple[RecordStep, ...]


class Knowledge(Struct, frozen=True):
    """What one crew could know of the other's place after a step."""

    step: int
    points: int
    """On how many points the enemy could be."""
    likely: dict[Point, int]
    """How likely on each, in thousandths."""


class RecordBelief(Struct, frozen=True):
    """``GET /api/games/{game}/belief``: for each crew, what it could work out, step by step."""

    game: GameId
    crews: ByCrew[tuple[Knowledge, ...]]


class RulingField(Struct, frozen=True):
    """A ruling that a table may set otherwise, and its value in each rulebook."""

    name: str
    meaning: str
    values: dict[str, Any]
    choices: tuple[str, ...] = ()
    """Where it is one of several words."""
    least: int | None = None
    most: int | None = None


class ChartData(Struct, frozen=True):
    """A chart and its points."""

    chart: Chart
    sea: Sea


class Library(Struct, frozen=True):
    """``GET /api/library``: everything to choose from; it changes with the version only."""

    fathom: str
    protocol: int
    rulebooks: tuple[Rulebook, ...]
    scenarios: tuple[Scenario, ...]
    played: dict[str, tuple[str, ...]]
    """For each rulebook its own scenarios, in the order advised; others may be played too."""
    charts: tuple[ChartData, ...]
    sheets: tuple[Sheet, ...]
    hull: Hull
    rulings: tuple[RulingField, ...]
    ranks: tuple[Rank, ...]
    paces: tuple[BotPace, ...]
    settings: Settings
    """The usual ones."""


class Rules(Struct, frozen=True):
    """``GET /api/rules?language=uk``: every rule by its name; English where words are missing."""

    language: str
    sections: tuple[Section, ...]
    rules: tuple[Rule, ...]


Condition: TypeAlias = Literal["ok", "going-down", "draining", "log-away", "failing"]


class Health(Struct, frozen=True):
    """``GET /health``."""

    status: Condition
    fathom: str
    games: int
    connections: int
    failing: tuple[str, ...] = ()
    """Tasks of the server's own that can't go on."""


# Reading and writing

SPELLED: Final = {point: name(point) for point in range(240) if point % 16 < WIDEST}


def spell(thing: object) -> str:
    """How msgspec writes a point: by its name. Points are in most messages, so no time is lost."""
    if type(thing) is Point:
        return SPELLED[thing]
    raise NotImplementedError(f"{type(thing).__name__} has no written form")


ENCODER: Final = msgspec.json.Encoder(enc_hook=spell)
REQUESTS: Final[msgspec.json.Decoder[AnyRequest]] = msgspec.json.Decoder(
    AnyRequest, dec_hook=unspell
)
NEWS: Final[msgspec.json.Decoder[AnyNews]] = msgspec.json.Decoder(AnyNews, dec_hook=unspell)

encode: Final[Callable[[Any], bytes]] = ENCODER.encode
"""The message as JSON."""
