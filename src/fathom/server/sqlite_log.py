"""The log in one SQLite file: one writer thread, and one commit for all that waits.

WAL and ``synchronous=FULL``: when a future is resolved, its rows are on the disk.
"""

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from fathom.server.log import (
    AlreadyDone,
    Change,
    Conflict,
    Lease,
    Listener,
    LogAway,
    NewGame,
    Step,
    StoredGame,
    StoredLine,
    StoredPlayer,
    StoredTable,
    keeps_last,
)
from fathom.server.sqlite_keys import Keys

T = TypeVar("T")
Write = Callable[[sqlite3.Connection], T]

SCHEMA: Final = 2
"""Raised with every change of the tables below.

Steps stand in the order of their arrival, so that those of all games fill the same pages: only the
index, which is small, is in the order of games. An order's key is looked for among those of its
game, in memory or else in the table.
"""
TABLES: Final = """
create table games (
    game text primary key, table_code text not null, began integer not null,
    header blob not null, card blob not null, result blob
) without rowid;
create table games_of (who text, began integer, game text, primary key (who, began, game))
    without rowid;
create table steps (
    game text not null, position integer not null, by text not null, key text not null,
    at integer not null, spent integer not null, events blob not null
);
create unique index step_positions on steps (game, position);
create table tables (
    code text primary key, version integer not null, phase text not null,
    changed integer not null, body blob not null
) without rowid;
create index tables_by_phase on tables (phase, changed);
create table members (who text, code text, primary key (who, code)) without rowid;
create table chat (code text, number integer, body blob not null, primary key (code, number))
    without rowid;
create table players (
    who text primary key, name text not null, recovery blob not null unique
) without rowid;
create table tokens (token blob primary key, who text not null) without rowid;
create table leases (name text primary key, holder text not null, until real not null)
    without rowid;
"""
APPEND: Final = """
insert into steps select ?1, ?2 + 1, ?3, ?4, ?5, ?6, ?7
where ?2 = (select coalesce(max(position), 0) from steps where game = ?1)
"""
APPEND_MANY: Final = """
insert into steps
select column1, column2, {fence}, column4, column5, column6, column7 from (values {rows})
where column2 > 0
"""
FENCE: Final = """iif(column8 = 0
    or exists (select 1 from steps where game = column1 and position = column8), column3, null)"""
"""Who gave the order; nobody, and so nothing is written, if the step before is not there."""
CLEAR_TALK: Final = """
delete from chat where code = ?1 or (code > ?1 || '/' and code < ?1 || '0')
"""
"""What was said at a table, and what stands under its code and a slash."""
SIZES: Final = (1, 4, 16, 32, 64, 96, 128, 192, 256)
"""Rows of the statements that append; a statement that is not full is filled up with noughts."""
LARGEST_COMMIT: Final = SIZES[-1]
"""Writes that share a commit."""
CROWD: Final = 8
PAUSE: Final = 0.0006
LONGEST_PAUSE: Final = 0.02
"""After a commit of so many writes there is a pause, so that the next one is shared by more.

So many seconds for each of them, up to the longest: the more is written, the more can share.
"""
MIGRATIONS: Final = {1: "drop index step_keys"}
"""For each older version of the tables, what makes it the next one."""
STOP: Final = None

Row = tuple[Any, ...]


class Job:
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


class SqliteLog:
    """One file, one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.jobs: queue.SimpleQueue[list[Job] | None] = queue.SimpleQueue()
        self.gathered: list[Job] = []
        """What is to be written, until all that is due now has been done; then it goes over."""
        self.leases: dict[str, str] = {}
        """Who has them: one process needs none that outlives it."""
        self.holders: dict[str, float] = {}
        """Until when their leases hold."""
        self.keys = Keys()
        """Of the orders that took effect; used in the writer thread."""
        self.commits = 0
        """How many commits there were; with the number of writes, how well they share one."""

    async def open(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.readers = ThreadPoolExecutor(1, "log-reader", self.open_reader)
        self.writer = threading.Thread(target=self.write_all, name="log-writer", daemon=True)
        ready = self.loop.create_future()
        self.jobs.put([Job(prepare, ready)])
        self.writer.start()
        await ready

    async def close(self) -> None:
        self.hand_over()
        self.jobs.put(STOP)
        await self.loop.run_in_executor(None, self.writer.join)
        self.readers.shutdown()

    def gauges(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        return {"log_commits": ("Commits of what was written", lambda: self.commits)}

    def listen(self, listener: Listener) -> None:
        """There is no other process."""

    async def ring(self, change: Change) -> None:
        """There is no other process."""

    # The writer thread

    def write_all(self) -> None:
        """Write whatever waits, commit, and only then say that it is done."""
        database = connect(self.path)
        while (batch := self.jobs.get()) is not STOP:
            stopping = False
            while len(batch) < LARGEST_COMMIT and not self.jobs.empty():
                following = self.jobs.get()
                if following is STOP:
                    stopping = True
                    break
                batch += following
            for start in range(0, len(batch), LARGEST_COMMIT):
                self.write_batch(database, batch[start : start + LARGEST_COMMIT])
            if stopping:
                break
            if len(batch) >= CROWD:
                time.sleep(min(PAUSE * len(batch), LONGEST_PAUSE))
        database.close()

    def write_batch(self, database: sqlite3.Connection, batch: list[Job]) -> None:
        commit(database, batch, self.keys)
        self.commits += 1
        self.loop.call_soon_threadsafe(settle, batch)

    def write(self, write: Write[T], rows: list[Row] | None = None) -> "asyncio.Future[T]":
        """Have it written with the next commit."""
        done: asyncio.Future[T] = self.loop.create_future()
        if not self.gathered:
            self.loop.call_soon(self.hand_over)
        self.gathered.append(Job(write, done, rows))
        return done

    def hand_over(self) -> None:
        """Give the writer what has been gathered."""
        if self.gathered:
            self.jobs.put(self.gathered)
            self.gathered = []

    # The reader thread

    def open_reader(self) -> None:
        self.reader: sqlite3.Connection | None = None

    def ask(self, question: str, values: Sequence[Any] = ()) -> "asyncio.Future[list[Any]]":
        """All rows that answer the question."""
        return self.loop.run_in_executor(self.readers, self.answer, question, values)

    def answer(self, question: str, values: Sequence[Any]) -> list[Any]:
        if self.reader is None:
            self.reader = connect(self.path)
        try:
            return self.reader.execute(question, values).fetchall()
        except sqlite3.OperationalError as away:
            raise LogAway(str(away)) from away

    # Games

    def append(
        self,
        game: str,
        expected: int,
        steps: Sequence[Step],
        result: bytes | None = None,
        under: Lease | None = None,
    ) -> "asyncio.Future[None]":
        del under  # There is no other process that could have taken the lease.

        def write(database: sqlite3.Connection) -> None:
            self.keys.forget(game)
            for place, step in enumerate(steps, expected):
                known = step.key and position_by_key(database, game, step.key)
                if known:
                    raise AlreadyDone(step.key, known)
                values = (game, place, step.by, step.key, step.at, step.spent, step.events)
                if not database.execute(APPEND, values).rowcount:
                    raise Conflict(game)
            if result is not None:
                database.execute("update games set result = ? where game = ?", (result, game))

        return self.write(write, rows_of(game, expected, steps) if result is None else None)

    async def read(self, game: str, after: int = 0, most: int = 10_000) -> list[Step]:
        question = """select by, key, at, spent, events from steps
            where game = ? and position > ? order by position limit ?"""
        return [Step(*row) for row in await self.ask(question, (game, after, most))]

    async def position_of(self, game: str, key: str) -> int | None:
        question = "select position from steps where game = ? and key = ? and key != ''"
        found = await self.ask(question, (game, key))
        return found[0][0] if found else None

    async def game(self, game: str) -> StoredGame | None:
        question = """select game, table_code, began, header, card, result from games
            where game = ?"""
        found = await self.ask(question, (game,))
        return StoredGame(*found[0]) if found else None

    async def games_of(self, who: str, most: int = 100) -> list[StoredGame]:
        question = """select game, table_code, games.began, header, card, result
            from games_of join games using (game)
            where who = ? order by games_of.began desc, game limit ?"""
        return [StoredGame(*row) for row in await self.ask(question, (who, most))]

    # Tables

    async def save_table(
        self,
        table: StoredTable,
        expected: int,
        members: Collection[str] = (),
        begins: NewGame | None = None,
        under: Lease | None = None,
    ) -> None:
        del under  # There is no other process that could have taken the lease.

        def write(database: sqlite3.Connection) -> None:
            save_version(database, table, expected)
            database.execute("delete from members where code = ?", (table.code,))
            database.executemany(
                "insert into members values (?, ?)", [(who, table.code) for who in members]
            )
            if begins is not None:
                begin(database, begins)

        await self.write(write)

    async def table(self, code: str) -> StoredTable | None:
        question = "select code, version, phase, body from tables where code = ?"
        found = await self.ask(question, (code,))
        return StoredTable(*found[0]) if found else None

    async def tables(self, phases: Collection[str], most: int = 1000) -> list[StoredTable]:
        question = f"""select code, version, phase, body from tables
            where phase in ({marks(phases)}) order by changed desc limit ?"""  # noqa: S608
        return [StoredTable(*row) for row in await self.ask(question, (*phases, most))]

    async def tables_of(self, who: str, phases: Collection[str]) -> list[StoredTable]:
        question = f"""select code, version, phase, body from members join tables using (code)
            where who = ? and phase in ({marks(phases)}) order by changed desc"""  # noqa: S608
        return [StoredTable(*row) for row in await self.ask(question, (who, *phases))]

    async def drop_table(self, code: str, expected: int) -> None:
        def write(database: sqlite3.Connection) -> None:
            values = (code, expected)
            gone = database.execute("delete from tables where code = ? and version = ?", values)
            if not gone.rowcount:
                raise Conflict(code)
            database.execute("delete from members where code = ?", (code,))
            database.execute(CLEAR_TALK, (code,))

        await self.write(write)

    # Chat

    async def say(self, table: str, body: bytes) -> int:
        def write(database: sqlite3.Connection) -> int:
            question = "select coalesce(max(number), 0) + 1 from chat where code = ?"
            number: int = database.execute(question, (table,)).fetchone()[0]
            database.execute("insert into chat values (?, ?, ?)", (table, number, body))
            if keeps_last(table):
                last = "delete from chat where code = ? and number < ?"
                database.execute(last, (table, number))
            return number

        return await self.write(write)

    async def chat(self, table: str, after: int = 0, most: int = 200) -> list[StoredLine]:
        question = """select number, body from chat where code = ? and number > ?
            order by number desc limit ?"""
        rows = await self.ask(question, (table, after, most))
        return [StoredLine(*row) for row in reversed(rows)]

    # Players

    async def add_player(self, player: StoredPlayer, token: bytes, recovery: bytes) -> None:
        def write(database: sqlite3.Connection) -> None:
            values = (player.who, player.name, recovery)
            database.execute("insert into players values (?, ?, ?)", values)
            database.execute("insert into tokens values (?, ?)", (token, player.who))

        await self.write(write)

    async def player(self, who: str) -> StoredPlayer | None:
        return await self.find_player("select who, name from players where who = ?", who)

    async def player_with_token(self, token: bytes) -> StoredPlayer | None:
        question = "select who, name from tokens join players using (who) where token = ?"
        return await self.find_player(question, token)

    async def player_with_recovery(self, recovery: bytes) -> StoredPlayer | None:
        return await self.find_player("select who, name from players where recovery = ?", recovery)

    async def find_player(self, question: str, value: str | bytes) -> StoredPlayer | None:
        found = await self.ask(question, (value,))
        return StoredPlayer(*found[0]) if found else None

    async def add_token(self, who: str, token: bytes) -> None:
        await self.run("insert or replace into tokens values (?, ?)", token, who)

    async def drop_token(self, token: bytes) -> None:
        await self.run("delete from tokens where token = ?", token)

    async def set_recovery(self, who: str, recovery: bytes) -> None:
        await self.run("update players set recovery = ? where who = ?", recovery, who)

    async def rename(self, who: str, name: str) -> None:
        await self.run("update players set name = ? where who = ?", name, who)

    async def run(self, statement: str, *values: Any) -> None:
        def write(database: sqlite3.Connection) -> None:
            database.execute(statement, values)

        await self.write(write)

    # Leases

    async def hold(self, holder: str, names: Collection[str], seconds: float) -> set[str]:
        now = time.monotonic()
        self.holders[holder] = now + seconds
        mine = {name for name in names if self.free_for(holder, name, now)}
        self.leases.update(dict.fromkeys(mine, holder))
        return mine

    def free_for(self, holder: str, name: str, now: float) -> bool:
        """Whether nobody else has the lease."""
        found = self.leases.get(name)
        return found is None or found == holder or self.holders[found] < now

    async def keep(self, holder: str, seconds: float) -> int:
        now = time.monotonic()
        if self.holders.get(holder, now) <= now:
            return 0
        self.holders[holder] = now + seconds
        return sum(found == holder for found in self.leases.values())

    async def release(self, holder: str, names: Collection[str]) -> None:
        for name in names:
            if self.leases.get(name) == holder:
                del self.leases[name]

    async def held(self, prefix: str) -> set[str]:
        now = time.monotonic()
        return {
            name
            for name, holder in self.leases.items()
            if self.holders[holder] >= now and name.startswith(prefix)
        }

    async def untended(self, phase: str, prefix: str, most: int = 100) -> list[str]:
        question = "select code from tables where phase = ? order by changed"
        held = await self.held(prefix)
        codes = [row[0] for row in await self.ask(question, (phase,))]
        return [code for code in codes if prefix + code not in held][:most]


# What is done in the writer thread


def connect(path: Path) -> sqlite3.Connection:
    """A connection that begins and commits when told."""
    database = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
    database.execute("pragma journal_mode = wal")
    database.execute("pragma synchronous = full")
    return database


def prepare(database: sqlite3.Connection) -> None:
    """Make the tables, once; leases of a process that has died are void."""
    version = database.execute("pragma user_version").fetchone()[0]
    if version > SCHEMA:
        raise LogAway(f"this file was written by a newer version: {version}, known is {SCHEMA}")
    if version == 0:
        for statement in TABLES.split(";"):
            database.execute(statement)
    else:
        for older in range(version, SCHEMA):
            database.execute(MIGRATIONS[older])
    database.execute(f"pragma user_version = {SCHEMA}")
    database.execute("delete from leases")


def commit(database: sqlite3.Connection, batch: list[Job], keys: Keys) -> None:
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
    except sqlite3.Error as away:
        if database.in_transaction:
            database.execute("rollback")
        for job in others:
            job.error = LogAway(str(away))


def append_all(database: sqlite3.Connection, batch: list[Job], keys: Keys) -> bool:
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
    """The statement that appends up to so many steps, all or none."""
    return APPEND_MANY.format(fence=FENCE, rows=", ".join(["(?, ?, ?, ?, ?, ?, ?, ?)"] * size))


def rows_of(game: str, expected: int, steps: Sequence[Step]) -> list[Row]:
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


def attempt(database: sqlite3.Connection, job: Job) -> None:
    """Do one job, or undo it."""
    database.execute("savepoint job")
    try:
        job.result = job.write(database)
    except sqlite3.OperationalError:
        raise
    except Exception as failed:  # noqa: BLE001  (it is raised again where the job was asked for)
        job.error = failed
        database.execute("rollback to job")
    database.execute("release job")


def settle(batch: list[Job]) -> None:
    """Tell those who asked, in their own thread."""
    for job in batch:
        if job.done.cancelled():
            continue
        if job.error is not None:
            job.done.set_exception(job.error)
        else:
            job.done.set_result(job.result)


def position_by_key(database: sqlite3.Connection, game: str, key: str) -> int | None:
    """Where the order with a key is in its game, if it is there."""
    question = "select position from steps where game = ? and key = ?"
    found = database.execute(question, (game, key)).fetchone()
    return found[0] if found else None


def save_version(database: sqlite3.Connection, table: StoredTable, expected: int) -> None:
    """Write the table if its version is the expected one."""
    now = time.time_ns()
    if expected == 0:
        statement = "insert or ignore into tables values (?, ?, ?, ?, ?)"
        values: tuple[Any, ...] = (table.code, table.version, table.phase, now, table.body)
    else:
        statement = """update tables set version = ?, phase = ?, changed = ?, body = ?
            where code = ? and version = ?"""
        values = (table.version, table.phase, now, table.body, table.code, expected)
    if not database.execute(statement, values).rowcount:
        raise Conflict(table.code)


def begin(database: sqlite3.Connection, new: NewGame) -> None:
    """Write a game that begins, and whose it is."""
    values = (new.game, new.table, new.began, new.header, new.card)
    database.execute("insert into games values (?, ?, ?, ?, ?, null)", values)
    mine = [(who, new.began, new.game) for who in new.players]
    database.executemany("insert into games_of values (?, ?, ?)", mine)


def marks(values: Collection[str]) -> str:
    """A question mark for each value."""
    return ", ".join("?" * len(values))
