"""Finished games, which anybody may ask for: worked out once, in a queue that has an end."""

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from fathom import client as fathom_client
from fathom.client import Client
from fathom.engine import orders as give
from fathom.server import replays
from fathom.server.log import StoredStep
from fathom.server.wire import Settings
from tests.server.attacks.test_descriptors import children
from tests.server.crashes import ServerProcess
from tests.server.serving import Server, begun, duel_of, run, serving

KINDS = ("", "/logbook", "/belief")


async def finished_game(server: Server) -> str:
    """A game that ends as soon as it has begun."""
    _, game, (ann, _) = await duel_of(server)
    await ann.order(game, give.Resign())
    await ann.until(lambda: ann.games[game].over)
    return game


async def status(session: aiohttp.ClientSession, url: str) -> tuple[int, str]:
    """How a request is answered; the error, if it is one."""
    async with session.get(url) as answer:
        wrong = "" if answer.status == 200 else (await answer.json())["error"]
        return answer.status, wrong


@pytest.mark.parametrize("kind", KINDS, ids=["record", "logbook", "belief"])
def test_what_many_ask_for_is_read_and_worked_out_once(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, aiohttp.ClientSession() as session:
            game = await finished_game(server)
            reads, real = [], server.harbour.log.read

            async def counted(game: str, after: int = 0) -> list[StoredStep]:
                reads.append(game)
                return await real(game, after)

            monkeypatch.setattr(server.harbour.log, "read", counted)
            url = f"{server.url}/api/games/{game}{kind}"
            for _ in range(2):
                found = await asyncio.gather(*(status(session, url) for _ in range(8)))
                assert found == [(200, "")] * 8
            assert reads == [game]

    run(story())


def stop_workers(before: set[Any]) -> None:
    """Stop what works records out, as a debugger or a machine that swaps would."""
    for worker in set(multiprocessing.active_children()) - before:
        assert worker.pid is not None
        os.kill(worker.pid, signal.SIGSTOP)


@pytest.mark.slow
def test_a_process_that_hangs_is_replaced_and_its_queue_has_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replays, "MOST_OF_ONE", 3)

    async def story() -> None:
        async with serving(tmp_path) as server, aiohttp.ClientSession() as session:
            games = [await finished_game(server) for _ in range(2)]
            urls = [f"{server.url}/api/games/{game}" for game in games]
            before = set(multiprocessing.active_children())
            assert await status(session, urls[0]) == (200, "")
            stop_workers(before)
            monkeypatch.setattr(replays, "SECONDS", 1.0)
            asking = [asyncio.create_task(status(session, urls[1])) for _ in range(5)]
            done, waiting = await asyncio.wait(asking, return_when="FIRST_COMPLETED")
            # Two too many are told so while the first waits; what is kept is there for everybody.
            assert {task.result() for task in done} == {(503, "busy")}
            assert len(waiting) >= 3
            assert await status(session, urls[0]) == (200, "")
            monkeypatch.setattr(replays, "SECONDS", 60.0)
            found = Counter([await task for task in asking])
            # The first one's worker is killed, and the others get a new one.
            assert found == {(503, "busy"): 3, (200, ""): 2}
            assert server.harbour.metrics.faults == 0

    run(story())


@pytest.mark.slow
def test_who_kills_every_process_makes_the_server_busy(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, aiohttp.ClientSession() as session:
            url = f"{server.url}/api/games/{await finished_game(server)}"
            before = set(multiprocessing.active_children())
            asking = asyncio.create_task(status(session, url))
            while not asking.done():
                for worker in set(multiprocessing.active_children()) - before:
                    worker.kill()
                await asyncio.sleep(0)
            assert await asking == (503, "busy")
            assert await status(session, url) == (200, "")
            assert server.harbour.metrics.faults == 0

    run(story())


def command_of(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_a_process_that_hangs_does_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path)
        await server.start()
        assert server.process is not None
        pid = server.process.pid
        ann = await fathom_client.register(server.url, "Ann")
        made = await fathom_client.new_table(server.url, ann.token, Settings(), solo=True)
        async with Client(server.url, ann.token) as client, aiohttp.ClientSession() as session:
            await client.open(made.table)
            game = await begun([client], made.table)
            await client.order(game, give.Resign())
            await client.until(lambda: client.games[game].over)
            url = f"{server.url}/api/games/{game}"
            assert await status(session, url) == (200, "")
            (worker,) = (one for one in children(pid) if b"spawn_main" in command_of(one))
            os.kill(worker, signal.SIGSTOP)
            asking = asyncio.create_task(status(session, f"{url}/belief"))
            await asyncio.sleep(0)
            assert await server.stop() == 0
            await asyncio.gather(asking, return_exceptions=True)
        assert "Traceback" not in server.notes

    run(story())


ENDS_EARLY = """
import asyncio, multiprocessing, os, sys
from fathom.server.log import StoredStep
from fathom.server.replays import Replays
from fathom.server.troubles import Trouble

async def long_game():
    return [StoredStep("", "", 0, 0, bytes(1 << 22))]

async def story():
    replays = Replays()
    asking = asyncio.create_task(replays.get("long", "here", long_game, repr))
    while not multiprocessing.active_children():
        await asyncio.sleep(0)
    # It has just been started, and has read nothing yet.
    os.kill(multiprocessing.active_children()[0].pid, int(sys.argv[1]))
    await asyncio.sleep(float(sys.argv[2]))
    replays.close()
    try:
        await asking
    except Trouble as trouble:
        print(trouble.error)

if __name__ == "__main__":
    asyncio.run(story())
"""


@pytest.mark.slow
@pytest.mark.parametrize(("how", "seconds"), [("SIGSTOP", 0.5), ("SIGKILL", 0)])
def test_nobody_waits_for_a_process_that_ends_before_it_was_told_everything(
    how: str, seconds: float
) -> None:
    command = [sys.executable, "-c", ENDS_EARLY, str(signal.Signals[how].value), str(seconds)]
    # Python ends only when no thread of its own waits for the process.
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)  # noqa: S603
    assert ended.stdout == "going-down\n"
