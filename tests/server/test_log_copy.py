"""Everything moves between the logs, both ways, and is verified; backups come back whole."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from fathom.cli import main
from fathom.server.log import (
    Log,
    NewGame,
    NewToken,
    Pruned,
    Retention,
    StoredPlayer,
    StoredStep,
    StoredTable,
)
from fathom.server.log_copy import PARTS, Sum, copy, opened, shown, total
from fathom.server.sqlite_schema import TABLES
from fathom.server.wire import PHASES
from tests.server.logs import postgres_at, sqlite
from tests.server.postgres import Postgres
from tests.server.serving import run


def step(number: int) -> StoredStep:
    events = f'[{{"n":{number},"é":"\\u0000"}}]'.encode() + bytes(range(256))
    return StoredStep(
        "b3" if number % 2 else "", f"ann/{number}" if number % 3 else "", 17, 5, events
    )


async def fill(log: Log, steps: int = 3000) -> None:
    """Something of everything."""
    for number, who in enumerate(("ann", "bob")):
        recovery = f"recovery-{number}".encode()
        token = NewToken(f"token-{who}".encode(), f"id-{who}", f"{who}'s ✶")
        hash = recovery if number else None  # noqa: A001
        await log.add_player(StoredPlayer(who, f"{who} ✶ Ünï"), token, hash)
        await log.add_token(who, NewToken(b"\x00\xff" + who.encode(), f"{who}-bot", scope="{}"))
    await log.save_table(StoredTable("AAAAA", 1, "gathering", b"\x00{}"), 0, ("ann",))
    for number in range(3):
        code = f"TABL{number}"
        game = NewGame(f"game-{number}", code, ("ann", "bob"), 1000 + number, b"\x00h", b"{}")
        await log.save_table(StoredTable(code, 1, "playing", b"{}"), 0, ("ann", "bob"), game)
        await log.say(code, f"hello {number}".encode())
    await log.append("game-0", 0, [step(number) for number in range(steps)], b'{"winner":"a"}')
    await log.append("game-1", 0, [step(1)])
    await log.hold("me", ("table/AAAAA",), 3600)


async def contents(log: Log) -> Any:
    """All that the interface tells."""
    return (
        [await log.token(b"\x00\xff" + who) for who in (b"ann", b"bob")],
        [await log.tokens_of(who) for who in ("ann", "bob")],
        [await log.has_recovery(who) for who in ("ann", "bob")],
        [await log.player_with_recovery(f"recovery-{n}".encode()) for n in range(2)],
        await log.listed(PHASES, 0),
        [await log.tables_of(who, PHASES) for who in ("ann", "bob")],
        [await log.games_of(who) for who in ("ann", "bob")],
        [await log.read(f"game-{n}") for n in range(3)],
        [await log.chat(f"TABL{n}") for n in range(3)],
    )


def totals(place: str) -> dict[str, Sum]:
    async def all_of() -> dict[str, Sum]:
        async with opened(place, write=False) as hold:
            return {part: await total(part, hold) for part in PARTS}

    return asyncio.run(all_of())


@pytest.mark.slow
def test_everything_moves_both_ways(
    postgres: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = str(tmp_path), str(tmp_path / "back.db")
    address = postgres.fresh()
    found: list[Any] = []

    async def before() -> None:
        async with sqlite(tmp_path) as log:
            await fill(log)
            found.append(await contents(log))
            assert len(found[0][7][0]) == 3000

    async def after() -> None:
        async with postgres_at(address) as log:
            assert await contents(log) == found[0]
            assert await log.held("") == set(), "leases are not copied"
            # Games go on where they were, those without a step too.
            for game, position in (("game-1", 1), ("game-2", 0)):
                await log.append(game, position, [step(7)])

    run(before())
    assert main(["log", "copy", first, address]) == 0
    told = capsys.readouterr().out
    assert "steps            3,001  " in told
    assert "copied to postgresql://127.0.0.1" in told
    assert main(["log", "copy", address, f"sqlite:{second}"]) == 0
    assert totals(first) == totals(address) == totals(second)
    assert totals(first)["steps"].count == 3001
    run(after())
    assert totals(second) != totals(address)
    assert totals(second)["players"] == totals(address)["players"]


def test_what_is_not_empty_is_never_written_to(
    postgres: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address, full = postgres.fresh(), tmp_path / "full"

    async def story() -> None:
        async with sqlite(full) as log:
            await fill(log, 3)
        async with postgres_at(address) as log:
            await log.add_player(StoredPlayer("eve", "Eve"), NewToken(b"token", "one"), b"recovery")

    run(story())
    before = totals(address)
    assert main(["log", "copy", str(full), address]) == 1
    assert "is not empty (it has 1 players); nothing copied" in capsys.readouterr().err
    assert totals(address) == before
    assert main(["log", "copy", address, str(full)]) == 1
    assert "is not empty (it has 2 players)" in capsys.readouterr().err


def test_a_copy_that_differs_is_undone(
    postgres: Postgres, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = postgres.fresh()

    async def story() -> None:
        async with sqlite(tmp_path) as log:
            await fill(log, 3)
        async with postgres_at(address) as log:
            await log.ask(
                """create function forget() returns trigger language plpgsql as
                'begin if new.position = 2 then return null; end if; return new; end'"""
            )
            await log.ask(
                """create trigger forget before insert on steps
                for each row execute function forget()"""
            )

    run(story())
    assert main(["log", "copy", str(tmp_path), address]) == 1
    assert "steps differ after copying (3 of 4 are there)" in capsys.readouterr().err
    assert all(found.count == 0 for found in totals(address).values())


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("nowhere/at/all.db", "can't be opened"),
        ("postgresql://fathom:secret@127.0.0.1:1/x", "postgresql://127.0.0.1:1/x can't be opened"),
    ],
)
def test_a_source_that_is_not_there_is_named_without_its_password(
    source: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["log", "copy", source, str(tmp_path / "new.db")]) == 1
    told = capsys.readouterr().err
    assert words in told
    assert "secret" not in told
    assert shown("postgresql://me:secret@db/fathom") == "postgresql://db/fathom"


def test_what_is_no_log_is_no_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("create table games (n)")
    other.close()
    assert main(["log", "copy", str(tmp_path / "other.db"), str(tmp_path / "new.db")]) == 1
    assert "it has no tables of Fathom's" in capsys.readouterr().err


@pytest.mark.slow
def test_a_backup_of_a_database_in_use_comes_back_whole(postgres: Postgres, tmp_path: Path) -> None:
    address, restored = postgres.database(), postgres.database()
    dump = postgres.folder / "backup.dump"

    async def story() -> None:
        async with postgres_at(address) as log:
            await fill(log)
            await asyncio.to_thread(postgres.call, "pg_dump", "-Fc", "-f", str(dump), address)
            before = await contents(log)
            await log.append("game-2", 0, [step(1)])
        await asyncio.to_thread(
            postgres.call, "pg_restore", "--exit-on-error", "-d", restored, str(dump)
        )
        async with postgres_at(restored) as log:
            assert await contents(log) == before
            await log.append("game-2", 0, [step(1)])

    run(story())


def test_a_backup_of_an_embedded_log_in_use(tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"

    async def story() -> None:
        async with sqlite(tmp_path) as log:
            await fill(log, 10)
            assert await asyncio.to_thread(main, ["log", "copy", str(tmp_path), str(backup)]) == 0
            before = await contents(log)
            await log.append("game-2", 0, [step(1)])
        restored = tmp_path / "restored"
        assert await asyncio.to_thread(main, ["log", "copy", str(backup), str(restored)]) == 0
        async with sqlite(restored) as log:
            assert await contents(log) == before

    run(story())


def test_a_backup_of_the_release_before_is_brought_up_to_date(tmp_path: Path) -> None:
    old = tmp_path / "old.db"
    with sqlite3.connect(old) as database:
        database.executescript(TABLES)
        database.execute("pragma user_version = 2")
        for code, listed in (("AAAAA", "true"), ("BBBBB", "false")):
            body = f'{{"settings":{{"listed":{listed}}}}}'.encode()
            values = (code, 1, "gathering", 1_000_000, body)
            database.execute("insert into tables values (?, ?, ?, ?, ?)", values)
        database.execute("insert into chat values ('AAAAA', 1, 'Ahoy')")
        database.execute("insert into players values ('ann', 'Ann', x'01')")
    database.close()
    before = old.read_bytes()

    async def story() -> None:
        await copy(str(old), str(tmp_path / "new"), lambda *_: None)
        async with sqlite(tmp_path / "new") as log:
            assert [found.code for found in await log.listed(("gathering",), 1)] == ["AAAAA"]
            hidden = await log.table("BBBBB")
            assert hidden is not None
            assert not hidden.listed
            assert len(await log.chat("AAAAA")) == 1
            month = Retention(30, 30, 30)
            assert await log.prune(month, 100) == Pruned(), "nothing is old by the upgrade alone"

    run(story())
    assert old.read_bytes() == before
