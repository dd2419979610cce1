"""The moderation part of the log in PostgreSQL. Each write is one statement."""

from collections.abc import Collection
from typing import TYPE_CHECKING, Final

from fathom.server.log import Change
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
from fathom.server.postgres_bell import written
from fathom.server.postgres_prune import OLD
from fathom.server.postgres_statements import MILLISECONDS, TALK_GONE, UNFINISHED_GONE

if TYPE_CHECKING:
    from fathom.server.postgres_log import PostgresLog

ANNOUNCE: Final = """
insert into announcements (one, at, text, until) values (true, $1::bigint, $2::text, $3::bigint)
on conflict (one) do update set at = excluded.at, text = excluded.text, until = excluded.until
"""
FIND_PLAYERS: Final = f"""
select who, name, seen from players where who = $1::text or who in (
    select who from (
        select who, name from players order by seen desc limit {MOST_PLAYERS}
    ) as last where name ilike $2::text
)
order by seen desc, who limit $3
"""  # noqa: S608
FIND_TABLES: Final = f"""
select code, version, phase, body, listed, visited from tables
where code = upper($1::text) or code in (select code from members where who = $1::text)
or code in (
    select code from (
        select code, body from tables order by visited desc limit {MOST_TABLES}
    ) as last where position(convert_to($1::text, 'UTF8') in body) > 0
)
order by visited desc, code limit $2
"""  # noqa: S608
CLOSE_TABLE: Final = f"""
with gone as (delete from tables where code = $1::text returning code),
{UNFINISHED_GONE},
{TALK_GONE},
noted as (insert into changes (names) select $2::text from gone),
bell as materialized (select pg_notify('fathom', $2::text) from gone)
select code from gone cross join bell
"""  # noqa: S608
BEGIN_DELETION: Final = f"""
with gone as (delete from players where who = $1::text returning who, name),
tokens_gone as (delete from tokens using gone where tokens.who = gone.who)
insert into deletions (who, name, at, done) select who, name, {MILLISECONDS}, 0 from gone
on conflict (who) do update set name = excluded.name, at = excluded.at, done = 0
returning who, name, at
"""  # noqa: S608
OLD_ROWS: Final = {
    part: f"{statement} returning 1" for part, statement in old_rows("number", OLD).items()
}


class PostgresModeration(ModerationQueries):
    """Bans, reports and the rest, in the same database."""

    log: "PostgresLog"
    find_tables_by = FIND_TABLES

    def __init__(self, log: "PostgresLog") -> None:
        self.log = log

    # Bans

    async def bans(self) -> list[Ban]:
        question = f"{BANS} where until = 0 or until > {MILLISECONDS} order by at desc, id"
        return [Ban(*row) for row in await self.log.ask(question)]

    async def drop_ban(self, name: str) -> Ban | None:
        statement = "delete from bans where id = $1 returning id, who, network, until"
        found = await self.log.find(f"{statement}, reason, at, by", name)
        return Ban(*found[0]) if found else None

    # Reports

    async def close_report(self, name: str, by: str) -> bool:
        statement = f"""update reports set closed = {MILLISECONDS}, closed_by = $1
            where id = $2 and closed = 0 returning id"""  # noqa: S608
        return bool(await self.log.find(statement, by, name))

    # Audit notes

    async def notes(self, most: int = 100) -> list[AuditNote]:
        question = """select at, by, address, action, target, detail from audit
            order by at desc, number desc limit $1"""
        return [AuditNote(*row) for row in await self.log.ask(question, most)]

    # The announcement

    async def announce(self, announcement: StoredAnnouncement | None) -> None:
        if announcement is None:
            await self.log.ask("delete from announcements")
        else:
            values = (announcement.at, announcement.text, announcement.until)
            await self.log.ask(ANNOUNCE, *values)

    async def announcement(self) -> StoredAnnouncement | None:
        question = f"select at, text, until from announcements where until > {MILLISECONDS}"  # noqa: S608
        found = await self.log.ask(question)
        return StoredAnnouncement(*found[0]) if found else None

    # Searching

    async def find_players(self, search: str, most: int = 100) -> list[FoundPlayer]:
        rows = await self.log.find(FIND_PLAYERS, search, like(search), most)
        return [FoundPlayer(*row) for row in rows]

    # Changing what was said and played

    async def close_table(self, code: str) -> bool:
        return bool(await self.log.find(CLOSE_TABLE, code, written([Change("table", code)])))

    async def forget_games(self, who: str, games: Collection[str]) -> None:
        statement = "delete from games_of where who = $1 and game = any($2::text[])"
        await self.log.ask(statement, who, list(games))

    # Deleting players

    async def begin_deletion(self, who: str) -> Deletion | None:
        found = await self.log.find(BEGIN_DELETION, who)
        return Deletion(*found[0]) if found else None

    async def prune(self, audit: float, addresses: float, reports: float, most: int) -> int:
        count = 0
        for part, age in kept_ms(audit, addresses, reports).items():
            count += len(await self.log.ask(OLD_ROWS[part], age, most))
        return count
