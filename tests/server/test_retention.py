"""What nobody needs is not listed, and goes after a while; finished games stay."""

import asyncio
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fathom import client as fathom_client
from fathom.client import Failed
from fathom.engine import orders as give
from fathom.server import retention, wire
from fathom.server.config import Config
from fathom.server.log import Log, NewToken, Pruned, Retention, StoredPlayer, StoredTable
from fathom.server.retention import Retainer
from fathom.server.sqlite_log import SqliteLog
from tests.server.crashes import ServerProcess
from tests.server.logs import LOGS, OpenLog, opener
from tests.server.serving import FakeTime, Server, duel_of, run, serving

YEAR = 365 * 86_400_000


def age(folder: Path, *parts: str) -> None:
    """Let everything be a year older."""
    columns = {"tables": "visited", "chat": "at", "players": "seen"}
    with sqlite3.connect(folder / "fathom.db", timeout=30) as database:
        for part in parts or columns:
            column = columns[part]
            database.execute(f"update {part} set {column} = {column} - {YEAR}")  # noqa: S608
    database.close()


async def listed(server: Server) -> tuple[set[str], set[str]]:
    """The tables and games that the lobby shows."""
    now = await fathom_client.call(server.url, "/api/lobby", wire.LobbyNow)
    return {card.code for card in now.tables}, {card.code for card in now.games}


def test_tables_that_everybody_left_long_ago_are_not_listed(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.player("Ann")
            table, empty = await server.table(ann), await server.table(ann)
            playing, _, _ = await duel_of(server)
            left, _, players = await duel_of(server)
            await ann.do(wire.CloseTable(table=empty))
            await asyncio.gather(*(player.close() for player in players))
            assert await listed(server) == ({table, empty}, {playing, left})
            await asyncio.to_thread(age, tmp_path, "tables")
            server.harbour.lobby_cache.forget()
            assert await listed(server) == (set(), set())
            await server.harbour.retainer.note()
            server.harbour.lobby_cache.forget()
            assert await listed(server) == ({table}, {playing}), "somebody is there"

    run(story())


def test_a_server_deletes_in_the_background_what_was_kept_for_long_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "FIRST_SECONDS", 0.0)

    async def begin() -> list[str]:
        async with serving(tmp_path, bot_processes=1) as server:
            code, game, (ann, _) = await duel_of(server)
            await ann.do(wire.SayWords(table=code, channel="table", text="Ahoy"))
            over, done, (bob, _) = await duel_of(server)
            await bob.order(done, give.Resign())
            await bob.until(lambda: bob.games[done].over)
            eve = await fathom_client.register(server.url, "Eve")
            zed = await fathom_client.register(server.url, "Zed")
            return [code, game, over, done, eve.token, zed.you]

    found: list[str] = []

    async def first() -> None:
        found.extend(await begin())

    async def then() -> None:
        code, game, over, done, eve, _ = found
        async with serving(tmp_path, bot_processes=1, table_days=100, player_days=100) as server:
            log = server.harbour.log
            async with asyncio.timeout(60):
                while await log.table(code) or await log.table(over):  # noqa: ASYNC110
                    await asyncio.sleep(0.02)
            assert await log.game(game) is None
            record = await fathom_client.call(server.url, f"/api/games/{done}", wire.GameRecord)
            assert record.game == done
            with pytest.raises(Failed, match="bad-token"):
                await fathom_client.call(server.url, "/api/identity", wire.Identity, token=eve)

    run(first())
    age(tmp_path)
    with sqlite3.connect(tmp_path / "fathom.db") as database:
        # Somebody was there lately: the clock is right.
        database.execute("update players set seen = seen + ? where who = ?", (YEAR, found[5]))
    database.close()
    run(then())


@pytest.fixture(params=LOGS)
def open_log(request: pytest.FixtureRequest) -> OpenLog:
    return opener(request.param, request)


async def shift_times(log: Log, by: int) -> None:
    """Let everything have happened later, or earlier."""
    for part, column in {"tables": "visited", "chat": "at", "players": "seen"}.items():
        statement = f"update {part} set {column} = {column} + {by}"  # noqa: S608
        await (log.run(statement) if isinstance(log, SqliteLog) else log.ask(statement))  # type: ignore[attr-defined]


async def fill(log: Log, count: int) -> None:
    """Some players, each with a table and a line of chat."""
    for number in range(count):
        token = NewToken(b"%d" % number, f"token {number}")
        await log.add_player(StoredPlayer(f"player {number}", "Ann"), token, None)
        await log.save_table(StoredTable(f"AAA{number:02}", 1, "playing", b"{}"), 0)
        await log.say(f"AAA{number:02}", b"{}")


def new_retainer(log: Log) -> Retainer:
    config = Config(chat_days=100, table_days=100, player_days=100)
    return Retainer(log, config, "me", list, list)


EVERYTHING = Retention(100, 100, 100)


def test_a_clock_that_is_ahead_deletes_nobody(
    open_log: OpenLog,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(retention, "FIRST_SECONDS", 0.0)

    async def story() -> None:
        async with open_log(tmp_path) as log:
            await fill(log, 12)
            await shift_times(log, -YEAR)
            assert (await log.count_old(EVERYTHING))[0] == Pruned(12, 12, 12)
            retainer = new_retainer(log)
            await retainer.check_clock()
            await retainer.prune()
            assert "the clock is 365 days ahead" in caplog.text
            # The machine starts again with the same clock, and somebody was there meanwhile.
            await log.add_player(StoredPlayer("late", "Zed"), NewToken(b"late", "late"), None)
            retainer = new_retainer(log)
            await retainer.check_clock()
            await retainer.prune()
            assert "12 tables, 12 players are old" in caplog.text
            assert (await log.count_old(EVERYTHING))[0] == Pruned(12, 12, 12)
            assert await log.player("player 3") is not None

    run(story())


def test_a_clock_that_is_behind_or_changes_deletes_nobody(
    open_log: OpenLog, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await fill(log, 2)
            retainer = new_retainer(log)
            await retainer.check_clock()
            assert not caplog.text
            assert retainer.began is not None
            retainer.began = (retainer.began[0] - YEAR, retainer.began[1])
            retainer.trusted = 0.0
            await retainer.check_clock()
            assert "365 days ahead" in caplog.text
            await shift_times(log, YEAR)
            await new_retainer(log).check_clock()
            assert "days behind" in caplog.text
            await log.mend_times()
            times = await log.times()
            assert times.newest <= times.now

    run(story())


def test_a_process_that_has_just_started_deletes_nothing(
    open_log: OpenLog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await fill(log, 2)
            await shift_times(log, -YEAR)
            await log.add_player(StoredPlayer("late", "Zed"), NewToken(b"late", "late"), None)
            retainer = new_retainer(log)
            await retainer.check_clock()
            await retainer.prune()
            assert (await log.count_old(EVERYTHING)) == (Pruned(2, 2, 2), Pruned(2, 2, 3))
            clock = FakeTime(time.monotonic() + retention.FIRST_SECONDS)
            monkeypatch.setattr(retention, "time", clock)
            await retainer.prune()
            assert (await log.count_old(EVERYTHING))[0] == Pruned()

    run(story())


def test_pruning_by_hand_beside_a_server_that_runs(tmp_path: Path) -> None:
    folder = tmp_path / "data"

    def prune(*options: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(  # noqa: S603
            (sys.executable, "-m", "fathom.cli", "log", "prune", "--data", str(folder), *options),
            check=False,
            capture_output=True,
            text=True,
        )

    async def story() -> None:
        server = ServerProcess(folder)
        await server.start()
        ann = await fathom_client.register(server.url, "Ann")
        codes = [(await fathom_client.new_table(server.url, ann.token)).table for _ in range(120)]
        await asyncio.to_thread(age, folder)
        done = await asyncio.to_thread(prune, "--table-days", "400", "--player-days", "400")
        assert done.stdout.startswith("Deleted 0 lines of chat, 0 tables, 0 players.")
        done = await asyncio.to_thread(prune, "--table-days", "0")
        assert "0 tables" in done.stdout
        done = await asyncio.to_thread(prune, "--dry-run")
        expected = "Would delete 0 lines of chat, 120 tables, 0 players, of 0 lines of chat, 120"
        assert done.stdout.startswith(expected), done
        done = await asyncio.to_thread(prune)
        assert done.stdout.startswith("Deleted 0 lines of chat, 120 tables, 0 players."), done
        lobby = await fathom_client.call(server.url, "/api/lobby", wire.LobbyNow)
        assert lobby.tables == ()
        assert len(set(codes)) == 120
        assert await server.stop() == 0

    run(story())
    done = prune("--config", str(tmp_path / "none.toml"))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)


def test_there_must_be_something_to_prune(tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603
        (sys.executable, "-m", "fathom.cli", "log", "prune", "--data", str(tmp_path / "nowhere")),
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert "say with --data where games are kept" in done.stderr
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.slow
def test_a_change_of_a_table_looks_at_no_other_tables_members(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            log = server.harbour.log
            plan = await log.ask("explain query plan delete from members where code = ?", ("X",))  # type: ignore[attr-defined]
            assert "members_by_table" in str(plan)

    run(story())
