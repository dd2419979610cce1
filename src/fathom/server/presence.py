"""Who is at which table, in all processes: each keeps leases for its own guests.

A process that dies lets nobody know; its leases run out, and the others find that when they look.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final

from fathom.server.leases import Leases
from fathom.server.log import Change, Log, LogAway
from fathom.server.supervise import Supervisor

NOTES: Final = logging.getLogger("fathom.presence")
SECONDS: Final = 6.0
"""How long somebody counts as present when their process has died."""
LOOK: Final = 3.0
"""Seconds between two looks at everybody."""


class Presence:
    """Those who are here, for the others; and those who are elsewhere."""

    def __init__(self, log: Log, me: str, changed: Callable[[str], None]) -> None:
        self.log, self.me, self.changed = log, me, changed
        # A holder of its own: these leases hold for longer than those for tables.
        self.leases = Leases(log, f"{me}/here", self.ring, lambda _: None, SECONDS)
        self.leases.released = self.ring
        self.elsewhere: dict[str, frozenset[str]] = {}
        """For each table, who is there by another process."""
        self.trusted = 0.0
        """From when on: after the log was away, leases have run out though nobody left."""
        self.tasks: set[asyncio.Task[Any]] = set()

    def open(self, supervisor: Supervisor) -> None:
        self.leases.open(supervisor, "leases of presence")
        supervisor.start("presence", self.run)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await self.leases.close()

    def keep(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.done)

    def done(self, task: "asyncio.Task[Any]") -> None:
        """Whatever was missed is found by the next look at everybody."""
        self.tasks.discard(task)
        if not task.cancelled() and (failure := task.exception()) is not None:
            NOTES.error("could not see or tell who is present", exc_info=failure)

    # Here

    def come(self, table: str, who: str) -> None:
        """Somebody is here."""
        self.leases.want(self.name(table, who))

    def go(self, table: str, who: str) -> None:
        """Somebody is here no more."""
        self.leases.unwant(self.name(table, who))

    def name(self, table: str, who: str) -> str:
        return f"here/{table}/{who}/{self.me}"

    def ring(self, name: str) -> None:
        """Others should look who is at a table."""
        self.keep(self.log.ring(Change("presence", name.split("/")[1])))

    # Elsewhere

    def doubt(self, seconds: float) -> None:
        """Believe nobody to be gone for a while."""
        self.trusted = time.monotonic() + seconds

    def look_soon(self, table: str) -> None:
        """Somebody came to a table or left it, elsewhere."""
        self.keep(self.look(table))

    async def look(self, table: str) -> None:
        """See who is at one table."""
        try:
            found = await self.log.held(f"here/{table}/")
        except LogAway:
            return
        self.see(table, self.sorted(found).get(table, frozenset()))

    async def look_at_all(self) -> None:
        """See who is at any table."""
        try:
            found = self.sorted(await self.log.held("here/"))
        except LogAway:
            return
        for table in {*found, *self.elsewhere}:
            self.see(table, found.get(table, frozenset()))

    def see(self, table: str, there: frozenset[str]) -> None:
        before = self.elsewhere.get(table, frozenset())
        if time.monotonic() < self.trusted:
            there |= before
        if there == before:
            return
        self.elsewhere[table] = there
        if not there:
            del self.elsewhere[table]
        self.changed(table)

    def sorted(self, names: set[str]) -> dict[str, frozenset[str]]:
        """Who is where, but for those who are here."""
        found: dict[str, set[str]] = defaultdict(set)
        for name in names:
            _, table, who, process = name.split("/")
            if process != self.me:
                found[table].add(who)
        return {table: frozenset(there) for table, there in found.items()}

    async def run(self) -> None:
        while True:
            await self.look_at_all()
            await asyncio.sleep(LOOK)
