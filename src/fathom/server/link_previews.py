"""What a link says of itself where it is pasted: title, description and picture (Open Graph).

An invitation shows what everybody with the link is told: host, rulebook, mode, chart. Of a game
that is not over nothing else is shown, not even that it has begun; a replay shows a finished one.
"""

import asyncio
import logging
import tomllib
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from aiohttp import web
from msgspec import Struct

from fathom.rules import library
from fathom.rules.library import LANGUAGES
from fathom.server import archive
from fathom.server.api import CARDS, HARBOUR, address, base
from fathom.server.log import LogAway
from fathom.server.pictures import PICTURE_SIZE
from fathom.server.room import scenario_of
from fathom.server.troubles import Trouble, Unplayable
from fathom.server.visitors import Visitor

NOTES: Final = logging.getLogger("fathom.api")
BEGIN, END = "<!--preview-->", "<!--/preview-->"
"""Around what is added to a page; the service worker takes it out again, to compare pages."""
PATIENCE: Final = 2.0
"""Seconds that a page waits for its preview."""


class Preview(Struct, frozen=True):
    """What a link says."""

    title: str
    description: str
    picture: str
    """The picture's path."""


class PreviewWords(Struct, frozen=True):
    """The words of one language."""

    invitation: str
    table: str
    own_chart: str
    replay: str
    won: str
    drawn: str
    books: dict[str, str]
    modes: dict[str, str]


@cache
def preview_words(language: str) -> PreviewWords:
    """All words of a language."""
    text = (files("fathom") / "data" / "previews.toml").read_text("utf-8")
    return PreviewWords(**tomllib.loads(text)[language])


# Pages


async def page_with_preview(request: web.Request, index: Path) -> web.StreamResponse:
    """The client's page; with a preview, if it is a table's or a replay's."""
    headers = {"Cache-Control": "no-cache"}
    preview = await preview_of(request)
    if preview is None:
        return web.FileResponse(index, headers=headers)
    text = await asyncio.to_thread(index.read_text, "utf-8")
    added = f"{BEGIN}{tags(request, preview)}{END}"
    return web.Response(
        text=text.replace("</head>", f"{added}</head>", 1),
        content_type="text/html",
        headers={**headers, "Vary": "Accept-Language"},
    )


async def preview_of(request: web.Request) -> Preview | None:
    """What the page's link says; a page is shown whatever becomes of its preview."""
    kind, _, name = request.path.strip("/").partition("/")
    find = {"t": invitation, "replay": replay}.get(kind)
    harbour = request.app[HARBOUR]
    if find is None or not name or "/" in name:
        return None
    if not harbour.requests.take(address(request), harbour.now()):
        return None
    try:
        async with asyncio.timeout(PATIENCE):
            return await find(request, name, preview_words(language_of(request)))
    except (Trouble, Unplayable, LogAway, TimeoutError):
        return None
    except Exception:  # noqa: BLE001  (a fault of our own; the page has to be shown all the same)
        harbour.metrics.faults += 1
        NOTES.exception("a link's preview was not made")
        return None


def language_of(request: web.Request) -> str:
    """The first language that whoever asks can read, and we can write."""
    for part in request.headers.get("Accept-Language", "")[:200].split(","):
        wanted = part.partition(";")[0].partition("-")[0].strip().lower()
        if wanted in LANGUAGES:
            return wanted
    return LANGUAGES[0]


def tags(request: web.Request, preview: Preview) -> str:
    """The preview in HTML."""
    home = base(request)
    found = {
        "og:type": "website",
        "og:site_name": "Fathom",
        "og:title": preview.title,
        "og:description": preview.description,
        "og:url": f"{home}{request.path}",
        "og:image": f"{home}{preview.picture}",
        "og:image:width": str(PICTURE_SIZE[0]),
        "og:image:height": str(PICTURE_SIZE[1]),
        "twitter:card": "summary_large_image",
    }
    return "".join(
        f'<meta property="{name}" content="{escape(value, quote=True)}">'
        for name, value in found.items()
    )


# Tables


async def invitation(request: web.Request, code: str, said: PreviewWords) -> Preview:
    """What the link to a table says. The page of an unlisted one asks for it without its key."""
    visitor = Visitor(address(request))
    table = await request.app[HARBOUR].table_for(visitor, code.upper(), member=True)
    settings, scenario = table.settings, scenario_of(table)
    own = settings.chart_text is not None
    return Preview(
        title=said.invitation.format(host=table.host_name),
        description=said.table.format(
            book=said.books[settings.rulebook],
            mode=said.modes[settings.mode.value],
            chart=said.own_chart if own else library.scenario(scenario).title,
        ),
        picture=f"/api/tables/{table.code}/picture.png",
    )


# Replays


async def replay(request: web.Request, game: str, said: PreviewWords) -> Preview:
    """What the link to a finished game says."""
    harbour = request.app[HARBOUR]
    stored = await harbour.log.game(game)
    if stored is None or stored.result is None:
        raise Trouble("unknown-game")
    card = harbour.rows.read(CARDS, stored.card, f"the game {game}")
    result = archive.result_of(stored)
    if card is None or result is None:
        raise Trouble("unknown-game")
    winner = result.winner
    return Preview(
        title=said.replay.format(a=card.boats.a, b=card.boats.b),
        description=said.won.format(winner=card.boats[winner]) if winner else said.drawn,
        picture=f"/api/games/{stored.game}/picture.png",
    )
