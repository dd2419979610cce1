"""How games are driven, whoever serves them: as fast as they go, or so many orders a second.

A game has one order under way at a time. When games are paced, an order's time counts from when it
was due, so a server that falls behind can't hide it.
"""

import asyncio
import contextlib
import time
from collections.abc import Sequence
from typing import Protocol

from bench.server.figures import Figures, Stopwatch

WARM_UP = 0.25
"""The part of the seconds that is played before anything counts."""
PATIENCE = 20.0
"""Seconds in which orders that are under way at the end must be answered."""


class BadMeasurement(Exception):
    """A measurement that can't be trusted."""


class DrivenGame(Protocol):
    """A game that can be driven."""

    driver: "Driver"
    number: int
    """Its place among all games that are driven."""

    def give(self) -> None:
        """Give the next order; call ``driver.done`` when everyone has been told."""


class Driver:
    """Drives all games of one measurement; with ``rate``, so many orders a second altogether."""

    def __init__(self, matches: Sequence[DrivenGame], watch: Stopwatch, rate: float | None) -> None:
        self.matches, self.watch = matches, watch
        self.pause = len(matches) / rate if rate else 0.0
        self.due = dict.fromkeys(range(len(matches)), 0.0)
        self.under_way = 0
        self.ending = self.playing_out = False
        self.changed = asyncio.Event()
        self.failure = ""
        self.loop = asyncio.get_running_loop()

    async def run(self, seconds: float) -> Figures:
        """Play so long, after a warm-up."""
        for number, match in enumerate(self.matches):
            match.driver, match.number = self, number
            offset = self.pause * number / len(self.matches)
            self.loop.call_later(offset, self.give, number, time.perf_counter() + offset)
        await self.wait(seconds * WARM_UP + self.pause)
        self.watch.start()
        await self.wait(seconds)
        figures = self.watch.stop()
        self.ending = True
        async with asyncio.timeout(PATIENCE):
            await self.all_done()
        return figures

    async def play_out(self) -> None:
        """Play all games to the ends of their scripts."""
        self.playing_out = True
        for number, match in enumerate(self.matches):
            match.driver, match.number = self, number
            self.give(number, time.perf_counter())
        await self.all_done()

    async def all_done(self) -> None:
        """Wait until no order is under way."""
        while self.under_way and not self.failure:
            self.changed.clear()
            await self.changed.wait()
        if self.failure:
            raise BadMeasurement(self.failure)

    async def wait(self, seconds: float) -> None:
        """Let the games be played for a while, unless something goes wrong."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        if self.failure:
            raise BadMeasurement(self.failure)

    def end_of_script(self) -> None:
        """A game has nothing more to play."""
        self.under_way -= 1
        self.changed.set()
        if not self.playing_out:
            self.fail("a script is too short")

    def fail(self, why: str) -> None:
        """Something went wrong that spoils the measurement."""
        self.failure = why
        self.changed.set()

    def give(self, number: int, due: float) -> None:
        if self.ending:
            return
        self.due[number] = due
        self.under_way += 1
        self.matches[number].give()

    def seen(self, number: int, now: float) -> None:
        """One of the enemy's screens shows the order."""
        self.watch.late.append(now - self.due[number])

    def done(self, number: int) -> None:
        """The order is answered, and everyone has been told."""
        self.watch.orders += 1
        self.under_way -= 1
        if self.ending:
            self.changed.set()
            return
        if not self.pause:
            self.give(number, time.perf_counter())
            return
        due = self.due[number] + self.pause
        wait = due - time.perf_counter()
        if wait > 0:
            self.loop.call_later(wait, self.give, number, due)
        else:
            self.give(number, due)
