"""The contract of a log's moderation part; every implementation must keep it."""

import sqlite3
from pathlib import Path

import asyncpg
import pytest

from fathom.server.log import (
    Change,
    Log,
    NewGame,
    NewToken,
    Retention,
    StoredPlayer,
    StoredStep,
    StoredTable,
)
from fathom.server.moderation_log import AuditNote, Ban, StoredAnnouncement, StoredReport
from fathom.server.postgres_schema import MIGRATIONS, migrate
from fathom.server.sqlite_log import SqliteLog
from fathom.server.sqlite_schema import SCHEMA, TABLES, THIRD
from fathom.server.time_of_day import DAY, now_ms
from tests.server.logs import LOGS, OpenLog, opener, postgres_at
from tests.server.postgres import Postgres
from tests.server.serving import holds, run

SAID = b'{"shown":{"type":"chat","table":"K7QMX","who":"ann-12345678","text":"\\"who\\":\\"x"}}'
"""A line as version 3 has kept it."""


@pytest.fixture(params=LOGS)
def open_log(request: pytest.FixtureRequest) -> OpenLog:
    return opener(request.param, request)


def ban(name: str, who: str = "", until: int = 0, at: int = 1) -> Ban:
    return Ban(name, who, "" if who else "203.0.113.0/24", until, "why", at, "op")


async def begin(log: Log, code: str = "K7QMX", game: str = "game-one") -> None:
    table = StoredTable(code, 1, "playing", f'{{"host":"ann","name":"Zoé {code}"}}'.encode())
    new = NewGame(game, code, ("ann", "bob"), len(game), b"{}", b"{}")
    await log.save_table(table, 0, ("ann", "bob"), new)


def test_a_ban_holds_until_it_runs_out_or_is_lifted(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            soon = now_ms() + DAY
            kept = [ban("B3", "eve", soon, at=3), ban("B1", at=1)]
            for one in (*kept, ban("B2", "old", now_ms() - 1, at=2)):
                await log.moderation.add_ban(one)
            assert await log.moderation.bans() == kept
            assert await log.moderation.drop_ban("B1") == kept[1]
            assert await log.moderation.drop_ban("B1") is None
        async with open_log(tmp_path) as log:
            assert await log.moderation.bans() == kept[:1]

    run(story())


def test_reports_stay_open_until_one_operator_closes_them(
    open_log: OpenLog, tmp_path: Path
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            first = StoredReport("R1", 1, "ann", "K7QMX", b"[]")
            second = StoredReport("R2", 2, "bob", "K7QMX", b"[1]")
            await log.moderation.add_report(first)
            await log.moderation.add_report(second)
            assert await log.moderation.reports(closed=False) == [second, first]
            assert await log.moderation.close_report("R1", "op")
            assert not await log.moderation.close_report("R1", "another")
            assert not await log.moderation.close_report("R9", "op")
            assert await log.moderation.reports(closed=False) == [second]
            (closed,) = await log.moderation.reports(closed=True)
            assert (closed.id, closed.closed_by, closed.closed > 0) == ("R1", "op", True)
            assert await log.moderation.reports_by("ann") == [closed]

    run(story())


def test_notes_lose_their_addresses_first_and_go_later(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            now = now_ms()
            for days in (400, 40, 4):
                at = now - days * DAY
                note = AuditNote(at, "op", "203.0.113.9", "ban", "eve", str(days))
                await log.moderation.note(note)
            await log.moderation.add_ban(ban("B1", until=now - 40 * DAY))
            assert await log.moderation.prune(365, 30, 365, 50) == 3
            left = await log.moderation.notes()
            assert [(note.detail, note.address) for note in left] == [
                ("4", "203.0.113.9"),
                ("40", ""),
            ]
            assert await log.moderation.drop_ban("B1") is None, "its address is not kept either"
            assert await log.moderation.prune(0, 0, 0, 50) == 0
            assert await log.moderation.notes(1) == left[:1]

    run(story())


def test_there_is_one_announcement_until_it_is_over(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            assert await log.moderation.announcement() is None
            later = now_ms() + DAY
            for text in ("one", "two"):
                await log.moderation.announce(StoredAnnouncement(later, text, later))
            assert await log.moderation.announcement() == StoredAnnouncement(later, "two", later)
            await log.moderation.announce(StoredAnnouncement(1, "past", 2))
            assert await log.moderation.announcement() is None
            await log.moderation.announce(StoredAnnouncement(0, "three", later))
            await log.moderation.announce(None)
            assert await log.moderation.announcement() is None

    run(story())


def test_players_tables_and_games_are_found(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for who, name in (("ann", "Ann 100%"), ("bob", "Bob_1")):
                token = NewToken(f"token {who}".encode(), who)
                await log.add_player(StoredPlayer(who, name), token, f"code {who}".encode())
            await begin(log)
            await begin(log, "ABCDE", "game-later")
            moderation = log.moderation

            async def players(search: str) -> list[str]:
                return sorted(found.who for found in await moderation.find_players(search))

            assert await players("") == ["ann", "bob"]
            assert await players("aNN") == ["ann"]
            assert await players("%") == await players("0%") == ["ann"]
            assert await players("_") == ["bob"]
            assert await players("bob") == ["bob"]
            bob = await moderation.found_player("bob")
            assert bob in await moderation.find_players("bob")
            assert await moderation.found_player("bo") is None
            assert await moderation.found_player("bob\0") is None
            assert await players("\0") == []
            codes = {found.table.code for found in await moderation.find_tables("")}
            assert codes == {"ABCDE", "K7QMX"}
            at_table = [found.table.code for found in await moderation.find_tables("bob")]
            assert sorted(at_table) == ["ABCDE", "K7QMX"]
            (found,) = await moderation.find_tables("k7qmx")
            assert found.visited > 0
            assert [found.table.code for found in await moderation.find_tables("Zoé A")] == [
                "ABCDE"
            ]
            for search in ("", "ann"):
                games = [game.game for game in await moderation.find_games(search)]
                assert games == ["game-later", "game-one"]
            for search in ("game-one", "k7qmx"):
                assert [game.game for game in await moderation.find_games(search)] == ["game-one"]
            assert await moderation.find_games("nobody") == []

    run(story())


def test_what_somebody_said_is_found_and_written_again(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for n, who in enumerate(("ann", "bob", "", "ann")):
                await log.say("K7QMX", b"line %d" % n, who)
            said = await log.moderation.lines_by("ann")
            assert [(line.number, line.body) for line in said] == [(1, b"line 0"), (4, b"line 3")]
            assert await log.moderation.lines_by("") == []
            await log.moderation.change_line("K7QMX", 1, b"removed")
            assert await log.moderation.line("K7QMX", 1) == b"removed"
            assert [line.number for line in await log.moderation.lines_by("ann")] == [1, 4]
            await log.moderation.change_line("K7QMX", 1, b"nobody's", nameless=True)
            assert await log.moderation.line("K7QMX", 1) == b"nobody's"
            assert await log.moderation.line("K7QMX", 9) is None
            assert [line.number for line in await log.moderation.lines_by("ann")] == [4]
            assert [line.number for line in await log.chat("K7QMX")] == [1, 2, 3, 4]

    run(story())


def test_a_table_is_closed_with_its_unfinished_game(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await begin(log, "ABCDE", "game-two")
            for game in ("game-one", "game-two"):
                await log.append(game, 0, [StoredStep("a0", "ann/1", 1, 1, b"[]")])
            await log.append("game-two", 1, [StoredStep("b0", "bob/1", 1, 1, b"[]")], b"{}")
            for code in ("K7QMX", "ABCDE"):
                await log.say(code, b"hello", "ann")
                assert await log.moderation.close_table(code)
                assert not await log.moderation.close_table(code)
                assert await log.table(code) is None
                assert await log.chat(code) == []
            assert await log.game("game-one") is None
            assert await log.read("game-one") == []
            assert [game.game for game in await log.games_of("ann")] == ["game-two"]
            assert await log.moderation.seat_in("game-two", "bob") == "b0"
            assert await log.moderation.seat_in("game-two", "bo") == ""
            await log.moderation.change_header("game-two", b"[2]")
            stored = await log.game("game-two")
            assert stored is not None
            assert stored.header == b"[2]"
            await log.moderation.forget_games("ann", ["game-two"])
            assert await log.games_of("ann") == []
            assert len(await log.games_of("bob")) == 1

    run(story())


def test_a_deletion_is_noted_until_it_is_done(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await log.add_player(StoredPlayer("ann", "Ann"), NewToken(b"token", "one"), b"recovery")
            await log.add_player(StoredPlayer("bob", "Bob"), NewToken(b"another", "two"), b"other")
            assert await log.moderation.begin_deletion("ann")
            assert not await log.moderation.begin_deletion("ann")
            assert await log.player("ann") is None
            assert await log.token(b"token") is None
            (deletion,) = await log.moderation.deletions(0)
            assert (deletion.who, deletion.name, deletion.done) == ("ann", "Ann", False)
            await log.moderation.end_deletion("ann")
            (deletion,) = await log.moderation.deletions(0)
            assert (deletion.who, deletion.name, deletion.done) == ("ann", "", True)
            assert await log.moderation.deletions(now_ms() + DAY) == [], "only those not done"
            assert await log.player("bob") is not None

    run(story())


def test_idle_players_who_are_pruned_leave_a_deletion(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await log.add_player(StoredPlayer("ann", "Ann"), NewToken(b"token", "one"), b"recovery")
            await begin(log)
            await log.moderation.close_table("K7QMX")
            pruned = await log.prune(Retention(players=-1), 50)
            assert pruned.players == 1
            assert [found.who for found in await log.moderation.deletions(0)] == ["ann"]
            assert await log.token(b"token") is None

    run(story())


def test_what_moderation_changes_is_rung(postgres: Postgres) -> None:
    async def story() -> None:
        address = postgres.fresh()
        async with postgres_at(address) as one, postgres_at(address) as other:
            heard: list[Change] = []
            one.listen(heard.append)
            changes = [
                Change("player", "ann"),
                Change("line", "K7QMX", 7),
                Change("moderation", ""),
            ]
            for change in changes:
                await other.ring(change)
            await begin(other)
            await other.moderation.close_table("K7QMX")
            await holds(lambda: {*changes, Change("table", "K7QMX")} <= set(heard))

    run(story())


def test_a_file_of_version_3_is_taken_over(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "fathom.db") as database:
        for statement in (TABLES + THIRD).split(";"):
            database.execute(statement, {"now": 1} if ":now" in statement else {})
        insert = "insert into chat (code, number, body, at) values ('K7QMX', ?, ?, 1)"
        for number, body in enumerate((SAID, b"", b'{"shown":{"name":"Bot"}}', b"{"), 1):
            database.execute(insert, (number, body))
        database.execute("pragma user_version = 3")
    database.close()

    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        (said,) = await log.moderation.lines_by("ann-12345678")
        assert (said.number, said.body) == (1, SAID)
        assert await log.ask("pragma user_version") == [(SCHEMA,)]
        assert await log.moderation.bans() == []
        await log.close()

    run(story())


def test_a_database_of_version_3_is_taken_over_while_it_is_in_use(postgres: Postgres) -> None:
    async def story() -> None:
        address = postgres.fresh()
        connection = await asyncpg.connect(address)
        await migrate(connection, MIGRATIONS[:3])
        insert = "insert into chat (code, number, body) values ('K7QMX', $1, $2)"
        for number, body in enumerate((SAID, b"", b'{"shown":{"name":"Bot"}}', b"\xff"), 1):
            await connection.execute(insert, number, body)
        async with postgres_at(address) as log:
            (said,) = await log.moderation.lines_by("ann-12345678")
            assert (said.number, said.body) == (1, SAID)
            # As a process of the release before says something.
            await connection.execute(insert, 5, b"{}")
            assert await log.say("K7QMX", b"{}", "bob") == 6
        await connection.close()

    run(story())
