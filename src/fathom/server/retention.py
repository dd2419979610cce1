"""Keeps what is kept no longer than the operator wants, in the background and in small steps.

What is deleted depends on when somebody was last there, so that is noted here, too.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace

from fathom.server.config import Config
from fathom.server.log import Log, LogAway, Pruned, Retention
from fathom.server.time_of_day import DAY

NOTES: Final = logging.getLogger("fathom.log")
NOTING_SECONDS: Final = 600.0
"""Between two notes of who is where."""
PRUNING_SECONDS: Final = 3600.0
"""Between two looks for what has been kept for long enough."""
FIRST_SECONDS: Final = 3 * 3600.0
"""In which a process that has just started deletes nothing: its machine's clock may not be right
yet."""
DOUBT_SECONDS: Final = 7 * 86_400.0
"""In which nothing is deleted after the clock did not agree with the log: time to put it right."""
APART: Final = 3 * DAY
"""Milliseconds that the clock and the log may be apart: as long as a server may have been off."""
FEW: Final = 10
SHARE: Final = 0.25
"""How many of a kind are deleted in the background without a second thought, and which part of
them. More are never old at once while a server runs, unless a clock is wrong or the settings are
new: then somebody shall look."""
STEP: Final = 50
"""Rows of each kind that are deleted at once: nobody waits long for that."""
PAUSE: Final = 0.2
"""Seconds between two steps."""
LEASE: Final = "retention"
LEASE_SECONDS: Final = 30.0
CHUNK: Final = 500
"""Names in one statement."""


class Retainer:
    """Notes who is where, and deletes what is old; of many processes, one deletes."""

    def __init__(
        self,
        log: Log,
        config: Config,
        me: str,
        occupied: Callable[[], Collection[str]],
        connected: Callable[[], Collection[str]],
    ) -> None:
        self.log, self.config = log, config
        self.holder = f"{me}/retention"
        self.occupied, self.connected = occupied, connected
        """Which tables somebody is at, and who is connected, in this process."""
        self.came: set[str] = set()
        """Who was here since that was last noted."""
        self.began: tuple[int, float] | None = None
        """The log's time and ours, when they were first compared or last found apart."""
        self.trusted = 0.0
        """From when on the clock is believed, by a clock that only goes forward."""
        self.warned: set[str] = set()

    async def run(self) -> None:
        """Note and delete, again and again."""
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            try:
                # Before anything is noted with a time that may be wrong.
                await self.check_clock()
                await self.note()
                if loop.time() >= due:
                    due = loop.time() + PRUNING_SECONDS
                    await self.prune()
            except LogAway:
                # It is done with the next look.
                due = loop.time()
            await asyncio.sleep(NOTING_SECONDS)

    async def check_clock(self) -> None:
        """Compare the clock with what the log has, and later with how much time has passed."""
        times, now = await self.log.times(), time.monotonic()
        if self.began is None:
            apart = times.now - times.newest if times.newest else 0
            self.trusted = now + FIRST_SECONDS
        else:
            apart = times.now - self.began[0] - round((now - self.began[1]) * 1000)
        if abs(apart) > APART:
            self.trusted = now + DOUBT_SECONDS
            NOTES.warning(
                "the clock is %d days %s of what it should be by the log: nothing old is deleted "
                "for %d days; if it is right, run `fathom log prune`",
                *(round(abs(apart) / DAY), "ahead" if apart > 0 else "behind"),
                DOUBT_SECONDS // 86_400,
            )
        if self.began is None or abs(apart) > APART:
            self.began = (times.now, now)

    async def note(self) -> None:
        """Note who was here, and at which tables somebody is."""
        came, self.came = self.came | set(self.connected()), set()
        try:
            for names in chunks(came):
                await self.log.see(names)
        except LogAway:
            self.came |= came
            raise
        for names in chunks(self.occupied()):
            await self.log.visit(names)

    async def prune(self) -> None:
        """Delete what is old, if the clock is believed and no other process is about it."""
        if time.monotonic() < self.trusted:
            return
        if LEASE not in await self.log.hold(self.holder, (LEASE,), LEASE_SECONDS):
            return

        async def go_on() -> None:
            await asyncio.sleep(PAUSE)
            await self.log.keep(self.holder, LEASE_SECONDS)

        retention = await self.careful()
        pruned = await prune_all(self.log, retention, go_on)
        # If many players are old, the clock may be wrong, and then nothing here is old either.
        careful = retention.players != self.config.retention.players
        while not careful and await prune_moderation(self.log, self.config) >= STEP:
            await go_on()
        await self.log.release(self.holder, (LEASE,))
        if pruned != Pruned():
            NOTES.info("deleted what is old: %s", in_words(pruned))

    async def careful(self) -> Retention:
        """What is to be deleted in the background: nothing of a kind of which much is old."""
        retention = self.config.retention
        old, there = await self.log.count_old(retention)
        much = [
            kind
            for kind, count, of in (
                ("chat", old.lines, there.lines),
                ("tables", old.tables, there.tables),
                ("players", old.players, there.players),
            )
            if count > max(FEW, SHARE * of)
        ]
        for kind in set(much) - self.warned:
            NOTES.warning(
                "much is old at once, so no %s are deleted by themselves: %s are old; "
                "look whether the clock is right, and run `fathom log prune`",
                *("lines of chat" if kind == "chat" else kind, in_words(old)),
            )
        self.warned = set(much)
        return replace(retention, **dict.fromkeys(much, 0.0))


async def prune_all(
    log: Log, retention: Retention, between: Callable[[], Awaitable[None]]
) -> Pruned:
    """Delete everything that is old, step by step; how much that was."""
    total = Pruned()
    while True:
        pruned = await log.prune(retention, STEP)
        total += pruned
        if max(pruned.lines, pruned.tables, pruned.players) < STEP:
            return total
        await between()


async def prune_moderation(log: Log, config: Config) -> int:
    """Delete what is old of bans, reports and audit notes, some of it; how much that was."""
    return await log.moderation.prune(
        config.audit_days, config.address_days, config.chat_days, STEP
    )


def in_words(pruned: Pruned) -> str:
    """What was deleted, for people."""
    return f"{pruned.lines:,} lines of chat, {pruned.tables:,} tables, {pruned.players:,} players"


def chunks(names: Collection[str]) -> Iterator[list[str]]:
    """The names, some at a time."""
    left = iter(names)
    while chunk := list(islice(left, CHUNK)):
        yield chunk
