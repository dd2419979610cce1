"""The web application: sockets, API, and the client's files."""

import logging
import ssl
import sys
from collections.abc import AsyncIterator
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from fathom.server.addresses import is_host
from fathom.server.api import (
    HANDLED,
    HARBOUR,
    REPLAYS,
    Handler,
    address,
    failed,
    json,
    say_what_is_wrong,
)
from fathom.server.client_files import client_files
from fathom.server.config import Config
from fathom.server.connection import Connection
from fathom.server.harbour import Harbour
from fathom.server.http_connections import LINGER_SECONDS, HttpConnection, Site, behind
from fathom.server.http_errors import make_handler
from fathom.server.http_notes import http_notes
from fathom.server.limits import LONGEST_DRAWING, SMALL_FRAMES
from fathom.server.link_previews import page_with_preview
from fathom.server.log import Log
from fathom.server.openapi import document
from fathom.server.postgres_log import PostgresLog
from fathom.server.replays import Replays
from fathom.server.routes import ROUTES
from fathom.server.socket import socket_of
from fathom.server.sqlite_log import SqliteLog
from fathom.server.supervise import Supervisor
from fathom.server.troubles import Trouble
from fathom.server.wire import Problem, encode

NOTES: Final = logging.getLogger("fathom.server")
NO_CLIENT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Fathom</title>
<h1>Fathom</h1>
<p>The server is running, but the browser client has not been built.
<p>In a checkout, <code>make play</code> builds it and starts the server.
The API is described at <a href="/api/openapi.json">/api/openapi.json</a>.
"""
UNCHANGING: Final = "public, max-age=31536000, immutable"


def open_log(config: Config, supervisor: Supervisor) -> Log:
    """The log that the operator chose."""
    if config.log == "sqlite":
        return SqliteLog(config.folder / "fathom.db")
    if config.log.startswith(("postgresql://", "postgres://")):
        return PostgresLog(config.log, supervisor)
    raise ValueError("--log is sqlite, or postgresql://USER@HOST/DATABASE")


def make_app(config: Config) -> web.Application:
    """The application, ready to run."""
    app = web.Application(
        middlewares=[follow_connection, say_what_is_wrong, check_requests],
        client_max_size=LONGEST_DRAWING,
    )
    supervisor = Supervisor()
    harbour = app[HARBOUR] = Harbour(open_log(config, supervisor), config, supervisor)
    for name, (meaning, read) in harbour.log.gauges().items():
        harbour.metrics.watch(name, meaning, read)
    app.on_response_prepare.append(add_headers)
    app.cleanup_ctx.append(run_harbour)
    app[HANDLED] = {route.handler: route for route in ROUTES}
    for route in ROUTES:
        app.router.add_route(route.method, route.path, route.handler)
    app.router.add_get("/api/openapi.json", openapi)
    app.router.add_get("/socket", socket)
    app.router.add_get("/{path:.*}", client_file)
    return app


def make_runner(app: web.Application, shutdown_timeout: float = 5.0) -> web.AppRunner:
    """What runs the application; what it has to say is said as everything else is."""
    return web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        shutdown_timeout=shutdown_timeout,
        # A few bytes may inflate to gigabytes, which happens on the loop and before anything here
        # has seen the request.
        auto_decompress=False,
        lingering_time=LINGER_SECONDS,
        logger=http_notes(app[HARBOUR].metrics),
    )


async def listen(
    runner: web.AppRunner, host: str, port: int, tls: ssl.SSLContext | None = None
) -> None:
    """Be there for clients, on this port."""
    await Site(runner, runner.app[HARBOUR].http, make_handler, (host, port), tls).start()


async def run_harbour(app: web.Application) -> AsyncIterator[None]:
    """The harbour opens before the first request and closes after the last."""
    app[REPLAYS] = Replays()
    app[HARBOUR].moderation.forgotten.append(app[REPLAYS].forget)
    # Whoever waits for a commit waits for its thread, which should not have to wait for its turn.
    sys.setswitchinterval(0.001)
    await app[HARBOUR].open()
    app.on_shutdown.append(close_harbour)
    yield
    app[REPLAYS].close()


async def close_harbour(app: web.Application) -> None:
    """While connections are still there: they are told to come again."""
    app[REPLAYS].close()
    await app[HARBOUR].close()


@web.middleware
async def follow_connection(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Tell the connection what becomes of its request."""
    connection = behind(request)
    if connection is not None:
        connection.begin()
    try:
        if connection is None or connection.may_ask(request.path):
            response = await handler(request)
        else:
            response = failed("too-many-connections")
            response.force_close()
    finally:
        if connection is not None:
            connection.end()
    if connection is not None and not request.content.is_eof():
        connection.refuse()
        response.force_close()
    return response


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """What browsers must know of every answer."""
    # By itself it would tell the versions of Python and of what serves.
    response.headers["Server"] = "Fathom"
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "no-referrer")
    response.headers.setdefault("Content-Security-Policy", policy(request))
    response.headers.setdefault("Cache-Control", "no-store")


def policy(request: web.Request) -> str:
    """Nothing from elsewhere, nothing inline but styles, no frames."""
    host = request.host
    sockets = f" ws://{host} wss://{host}" if is_host(host) else ""
    return "; ".join(
        (
            "default-src 'self'",
            f"connect-src 'self'{sockets}",
            "img-src 'self' data: blob:",
            "style-src 'self' 'unsafe-inline'",
            "object-src 'none'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
            "form-action 'self'",
        )
    )


@web.middleware
async def check_requests(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Not too many, to a host that can be one, and none from another site's page."""
    harbour = request.app[HARBOUR]
    if not is_host(request.host):
        raise Trouble("bad-message", where="Host")
    check_body(request)
    limit = harbour.limit_of(request.path)
    if limit is not None and not limit.take(address(request), harbour.now()):
        harbour.metrics.limited += 1
        raise Trouble("too-many-messages")
    if request.path.startswith("/api/") and not is_always_open(request):
        harbour.moderation.check_address(address(request))
    if (request.method != "GET" or request.path == "/socket") and not own_page(request):
        return failed("bad-origin")
    return await handler(request)


def check_body(request: web.Request) -> None:
    """No body where none is read, none that is compressed or in chunks, and none too long."""
    if "Content-Encoding" in request.headers:
        raise Trouble("bad-message", where="Content-Encoding")
    if "Transfer-Encoding" in request.headers:
        raise Trouble("bad-message", where="Transfer-Encoding")
    length = request.content_length or 0
    if length and request.method in ("GET", "HEAD"):
        raise Trouble("bad-message", where="Content-Length")
    if length > LONGEST_DRAWING:
        raise Trouble("too-long", most=LONGEST_DRAWING)


def is_always_open(request: web.Request) -> bool:
    """Whether this may be asked for from a banned address.

    Operators must not ban themselves by a slip, and what is kept of somebody is still theirs.
    """
    mine = request.method == "DELETE" and request.path == "/api/identity"
    return mine or request.path.startswith(("/api/admin/", "/api/identity/data"))


def own_page(request: web.Request) -> bool:
    """Whether the page that asks is ours; what is no browser sends no origin."""
    origin = request.headers.get("Origin")
    if origin is None or origin in request.app[HARBOUR].config.origins:
        return True
    public = request.app[HARBOUR].config.public
    hosts = {request.host, urlsplit(public).netloc} if public else {request.host}
    try:
        return urlsplit(origin).netloc in hosts
    except ValueError:
        return False


async def socket(request: web.Request) -> web.StreamResponse:
    """A client comes."""
    harbour = request.app[HARBOUR]
    taken = socket_of(request, SMALL_FRAMES.times(harbour.config.rate_factor))
    if taken is None:
        return failed("bad-message")
    if isinstance(taken.before, HttpConnection):
        harbour.http.forget(taken.before)
    connection = Connection(harbour, taken, address(request))
    try:
        harbour.admit(connection)
    except Trouble as trouble:
        problem = Problem(error=trouble.error, arguments=trouble.arguments, fatal=True)
        connection.dismiss(encode(problem))
    await connection.serve()
    # The socket is gone, and nobody is there to get this.
    return web.Response()


async def openapi(_: web.Request) -> web.Response:
    return json(document())


async def client_file(request: web.Request) -> web.StreamResponse:
    """A file of the built client; every other path is a page of it."""
    path = request.match_info["path"]
    if path.startswith("api/"):
        return failed("unknown-path")
    found = client_files().get(path)
    if found is not None:
        fixed = path.startswith("assets/")
        return web.FileResponse(found, headers={"Cache-Control": UNCHANGING} if fixed else None)
    if "." in path.rpartition("/")[2] and "text/html" not in request.headers.get("Accept", ""):
        return failed("unknown-path")
    index = client_files().get("index.html")
    if index is not None:
        return await page_with_preview(request, index)
    return web.Response(text=NO_CLIENT, content_type="text/html")
