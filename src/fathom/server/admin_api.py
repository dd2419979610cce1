"""The operator's HTTP API: who is here, what was said, and what is done about it.

Whoever asks shows an operator's token; without one in the configuration, there is no such API.
Everything that changes something, or shows what was said in private, leaves an audit note first.
"""

import hmac
from typing import Annotated, Final

from aiohttp import web
from msgspec import Meta, Struct
from msgspec.structs import replace

from fathom import __version__
from fathom.server import table as at
from fathom.server.api import HARBOUR, Route, address, body, json
from fathom.server.bans import network_of
from fathom.server.chat_lines import LINES
from fathom.server.chat_moderation import (
    ReportBody,
    ReportedLine,
    read_report,
    remove_line,
    reported,
)
from fathom.server.config import SHORTEST_TOKEN
from fathom.server.deletion import close_table, delete_player
from fathom.server.duel import HEADERS
from fathom.server.harbour import Harbour
from fathom.server.identity import checked_name, new_code
from fathom.server.log import StoredGame, StoredPlayer
from fathom.server.moderation_log import AuditNote, Ban, FoundPlayer, FoundTable, StoredAnnouncement
from fathom.server.time_of_day import now_ms
from fathom.server.troubles import Trouble
from fathom.server.wire import (
    GameId,
    Moment,
    NewPlayer,
    Phase,
    PlayerId,
    PlayerName,
    TableCode,
)

USUAL, MOST = 50, 500
"""Rows of a list."""
NOTES_SEARCHED: Final = 10_000
EVERYTHING: Final = ("",)
"""What a search without words finds."""
LINES_SHOWN: Final = 500
AFTER_RESTART: Final = 15 * 60_000
"""Milliseconds for which a restart is still announced after it should have happened."""
YEAR: Final = 366 * 86_400


class OperatorPlayer(Struct, frozen=True, omit_defaults=True):
    """A player as an operator sees them."""

    who: PlayerId
    name: PlayerName
    seen: Moment
    """When they were last here, to a day."""
    here: bool = False
    """Whether they are connected to this process."""
    ban: Ban | None = None


class PlayersFound(Struct, frozen=True):
    """``GET /api/admin/players``."""

    players: tuple[OperatorPlayer, ...]


class PersonAt(Struct, frozen=True):
    """Somebody who holds a post at a table."""

    who: PlayerId
    name: PlayerName
    crew: str


class OperatorTable(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A table as an operator sees it."""

    code: TableCode
    phase: Phase
    host: PlayerId
    host_name: str
    listed: bool
    visited: Moment
    """When somebody was last there, to ten minutes."""
    persons: tuple[PersonAt, ...]
    locked: bool = False
    game: GameId | None = None


class TablesFound(Struct, frozen=True):
    """``GET /api/admin/tables``."""

    tables: tuple[OperatorTable, ...]


class OperatorGame(Struct, frozen=True, omit_defaults=True):
    """A game as an operator sees it."""

    game: GameId
    table: TableCode
    began: Moment
    over: bool
    players: tuple[tuple[str, ...], tuple[str, ...]]
    """Names by seat."""


class GamesFound(Struct, frozen=True):
    """``GET /api/admin/games``."""

    games: tuple[OperatorGame, ...]


class PlayerFound(Struct, frozen=True):
    """``GET /api/admin/players/{player}``: with where they are and what they played last."""

    player: OperatorPlayer
    tables: tuple[OperatorTable, ...]
    games: tuple[OperatorGame, ...]


class ChatFound(Struct, frozen=True):
    """``GET /api/admin/tables/{table}/chat``: the last lines, oldest first."""

    table: TableCode
    lines: tuple[ReportedLine, ...]


class LinesToRemove(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/admin/tables/{table}/chat/remove``."""

    lines: Annotated[tuple[Annotated[int, Meta(ge=1, le=2**53)], ...], Meta(max_length=500)]
    """Their numbers, as an operator sees them."""


class NewBan(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/admin/bans``: a player, or a network."""

    reason: Annotated[str, Meta(min_length=1, max_length=300)]
    """The banned person is told this."""
    player: PlayerId | None = None
    network: Annotated[str, Meta(max_length=60)] | None = None
    """An address, or a range such as ``203.0.113.0/24``."""
    seconds: Annotated[int, Meta(ge=0, le=100 * YEAR)] = 0
    """0: for ever."""


class BansFound(Struct, frozen=True):
    """``GET /api/admin/bans``."""

    bans: tuple[Ban, ...]


class OperatorReport(Struct, frozen=True, omit_defaults=True):
    """A player's report."""

    id: str
    at: Moment
    by: PlayerId
    by_name: str
    """Empty if that player was deleted."""
    table: TableCode
    report: ReportBody
    closed: Moment = 0
    closed_by: str = ""


class ReportsFound(Struct, frozen=True):
    """``GET /api/admin/reports``."""

    reports: tuple[OperatorReport, ...]


class NewAnnouncement(Struct, frozen=True, forbid_unknown_fields=True):
    """``PUT /api/admin/announcement``."""

    restart_seconds: Annotated[int, Meta(ge=0, le=7 * 86_400)] | None = None
    """In how many seconds the server restarts; None: it does not."""
    text: Annotated[str, Meta(max_length=300)] = ""
    """Shown as it is, after the sentence about the restart."""
    shown_seconds: Annotated[int, Meta(ge=1, le=30 * 86_400)] = 86_400
    """How long a text without a restart is shown."""


class AnnouncementNow(Struct, frozen=True):
    """What is announced; without ``until``, nothing is."""

    restart: Moment | None = None
    text: str = ""
    until: Moment | None = None


class NewDrain(Struct, frozen=True, forbid_unknown_fields=True):
    """``POST /api/admin/drain``."""

    seconds: Annotated[int, Meta(ge=0, le=7 * 86_400)] = 1800
    """After which the process ends, whoever is still here."""


class ProcessNow(Struct, frozen=True):
    """``GET /api/admin/process``: the process that answers."""

    process: str
    fathom: str
    connections: int
    tables: int
    games: int
    draining: bool
    seconds_left: int | None
    """Until it ends at the latest, if it drains."""


class AuditFound(Struct, frozen=True):
    """``GET /api/admin/audit``: newest first."""

    notes: tuple[AuditNote, ...]


class DoneFor(Struct, frozen=True):
    """What was done, and to what."""

    done: str
    to: str


# Who asks, and for what


def operator(request: web.Request) -> str:
    """The operator's name. All tokens are compared, each in constant time."""
    tokens = request.app[HARBOUR].config.operator_tokens
    if not tokens:
        raise Trouble("unknown-path")
    kind, _, given = request.headers.get("Authorization", "").partition(" ")
    found = ""
    for name, token in tokens.items():
        same = hmac.compare_digest(given.encode(errors="replace"), token.encode())
        found = name if same else found
    if not found or kind.lower() != "bearer" or len(given) < SHORTEST_TOKEN:
        raise Trouble("bad-token")
    return found


def asked(request: web.Request) -> tuple[str, int]:
    """What is searched for, and how many may be found."""
    try:
        most = int(request.query.get("most", USUAL))
    except ValueError:
        raise Trouble("bad-message", where="most") from None
    if not 1 <= most <= MOST:
        raise Trouble("bad-message", where="most")
    return request.query.get("search", "").strip()[:100], most


async def note(request: web.Request, action: str, target: str, detail: str = "") -> str:
    """Write down who does what; the operator's name."""
    by = operator(request)
    where = address(request)
    await request.app[HARBOUR].moderation.note(by, where, action, target, detail)
    return by


# Players


def seen_by_operator(harbour: Harbour, found: FoundPlayer) -> OperatorPlayer:
    here = bool(harbour.moderation.connections_of(found.who))
    ban = harbour.moderation.bans.player(found.who, now_ms())
    return OperatorPlayer(found.who, found.name, found.seen, here, ban)


async def admin_players(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    found = await harbour.log.moderation.find_players(*asked(request))
    return json(PlayersFound(tuple(seen_by_operator(harbour, one) for one in found)))


async def named_player(request: web.Request) -> StoredPlayer:
    found = await request.app[HARBOUR].log.player(request.match_info["player"])
    if found is None:
        raise Trouble("unknown-player")
    return found


async def admin_player(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    known = await named_player(request)
    player = await harbour.log.moderation.found_player(known.who)
    if player is None:
        raise Trouble("unknown-player")
    tables = await harbour.log.moderation.find_tables(known.who, USUAL)
    games = await harbour.log.games_of(known.who, USUAL)
    return json(
        PlayerFound(
            seen_by_operator(harbour, player),
            operator_tables(harbour, tables),
            operator_games(harbour, games),
        )
    )


async def admin_rename(request: web.Request) -> web.Response:
    operator(request)
    name = checked_name((await body(request, NewPlayer)).name)
    known = await named_player(request)
    await note(request, "rename", known.who, f"{known.name} -> {name}")
    await request.app[HARBOUR].moderation.rename(known.who, name)
    return json(DoneFor("renamed", known.who))


async def admin_delete(request: web.Request) -> web.Response:
    operator(request)
    known = await named_player(request)
    await note(request, "delete-player", known.who)
    await delete_player(request.app[HARBOUR], known.who)
    return json(DoneFor("deleted", known.who))


# Tables and games


def operator_table(harbour: Harbour, found: FoundTable) -> OperatorTable | None:
    table = harbour.readable(found.table)
    if table is None:
        return None
    people = at.persons(table).values()
    sides = {person.who: at.crew_of(table, person.who) for person in people}
    return OperatorTable(
        code=table.code,
        phase=table.phase,
        host=table.host,
        host_name=table.host_name,
        listed=table.settings.listed,
        visited=found.visited,
        persons=tuple(
            PersonAt(person.who, person.name, side.value if side else "")
            for person in people
            for side in (sides[person.who],)
        ),
        locked=table.locked,
        game=table.game,
    )


def operator_tables(harbour: Harbour, found: list[FoundTable]) -> tuple[OperatorTable, ...]:
    """Tables, but for those that this release can't read."""
    tables = (operator_table(harbour, one) for one in found)
    return tuple(table for table in tables if table is not None)


def operator_games(harbour: Harbour, found: list[StoredGame]) -> tuple[OperatorGame, ...]:
    """Games, but for those that this release can't read."""
    games = (operator_game(harbour, one) for one in found)
    return tuple(game for game in games if game is not None)


def operator_game(harbour: Harbour, found: StoredGame) -> OperatorGame | None:
    header = harbour.rows.read(HEADERS, found.header, f"the game {found.game}")
    if header is None:
        return None
    over = found.result is not None
    return OperatorGame(found.game, found.table, found.began, over, header.names)


async def admin_tables(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    found = await harbour.log.moderation.find_tables(*asked(request))
    return json(TablesFound(operator_tables(harbour, found)))


async def admin_games(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    found = await harbour.log.moderation.find_games(*asked(request))
    return json(GamesFound(operator_games(harbour, found)))


async def admin_chat(request: web.Request) -> web.Response:
    operator(request)
    harbour, code = request.app[HARBOUR], request.match_info["table"]
    if await harbour.log.table(code) is None:
        raise Trouble("unknown-table")
    await note(request, "read-chat", code)
    stored = await harbour.log.chat(code, 0, LINES_SHOWN)
    lines = (
        reported(one.number, line)
        for one in stored
        if (line := harbour.rows.read(LINES, one.body, f"line {one.number} of {code}")) is not None
    )
    return json(ChatFound(code, tuple(lines)))


async def admin_remove_lines(request: web.Request) -> web.Response:
    operator(request)
    harbour, code = request.app[HARBOUR], request.match_info["table"]
    wanted = sorted({*(await body(request, LinesToRemove)).lines})
    for number in wanted:
        if await harbour.log.moderation.line(code, number) is None:
            raise Trouble("unknown-entry", line=number)
    listed = " ".join(map(str, wanted))
    await note(request, "remove-lines", code, listed)
    for number in wanted:
        await remove_line(harbour, code, number)
    return json(DoneFor("removed", f"{code} {listed}"))


async def admin_close_table(request: web.Request) -> web.Response:
    operator(request)
    harbour, code = request.app[HARBOUR], request.match_info["table"]
    if await harbour.log.table(code) is None:
        raise Trouble("unknown-table")
    await note(request, "close-table", code)
    await close_table(harbour, code)
    return json(DoneFor("closed", code))


# Bans


async def admin_bans(request: web.Request) -> web.Response:
    operator(request)
    return json(BansFound(tuple(await request.app[HARBOUR].log.moderation.bans())))


async def new_ban(request: web.Request) -> web.Response:
    by = operator(request)
    harbour = request.app[HARBOUR]
    wanted = await body(request, NewBan)
    if (wanted.player is None) == (wanted.network is None):
        raise Trouble("bad-message", where="player")
    who, network = wanted.player or "", ""
    if wanted.network is not None:
        network = network_of(wanted.network)
    elif await harbour.log.player(who) is None:
        raise Trouble("unknown-player")
    reason = " ".join(wanted.reason.split())
    if not reason:
        raise Trouble("bad-message", where="reason")
    now = now_ms()
    until = now + 1000 * wanted.seconds if wanted.seconds else 0
    ban = Ban(new_code(8), who, network, until, reason, now, by)
    await note(request, "ban", who or network, f"{ban.id}: {reason}")
    await harbour.log.moderation.add_ban(ban)
    await harbour.moderation.tell()
    return json(ban, 201)


async def admin_lift_ban(request: web.Request) -> web.Response:
    operator(request)
    harbour, name = request.app[HARBOUR], request.match_info["entry"]
    found = [ban for ban in await harbour.log.moderation.bans() if ban.id == name]
    if not found:
        raise Trouble("unknown-entry")
    await note(request, "lift-ban", found[0].who or found[0].network, name)
    await harbour.log.moderation.drop_ban(name)
    await harbour.moderation.tell()
    return json(found[0])


# Reports


async def admin_reports(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    closed = request.query.get("state", "open") == "closed"
    search, most = asked(request)
    found = await harbour.log.moderation.reports(closed=closed, most=MOST if search else most)
    reports = []
    for one in found:
        if search not in (*EVERYTHING, one.id, one.by, one.table):
            continue
        player = await harbour.log.player(one.by)
        said = read_report(one.body)
        name = player.name if player is not None else ""
        reports.append(
            OperatorReport(one.id, one.at, one.by, name, one.table, said, one.closed, one.closed_by)
        )
    return json(ReportsFound(tuple(reports[:most])))


async def admin_close_report(request: web.Request) -> web.Response:
    by, name = operator(request), request.match_info["entry"]
    if not await request.app[HARBOUR].log.moderation.close_report(name, by):
        raise Trouble("unknown-entry")
    await note(request, "close-report", name)
    return json(DoneFor("closed", name))


# The server


async def admin_announcement(request: web.Request) -> web.Response:
    operator(request)
    return json(announcement_now(request.app[HARBOUR]))


def announcement_now(harbour: Harbour) -> AnnouncementNow:
    shown = harbour.moderation.announcement
    if shown is None:
        return AnnouncementNow()
    return AnnouncementNow(shown.at or None, shown.text, shown.until)


async def admin_announce(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    wanted = await body(request, NewAnnouncement)
    text, now = " ".join(wanted.text.split()), now_ms()
    if wanted.restart_seconds is None and not text:
        raise Trouble("bad-message", where="text")
    restart = 0 if wanted.restart_seconds is None else now + 1000 * wanted.restart_seconds
    until = restart + AFTER_RESTART if restart else now + 1000 * wanted.shown_seconds
    await note(request, "announce", str(restart) if restart else "", text)
    await harbour.log.moderation.announce(StoredAnnouncement(restart, text, until))
    await harbour.moderation.tell()
    return json(announcement_now(harbour))


async def admin_end_announcement(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    await note(request, "end-announcement", "")
    await harbour.log.moderation.announce(None)
    await harbour.moderation.tell()
    return json(announcement_now(harbour))


def process_now(harbour: Harbour) -> ProcessNow:
    drain = harbour.moderation.drain
    return ProcessNow(
        harbour.me,
        __version__,
        len(harbour.connections),
        len(harbour.rooms),
        harbour.games(),
        drain.on,
        drain.seconds_left,
    )


async def admin_process(request: web.Request) -> web.Response:
    operator(request)
    return json(process_now(request.app[HARBOUR]))


async def admin_drain(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    seconds = (await body(request, NewDrain)).seconds
    await note(request, "drain", harbour.me, f"within {seconds} s")
    harbour.moderation.drain.begin(seconds)
    return json(process_now(harbour))


async def admin_end_drain(request: web.Request) -> web.Response:
    operator(request)
    harbour = request.app[HARBOUR]
    await note(request, "end-drain", harbour.me)
    harbour.moderation.drain.cancel()
    return json(process_now(harbour))


async def admin_audit(request: web.Request) -> web.Response:
    operator(request)
    search, most = asked(request)
    notes = await request.app[HARBOUR].log.moderation.notes(NOTES_SEARCHED if search else most)
    found = [one for one in notes if search in (*EVERYTHING, one.by, one.action, one.target)]
    return json(AuditFound(tuple(found[:most])))


def for_operators(route: Route) -> Route:
    """A route for which a token must be shown, and which is not there if the settings have none."""
    bad = ("bad-message",) if route.takes is not None or route.search else ()
    return replace(
        route,
        path=f"/api/admin/{route.path}",
        signed=True,
        programs="operator",
        errors=("unknown-path", *bad, *route.errors),
    )


LISTED: Final = (
    Route("GET", "process", admin_process, ProcessNow, about="The process that answers."),
    Route(
        "GET",
        "players",
        admin_players,
        PlayersFound,
        search=True,
        about="Players, by id or a part of their name.",
    ),
    Route(
        "GET",
        "players/{player}",
        admin_player,
        PlayerFound,
        errors=("unknown-player",),
        about="A player, their tables and their games.",
    ),
    Route(
        "PATCH",
        "players/{player}",
        admin_rename,
        DoneFor,
        NewPlayer,
        errors=("unknown-player", "bad-name"),
        about="Rename a player, at all tables.",
    ),
    Route(
        "DELETE",
        "players/{player}",
        admin_delete,
        DoneFor,
        errors=("unknown-player",),
        about="Delete a player and what belongs to them.",
    ),
    Route(
        "GET",
        "tables",
        admin_tables,
        TablesFound,
        search=True,
        about="Tables, by code or by any name or id that they hold.",
    ),
    Route(
        "DELETE",
        "tables/{table}",
        admin_close_table,
        DoneFor,
        errors=("unknown-table",),
        about="Close a table. Its unfinished game is deleted.",
    ),
    Route(
        "GET",
        "tables/{table}/chat",
        admin_chat,
        ChatFound,
        errors=("unknown-table",),
        about="The last lines of a table's chat, both crews'.",
    ),
    Route(
        "POST",
        "tables/{table}/chat/remove",
        admin_remove_lines,
        DoneFor,
        LinesToRemove,
        errors=("unknown-entry",),
        about="Remove lines of chat, from every screen.",
    ),
    Route(
        "GET",
        "games",
        admin_games,
        GamesFound,
        search=True,
        about="Games, by id, table or player.",
    ),
    Route("GET", "bans", admin_bans, BansFound, about="Bans that are in force."),
    Route(
        "POST",
        "bans",
        new_ban,
        Ban,
        NewBan,
        errors=("unknown-player",),
        about="Ban a player or a range of addresses; open connections are closed.",
    ),
    Route(
        "DELETE",
        "bans/{entry}",
        admin_lift_ban,
        Ban,
        errors=("unknown-entry",),
        about="Lift a ban.",
    ),
    Route(
        "GET",
        "reports",
        admin_reports,
        ReportsFound,
        search=True,
        choices={"state": ("open", "closed")},
        about="Players' reports, with the lines of chat that they are about.",
    ),
    Route(
        "POST",
        "reports/{entry}/close",
        admin_close_report,
        DoneFor,
        errors=("unknown-entry",),
        about="Mark a report as dealt with.",
    ),
    Route(
        "GET",
        "announcement",
        admin_announcement,
        AnnouncementNow,
        about="What is announced.",
    ),
    Route(
        "PUT",
        "announcement",
        admin_announce,
        AnnouncementNow,
        NewAnnouncement,
        about="Announce a restart, or anything else, to all players.",
    ),
    Route(
        "DELETE",
        "announcement",
        admin_end_announcement,
        AnnouncementNow,
        about="Announce nothing any more.",
    ),
    Route(
        "POST",
        "drain",
        admin_drain,
        ProcessNow,
        NewDrain,
        about="Let the process that answers run empty, and end.",
    ),
    Route("DELETE", "drain", admin_end_drain, ProcessNow, about="Drain no longer."),
    Route(
        "GET",
        "audit",
        admin_audit,
        AuditFound,
        search=True,
        about="Who did what, newest first.",
    ),
)

ROUTES: Final = tuple(map(for_operators, LISTED))
