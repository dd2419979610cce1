"""What operators decide, as it takes effect in this process: bans, announcements, deletions.

Whatever one process writes is rung to the others. What was not heard is found by looking, every
few seconds.
"""

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from fathom.server import table as at
from fathom.server.bans import Bans
from fathom.server.chat_moderation import show_removed
from fathom.server.deletion import finish_deletions
from fathom.server.drain import Drain
from fathom.server.limits import Buckets
from fathom.server.log import EVERY, Change, LogAway
from fathom.server.moderation_log import AuditNote, Ban, StoredAnnouncement
from fathom.server.time_of_day import now_ms
from fathom.server.troubles import Trouble
from fathom.server.wire import PHASES, Announced, Problem, encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.server.connection import Connection
    from fathom.server.harbour import Harbour

LOOK: Final = 10.0
"""Seconds between two looks at what other processes may have decided."""


LATELY: Final = 300_000
MOST_DELETED: Final = 10_000
"""Milliseconds for which the connections of players who were deleted are looked for, and of how
many: when retention deletes many at once, they are not here."""


class Moderation:
    """Bans, the announcement and a drain, in one process."""

    def __init__(self, harbour: "Harbour") -> None:
        self.harbour = harbour
        self.bans = Bans()
        self.announcement: StoredAnnouncement | None = None
        self.drain = Drain(harbour)
        self.forgotten: list[Callable[[], None]] = []
        """Called when a player was deleted: what was worked out before may have their name."""
        self.reports = Buckets(harbour.config.rate("reports"))
        self.exports = Buckets(harbour.config.rate("exports"))
        self.look_again = asyncio.Event()

    # Looking at what was decided

    async def run(self) -> None:
        """Look, again and again."""
        while True:
            try:
                await self.look()
                await finish_deletions(self.harbour)
            except LogAway:
                # Bans that are known stay in force.
                pass
            try:
                async with asyncio.timeout(LOOK):
                    await self.look_again.wait()
            except TimeoutError:
                continue
            self.look_again.clear()

    async def look(self) -> None:
        """Take in bans, the announcement and deletions."""
        log = self.harbour.log.moderation
        self.bans = Bans(await log.bans())
        self.close_banned()
        self.show(await log.announcement())
        deleted = {one.who for one in await log.deletions(now_ms() - LATELY, MOST_DELETED)}
        for who in deleted & self.harbour.connected():
            self.close_deleted(who)

    def changed(self, change: Change) -> None:
        """Another process has decided something."""
        if change.kind == "moderation":
            self.look_again.set()
        elif change.kind == "line":
            room = self.harbour.rooms.get(change.name)
            if room is not None:
                self.harbour.keep(asyncio.create_task(show_removed(room, change.position)))
        else:
            self.harbour.keep(asyncio.create_task(self.player_changed(change.name)))

    async def tell(self) -> None:
        """Something was decided here: look, and let the others look."""
        await self.look()
        await self.harbour.log.ring(Change("moderation", ""))

    # Bans

    def check_player(self, who: str) -> None:
        """Whether a player may come."""
        refuse(self.bans.player(who, now_ms()))

    def check_address(self, address: str) -> None:
        """Whether anybody may come from an address."""
        refuse(self.bans.address(address, now_ms()))

    def close_banned(self) -> None:
        """Close the connections of those who are banned."""
        now = now_ms()
        for connection in list(self.harbour.connections):
            ban = self.bans.player(connection.who, now) or self.bans.address(
                connection.address, now
            )
            if ban is not None:
                connection.dismiss(encode(Problem(error="banned", arguments=told(ban), fatal=True)))

    # Players

    async def player_changed(self, who: str) -> None:
        """Somebody was renamed or deleted: their connections here know it."""
        self.forget_records()
        player = await self.harbour.log.player(who)
        if player is None:
            self.close_deleted(who)
            return
        for connection in self.connections_of(who):
            connection.name = player.name

    def forget_records(self) -> None:
        """Keep nothing that may have the name of somebody who was deleted."""
        for forget in self.forgotten:
            forget()

    def close_deleted(self, who: str) -> None:
        """A token that nobody has opens nothing."""
        for connection in self.connections_of(who):
            connection.dismiss(encode(Problem(error="bad-token", fatal=True)))

    def connections_of(self, who: str) -> "list[Connection]":
        return [one for one in self.harbour.connections if one.who == who]

    async def rename(self, who: str, name: str) -> None:
        """Give a player another name, at all their tables and in whatever process."""
        log = self.harbour.log
        await log.rename(who, name)
        await self.player_changed(who)
        await log.ring(Change("player", who))
        for code in await log.codes_of(who, PHASES, EVERY):
            # One that is gone, or can't be read, must not keep the name at the others.
            with suppress(Trouble):
                room = await self.harbour.room(code)
                await room.change(lambda table: at.rename_always(table, who, name))

    def take_report(self, who: str) -> None:
        """Count a report."""
        self.take(self.reports, who)

    def take_export(self, who: str) -> None:
        """Count an export of somebody's data."""
        self.take(self.exports, who)

    def take(self, buckets: Buckets, who: str) -> None:
        if not buckets.take(who, time.monotonic()):
            self.harbour.metrics.limited += 1
            raise Trouble("too-many-messages")

    # The announcement

    def show(self, announcement: StoredAnnouncement | None) -> None:
        """Show everyone what is announced, if that has changed."""
        if announcement == self.announcement:
            return
        self.announcement = announcement
        message = encode(announced(announcement))
        for connection in self.harbour.connections:
            if connection.who:
                connection.push(message)

    def greet(self, connection: "Connection") -> None:
        """Show somebody who came what is announced."""
        if self.announcement is not None and self.announcement.until > now_ms():
            connection.push(encode(announced(self.announcement)))

    # Notes

    async def note(self, by: str, address: str, action: str, target: str, detail: str = "") -> None:
        """Write down who did what."""
        note = AuditNote(now_ms(), by, address, action, target, detail)
        await self.harbour.log.moderation.note(note)


def refuse(ban: Ban | None) -> None:
    if ban is not None:
        raise Trouble("banned", **told(ban))


def told(ban: Ban) -> dict[str, str | int]:
    """What somebody who is banned is told."""
    return {"reason": ban.reason, "until": ban.until}


def announced(announcement: StoredAnnouncement | None) -> Announced:
    """An announcement as players get it."""
    if announcement is None:
        return Announced()
    return Announced(
        restart=announcement.at or None, text=announcement.text, until=announcement.until
    )
