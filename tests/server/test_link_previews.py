"""What links say of themselves in chats: enough to be tempting, and nothing secret."""

import io
import json
import re
from html import unescape
from itertools import pairwise
from pathlib import Path
from random import Random

import aiohttp
import pytest
from msgspec.structs import replace
from PIL import Image

from fathom.engine import orders as give
from fathom.rules import library
from fathom.rules.library import LANGUAGES
from fathom.server import app, wire
from fathom.server.chart_picture import draw_chart
from fathom.server.limits import Buckets, Rate
from fathom.server.link_previews import preview_words
from fathom.server.pictures import PICTURE_SIZE, sailed
from fathom.words import Crew
from tests.server.serving import QUICK, Server, duel_of, play_on, run, serving

ROOT = Path(__file__).parents[2]
PAGE = '<!doctype html><head><title>Fathom</title></head><div id="app"></div>'
LARGEST = 300_000
"""Bytes; some chats show no picture that is larger."""


@pytest.fixture(autouse=True)
def _client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = tmp_path / "index.html"
    index.write_text(PAGE)
    monkeypatch.setattr(app, "client_files", lambda: {"index.html": index})


async def get(server: Server, path: str, language: str = "") -> tuple[int, bytes]:
    headers = {"Accept-Language": language} if language else {}
    async with (
        aiohttp.ClientSession() as session,
        session.get(server.url + path, headers=headers) as answer,
    ):
        return answer.status, await answer.read()


async def page(server: Server, path: str, language: str = "") -> str:
    status, text = await get(server, path, language)
    assert status == 200
    return text.decode()


def told(text: str) -> dict[str, str]:
    """All tags of a preview."""
    found = re.findall(r'<meta property="([\w:]+)" content="([^"]*)">', text)
    return {name: unescape(value) for name, value in found}


def size_of(picture: bytes) -> tuple[int, int]:
    assert len(picture) < LARGEST
    with Image.open(io.BytesIO(picture)) as image:
        assert image.format == "PNG"
        return image.size


@pytest.mark.slow
def test_an_invitation_says_who_invites_to_what(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path / "data") as server:
            ann = await server.player('Ann "><b>&')
            code = await server.table(ann, replace(QUICK, rulebook="captain-sonar-2"))
            text = await page(server, f"/t/{code}")
            assert "<b>" not in text
            assert re.sub(r"<!--preview-->.*<!--/preview-->", "", text) == PAGE
            tags = told(text)
            assert tags["og:title"] == 'Ann "><b>& invites you to a game of Fathom'
            assert tags["og:description"].startswith("Second edition · Turn by turn · Alpha")
            assert tags["og:url"] == f"{server.url}/t/{code}"
            assert tags["og:image"] == f"{server.url}/api/tables/{code}/picture.png"
            status, picture = await get(server, tags["og:image"].removeprefix(server.url))
            assert status == 200
            assert size_of(picture) == PICTURE_SIZE
            small = await page(server, f"/t/{code.lower()}", "uk-UA,uk;q=0.9,en;q=0.8")
            assert told(small)["og:title"] == preview_words("uk").invitation.format(
                host='Ann "><b>&'
            )

    run(story())


@pytest.mark.slow
def test_of_a_running_game_a_link_says_what_it_said_before(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path / "data") as server:
            code, game, players = await duel_of(server, settings=replace(QUICK, first=Crew.A))
            before = await page(server, f"/t/{code}"), await get(server, picture_of(code))
            await play_on(players, game, Random(3), 30)
            assert (await page(server, f"/t/{code}"), await get(server, picture_of(code))) == before
            assert await page(server, f"/replay/{game}") == PAGE
            status, answer = await get(server, f"/api/games/{game}/picture.png")
            assert (status, json.loads(answer)["error"]) == (409, "game-not-over")

    run(story())


def picture_of(code: str) -> str:
    return f"/api/tables/{code}/picture.png"


@pytest.mark.slow
def test_a_replay_shows_both_routes_of_a_finished_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path / "data") as server:
            code, game, players = await duel_of(server, settings=replace(QUICK, first=Crew.A))
            await play_on(players, game, Random(3), 40)
            assert isinstance(await players[0].order(game, give.Resign()), wire.Done)
            await players[1].until(lambda: players[1].games[game].over)
            tags = told(await page(server, f"/replay/{game}"))
            assert " against " in tags["og:title"]
            assert " wins. Follow both submarines" in tags["og:description"]
            status, picture = await get(server, tags["og:image"].removeprefix(server.url))
            assert status == 200
            assert size_of(picture) == PICTURE_SIZE
            assert picture != (await get(server, picture_of(code)))[1]
            again = await get(server, tags["og:image"].removeprefix(server.url))
            assert again == (200, picture)
            stored = await server.harbour.log.game(game)
            assert stored is not None
            _, been = sailed(stored, await server.harbour.log.read(game))
            for points in been.values():
                assert len(set(points)) > 1
                for one, next_one in pairwise(points):
                    assert one >> 4 == next_one >> 4 or one & 15 == next_one & 15, "no diagonals"

    run(story())


def test_a_preview_wakes_no_table_and_costs_what_a_question_costs(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path / "data") as server:
            code = await server.table(await server.player())
        async with serving(tmp_path / "data") as server:
            assert told(await page(server, f"/t/{code}"))
            assert code not in server.harbour.rooms
            server.harbour.requests = Buckets(Rate(1, 0.001))
            assert told(await page(server, f"/t/{code}"))
            assert await page(server, f"/t/{code}") == PAGE

    run(story())


@pytest.mark.parametrize("path", ["/t/ZZZZZ", "/t/", "/t/a/b", "/replay/none", "/", "/rules"])
def test_other_pages_are_as_they_are(tmp_path: Path, path: str) -> None:
    async def story() -> None:
        async with serving(tmp_path / "data") as server:
            assert await page(server, path) == PAGE

    run(story())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_preview_uses_the_words_of_the_client(language: str) -> None:
    file = ROOT / "web" / "messages" / f"{language}.json"
    spoken = json.loads(file.read_text("utf-8"))
    said = preview_words(language)
    assert set(said.books) == set(library.rulebook_names())
    for name, word in said.books.items():
        assert word == spoken[f"book_{name.replace('-', '_')}"]
    for name, word in said.modes.items():
        assert word == spoken[f"mode_{name.replace('-', '_')}"]
    for form, names in {
        said.invitation: {"host"},
        said.table: {"book", "mode", "chart"},
        said.replay: {"a", "b"},
        said.won: {"winner"},
        said.drawn: set(),
    }.items():
        assert set(re.findall(r"{(\w+)}", form)) == names


@pytest.mark.slow
def test_every_chart_can_be_drawn() -> None:
    sizes = {size_of(draw_chart(library.chart(name))) for name in library.chart_names()}
    assert sizes == {PICTURE_SIZE}
