"""A server in a process of its own, kept on one core, and what it uses."""

import asyncio
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

CPU_CLOCK = 2
"""The last bits of a clock that tells the CPU time of a process (Linux)."""
PAGE = os.sysconf("SC_PAGE_SIZE")
START_SECONDS = 60.0
STOP_SECONDS = 30.0
METRICS_TOKEN = "bench"  # noqa: S105  (of a server that runs for a minute)
GENEROUS = {
    "FATHOM_RATE_FACTOR": "10000",
    "FATHOM_TABLES_PER_HOUR": "1000000",
    "FATHOM_CONNECTIONS_PER_ADDRESS": "20000",
    "FATHOM_METRICS_TOKEN": METRICS_TOKEN,
}
"""All clients come from one address, and hurry."""


class MeasuredProcess:
    """A process under load."""

    def __init__(self, running: asyncio.subprocess.Process, port: int) -> None:
        self.running, self.pid, self.port = running, running.pid, port
        self.host = f"127.0.0.1:{port}"

    def cpu_seconds(self) -> float:
        """What it has used of its core so far, all its threads together."""
        return time.clock_gettime((~self.pid << 3) | CPU_CLOCK)

    def memory(self) -> int:
        """Bytes that it holds in memory now."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * PAGE

    def at(self, number: int) -> "MeasuredProcess":
        """The process that a client of this number comes to."""
        del number
        return self


class Several:
    """Processes that share one database, and the load."""

    def __init__(self, processes: Sequence[MeasuredProcess]) -> None:
        self.processes = processes
        self.host, self.port = processes[0].host, processes[0].port

    def cpu_seconds(self) -> float:
        """What all of them have used."""
        return sum(process.cpu_seconds() for process in self.processes)

    def memory(self) -> int:
        """Bytes that all of them hold."""
        return sum(process.memory() for process in self.processes)

    def at(self, number: int) -> MeasuredProcess:
        """The clients take turns."""
        return self.processes[number % len(self.processes)]


class Deployment(NamedTuple):
    """Where the server keeps its log, and how many of it there are."""

    log: str = "sqlite"
    processes: int = 1
    spread: bool = False
    """Whether the processes may use all cores: the database needs some of each, too."""


EMBEDDED = Deployment()


@cache
def cores() -> tuple[set[int], set[int]]:
    """One core for the server, and the others for the clients."""
    here = sorted(os.sched_getaffinity(0))
    return {here[0]}, set(here[1:] or here)


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def allow_many_sockets() -> None:
    """As many open files as the system lets us have, here and in what we start."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


@asynccontextmanager
async def started(
    *command: str, ready: bytes, port: int, spread: bool = False, **environment: str
) -> AsyncIterator[MeasuredProcess]:
    """A process on a core of its own, or on all; from when it says that it is ready."""
    running = await asyncio.create_subprocess_exec(
        *command,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, **environment},
    )
    os.sched_setaffinity(running.pid, set.union(*cores()) if spread else cores()[0])
    try:
        await until_ready(running, ready)
        yield MeasuredProcess(running, port)
    finally:
        if running.returncode is None:
            running.send_signal(signal.SIGTERM)
            await ended(running)


async def until_ready(running: asyncio.subprocess.Process, ready: bytes) -> None:
    assert running.stdout is not None
    async with asyncio.timeout(START_SECONDS):
        while ready not in (line := await running.stdout.readline()):
            if not line:
                raise RuntimeError("the server did not start")


async def ended(running: asyncio.subprocess.Process) -> None:
    """Wait for the end, and make one if none comes."""
    try:
        async with asyncio.timeout(STOP_SECONDS):
            await running.communicate()
    except TimeoutError:
        running.kill()
        await running.communicate()


@asynccontextmanager
async def fathom(
    folder: Path, site: Deployment = EMBEDDED
) -> AsyncIterator[MeasuredProcess | Several]:
    """Our server, or several of it, with a durable log in a folder or a database."""
    async with AsyncExitStack() as stack:
        made = [
            await stack.enter_async_context(one_fathom(folder / str(number), site))
            for number in range(site.processes)
        ]
        yield made[0] if site.processes == 1 else Several(made)


@asynccontextmanager
async def one_fathom(folder: Path, site: Deployment) -> AsyncIterator[MeasuredProcess]:
    port = free_port()
    command = (sys.executable, "-m", "fathom.cli", "serve")
    place = ("--port", str(port), "--data", str(folder))
    setting = {**GENEROUS, "FATHOM_LOG": site.log}
    async with started(
        *command, *place, port=port, ready=b"Fathom is at", spread=site.spread, **setting
    ) as process:
        yield process
