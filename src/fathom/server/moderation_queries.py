"""What the moderation part of the log asks SQLite and PostgreSQL in the same words."""

from typing import Final

from fathom.server.log import StoredGame, stored_table
from fathom.server.log_queries import GAME, LogQueries
from fathom.server.moderation_log import (
    AuditNote,
    Ban,
    Deletion,
    FoundPlayer,
    FoundTable,
    SaidLine,
    StoredReport,
    prefix_end,
)
from fathom.server.time_of_day import DAY

BANS: Final = "select id, who, network, until, reason, at, by from bans"
ADD_BAN: Final = """
insert into bans (id, who, network, until, reason, at, by) values ($1, $2, $3, $4, $5, $6, $7)
"""
REPORTS: Final = "select id, at, by, table_code, body, closed, closed_by from reports"
ADD_REPORT: Final = """
insert into reports (id, at, by, table_code, body) values ($1, $2, $3, $4, $5)
"""
ADD_NOTE: Final = """
insert into audit (at, by, address, action, target, detail) values ($1, $2, $3, $4, $5, $6)
"""
LAST_TABLES: Final = """
select code, version, phase, body, listed, visited from tables
order by visited desc, code limit $1
"""
FIND_GAMES: Final = f"""
{GAME} where game in (
    select game from games where game = $1::text
    union select game from games where table_code = upper($1::text)
    union select game from games_of where who = $1::text
) order by began desc limit $2
"""  # noqa: S608
LINES_BY: Final = """
select code, number, body from chat where who = $1 and who != '' and length(body) > 0
order by at, code, number limit $2
"""
SEAT_IN: Final = """
select by from steps where game = $1 and key >= $2 and key < $3 and key != '' and by != '' limit 1
"""
DELETIONS: Final = """
select who, name, at, done from deletions where done = 0 or at >= $1 order by at, who limit $2
"""


def old_rows(number: str, old: str) -> dict[str, str]:
    """What deletes at most ``$2`` rows of each part that are older than ``old``.

    ``number`` is the column that tells audit notes apart.
    """
    notes = f"select {number} from audit where at < {old}"  # noqa: S608
    return {
        "audit": f"delete from audit where {number} in ({notes} limit $2)",  # noqa: S608
        "addresses": f"""update audit set address = '' where {number} in
            ({notes} and address != '' limit $2)""",  # noqa: S608
        "reports": f"""delete from reports where id in
            (select id from reports where closed > 0 and closed < {old} limit $2)""",  # noqa: S608
        "bans": f"""delete from bans where id in
            (select id from bans where until > 0 and until < {old} limit $2)""",  # noqa: S608
        "deletions": f"""delete from deletions where who in
            (select who from deletions where done = 1 and at < {old} limit $2)""",  # noqa: S608
    }


def kept_ms(audit: float, addresses: float, reports: float) -> dict[str, int]:
    """How many milliseconds each part is kept; nothing is said of what is kept for ever."""
    days = {"audit": audit, "addresses": addresses, "reports": reports}
    days |= {"bans": addresses, "deletions": 1.0}
    return {part: round(kept * DAY) for part, kept in days.items() if kept}


class ModerationQueries:
    """Bans, reports and the rest, as far as both databases understand the same statements."""

    log: LogQueries
    find_tables_by: str
    """The question for tables by their code, somebody there or a part of what they hold."""

    async def add_ban(self, ban: Ban) -> None:
        values = (ban.id, ban.who, ban.network, ban.until, ban.reason, ban.at, ban.by)
        await self.log.run(ADD_BAN, *values)

    async def add_report(self, report: StoredReport) -> None:
        values = (report.id, report.at, report.by, report.table, report.body)
        await self.log.run(ADD_REPORT, *values)

    async def reports(self, *, closed: bool, most: int = 100) -> list[StoredReport]:
        question = f"{REPORTS} where (closed > 0) = $1 order by at desc, id limit $2"
        return [StoredReport(*row) for row in await self.log.find(question, closed, most)]

    async def reports_by(self, who: str) -> list[StoredReport]:
        question = f"{REPORTS} where by = $1 order by at desc, id"
        return [StoredReport(*row) for row in await self.log.find(question, who)]

    async def note(self, note: AuditNote) -> None:
        values = (note.at, note.by, note.address, note.action, note.target, note.detail)
        await self.log.run(ADD_NOTE, *values)

    async def found_player(self, who: str) -> FoundPlayer | None:
        found = await self.log.find("select who, name, seen from players where who = $1", who)
        return FoundPlayer(*found[0]) if found else None

    async def find_tables(self, search: str, most: int = 100) -> list[FoundTable]:
        if search:
            rows = await self.log.find(self.find_tables_by, search, most)
        else:
            rows = await self.log.find(LAST_TABLES, most)
        return [FoundTable(stored_table(row), visited) for *row, visited in rows]

    async def find_games(self, search: str, most: int = 100) -> list[StoredGame]:
        if search:
            rows = await self.log.find(FIND_GAMES, search, most)
        else:
            rows = await self.log.find(f"{GAME} order by began desc limit $1", most)
        return [StoredGame(*row) for row in rows]

    async def line(self, table: str, number: int) -> bytes | None:
        question = "select body from chat where code = $1 and number = $2 and length(body) > 0"
        found = await self.log.find(question, table, number)
        return found[0][0] if found else None

    async def lines_by(self, who: str, most: int = 100) -> list[SaidLine]:
        return [SaidLine(*row) for row in await self.log.find(LINES_BY, who, most)]

    async def change_line(
        self, table: str, number: int, body: bytes, *, nameless: bool = False
    ) -> None:
        owner = ", who = ''" if nameless else ""
        statement = f"update chat set body = $1{owner} where code = $2 and number = $3"  # noqa: S608
        await self.log.run(statement, body, table, number)

    async def seat_in(self, game: str, who: str) -> str:
        prefix = f"{who}/"
        found = await self.log.find(SEAT_IN, game, prefix, prefix_end(prefix))
        return found[0][0] if found else ""

    async def change_header(self, game: str, header: bytes) -> None:
        await self.log.run("update games set header = $1 where game = $2", header, game)

    async def deletions(self, since: int, most: int = 100) -> list[Deletion]:
        rows = await self.log.find(DELETIONS, since, most)
        return [Deletion(who, name, at, bool(done)) for who, name, at, done in rows]

    async def end_deletion(self, who: str) -> None:
        await self.log.run("update deletions set done = 1, name = '' where who = $1", who)
