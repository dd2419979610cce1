"""A process that has no descriptors left, and gets them back: everything goes on."""

import asyncio
import os
import signal
from pathlib import Path
from random import Random

import aiohttp
import pytest

from fathom import client as fathom_client
from fathom.bots.ranks import Rank
from fathom.client import Client
from fathom.server import capacity, wire
from fathom.server.wire import Settings
from fathom.words import Crew
from tests.server.crashes import ServerProcess
from tests.server.serving import begun, holds, run
from tests.server.test_bots import until_turns

resource = pytest.importorskip("resource")
if not hasattr(resource, "prlimit"):
    pytest.skip("only Linux changes the limits of another process", allow_module_level=True)

SOLO = Settings(rulebook="sonar", rank=Rank.CADET, pace="at-once", first=Crew.A)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


@pytest.mark.slow
@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_bots_play_again_after_descriptors_ran_out(loop: str, tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path, FATHOM_EVENT_LOOP=loop)
        server.options = ("--json-logs",)
        await server.start()
        assert server.process is not None
        pid = server.process.pid
        ann = await fathom_client.register(server.url, "Ann")
        made = await fathom_client.new_table(server.url, ann.token, SOLO, solo=True)
        async with Client(server.url, ann.token) as client:
            await client.open(made.table, position=0)
            game = await begun([client], made.table)
            dice = Random(4)
            await until_turns(client, game, dice, 2)
            usual = resource.prlimit(pid, resource.RLIMIT_NOFILE)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (3, usual[1]))
            # Now nothing can be opened: no connection, no file, no pipe to a new bot process.
            (bots,) = children(pid)
            os.kill(bots, signal.SIGKILL)
            await newcomers_fail(server.url)
            await holds(lambda: "failed; it is started again" in server.notes)
            await holds(lambda: "no descriptors are left" in server.notes)
            # However often it is tried, it is said once in a while.
            assert server.notes.count("descriptors") <= 2
            # Whoever is there is served as before.
            answer = await client.ask(wire.FollowLobby(on=False))
            assert isinstance(answer, wire.Done)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, usual)
            await until_turns(client, game, dice, 4)
            assert (await health(server.url))["connections"] == 1
        assert await server.stop() == 0

    run(story())


async def newcomers_fail(url: str) -> None:
    """Many try to connect; how they are turned away is the system's business."""

    async def one() -> bool:
        try:
            async with asyncio.timeout(0.5):
                await health(url)
        except (OSError, TimeoutError, aiohttp.ClientError):
            return True
        return False

    assert all(await asyncio.gather(*(one() for _ in range(20))))


async def health(url: str) -> dict[str, object]:
    async with aiohttp.ClientSession() as session, session.get(f"{url}/health") as answer:
        found: dict[str, object] = await answer.json()
        return found


@pytest.mark.parametrize("limit", [64, 256, 1024, 4096, 20_000])
def test_with_few_descriptors_a_quarter_is_left_for_all_else(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every connection that is no websocket may also hold the file that it is sent."""
    monkeypatch.setattr(capacity, "allow_descriptors", lambda _: limit)
    room = capacity.capacity(0)
    assert room.http > 0
    left = limit - room.websockets - 2 * room.http
    assert left >= min(limit // 4, capacity.OTHERS)


@pytest.mark.slow
def test_a_crowd_is_turned_away_before_descriptors_run_out(tmp_path: Path) -> None:
    """With few descriptors, more clients come than can be served; those who play play on."""

    async def story() -> None:
        server = ServerProcess(tmp_path)
        server.settings["FATHOM_CONNECTIONS"] = "30"
        await server.start()
        ann = await fathom_client.register(server.url, "Ann")
        made = await fathom_client.new_table(server.url, ann.token, SOLO, solo=True)
        async with Client(server.url, ann.token) as client, aiohttp.ClientSession() as session:
            await client.open(made.table, position=0)
            game = await begun([client], made.table)
            sockets = [await session.ws_connect(f"{server.url}/socket") for _ in range(40)]
            refused = 0
            for socket in sockets[29:]:
                message = await socket.receive()
                refused += b"too-many-connections" in str(message.data).encode()
            assert refused == 11
            await until_turns(client, game, Random(4), 2)
            for socket in sockets:
                await socket.close()
        await server.stop()

    run(story())
