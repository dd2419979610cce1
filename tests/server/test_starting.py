"""Starting and ending where something is amiss: bad addresses, full disks, closed streams."""

import asyncio
import contextlib
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from fathom.server.log import LogUnusable
from fathom.server.postgres_link import MALFORMED, check_address
from tests.server.crashes import ServerProcess
from tests.server.serving import STARTED, becomes_well, health, run

SECRET = "S3cr3t"  # noqa: S105
MALFORMED_ADDRESSES = (
    f"postgresql://fathom:{SECRET}/x@db/fathom",
    f"postgresql://fathom:x/{SECRET}@db/fathom",
    f"postgresql://fathom:{SECRET}#x@db/fathom",
    f"postgresql://fathom:x#{SECRET}@db/fathom",
    f"postgresql://fathom:{SECRET}?x@db/fathom",
    f"postgresql://fathom:x?{SECRET}@db/fathom",
    f"postgresql://fathom:{SECRET}%zz@db/fathom",
    f"postgresql://fathom:x@db:{SECRET}/fathom",
    f"postgresql://fathom:x@db/fathom?{SECRET}",
    f"postgresql://fathom:{SECRET} x@db/fathom",
)
ADDRESSES = (
    "postgresql:///fathom",
    "postgresql:///fathom?host=%2Ftmp",
    "postgresql:///fathom?host=/var/run/postgresql&user=ann",
    "postgres://db/fathom",
    "postgresql://fathom@db/fathom",
    "postgresql://fathom:x%2Fy:z@one:5432,two:5433/fathom?sslmode=require",
    "postgresql://fathom:a@b@[::1]:5432/fathom",
    "postgresql://fathom@127.0.0.1",
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_of_databases_that_can_be_meant(address: str) -> None:
    check_address(address)


@pytest.mark.parametrize("address", MALFORMED_ADDRESSES)
def test_an_address_that_cannot_be_read_is_never_quoted(address: str) -> None:
    with pytest.raises(LogUnusable) as told:
        check_address(address)
    assert SECRET not in str(told.value)


def fathom(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(  # noqa: S603
        (sys.executable, "-m", "fathom.cli", *arguments),
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "address", [MALFORMED_ADDRESSES[0], f"postgresql://fathom:{SECRET}@127.0.0.1/x?sslmode=maybe"]
)
def test_a_malformed_address_ends_every_command_with_one_sentence(
    address: str, tmp_path: Path
) -> None:
    for command in (
        ("serve", "--port", "0", "--data", str(tmp_path), "--log", address),
        ("log", "prune", "--log", address),
        ("log", "copy", address, str(tmp_path / "copy.db")),
    ):
        done = fathom(*command)
        assert done.returncode == 1, done
        assert MALFORMED in done.stderr
        assert done.stderr.count("\n") == 1
        assert SECRET not in done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process from outside")
def test_a_server_that_starts_on_a_full_disk_waits_for_room(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path / "data")
        # What the server writes fails, as if the disk was full.
        server.before = ("/bin/sh", "-c", 'ulimit -S -f 0; exec "$@"', "sh")
        await server.start()
        assert await health(server.url) == (503, "log-away")
        assert server.process is not None
        room = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, room)
        await becomes_well(server.url)
        assert "Traceback" not in server.notes
        assert await server.stop() == 0

    run(story())


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="there is no such signal")
def test_a_closed_terminal_ends_the_server_with_a_farewell(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path)
        await server.start()
        assert server.process is not None
        server.process.send_signal(signal.SIGHUP)
        assert await server.ended() == 0
        assert "Fathom goes down" in server.notes

    run(story())


async def answers(url: str) -> None:
    """Wait until a server is there."""
    async with asyncio.timeout(60):
        while True:
            with contextlib.suppress(aiohttp.ClientConnectionError):
                return await becomes_well(url)
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
@pytest.mark.parametrize("closed", ["2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-"])
def test_without_standard_streams_a_server_ends_in_good_order(closed: str, tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path)
        serve = f"{sys.executable} -m fathom.cli serve --port {server.port} --data {tmp_path}"
        process = await asyncio.create_subprocess_exec(
            *("/bin/sh", "-c", f"exec {serve} {closed}"),
            stdout=asyncio.subprocess.DEVNULL,
            env={**os.environ, "FATHOM_BOT_PROCESSES": "1"},
        )
        STARTED.append(process)
        await answers(server.url)
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0

    run(story())
