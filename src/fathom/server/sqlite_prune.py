"""Deletes from a SQLite file what has been kept for long enough."""

import sqlite3
from typing import Final

from fathom.server.log import Pruned, Retention
from fathom.server.moderation_log import Deletion
from fathom.server.time_of_day import DAY, now_ms

OLD_LINES: Final = """
select code, number from chat where at < ? and length(body) > 0 order by at limit ?
"""
EMPTY: Final = """
update chat set body = x'' where code = ?1 and number = ?2
and number = (select max(number) from chat where code = ?1)
"""
"""The last line of a table is emptied and not deleted, so that no number is given twice."""
OLD_TABLES: Final = "select code from tables where visited < ? order by visited limit ?"
OLD_PLAYERS: Final = """
select who from players where seen < ?
and not exists (select 1 from members where members.who = players.who) order by seen limit ?
"""
CLEAR_TALK: Final = """
delete from chat where code = ?1 or (code > ?1 || '/' and code < ?1 || '0')
"""
"""What was said at a table, and what stands under its code and a slash."""
NEWEST: Final = """
select max(
    (select coalesce(max(seen), 0) from players), (select coalesce(max(visited), 0) from tables),
    (select coalesce(max(at), 0) from chat)
)
"""
COUNT_OLD: Final = """
select (select count(*) from chat where at < ? and length(body) > 0),
    (select count(*) from tables where visited < ?),
    (select count(*) from players where seen < ?
        and not exists (select 1 from members where members.who = players.who))
"""
COUNT_ALL: Final = """
select (select count(*) from chat), (select count(*) from tables), (select count(*) from players)
"""
MEND_TIMES: Final = (
    "update players set seen = ?1 where seen > ?1",
    "update tables set visited = ?1 where visited > ?1",
    "update chat set at = ?1 where at > ?1",
)


def moments(retention: Retention, now: int) -> list[int]:
    """Before when something is old, for each kind; nothing is, if it is kept for ever."""
    kinds = (retention.chat, retention.tables, retention.players)
    return [now - round(days * DAY) if days else 0 for days in kinds]


def mend_times(database: sqlite3.Connection) -> None:
    """Nothing was noted later than now."""
    now = now_ms()
    for statement in MEND_TIMES:
        database.execute(statement, (now,))


def prune(database: sqlite3.Connection, retention: Retention, most: int) -> Pruned:
    """Delete at most so many of each kind."""
    now = now_ms()

    def old(question: str, days: float) -> list[tuple[str, ...]]:
        if not days:
            return []
        return database.execute(question, (now - round(days * DAY), most)).fetchall()

    lines = old(OLD_LINES, retention.chat)
    for line in lines:
        if not database.execute(EMPTY, line).rowcount:
            database.execute("delete from chat where code = ? and number = ?", line)
    tables = old(OLD_TABLES, retention.tables)
    for (code,) in tables:
        drop_unfinished(database, code)
        drop_table(database, code)
    players = old(OLD_PLAYERS, retention.players)
    for (who,) in players:
        begin_deletion(database, who)
    return Pruned(len(lines), len(tables), len(players))


def begin_deletion(database: sqlite3.Connection, who: str) -> Deletion | None:
    """Delete a player with their tokens, and note that there is more to delete."""
    found = database.execute("select name from players where who = ?", (who,)).fetchone()
    if found is None:
        return None
    begun = Deletion(who, found[0], now_ms())
    note = "insert or replace into deletions (who, name, at, done) values (?, ?, ?, 0)"
    database.execute(note, (begun.who, begun.name, begun.at))
    for part in ("players", "tokens"):
        database.execute(f"delete from {part} where who = ?", (who,))  # noqa: S608
    return begun


def drop_unfinished(database: sqlite3.Connection, code: str) -> None:
    """Delete the game that was under way at a table."""
    question = "select game from games where table_code = ? and result is null"
    for game in database.execute(question, (code,)).fetchall():
        for part in ("steps", "games"):
            database.execute(f"delete from {part} where game = ?", game)  # noqa: S608
        database.execute("delete from games_of where game = ?", game)


def drop_table(database: sqlite3.Connection, code: str) -> None:
    """Delete a table with its members and its talk."""
    database.execute("delete from tables where code = ?", (code,))
    database.execute("delete from members where code = ?", (code,))
    database.execute(CLEAR_TALK, (code,))
