"""A disk that is full: everything stands still and says so, and then everything goes on."""

import asyncio
import resource
import sys
import time
from pathlib import Path
from random import Random

import aiohttp
import pytest
from msgspec.structs import replace

from fathom import client as fathom_client
from fathom.client import Client, Failed
from fathom.rules.setup import House
from fathom.server import wire
from fathom.words import Crew
from tests.server.crashes import ServerProcess
from tests.server.logs import sqlite
from tests.server.serving import (
    QUICK,
    becomes_well,
    choose,
    health,
    play_on,
    run,
    started,
)

OPERATOR = "an operator and nobody else"
FULL_SECONDS = 4.0
SETTINGS = replace(
    QUICK,
    house=House(leaving="wait"),
    first=Crew.A,
    clocks=wire.Clocks(turn_seconds=3600),
)


def set_room(server: ServerProcess, most: int) -> None:
    """Let the server write no file past ``most`` bytes, as if the disk ended there."""
    assert server.process is not None
    _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, hard))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process from outside")
def test_while_the_disk_is_full_clocks_stand_and_then_the_game_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path / "data", FATHOM_METRICS_TOKEN=OPERATOR)
        await server.start()
        players = [await player(server, name) for name in ("Ann", "Bob")]
        ann, dice = players[0], Random(5)
        made = await fathom_client.new_table(server.url, ann.token, SETTINGS)
        game = await started(players, made.table)
        while not has_turn(ann, game):
            await play_on(players, game, dice, 1)
        refused: list[str] = []
        ids: list[str | None] = []

        def note(news: wire.AnyNews) -> None:
            if isinstance(news, wire.Problem):
                refused.append(news.error)
                ids.append(news.id)

        ann.listeners.append(note)

        set_room(server, 1)
        order = choose(ann.games[game], dice)
        assert order is not None
        waiting = asyncio.create_task(ann.order(game, order))
        await ann.until(lambda: len(refused) >= 3)
        assert set(refused) == {"not-saved"}
        assert await health(server.url) == (503, "log-away")
        with pytest.raises(Failed, match="not-saved"):
            await fathom_client.register(server.url, "Eve")
        began = time.monotonic()
        await asyncio.sleep(FULL_SECONDS)
        assert not waiting.done()
        numbers = await metrics(server)
        assert numbers["fathom_log_away"] == 1
        assert numbers["fathom_outages_total"] == 1
        assert numbers["fathom_unsaved_total"] >= 3

        full = 1000 * (time.monotonic() - began)
        set_room(server, resource.RLIM_INFINITY)
        async with asyncio.timeout(60):
            assert isinstance(await waiting, wire.Done)
        await becomes_well(server.url)
        assert len(await play_on(players, game, dice, 6)) == 6
        await asyncio.gather(*(client.close() for client in players))
        assert await server.stop() == 0
        notes = server.notes
        assert notes.count("the log is away") == notes.count("the log is back") == 1
        assert "Traceback" not in notes
        async with sqlite(tmp_path / "data") as log:
            steps = await log.read(game)
        assert ann.welcome is not None
        late = next(n for n, step in enumerate(steps) if step.key.endswith(f"/{ids[0]}"))
        took = steps[late].at - steps[late - 1].at
        assert steps[late].spent <= took - full, "while the disk was full, no time passed"

    run(story())


def has_turn(client: Client, game: str) -> bool:
    public = client.games[game].sheets["public"]
    return public.turn is not None and public.turn.crew is Crew.A


async def player(server: ServerProcess, name: str) -> Client:
    client = Client(server.url, (await fathom_client.register(server.url, name)).token)
    return await client.__aenter__()


async def metrics(server: ServerProcess) -> dict[str, float]:
    """What the server tells Prometheus."""
    shown = {"Authorization": f"Bearer {OPERATOR}"}
    async with aiohttp.ClientSession(headers=shown) as session:
        text = await (await session.get(f"{server.url}/metrics")).text()
    lines = (line.split(" ") for line in text.splitlines() if not line.startswith("#"))
    return {name: float(number) for name, number in lines}
