"""Faults in a store, below everything that Fathom does itself: the statements to the database."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, TypeAlias

import asyncpg
import pytest

from fathom.server import postgres_link, sqlite_reader, sqlite_writer

StoreFault: TypeAlias = Literal["away", "full", "damaged", "fault", "hang", "slow"]
KINDS: tuple[StoreFault, ...] = ("away", "full", "damaged", "fault", "hang", "slow")
PATIENCE = 0.5
"""Seconds that a store waits for its database in these tests."""
SLOW = 0.05


class Faults:
    """One statement of those to come goes wrong."""

    def __init__(self) -> None:
        self.left = 0
        self.kind: StoreFault | None = None
        self.lock = threading.Lock()
        self.released = threading.Event()
        self.happened = 0

    def arm(self, kind: StoreFault, number: int) -> None:
        """Let the statement with this number, counted from now, go wrong."""
        with self.lock:
            self.kind, self.left = kind, number
            self.released.clear()

    def disarm(self) -> None:
        """Let everything go well again; what hangs goes on."""
        with self.lock:
            self.kind = None
            self.released.set()

    def due(self) -> StoreFault | None:
        """What is wrong with the statement that is just run."""
        with self.lock:
            if self.kind is None:
                return None
            self.left -= 1
            if self.left >= 0:
                return None
            kind, self.kind = self.kind, None
            self.happened += 1
            return kind


class FaultySqlite(sqlite3.Connection):
    """A connection to a file, with faults."""

    faults: Faults

    def execute(self, *asked: Any) -> sqlite3.Cursor:
        self.suffer()
        return super().execute(*asked)

    def executemany(self, *asked: Any) -> sqlite3.Cursor:
        self.suffer()
        return super().executemany(*asked)

    def suffer(self) -> None:
        errors: dict[StoreFault, Exception] = {
            "away": sqlite3.OperationalError("disk I/O error"),
            "full": sqlite3.OperationalError("database or disk is full"),
            "damaged": sqlite3.DatabaseError("database disk image is malformed"),
            "fault": RuntimeError("a fault in the store"),
        }
        kind = self.faults.due()
        if kind == "slow":
            time.sleep(SLOW)
        elif kind == "hang":
            self.faults.released.wait()
        elif kind is not None:
            raise errors[kind]


def in_sqlite(faults: Faults, patch: pytest.MonkeyPatch) -> None:
    """Let SQLite have faults."""
    kind = type("Faulty", (FaultySqlite,), {"faults": faults})
    patch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=kind))
    for module in (sqlite_writer, sqlite_reader):
        patch.setattr(module, "PATIENCE", PATIENCE)


def in_postgres(faults: Faults, patch: pytest.MonkeyPatch) -> None:
    """Let PostgreSQL have faults."""
    fetch: Callable[..., Any] = asyncpg.Connection.fetch
    errors: dict[StoreFault, Exception] = {
        "away": ConnectionResetError("connection lost"),
        "full": asyncpg.DiskFullError("could not extend file"),
        "damaged": asyncpg.DataCorruptedError("invalid page"),
        "fault": RuntimeError("a fault in the store"),
    }

    async def suffer(self: Any, *asked: Any, **options: Any) -> Any:
        kind = faults.due()
        if kind == "slow":
            await asyncio.sleep(SLOW)
        elif kind == "hang":
            await asyncio.sleep(options["timeout"])
            raise TimeoutError
        elif kind is not None:
            raise errors[kind]
        return await fetch(self, *asked, **options)

    patch.setattr(asyncpg.Connection, "fetch", suffer)
    patch.setattr(postgres_link, "STATEMENT_SECONDS", PATIENCE)
