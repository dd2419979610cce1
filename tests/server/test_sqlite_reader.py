"""Questions to an SQLite file: who waits for others does not wait for the disk."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fathom.server import sqlite_reader
from fathom.server.log import LogAway, LogBusy
from fathom.server.sqlite_log import SqliteLog
from fathom.server.sqlite_reader import Reader
from tests.server.serving import FakeTime, holds, run

HOLD = "select hold()"


class Held:
    """A reader that is at a question until it is let go."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.let_go = reader, threading.Event()

    def prepare(self) -> None:
        assert self.reader.connection is not None
        self.reader.connection.create_function("hold", 0, self.let_go.wait)


@asynccontextmanager
async def held(reader: Reader) -> AsyncIterator[tuple[Held, "asyncio.Task[list[object]]"]]:
    """A reader that is at a question, and that question's answer."""
    await reader.ask("select 1")
    found = Held(reader)
    await asyncio.get_running_loop().run_in_executor(reader.thread, found.prepare)
    asking = asyncio.create_task(reader.ask(HOLD))
    await holds(lambda: reader.began is not None)
    try:
        yield found, asking
    finally:
        found.let_go.set()


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[tuple[SqliteLog, list[str]]]:
    """A log, and what is told when it goes away."""
    log, told = SqliteLog(folder / "fathom.db"), list[str]()
    await log.open()
    log.when_away(told.append)
    try:
        yield log, told
    finally:
        await log.close()


def test_nobody_waits_for_who_reads_the_steps_of_games(tmp_path: Path) -> None:
    async def story() -> None:
        async with opened(tmp_path) as (log, told), held(log.steps_reader) as (hold, asking):
            reading = asyncio.create_task(log.read("a game"))
            assert await log.player("nobody") is None
            assert await log.games_of("nobody") == []
            assert not reading.done()
            hold.let_go.set()
            assert await reading == []
            assert await asking == [(1,)]
            assert told == []

    run(story())


def test_the_disk_is_away_only_if_one_question_takes_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_reader, "PATIENCE", 0.05)
    now = FakeTime()
    monkeypatch.setattr(sqlite_reader, "time", now)

    async def story() -> None:
        async with opened(tmp_path) as (log, told):
            async with held(log.reader) as (hold, asking):
                waiting = [asyncio.create_task(log.player("nobody")) for _ in range(5)]
                # However long that takes: it is the others' turn.
                done, _ = await asyncio.wait(waiting, timeout=0.3)
                assert not done
                hold.let_go.set()
                assert await asyncio.gather(*waiting) == [None] * 5
                assert await asking == [(1,)]
                assert told == []
            async with held(log.reader) as (_, asking):
                waiting = [asyncio.create_task(log.player("nobody"))]
                now.now += 1
                for task in (asking, *waiting):
                    with pytest.raises(LogAway) as away:
                        await task
                    assert not isinstance(away.value, LogBusy)
                assert len(told) == 2

    run(story())


def test_who_waits_for_others_for_too_long_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_reader, "PATIENCE", 0.05)
    monkeypatch.setattr(sqlite_reader, "time", FakeTime())

    async def story() -> None:
        async with opened(tmp_path) as (log, told), held(log.reader) as (hold, asking):
            monkeypatch.setattr(sqlite_reader, "LONGEST_WAIT", -1.0)
            with pytest.raises(LogBusy):
                await log.player("nobody")
            monkeypatch.setattr(sqlite_reader, "LONGEST_WAIT", 20.0)
            hold.let_go.set()
            assert await log.player("nobody") is None
            assert told == []
            await asyncio.gather(asking, return_exceptions=True)

    run(story())
