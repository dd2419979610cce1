"""The contract of a log; every implementation must keep it."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from fathom.server import sqlite_keys
from fathom.server.log import (
    AlreadyDone,
    Conflict,
    Lease,
    Log,
    NewGame,
    Step,
    StoredPlayer,
    StoredTable,
)
from fathom.server.sqlite_log import SCHEMA, TABLES, SqliteLog
from tests.server.logs import LOGS, OpenLog, opener
from tests.server.serving import run


@pytest.fixture(params=LOGS)
def open_log(request: pytest.FixtureRequest) -> OpenLog:
    return opener(request.param, request)


def step(key: str = "", events: bytes = b"[]", by: str = "a0") -> Step:
    return Step(by, key, 1_700_000_000_000, 17, events)


def new_game(game: str = "game-one", players: tuple[str, ...] = ("ann", "bob")) -> NewGame:
    return NewGame(game, "K7QMX", players, 1_700_000_000_000, b'{"header":1}', b'{"card":1}')


def table(version: int = 1, code: str = "K7QMX", phase: str = "gathering") -> StoredTable:
    return StoredTable(code, version, phase, f'{{"version":{version}}}'.encode())


async def begin(log: Log) -> None:
    await log.save_table(table(), 0, ("ann", "bob"), new_game())


def test_steps_come_back_in_order_and_whole(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.append("game-one", 0, [step("k1", b"[1]"), step("k2", b"[2]", "")])
            await log.append("game-one", 2, [step("", b"[3]", "b3")])
            assert await log.read("game-one") == [
                step("k1", b"[1]"),
                step("k2", b"[2]", ""),
                step("", b"[3]", "b3"),
            ]
            assert await log.read("game-one", after=2) == [step("", b"[3]", "b3")]
            assert await log.read("game-one", after=0, most=1) == [step("k1", b"[1]")]
            assert await log.read("game-two") == []

    run(story())


def test_what_was_written_is_there_after_a_restart(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.append("game-one", 0, [step("k1", b"[1]")])
            await log.add_player(StoredPlayer("ann", "Ann"), b"token", b"recovery")
            number = await log.say("K7QMX", b"hello")
        async with open_log(tmp_path) as log:
            assert await log.read("game-one") == [step("k1", b"[1]")]
            assert await log.table("K7QMX") == table()
            assert await log.player_with_token(b"token") == StoredPlayer("ann", "Ann")
            assert [line.number for line in await log.chat("K7QMX")] == [number]

    run(story())


def test_who_comes_second_must_read_on(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.append("game-one", 0, [step("k1")])
            with pytest.raises(Conflict):
                await log.append("game-one", 0, [step("k2")])
            with pytest.raises(Conflict):
                await log.append("game-one", 2, [step("k2")])
            assert await log.read("game-one") == [step("k1")]

    run(story())


def test_of_many_at_once_one_gets_the_position(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            for position in range(20):
                tries = [
                    log.append("game-one", position, [step(f"{position}/{n}")]) for n in range(10)
                ]
                results = await asyncio.gather(*tries, return_exceptions=True)
                assert sum(result is None for result in results) == 1
                assert sum(isinstance(result, Conflict) for result in results) == 9
            assert len(await log.read("game-one")) == 20

    run(story())


def test_an_order_is_written_once(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.append("game-one", 0, [step("ann/1")])
            await log.append("game-one", 1, [step("ann/2")])
            with pytest.raises(AlreadyDone) as done:
                await log.append("game-one", 2, [step("ann/1")])
            assert (done.value.key, done.value.position) == ("ann/1", 1)
            # With an old position, too: it is known to be done, not merely late.
            with pytest.raises(AlreadyDone):
                await log.append("game-one", 0, [step("ann/2")])
            assert await log.position_of("game-one", "ann/2") == 2
            assert await log.position_of("game-one", "ann/3") is None
            assert await log.position_of("game-one", "") is None

    run(story())


def test_steps_without_a_key_may_be_many(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.append("game-one", 0, [step(), step()])
            await log.append("game-one", 2, [step()])
            assert len(await log.read("game-one")) == 3

    run(story())


def test_several_steps_are_written_all_or_none(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.append("game-one", 0, [step("k1")])
            with pytest.raises(AlreadyDone):
                await log.append("game-one", 1, [step("k2"), step("k1")], b'{"winner":null}')
            assert await log.read("game-one") == [step("k1")]
            stored = await log.game("game-one")
            assert stored is not None
            assert stored.result is None

    run(story())


def test_keys_of_different_games_do_not_meet(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.save_table(table(1, "AAAAA"), 0, (), new_game("game-two"))
            await log.append("game-one", 0, [step("ann/1")])
            await log.append("game-two", 0, [step("ann/1")])
            assert await log.position_of("game-two", "ann/1") == 1

    run(story())


def test_a_result_ends_the_game(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.append("game-one", 0, [step("k1")], b'{"winner":"a"}')
            stored = await log.game("game-one")
            assert stored is not None
            assert stored.result == b'{"winner":"a"}'
            assert (stored.table, stored.header) == ("K7QMX", b'{"header":1}')
            assert await log.game("game-two") is None

    run(story())


def test_a_table_changes_only_from_the_version_that_was_seen(
    open_log: OpenLog, tmp_path: Path
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await log.save_table(table(1), 0)
            with pytest.raises(Conflict):
                await log.save_table(table(1), 0)
            await log.save_table(table(2), 1)
            with pytest.raises(Conflict):
                await log.save_table(table(2), 1, begins=new_game())
            assert await log.table("K7QMX") == table(2)
            assert await log.game("game-one") is None

    run(story())


def test_tables_are_found_by_phase_and_by_who_sits_there(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await log.save_table(table(1, "AAAAA"), 0, ("ann",))
            await log.save_table(table(1, "BBBBB", "playing"), 0, ("ann", "bob"))
            await log.save_table(table(1, "CCCCC", "over"), 0, ("ann",))
            assert codes(await log.tables(("gathering", "playing"))) == ["BBBBB", "AAAAA"]
            assert codes(await log.tables(("gathering", "playing"), most=1)) == ["BBBBB"]
            assert codes(await log.tables_of("ann", ("playing", "over"))) == ["CCCCC", "BBBBB"]
            assert codes(await log.tables_of("bob", ("gathering", "playing"))) == ["BBBBB"]
            await log.save_table(table(2, "BBBBB", "playing"), 1, ("ann",))
            assert await log.tables_of("bob", ("playing",)) == []

    run(story())


def codes(tables: list[StoredTable]) -> list[str]:
    return [stored.code for stored in tables]


def test_a_table_is_forgotten_with_its_talk(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await log.save_table(table(1), 0, ("ann",))
            await log.say("K7QMX", b"hello")
            with pytest.raises(Conflict):
                await log.drop_table("K7QMX", 2)
            await log.drop_table("K7QMX", 1)
            assert await log.table("K7QMX") is None
            assert await log.chat("K7QMX") == []
            assert await log.tables_of("ann", ("gathering",)) == []

    run(story())


def test_of_what_is_drawn_at_a_table_only_the_last_is_kept(
    open_log: OpenLog, tmp_path: Path
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for code in ("K7QMX", "K7QMXX", "K7QM"):
                await log.save_table(table(1, code), 0)
                numbers = [await log.say(f"{code}/plot", f"{code} {n}".encode()) for n in range(3)]
                assert numbers == sorted(set(numbers))
                for n in range(3):
                    await log.say(code, f"{n}".encode())
            lines = await log.chat("K7QMX/plot")
            assert [line.body for line in lines] == [b"K7QMX 2"]
            assert len(await log.chat("K7QMX")) == 3, "what is said stays"
            # With the table it goes, and with no other.
            await log.drop_table("K7QMX", 1)
            assert await log.chat("K7QMX/plot") == await log.chat("K7QMX") == []
            for other in ("K7QMXX", "K7QM"):
                assert len(await log.chat(f"{other}/plot")) == 1
                assert len(await log.chat(other)) == 3

    run(story())


def test_games_of_a_player_newest_first(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for number in range(3):
                game = NewGame(f"game-{number}", "K7QMX", ("ann",), 1000 + number, b"{}", b"{}")
                await log.save_table(table(number + 1), number, begins=game)
            found = await log.games_of("ann", most=2)
            assert [game.game for game in found] == ["game-2", "game-1"]
            assert await log.games_of("bob") == []

    run(story())


def test_chat_counts_up_and_the_last_lines_come_back(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            numbers = [await log.say("K7QMX", f"{n}".encode()) for n in range(5)]
            assert numbers == sorted(set(numbers))
            lines = await log.chat("K7QMX", after=numbers[1], most=2)
            assert [line.body for line in lines] == [b"3", b"4"]
            assert await log.chat("AAAAA") == []

    run(story())


def test_players_tokens_and_recovery(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            ann = StoredPlayer("ann", "Ann")
            await log.add_player(ann, b"token-1", b"recovery-1")
            await log.add_token("ann", b"token-2")
            assert await log.player_with_token(b"token-2") == ann
            assert await log.player_with_token(b"recovery-1") is None
            assert await log.player_with_recovery(b"recovery-1") == ann
            await log.set_recovery("ann", b"recovery-2")
            assert await log.player_with_recovery(b"recovery-1") is None
            await log.drop_token(b"token-1")
            assert await log.player_with_token(b"token-1") is None
            await log.rename("ann", "Anna")
            assert await log.player("ann") == StoredPlayer("ann", "Anna")
            assert await log.player("bob") is None

    run(story())


def test_names_that_nothing_can_have_are_not_found(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for name in ("", "a\0b", "'; drop table games; --", "é" * 1000):
                assert await log.game(name) is None
                assert await log.read(name) == []
                assert await log.table(name) is None
                assert await log.player(name) is None
                assert await log.position_of("game-one", name) is None
                assert await log.games_of(name) == []
                assert await log.tables_of(name, ("playing",)) == []
                assert await log.chat(name) == []

    run(story())


def test_a_lease_has_one_holder_until_it_runs_out(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            assert await log.hold("one", ("game/a", "game/b"), 60) == {"game/a", "game/b"}
            assert await log.hold("two", ("game/a", "game/c"), 60) == {"game/c"}
            assert await log.hold("one", ("game/a",), 60) == {"game/a"}
            assert await log.held("game/") == {"game/a", "game/b", "game/c"}
            await log.release("two", ("game/a",))
            assert await log.hold("two", ("game/a",), 60) == set()
            await log.release("one", ("game/a",))
            assert await log.hold("two", ("game/a",), 60) == {"game/a"}
            assert await log.hold("one", ("game/d",), -1) == {"game/d"}
            assert await log.hold("two", ("game/d",), 60) == {"game/d"}
            assert await log.held("table/") == set()

    run(story())


def test_all_leases_of_a_holder_are_kept_together_and_run_out_together(
    open_log: OpenLog, tmp_path: Path
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            assert await log.keep("one", 60) == 0
            await log.hold("one", ("game/a", "game/b"), 60)
            await log.hold("two", ("game/c",), 60)
            assert await log.keep("one", 60) == 2
            assert await log.hold("two", ("game/a",), 60) == set()
            assert await log.keep("one", -1) == 2
            assert await log.held("game/") == {"game/c"}
            assert await log.keep("one", 60) == 0, "what has run out is not kept"
            assert await log.hold("two", ("game/a",), 60) == {"game/a"}
            # What nobody has taken can be had again.
            assert await log.hold("one", ("game/a", "game/b"), 60) == {"game/b"}
            assert await log.keep("one", 60) == 1
            assert await log.keep("two", 60) == 2

    run(story())


def test_what_is_written_under_a_lease_that_is_held_is_written(
    open_log: OpenLog, tmp_path: Path
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            lease = Lease("table/K7QMX", "me")
            assert await log.hold("me", (lease.name,), 60) == {lease.name}
            await log.save_table(table(), 0, (), new_game(), under=lease)
            await log.append("game-one", 0, [step("k1")], under=lease)
            assert await log.read("game-one") == [step("k1")]
            assert await log.table("K7QMX") == table()

    run(story())


def test_tables_that_nobody_tends_are_found(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for code, phase in (("AAAAA", "playing"), ("BBBBB", "playing"), ("CCCCC", "over")):
                await log.save_table(table(1, code, phase), 0)
            assert await log.untended("playing", "table/") == ["AAAAA", "BBBBB"]
            await log.hold("me", ["table/AAAAA"], 60)
            assert await log.untended("playing", "table/") == ["BBBBB"]
            assert await log.untended("playing", "other/", most=1) == ["AAAAA"]
            await log.hold("me", ["table/AAAAA"], -1)
            assert await log.untended("playing", "table/") == ["AAAAA", "BBBBB"]

    run(story())


def test_what_an_operator_watches_can_be_read(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            before = {name: read() for name, (_, read) in log.gauges().items()}
            await log.append("game-one", 0, [step()])
            after = {name: read() for name, (_, read) in log.gauges().items()}
            assert after["log_commits"] > before["log_commits"]
            assert after.get("log_away", 0) == after.get("log_deaf", 0) == 0

    run(story())


def test_many_writes_share_a_commit(tmp_path: Path) -> None:
    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        games = [f"game-{n:04}" for n in range(200)]
        before = log.commits
        await asyncio.gather(*(log.append(game, 0, [step("k")]) for game in games))
        assert log.commits - before <= 20
        for game in games:
            assert await log.read(game) == [step("k")]
        await log.close()

    run(story())


def test_one_bad_write_among_many_that_share_a_commit_spoils_none(tmp_path: Path) -> None:
    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        games = [f"game-{n:04}" for n in range(300)]
        await log.append(games[0], 0, [step("there")])
        await log.append(games[1], 0, [step("there")])
        await log.append(games[2], 0, [step("there")])
        wrong = [
            log.append(games[0], 0, [step("late")]),
            log.append(games[1], 1, [step("new"), step("there")]),
            log.append(games[2], 2, [step("early")]),
        ]
        right = [log.append(game, 0, [step("k"), step("l", b"[2]")]) for game in games[3:]]
        found = await asyncio.gather(*wrong, *right, return_exceptions=True)
        assert [type(failed) for failed in found[:3]] == [Conflict, AlreadyDone, Conflict]
        assert found[3:] == [None] * 297
        for game in games[:3]:
            assert await log.read(game) == [step("there")]
        for game in games[3:]:
            assert await log.read(game) == [step("k"), step("l", b"[2]")]
        await log.close()

    run(story())


def test_an_order_of_long_ago_is_known_by_a_log_that_was_opened_again(tmp_path: Path) -> None:
    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        for position in range(300):
            await log.append("game-one", position, [step(f"ann/{position}")])
        await log.close()
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        for again in (0, 150, 299):
            with pytest.raises(AlreadyDone) as done:
                await log.append("game-one", 300, [step(f"ann/{again}")])
            assert done.value.position == again + 1
        await log.append("game-one", 300, [step("ann/300")])
        with pytest.raises(AlreadyDone):
            await log.append("game-one", 301, [step("ann/300")])
        assert len(await log.read("game-one")) == 301
        await log.close()

    run(story())


def test_more_games_are_written_to_than_keys_are_kept_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_keys, "MOST_GAMES", 3)

    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        for position in range(3):
            for game in range(8):
                await log.append(f"game-{game}", position, [step(f"ann/{position}")])
        for game in range(8):
            with pytest.raises(AlreadyDone):
                await log.append(f"game-{game}", 3, [step("ann/1")])
        assert len(log.keys.games) <= 3
        await log.close()

    run(story())


def test_two_keys_with_the_same_hash_are_two_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_keys, "hashed", lambda _: bytes(8))

    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        await log.append("game-one", 0, [step("ann/1")])
        await log.append("game-one", 1, [step("ann/2"), step("bob/1")])
        with pytest.raises(AlreadyDone):
            await log.append("game-one", 3, [step("ann/2")])
        assert len(await log.read("game-one")) == 3
        await log.close()

    run(story())


def test_a_file_of_the_first_version_is_taken_over(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "fathom.db") as old:
        old.executescript(TABLES)
        old.execute("create unique index step_keys on steps (game, key) where key != ''")
        old.execute("insert into steps values ('game-one', 1, 'a0', 'ann/1', 5, 0, '[]')")
        old.execute("pragma user_version = 1")

    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        assert [found.key for found in await log.read("game-one")] == ["ann/1"]
        with pytest.raises(AlreadyDone):
            await log.append("game-one", 1, [step("ann/1")])
        await log.append("game-one", 1, [step("ann/2")])
        names = await log.ask("select name from sqlite_master where name = 'step_keys'")
        version = await log.ask("pragma user_version")
        assert (names, version) == ([], [(SCHEMA,)])
        await log.close()

    run(story())


def test_a_step_that_appends_to_nothing_is_never_written(tmp_path: Path) -> None:
    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        with pytest.raises(Conflict):
            await log.append("game-one", 5, [step("k"), step("l")])
        assert await log.read("game-one") == []
        await log.close()

    run(story())
