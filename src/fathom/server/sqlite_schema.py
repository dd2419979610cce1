"""The tables in a SQLite file, how older ones become these, and what its errors mean."""

import sqlite3
from pathlib import Path
from typing import Final

from fathom.server.data_folder import make_private_file
from fathom.server.log import LogAway, LogUnusable
from fathom.server.time_of_day import now_ms

BUSY_SECONDS: Final = 5.0
"""How long a write waits for another process that has the file locked, such as a backup."""
TABLES: Final = """
create table games (
    game text primary key, table_code text not null, began integer not null,
    header blob not null, card blob not null, result blob
) without rowid;
create table games_of (who text, began integer, game text, primary key (who, began, game))
    without rowid;
create table steps (
    game text not null, position integer not null, by text not null, key text not null,
    at integer not null, spent integer not null, events blob not null
);
create unique index step_positions on steps (game, position);
create table tables (
    code text primary key, version integer not null, phase text not null,
    changed integer not null, body blob not null
) without rowid;
create index tables_by_phase on tables (phase, changed);
create table members (who text, code text, primary key (who, code)) without rowid;
create table chat (code text, number integer, body blob not null, primary key (code, number))
    without rowid;
create table players (
    who text primary key, name text not null, recovery blob not null unique
) without rowid;
create table tokens (token blob primary key, who text not null) without rowid;
create table leases (name text primary key, holder text not null, until real not null)
    without rowid;
"""
"""Version 2, which a new file begins with.

Steps stand in the order of their arrival, so that those of all games fill the same pages: only the
index, which is small, is in the order of games. An order's key is looked for among those of its
game, in memory or else in the table.
"""
THIRD: Final = """
create index members_by_table on members (code);
alter table tables add column listed integer not null default 1;
update tables set listed = 0 where instr(cast(body as text), '"listed":false') > 0;
create index tables_listed on tables (phase, changed) where listed = 1;
alter table tables add column visited integer not null default 0;
update tables set visited = max(changed / 1000000, :now - 172800000);
create index tables_by_visit on tables (visited);
create index games_unfinished on games (table_code) where result is null;
create index games_of_by_game on games_of (game);
alter table chat add column at integer not null default 0;
update chat set at = :now;
create index chat_by_time on chat (at);
alter table players add column seen integer not null default 0;
update players set seen = :now;
create index players_by_time on players (seen);
"""
"""Whether the lobby shows a table, when somebody was last there, when a line was said, and when a
player was last seen. What is there already was seen two days ago, or now: that is known of none."""
FOURTH: Final = """
alter table tokens add column id text not null default '';
alter table tokens add column device text not null default '';
alter table tokens add column scope text not null default '';
alter table tokens add column created integer not null default 0;
alter table tokens add column used integer not null default 0;
update tokens set id = lower(hex(randomblob(8))),
    used = coalesce((select seen from players where players.who = tokens.who), :now);
create unique index tokens_by_id on tokens (id);
create index tokens_by_player on tokens (who);
alter table players add column recoverable integer not null default 1;
"""
"""Tokens can be listed and ended one by one. A player who is not ``recoverable`` was never told a
recovery code: what stands there is no code's hash."""
FIFTH: Final = """
create table if not exists bans (
    id text primary key, who text not null, network text not null, until integer not null,
    reason text not null, at integer not null, by text not null
) without rowid;
create table if not exists reports (
    id text primary key, at integer not null, by text not null, table_code text not null,
    body blob not null, closed integer not null default 0, closed_by text not null default ''
) without rowid;
create index if not exists reports_by_player on reports (by);
create table if not exists audit (
    at integer not null, by text not null, address text not null, action text not null,
    target text not null, detail text not null
);
create index if not exists audit_by_time on audit (at);
create table if not exists announcements (
    at integer not null, text text not null, until integer not null
);
create table if not exists deletions (
    who text primary key, name text not null, at integer not null, done integer not null
) without rowid;
alter table chat add column who text not null default '';
update chat set who = coalesce(json_extract(cast(body as text), '$.shown.who'), '')
    where json_valid(cast(body as text));
create index if not exists chat_by_player on chat (who, at) where who != '';
create index if not exists games_by_time on games (began);
create index if not exists games_by_table on games (table_code);
"""
"""What moderation needs, and who said each line of chat."""
MIGRATIONS: Final = {1: "drop index step_keys", 2: THIRD, 3: FOURTH, 4: FIFTH}
"""For each older version of the tables, what makes it the next one."""
SCHEMA: Final = max(MIGRATIONS) + 1
"""The version of the tables that this release works with."""
HOPELESS: Final = {
    sqlite3.SQLITE_CANTOPEN: "it can't be opened",
    sqlite3.SQLITE_CORRUPT: "the file is damaged; restore a backup",
    sqlite3.SQLITE_NOTADB: "it is not a database",
    sqlite3.SQLITE_READONLY: "it can't be written to",
    sqlite3.SQLITE_PERM: "access is denied",
    sqlite3.SQLITE_AUTH: "access is denied",
}
"""What no waiting helps against, in words."""


def open_file(path: Path) -> sqlite3.Connection:
    """A connection to a file whose tables are up to date; ``LogAway`` or ``LogUnusable``."""
    try:
        make_private_file(path)
        database = connect(path)
    except OSError as bad:
        raise LogUnusable(f"{path} can't be opened: {bad.strerror}") from None
    except sqlite3.Error as failed:
        raise opening_failure(path, failed) from failed
    try:
        prepare(database)
    except sqlite3.Error as failed:
        database.close()
        raise opening_failure(path, failed) from failed
    except BaseException:
        database.close()
        raise
    return database


def connect(path: Path) -> sqlite3.Connection:
    """A connection that begins and commits when told."""
    database = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        database.execute("pragma journal_mode = wal")
        database.execute("pragma synchronous = full")
    except BaseException:
        database.close()
        raise
    return database


def prepare(database: sqlite3.Connection) -> None:
    """Make the tables, or bring them up to date; leases of a process that has died are void."""
    version = database.execute("pragma user_version").fetchone()[0]
    if version > SCHEMA:
        raise LogUnusable(
            f"the database was written by a newer release of Fathom (version {version} of its "
            f"tables, this one knows {SCHEMA}); install that release"
        )
    database.execute("begin immediate")
    try:
        if version == 0:
            run_all(database, TABLES)
            version = 2
        for older in range(version, SCHEMA):
            run_all(database, MIGRATIONS[older])
        database.execute(f"pragma user_version = {SCHEMA}")
        database.execute("delete from leases")
        database.execute("commit")
    except BaseException:
        if database.in_transaction:
            database.execute("rollback")
        raise


def run_all(database: sqlite3.Connection, statements: str) -> None:
    """Run statements one by one, so that they belong to the transaction."""
    for statement in statements.split(";"):
        values = {"now": now_ms()} if ":now" in statement else {}
        database.execute(statement, values)


def opening_failure(path: Path, failed: sqlite3.Error) -> LogAway | LogUnusable:
    """What an error while opening means."""
    reason = HOPELESS.get(code_of(failed))
    if reason is None:
        return LogAway(str(failed))
    return LogUnusable(f"the database {path} can't be used: {reason} ({failed})")


def code_of(failed: sqlite3.Error) -> int:
    """SQLite's own number for an error, without its particulars; 0 if it has none."""
    number: int = getattr(failed, "sqlite_errorcode", 0) or 0
    return number & 0xFF


def is_away(failed: BaseException) -> bool:
    """Whether an error tells of the disk or the file, and not that something wrong was asked."""
    return type(failed) in (sqlite3.OperationalError, sqlite3.DatabaseError)
