"""The moderation part of the log in a SQLite file."""

import sqlite3
from collections.abc import Collection
from typing import TYPE_CHECKING, Any, Final

from fathom.server.log_queries import for_sqlite
from fathom.server.moderation_log import (
    MOST_PLAYERS,
    MOST_TABLES,
    AuditNote,
    Ban,
    Deletion,
    FoundPlayer,
    StoredAnnouncement,
    like,
)
from fathom.server.moderation_queries import BANS, ModerationQueries, kept_ms, old_rows
from fathom.server.sqlite_prune import begin_deletion, drop_table, drop_unfinished
from fathom.server.time_of_day import now_ms

if TYPE_CHECKING:
    from fathom.server.sqlite_log import SqliteLog

FIND_TABLES: Final = f"""
select code, version, phase, body, listed, visited from tables
where code = upper(?1) or code in (select code from members where who = ?1)
or code in (
    select code from (select code, body from tables order by visited desc limit {MOST_TABLES})
    where instr(cast(body as text), ?1) > 0
)
order by visited desc, code limit ?2
"""  # noqa: S608
FIND_PLAYERS: Final = f"""
select who, name, seen from players where who = ?1 or who in (
    select who from (select who, name from players order by seen desc limit {MOST_PLAYERS})
    where name like ?2 escape '\\'
)
order by seen desc, who limit ?3
"""  # noqa: S608
OLD_ROWS: Final = {part: for_sqlite(text) for part, text in old_rows("rowid", "$1").items()}


class SqliteModeration(ModerationQueries):
    """Bans, reports and the rest, in the same file."""

    log: "SqliteLog"
    find_tables_by = FIND_TABLES

    def __init__(self, log: "SqliteLog") -> None:
        self.log = log

    # Bans

    async def bans(self) -> list[Ban]:
        question = f"{BANS} where until = 0 or until > ? order by at desc, id"
        return [Ban(*row) for row in await self.log.ask(question, (now_ms(),))]

    async def drop_ban(self, name: str) -> Ban | None:
        found = [Ban(*row) for row in await self.log.ask(f"{BANS} where id = ?", (name,))]
        await self.log.run("delete from bans where id = ?", name)
        return found[0] if found else None

    # Reports

    async def close_report(self, name: str, by: str) -> bool:
        statement = "update reports set closed = ?, closed_by = ? where id = ? and closed = 0"
        return await self.count(statement, now_ms(), by, name) > 0

    # Audit notes

    async def notes(self, most: int = 100) -> list[AuditNote]:
        question = """select at, by, address, action, target, detail from audit
            order by at desc, rowid desc limit ?"""
        return [AuditNote(*row) for row in await self.log.ask(question, (most,))]

    # The announcement

    async def announce(self, announcement: StoredAnnouncement | None) -> None:
        def write(database: sqlite3.Connection) -> None:
            database.execute("delete from announcements")
            if announcement is not None:
                values = (announcement.at, announcement.text, announcement.until)
                statement = "insert into announcements (at, text, until) values (?, ?, ?)"
                database.execute(statement, values)

        await self.log.write(write)

    async def announcement(self) -> StoredAnnouncement | None:
        question = "select at, text, until from announcements where until > ?"
        found = await self.log.ask(question, (now_ms(),))
        return StoredAnnouncement(*found[0]) if found else None

    # Searching

    async def find_players(self, search: str, most: int = 100) -> list[FoundPlayer]:
        if "\0" in search:
            return []
        rows = await self.log.ask(FIND_PLAYERS, (search, like(search), most))
        return [FoundPlayer(*row) for row in rows]

    # Changing what was said and played

    async def close_table(self, code: str) -> bool:
        def write(database: sqlite3.Connection) -> bool:
            question = "select 1 from tables where code = ?"
            if database.execute(question, (code,)).fetchone() is None:
                return False
            drop_unfinished(database, code)
            drop_table(database, code)
            return True

        return await self.log.write(write)

    async def forget_games(self, who: str, games: Collection[str]) -> None:
        marks = ", ".join("?" * len(games))
        statement = f"delete from games_of where who = ? and game in ({marks})"  # noqa: S608
        await self.log.run(statement, who, *games)

    # Deleting players

    async def begin_deletion(self, who: str) -> Deletion | None:
        return await self.log.write(lambda database: begin_deletion(database, who))

    async def prune(self, audit: float, addresses: float, reports: float, most: int) -> int:
        kept = kept_ms(audit, addresses, reports)

        def write(database: sqlite3.Connection) -> int:
            now = now_ms()
            return sum(
                database.execute(OLD_ROWS[part], (now - age, most)).rowcount
                for part, age in kept.items()
            )

        return await self.log.write(write)

    async def count(self, statement: str, *values: Any) -> int:
        """How many rows a statement has changed."""

        def write(database: sqlite3.Connection) -> int:
            return database.execute(statement, values).rowcount

        return await self.log.write(write)
