"""A player's own data: to have, and to delete."""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

from aiohttp import web
from msgspec import Struct

from fathom.server.api import HARBOUR, Route, address, body, card_of, json, signed
from fathom.server.chat_lines import LINES
from fathom.server.chat_moderation import ReportedLine, read_report, reported
from fathom.server.deletion import delete_player
from fathom.server.harbour import Harbour
from fathom.server.identity import my_tokens
from fathom.server.log import StoredToken
from fathom.server.moderation_log import Ban, SaidLine, StoredReport
from fathom.server.room import table_card
from fathom.server.time_of_day import now_ms
from fathom.server.troubles import Trouble
from fathom.server.wire import (
    PHASES,
    Channel,
    GameCard,
    Identity,
    Moment,
    PlayerId,
    PlayerName,
    TableCard,
    TokenCard,
)

MOST_GAMES: Final = 5_000
MOST_LINES: Final = 50_000
MOST_TABLES: Final = 1_000
AT_ONCE: Final = 100
"""Rows that are read before others get their turn."""
T = TypeVar("T")
S = TypeVar("S")


class MyLine(Struct, frozen=True, omit_defaults=True):
    """A line of chat. Its number in the log would tell how much the enemy talks."""

    table: str
    at: Moment
    channel: Channel
    name: str
    text: str = ""
    phrase: str = ""


class MyReport(Struct, frozen=True):
    """A report that somebody made."""

    at: Moment
    table: str
    why: str
    text: str
    lines: tuple[MyLine, ...]


class MyData(Struct, frozen=True):
    """``GET /api/identity/data``: all that is kept of a player."""

    you: PlayerId
    name: PlayerName
    seen: Moment
    """When you were last here, to a day."""
    exported: Moment
    devices: tuple[TokenCard, ...]
    """Your devices and programs, without their tokens."""
    tables: tuple[TableCard, ...]
    """Where you hold a post or are the host."""
    games: tuple[GameCard, ...]
    """The last 5,000, newest first. ``GET /api/games/{game}`` gives a finished one whole."""
    lines: tuple[MyLine, ...]
    """What you wrote in chats, the first 50,000 lines."""
    reports: tuple[MyReport, ...]
    ban: Ban | None
    """Why you may not play here, if so."""


class Farewell(Struct, frozen=True, forbid_unknown_fields=True):
    """``DELETE /api/identity``: your own name, so that nothing is deleted by accident."""

    name: PlayerName


async def owner(request: web.Request) -> StoredToken:
    """Who asks; what is kept of somebody is theirs even when they are banned."""
    return await signed(request)


async def export_my_data(request: web.Request) -> web.Response:
    known = await owner(request)
    harbour = request.app[HARBOUR]
    harbour.moderation.take_export(known.player.who)
    headers = {"Content-Disposition": 'attachment; filename="fathom-my-data.json"'}
    return json(await data_of(harbour, known), headers=headers)


async def data_of(harbour: Harbour, known: StoredToken) -> MyData:
    """All that is kept of a player."""
    log, player, who = harbour.log, known.player, known.player.who
    found = await log.moderation.found_player(who)
    tables = await log.tables_of(who, PHASES, MOST_TABLES)
    games = await log.games_of(who, MOST_GAMES)
    lines = await log.moderation.lines_by(who, MOST_LINES)
    return MyData(
        you=who,
        name=player.name,
        seen=found.seen if found else 0,
        exported=now_ms(),
        devices=(await my_tokens(log, known)).tokens,
        tables=tuple(
            table_card(table) for table in map(harbour.readable, tables) if table is not None
        ),
        games=await each(games, lambda game: card_of(harbour, game, who)),
        lines=await each(lines, partial(said_at, harbour)),
        reports=tuple(my_report(report) for report in await log.moderation.reports_by(who)),
        ban=harbour.moderation.bans.player(who, now_ms()),
    )


def said_at(harbour: Harbour, said: SaidLine) -> MyLine | None:
    """A line of chat; None if it can't be read."""
    line = harbour.rows.read(LINES, said.body, f"line {said.number} of table {said.table}")
    return my_line(said.table, reported(said.number, line)) if line is not None else None


def my_line(table: str, line: ReportedLine) -> MyLine:
    return MyLine(table, line.at, line.channel, line.name, line.text, line.phrase)


def my_report(report: StoredReport) -> MyReport:
    """A report as its author sees it."""
    said = read_report(report.body)
    lines = tuple(my_line(report.table, line) for line in said.lines)
    return MyReport(report.at, report.table, said.why, said.text, lines)


async def each(rows: Sequence[S], read: Callable[[S], T | None]) -> tuple[T, ...]:
    """All rows that can be read; others get their turn meanwhile."""
    found: list[T] = []
    for place, row in enumerate(rows):
        if place % AT_ONCE == 0:
            await asyncio.sleep(0)
        if (thing := read(row)) is not None:
            found.append(thing)
    return tuple(found)


async def delete_me(request: web.Request) -> web.Response:
    known = (await owner(request)).player
    asked = await body(request, Farewell)
    if asked.name != known.name:
        raise Trouble("bad-name")
    harbour = request.app[HARBOUR]
    await harbour.moderation.note(known.who, address(request), "delete-own-data", known.who)
    await delete_player(harbour, known.who)
    return json(Identity(known.who, known.name))


ROUTES: Final = (
    Route(
        "GET",
        "/api/identity/data",
        export_my_data,
        MyData,
        signed=True,
        errors=("too-many-messages",),
        about="All that is kept of me, as a file.",
    ),
    Route(
        "DELETE",
        "/api/identity",
        delete_me,
        Identity,
        Farewell,
        signed=True,
        errors=("bad-message", "bad-name"),
        about="Delete me and what belongs to me. Finished games stay, without my name.",
    ),
)
