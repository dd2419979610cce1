"""As on Windows: no ``resource``, no ``fcntl``, no uvloop, no signal handlers of the loop's own.

There is no Windows here, so all that it lacks is hidden from the server, and from its bots.
"""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from fathom import client as fathom_client
from fathom.bots.ranks import Rank
from fathom.client import Client
from fathom.server.operating_system import kill_group, own_group
from fathom.server.wire import Settings
from fathom.words import Crew
from tests.server.crashes import free_port
from tests.server.serving import begun, run
from tests.server.test_bots import until_turns

HIDING = '''
import asyncio, builtins, os, signal, sys

HIDDEN = {"resource", "fcntl", "termios", "tty", "pwd", "grp", "pty", "uvloop"}
OURS = ("fathom", "aiohttp")
real_import = builtins.__import__

def hide(name, globals=None, *rest, **more):
    """Python's own modules need some of them here; ours must not."""
    asking = (globals or {}).get("__name__", "")
    if name.partition(".")[0] in HIDDEN and asking.startswith(OURS):
        raise ImportError(f"there is no {name} on Windows")
    return real_import(name, globals, *rest, **more)

builtins.__import__ = hide

import importlib
real_import_module = importlib.import_module

def hide_module(name, package=None):
    if name.partition(".")[0] in HIDDEN:
        raise ImportError(f"there is no {name} on Windows")
    return real_import_module(name, package)

importlib.import_module = hide_module
for missing in ("killpg", "getpgid", "setsid", "fork", "sysconf", "getuid", "sched_getaffinity"):
    if hasattr(os, missing):
        delattr(os, missing)

def no_signal_handler(*_):
    raise NotImplementedError

asyncio.SelectorEventLoop.add_signal_handler = no_signal_handler
'''
"""Python runs ``sitecustomize`` before anything else, in the server and in what it starts."""


@pytest.mark.slow
def test_a_game_against_a_bot_where_posix_is_missing(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDING)

    async def story() -> None:
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fathom.cli", "serve"),
            *("--port", str(port), "--data", str(tmp_path / "data")),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "FATHOM_BOT_PROCESSES": "1"},
        )
        assert process.stdout is not None
        assert process.stderr is not None
        said = await process.stdout.readline()
        assert b"Fathom is at" in said, await process.stderr.read()
        ann = await fathom_client.register(url, "Ann")
        settings = Settings(rulebook="sonar", rank=Rank.CADET, pace="at-once", first=Crew.A)
        made = await fathom_client.new_table(url, ann.token, settings, solo=True)
        async with Client(url, ann.token) as client:
            await client.open(made.table, position=0)
            game = await begun([client], made.table)
            await until_turns(client, game, Random(4), 2)
        process.send_signal(signal.SIGINT)
        errors = (await process.stderr.read()).decode()
        assert await process.wait() == 0, errors
        assert "Fathom goes down" in errors
        assert "Traceback" not in errors

    run(story())


def test_what_is_hidden_is_used_in_one_place_only() -> None:
    """What not every system has is asked for in ``operating_system.py`` alone."""
    source = Path(__file__).parents[2] / "src" / "fathom"
    words = (
        *("import resource", "import fcntl", "import uvloop", "add_signal_handler", "killpg"),
        *("start_new_session", "creationflags", "sys.platform", "os.name", "sysconf", "/proc/"),
        *("sys.executable", "sys.frozen", "SIGKILL", "msvcrt", "os.fork", "getuid"),
    )
    found = {
        place.name
        for place in source.rglob("*.py")
        for line in place.read_text().splitlines()
        if any(word in line for word in words)
    }
    assert found == {"operating_system.py"}


@pytest.mark.slow
def test_an_arena_where_posix_is_missing(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(HIDING)
    done = subprocess.run(  # noqa: S603
        [
            *(sys.executable, "-m", "fathom", "arena", "cadet", "ensign"),
            *("--games", "2", "--charts", "alpha", "--modes", "turn-by-turn"),
            *("--rulebooks", "sonar", "--jobs", "1", "--out", str(tmp_path / "out")),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert "cadet : ensign" in done.stdout


def test_a_process_is_ended_where_there_are_no_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "killpg", raising=False)
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    process = subprocess.Popen(command, **own_group())  # noqa: S603
    kill_group(process)
    assert process.wait(60) != 0
