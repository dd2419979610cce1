"""The thread that writes to a SQLite file: one commit for all that waits.

Whatever goes wrong, whoever asked for a write is told, in time, and the thread goes on.
"""

import asyncio
import logging
import queue
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from fathom.server.log import LogAway, StoredStep
from fathom.server.sqlite_keys import Keys
from fathom.server.sqlite_schema import connect, is_away, open_file

NOTES: Final = logging.getLogger("fathom.log")
T = TypeVar("T")
Write = Callable[[sqlite3.Connection], T]
Row = tuple[Any, ...]

PATIENCE: Final = 6.0
"""Seconds after which a write that the disk does not finish counts as not saved."""
APPEND_MANY: Final = """
insert into steps
select column1, column2, {fence}, column4, column5, column6, column7 from (values {rows})
where column2 > 0
"""
FENCE: Final = """iif(column8 = 0
    or exists (select 1 from steps where game = column1 and position = column8), column3, null)"""
"""Who gave the order; nobody, and so nothing is written, if the step before is not there."""
SIZES: Final = (1, 4, 16, 32, 64, 96, 128, 192, 256)
"""Rows of the statements that append; a partial batch is padded with zeros."""
LARGEST_COMMIT: Final = SIZES[-1]
"""Writes that share a commit."""
CROWD: Final = 8
PAUSE: Final = 0.0006
LONGEST_PAUSE: Final = 0.02
"""After a commit of ``CROWD`` writes or more there is a pause, so that the next one is shared by
more: ``PAUSE`` seconds for each of them, up to the longest."""
STOP: Final = None


class PendingWrite:
    """A write that waits for the next commit."""

    __slots__ = ("done", "error", "result", "rows", "write")

    def __init__(
        self, write: Write[Any], done: "asyncio.Future[Any]", rows: list[Row] | None = None
    ) -> None:
        self.write, self.done = write, done
        self.rows = rows
        """The steps, if it appends some and does nothing else."""
        self.result: Any = None
        self.error: Exception | None = None


class Writer:
    """A queue of writes, and the thread that serves it."""

    def __init__(self, path: Path, told: Callable[[str], None]) -> None:
        self.path, self.told = path, told
        """Told, in the loop's thread, why something could not be written."""
        self.jobs: queue.SimpleQueue[list[PendingWrite] | None] = queue.SimpleQueue()
        self.gathered: list[PendingWrite] = []
        """What is to be written, until all that is due now has been done; then it goes over."""
        self.waiting: deque[tuple[float, list[PendingWrite]]] = deque()
        """What was handed over and is not done, and when it counts as not saved."""
        self.timer: asyncio.TimerHandle | None = None
        self.database: sqlite3.Connection | None = None
        self.keys = Keys()
        """Of the orders that took effect; used in the writer thread."""
        self.commits = 0
        self.thread: threading.Thread | None = None

    async def open(self) -> None:
        """Open the file, and write from now on."""
        self.loop = asyncio.get_running_loop()
        self.database = await self.loop.run_in_executor(None, open_file, self.path)
        self.thread = threading.Thread(target=self.run, name="log-writer", daemon=True)
        self.thread.start()

    async def close(self) -> None:
        """Write what waits, and let go; a disk that does not answer is left to itself."""
        if self.thread is None:
            return
        thread, self.thread = self.thread, None
        self.hand_over()
        self.jobs.put(STOP)
        await self.loop.run_in_executor(None, thread.join, PATIENCE)
        if self.timer is not None:
            self.timer.cancel()

    # In the loop's thread

    def write(self, write: Write[T], rows: list[Row] | None = None) -> "asyncio.Future[T]":
        """Have it written with the next commit."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        if self.thread is None:
            done.set_exception(LogAway("the log is not open"))
            return done
        if not self.gathered:
            self.loop.call_soon(self.hand_over)
        self.gathered.append(PendingWrite(write, done, rows))
        return done

    def hand_over(self) -> None:
        """Give the writer what has been gathered."""
        if not self.gathered:
            return
        gathered, self.gathered = self.gathered, []
        self.jobs.put(gathered)
        self.waiting.append((self.loop.time() + PATIENCE, gathered))
        if self.timer is None:
            self.timer = self.loop.call_later(PATIENCE, self.look)

    def look(self) -> None:
        """Tell those who have waited too long."""
        self.timer = None
        while self.waiting and (is_done(self.waiting[0][1]) or self.waiting[0][0] <= self.now()):
            _, jobs = self.waiting.popleft()
            self.give_up([job for job in jobs if not job.done.done()])
        if self.waiting:
            self.timer = self.loop.call_at(self.waiting[0][0], self.look)

    def now(self) -> float:
        return self.loop.time()

    def give_up(self, jobs: list[PendingWrite]) -> None:
        """Nobody waits for these any more; they may still be written."""
        if not jobs:
            return
        late = f"the disk did not answer for {PATIENCE:g} seconds"
        for job in jobs:
            job.done.set_exception(LogAway(late))
        self.told(late)

    def settle(self, batch: list[PendingWrite]) -> None:
        """Tell those who asked."""
        away: Exception | None = None
        for job in batch:
            if isinstance(job.error, LogAway):
                away = job.error
            if job.done.done():
                continue
            if job.error is not None:
                job.done.set_exception(job.error)
            else:
                job.done.set_result(job.result)
        while self.waiting and is_done(self.waiting[0][1]):
            self.waiting.popleft()
        if away is not None:
            self.told(str(away))

    # In the writer's thread

    def run(self) -> None:
        """Write whatever waits, commit, and only then say that it is done."""
        stopping = False
        while not stopping and (batch := self.jobs.get()) is not STOP:
            while len(batch) < LARGEST_COMMIT and not self.jobs.empty():
                following = self.jobs.get()
                if following is STOP:
                    stopping = True
                    break
                batch = batch + following
            for start in range(0, len(batch), LARGEST_COMMIT):
                self.write_batch(batch[start : start + LARGEST_COMMIT])
            if not stopping and len(batch) >= CROWD:
                time.sleep(min(PAUSE * len(batch), LONGEST_PAUSE))
        if self.database is not None:
            self.database.close()

    def write_batch(self, batch: list[PendingWrite]) -> None:
        """Write a batch; whatever happens, everybody who asked is told."""
        try:
            if self.database is None:
                self.database = connect(self.path)
            commit(self.database, batch, self.keys)
            self.commits += 1
        except Exception as failed:  # noqa: BLE001  (those who asked are told)
            if not is_away(failed):
                NOTES.exception("a batch could not be written")
            for job in batch:
                job.error = LogAway(str(failed) or type(failed).__name__)
            self.start_again()
        try:
            self.loop.call_soon_threadsafe(self.settle, batch)
        except RuntimeError:
            # The loop is closed: there is nobody left to tell.
            return

    def start_again(self) -> None:
        """Nothing is known of the connection any more: the next batch makes another."""
        database, self.database = self.database, None
        self.keys = Keys()
        try:
            if database is not None:
                database.close()
        except sqlite3.Error:
            return


def is_done(jobs: list[PendingWrite]) -> bool:
    """Whether a list of jobs is settled: they are settled in their order."""
    return jobs[-1].done.done()


def commit(database: sqlite3.Connection, batch: list[PendingWrite], keys: Keys) -> None:
    """Do the jobs; one that fails leaves no trace, and the others stand."""
    others = [job for job in batch if job.rows is None]
    if len(others) < len(batch) and not append_all(database, batch, keys):
        others = batch
    if not others:
        return
    try:
        database.execute("begin immediate")
        for job in others:
            attempt(database, job)
        database.execute("commit")
    except sqlite3.Error as failed:
        if database.in_transaction:
            database.execute("rollback")
        for job in others:
            job.error = LogAway(str(failed))


def append_all(database: sqlite3.Connection, batch: list[PendingWrite], keys: Keys) -> bool:
    """Append everything that is appended with one statement, if nothing is wrong with it.

    A statement is a transaction of its own. Between two of them the loop's thread runs, and this
    one would wait for its turn again: with a statement for each step, orders waited for that.
    """
    rows = [row for job in batch if job.rows for row in job.rows]
    if len(rows) > SIZES[-1]:
        return False
    size = next(size for size in SIZES if size >= len(rows))
    values = [value for row in rows for value in row]
    values += [0] * (8 * size - len(values))
    try:
        written = keys.note(database, [(row[0], row[3]) for row in rows])
        if written:
            database.execute(append_statement(size), values)
    except sqlite3.Error:
        written = False
    if not written:
        for row in rows:
            keys.forget(row[0])
    return written


@cache
def append_statement(size: int) -> str:
    """The statement that appends up to ``size`` steps, all or none."""
    return APPEND_MANY.format(fence=FENCE, rows=", ".join(["(?, ?, ?, ?, ?, ?, ?, ?)"] * size))


def rows_of(game: str, expected: int, steps: Sequence[StoredStep]) -> list[Row]:
    """The steps as rows; with the first one stands which step must be there before it.

    Python's sqlite3 looks for somebody who could adapt what is no number, text or bytearray, and
    that takes longer than to write it.
    """
    rows: list[Row] = []
    before = expected
    for step in steps:
        expected += 1
        events = bytearray(step.events)
        rows.append((game, expected, step.by, step.key, step.at, step.spent, events, before))
        before = 0
    return rows


def attempt(database: sqlite3.Connection, job: PendingWrite) -> None:
    """Do one job, or undo it."""
    database.execute("savepoint job")
    try:
        job.result = job.write(database)
    except Exception as failed:
        if is_away(failed):
            raise
        job.error = failed
        database.execute("rollback to job")
    database.execute("release job")
