"""Every log there is, each opened on something fresh. A new log joins the contract here."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

from fathom.server.log import Log
from fathom.server.sqlite_log import SqliteLog

OpenLog: TypeAlias = Callable[[Path], AbstractAsyncContextManager[Log]]


@asynccontextmanager
async def sqlite(folder: Path) -> AsyncIterator[Log]:
    """The embedded log; opened on the same folder again, it has what it had."""
    log = SqliteLog(folder / "fathom.db")
    await log.open()
    try:
        yield log
    finally:
        await log.close()


LOGS: dict[str, OpenLog] = {"sqlite": sqlite}
