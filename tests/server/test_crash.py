"""Killed hard, the server loses nothing that it acknowledged; stopped, it says goodbye."""

import asyncio
from pathlib import Path

import pytest

from fathom.server import wire
from tests.server.crashes import ServerProcess, crash_story, more_orders, new_duel
from tests.server.serving import run


@pytest.mark.slow
def test_nothing_acknowledged_is_lost_or_doubled_when_the_server_is_killed(tmp_path: Path) -> None:
    async def story() -> None:
        found = await crash_story(tmp_path, games=6, kills=3, orders=40)
        assert found["acknowledged"] >= 160
        assert found["steps"] >= found["acknowledged"]
        assert found["comings"] >= 4

    run(story())


@pytest.mark.slow
def test_a_server_that_is_stopped_tells_everyone_to_come_again(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path)
        await server.start()
        players = await new_duel(server, 1)
        farewells: list[wire.Goodbye] = []
        for player in players:
            player.client.raw.append(
                lambda text: farewells.append(wire.NEWS.decode(text)) if "goodbye" in text else None  # type: ignore[arg-type]
            )
        tasks = [asyncio.create_task(player.play()) for player in players]
        await more_orders(players, 10)
        assert await server.stop() == 0
        assert [farewell.why for farewell in farewells] == ["going-down"] * 2
        await server.start()
        for player in players:
            await player.came_again(2)
        await more_orders(players, 10)
        for player in players:
            player.ending = True
        await asyncio.gather(*tasks)
        await asyncio.gather(*(player.client.close() for player in players))
        assert await server.stop() == 0

    run(story())
