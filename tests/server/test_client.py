"""The client of the wire: what it does not know it ignores, and it never comes in a hurry."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web

from fathom.client import FIRST_WAIT, LONGEST_WAIT, Client, Failed, register
from fathom.server import wire
from fathom.server.wire import encode
from tests.server.serving import duel_of, run, serving

Handle = Callable[[web.WebSocketResponse], Awaitable[None]]


@asynccontextmanager
async def door(handle: Handle) -> AsyncIterator[str]:
    """A server that does what ``handle`` does with every socket."""

    async def come(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await handle(socket)
        return socket

    app = web.Application()
    app.router.add_get("/socket", come)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


NEWER = (
    '{"type":"brand-new","table":"K7QMX","more":{"x":[1]}}',
    '{"type":"pause","game":"12345678","what":"something-new","left":5}',
)


def test_messages_of_a_newer_server_are_ignored(tmp_path: Path) -> None:
    """All messages go through a relay that adds some of a later release."""

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:

            async def relay(ours: web.WebSocketResponse) -> None:
                async with (
                    aiohttp.ClientSession() as session,
                    session.ws_connect(f"{server.url}/socket", max_msg_size=0) as theirs,
                ):

                    async def up() -> None:
                        async for message in ours:
                            await theirs.send_str(message.data)
                        await theirs.close()

                    going_up = asyncio.create_task(up())
                    async for message in theirs:
                        await ours.send_str(message.data)
                        for newer in NEWER:
                            await ours.send_str(newer)
                    await ours.close()
                    await going_up

            async with door(relay) as url:
                _, game, (ann, _) = await duel_of(server)
                code = ann.games[game].opened.table
                async with Client(url, ann.token) as tab:
                    await tab.open(code)
                    assert tab.games[game].position == ann.games[game].position
                    assert tab.comings == 1

    run(story())


def test_an_error_that_only_a_newer_server_knows_is_an_answer() -> None:
    async def newer(socket: web.WebSocketResponse) -> None:
        async for message in socket:
            if '"hello"' in message.data:
                welcome = wire.Welcome(
                    protocol=wire.PROTOCOL, fathom="9", you="12345678", name="Ann", now=0
                )
                await socket.send_str(encode(welcome).decode())
            else:
                await socket.send_str('{"type":"problem","id":"x","error":"too-lazy"}')

    async def story() -> None:
        async with door(newer) as url, Client(url, "token" * 5) as client:
            with pytest.raises(Failed, match="too-lazy"):
                await client.do(wire.FollowLobby(id="x"))

    run(story())


def test_who_is_refused_at_the_door_comes_again_when_there_is_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1, connections_per_address=1) as server:
            identity = await register(server.url, "Ann")
            first = Client(server.url, identity.token)
            await first.__aenter__()
            second = Client(server.url, identity.token)
            coming = asyncio.create_task(second.__aenter__())
            await asyncio.sleep(2 * FIRST_WAIT)
            assert not coming.done()
            await first.close()
            async with asyncio.timeout(60):
                await coming
            assert second.comings == 1
            await second.close()

    run(story())


def test_who_is_not_known_gives_up(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            with pytest.raises(Failed, match="bad-token"):
                await Client(server.url, "nobody's token at all").__aenter__()

    run(story())


@pytest.mark.slow
def test_a_server_that_sends_everybody_away_is_asked_less_and_less_often() -> None:
    came: list[float] = []

    async def send_away(socket: web.WebSocketResponse) -> None:
        came.append(time.monotonic())
        await socket.receive()
        farewell = wire.Goodbye(why="going-down", retry_seconds=0.0)
        await socket.send_str(encode(farewell).decode())
        await socket.close()

    async def story() -> None:
        async with door(send_away) as url:
            client = Client(url, "token" * 5)
            coming = asyncio.create_task(client.__aenter__())
            async with asyncio.timeout(60):
                while len(came) < 5:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)
            coming.cancel()
            await asyncio.gather(coming, return_exceptions=True)
            await client.close()

    run(story())
    for number, (one, next_one) in enumerate(itertools.pairwise(came), 1):
        assert next_one - one >= 0.5 * min(LONGEST_WAIT, FIRST_WAIT * 2**number)


def test_clients_do_not_come_all_at_once() -> None:
    waits = [Client("http://127.0.0.1", "").back_off(4) for _ in range(50)]
    usual = FIRST_WAIT * 2**4
    assert all(0.5 * usual <= wait <= 1.5 * usual for wait in waits)
    assert max(waits) - min(waits) > 0.2 * usual
    assert Client("http://127.0.0.1", "").back_off(10_000) <= 1.5 * LONGEST_WAIT
