"""Everything that a log has, moved into another one and verified there.

The copy is one transaction: it is read back, counted and digested before it is committed, so the
target has all of it or nothing. Leases are not copied; they are void by then.
"""

import hashlib
import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import asyncpg
import msgspec
from msgspec import Struct

from fathom.server.log import LogAway, LogUnusable
from fathom.server.postgres_link import connect, is_away
from fathom.server.postgres_schema import PostgresConnection, migrate
from fathom.server.sqlite_schema import SCHEMA, open_file, prepare
from fathom.server.sqlite_schema import connect as connect_file
from fathom.server.sqlite_writer import Row

OnProgress: TypeAlias = Callable[[str, int, int], None]
"""Told how it goes: what, how many are done, of how many."""

PARTS: Final = {
    "players": "who name recovery recoverable seen",
    "tokens": "token who id device scope created used",
    "tables": "code version phase changed body listed visited",
    "members": "who code",
    "chat": "code number body at who",
    "games": "game table_code began header card result",
    "games_of": "who began game",
    "steps": "game position by key at spent events",
    "bans": "id who network until reason at by",
    "reports": "id at by table_code body closed closed_by",
    "audit": "at by address action target detail",
    "announcements": "at text until",
    "deletions": "who name at done",
}
"""All that is kept, with its columns; both logs call them the same."""
CHUNK: Final = 2000
DIGITS: Final = 2**256


class NotCopied(Exception):
    """Why nothing was copied, in one sentence for people."""


class Sum(Struct, frozen=True):
    """How many rows there are, and what they say whatever their order."""

    count: int = 0
    digest: int = 0

    def add(self, rows: Iterable[Row]) -> "Sum":
        """With these rows."""
        count, digest = self.count, self.digest
        for row in rows:
            text = msgspec.msgpack.encode(row)
            digest += int.from_bytes(hashlib.sha256(text).digest(), "big")
            count += 1
        return Sum(count, digest % DIGITS)


class Hold(Protocol):
    """A log's store, opened as it is, in one transaction."""

    async def count(self, part: str) -> int:
        """How many rows a part has."""

    def rows(self, part: str) -> AsyncIterator[list[Row]]:
        """All rows of a part, in chunks."""

    async def put(self, part: str, rows: list[Row]) -> None:
        """More rows for a part."""

    async def finish(self) -> None:
        """Everything is there: work out what follows from it, and commit."""


async def copy(source: str, target: str, told: OnProgress) -> dict[str, Sum]:
    """Copy everything; what was copied, for each part."""
    async with opened(source, write=False) as old, opened(target, write=True) as new:
        await check_empty(new, target)
        read = {part: await move(part, old, new, told) for part in PARTS}
        for part, wanted in read.items():
            found = await total(part, new)
            if found != wanted:
                raise NotCopied(
                    f"{part} differ after copying ({found.count} of {wanted.count} are there); "
                    "the target was left empty"
                )
        await new.finish()
        return read


async def check_empty(new: Hold, target: str) -> None:
    """Nothing that is there may be mixed with what comes."""
    for part in PARTS:
        count = await new.count(part)
        if count:
            raise NotCopied(f"{shown(target)} is not empty (it has {count} {part}); nothing copied")


async def move(part: str, old: Hold, new: Hold, told: OnProgress) -> Sum:
    """Copy one part."""
    count, found = await old.count(part), Sum()
    told(part, 0, count)
    async for rows in old.rows(part):
        await new.put(part, rows)
        found = found.add(rows)
        told(part, found.count, count)
    return found


async def total(part: str, hold: Hold) -> Sum:
    found = Sum()
    async for rows in hold.rows(part):
        found = found.add(rows)
    return found


def is_postgres(place: str) -> bool:
    """Whether a place is a database's address and not a file."""
    return place.startswith(("postgresql://", "postgres://"))


def shown(place: str) -> str:
    """A place as people may see it: without a password."""
    if not is_postgres(place):
        return place
    scheme, _, rest = place.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


def opened(place: str, *, write: bool) -> "AbstractAsyncContextManager[Hold]":
    """The store at a place: the address of a PostgreSQL, a file, or a server's data folder."""
    if is_postgres(place):
        return open_postgres(place, write=write)
    path = Path(place.removeprefix("sqlite:")).expanduser()
    if path.is_dir() or not path.suffix:
        path /= "fathom.db"
    return open_sqlite(path, write=write)


# SQLite


class SqliteHold:
    """A log's file."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self.database = database

    async def count(self, part: str) -> int:
        number: int = self.database.execute(f"select count(*) from {part}").fetchone()[0]  # noqa: S608
        return number

    async def rows(self, part: str) -> AsyncIterator[list[Row]]:
        cursor = self.database.execute(f"select {columns(part)} from {part}")  # noqa: S608
        while rows := cursor.fetchmany(CHUNK):
            yield rows

    async def put(self, part: str, rows: list[Row]) -> None:
        marks = ", ".join("?" * len(PARTS[part].split()))
        self.database.executemany(f"insert into {part} ({columns(part)}) values ({marks})", rows)  # noqa: S608

    async def finish(self) -> None:
        self.database.execute("commit")


def columns(part: str) -> str:
    """The columns of a part; ``by`` is a word of SQL, and quoted no harm is done to the others."""
    return ", ".join(f'"{name}"' for name in PARTS[part].split())


@asynccontextmanager
async def open_sqlite(path: Path, *, write: bool) -> AsyncIterator[SqliteHold]:
    """A file; one that is only read may be in use by a server."""
    try:
        database = new_file(path) if write else old_file(path)
    except (sqlite3.Error, OSError, LogAway) as bad:
        raise NotCopied(f"{path} can't be opened: {bad}") from None
    except LogUnusable as bad:
        raise NotCopied(str(bad)) from None
    try:
        yield SqliteHold(database)
    except sqlite3.Error as bad:
        raise NotCopied(f"{path}: {bad}; nothing copied") from bad
    finally:
        database.close()


def new_file(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    database = open_file(path)
    database.execute("begin immediate")
    return database


def old_file(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None
    )
    (version,) = database.execute("pragma user_version").fetchone()
    if version == 0:
        database.close()
        raise LogAway("it has no tables of Fathom's")
    if version != SCHEMA:
        database = brought_up_to_date(database)
    database.execute("begin")
    return database


def brought_up_to_date(database: sqlite3.Connection) -> sqlite3.Connection:
    """What an older release has written, as this release would have: the file itself is kept."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        newer = connect_file(Path(folder) / "fathom.db")
        database.backup(newer)
        database.close()
        prepare(newer)
        # The system keeps a file that is open; where it does not, the folder stays for a while.
        return newer


# PostgreSQL


class PostgresHold:
    """A log's database."""

    def __init__(self, connection: PostgresConnection) -> None:
        self.connection = connection

    async def count(self, part: str) -> int:
        number: int = await self.connection.fetchval(f"select count(*) from {part}")  # noqa: S608
        return number

    async def rows(self, part: str) -> AsyncIterator[list[Row]]:
        question = f"select {columns(part)} from {part}"  # noqa: S608
        cursor = await self.connection.cursor(question)
        while rows := await cursor.fetch(CHUNK):
            yield [tuple(row) for row in rows]

    async def put(self, part: str, rows: list[Row]) -> None:
        await self.connection.copy_records_to_table(part, records=rows, columns=PARTS[part].split())

    async def finish(self) -> None:
        await self.connection.execute(
            """insert into heads (game, position) select game, coalesce(max(position), 0)
            from games full join steps using (game) group by game"""
        )


@asynccontextmanager
async def open_postgres(address: str, *, write: bool) -> AsyncIterator[PostgresHold]:
    """A database; while it is written, no server can write there."""
    try:
        connection = await connect(address)
    except LogUnusable as bad:
        raise NotCopied(str(bad)) from None
    except LogAway as bad:
        raise NotCopied(f"{shown(address)} can't be opened: {bad}") from None
    try:
        if write:
            await migrate(connection)
        isolation = None if write else "repeatable_read"
        async with connection.transaction(isolation=isolation, readonly=not write):  # type: ignore[arg-type]
            if write:
                await connection.execute(f"lock table {', '.join(PARTS)} in exclusive mode")
            yield PostgresHold(connection)
    except Exception as bad:
        if isinstance(bad, asyncpg.PostgresError | LogAway) or is_away(bad):
            raise NotCopied(f"{shown(address)}: {bad}; nothing copied") from bad
        raise
    finally:
        await connection.close()
