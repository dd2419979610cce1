"""Starting the game: `fathom` alone, a second start, and all that can be in its way."""

import ast
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from fathom.cli import serve
from fathom.server.client_files import CLIENT
from fathom.server.config import Config
from tests.cli.running import FATHOM, environment

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
AS_NOBODY = """\
import os, sys, fathom.cli.serve, fathom.cli.parser
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
sys.exit(fathom.cli.main())
"""
"""Root may write everywhere; and where this is installed, nobody else may read."""


def settings(tmp_path: Path, **more: str) -> dict[str, str]:
    """On this machine only, whatever the command usually does."""
    own = {
        "FATHOM_HOST": "127.0.0.1",
        "FATHOM_DATA": str(tmp_path / "data"),
        "FATHOM_BOT_PROCESSES": "1",
        "BROWSER": f"{sys.executable} {browser(tmp_path)} %s",
    }
    return environment(**{**own, "DISPLAY": "", "WAYLAND_DISPLAY": "", **more})


def browser(tmp_path: Path) -> Path:
    """A browser that only notes what it was to open."""
    place = tmp_path / "browser.py"
    place.write_text(
        "import pathlib, sys\n"
        "with pathlib.Path(__file__).with_name('opened').open('a') as notes:\n"
        "    notes.write(sys.argv[1] + '\\n')\n"
    )
    return place


def opened(tmp_path: Path) -> list[str]:
    place = tmp_path / "opened"
    return place.read_text().splitlines() if place.exists() else []


@contextmanager
def running(*arguments: str, env: Mapping[str, str]) -> Iterator[subprocess.Popen[str]]:
    """The server, until it is ended as by Ctrl-C; it must end well."""
    process = subprocess.Popen(  # noqa: S603
        [*FATHOM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env
    )
    try:
        yield process
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert "Traceback" not in err
        assert process.returncode == 0, err
    finally:
        process.kill()
        process.wait()


def line_of(process: subprocess.Popen[str], words: str) -> str:
    """The next line that it prints with these words."""
    assert process.stdout is not None
    for line in process.stdout:
        if words in line:
            return line.strip()
    raise AssertionError(f"it never said {words!r}")


def failure(*arguments: str, env: Mapping[str, str], program: tuple[str, ...] = FATHOM) -> str:
    """The one sentence with which a command ends that can't be done."""
    done = subprocess.run(  # noqa: S603
        [*program, *arguments], capture_output=True, text=True, timeout=60, env=env, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("fathom: ")
    assert done.stderr.count("\n") == 1
    return done.stderr.strip()


@pytest.fixture
def _client() -> None:
    if not (CLIENT / "index.html").exists():
        pytest.skip("the browser's client is not built: make play builds it")


@pytest.mark.usefixtures("_client")
def test_fathom_alone_opens_the_game_and_a_second_start_opens_the_same(tmp_path: Path) -> None:
    env = settings(tmp_path, FATHOM_PORT="0")
    with running(env=env) as process:
        url = line_of(process, "Fathom is at").rpartition(" ")[2]
        assert "lets friends in" in line_of(process, "Only this machine")
        again = subprocess.run(  # noqa: S603
            FATHOM, capture_output=True, text=True, timeout=60, env=env, check=False
        )
        assert (again.returncode, again.stderr) == (0, "")
        assert again.stdout == f"Fathom is already running at {url}\n"
        said = failure("serve", env=env)
        assert f"is in use by process {process.pid}, which serves {url}; stop it first" in said
        assert opened(tmp_path) == [url, url]


@pytest.mark.usefixtures("_client")
def test_fathom_alone_takes_another_port_if_the_usual_one_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        try:
            taken.bind(("127.0.0.1", Config().port))
            taken.listen()
        except OSError:
            pass  # Somebody else has it, which is as good.
        with running(env=settings(tmp_path)) as process:
            assert line_of(process, "is taken") == "Port 8470 is taken, so Fathom takes another."
            assert f":{Config().port}/" not in line_of(process, "Fathom is at")


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = failure("serve", "--port", port, env=settings(tmp_path))
    assert f"port {port} of 127.0.0.1 can't be used: another program has it" in said


def test_an_address_that_is_not_this_machines(tmp_path: Path) -> None:
    said = failure("serve", "--port", "0", "--host", "192.0.2.1", env=settings(tmp_path))
    assert "this machine has no such address" in said


def test_a_host_that_can_not_be(tmp_path: Path) -> None:
    said = failure("serve", "--port", "0", "--host", "no..host", env=settings(tmp_path))
    assert "there is no host no..host" in said


def test_without_a_browser_it_says_where_the_game_is(tmp_path: Path) -> None:
    env = settings(tmp_path, BROWSER="", FATHOM_PORT="0")
    with running("serve", "--open", env=env) as process:
        url = line_of(process, "Fathom is at").rpartition(" ")[2]
        said = line_of(process, "No browser")
        assert said == f"No browser could be opened here: open {url} yourself."


def test_without_a_network_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "own_address", lambda: None)
    assert serve.greeting(Config(host="0.0.0.0"), 8470) == [  # noqa: S104
        "Fathom is at http://127.0.0.1:8470/",
        "This machine has no network now, so only this machine can reach it.",
    ]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="folders are protected otherwise there")
@pytest.mark.parametrize("name", ["sealed", "sealed/new"])
def test_a_folder_that_can_not_be_written(tmp_path: Path, name: str) -> None:
    sealed, folder = tmp_path / "sealed", tmp_path / name
    sealed.mkdir()
    sealed.chmod(0o555)
    for above in (tmp_path, *tmp_path.parents[:3]) if os.geteuid() == 0 else ():
        above.chmod(above.stat().st_mode | 0o055)
    program = (sys.executable, "-c", AS_NOBODY)
    env = settings(tmp_path, FATHOM_DATA=str(folder))
    said = failure("serve", "--port", "0", env=env, program=program)
    assert f"the data folder {folder} can't be used: Permission denied" in said


def test_an_old_python_is_told_which_one_is_needed() -> None:
    code = "import sys; sys.version_info = (3, 9, 2, 'final', 0); import fathom.__main__"
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    words = "fathom: Fathom needs Python 3.11 or newer; this is 3.9\n"
    assert (done.returncode, done.stderr) == (1, words)


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py", "cli/__init__.py"])
def test_what_an_old_python_reads_first_it_can_read(name: str) -> None:
    text = (ROOT / "src" / "fathom" / name).read_text()
    ast.parse(text, feature_version=(3, 7))
