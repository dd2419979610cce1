"""The tables in PostgreSQL, and how older ones become these.

A migration is applied once, under a lock, by whichever process comes first. It must leave the
release before it working, because its processes are still serving while the first new one starts:
columns and tables are added in one release, and what nobody uses any more goes in the next.
"""

from typing import Any, Final, TypeAlias

import asyncpg

from fathom.server.log import LogUnusable

PostgresConnection: TypeAlias = "asyncpg.Connection[Any]"
"""Only type checkers know what a connection's rows are."""

FIRST: Final = """
create table games (
    game text collate "C" primary key, table_code text collate "C" not null,
    began bigint not null, header bytea not null, card bytea not null, result bytea
);
create table games_of (
    who text collate "C", began bigint, game text collate "C", primary key (who, began, game)
);
create table heads (game text collate "C" primary key, position integer not null)
    with (fillfactor = 40);
create table steps (
    game text collate "C" not null, position integer not null,
    by text collate "C" not null, key text collate "C" not null,
    at bigint not null, spent bigint not null, events bytea not null
);
create unique index step_positions on steps (game, position);
create unique index step_keys on steps (game, key) where key != '';
create table tables (
    code text collate "C" primary key, version bigint not null, phase text collate "C" not null,
    changed bigint not null, body bytea not null
);
create index tables_by_phase on tables (phase, changed);
create table members (
    who text collate "C", code text collate "C", primary key (who, code)
);
create index members_by_table on members (code);
create table chat (
    code text collate "C", number bigint, body bytea not null, primary key (code, number)
);
create table players (
    who text collate "C" primary key, name text not null, recovery bytea not null unique
);
create table tokens (token bytea primary key, who text collate "C" not null);
create table leases (
    name text collate "C" primary key, holder text collate "C" not null,
    until timestamptz not null
) with (fillfactor = 50);
create table changes (
    xid xid8 not null default pg_current_xact_id(),
    at timestamptz not null default clock_timestamp(),
    names text not null
);
create index changes_by_xid on changes (xid);
"""
"""``heads`` has each game's last position: whoever moves it on may write the steps.

``changes`` has what was written lately, for those who did not hear the bell.
"""

SECOND: Final = """
create table holders (holder text collate "C" primary key, until timestamptz not null)
    with (fillfactor = 50);
create index leases_by_holder on leases (holder);
alter table leases alter until set default 'infinity';
"""
"""A lease holds as long as its holder does, so that one row is renewed however many leases it has.

What ``until`` says in ``leases`` is of use only to processes of version 1 that are still running.
"""

NOW: Final = "(extract(epoch from now()) * 1000)::bigint"
"""Milliseconds since 1970: constant for rows that are there, and new for every row that comes."""
THIRD: Final = f"""
alter table tables add column listed smallint not null default 1;
update tables set listed = 0 where position('"listed":false'::bytea in body) > 0;
create index tables_listed on tables (phase, changed) where listed = 1;
alter table tables add column visited bigint not null default {NOW};
update tables set visited = greatest(changed / 1000000, {NOW} - 172800000);
create index tables_by_visit on tables (visited);
create index games_unfinished on games (table_code) where result is null;
create index games_of_by_game on games_of (game);
alter table chat add column at bigint not null default {NOW};
create index chat_by_time on chat (at);
alter table players add column seen bigint not null default {NOW};
create index players_by_time on players (seen);
"""  # noqa: S608
"""Whether the lobby shows a table, when somebody was last there, when a line was said, and when a
player was last seen. Processes of version 2 go on: they leave the new columns to the defaults."""

FOURTH: Final = f"""
alter table tokens
    add column id text collate "C" not null default replace(gen_random_uuid()::text, '-', ''),
    add column device text not null default '',
    add column scope text not null default '',
    add column created bigint not null default 0,
    add column used bigint not null default {NOW};
alter table tokens alter created set default {NOW};
update tokens set used = players.seen from players where players.who = tokens.who;
create unique index tokens_by_id on tokens (id);
create index tokens_by_player on tokens (who);
alter table players add column recoverable smallint not null default 1;
"""  # noqa: S608
"""Tokens can be listed and ended one by one. A player who is not ``recoverable`` was never told a
recovery code: what stands there is no code's hash. Processes of version 3 go on: the tokens that
they add get an id and times by default, and those with a scope they do not find (``identity``)."""

FIFTH: Final = """
create table if not exists bans (
    id text collate "C" primary key, who text collate "C" not null, network text not null,
    until bigint not null, reason text not null, at bigint not null, by text not null
);
create table if not exists reports (
    id text collate "C" primary key, at bigint not null, by text collate "C" not null,
    table_code text collate "C" not null, body bytea not null,
    closed bigint not null default 0, closed_by text not null default ''
);
create index if not exists reports_by_player on reports (by);
create table if not exists audit (
    number bigint generated by default as identity primary key,
    at bigint not null, by text not null, address text not null, action text not null,
    target text not null, detail text not null
);
create index if not exists audit_by_time on audit (at);
create table if not exists announcements (
    one boolean primary key default true check (one),
    at bigint not null, text text not null, until bigint not null
);
create table if not exists deletions (
    who text collate "C" primary key, name text not null, at bigint not null,
    done smallint not null
);
alter table chat add column if not exists who text collate "C" not null default '';
update chat set who = coalesce(
    substring(convert_from(body, 'UTF8') from '"who":"([0-9A-Za-z_-]{8,40})"'), ''
) where position('"who":"'::bytea in body) > 0;
create index if not exists chat_by_player on chat (who, at) where who != '';
create index if not exists games_by_time on games (began);
create index if not exists games_by_table on games (table_code);
"""
"""What moderation needs, and who said each line of chat. Processes of version 3 go on: what is
said there is nobody's, so it is not among what a player can export."""

MIGRATIONS: Final = (FIRST, SECOND, THIRD, FOURTH, FIFTH)
"""Each makes the version that is its place in this list, counted from 1."""
OLDEST: Final = 2
"""The oldest version that this release's tables still serve; older releases must not start."""
LOCK: Final = 0x66617468
"""The advisory lock that whoever migrates holds: ``fath``."""

VERSIONS: Final = """
create table if not exists fathom_schema (
    one boolean primary key default true check (one),
    version integer not null, oldest integer not null
)
"""


async def migrate(connection: PostgresConnection, migrations: tuple[str, ...] = MIGRATIONS) -> int:
    """Bring the tables to this release's version, in one transaction; how many steps it took."""
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(VERSIONS)
        found = await connection.fetchrow("select version, oldest from fathom_schema")
        version, oldest = (found["version"], found["oldest"]) if found else (0, 0)
        if oldest > len(migrations):
            raise LogUnusable(
                f"this database was brought to version {version} by a newer release, "
                f"which this one (version {len(migrations)}) can't serve"
            )
        for statements in migrations[version:]:
            await connection.execute(statements)
        if version < len(migrations):
            await connection.execute(
                """insert into fathom_schema (version, oldest) values ($1, $2)
                on conflict (one) do update
                set version = excluded.version, oldest = excluded.oldest""",
                *(len(migrations), min(OLDEST, len(migrations))),
            )
    return max(0, len(migrations) - version)
