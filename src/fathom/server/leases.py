"""Leases of one process: who keeps a game's clocks and moves its bots.

Any process may do it, and a second one could do no harm to the rules; but two that do it at once
would play a bot twice. So each does only what it has a lease for. A lease is counted from before it
was asked for, so here it always ends before another process can take it, even for a process that
was stopped for a while: it finds its leases run out before it does anything else. What it had
under way then is refused by the log itself, if it was to be written under the lease.

All leases of a process run out together, so that one row is renewed however many there are.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from fathom.server.log import Lease, Log, LogAway
from fathom.server.supervise import Supervisor

NOTES: Final = logging.getLogger("fathom.leases")
SECONDS: Final = 3.0
"""How long a lease holds. With ``BEAT`` it is what a table waits for when a process dies."""
BEAT: Final = 1.0
"""Seconds between renewals, and between attempts to take what another has."""

OnLease = Callable[[str], None]


class Leases:
    """What this process wants to look after, and what of that it does."""

    def __init__(
        self,
        log: Log,
        holder: str,
        gained: OnLease,
        lost: OnLease,
        seconds: float = SECONDS,
    ) -> None:
        self.log, self.holder = log, holder
        self.gained, self.lost = gained, lost
        """Told of each lease; what can't be had is lost, too, as often as it is tried."""
        self.seconds, self.pause = seconds, seconds * BEAT / SECONDS
        self.wanted: set[str] = set()
        self.held: set[str] = set()
        self.until = 0.0
        """Until when they are held, by our own clock."""
        self.fresh: set[str] = set()
        """What is wanted and not held."""
        self.unwanted: set[str] = set()
        """What is to be let go with the next beat: so it can't cross with being taken again."""
        self.unsure = False
        """Whether the log may have more or less for us than we know, because it went away."""
        self.released: OnLease = lambda _: None
        self.due = asyncio.Event()
        self.stop: Callable[[], Awaitable[None]] | None = None
        """Ends what was opened."""

    def open(self, supervisor: Supervisor, name: str = "leases") -> None:
        """Take and keep what is wanted, from now on."""
        supervisor.start(name, self.run)
        self.stop = partial(supervisor.stop, name)

    async def close(self) -> None:
        """Let everything go, so that others need not wait."""
        if self.stop is not None:
            await self.stop()
        held = [*self.held, *self.unwanted]
        self.wanted, self.fresh, self.held, self.unwanted = set(), set(), set(), set()
        if held:
            # If the log is away, they run out by themselves.
            with contextlib.suppress(LogAway):
                await self.log.release(self.holder, held)

    def holds(self, name: str) -> bool:
        """Whether the lease is ours at this moment."""
        return name in self.held and self.alive()

    def alive(self) -> bool:
        """Whether what was ours still is."""
        return time.monotonic() < self.until

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
            for names in (self.wanted, self.fresh, self.held):
                names.discard(name)
            self.unwanted.add(name)
            self.due.set()

    async def run(self) -> None:
        whole = 0.0
        while True:
            full = time.monotonic() >= whole
            if full:
                whole = time.monotonic() + self.pause
            await self.beat(full=full)
            # Not wait_for: before Python 3.12 it may forget that it was cancelled.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, whole - time.monotonic())):
                    await self.due.wait()

    async def beat(self, *, full: bool = True) -> None:
        """Take and renew, or only take what is newly wanted; tell what was gained and lost."""
        self.due.clear()
        self.look()
        try:
            await self.let_go()
            if full and self.held:
                await self.renew()
            if self.unsure or not self.alive():
                await self.take_all()
            elif self.fresh:
                await self.take_fresh()
        except LogAway:
            self.unsure = True
        self.look()

    def look(self) -> None:
        """What ran out is lost, even if nobody took it: somebody may have seen that it was."""
        if self.held and not self.alive():
            self.lose(set(self.held))

    async def let_go(self) -> None:
        """Release what is not wanted any more, until the log has what is held and nothing else."""
        while self.unwanted:
            gone, self.unwanted = self.unwanted, set()
            try:
                await self.log.release(self.holder, gone)
            except LogAway:
                # While others are renewed, these would not run out by themselves.
                self.unwanted |= gone
                raise
            for name in gone:
                self.call(self.released, name)

    async def renew(self) -> None:
        """Keep everything, if it is all still there."""
        asked, known = time.monotonic(), len(self.held)
        kept = await self.log.keep(self.holder, self.seconds)
        self.look()
        if kept == known and self.held and not self.unsure:
            self.until = asked + self.seconds
        else:
            self.unsure = True

    async def take_all(self) -> None:
        """Ask for everything that is wanted, whoever had it."""
        asked, names = time.monotonic(), set(self.wanted)
        if not names:
            return
        got = await self.log.hold(self.holder, names, self.seconds)
        self.look()
        self.unsure, self.until = False, asked + self.seconds
        self.take(got)
        self.lose(names - got)

    async def take_fresh(self) -> None:
        """Ask for what is new; it holds as long as the rest, which is not renewed by that."""
        names = set(self.fresh)
        got = await self.log.hold(self.holder, names, self.seconds)
        self.look()
        self.take(got)
        self.lose(names - got)

    def take(self, names: set[str]) -> None:
        for name in names & self.fresh:
            self.fresh.discard(name)
            self.unwanted.discard(name)
            self.held.add(name)
            self.call(self.gained, name)

    def lose(self, names: set[str]) -> None:
        for name in names & self.wanted:
            self.held.discard(name)
            self.fresh.add(name)
            self.call(self.lost, name)

    def call(self, told: OnLease, name: str) -> None:
        """One table's trouble is none of the others."""
        try:
            told(name)
        except Exception:  # noqa: BLE001  (it is noted)
            NOTES.exception("a lease could not be taken up or laid down")
