"""The log in one SQLite file: one writer thread, and one commit for all that waits.

WAL and ``synchronous=FULL``: when a future is resolved, its rows are on the disk.
"""

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from fathom.server.data_folder import FolderLock, lock_folder
from fathom.server.log import (
    PAGE,
    AlreadyDone,
    Change,
    Conflict,
    Lease,
    Listener,
    NewGame,
    NewToken,
    Pruned,
    Retention,
    StoredPlayer,
    StoredStep,
    StoredTable,
    Times,
    keeps_last,
    read_pages,
    stored_table,
)
from fathom.server.log_queries import TABLE, LogQueries, for_sqlite
from fathom.server.sqlite_moderation import SqliteModeration
from fathom.server.sqlite_prune import (
    COUNT_ALL,
    COUNT_OLD,
    NEWEST,
    drop_table,
    mend_times,
    moments,
    prune,
)
from fathom.server.sqlite_reader import Reader
from fathom.server.sqlite_tokens import ADD_PLAYER, ADD_TOKENS, CHOSEN_TOKENS, SET_RECOVERY
from fathom.server.sqlite_writer import Row, Write, Writer, rows_of
from fathom.server.time_of_day import DAY, now_ms

T = TypeVar("T")

APPEND: Final = """
insert into steps select ?1, ?2 + 1, ?3, ?4, ?5, ?6, ?7
where ?2 = (select coalesce(max(position), 0) from steps where game = ?1)
"""
READ: Final = """
select by, key, at, spent, events from steps where game = ? and position > ?
order by position limit ?
"""
PROBE: Final = 65_536
"""Bytes of what is written to see whether there is room: more than the orders of a moment need."""


class SqliteLog(LogQueries):
    """One file, one process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.told: Callable[[str], None] = lambda _: None
        self.writer = Writer(path, self.away)
        self.moderation = SqliteModeration(self)
        self.reader = Reader(path, self.away)
        self.steps_reader = Reader(path, self.away)
        """Reads the steps of games, which may be many, so that nothing else has to wait for it."""
        self.lock: FolderLock | None = None
        self.shared = False
        """Whether a server may have the file open, too: then nothing but rows may be touched."""
        self.leases: dict[str, str] = {}
        """Who has them: one process needs none that outlives it."""
        self.holders: dict[str, float] = {}
        """Until when their leases hold."""

    async def open(self) -> None:
        if self.lock is None and not self.shared:
            self.lock = lock_folder(self.path.parent)
        try:
            await self.writer.open()
        except BaseException:
            self.unlock()
            raise
        self.reader.open()
        self.steps_reader.open()

    async def close(self) -> None:
        await self.writer.close()
        await self.reader.close()
        await self.steps_reader.close()
        self.unlock()

    def unlock(self) -> None:
        if self.lock is not None:
            self.lock.release()
            self.lock = None

    def gauges(self) -> Mapping[str, tuple[str, Callable[[], float]]]:
        return {"log_commits": ("Commits of what was written", lambda: self.commits)}

    @property
    def commits(self) -> int:
        """How many commits there were; with the number of writes, how well they share one."""
        return self.writer.commits

    def when_away(self, told: Callable[[str], None]) -> None:
        self.told = told

    def away(self, why: str) -> None:
        """Something could not be read or written."""
        self.told(why)

    async def probe(self) -> None:
        await self.run("insert or replace into leases values ('probe', ?, 0)", "x" * PROBE)
        await self.run("delete from leases where name = 'probe'")

    def listen(self, listener: Listener) -> None:
        """There is no other process."""

    async def ring(self, change: Change) -> None:
        """There is no other process."""

    def write(self, write: Write[T], rows: list[Row] | None = None) -> "asyncio.Future[T]":
        """Have it written with the next commit."""
        return self.writer.write(write, rows)

    async def ask(self, question: str, values: Sequence[Any] = ()) -> list[Any]:
        """All rows that answer the question."""
        return await self.reader.ask(question, values)

    async def find(self, question: str, *values: Any) -> list[Any]:
        return await self.ask(for_sqlite(question), values)

    async def run(self, statement: str, *values: Any) -> None:
        def write(database: sqlite3.Connection) -> None:
            database.execute(for_sqlite(statement), values)

        await self.write(write)

    # Games

    def append(
        self,
        game: str,
        expected: int,
        steps: Sequence[StoredStep],
        result: bytes | None = None,
        under: Lease | None = None,
    ) -> "asyncio.Future[None]":
        del under  # There is no other process that could have taken the lease.

        def write(database: sqlite3.Connection) -> None:
            self.writer.keys.forget(game)
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

    async def read(self, game: str, after: int = 0) -> list[StoredStep]:
        async def page(after: int) -> list[StoredStep]:
            rows = await self.steps_reader.ask(READ, (game, after, PAGE))
            return [StoredStep(*row) for row in rows]

        return await read_pages(page, after)

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

    async def listed(
        self, phases: Collection[str], since: int, most: int = 100
    ) -> list[StoredTable]:
        question = f"""{TABLE} where listed = 1 and phase in ({marks(phases)}) and visited >= ?
            order by changed desc limit ?"""
        return [stored_table(row) for row in await self.ask(question, (*phases, since, most))]

    async def tables_of(
        self, who: str, phases: Collection[str], most: int = 100
    ) -> list[StoredTable]:
        question = f"""select code, version, phase, body, listed
            from members join tables using (code)
            where who = ? and phase in ({marks(phases)}) order by changed desc limit ?"""  # noqa: S608
        return [stored_table(row) for row in await self.ask(question, (who, *phases, most))]

    async def codes_of(self, who: str, phases: Collection[str], most: int = 100) -> list[str]:
        question = f"""select code from members join tables using (code)
            where who = ? and phase in ({marks(phases)}) order by changed desc limit ?"""  # noqa: S608
        return [row[0] for row in await self.ask(question, (who, *phases, most))]

    async def visit(self, codes: Collection[str]) -> None:
        statement = f"update tables set visited = ? where code in ({marks(codes)})"  # noqa: S608
        await self.run(statement, now_ms(), *codes)

    async def drop_table(self, code: str, expected: int) -> None:
        def write(database: sqlite3.Connection) -> None:
            values = (code, expected)
            gone = database.execute("delete from tables where code = ? and version = ?", values)
            if not gone.rowcount:
                raise Conflict(code)
            drop_table(database, code)

        await self.write(write)

    # Chat

    async def say(self, table: str, body: bytes, who: str = "") -> int:
        def write(database: sqlite3.Connection) -> int:
            question = "select coalesce(max(number), 0) + 1 from chat where code = ?"
            number: int = database.execute(question, (table,)).fetchone()[0]
            values = (table, number, body, now_ms(), who)
            database.execute(
                "insert into chat (code, number, body, at, who) values (?, ?, ?, ?, ?)", values
            )
            if keeps_last(table):
                last = "delete from chat where code = ? and number < ?"
                database.execute(last, (table, number))
            return number

        return await self.write(write)

    # Players

    async def add_player(
        self, player: StoredPlayer, token: NewToken, recovery: bytes | None
    ) -> None:
        def write(database: sqlite3.Connection) -> None:
            code = (recovery or secrets.token_bytes(32), recovery is not None)
            database.execute(ADD_PLAYER, (player.who, player.name, *code, now_ms()))
            add_token(database, player.who, token)

        await self.write(write)

    async def set_recovery(self, who: str, new: bytes, old: bytes | None) -> bool:
        def write(database: sqlite3.Connection) -> bool:
            return database.execute(SET_RECOVERY, (who, new, old)).rowcount == 1

        return await self.write(write)

    async def see(self, players: Collection[str]) -> None:
        now = now_ms()
        statement = f"update players set seen = ? where seen < ? and who in ({marks(players)})"  # noqa: S608
        await self.run(statement, now, now - DAY, *players)

    # Tokens

    async def add_token(self, who: str, token: NewToken) -> None:
        await self.write(lambda database: add_token(database, who, token))

    async def end_tokens(self, who: str, only: str = "", but: str = "") -> set[str]:
        def write(database: sqlite3.Connection) -> set[str]:
            chosen = database.execute(CHOSEN_TOKENS, (who, only, but)).fetchall()
            database.executemany("delete from tokens where id = ?", chosen)
            return {row[0] for row in chosen}

        return await self.write(write)

    async def living_tokens(self, ids: Collection[str]) -> set[str]:
        question = f"select id from tokens where id in ({marks(ids)})"  # noqa: S608
        return {row[0] for row in await self.ask(question, tuple(ids))}

    async def use_tokens(self, ids: Collection[str]) -> None:
        statement = f"update tokens set used = ? where id in ({marks(ids)})"  # noqa: S608
        await self.run(statement, now_ms(), *ids)

    # Retention

    async def times(self) -> Times:
        return Times(now_ms(), (await self.ask(NEWEST))[0][0])

    async def count_old(self, retention: Retention) -> tuple[Pruned, Pruned]:
        old = await self.ask(COUNT_OLD, moments(retention, now_ms()))
        return Pruned(*old[0]), Pruned(*(await self.ask(COUNT_ALL))[0])

    async def mend_times(self) -> None:
        await self.write(mend_times)

    async def prune(self, retention: Retention, most: int) -> Pruned:
        return await self.write(lambda database: prune(database, retention, most))

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


def position_by_key(database: sqlite3.Connection, game: str, key: str) -> int | None:
    """Where the order with a key is in its game, if it is there."""
    question = "select position from steps where game = ? and key = ?"
    found = database.execute(question, (game, key)).fetchone()
    return found[0] if found else None


def save_version(database: sqlite3.Connection, table: StoredTable, expected: int) -> None:
    """Write the table if its version is the expected one."""
    now = time.time_ns()
    new = (table.version, table.phase, now, table.body, table.listed, now // 1_000_000)
    if expected == 0:
        statement = """insert or ignore into tables
            (code, version, phase, changed, body, listed, visited) values (?, ?, ?, ?, ?, ?, ?)"""
        values: tuple[Any, ...] = (table.code, *new)
    else:
        statement = """update tables
            set version = ?, phase = ?, changed = ?, body = ?, listed = ?, visited = ?
            where code = ? and version = ?"""
        values = (*new, table.code, expected)
    if not database.execute(statement, values).rowcount:
        raise Conflict(table.code)


def begin(database: sqlite3.Connection, new: NewGame) -> None:
    """Write a game that begins, and whose it is."""
    values = (new.game, new.table, new.began, new.header, new.card)
    database.execute("insert into games values (?, ?, ?, ?, ?, null)", values)
    mine = [(who, new.began, new.game) for who in new.players]
    database.executemany("insert into games_of values (?, ?, ?)", mine)


def add_token(database: sqlite3.Connection, who: str, new: NewToken) -> None:
    """Write a token."""
    values = (new.hash, who, new.id, new.device, new.scope, now_ms())
    database.execute(ADD_TOKENS, values)


def marks(values: Collection[str]) -> str:
    """A question mark for each value."""
    return ", ".join("?" * len(values))
