"""Deletes from PostgreSQL what has been kept for long enough. Each step is one statement."""

from collections.abc import Awaitable, Callable
from typing import Any, Final

from fathom.server.log import Pruned, Retention
from fathom.server.postgres_statements import MILLISECONDS, TALK_GONE, UNFINISHED_GONE
from fathom.server.time_of_day import DAY

OLD: Final = f"{MILLISECONDS} - $1::bigint"
"""The moment before which something is old, by the database's clock."""
LINES: Final = f"""
with old as materialized (
    select code, number from chat where at < {OLD} and body != '' order by at limit $2
),
last as materialized (
    select code, max(number) as number from chat
    where code in (select code from old) group by code
),
emptied as (
    update chat set body = '' from last where chat.code = last.code and chat.number = last.number
    and (chat.code, chat.number) in (select code, number from old) returning 1
),
gone as (
    delete from chat using old where chat.code = old.code and chat.number = old.number
    and (old.code, old.number) not in (select code, number from last) returning 1
)
select (select count(*) from emptied) + (select count(*) from gone)
"""  # noqa: S608
"""The last line of a table is emptied and not deleted, so that no number is given twice."""
TABLES: Final = f"""
with old as materialized (
    select code from tables where visited < {OLD} order by visited limit $2
    for update skip locked
),
gone as (delete from tables using old where tables.code = old.code returning tables.code),
{UNFINISHED_GONE},
{TALK_GONE},
told as (select 'table:' || code || ':0' as name from gone),
noted as (insert into changes (names) select name from told),
bell as materialized (select pg_notify('fathom', name) from told)
select count(*) from bell
"""  # noqa: S608
PLAYERS: Final = f"""
with gone as (
    delete from players where who in (
        select who from players where seen < {OLD}
        and not exists (select 1 from members where members.who = players.who)
        order by seen limit $2
    ) returning who, name
),
tokens_gone as (delete from tokens using gone where tokens.who = gone.who),
noted as (
    insert into deletions (who, name, at, done)
    select who, name, {MILLISECONDS}, 0 from gone
    on conflict (who) do nothing
)
select count(*) from gone
"""  # noqa: S608
TIMES: Final = f"""
select {MILLISECONDS}, greatest(
    (select coalesce(max(seen), 0) from players), (select coalesce(max(visited), 0) from tables),
    (select coalesce(max(at), 0) from chat)
)
"""  # noqa: S608
COUNT_OLD: Final = f"""
select (select count(*) from chat where at < {MILLISECONDS} - $1::bigint and body != ''),
    (select count(*) from tables where visited < {MILLISECONDS} - $2::bigint),
    (select count(*) from players where seen < {MILLISECONDS} - $3::bigint
        and not exists (select 1 from members where members.who = players.who))
"""  # noqa: S608
COUNT_ALL: Final = """
select (select count(*) from chat), (select count(*) from tables), (select count(*) from players)
"""
MEND_TIMES: Final = f"""
with moment as materialized (select {MILLISECONDS} as now),
players_mended as (update players set seen = now from moment where seen > now),
tables_mended as (update tables set visited = now from moment where visited > now)
update chat set at = now from moment where at > now
"""  # noqa: S608
FOR_EVER: Final = 1 << 50
"""Milliseconds for which nothing has been kept yet."""


def ages(retention: Retention) -> list[int]:
    """How old what is old must be, for each kind."""
    kinds = (retention.chat, retention.tables, retention.players)
    return [round(days * DAY) if days else FOR_EVER for days in kinds]


async def prune(
    ask: Callable[..., Awaitable[list[Any]]], retention: Retention, most: int
) -> Pruned:
    """Delete at most so many of each kind."""

    async def delete(statement: str, days: float) -> int:
        if not days:
            return 0
        number: int = (await ask(statement, round(days * DAY), most))[0][0]
        return number

    return Pruned(
        await delete(LINES, retention.chat),
        await delete(TABLES, retention.tables),
        await delete(PLAYERS, retention.players),
    )
