"""Start a program that was just installed, and play one order against a bot over a real socket."""

import asyncio
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from random import Random

import aiohttp

from fathom import client as fathom_client
from fathom.bots.ranks import Rank
from fathom.client import Client
from fathom.server.wire import Settings
from fathom.words import Crew
from tests.server.crashes import free_port
from tests.server.serving import STARTED, begun, run
from tests.server.test_bots import until_turns

SOLO = Settings(rulebook="sonar", rank=Rank.CADET, pace="at-once", first=Crew.A)


def plays_one_order(
    command: Sequence[str],
    folder: Path,
    arguments: Sequence[str] = ("serve",),
    environment: Mapping[str, str] | None = None,
    *,
    meanwhile: Callable[[str], Awaitable[None]] | None = None,
    ended: int = 0,
) -> float:
    """Start it, play until the bot has had a turn, end it; seconds from the start to then."""
    seconds = 0.0

    async def story() -> None:
        nonlocal seconds
        port = free_port()
        settings = {"FATHOM_HOST": "127.0.0.1", "FATHOM_PORT": str(port)}
        own = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "FATHOM_DATA": str(folder / "data")}
        began = time.monotonic()
        process = await asyncio.create_subprocess_exec(
            *command,
            *arguments,
            cwd=folder,
            env={**own, **(environment or {}), **settings},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        STARTED.append(process)
        assert process.stdout is not None
        assert process.stderr is not None
        async for line in process.stdout:
            if b"Fathom is at" in line:
                break
        else:
            raise AssertionError((await process.stderr.read()).decode())
        url = f"http://127.0.0.1:{port}"
        try:
            await shows_the_client(url)
            await play(url)
            seconds = time.monotonic() - began
            await draws_a_picture(url)
            if meanwhile is not None:
                await meanwhile(url)
        finally:
            process.send_signal(signal.SIGTERM)
        errors = (await process.communicate())[1].decode()
        assert process.returncode == ended, errors
        assert "Traceback" not in errors

    run(story())
    return seconds


async def shows_the_client(url: str) -> None:
    async with aiohttp.ClientSession() as session, session.get(url) as page:
        assert "/assets/" in await page.text()


async def draws_a_picture(url: str) -> None:
    """What is worked out in a process of its own can be, wherever the program comes from."""
    ann = await fathom_client.register(url, "Ann")
    made = await fathom_client.new_table(url, ann.token)
    picture = f"{url}/api/tables/{made.table}/picture.png"
    async with aiohttp.ClientSession() as session, session.get(picture) as answer:
        assert answer.content_type == "image/png"
        assert (await answer.read()).startswith(b"\x89PNG")


async def play(url: str) -> None:
    """An order of ours, and one of the bot's."""
    ann = await fathom_client.register(url, "Ann")
    made = await fathom_client.new_table(url, ann.token, SOLO, solo=True)
    async with Client(url, ann.token) as client:
        await client.open(made.table, position=0)
        game = await begun([client], made.table)
        await until_turns(client, game, Random(4), 1)
