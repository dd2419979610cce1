"""While somebody floods the server, everyone else is served about as fast as before."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import aiohttp
import pytest

from fathom.client import Client
from fathom.server import connection as server_connection
from fathom.server import wire
from tests.server.attacks.raw import upgraded
from tests.server.crashes import ServerProcess, new_duel
from tests.server.serving import choose, run, serving
from tests.server.test_frames import client_frame

MASK = b"abcd"
PING = b'{"type":"ping","number":1}'
FLOODS = {
    "empty parts": client_frame(0x01, b"a", MASK) + client_frame(0x00, b"", MASK) * 20_000,
    "pings": client_frame(0x89, b"", MASK) * 20_000,
    "messages": client_frame(0x81, PING, MASK) * 4_000,
    "unfinished": client_frame(0x81, b"x" * 32_000, MASK)[:-1] * 4,
}
"""About 120 KB each, from clients that have not said hello."""
HARMLESS = client_frame(0x81, PING, MASK) + client_frame(0x88, b"", MASK)
FLOODERS, TURNS = 6, 3
DEARER = 20
"""How much longer all may take than beside as many who come and go. Without bounds it is hundreds
of times as long."""


async def come_and_go(url: str, data: bytes) -> None:
    """Connect and send it, again and again."""
    while True:
        with contextlib.suppress(OSError, AssertionError, asyncio.IncompleteReadError):
            async with upgraded(url) as (reader, writer):
                writer.write(data)
                await reader.read()
        await asyncio.sleep(0.02)


@asynccontextmanager
async def beside(url: str, data: bytes) -> AsyncIterator[None]:
    """With some who come and go meanwhile."""
    others = [asyncio.create_task(come_and_go(url, data)) for _ in range(FLOODERS)]
    try:
        yield
    finally:
        for other in others:
            other.cancel()
        await asyncio.gather(*others, return_exceptions=True)


async def served(url: str, players: list[tuple[Client, str]], dice: Random) -> float:
    """Seconds for some orders at another table, and as many questions about the server's health."""
    began = time.perf_counter()
    async with aiohttp.ClientSession() as session:
        for _ in range(4):
            async with session.get(f"{url}/health") as answer:
                assert answer.status == 200
            for client, game in players:
                order = choose(client.games[game], dice)
                if order is not None:
                    answered = await client.order(game, order)
                    assert isinstance(answered, wire.Done | wire.Refused), answered
    return time.perf_counter() - began


@pytest.mark.slow
@pytest.mark.parametrize("rates", ["1", "1000"], ids=["usual rates", "no rates"])
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_holds_nobody_up(kind: str, rates: str, tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path, FATHOM_RATE_FACTOR=rates)
        await server.start()
        try:
            pair = await new_duel(server, 1)
            players = [(player.client, player.game) for player in pair]
            usual, flooded = list[float](), list[float]()
            # Other work on the machine makes both slower, now and then: so they take turns.
            for turn in range(TURNS):
                async with beside(server.url, HARMLESS):
                    usual.append(await served(server.url, players, Random(turn)))
                async with beside(server.url, FLOODS[kind]):
                    flooded.append(await served(server.url, players, Random(-turn)))
            for client, _ in players:
                await client.close()
            assert min(flooded) < DEARER * sorted(usual)[TURNS // 2]
        finally:
            await server.kill()

    run(story())


def test_pings_do_not_put_off_the_hello(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_connection, "HELLO_SECONDS", 0.3)

    async def story() -> None:
        async with serving(tmp_path) as server, upgraded(server.url) as (reader, writer):
            told = b""
            # It never falls silent, and it never says who it is.
            while more := await anything(reader, writer):
                told += more
            assert b'"why":"silent"' in told

    run(story())


async def anything(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
    writer.write(client_frame(0x81, PING, MASK) + client_frame(0x89, b"", MASK))
    try:
        return await reader.read(10_000)
    except ConnectionError:
        return b""
