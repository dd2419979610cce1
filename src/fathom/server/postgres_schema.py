"""The tables in PostgreSQL, and how older ones become these.

A migration is applied once, under a lock, by whichever process comes first. It must leave the
release before it working, because its processes are still serving while the first new one starts:
columns and tables are added in one release, and what nobody uses any more goes in the next.
"""

from typing import Any, Final, TypeAlias

import asyncpg

from fathom.server.log import LogAway

Connection: TypeAlias = "asyncpg.Connection[Any]"
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

MIGRATIONS: Final = (FIRST, SECOND)
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


async def migrate(connection: Connection, migrations: tuple[str, ...] = MIGRATIONS) -> int:
    """Bring the tables to this release's version, in one transaction; how many steps it took."""
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock($1)", LOCK)
        await connection.execute(VERSIONS)
        found = await connection.fetchrow("select version, oldest from fathom_schema")
        version, oldest = (found["version"], found["oldest"]) if found else (0, 0)
        if oldest > len(migrations):
            raise LogAway(
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
