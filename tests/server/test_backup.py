"""Backups as ``docs/operating.md`` describes them, made while games go on, and restored."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fathom.cli import main
from fathom.client import Client
from fathom.server import wire
from fathom.server.log import StoredStep
from fathom.server.postgres_log import PostgresLog
from tests.server.crashes import Player, ServerProcess, more_orders, new_duel
from tests.server.logs import postgres_at
from tests.server.postgres import STARTING_SECONDS, Postgres, Unready, running, servant
from tests.server.serving import run
from tests.server.test_log_copy import contents, fill

# PostgreSQL


@contextmanager
def archive() -> Iterator[Path]:
    """A folder in which PostgreSQL may keep things."""
    folder = Path(tempfile.mkdtemp(prefix="fathom-archive-"))
    if servant():
        shutil.chown(folder, servant()["user"], servant()["group"])
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def restored(base: Path, kept: Path, place: Path, **target: str) -> Postgres:
    """A database from a base backup and what was archived since."""
    server = Postgres(place)
    server.own_folder()
    server.call(shutil.which("cp") or "", "-a", str(base), str(server.data))
    (server.data / "recovery.signal").touch()
    server.start(restore_command=f"cp {kept}/%f %p", recovery_target_action="promote", **target)
    until = time.monotonic() + STARTING_SECONDS
    while server.psql("postgres", "select pg_is_in_recovery()").strip() != "f":
        if time.monotonic() > until:
            raise Unready((server.folder / "log").read_text())
        time.sleep(0.05)
    return server


def archived(server: Postgres) -> None:
    """Wait until all that was written is in the archive."""
    last = server.psql("postgres", "select pg_walfile_name(pg_switch_wal())").strip()
    question = "select coalesce(max(last_archived_wal), '') from pg_stat_archiver"
    until = time.monotonic() + STARTING_SECONDS
    while server.psql("postgres", question).strip() < last:
        if time.monotonic() > until:
            raise Unready((server.folder / "log").read_text())
        time.sleep(0.05)


@pytest.mark.slow
def test_a_database_comes_back_as_it_was_at_any_moment() -> None:
    async def story(server: Postgres, base: Path) -> None:
        address = server.address("postgres")
        async with postgres_at(address) as log:
            await fill(log)
            where = ("-d", address, "-D", str(base))
            await asyncio.to_thread(server.call, "pg_basebackup", "-c", "fast", "-N", *where)
            await log.append("game-2", 0, [step("after the backup")])
            wanted = await contents(log)
            (row,) = await log.ask("select clock_timestamp()::text")
            await log.append("game-2", 1, [step("too much")])
            await asyncio.to_thread(archived, server)
            latest = await contents(log)
        await asyncio.to_thread(server.stop_hard)
        for place, target, found in (
            ("moment", {"recovery_target_time": row[0]}, wanted),
            ("latest", {}, latest),
        ):
            again = await asyncio.to_thread(restored, base, kept, folder / place, **target)
            try:
                async with postgres_at(again.address("postgres")) as log:
                    assert await contents(log) == found
                    await goes_on(log)
            finally:
                await asyncio.to_thread(again.stop_hard)

    with archive() as folder:
        kept = folder / "wal"
        command = f"mkdir -p {kept} && test ! -f {kept}/%f && cp %p {kept}/%f"
        with running(archive_mode="on", archive_command=command) as server:
            run(story(server, folder / "base"))


def step(key: str) -> StoredStep:
    return StoredStep("a0", key, 17, 5, b"[]")


async def goes_on(log: PostgresLog) -> None:
    """Whatever the moment was, the next order has its place."""
    position = len(await log.read("game-2"))
    await log.append("game-2", position, [step("goes on")])


# Embedded


@pytest.mark.slow
def test_a_server_goes_on_from_a_backup_and_so_do_clients_that_had_seen_more(
    tmp_path: Path,
) -> None:
    data, backup = tmp_path / "data", tmp_path / "backup.db"

    async def story() -> None:
        server = ServerProcess(data)
        await server.start()
        players = await new_duel(server, 1)
        try:
            tasks = [asyncio.create_task(player.play()) for player in players]
            await more_orders(players, 20)
            # While orders are under way.
            assert await asyncio.to_thread(main, ["log", "copy", str(data), str(backup)]) == 0
            await more_orders(players, 40)
            await rest(players, tasks)
            seen = [position(player) for player in players]
            await server.kill()
            old = tmp_path / "old"
            old.mkdir()
            for left in data.glob("fathom.db*"):
                left.rename(old / left.name)
            assert await asyncio.to_thread(main, ["log", "copy", str(backup), str(data)]) == 0
            await server.start()
            for player, before in zip(players, seen, strict=True):
                await player.came_again(2)
                await player.client.until(lambda: position(player) < before)  # noqa: B023
            for player in players:
                player.ending = False
            tasks = [asyncio.create_task(player.play()) for player in players]
            await more_orders(players, 40)
            await rest(players, tasks)
            # Nothing of what was lost is still shown to one and not to the other.
            await agree([player.client for player in players], players[0].game)
            assert await server.stop() == 0
        finally:
            await asyncio.gather(*(player.client.close() for player in players))
            if server.process is not None and server.process.returncode is None:
                await server.kill()

    run(story())


async def rest(players: list[Player], tasks: "list[asyncio.Task[None]]") -> None:
    """Stop playing, when what is under way is done."""
    for player in players:
        player.ending = True
    await asyncio.gather(*tasks)


async def agree(clients: list[Client], game: str) -> None:
    """Everybody has heard everything, and sees the same of what all see."""
    for client in clients:
        await client.do(wire.FollowLobby(on=False))
    public = [client.games[game].sheets["public"] for client in clients]
    assert public[0] == public[1]


def position(player: Player) -> int:
    return player.client.games[player.game].position
