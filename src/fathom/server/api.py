"""The HTTP API: identities, tables, finished games, and what there is to choose from.

Every route stands once in ``ROUTES``, with the structs that it takes and gives; the OpenAPI
document is made from the same list.
"""

import asyncio
import io
import logging
import time
from collections.abc import Awaitable, Callable
from functools import lru_cache, partial
from typing import Any, Final, Literal, TypeVar

import msgspec
import segno
from aiohttp import web
from msgspec import Struct

from fathom import __version__
from fathom.points import unspell
from fathom.rules.library import LANGUAGES
from fathom.server import archive, identity, shelves, wire
from fathom.server.addresses import for_friends, is_loopback, limit_name
from fathom.server.duel import SIDES
from fathom.server.harbour import Harbour
from fathom.server.health import check_metrics_token, live, ready
from fathom.server.http_connections import behind
from fathom.server.identity import checked_name, recognise, scope_of
from fathom.server.limits import LONGEST_DRAWING
from fathom.server.log import LogAway, LogBusy, StoredGame, StoredPlayer, StoredStep, StoredToken
from fathom.server.pictures import draw_game, draw_table, table_chart
from fathom.server.replays import Replays
from fathom.server.room import table_card
from fathom.server.stored import Stored
from fathom.server.table import Table, link_key
from fathom.server.troubles import Trouble, Unplayable
from fathom.server.visitors import Visitor
from fathom.server.wire import (
    TABLE_KEY,
    ApiError,
    GameCard,
    Health,
    LobbyNow,
    MyGames,
    TableMade,
    encode,
)
from fathom.words import Crew

T = TypeVar("T", bound=Struct)
NOTES: Final = logging.getLogger("fathom.api")
HARBOUR: Final = web.AppKey("harbour", Harbour)
HANDLED: Final = web.AppKey("handled", dict)
"""Every route by its handler."""
CARDS: Final[Stored[GameCard]] = Stored(GameCard)
STATUS: Final[dict[str, int]] = {
    "bad-token": 401,
    "bad-origin": 403,
    "not-in-scope": 403,
    "banned": 403,
    "bad-recovery": 404,
    "unknown-table": 404,
    "unknown-game": 404,
    "unknown-token": 404,
    "unknown-path": 404,
    "unknown-player": 404,
    "unknown-entry": 404,
    "bad-method": 405,
    "game-not-over": 409,
    "too-many-tokens": 409,
    "too-long": 413,
    "too-many-messages": 429,
    "too-many-tables": 429,
    "internal": 500,
    "too-many-connections": 503,
    "busy": 503,
    "not-saved": 503,
    "going-down": 503,
}
"""What is not named here is a bad request."""
FORWARDED: Final = ("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")
"""Headers that proxies add."""
BODY_SECONDS: Final = 10.0
"""How long a request may take to say what it wants."""
MOST_QR_CODES: Final = 256
"""QR codes that are kept ready."""
FOR_A_DAY: Final = {"Cache-Control": "public, max-age=86400"}
REPLAYS: Final = web.AppKey("replays", Replays)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Route(Struct, frozen=True):
    """One thing that can be asked for."""

    method: str
    path: str
    handler: Handler
    gives: Any
    """The struct of the answer; a content type for anything else."""
    takes: type[Struct] | None = None
    signed: bool = False
    """Whether it needs a token."""
    programs: Literal["none", "games", "all", "operator"] = "none"
    """Which programs' tokens will do: those that may read games, or all. A player's own device
    always may; where only the operator may, it is no player's token."""
    errors: tuple[str, ...] = ()
    choices: dict[str, tuple[str, ...]] = {}
    """What may be asked for after the question mark, and what it may be."""
    texts: dict[str, str] = {}
    """What else may stand there, as patterns."""
    search: bool = False
    """Whether ``?search=`` and ``?most=`` may be asked for."""
    about: str = ""


# Answers


def json(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    """A struct as an answer."""
    text = body if isinstance(body, bytes) else encode(body)
    return web.Response(body=text, status=status, content_type="application/json", headers=headers)


def failed(error: str, arguments: wire.Arguments | None = None) -> web.Response:
    """What went wrong, as an answer."""
    status = 409 if "." in error else STATUS.get(error, 400)
    return json(ApiError(error, arguments or {}), status)


@web.middleware
async def say_what_is_wrong(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Every error is a key with arguments, whatever went wrong."""
    try:
        return await handler(request)
    except Trouble as trouble:
        return failed(trouble.error, trouble.arguments)
    except Unplayable as unplayable:
        return failed(unplayable.obstacle.key, unplayable.obstacle.arguments)
    except LogBusy:
        return failed("busy")
    except LogAway:
        return failed("not-saved")
    except web.HTTPRequestEntityTooLarge:
        return failed("too-long", {"most": LONGEST_DRAWING})
    except web.HTTPRequestTimeout as late:
        return json(ApiError("bad-message", {"where": "body"}), late.status)
    except web.HTTPMethodNotAllowed as bad:
        answer = failed("bad-method")
        answer.headers["Allow"] = ", ".join(sorted(bad.allowed_methods))
        return answer
    except web.HTTPNotFound:
        return failed("unknown-path")
    except (web.HTTPException, ConnectionError, asyncio.CancelledError):
        raise
    # A fault of our own is noted, and told without its particulars.
    except Exception:  # noqa: BLE001
        request.app[HARBOUR].metrics.faults += 1
        NOTES.exception("a request was not handled")
        return failed("internal")


async def body(request: web.Request, kind: type[T]) -> T:
    """What was sent, as a struct."""
    sent = await whole_body(request)
    try:
        return msgspec.json.decode(sent or b"{}", type=kind, dec_hook=unspell)
    except msgspec.ValidationError as bad:
        where = str(bad).partition(" - at ")[2].strip("`")
        raise Trouble("bad-message", where=where[:100]) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Trouble("bad-message") from None


async def whole_body(request: web.Request) -> bytes:
    """What was sent, as soon as all of it is there."""
    connection = behind(request)
    if connection is not None:
        connection.wait()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None
    finally:
        if connection is not None:
            connection.begin()


def token(request: web.Request) -> str:
    """The device's token."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not 16 <= len(secret) <= 100 or not secret.isascii():
        raise Trouble("bad-token")
    return secret


async def signed(request: web.Request) -> StoredToken:
    """The token with which somebody asks, if it may be used for that."""
    harbour = request.app[HARBOUR]
    known = await recognise(harbour.log, token(request))
    scope, programs = scope_of(known), request.app[HANDLED][request.match_info.handler].programs
    if scope is not None and not (programs == "all" or (programs == "games" and scope.games)):
        raise Trouble("not-in-scope")
    harbour.sessions.use(known)
    return known


async def player(request: web.Request) -> StoredPlayer:
    """Who asks; whoever is banned may not."""
    known = (await signed(request)).player
    request.app[HARBOUR].moderation.check_player(known.who)
    return known


def address(request: web.Request) -> str:
    """Where the request comes from, as it is counted."""
    forwarded = request.headers.getall("X-Forwarded-For", ())
    return limit_name(request.app[HARBOUR].proxies.client(request.remote or "", forwarded))


def on_this_machine(request: web.Request) -> bool:
    """Whether the request was made on the machine that serves, and is nobody else's.

    Behind a proxy everyone seems to be here, also where the proxy is not in the configuration.
    """
    harbour, remote = request.app[HARBOUR], request.remote or ""
    proxied = harbour.config.behind_proxy or harbour.proxies.trusts(remote)
    if proxied or any(header in request.headers for header in FORWARDED):
        return False
    return is_loopback(remote)


def base(request: web.Request) -> str:
    """The address that links begin with."""
    config = request.app[HARBOUR].config
    page = f"{request.scheme}://{request.host}"
    return config.public.rstrip("/") or for_friends(page, config.host)


# Identities


async def new_player(request: web.Request) -> web.Response:
    harbour = request.app[HARBOUR]
    asked = await body(request, wire.NewPlayer)
    checked_name(asked.name)
    if not harbour.new_players.take(address(request), time.monotonic()):
        raise Trouble("too-many-messages")
    made = await identity.register(
        harbour.log, asked.name, asked.device, recoverable=asked.recovery
    )
    return json(made, 201)


async def carry_over(request: web.Request) -> web.Response:
    harbour = request.app[HARBOUR]
    asked = await body(request, wire.Recovery)
    if not harbour.recoveries.take(address(request), time.monotonic()):
        raise Trouble("too-many-messages")
    found = await identity.recover(harbour.log, asked.recovery, asked.device)
    if asked.end_others:
        await harbour.sessions.end(found.you, but=found.device or "")
    for old in await identity.surplus(harbour.log, found.you):
        await harbour.sessions.end(found.you, only=old)
    return json(found)


async def who_am_i(request: web.Request) -> web.Response:
    known = await signed(request)
    return json(wire.Identity(known.player.who, known.player.name, device=known.id))


async def rename(request: web.Request) -> web.Response:
    known = await player(request)
    name = checked_name((await body(request, wire.NewName)).name)
    await request.app[HARBOUR].rename(known.who, name)
    return json(wire.Identity(known.who, name))


async def new_recovery(request: web.Request) -> web.Response:
    harbour, known = request.app[HARBOUR], await player(request)
    asked = await body(request, wire.NewRecovery)
    if asked.old and not harbour.recoveries.take(address(request), time.monotonic()):
        raise Trouble("too-many-messages")
    return json(await identity.renew_recovery(harbour.log, known, asked.old))


async def forget_device(request: web.Request) -> web.Response:
    known = await signed(request)
    await request.app[HARBOUR].sessions.end(known.player.who, only=known.id)
    return json(wire.Identity(known.player.who, known.player.name))


async def tokens(request: web.Request) -> web.Response:
    known = await signed(request)
    return json(await identity.my_tokens(request.app[HARBOUR].log, known))


async def new_program(request: web.Request) -> web.Response:
    harbour, known = request.app[HARBOUR], await player(request)
    asked = await body(request, wire.NewProgram)
    if asked.scope.play is not None:
        await harbour.room_for(Visitor(address(request), known.who), asked.scope.play)
    made = await identity.new_program(harbour.log, known, asked.device, asked.scope)
    return json(made, 201)


async def end_token(request: web.Request) -> web.Response:
    harbour, known = request.app[HARBOUR], await signed(request)
    if not await harbour.sessions.end(known.player.who, only=request.match_info["token"]):
        raise Trouble("unknown-token")
    return json(await identity.my_tokens(harbour.log, known))


async def end_other_tokens(request: web.Request) -> web.Response:
    harbour, known = request.app[HARBOUR], await signed(request)
    await harbour.sessions.end(known.player.who, but=known.id)
    return json(await identity.my_tokens(harbour.log, known))


# Tables


async def lobby(request: web.Request) -> web.Response:
    return json(await request.app[HARBOUR].lobby_cache.get_text())


async def new_table(request: web.Request) -> web.Response:
    harbour = request.app[HARBOUR]
    known = await player(request)
    asked = await body(request, wire.NewTable)
    if harbour.going_down:
        raise Trouble("going-down")
    harbour.moderation.drain.check()
    if not on_this_machine(request):
        rate = harbour.solo_games if asked.solo else harbour.new_tables
        harbour.take(rate, address(request))
    make = harbour.play_solo if asked.solo else harbour.new_table
    room = await make(known, asked.settings)
    return json(made(request, room.table), 201)


def made(request: web.Request, table: Table) -> TableMade:
    """A table with the link to it.

    Its key stands after a ``#``, where browsers keep it to themselves: no proxy notes it.
    """
    key = link_key(table)
    return TableMade(table.code, f"{base(request)}/t/{table.code}{key and f'#{key}'}")


async def table_asked_for(request: web.Request) -> Table:
    """The table that is asked for, if whoever asks may know of it."""
    harbour, code = request.app[HARBOUR], request.match_info["table"]
    visitor = Visitor(address(request), await visitor_name(request), request.query.get("key", ""))
    return (await harbour.room_for(visitor, code)).table


async def visitor_name(request: web.Request) -> str:
    """Who asks for a table, as far as that is known: nobody must say who they are."""
    try:
        known = await recognise(request.app[HARBOUR].log, token(request))
    except Trouble:
        return ""
    scope = scope_of(known)
    may = scope is None or scope.play == request.match_info["table"]
    return known.player.who if may else ""


async def table_link(request: web.Request) -> web.Response:
    return json(made(request, await table_asked_for(request)))


async def table(request: web.Request) -> web.Response:
    return json(table_card(await table_asked_for(request)))


async def table_qr(request: web.Request) -> web.Response:
    """A QR code of the table's link, to be shown to a friend's camera."""
    picture = qr_code(made(request, await table_asked_for(request)).link)
    return web.Response(body=picture, content_type="image/svg+xml")


@lru_cache(MOST_QR_CODES)
def qr_code(link: str) -> bytes:
    """A link as a picture. A long link takes tens of milliseconds."""
    code, picture = segno.make(link, error="m"), io.BytesIO()
    code.save(picture, kind="svg", xmldecl=False, scale=8, border=2, dark="#0c141a", light="#fff")
    return picture.getvalue()


# Games


async def my_games(request: web.Request) -> web.Response:
    known = await player(request)
    harbour = request.app[HARBOUR]
    found = await harbour.log.games_of(known.who)
    cards = (card_of(harbour, game, known.who) for game in found)
    return json(MyGames(tuple(card for card in cards if card is not None)))


def card_of(harbour: Harbour, stored: StoredGame, who: str) -> GameCard | None:
    """A game in the list of somebody's games; None if it can't be read."""
    name = f"the game {stored.game}"
    header = harbour.rows.read(SIDES, stored.header, name)
    card = harbour.rows.read(CARDS, stored.card, name)
    if header is None or card is None:
        return None
    side = header.sides.get(who)
    return msgspec.structs.replace(
        card,
        crew=Crew(side) if side else None,
        result=archive.result_of(stored),
    )


async def finished(request: web.Request) -> StoredGame:
    """A finished game; nobody sees a whole game that is still going on."""
    stored = await request.app[HARBOUR].log.game(request.match_info["game"])
    if stored is None:
        raise Trouble("unknown-game")
    if stored.result is None:
        raise Trouble("game-not-over")
    return stored


async def replay(
    request: web.Request, what: str, work: Callable[[StoredGame, list[StoredStep]], bytes]
) -> bytes:
    """Something about a finished game, worked out once."""
    replays, game = request.app[REPLAYS], request.match_info["game"]
    name = f"{what}/{game}"
    found = replays.found.get(name)
    if found is not None:
        return found
    stored = await finished(request)
    read = partial(request.app[HARBOUR].log.read, game)
    return await replays.get(name, address(request), read, partial(work, stored))


async def game_record(request: web.Request) -> web.Response:
    return json(await replay(request, "record", archive.record), headers=FOR_A_DAY)


def beliefs(stored: StoredGame, steps: list[StoredStep]) -> bytes:
    """What each crew could have known; only the process that works it out loads what it needs."""
    from fathom.server.hindsight import beliefs as worked_out  # noqa: PLC0415

    return worked_out(stored, steps)


async def game_belief(request: web.Request) -> web.Response:
    return json(await replay(request, "belief", beliefs), headers=FOR_A_DAY)


# Pictures, for links that are pasted into chats


async def table_picture(request: web.Request) -> web.Response:
    table = await request.app[HARBOUR].table_for(
        Visitor(address(request)), request.match_info["table"], member=True
    )
    chart, replays = table_chart(table.settings), request.app[REPLAYS]
    name = f"chart/{chart.special}/{'/'.join(chart.rows)}"
    found = replays.found.get(name)
    if found is None:
        work = partial(draw_table, chart)
        found = await replays.get(name, address(request), no_steps, work)
    return png(found, 3600)


async def no_steps() -> list[StoredStep]:
    """A chart is drawn before any game."""
    return []


async def game_picture(request: web.Request) -> web.Response:
    return png(await replay(request, "picture", draw_game), 86400)


def png(picture: bytes, seconds: int) -> web.Response:
    """A picture that may be kept for so long."""
    headers = {"Cache-Control": f"public, max-age={seconds}"}
    return web.Response(body=picture, content_type="image/png", headers=headers)


async def game_logbook(request: web.Request) -> web.Response:
    text = await replay(request, "logbook", archive.logbook)
    file = f"fathom-{request.match_info['game'][:8]}.txt"
    return web.Response(
        body=text,
        content_type="text/plain",
        charset="utf-8",
        headers={"Content-Disposition": f'attachment; filename="{file}"'},
    )


# What there is


async def library(request: web.Request) -> web.Response:
    return unchanging(request, shelves.library_text())


async def rules(request: web.Request) -> web.Response:
    language = request.query.get("language", "en")
    if language not in LANGUAGES:
        raise Trouble("bad-message", where="language")
    return unchanging(request, shelves.rules_text(language), language)


def unchanging(request: web.Request, text: bytes, which: str = "") -> web.Response:
    """What changes with the version only."""
    tag = f'"{__version__}-{len(text)}{which}"'
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers={"ETag": tag})
    return json(text, headers={"ETag": tag, "Cache-Control": "no-cache"})


async def health(request: web.Request) -> web.Response:
    return json(*ready(request.app[HARBOUR]))


async def health_ready(request: web.Request) -> web.Response:
    return json(*ready(request.app[HARBOUR]))


async def health_live(request: web.Request) -> web.Response:
    return json(*live(request.app[HARBOUR]))


async def metrics(request: web.Request) -> web.Response:
    check_metrics_token(request, request.app[HARBOUR].config.metrics_token)
    return web.Response(
        text=request.app[HARBOUR].metrics.text(),
        headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"},
    )


KEYS: Final = {"key": TABLE_KEY}
"""What opens an unlisted table to whoever holds no post there."""
ROUTES: Final = (
    Route(
        "POST",
        "/api/identity",
        new_player,
        wire.Identity,
        wire.NewPlayer,
        errors=("bad-message", "bad-name", "too-many-messages"),
        about="A new player. Token and recovery code are told this once; only hashes are kept.",
    ),
    Route(
        "POST",
        "/api/identity/recover",
        carry_over,
        wire.Identity,
        wire.Recovery,
        errors=("bad-message", "bad-name", "bad-recovery", "too-many-messages"),
        about="The same player on another device, by the recovery code; with `end_others` all "
        "tokens that they had until now are ended.",
    ),
    Route(
        "GET",
        "/api/identity",
        who_am_i,
        wire.Identity,
        signed=True,
        programs="all",
        about="Who I am.",
    ),
    Route(
        "PATCH",
        "/api/identity",
        rename,
        wire.Identity,
        wire.NewName,
        signed=True,
        errors=("bad-message", "bad-name"),
        about="Another name, from the next table on.",
    ),
    Route(
        "POST",
        "/api/identity/recovery",
        new_recovery,
        wire.Identity,
        wire.NewRecovery,
        signed=True,
        errors=("bad-message", "bad-recovery", "too-many-messages"),
        about="A new recovery code. It asks for the old one, unless there is none yet.",
    ),
    Route(
        "DELETE",
        "/api/identity/token",
        forget_device,
        wire.Identity,
        signed=True,
        programs="all",
        about="End the token that asks: forget this device.",
    ),
    Route(
        "GET",
        "/api/identity/tokens",
        tokens,
        wire.MyTokens,
        signed=True,
        about="My devices and programs.",
    ),
    Route(
        "POST",
        "/api/identity/tokens",
        new_program,
        wire.ProgramMade,
        wire.NewProgram,
        signed=True,
        errors=("bad-message", "bad-name", "unknown-table", "too-many-tokens"),
        about="A token for a bot or another program, which may do what its scope says.",
    ),
    Route(
        "DELETE",
        "/api/identity/tokens",
        end_other_tokens,
        wire.MyTokens,
        signed=True,
        about="End all my tokens but the one that asks. Their connections are closed at once.",
    ),
    Route(
        "DELETE",
        "/api/identity/tokens/{token}",
        end_token,
        wire.MyTokens,
        signed=True,
        errors=("unknown-token",),
        about="End one of my tokens. Its connections are closed at once.",
    ),
    Route("GET", "/api/lobby", lobby, LobbyNow, about="Open tables and running games."),
    Route(
        "POST",
        "/api/tables",
        new_table,
        TableMade,
        wire.NewTable,
        signed=True,
        errors=("bad-message", "too-many-tables", "going-down", "start.choices"),
        about="A new table; with `solo`, a game against the computer that has begun.",
    ),
    Route(
        "GET",
        "/api/tables/{table}",
        table,
        wire.TableCard,
        texts=KEYS,
        errors=("unknown-table", "too-many-messages"),
        about="A table in a few words.",
    ),
    Route(
        "GET",
        "/api/tables/{table}/link",
        table_link,
        TableMade,
        texts=KEYS,
        errors=("unknown-table", "too-many-messages"),
        about="The table's link, as friends on other machines can use it.",
    ),
    Route(
        "GET",
        "/api/tables/{table}/qr.svg",
        table_qr,
        "image/svg+xml",
        texts=KEYS,
        errors=("unknown-table", "too-many-messages"),
        about="The table's link as a QR code.",
    ),
    Route(
        "GET",
        "/api/tables/{table}/picture.png",
        table_picture,
        "image/png",
        errors=("unknown-table", "unknown-scenario", "bad-chart", "busy", "too-many-messages"),
        about="The table's chart as a picture, empty, for links in chats.",
    ),
    Route(
        "GET",
        "/api/games",
        my_games,
        MyGames,
        signed=True,
        programs="games",
        about="My games, newest first.",
    ),
    Route(
        "GET",
        "/api/games/{game}",
        game_record,
        wire.GameRecord,
        errors=("unknown-game", "game-not-over", "busy"),
        about="A finished game, whole.",
    ),
    Route(
        "GET",
        "/api/games/{game}/logbook",
        game_logbook,
        "text/plain",
        errors=("unknown-game", "game-not-over", "busy"),
        about="A finished game as a logbook.",
    ),
    Route(
        "GET",
        "/api/games/{game}/picture.png",
        game_picture,
        "image/png",
        errors=("unknown-game", "game-not-over", "busy"),
        about="A finished game's chart with both routes as a picture, for links in chats.",
    ),
    Route(
        "GET",
        "/api/games/{game}/belief",
        game_belief,
        wire.RecordBelief,
        errors=("unknown-game", "game-not-over", "busy"),
        about="What each crew could have known, step by step.",
    ),
    Route("GET", "/api/library", library, wire.Library, about="Everything to choose from."),
    Route(
        "GET",
        "/api/rules",
        rules,
        wire.Rules,
        errors=("bad-message",),
        choices={"language": LANGUAGES},
        about="Every rule by its name, in `?language=` en, uk, ru, pl or it.",
    ),
    Route("GET", "/health", health, Health, about="The same as `/health/ready`."),
    Route(
        "GET",
        "/health/ready",
        health_ready,
        Health,
        about="Whether players should be sent here; 503 if not.",
    ),
    Route(
        "GET",
        "/health/live",
        health_live,
        Health,
        about="Whether the process works; 503 if it should be started anew.",
    ),
    Route(
        "GET",
        "/metrics",
        metrics,
        "text/plain",
        signed=True,
        programs="operator",
        errors=("unknown-path",),
        about="Numbers for Prometheus, for whoever has the operator's `FATHOM_METRICS_TOKEN`.",
    ),
)
