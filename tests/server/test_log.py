"""The contract of a log; every implementation must keep it."""

import asyncio
import sqlite3
import time
from pathlib import Path

import pytest

from fathom.server import sqlite_keys
from fathom.server.log import (
    AlreadyDone,
    Conflict,
    Lease,
    Log,
    NewGame,
    NewToken,
    Pruned,
    Retention,
    StoredPlayer,
    StoredStep,
    StoredTable,
)
from fathom.server.sqlite_log import SqliteLog
from fathom.server.sqlite_schema import SCHEMA, TABLES
from tests.server.logs import LOGS, OpenLog, opener
from tests.server.serving import run


@pytest.fixture(params=LOGS)
def open_log(request: pytest.FixtureRequest) -> OpenLog:
    return opener(request.param, request)


def step(key: str = "", events: bytes = b"[]", by: str = "a0") -> StoredStep:
    return StoredStep(by, key, 1_700_000_000_000, 17, events)


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
            assert await log.read("game-two") == []

    run(story())


def test_what_was_written_is_there_after_a_restart(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            await log.append("game-one", 0, [step("k1", b"[1]")])
            await log.add_player(StoredPlayer("ann", "Ann"), NewToken(b"token", "one"), b"recovery")
            number = await log.say("K7QMX", b"hello")
        async with open_log(tmp_path) as log:
            assert await log.read("game-one") == [step("k1", b"[1]")]
            assert await log.table("K7QMX") == table()
            assert await owner(log, b"token") == StoredPlayer("ann", "Ann")
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
            assert codes(await log.listed(("gathering", "playing"), 0)) == ["BBBBB", "AAAAA"]
            assert codes(await log.listed(("gathering", "playing"), 0, most=1)) == ["BBBBB"]
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
            await log.add_player(ann, NewToken(b"token-1", "one", "Phone"), b"recovery-1")
            await log.add_token("ann", NewToken(b"token-2", "two", scope="games"))
            assert await owner(log, b"token-2") == ann
            assert await owner(log, b"recovery-1") is await owner(log, b"two") is None
            assert await log.player_with_recovery(b"recovery-1") == ann
            await log.rename("ann", "Anna")
            assert await log.player("ann") == StoredPlayer("ann", "Anna")
            assert await log.player("bob") is None

    run(story())


async def owner(log: Log, token: bytes) -> StoredPlayer | None:
    """Whose token this is."""
    found = await log.token(token)
    return found.player if found else None


def test_a_new_recovery_code_needs_the_old_one(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            ann, bob = StoredPlayer("ann", "Ann"), StoredPlayer("bob", "Bob")
            await log.add_player(ann, NewToken(b"token-1", "one"), b"code-1")
            await log.add_player(bob, NewToken(b"token-2", "two"), None)
            assert [await log.has_recovery(who) for who in ("ann", "bob", "eve")] == [
                *(True, False, False)
            ]
            for wrong in (None, b"", b"code-2"):
                assert not await log.set_recovery("ann", b"stolen", wrong)
            assert not await log.set_recovery("bob", b"stolen", b"code-1")
            assert await log.player_with_recovery(b"stolen") is None
            assert await log.set_recovery("ann", b"code-2", b"code-1")
            assert await log.player_with_recovery(b"code-1") is None
            assert await log.player_with_recovery(b"code-2") == ann
            # The first one replaces none.
            assert await log.set_recovery("bob", b"code-3", None)
            assert not await log.set_recovery("bob", b"code-4", None)
            assert await log.player_with_recovery(b"code-3") == bob
            assert await log.has_recovery("bob")

    run(story())


def test_tokens_are_listed_and_ended(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            before = time.time_ns() // 1_000_000
            for who, token in (("ann", "a1"), ("bob", "b1")):
                new = NewToken(token.encode(), token, f"{who}'s phone")
                await log.add_player(StoredPlayer(who, who.title()), new, who.encode())
            await log.add_token("ann", NewToken(b"a2", "a2", "Bot ✶", '{"games":true}'))
            await log.add_token("ann", NewToken(b"a3", "a3"))
            found = {token.id: token for token in await log.tokens_of("ann")}
            assert found.keys() == {"a1", "a2", "a3"}
            two = found["a2"]
            assert (two.device, two.scope, two.player.name) == ("Bot ✶", '{"games":true}', "Ann")
            # Two clocks may be a little apart.
            assert abs(two.created - before) < 60_000
            assert two.used == two.created
            assert await log.token(b"a2") == two

            await asyncio.sleep(0.002)
            await log.use_tokens(("a2", "nobody's"))
            assert (await log.tokens_of("ann"))[0].id == "a2"
            assert (await log.tokens_of("ann"))[0].used > two.used

            assert await log.end_tokens("ann", only="b1") == set(), "it is not hers"
            assert await log.end_tokens("ann", only="a1") == {"a1"}
            assert await log.end_tokens("ann", only="a1") == set()
            assert await log.token(b"a1") is None
            assert await log.living_tokens(("a1", "a2", "b1")) == {"a2", "b1"}
            assert await log.living_tokens(()) == set()
            assert await log.end_tokens("ann", but="a3") == {"a2"}
            assert [token.id for token in await log.tokens_of("ann")] == ["a3"]
            assert await log.end_tokens("ann") == {"a3"}
            assert await log.tokens_of("ann") == await log.tokens_of("eve") == []
            assert [token.id for token in await log.tokens_of("bob")] == ["b1"]

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
            assert after.get("log_deaf", 0) == 0

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
        assert len(log.writer.keys.games) <= 3
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


def test_tokens_of_the_version_before_get_names_of_their_own(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "fathom.db") as old:
        old.executescript(TABLES)
        old.execute("insert into players values ('ann', 'Ann', x'01')")
        old.executemany("insert into tokens values (?, 'ann')", [(b"one",), (b"two",)])
        old.execute("pragma user_version = 2")

    async def story() -> None:
        log = SqliteLog(tmp_path / "fathom.db")
        await log.open()
        tokens = await log.tokens_of("ann")
        assert len({token.id for token in tokens}) == 2
        assert [(t.device, t.scope, t.created) for t in tokens] == [("", "", 0)] * 2
        assert all(token.used for token in tokens)
        assert await owner(log, b"two") == StoredPlayer("ann", "Ann")
        assert await log.has_recovery("ann")
        assert await log.player_with_recovery(b"\x01") is not None
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


LONG = 12_002
"""Steps of a game that is longer than any page."""


def test_a_long_game_is_read_whole(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            await begin(log)
            for start in range(0, LONG, 200):
                steps = [step(f"k{n}", b"[%d]" % n) for n in range(start, min(start + 200, LONG))]
                await log.append("game-one", start, steps)
            found = await log.read("game-one")
            assert [read.events for read in found] == [b"[%d]" % n for n in range(LONG)]
            assert await log.read("game-one", LONG - 1) == found[-1:]
            assert await log.read("game-one", LONG) == []

    run(story())


def test_the_lobby_is_given_listed_tables_where_somebody_was(
    open_log: OpenLog, tmp_path: Path
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for number in range(10):
                hidden = StoredTable(f"HIDD{number}", 1, "gathering", b"{}", listed=False)
                await log.save_table(hidden, 0, ("ann",))
            await log.save_table(table(1, "AAAAA"), 0, ("ann",))
            hidden = StoredTable("HIDDX", 1, "gathering", b"{}", listed=False)
            await log.save_table(hidden, 0, ("ann",))
            assert await log.table("HIDDX") == hidden
            assert codes(await log.listed(("gathering",), 0, most=2)) == ["AAAAA"]
            before = time.time_ns() // 1_000_000 + 60_000
            assert await log.listed(("gathering",), before) == []
            await log.visit(("AAAAA",))
            assert codes(await log.listed(("gathering",), before - 120_000)) == ["AAAAA"]

    run(story())


DAYS = 1e-9
"""So few that whatever is there was there before."""


def test_what_was_kept_for_long_enough_goes_step_by_step(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for who in ("ann", "bob", "eve"):
                new = NewToken(f"token {who}".encode(), who)
                await log.add_player(StoredPlayer(who, who), new, who.encode())
            await begin(log)
            await log.append("game-one", 0, [step("k1")])
            done = StoredTable("DONE2", 1, "over", b"{}")
            await log.save_table(done, 0, ("ann",), new_game("game-two"))
            await log.append("game-two", 0, [step("k1")], b'{"winner":"a"}')
            numbers = [await log.say("K7QMX", b"line %d" % n) for n in range(5)]
            await log.say("K7QMX/plot-a", b"plot")
            await asyncio.sleep(0.002)
            keep = Retention(chat=1, tables=1, players=1)
            assert await log.prune(keep, 100) == Pruned()

            talk = Retention(chat=DAYS)
            assert await log.prune(talk, 4) == Pruned(lines=4)
            assert (await log.prune(talk, 4)).lines == 2
            assert await log.prune(talk, 4) == Pruned()
            assert await log.chat("K7QMX") == await log.chat("K7QMX/plot-a") == []
            assert await log.say("K7QMX", b"new") == numbers[-1] + 1, "no number is given twice"

            assert await log.prune(Retention(players=DAYS), 100) == Pruned(players=1)
            assert await log.player("eve") is None
            assert await log.token(b"token eve") is None
            assert await log.player("bob") is not None, "he sits at a table"

            assert await log.prune(Retention(tables=DAYS), 1) == Pruned(tables=1)
            assert await log.prune(Retention(tables=DAYS), 100) == Pruned(tables=1)
            assert await log.table("K7QMX") is await log.table("DONE2") is None
            assert await log.game("game-one") is None, "it was never finished"
            assert await log.read("game-one") == []
            assert [found.game for found in await log.games_of("bob")] == ["game-two"]
            assert await log.read("game-two") == [step("k1")]
            assert await log.chat("K7QMX") == []
            assert await log.prune(Retention(DAYS, DAYS, DAYS), 100) == Pruned(players=2)

    run(story())
