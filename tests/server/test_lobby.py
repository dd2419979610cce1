"""The lobby is read once for all who ask, and nobody is shown what is no longer so."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from fathom import client as fathom_client
from fathom.server import wire
from fathom.server.limits import SETTINGS
from fathom.server.lobby import LobbyCache
from fathom.server.log import LogAway
from fathom.server.wire import Settings
from tests.server.serving import QUICK, run, serving


def test_many_who_ask_cost_one_look(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, aiohttp.ClientSession() as session:
            ann = await server.player("Ann")
            code = await server.table(ann, QUICK)

            async def look() -> bytes:
                async with session.get(f"{server.url}/api/lobby") as answer:
                    return await answer.read()

            first = await look()
            assert code.encode() in first
            reads = server.harbour.lobby_cache.reads
            assert set(await asyncio.gather(*(look() for _ in range(100)))) == {first}
            # They are kept for two seconds; a machine that takes longer may look again.
            assert server.harbour.lobby_cache.reads <= reads + 1
            other = await server.table(ann, QUICK)
            assert other.encode() in await look()

    run(story())


def test_a_look_that_fails_is_not_kept() -> None:
    answers: list[wire.Lobby | Exception] = [
        LogAway("away"),
        wire.Lobby(tables=(), games=()),
    ]

    async def read() -> wire.Lobby:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def story() -> None:
        cache = LobbyCache(read)
        with pytest.raises(LogAway):
            await cache.get()
        assert await cache.get() == wire.Lobby(tables=(), games=())
        assert answers == []

    run(story())


def test_settings_have_a_rate_of_their_own(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, rate_factor=1.0) as server:
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token)
            await ann.open(made.table)

            async def change(delay: int) -> bool:
                settings = Settings(watch_delay=delay)
                request = wire.ChangeSettings(id=f"s{delay}", table=made.table, settings=settings)
                answer = await ann.ask(request)
                return not isinstance(answer, wire.Problem)

            done = [await change(delay) for delay in range(100, 130)]
            assert all(done[: int(SETTINGS.burst)])
            assert not all(done)

    run(story())
