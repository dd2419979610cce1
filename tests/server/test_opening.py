"""A server that can't open its log says why, and one whose database is away waits for it."""

import asyncio
import os
import signal
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from fathom import client as fathom_client
from fathom.client import Client, Failed
from fathom.server import wire
from fathom.server.sqlite_schema import SCHEMA
from tests.server.crashes import ServerProcess, free_port
from tests.server.postgres import Postgres, running
from tests.server.serving import becomes_well, health, run

SERVE = (sys.executable, "-m", "fathom.cli", "serve", "--port", "0")


def serve(*options: str) -> "subprocess.CompletedProcess[str]":
    """A server that is expected to end by itself."""
    return subprocess.run(  # noqa: S603
        (*SERVE, *options), check=False, capture_output=True, text=True, timeout=60
    )


def damaged(path: Path) -> str:
    path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 40)
    return "can't be used"


def no_database(path: Path) -> str:
    path.write_bytes(b"nothing of the kind, but long enough for SQLite to look at it" * 40)
    return "it is not a database"


def folder(path: Path) -> str:
    path.mkdir()
    return "Is a directory"


def newer(path: Path) -> str:
    with sqlite3.connect(path) as database:
        database.execute(f"pragma user_version = {SCHEMA + 1}")
    return "newer release"


@pytest.mark.parametrize("spoil", [damaged, no_database, folder, newer])
def test_a_file_that_cant_be_used_is_named_in_one_sentence(spoil: object, tmp_path: Path) -> None:
    words = spoil(tmp_path / "fathom.db")  # type: ignore[operator]
    done = serve("--data", str(tmp_path))
    assert done.returncode == 1
    assert words in done.stderr
    assert done.stderr.count("\n") == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.write_text("a file")
    done = serve("--data", str(place))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert f"the data folder {place} can't be used" in done.stderr


def test_a_log_of_no_known_kind_is_refused() -> None:
    done = serve("--log", "redis://127.0.0.1")
    assert done.returncode == 1
    assert "--log is sqlite, or postgresql://" in done.stderr


def test_a_second_server_on_one_folder_is_told_who_has_it_and_a_killed_one_holds_nothing(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path / "data")
        await server.start()
        assert server.process is not None
        holder = server.process.pid
        done = await asyncio.to_thread(serve, "--data", str(tmp_path / "data"))
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert f"in use by process {holder}" in done.stderr
        await server.kill()
        await server.start()
        assert await server.stop() == 0

    run(story())


@pytest.mark.skipif(os.name != "posix", reason="other systems have other rights")
def test_nobody_else_can_read_what_is_kept(tmp_path: Path) -> None:
    place = tmp_path / "new" / "data"
    loose = tmp_path / "old"
    loose.mkdir(mode=0o755)
    (loose / "fathom.db").touch(0o644)
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o755)
    (shared / "something-else").touch(0o644)

    async def story() -> None:
        for data in (place, loose, shared):
            server = ServerProcess(data)
            await server.start()
            await fathom_client.register(server.url, "Ann")
            rights = {name.name: stat.S_IMODE(name.stat().st_mode) for name in data.iterdir()}
            assert {rights[name] for name in rights if name.startswith("fathom.")} == {0o600}
            assert {"fathom.db", "fathom.db-wal", "fathom.lock"} <= rights.keys()
            assert await server.stop() == 0

    run(story())
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert stat.S_IMODE(loose.stat().st_mode) == 0o700
    assert stat.S_IMODE(shared.stat().st_mode) == 0o755, "what others use is left as it is"


@pytest.mark.slow
def test_a_server_whose_database_is_away_waits_for_it_and_says_so(tmp_path: Path) -> None:
    async def story() -> None:
        with running() as postgres:
            address = postgres.fresh()
            await asyncio.to_thread(postgres.stop)
            server = ServerProcess(tmp_path / "data", address.replace("fathom@", "fathom:secret@"))
            await server.start()
            try:
                assert await health(server.url) == (503, "log-away")
                with pytest.raises(Failed, match="not-saved"):
                    await fathom_client.register(server.url, "Ann")
                await asyncio.to_thread(postgres.start)
                await becomes_well(server.url)
                ann = await fathom_client.register(server.url, "Ann")
                async with Client(server.url, ann.token) as client:
                    made = await fathom_client.new_table(server.url, ann.token)
                    await client.open(made.table)
                    assert isinstance(await client.do(wire.Stand(table=made.table)), wire.Done)
            finally:
                assert await server.stop() == 0
        notes = server.notes
        assert notes.count("the log is away") == notes.count("the log is back") == 1
        assert "secret" not in notes
        assert "Traceback" not in notes

    run(story())


@pytest.mark.slow
def test_a_database_that_turns_out_to_be_newer_ends_the_server(tmp_path: Path) -> None:
    async def story() -> None:
        with running() as postgres:
            address = await newer_database(postgres)
            await asyncio.to_thread(postgres.stop)
            server = ServerProcess(tmp_path / "data", address)
            await server.start()
            await asyncio.to_thread(postgres.start)
            assert server.process is not None
            async with asyncio.timeout(60):
                assert await server.ended() == 1
        assert "newer release" in server.notes.splitlines()[-1]

    run(story())


async def newer_database(postgres: Postgres) -> str:
    """A database that a server of a later release has brought to its own version."""
    address = postgres.database()
    name = address.rpartition("/")[2]
    schema = "create table fathom_schema (one boolean primary key, version int, oldest int)"
    await asyncio.to_thread(postgres.psql, name, schema)
    row = "insert into fathom_schema values (true, 1000, 1000)"
    await asyncio.to_thread(postgres.psql, name, row)
    return address


@pytest.mark.slow
def test_ctrl_c_ends_a_server_that_waits_for_its_database(tmp_path: Path) -> None:
    async def story() -> None:
        address = f"postgresql://fathom@127.0.0.1:{free_port()}/fathom"
        server = ServerProcess(tmp_path / "data", address)
        await server.start()
        assert server.process is not None
        server.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(60):
            assert await server.ended() == 0
        assert "Traceback" not in server.notes

    run(story())
