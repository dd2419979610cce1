"""Tasks that run as long as the server does: one that fails is noted, counted and started again."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from random import Random
from typing import Final

NOTES: Final = logging.getLogger("fathom.tasks")
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 30.0
"""Seconds before a task that failed is started again; twice as long after every failure."""
SOUND: Final = 60.0
"""Seconds after which a task that runs again is believed to be well."""
MANY: Final = 4
"""Failures in a row after which a task counts as one that can't go on."""

Work = Callable[[], Awaitable[None]]


class Ended(Exception):
    """An endless task came to an end."""


class Supervised:
    """One endless task."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.failures = 0
        """In a row."""
        self.since: float | None = None
        """Since when it runs; None while it waits to be started again."""

    def recovered(self, now: float) -> bool:
        """Whether it has been running for long enough to be believed."""
        return self.since is not None and now - self.since > SOUND

    def fails(self, now: float) -> bool:
        """Whether it can't go on."""
        return self.failures >= MANY and not self.recovered(now)


class Supervisor:
    """Runs every endless task of a process."""

    def __init__(self, dice: Random | None = None) -> None:
        self.dice = dice or Random()
        self.supervised: dict[str, Supervised] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.restarts = 0

    def start(self, name: str, work: Work) -> None:
        """Run a task until it is stopped, whatever happens to it."""
        self.supervised[name] = one = Supervised(work)
        self.tasks[name] = asyncio.create_task(self.run(name, one), name=name)

    async def stop(self, name: str) -> None:
        """End a task."""
        task = self.tasks.pop(name, None)
        self.supervised.pop(name, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def close(self) -> None:
        """End all tasks."""
        tasks = list(self.tasks.values())
        self.tasks.clear()
        self.supervised.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def failing(self) -> tuple[str, ...]:
        """The tasks that can't go on, by name."""
        now = time.monotonic()
        return tuple(sorted(name for name, one in self.supervised.items() if one.fails(now)))

    async def run(self, name: str, one: Supervised) -> None:
        while True:
            one.since = time.monotonic()
            try:
                await one.work()
                failure: Exception = Ended(name)
            except Exception as failed:  # noqa: BLE001  (whatever it is: the others go on, and it must)
                failure = failed
            if one.recovered(time.monotonic()):
                one.failures = 0
            one.failures += 1
            one.since = None
            self.restarts += 1
            note(name, failure)
            await asyncio.sleep(self.pause(one.failures))

    def pause(self, failures: int) -> float:
        """Exponential, with jitter: what fails together need not try again together."""
        most = min(LONGEST_PAUSE, FIRST_PAUSE * (1 << min(failures - 1, 20)))
        return most * (0.5 + self.dice.random() / 2)


def note(name: str, failure: Exception) -> None:
    if isinstance(failure, Ended):
        NOTES.warning("the task %s ended; it is started again", name)
    else:
        NOTES.error("the task %s failed; it is started again", name, exc_info=failure)
