"""Where bots think: processes of their own, so that thinking never holds the event loop up."""

import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from fathom.server.bot_tasks import REPLIES, AnyTask, Ask, Reply
from fathom.server.fair_queue import FairQueue
from fathom.server.notes import note_options
from fathom.server.operating_system import bot_command, own_group
from fathom.server.supervise import Supervisor
from fathom.server.wire import encode

NOTES: Final = logging.getLogger("fathom.bots")
LONGEST_LINE: Final = 4_000_000
PATIENCE: Final = 2.0
"""Seconds in which a process must end by itself."""
LOOK: Final = 5.0
"""Seconds between two looks at whether a process still answers."""
MOST_LOOKS: Final = 12
"""Looks in a row at which a process has questions and has answered none: then it hangs. Looks are
counted and not seconds, so that a server that was stopped itself does not blame its processes."""
UNDER_WAY: Final = 2
"""Questions that a process has at a time: it always has a next one, and others wait their turn."""


class Thinking(Struct, frozen=True):
    """A question that a process has been given."""

    share: str
    since: float


class Mess:
    """One process and the bots that live in it."""

    def __init__(self) -> None:
        self.process: asyncio.subprocess.Process | None = None
        self.bots: dict[str, Callable[[Reply | None], None]] = {}
        """For each bot, who wants its answers; None tells that the process has died."""
        self.shares: dict[str, str] = {}
        """For each bot, on whose account it thinks."""
        self.asked: dict[str, tuple[str, Ask]] = {}
        """Questions that wait, by bot, and on whose account."""
        self.queue: FairQueue[Ask] = FairQueue()
        self.under_way: dict[str, Thinking] = {}
        self.answered = 0.0
        """When the last answer came."""
        self.answers = 0
        """How many came, from all processes that there were."""
        self.hung = 0
        """How many processes were killed because they did not answer."""
        self.started = False
        self.alive = asyncio.Event()

    async def run(self) -> None:
        """A process, as long as it lives: hand its answers on."""
        self.process = process = await start()
        self.alive.set()
        watching = asyncio.create_task(self.watch(process))
        try:
            await self.listen(process)
        finally:
            watching.cancel()
            self.process = None
            self.alive.clear()
            self.asked.clear()
            self.queue.clear()
            self.under_way.clear()
            await end(process)
            for wants in list(self.bots.values()):
                wants(None)

    async def listen(self, process: asyncio.subprocess.Process) -> None:
        """Read answers until the process ends."""
        assert process.stdout is not None  # noqa: S101  (it was started with a pipe)
        while line := await process.stdout.readline():
            reply = REPLIES.decode(line)
            self.settle(reply.bot)
            wants = self.bots.get(reply.bot)
            if wants is not None:
                wants(reply)
            self.ask_next()

    async def watch(self, process: asyncio.subprocess.Process) -> None:
        """Kill the process if it hangs: then it is started again, and its bots are told."""
        looks, before = 0, self.answers
        while looks < MOST_LOOKS:
            await asyncio.sleep(LOOK)
            looks = looks + 1 if self.under_way and self.answers == before else 0
            before = self.answers
        self.hung += 1
        NOTES.warning("a bot process does not answer; it is killed and started again")
        kill(process)

    def settle(self, bot: str) -> None:
        """A bot has answered, or failed: what it cost is charged to its share."""
        now = time.monotonic()
        thinking = self.under_way.pop(bot, None)
        if thinking is not None:
            self.queue.charge(thinking.share, now - max(thinking.since, self.answered))
        self.answered = now
        self.answers += 1

    def send(self, task: AnyTask) -> None:
        """Give the process something to do; questions wait until they are due."""
        if not isinstance(task, Ask):
            self.write(task)
            return
        self.withdraw(task.bot)
        share = self.shares.get(task.bot, "")
        self.asked[task.bot] = (share, task)
        self.queue.add(share, task)
        self.ask_next()

    def ask_next(self) -> None:
        """Ask what is due, as long as the process has little to do."""
        while len(self.under_way) < UNDER_WAY and (due := self.queue.take()) is not None:
            share, ask = due
            del self.asked[ask.bot]
            self.under_way[ask.bot] = Thinking(share, time.monotonic())
            self.write(ask)

    def withdraw(self, bot: str) -> bool:
        """Take back a question that still waits."""
        waiting = self.asked.pop(bot, None)
        return waiting is not None and self.queue.withdraw(*waiting)

    def write(self, task: AnyTask) -> None:
        """If the process has just died, it is told all again later."""
        if self.process is None or self.process.stdin is None or self.process.stdin.is_closing():
            return
        self.process.stdin.write(encode(task) + b"\n")


async def end(process: asyncio.subprocess.Process) -> None:
    """End a process in good order, if that does not take long."""
    if process.stdin is not None:
        process.stdin.close()
    try:
        # Not asyncio.timeout: in a task that is being cancelled it raises CancelledError.
        await asyncio.wait([asyncio.create_task(process.wait())], timeout=PATIENCE)
    finally:
        kill(process)
    await process.wait()


def kill(process: asyncio.subprocess.Process) -> None:
    """End a process at once, if it has not ended."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


async def start() -> asyncio.subprocess.Process:
    """A fresh process."""
    return await asyncio.create_subprocess_exec(
        *bot_command(),
        *note_options(),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LONGEST_LINE,
        **own_group(),
    )


class Barracks:
    """All processes; a bot lives in the one that has fewest."""

    def __init__(self, supervisor: Supervisor, processes: int | None = None) -> None:
        self.supervisor = supervisor
        count = processes if processes is not None else max(1, (os.cpu_count() or 2) - 1)
        self.messes = [Mess() for _ in range(count)]
        self.homes: dict[str, Mess] = {}

    def __len__(self) -> int:
        return len(self.homes)

    def hung(self) -> int:
        """How many processes were killed because they did not answer."""
        return sum(mess.hung for mess in self.messes)

    def admit(self, bot: str, wants: Callable[[Reply | None], None], share: str = "") -> None:
        """A new bot; its process is started with the first of them."""
        mess = self.homes.get(bot) or min(self.messes, key=lambda mess: len(mess.bots))
        self.homes[bot] = mess
        mess.bots[bot], mess.shares[bot] = wants, share
        if not mess.started:
            mess.started = True
            self.supervisor.start(f"bot process {self.messes.index(mess)}", mess.run)

    async def ready(self, bot: str) -> None:
        """Wait until the bot's process is there."""
        if bot in self.homes:
            await self.homes[bot].alive.wait()

    def send(self, task: AnyTask) -> None:
        """Give a bot something to do."""
        mess = self.homes.get(task.bot)
        if mess is not None:
            mess.send(task)

    def withdraw(self, bot: str) -> bool:
        """Take back what a bot was asked, if it has not begun to think about it."""
        mess = self.homes.get(bot)
        return mess is not None and mess.withdraw(bot)

    def discharge(self, bot: str) -> None:
        """The bot is gone."""
        mess = self.homes.pop(bot, None)
        if mess is not None:
            mess.withdraw(bot)
            mess.bots.pop(bot, None)
            mess.shares.pop(bot, None)
