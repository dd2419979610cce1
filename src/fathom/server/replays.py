"""What is worked out of finished games: once, in a process of its own, for as many as can wait.

Anybody may ask for a finished game, and a long one takes a second or more. So the steps are read
and worked on for one request at a time, results are kept, and whoever would have to wait behind too
many others is told to ask again later.
"""

import asyncio
import logging
import multiprocessing
import traceback
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import Final

from fathom.server.log import StoredStep
from fathom.server.operating_system import ignore_interrupts
from fathom.server.troubles import Trouble

NOTES: Final = logging.getLogger("fathom.api")
MOST_KEPT: Final = 32
"""Results that are kept ready."""
MOST_BYTES: Final = 64 << 20
"""All of them together."""
MOST_WAITING: Final = 32
"""Requests that wait for a result."""
MOST_OF_ONE: Final = 8
"""Of these, requests of one address."""
SECONDS: Final = 60.0
"""How long the process may take for one result; then it is killed."""

StepsToBytes = Callable[[list[StoredStep]], bytes]
Read = Callable[[], Awaitable[list[StoredStep]]]


class ProcessDied(Exception):
    """The process that works has ended before it was done."""


class WorkProcess:
    """A process that works out one thing at a time.

    A pool of the standard library would do, but for this: if its process dies while a long game is
    on the way to it, the pool's thread waits for ever, and Python for that thread (gh-94777).
    """

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        # Nobody else may hold their end: when the process dies, whoever reads or writes is told.
        with theirs:
            self.process = context.Process(target=work_for, args=(theirs,), daemon=True)
            self.process.start()

    def work_out(self, work: StepsToBytes, steps: list[StoredStep]) -> bytes:
        """Wait until something is worked out; not on the event loop."""
        try:
            self.pipe.send((work, steps))
            result, failure = self.pipe.recv()
        except (OSError, EOFError):
            raise ProcessDied from None
        if failure:
            raise RuntimeError(failure)
        return bytes(result)

    def kill(self) -> None:
        """End the process, whatever it is about. Whoever waits for it is told."""
        self.process.kill()


def work_for(pipe: Connection) -> None:
    """Work out what is asked for, in the process, until nobody asks any more."""
    ignore_interrupts()
    while True:
        try:
            work, steps = pipe.recv()
        except (OSError, EOFError):
            return
        try:
            answer = (work(steps), "")
        except Exception:  # noqa: BLE001  (told to the server, which notes it)
            answer = (b"", traceback.format_exc())
        try:
            pipe.send(answer)
        except OSError:
            return


class Replays:
    """Results, those who wait for one, and the process that works."""

    def __init__(self) -> None:
        self.found: OrderedDict[str, bytes] = OrderedDict()
        self.size = 0
        """Bytes of all that was found."""
        self.forgotten = 0
        """How often all was forgotten."""
        self.waiting: Counter[str] = Counter()
        """Requests that wait, by address."""
        self.working = asyncio.Lock()
        self.process: WorkProcess | None = None
        self.closed = False

    async def get(self, name: str, address: str, read: Read, work: StepsToBytes) -> bytes:
        """A result by its name; if it is not kept, it is worked out of the steps of its game."""
        if self.waiting[address] >= MOST_OF_ONE or self.waiting.total() >= MOST_WAITING:
            raise Trouble("busy")
        self.waiting[address] += 1
        try:
            async with self.working:
                found = self.found.get(name)
                if found is None:
                    forgotten = self.forgotten
                    found = await self.work_out(work, await read())
                    if forgotten == self.forgotten:
                        self.put(name, found)
                return found
        finally:
            self.waiting -= Counter([address])

    def put(self, name: str, result: bytes) -> None:
        """Keep a result, and drop the oldest ones if there is no room."""
        self.found[name] = result
        self.size += len(result)
        while self.found and (len(self.found) > MOST_KEPT or self.size > MOST_BYTES):
            self.size -= len(self.found.popitem(last=False)[1])

    def forget(self) -> None:
        """Somebody's name was taken out of the log: nothing that was made before is good."""
        self.forgotten += 1
        self.found.clear()
        self.size = 0

    async def work_out(self, work: StepsToBytes, steps: list[StoredStep]) -> bytes:
        """Have it worked out by the process, or by another one if somebody has killed the first."""
        for _ in range(2):
            if self.closed:
                break
            try:
                async with asyncio.timeout(SECONDS):
                    return await self.in_process(work, steps)
            except ProcessDied:
                NOTES.warning("the process that works records out has died")
                self.end_process()
            except TimeoutError:
                NOTES.error("the process that works records out has hung; it is killed")
                self.end_process()
                break
            except OSError as failed:
                NOTES.error("a process that works records out can't be started: %s", failed)
                self.end_process()
                break
        raise Trouble("going-down" if self.closed else "busy")

    async def in_process(self, work: StepsToBytes, steps: list[StoredStep]) -> bytes:
        if self.process is None:
            self.process = WorkProcess()
        try:
            return await asyncio.to_thread(self.process.work_out, work, steps)
        except asyncio.CancelledError:
            # The next one would get this one's result.
            self.end_process()
            raise

    def end_process(self) -> None:
        """Kill the process: if it hangs, Python would wait for it at the end."""
        process, self.process = self.process, None
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Work nothing out any more."""
        self.closed = True
        self.end_process()
