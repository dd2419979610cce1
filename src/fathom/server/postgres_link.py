"""One connection to PostgreSQL that comes back by itself.

Nothing here waits without end. Whatever shows that the database is away becomes ``LogAway``, and
while it is known to be away, whoever asks is told so at once.
"""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import asyncpg
from asyncpg.connect_utils import SessionAttribute

from fathom.server.log import LogAway, LogBusy, LogUnusable
from fathom.server.postgres_schema import PostgresConnection

CONNECT_SECONDS: Final = 2.0
"""How long one host may take to answer."""
STATEMENT_SECONDS: Final = 4.0
"""How long the database may take; then the connection is given up."""
LONGEST_WAIT: Final = 20.0
"""How long a question may wait for those before it; the database itself may be well."""
WRITABLE: Final = SessionAttribute.read_write
REST: Final = 0.25
"""Seconds between two attempts to connect."""
SETTINGS: Final = {
    "application_name": "fathom",
    "jit": "off",
    # Estimates are poor while a table is new; the indexes are always right.
    "enable_seqscan": "off",
    "plan_cache_mode": "force_generic_plan",
    "statement_timeout": "4s",
    "lock_timeout": "4s",
    "idle_in_transaction_session_timeout": "10s",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}
DURABLE: Final = """select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') in ('off', 'local')"""
"""An operator may ask for more than ``on``, and never gets less."""
AWAY_CLASSES: Final = ("08", "25", "53", "55", "57", "58", "XX")
"""SQLSTATE classes that tell of the database, not of what was asked: connection lost, read only,
out of resources, locked for too long, going down, I/O error, corrupted."""
AGAIN_CLASS: Final = "40"
"""Deadlock and the like: it may be asked again."""

ADDRESS: Final = re.compile(
    r"""postgres(?:ql)?://
    (?:[^\s/?\#]*@)?                               # who; of several @ the last one ends it
    (?:HOST (?:,HOST)*)?
    (?:/[^\s/?\#@]*)?                              # the database
    (?:\?(?:[^\s?\#@=&]+=[^\s?\#@=&]*)(?:&[^\s?\#@=&]+=[^\s?\#@=&]*)*)?
    """.replace("HOST", r"(?:\[[0-9A-Fa-f:.]+\]|[\w.%-]*)(?::\d{1,5})?"),
    re.VERBOSE,
)
MALFORMED: Final = (
    "the address of the database can't be read; it is postgresql://USER:PASSWORD@HOST/DATABASE, "
    "and in a password / ? # @ : and % are written as %2F %3F %23 %40 %3A and %25"
)
"""Nothing of the address is quoted: it has a password in it."""

Arrive = Callable[["PostgresConnection"], Awaitable[None]]


class Link:
    """A connection, for one question at a time."""

    def __init__(self, address: str, arrive: Arrive | None = None) -> None:
        self.address, self.arrive = address, arrive
        self.connection: PostgresConnection | None = None
        self.lock = asyncio.Lock()
        self.tried = -REST
        self.connects = 0
        self.closed = False
        """While it is, whoever asks is told that the log is away."""

    @property
    def up(self) -> bool:
        """Whether there is a connection, as far as is known."""
        return self.connection is not None and not self.connection.is_closed()

    async def fetch(self, question: str, *values: Any) -> list[Any]:
        """All rows that answer; deadlocks are tried again."""
        await self.take_turn()
        try:
            for patience in (2, 1, 0):
                try:
                    found: list[Any] = await self.attempt(question, values)
                except asyncpg.PostgresError as failed:
                    if not (failed.sqlstate or "").startswith(AGAIN_CLASS) or not patience:
                        raise
                else:
                    return found
        finally:
            self.lock.release()
        raise LogAway("given up")

    async def take_turn(self) -> None:
        """Wait until the questions before have been answered, if that does not take too long."""
        try:
            async with asyncio.timeout(LONGEST_WAIT if self.lock.locked() else None):
                await self.lock.acquire()
        except TimeoutError:
            raise LogBusy("too much is asked") from None

    async def attempt(self, question: str, values: tuple[Any, ...]) -> Any:
        connection = await self.connected()
        try:
            return await connection.fetch(question, *values, timeout=STATEMENT_SECONDS)
        except asyncio.CancelledError:
            # Whatever the database was doing, its answer must not be taken for another one.
            self.give_up()
            raise
        except Exception as failed:
            if is_away(failed):
                self.give_up()
                raise LogAway(words(failed)) from failed
            raise

    async def connected(self) -> PostgresConnection:
        """The connection, made anew if it is gone."""
        if self.connection is not None and not self.connection.is_closed():
            return self.connection
        if self.closed:
            raise LogAway("the log is closed")
        if time.monotonic() - self.tried < REST:
            raise LogAway("the database is away")
        try:
            self.connection = await self.connect()
        except LogAway:
            self.tried = time.monotonic()
            raise
        self.connects += 1
        return self.connection

    async def connect(self) -> PostgresConnection:
        connection = await connect(self.address, SETTINGS)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await connection.execute(DURABLE)
                if self.arrive is not None:
                    await self.arrive(connection)
        except Exception as failed:
            connection.terminate()
            raise LogAway(words(failed)) from failed
        except BaseException:
            connection.terminate()
            raise
        return connection

    def give_up(self) -> None:
        """Cut the connection; the next question makes another."""
        if self.connection is not None:
            self.connection.terminate()
            self.connection = None

    async def close(self) -> None:
        """Let go in good order, if that does not take long."""
        self.closed = True
        connection, self.connection = self.connection, None
        if connection is None or connection.is_closed():
            return
        try:
            await connection.close(timeout=1)
        except Exception as failed:
            connection.terminate()
            if not is_away(failed):
                raise


async def connect(address: str, settings: Mapping[str, str] = {}) -> PostgresConnection:
    """A connection to the first of the address's hosts that takes writes."""
    failures: list[str] = []
    check_address(address)
    for host in each_host(address):
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                return await asyncpg.connect(
                    host, server_settings=dict(settings), target_session_attrs=WRITABLE
                )
        except (ValueError, asyncpg.exceptions.ClientConfigurationError):
            # It would quote what could not be read.
            raise LogUnusable(MALFORMED) from None
        except (OSError, TimeoutError) as failed:
            failures.append(words(failed))
        except (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError) as bad:
            failures.append(words(bad))
    raise LogAway("; ".join(failures))


def check_address(address: str) -> None:
    """Raises ``LogUnusable`` for an address that can't be meant."""
    if not ADDRESS.fullmatch(address) or re.search(r"%(?![0-9A-Fa-f]{2})", address):
        raise LogUnusable(MALFORMED)


def each_host(address: str) -> list[str]:
    """An address for each host: one that does not answer must not use up the time of all."""
    scheme, _, rest = address.partition("://")
    place, slash, database = rest.partition("/")
    user, at, hosts = place.rpartition("@")
    return [f"{scheme}://{user}{at}{host}{slash}{database}" for host in hosts.split(",")]


def words(failed: BaseException) -> str:
    """What went wrong; some failures have no words of their own."""
    return str(failed) or type(failed).__name__


def is_away(failed: BaseException) -> bool:
    """Whether this tells that the database is away, and not that something wrong was asked."""
    if isinstance(failed, asyncpg.PostgresError):
        return (failed.sqlstate or "").startswith(AWAY_CLASSES)
    return isinstance(
        failed, OSError | TimeoutError | asyncpg.InterfaceError | asyncpg.InternalClientError
    )
