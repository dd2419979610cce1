"""Leases of one process: who keeps a game's clocks and moves its bots.

Any process may do it, and a second one could do no harm to the rules; but two that do it at once
would play a bot twice. So each does only what it has a lease for. A lease is counted from before it
was asked for, so here it always ends before another process can take it, even for a process that
was stopped for a while: it finds its leases run out before it does anything else. What it had
under way then is refused by the log itself, if it was to be written under the lease.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

from fathom.server.log import Lease, Log, LogAway

NOTES: Final = logging.getLogger("fathom.leases")
SECONDS: Final = 3.0
"""How long a lease holds. With ``BEAT`` it is what a table waits for when a process dies."""
BEAT: Final = 1.0
"""Seconds between renewals, and between attempts to take what another has."""

Told = Callable[[str], None]


class Leases:
    """What this process wants to look after, and what of that it does."""

    def __init__(
        self,
        log: Log,
        holder: str,
        gained: Told,
        lost: Told,
        seconds: float = SECONDS,
    ) -> None:
        self.log, self.holder = log, holder
        self.gained, self.lost = gained, lost
        self.seconds, self.pause = seconds, seconds * BEAT / SECONDS
        self.wanted: set[str] = set()
        self.until: dict[str, float] = {}
        """What is held, and until when by our own clock."""
        self.unwanted: set[str] = set()
        """What is to be let go with the next beat: so it can't cross with being taken again."""
        self.fresh: set[str] = set()
        """What is wanted since the last beat."""
        self.released: Told = lambda _: None
        self.due = asyncio.Event()
        self.task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Take and keep what is wanted, from now on."""
        self.task = asyncio.create_task(self.run())

    async def close(self) -> None:
        """Let everything go, so that others need not wait."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
        held, self.until = [*self.until, *self.unwanted], {}
        self.wanted, self.unwanted = set(), set()
        if held:
            await self.release(held)

    def holds(self, name: str) -> bool:
        """Whether the lease is ours at this moment."""
        return time.monotonic() < self.until.get(name, 0.0)

    def lease(self, name: str) -> Lease:
        """What the log is shown by whoever writes under the lease."""
        return Lease(name, self.holder)

    def want(self, name: str) -> None:
        """Take the lease as soon as it is free."""
        if name not in self.wanted:
            self.wanted.add(name)
            self.fresh.add(name)
            self.due.set()

    def unwant(self, name: str) -> None:
        """Let a lease go."""
        if name in self.wanted:
            self.wanted.discard(name)
            self.until.pop(name, None)
            self.unwanted.add(name)
            self.due.set()

    async def release(self, names: list[str]) -> None:
        try:
            await self.log.release(self.holder, names)
        except LogAway:
            # They run out by themselves.
            return

    async def run(self) -> None:
        whole = 0.0
        while True:
            full = time.monotonic() >= whole
            if full:
                whole = time.monotonic() + self.pause
            try:
                await self.beat(full=full)
            except Exception:  # noqa: BLE001  (it is noted; whoever holds leases must go on)
                NOTES.exception("leases could not be renewed")
            try:
                await asyncio.wait_for(self.due.wait(), max(0.0, whole - time.monotonic()))
            except TimeoutError:
                continue

    async def beat(self, *, full: bool = True) -> None:
        """Take and renew, or only take what is newly wanted; tell what was gained and lost."""
        self.due.clear()
        gone, self.unwanted = self.unwanted - self.wanted, set()
        if gone:
            await self.release(list(gone))
            for name in gone:
                self.call(self.released, name)
        asked, wanted = time.monotonic(), self.wanted & (self.wanted if full else self.fresh)
        self.fresh = set()
        try:
            got = await self.log.hold(self.holder, wanted, self.seconds) if wanted else set()
        except LogAway:
            got = {name for name in self.until if self.holds(name)}
        else:
            self.renew(got, asked)
        missing = wanted - got
        # With many tables, not all of them are looked at for every one that is new.
        looked_at = self.until if full else missing & self.until.keys()
        for name in [name for name in looked_at if name in missing or not self.holds(name)]:
            del self.until[name]
            self.call(self.lost, name)

    def renew(self, got: set[str], asked: float) -> None:
        fresh = [name for name in got if name not in self.until and name in self.wanted]
        for name in got & self.wanted:
            self.until[name] = asked + self.seconds
        for name in fresh:
            self.call(self.gained, name)

    def call(self, told: Told, name: str) -> None:
        """One table's trouble is none of the others."""
        try:
            told(name)
        except Exception:  # noqa: BLE001  (it is noted)
            NOTES.exception("a lease could not be taken up or laid down")
