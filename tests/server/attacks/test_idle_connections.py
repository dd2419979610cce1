"""Connections that ask for nothing: they don't last, and they keep nobody out."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import aiohttp
import pytest

from fathom.client import Client
from fathom.server import api, http_connections, wire
from tests.server.attacks.raw import connected, ended
from tests.server.serving import choose, duel_of, holds, run, serving

HALF = b"GET /health HTTP/1.1\r\nHost: a\r\nX-Half: "
WHOLE = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
SLOW_BODY = b"POST /api/identity HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"


@pytest.mark.parametrize("said", [b"", HALF], ids=["nothing", "half a header"])
def test_who_asks_for_nothing_is_left(
    said: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_connections, "REQUEST_SECONDS", 0.2)

    async def story() -> None:
        async with serving(tmp_path) as server, connected(server.url) as (reader, writer):
            writer.write(said)
            await holds(lambda: len(server.harbour.http) == 1)
            assert await ended(reader)
            assert len(server.harbour.http) == 0

    run(story())


def test_drops_of_a_header_put_nothing_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connections, "REQUEST_SECONDS", 0.2)

    async def story() -> None:
        async with serving(tmp_path) as server, connected(server.url) as (reader, writer):
            writer.write(HALF)
            end = asyncio.create_task(ended(reader))
            while not end.done():
                writer.write(b"x")
                await asyncio.sleep(0.05)
            assert len(server.harbour.http) == 0

    run(story())


def test_a_body_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "BODY_SECONDS", 0.2)

    async def story() -> None:
        async with serving(tmp_path) as server, connected(server.url) as (reader, writer):
            writer.write(SLOW_BODY)
            answer = await reader.readuntil(b"}")
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b"\r\nServer: Fathom\r\n" in answer
            assert b'{"error":"bad-message","arguments":{"where":"body"}' in answer
            assert server.harbour.metrics.faults == 0

    run(story())


def test_a_connection_may_be_used_again_for_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, connected(server.url) as (reader, writer):
            for _ in range(2):
                writer.write(WHOLE)
                assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
                while await reader.readline() != b"\r\n":
                    pass
                assert (await reader.readuntil(b"}")).startswith(b"{")
            (connection,) = server.harbour.http.all
            assert not connection.overdue(server.harbour.now())
            assert connection.overdue(server.harbour.now() + http_connections.IDLE_SECONDS + 1)
            # The next request, once begun, must come soon.
            writer.write(HALF)
            await holds(lambda: connection.asking)
            assert connection.overdue(server.harbour.now() + http_connections.REQUEST_SECONDS + 1)

    run(story())


def test_who_has_too_many_loses_the_oldest(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, connections_per_address=20) as server:
            async with AsyncExitStack() as stack:
                streams = [
                    await stack.enter_async_context(connected(server.url)) for _ in range(20)
                ]
                await holds(lambda: len(server.harbour.http) == 20)
                async with aiohttp.ClientSession() as session:
                    for _ in range(3):
                        # Each is a new connection, and answered.
                        headers = {"Connection": "close"}
                        async with session.get(f"{server.url}/health", headers=headers) as answer:
                            assert answer.status == 200
                assert await ended(streams[0][0])
                assert len(server.harbour.http) <= 20
            await holds(lambda: len(server.harbour.http) == 0)
            assert server.harbour.http.by_name == {}

    run(story())


def test_a_crowd_of_idle_connections_keeps_nobody_from_playing(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, AsyncExitStack() as stack:
            server.harbour.http.most = 50
            _, game, players = await duel_of(server)
            for _ in range(120):
                await stack.enter_async_context(connected(server.url))
            await holds(lambda: len(server.harbour.http) == 50)
            newcomer = await server.player("Newcomer")
            assert isinstance(newcomer, Client)
            dice = Random(1)
            given = 0
            while given < 10:
                for player in players:
                    order = choose(player.games[game], dice)
                    if order is not None:
                        given += isinstance(await player.order(game, order), wire.Done)

    run(story())


def test_websockets_are_counted_as_what_they_are(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            await server.player("Ann")
            await holds(lambda: len(server.harbour.http) == 0)
            assert len(server.harbour.connections) == 1

    run(story())
