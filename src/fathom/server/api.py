"""The HTTP API: identities, tables, finished games, and what there is to choose from.

Every route stands once in ``ROUTES``, with the structs that it takes and gives; the OpenAPI
document is made from the same list.
"""

import asyncio
import io
import logging
import multiprocessing
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Final, TypeVar

import msgspec
import segno
from aiohttp import web
from msgspec import Struct

from fathom import __version__
from fathom.points import unspell
from fathom.rules.library import LANGUAGES
from fathom.server import archive, shelves, wire
from fathom.server.addresses import for_friends
from fathom.server.duel import HEADERS
from fathom.server.harbour import Harbour
from fathom.server.identity import (
    checked_name,
    hashed,
    recognise,
    recover,
    register,
    renew_recovery,
)
from fathom.server.limits import LONGEST_DRAWING
from fathom.server.log import LogAway, Step, StoredGame, StoredPlayer
from fathom.server.room import table_card
from fathom.server.troubles import Trouble, Unplayable
from fathom.server.wire import ApiError, GameCard, Health, LobbyNow, MyGames, TableMade, encode
from fathom.words import Crew

T = TypeVar("T", bound=Struct)
NOTES: Final = logging.getLogger("fathom.api")
HARBOUR: Final = web.AppKey("harbour", Harbour)
CARDS: Final = msgspec.json.Decoder(GameCard, dec_hook=unspell)
STATUS: Final[dict[str, int]] = {
    "bad-token": 401,
    "bad-origin": 403,
    "bad-recovery": 404,
    "unknown-table": 404,
    "unknown-game": 404,
    "unknown-path": 404,
    "bad-method": 405,
    "game-not-over": 409,
    "too-long": 413,
    "too-many-messages": 429,
    "too-many-tables": 429,
    "internal": 500,
    "not-saved": 503,
    "going-down": 503,
}
"""What is not named here is a bad request."""
MOST_KEPT: Final = 32
"""Records of finished games that are kept ready."""

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
    errors: tuple[str, ...] = ()
    choices: dict[str, tuple[str, ...]] = {}
    """What may be asked for after the question mark, and what it may be."""
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
    except LogAway:
        return failed("not-saved")
    except web.HTTPRequestEntityTooLarge:
        return failed("too-long", {"most": LONGEST_DRAWING})
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
    try:
        return msgspec.json.decode(await request.read() or b"{}", type=kind, dec_hook=unspell)
    except msgspec.ValidationError as bad:
        where = str(bad).partition(" - at ")[2].strip("`")
        raise Trouble("bad-message", where=where[:100]) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Trouble("bad-message") from None


def token(request: web.Request) -> str:
    """The device's token."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer" or not 16 <= len(secret) <= 100:
        raise Trouble("bad-token")
    return secret


async def player(request: web.Request) -> StoredPlayer:
    """Who asks."""
    return await recognise(request.app[HARBOUR].log, token(request))


def address(request: web.Request) -> str:
    """Where the request comes from."""
    if request.app[HARBOUR].config.behind_proxy:
        forwarded = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
        if forwarded:
            return forwarded[:60]
    return request.remote or ""


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
    return json(await register(harbour.log, asked.name), 201)


async def carry_over(request: web.Request) -> web.Response:
    harbour = request.app[HARBOUR]
    asked = await body(request, wire.Recovery)
    if not harbour.recoveries.take(address(request), time.monotonic()):
        raise Trouble("too-many-messages")
    return json(await recover(harbour.log, asked.recovery))


async def who_am_i(request: web.Request) -> web.Response:
    known = await player(request)
    return json(wire.Identity(known.who, known.name))


async def rename(request: web.Request) -> web.Response:
    known = await player(request)
    name = checked_name((await body(request, wire.NewPlayer)).name)
    await request.app[HARBOUR].log.rename(known.who, name)
    return json(wire.Identity(known.who, name))


async def new_recovery(request: web.Request) -> web.Response:
    return json(await renew_recovery(request.app[HARBOUR].log, await player(request)))


async def forget_device(request: web.Request) -> web.Response:
    known = await player(request)
    await request.app[HARBOUR].log.drop_token(hashed(token(request)))
    return json(wire.Identity(known.who, known.name))


# Tables


async def lobby(request: web.Request) -> web.Response:
    now = await request.app[HARBOUR].lobby()
    return json(LobbyNow(now.tables, now.games))


async def new_table(request: web.Request) -> web.Response:
    harbour = request.app[HARBOUR]
    known = await player(request)
    asked = await body(request, wire.NewTable)
    if harbour.going_down:
        raise Trouble("going-down")
    if not harbour.new_tables.take(address(request), time.monotonic()):
        raise Trouble("too-many-tables")
    make = harbour.play_solo if asked.solo else harbour.new_table
    room = await make(known, asked.settings)
    return json(made(request, room.table.code), 201)


def made(request: web.Request, code: str) -> TableMade:
    """A table with the link to it."""
    return TableMade(code, f"{base(request)}/t/{code}")


async def table_link(request: web.Request) -> web.Response:
    room = await request.app[HARBOUR].room(request.match_info["table"])
    return json(made(request, room.table.code))


async def table(request: web.Request) -> web.Response:
    room = await request.app[HARBOUR].room(request.match_info["table"])
    return json(table_card(room.table))


async def table_qr(request: web.Request) -> web.Response:
    """A QR code of the table's link, to be shown to a friend's camera."""
    room = await request.app[HARBOUR].room(request.match_info["table"])
    code = segno.make(made(request, room.table.code).link, error="m")
    picture = io.BytesIO()
    code.save(picture, kind="svg", xmldecl=False, scale=8, border=2, dark="#0c141a", light="#fff")
    return web.Response(body=picture.getvalue(), content_type="image/svg+xml")


# Games


async def my_games(request: web.Request) -> web.Response:
    known = await player(request)
    found = await request.app[HARBOUR].log.games_of(known.who)
    return json(MyGames(tuple(card_of(game, known.who) for game in found)))


def card_of(stored: StoredGame, who: str) -> GameCard:
    """A game in the list of somebody's games."""
    side = HEADERS.decode(stored.header).sides.get(who)
    return msgspec.structs.replace(
        CARDS.decode(stored.card),
        crew=Crew(side) if side else None,
        result=archive.result_of(stored),
    )


async def finished(request: web.Request) -> tuple[StoredGame, list[Step]]:
    """A finished game; nobody sees a whole game that is still going on."""
    log = request.app[HARBOUR].log
    stored = await log.game(request.match_info["game"])
    if stored is None:
        raise Trouble("unknown-game")
    if stored.result is None:
        raise Trouble("game-not-over")
    steps: list[Step] = []
    while more := await log.read(stored.game, len(steps)):
        steps += more
    return stored, steps


class Kept:
    """What was worked out lately and does not change any more."""

    def __init__(self) -> None:
        self.found: OrderedDict[str, bytes] = OrderedDict()
        self.working = asyncio.Lock()
        self.pool: ProcessPoolExecutor | None = None

    def put(self, name: str, text: bytes) -> bytes:
        self.found[name] = text
        while len(self.found) > MOST_KEPT:
            self.found.popitem(last=False)
        return text

    async def away(self, work: Callable[..., bytes], *about: Any) -> bytes:
        """Have it worked out in a process of its own, one at a time."""
        if self.pool is None:
            context = multiprocessing.get_context("spawn")
            self.pool = ProcessPoolExecutor(1, mp_context=context)
        return await asyncio.get_running_loop().run_in_executor(self.pool, work, *about)

    def close(self) -> None:
        """End the process."""
        if self.pool is not None:
            self.pool.shutdown(wait=False, cancel_futures=True)


KEPT: Final = web.AppKey("kept", Kept)


async def game_record(request: web.Request) -> web.Response:
    return await kept(request, "record", archive.record)


def beliefs(stored: StoredGame, steps: list[Step]) -> bytes:
    """What each crew could have known; only the process that works it out loads what it needs."""
    from fathom.server.hindsight import beliefs as worked_out  # noqa: PLC0415

    return worked_out(stored, steps)


async def game_belief(request: web.Request) -> web.Response:
    return await kept(request, "belief", beliefs)


async def kept(
    request: web.Request, what: str, work: Callable[[StoredGame, list[Step]], bytes]
) -> web.Response:
    """Something about a finished game, worked out once."""
    store = request.app[KEPT]
    name = f"{what}/{request.match_info['game']}"
    found = store.found.get(name)
    if found is None:
        stored, steps = await finished(request)
        async with store.working:
            found = store.found.get(name)
            if found is None:
                found = store.put(name, await store.away(work, stored, steps))
    return json(found, headers={"Cache-Control": "public, max-age=86400"})


async def game_logbook(request: web.Request) -> web.Response:
    stored, steps = await finished(request)
    text = await asyncio.to_thread(archive.logbook, stored, steps)
    return web.Response(
        text=text,
        content_type="text/plain",
        headers={"Content-Disposition": f'attachment; filename="fathom-{stored.game[:8]}.txt"'},
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
    harbour = request.app[HARBOUR]
    status: Any = "going-down" if harbour.going_down else "ok"
    try:
        await harbour.log.table("")
    except LogAway:
        status = "log-away"
    answer = Health(status, __version__, harbour.games(), len(harbour.connections))
    return json(answer, 200 if status == "ok" else 503)


async def metrics(request: web.Request) -> web.Response:
    return web.Response(
        text=request.app[HARBOUR].metrics.text(),
        headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"},
    )


SIGNED: Final = ("bad-token",)
ROUTES: Final = (
    Route(
        "POST",
        "/api/identity",
        new_player,
        wire.Identity,
        wire.NewPlayer,
        errors=("bad-message", "bad-name", "too-many-messages"),
        about="A new player. Token and recovery code are told this once.",
    ),
    Route(
        "POST",
        "/api/identity/recover",
        carry_over,
        wire.Identity,
        wire.Recovery,
        errors=("bad-message", "bad-recovery", "too-many-messages"),
        about="The same player on another device, by the recovery code.",
    ),
    Route("GET", "/api/identity", who_am_i, wire.Identity, signed=True, about="Who I am."),
    Route(
        "PATCH",
        "/api/identity",
        rename,
        wire.Identity,
        wire.NewPlayer,
        signed=True,
        errors=("bad-message", "bad-name"),
        about="Another name, from the next table on.",
    ),
    Route(
        "POST",
        "/api/identity/recovery",
        new_recovery,
        wire.Identity,
        signed=True,
        about="A new recovery code; the old one is void.",
    ),
    Route(
        "DELETE",
        "/api/identity/token",
        forget_device,
        wire.Identity,
        signed=True,
        about="Forget this device.",
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
        errors=("unknown-table",),
        about="A table in a few words.",
    ),
    Route(
        "GET",
        "/api/tables/{table}/link",
        table_link,
        TableMade,
        errors=("unknown-table",),
        about="The table's link, as friends on other machines can use it.",
    ),
    Route(
        "GET",
        "/api/tables/{table}/qr.svg",
        table_qr,
        "image/svg+xml",
        errors=("unknown-table",),
        about="The table's link as a QR code.",
    ),
    Route("GET", "/api/games", my_games, MyGames, signed=True, about="My games, newest first."),
    Route(
        "GET",
        "/api/games/{game}",
        game_record,
        wire.GameRecord,
        errors=("unknown-game", "game-not-over"),
        about="A finished game, whole.",
    ),
    Route(
        "GET",
        "/api/games/{game}/logbook",
        game_logbook,
        "text/plain",
        errors=("unknown-game", "game-not-over"),
        about="A finished game as a logbook.",
    ),
    Route(
        "GET",
        "/api/games/{game}/belief",
        game_belief,
        wire.RecordBelief,
        errors=("unknown-game", "game-not-over"),
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
    Route("GET", "/health", health, Health, about="Whether the server is well."),
    Route("GET", "/metrics", metrics, "text/plain", about="Numbers for Prometheus."),
)
