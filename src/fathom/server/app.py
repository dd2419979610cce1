"""The web application: sockets, API, and the client's files."""

import logging
import sys
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from aiohttp import web

from fathom.server.api import (
    HARBOUR,
    KEPT,
    ROUTES,
    Handler,
    Kept,
    address,
    failed,
    json,
    say_what_is_wrong,
)
from fathom.server.config import Config
from fathom.server.connection import Connection
from fathom.server.harbour import Harbour
from fathom.server.limits import LONGEST_DRAWING
from fathom.server.log import Log
from fathom.server.openapi import document
from fathom.server.postgres_log import PostgresLog
from fathom.server.socket import socket_of
from fathom.server.sqlite_log import SqliteLog
from fathom.server.troubles import Trouble
from fathom.server.wire import Problem, encode

NOTES: Final = logging.getLogger("fathom.server")
CLIENT: Final = Path(str(files("fathom"))) / "server" / "client"
"""Where the built client lies in the package."""
NO_CLIENT: Final = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Fathom</title>
<h1>Fathom</h1>
<p>The server is running, but the browser client has not been built.
<p>In a checkout, <code>make play</code> builds it and starts the server.
The API is described at <a href="/api/openapi.json">/api/openapi.json</a>.
"""
UNCHANGING: Final = "public, max-age=31536000, immutable"


def open_log(config: Config) -> Log:
    """The log that the operator chose."""
    if config.log == "sqlite":
        return SqliteLog(config.folder / "fathom.db")
    if config.log.startswith(("postgresql://", "postgres://")):
        return PostgresLog(config.log)
    raise ValueError("--log is sqlite, or postgresql://USER@HOST/DATABASE")


def make_app(config: Config, log: Log | None = None) -> web.Application:
    """The application, ready to run."""
    app = web.Application(
        middlewares=[add_headers, say_what_is_wrong, check_requests],
        client_max_size=LONGEST_DRAWING,
    )
    harbour = app[HARBOUR] = Harbour(log or open_log(config), config)
    for name, (meaning, read) in harbour.log.gauges().items():
        harbour.metrics.watch(name, meaning, read)
    app.cleanup_ctx.append(run_harbour)
    for route in ROUTES:
        app.router.add_route(route.method, route.path, route.handler)
    app.router.add_get("/api/openapi.json", openapi)
    app.router.add_get("/socket", socket)
    app.router.add_get("/{path:.*}", client_file)
    return app


async def run_harbour(app: web.Application) -> AsyncIterator[None]:
    """The harbour opens before the first request and closes after the last."""
    app[KEPT] = Kept()
    # Whoever waits for a commit waits for its thread, which should not have to wait for its turn.
    sys.setswitchinterval(0.001)
    await app[HARBOUR].open()
    app.on_shutdown.append(close_harbour)
    yield
    app[KEPT].close()


async def close_harbour(app: web.Application) -> None:
    """While connections are still there: they are told to come again."""
    await app[HARBOUR].close()


@web.middleware
async def add_headers(request: web.Request, handler: Handler) -> web.StreamResponse:
    """What browsers must know of every answer."""
    response = await handler(request)
    if not response.prepared:
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        response.headers.setdefault("Content-Security-Policy", policy(request))
        response.headers.setdefault("Cache-Control", "no-store")
    return response


def policy(request: web.Request) -> str:
    """Nothing from elsewhere, nothing inline but styles, no frames."""
    host = request.host
    return "; ".join(
        (
            "default-src 'self'",
            f"connect-src 'self' ws://{host} wss://{host}",
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
    """Not too many, and none from another site's page."""
    harbour = request.app[HARBOUR]
    if request.path.startswith("/api/") and not harbour.requests.take(
        address(request), harbour.now()
    ):
        harbour.metrics.limited += 1
        raise Trouble("too-many-messages")
    if (request.method != "GET" or request.path == "/socket") and not own_page(request):
        return failed("bad-origin")
    return await handler(request)


def own_page(request: web.Request) -> bool:
    """Whether the page that asks is ours; what is no browser sends no origin."""
    origin = request.headers.get("Origin")
    if origin is None or origin in request.app[HARBOUR].config.origins:
        return True
    public = request.app[HARBOUR].config.public
    hosts = {request.host, urlsplit(public).netloc} if public else {request.host}
    return urlsplit(origin).netloc in hosts


async def socket(request: web.Request) -> web.StreamResponse:
    """A client comes."""
    harbour = request.app[HARBOUR]
    taken = socket_of(request, LONGEST_DRAWING)
    if taken is None:
        return failed("bad-message")
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
    root: Any = CLIENT.resolve()
    found = (root / path).resolve() if path and "\0" not in path else root
    if found.is_relative_to(root) and found.is_file():
        fixed = path.startswith("assets/")
        return web.FileResponse(found, headers={"Cache-Control": UNCHANGING} if fixed else None)
    if "." in path.rpartition("/")[2] and "text/html" not in request.headers.get("Accept", ""):
        return failed("unknown-path")
    index = root / "index.html"
    if index.is_file():
        return web.FileResponse(index, headers={"Cache-Control": "no-cache"})
    return web.Response(text=NO_CLIENT, content_type="text/html")
