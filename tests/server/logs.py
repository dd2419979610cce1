"""Every log there is, each opened on something fresh. A new log joins the contract here."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import pytest

from fathom.server.log import Log
from fathom.server.postgres_log import PostgresLog
from fathom.server.sqlite_log import SqliteLog
from tests.server.postgres import Postgres

OpenLog: TypeAlias = Callable[[Path], AbstractAsyncContextManager[Log]]
"""Opens a log; on the same folder again, it has what it had."""

LOGS = ("postgres", "sqlite")


@asynccontextmanager
async def sqlite(folder: Path) -> AsyncIterator[Log]:
    """The embedded log."""
    log = SqliteLog(folder / "fathom.db")
    await log.open()
    try:
        yield log
    finally:
        await log.close()


@asynccontextmanager
async def postgres_at(address: str) -> AsyncIterator[PostgresLog]:
    """The log in a database."""
    log = PostgresLog(address)
    await log.open()
    try:
        yield log
    finally:
        await log.close()


def in_postgres(server: Postgres) -> OpenLog:
    """Logs in databases that are named after folders."""
    known: dict[Path, str] = {}

    @asynccontextmanager
    async def opened(folder: Path) -> AsyncIterator[Log]:
        if folder not in known:
            known[folder] = server.fresh()
        async with postgres_at(known[folder]) as log:
            yield log

    return opened


def opener(name: str, request: pytest.FixtureRequest) -> OpenLog:
    """How the log of this name is opened; PostgreSQL is started when the first test needs it."""
    return sqlite if name == "sqlite" else in_postgres(request.getfixturevalue("postgres"))
