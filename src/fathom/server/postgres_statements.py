"""What the log asks PostgreSQL: each write is one statement, so one round trip and one commit."""

from typing import Final

from fathom.server.time_of_day import DAY

APPEND: Final = """
with wanted as materialized (
    select * from unnest($1::text[], $2::int[], $3::int[], $4::bytea[], $5::text[], $6::text[])
    as w(game, expected, last, result, lease, holder)
),
given as materialized (
    select * from unnest(
        $7::text[], $8::int[], $9::text[], $10::text[], $11::bigint[], $12::bigint[], $13::bytea[]
    ) as g(game, position, by, key, at, spent, events)
),
known as materialized (
    select given.game from given join steps on steps.game = given.game and steps.key = given.key
    where given.key != '' and steps.key != ''
),
moved as (
    update heads set position = wanted.last from wanted
    where heads.game = wanted.game and heads.position = wanted.expected
    and wanted.game not in (select game from known)
    and (wanted.lease = '' or exists (
        select 1 from leases join holders using (holder) where leases.name = wanted.lease
        and leases.holder = wanted.holder and holders.until >= clock_timestamp()
    ))
    returning heads.game
),
added as (
    insert into steps select * from given where game in (select game from moved)
),
ended as (
    update games set result = wanted.result from wanted
    where games.game = wanted.game and wanted.result is not null
    and games.game in (select game from moved)
),
noted as (insert into changes (names) values ($14::text)),
bell as materialized (select pg_notify('fathom', $15::text))
select game from moved cross join bell
"""
"""Appends to many games. Those whose fence did not move are not among the answers."""
WHY: Final = """
select position, key from steps
where game = $1::text and key = any($2::text[]) and key != '' order by position limit 1
"""
READ: Final = """
select w.number, s.by, s.key, s.at, s.spent, s.events
from unnest($1::text[], $2::int[]) with ordinality as w(game, after, number)
cross join lateral (
    select * from steps where steps.game = w.game and steps.position > w.after
    order by steps.position limit $3::int
) as s
order by w.number, s.position
"""
STAMP: Final = "(extract(epoch from clock_timestamp()) * 1000000)::bigint * 1000"
"""When, in nanoseconds since 1970, by the database's clock."""
MILLISECONDS: Final = "(extract(epoch from clock_timestamp()) * 1000)::bigint"
HELD: Final = """($13::text = '' or exists (
    select 1 from leases join holders using (holder)
    where name = $13::text and holder = $14::text and holders.until >= clock_timestamp()
))"""
ADD_TABLE: Final = f"""
insert into tables (code, version, phase, changed, body, listed)
select $1::text, $2::bigint, $3::text, {STAMP}, $4::bytea, $15::smallint
where $5::bigint = 0 and {HELD}
on conflict do nothing returning code
"""
CHANGE_TABLE: Final = f"""
update tables set version = $2::bigint, phase = $3::text, changed = {STAMP}, body = $4::bytea,
listed = $15::smallint, visited = {MILLISECONDS}
where code = $1::text and version = $5::bigint and {HELD} returning code
"""  # noqa: S608
SAVE_TABLE: Final = """
with saved as ({save}),
gone as (delete from members where code in (select code from saved) and not who = any($6::text[])),
came as (
    insert into members (who, code) select who, code from saved cross join unnest($6::text[]) as who
    on conflict do nothing
),
game as (
    select $7::text as game, code, $8::bigint as began, $9::bytea as header, $10::bytea as card
    from saved where $7::text is not null
),
began as (
    insert into games (game, table_code, began, header, card)
    select game, code, began, header, card from game
),
headed as (insert into heads (game, position) select game, 0 from game),
mine as (
    insert into games_of (who, began, game)
    select who, began, game from game cross join unnest($11::text[]) as who
),
noted as (insert into changes (names) select $12::text from saved),
bell as materialized (select pg_notify('fathom', $12::text) from saved)
select code from saved cross join bell
"""
UNFINISHED_GONE: Final = """
games_gone as (
    delete from games using gone where games.table_code = gone.code and games.result is null
    returning games.game
),
steps_gone as (delete from steps using games_gone where steps.game = games_gone.game),
heads_gone as (delete from heads using games_gone where heads.game = games_gone.game),
lists_gone as (delete from games_of using games_gone where games_of.game = games_gone.game)
"""
"""Of the tables in ``gone``: the games under way there. What follows ``with gone as (...)``."""
TALK_GONE: Final = """
members_gone as (delete from members using gone where members.code = gone.code),
chat_gone as (
    delete from chat using gone where chat.code = gone.code
    or (chat.code > gone.code || '/' and chat.code < gone.code || '0')
)
"""
"""Of the tables in ``gone``: who is there, and what was said and drawn there."""
DROP_TABLE: Final = f"""
with gone as (delete from tables where code = $1::text and version = $2::bigint returning code),
{TALK_GONE},
noted as (insert into changes (names) select $3::text from gone),
bell as materialized (select pg_notify('fathom', $3::text) from gone)
select code from gone cross join bell
"""  # noqa: S608
SAY: Final = """
with said as (
    insert into chat (code, number, body, who)
    select $1::text, 1 + coalesce(max(number), 0), $2::bytea, $5::text
    from chat where code = $1::text
    on conflict do nothing returning number
),
gone as (
    delete from chat using said where $4::boolean and code = $1::text and chat.number < said.number
),
noted as (insert into changes (names) select $3::text from said),
bell as materialized (select pg_notify('fathom', $3::text) from said)
select number from said cross join bell
"""
HOLD: Final = """
with me as (
    insert into holders (holder, until)
    values ($1::text, clock_timestamp() + $3::float8 * interval '1 second')
    on conflict (holder) do update set until = excluded.until
),
gone as materialized (
    select holder from holders
    where holder in (select holder from leases where name = any($2::text[]))
    and holder != $1::text and until < clock_timestamp()
    for update skip locked
)
insert into leases as held (name, holder)
select name, $1::text from unnest($2::text[]) as name order by name
on conflict (name) do update set holder = excluded.holder
where held.holder = excluded.holder or held.holder in (select holder from gone)
or not exists (select 1 from holders where holders.holder = held.holder)
returning name
"""
"""Takes what nobody has. Nothing is taken from a holder who is just renewing, however late."""
KEEP: Final = """
with kept as (
    update holders set until = clock_timestamp() + $2::float8 * interval '1 second'
    where holder = $1::text and until >= clock_timestamp() returning holder
)
select count(leases.name) from kept join leases using (holder)
"""
LIVING: Final = "holder in (select holder from holders where until >= clock_timestamp())"
HELD_BY_ANYONE: Final = f"select name from leases where name ^@ $1 and {LIVING}"  # noqa: S608
UNTENDED: Final = f"""
select code from tables where phase = $1::text
and ($2::text || code) not in (select name from leases where {LIVING})
order by changed limit $3
"""  # noqa: S608
IS_HELD: Final = """
select 1 from leases join holders using (holder)
where name = $1::text and holder = $2::text and holders.until >= clock_timestamp()
"""
PROBE: Final = "insert into changes (names) values ('')"
"""A write that tells nobody anything, and is cleared away with the other notes."""
VISIT: Final = f"update tables set visited = {MILLISECONDS} where code = any($1::text[])"  # noqa: S608
SEEN: Final = f"""
update players set seen = {MILLISECONDS}
where who = any($1::text[]) and seen < {MILLISECONDS} - {DAY}
"""  # noqa: S608
