"""How one process hears what others have written: a bell, and a list for those who missed it.

Every commit notes in ``changes`` what it wrote, and rings once (NOTIFY). PostgreSQL delivers rings
in the order of commits. So a process that rings for itself, and hears that, has heard all that was
committed before: it remembers up to which transaction. If its own ring does not come back, it reads
``changes`` from there on until it can hear again.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable
from typing import Final, get_args

from fathom.server.log import Change, ChangeKind, LogAway
from fathom.server.postgres_link import Link
from fathom.server.postgres_schema import PostgresConnection
from fathom.server.supervise import Supervisor

NOTES: Final = logging.getLogger("fathom.log")
CHANNEL: Final = "fathom"
MUCH: Final = "*"
"""Rung instead of names that are too many for one ring: look into ``changes``."""
LONGEST_RING: Final = 7900
"""Bytes; PostgreSQL takes less than 8000."""
BEAT: Final = 0.5
"""Seconds between rings for oneself, and between looks at ``changes`` while they don't come."""
DEAF: Final = 1.5
"""Seconds without one's own ring after which the connection is no longer trusted."""
KEPT_SECONDS: Final = 60
"""How long ``changes`` are kept, and leases of those who are gone."""
TIDY: Final = 20.0
"""Seconds between two clearings."""

RING: Final = """with noted as (insert into changes (names) values ($1::text))
    select pg_notify('fathom', $2::text)"""
RING_SELF: Final = """select pg_notify($1::text, pg_snapshot_xmin(pg_current_snapshot())::text
    || ' ' || extract(epoch from clock_timestamp())::text)"""
START: Final = """select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
    extract(epoch from clock_timestamp())::float8 as at"""
MISSED: Final = """select names from changes where xid >= $1::text::xid8 order by xid"""
CLEAR: Final = """with gone as (
        delete from holders where until < clock_timestamp() - $1::float8 * interval '1 second'
        returning holder),
    void as (delete from leases where holder in (select holder from gone))
    delete from changes where xid in (
        select xid from changes where at < clock_timestamp() - $1::float8 * interval '1 second'
        order by xid limit 10000)"""

KINDS: Final = frozenset(get_args(ChangeKind))


def written(changes: Iterable[Change]) -> str:
    """Changes as they are noted."""
    return " ".join(f"{change.kind}:{change.name}:{change.position}" for change in changes)


def rung(names: str) -> str:
    """What is rung for what is noted."""
    return names if len(names.encode()) < LONGEST_RING else MUCH


def read_changes(names: str) -> Iterable[Change]:
    """Changes as they were noted; what a newer release notes may be unknown here."""
    for name in names.split():
        kind, _, rest = name.partition(":")
        what, _, position = rest.rpartition(":")
        if kind in KINDS:
            yield Change(kind, what, int(position))  # type: ignore[arg-type]


class Bell:
    """Hears the others, whatever happens to the connection."""

    def __init__(self, address: str, asking: Link, me: str, supervisor: Supervisor) -> None:
        self.asking, self.channel, self.supervisor = asking, f"fathom_{me}", supervisor
        self.link = Link(address, self.arrive)
        self.listeners: list[Callable[[Change], None]] = []
        self.own: set[int] = set()
        """The server's processes behind our own connections: their rings are no news."""
        self.horizon, self.horizon_at = "0", 0.0
        """All that was written by transactions before this one has been heard, and when it was."""
        self.heard_self = 0.0
        self.was_deaf = False
        self.polls = 0
        self.looking: asyncio.Task[None] | None = None

    @property
    def hears(self) -> bool:
        """Whether rings arrive."""
        return self.link.up and time.monotonic() - self.heard_self < DEAF

    async def open(self) -> None:
        """Listen from now on."""
        async with self.link.lock:
            await self.link.connected()
        await self.begin()
        self.supervisor.start("bell", self.beat)
        self.supervisor.start("clearing", self.tidy)

    async def close(self) -> None:
        for name in ("bell", "clearing"):
            await self.supervisor.stop(name)
        if self.looking is not None:
            self.looking.cancel()
        await self.link.close()

    async def begin(self) -> None:
        (row,) = await self.asking.fetch(START)
        self.horizon, self.horizon_at = row["horizon"], row["at"]

    async def arrive(self, connection: PostgresConnection) -> None:
        await connection.add_listener(CHANNEL, self.ringing)
        await connection.add_listener(self.channel, self.rang_myself)
        self.heard_self = time.monotonic()

    # Hearing

    def ringing(self, _: object, pid: int, __: str, names: object) -> None:
        """Somebody rang."""
        if pid in self.own:
            return
        if names == MUCH:
            self.look_soon()
        else:
            self.tell(read_changes(str(names)))

    def rang_myself(self, _: object, __: int, ___: str, mark: object) -> None:
        """My own ring came back: everything before it has been heard."""
        horizon, at = str(mark).split()
        self.heard_self = time.monotonic()
        if self.looking is None:
            self.horizon, self.horizon_at = horizon, float(at)

    def tell(self, changes: Iterable[Change]) -> None:
        for change in changes:
            for listener in self.listeners:
                listener(change)

    # The safety net

    async def beat(self) -> None:
        """Ring for oneself; while that is not heard, look, and connect again."""
        while True:
            try:
                await self.check()
            except LogAway:
                # There is nothing to hear; what is written meanwhile is found afterwards.
                self.link.give_up()
            await asyncio.sleep(BEAT)

    async def check(self) -> None:
        self.note(hears=self.hears)
        if not self.hears:
            self.link.give_up()
            # What is written from here on is heard, or found by the look after that.
            with contextlib.suppress(LogAway):
                async with self.link.lock:
                    await self.link.connected()
            self.look_soon()
        if self.looking is not None:
            await asyncio.shield(self.looking)
        if self.link.up:
            async with self.link.lock:
                await self.link.attempt(RING_SELF, (self.channel,))

    def note(self, *, hears: bool) -> None:
        """Tell the operator when that changes."""
        if hears and self.was_deaf:
            NOTES.info("the bell is heard again")
        elif not hears and not self.was_deaf:
            NOTES.warning("the bell is not heard; looking for changes instead")
        self.was_deaf = not hears

    def look_soon(self) -> None:
        """Look at what was noted, once."""
        if self.looking is None:
            self.looking = asyncio.create_task(self.look())
            self.looking.add_done_callback(self.looked)

    def looked(self, task: "asyncio.Task[None]") -> None:
        self.looking = None
        failed = None if task.cancelled() else task.exception()
        if failed is not None and not isinstance(failed, LogAway):
            NOTES.error("could not look at what was written", exc_info=failed)

    async def look(self) -> None:
        """Tell what was noted since the horizon; if too much time has passed, everything."""
        (start,) = await self.asking.fetch(START)
        self.polls += 1
        gap = start["at"] - self.horizon_at
        if gap > KEPT_SECONDS - 10 or int(start["horizon"]) < int(self.horizon):
            # Notes may have been cleared, or this is another database than it was.
            self.tell([Change("all", "")])
        else:
            for row in await self.asking.fetch(MISSED, self.horizon):
                self.tell(read_changes(row["names"]))
        self.horizon, self.horizon_at = start["horizon"], start["at"]

    async def tidy(self) -> None:
        """Clear away what is old."""
        while True:
            await asyncio.sleep(TIDY)
            with contextlib.suppress(LogAway):
                await self.asking.fetch(CLEAR, float(KEPT_SECONDS))
