"""A thread that answers questions to an SQLite file, one at a time."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from fathom.server.log import LogAway, LogBusy
from fathom.server.sqlite_schema import connect, is_away
from fathom.server.sqlite_writer import PATIENCE

LONGEST_WAIT: Final = 20.0
"""Seconds that a question may wait for others before it is given up. That is no fault of the disk,
which answers one after another."""


class Reader:
    """A thread with a connection of its own."""

    def __init__(self, path: Path, told: Callable[[str], None]) -> None:
        self.path, self.told = path, told
        self.thread: ThreadPoolExecutor | None = None
        self.connection: sqlite3.Connection | None = None
        """Used in the thread."""
        self.began: float | None = None
        """When the thread began to answer the question that it is at; None if it is at none."""

    def open(self) -> None:
        """Answer questions from now on."""
        self.thread = ThreadPoolExecutor(1, "log-reader")

    async def close(self) -> None:
        """Let go of the file."""
        thread, self.thread = self.thread, None
        if thread is None:
            return
        closing = asyncio.get_running_loop().run_in_executor(thread, self.drop_connection)
        thread.shutdown(wait=False)
        # The last connection deletes the WAL: nobody may find half of that.
        await asyncio.wait([closing], timeout=PATIENCE)

    async def ask(self, question: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows that answer the question."""
        if self.thread is None:
            raise LogAway("the log is not open")
        loop = asyncio.get_running_loop()
        answer = loop.run_in_executor(self.thread, self.answer, question, values)
        try:
            await self.answered(answer)
            return answer.result()
        except LogBusy:
            raise
        except LogAway as away:
            self.told(str(away))
            raise
        finally:
            answer.cancel()

    async def answered(self, answer: "asyncio.Future[list[Any]]") -> None:
        """Wait for an answer; the disk's time runs from when the thread has begun."""
        asked, patience = time.monotonic(), PATIENCE
        while not (await asyncio.wait([answer], timeout=patience))[0]:
            now = time.monotonic()
            patience = PATIENCE - (now - (self.began or now))
            if patience <= 0:
                raise LogAway(f"the disk did not answer for {PATIENCE:g} seconds")
            if now - asked > LONGEST_WAIT:
                raise LogBusy("too much is asked")

    # In the thread

    def answer(self, question: str, values: Sequence[Any]) -> list[Any]:
        self.began = time.monotonic()
        try:
            if self.connection is None:
                self.connection = connect(self.path)
            return self.connection.execute(question, values).fetchall()
        except sqlite3.Error as failed:
            if not is_away(failed):
                raise
            self.drop_connection()
            raise LogAway(str(failed)) from failed
        finally:
            self.began = None

    def drop_connection(self) -> None:
        """Close the connection; the next question makes another."""
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()
