"""Where bots think: processes of their own, so that thinking never holds the event loop up."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from typing import Final

from fathom.server.bot_tasks import REPLIES, AnyTask, Reply
from fathom.server.wire import encode

NOTES: Final = logging.getLogger("fathom.bots")
LONGEST_LINE: Final = 4_000_000
REST: Final = 1.0
"""Seconds before a process that died is started again."""


class Mess:
    """One process and the bots that live in it."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self.bots: dict[str, Callable[[Reply | None], None]] = {}
        """For each bot, who wants its answers; None tells that the process has died."""
        self.runner: asyncio.Task[None] | None = None
        self.alive = asyncio.Event()

    async def run(self) -> None:
        """Keep the process alive, and hand its answers on."""
        while True:
            self.process = await start()
            self.alive.set()
            await self.listen(self.process)
            self.process = None
            self.alive.clear()
            NOTES.warning("a bot process ended; starting another")
            for wants in list(self.bots.values()):
                wants(None)
            await asyncio.sleep(REST)

    async def listen(self, process: asyncio.subprocess.Process) -> None:
        """Read answers until the process ends."""
        assert process.stdout is not None  # noqa: S101  (it was started with a pipe)
        while line := await process.stdout.readline():
            reply = REPLIES.decode(line)
            wants = self.bots.get(reply.bot)
            if wants is not None:
                wants(reply)
        await process.wait()

    def send(self, task: AnyTask) -> None:
        """Give the process something to do; if it has just died, it is told all again later."""
        if self.process is None or self.process.stdin is None or self.process.stdin.is_closing():
            return
        self.process.stdin.write(encode(task) + b"\n")

    async def stop(self) -> None:
        """End the process in good order."""
        if self.runner is not None:
            self.runner.cancel()
            await asyncio.gather(self.runner, return_exceptions=True)
        process = self.process
        if process is None or process.returncode is not None:
            return
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), 2)
        except TimeoutError:
            process.kill()
            await process.wait()


async def start() -> asyncio.subprocess.Process:
    """A fresh process."""
    # -I would lose an editable install; the environment is ours anyway.
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "fathom.server.bot_worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
    )


class Barracks:
    """All processes; a bot lives in the one that has fewest."""

    def __init__(self, processes: int | None = None) -> None:
        count = processes if processes is not None else max(1, (os.cpu_count() or 2) - 1)
        self.messes = [Mess() for _ in range(count)]
        self.homes: dict[str, Mess] = {}

    def __len__(self) -> int:
        return len(self.homes)

    def admit(self, bot: str, wants: Callable[[Reply | None], None]) -> None:
        """A new bot; its process is started with the first of them."""
        mess = self.homes.get(bot) or min(self.messes, key=lambda mess: len(mess.bots))
        self.homes[bot] = mess
        mess.bots[bot] = wants
        if mess.runner is None:
            mess.runner = asyncio.create_task(mess.run())

    async def ready(self, bot: str) -> None:
        """Wait until the bot's process is there."""
        if bot in self.homes:
            await self.homes[bot].alive.wait()

    def send(self, task: AnyTask) -> None:
        """Give a bot something to do."""
        mess = self.homes.get(task.bot)
        if mess is not None:
            mess.send(task)

    def discharge(self, bot: str) -> None:
        """The bot is gone."""
        mess = self.homes.pop(bot, None)
        if mess is not None:
            mess.bots.pop(bot, None)

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(mess.stop() for mess in self.messes))
