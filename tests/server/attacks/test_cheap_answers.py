"""Answers that anybody may ask for again and again: little is done for each."""

from pathlib import Path
from typing import Any

import aiohttp
import pytest
import segno

from fathom import client as fathom_client
from fathom.server import wire
from fathom.server.duel import StoredHeader
from fathom.server.stored import Stored
from fathom.words import Crew
from tests.server.attacks.raw import asked
from tests.server.serving import QUICK, duel_of, run, serving

GET = "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Links of which a code was made."""
    found: list[str] = []
    real = segno.make

    def counted(link: str, **how: Any) -> segno.QRCode:
        found.append(link)
        return real(link, **how)

    monkeypatch.setattr(segno, "make", counted)
    return found


def test_a_qr_code_is_made_once(tmp_path: Path, made: list[str]) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, aiohttp.ClientSession() as session:
            ann = await server.player("Ann")
            path = f"/api/tables/{await server.table(ann, QUICK)}/qr.svg"
            pictures = set()
            for _ in range(5):
                async with session.get(server.url + path) as answer:
                    assert answer.status == 200
                    pictures.add(await answer.read())
            assert len(pictures) == len(made) == 1
            answer_to_long = await asked(server.url, GET.format(path=path, host="a" * 250).encode())
            assert answer_to_long.startswith(b"HTTP/1.1 400 ")
            assert len(made) == 1

    run(story())


def test_with_an_address_of_its_own_the_server_makes_one_code_for_all_hosts(
    tmp_path: Path, made: list[str]
) -> None:
    async def story() -> None:
        async with serving(tmp_path, public="https://sonar.example") as server:
            ann = await server.player("Ann")
            path = f"/api/tables/{await server.table(ann, QUICK)}/qr.svg"
            for number in range(5):
                request = GET.format(path=path, host=f"host{number}.example")
                assert (await asked(server.url, request.encode())).startswith(b"HTTP/1.1 200 ")
            assert len(made) == 1
            assert made[0].startswith("https://sonar.example/t/")

    run(story())


def test_the_list_of_games_reads_no_whole_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, _) = await duel_of(server)
            read: list[object] = []
            real = Stored.decode

            def counted(self: Stored[Any], text: bytes) -> Any:
                read.append(self.kind)
                return real(self, text)

            monkeypatch.setattr(Stored, "decode", counted)
            mine = await fathom_client.call(server.url, "/api/games", wire.MyGames, token=ann.token)
            assert [(card.game, card.crew) for card in mine.games] == [(game, Crew.A)]
            assert read
            assert StoredHeader not in read

    run(story())
