"""Every other way to a player: a bare checkout, uvx, pipx, and the single-file program.

`make test-install` makes what these install, and runs them; `make test` leaves them out.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from fathom import __version__
from tests.install.environments import ROOT, copy_checkout, empty_environment, install, without_node
from tests.install.playing import plays_one_order

pytestmark = [pytest.mark.slow, pytest.mark.install]

WHEEL = ROOT / "dist" / f"fathom_sonar-{__version__}-py3-none-any.whl"
BUNDLE = ROOT / "dist" / ("fathom.exe" if sys.platform == "win32" else "fathom")
LARGEST = 40_000_000
LATEST = 10.0
"""Seconds until the first order, for somebody who waits for a program to start."""


@pytest.fixture
def wheel() -> str:
    if not WHEEL.exists():
        pytest.skip("there is no wheel: make dist builds it")
    return str(WHEEL)


def own_settings() -> dict[str, str]:
    """What this machine says about where packages come from."""
    names = ("PIP_", "UV_", "SSL_", "HTTP", "http", "NPM_", "npm_", "NODE_")
    return {name: value for name, value in os.environ.items() if name.startswith(names)}


def test_one_file_serves_and_its_bots_play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if not BUNDLE.exists():
        pytest.skip("there is no bundle: make bundle builds it")
    size = BUNDLE.stat().st_size
    # Nothing of this machine's Python may help it.
    alone = {"PATH": "/nowhere", "BROWSER": "true"}
    seconds = plays_one_order([str(BUNDLE)], tmp_path, (), alone)
    with capsys.disabled():
        sys.stdout.write(f"\n{size / 1e6:.1f} MB, first order after {seconds:.1f} s\n")
    assert size < LARGEST
    assert seconds < LATEST


def test_make_play_in_a_fresh_checkout(tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path / "checkout", with_client=False)
    command = ["make", "--no-print-directory", "--directory", str(checkout)]
    done = subprocess.run(  # noqa: S603
        [*command, "setup", "src/fathom/server/client/index.html"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    arguments = ("play", "ARGS=--host 127.0.0.1")
    environment = {"PATH": os.environ["PATH"], "BROWSER": "true"}
    # make itself is ended by the signal that it hands on.
    plays_one_order(command, tmp_path, arguments, environment, ended=-signal.SIGTERM)


def test_pip_from_git(tmp_path: Path) -> None:
    python = empty_environment(tmp_path / "venv")
    install(python, f"git+file://{ROOT}")
    plays_one_order([python, "-m", "fathom"], tmp_path)


def test_pip_from_a_bare_checkout_without_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = copy_checkout(tmp_path / "checkout", with_client=False)
    python = empty_environment(tmp_path / "venv")
    monkeypatch.setenv("PATH", without_node(tmp_path))
    install(python, str(checkout))
    plays_one_order([str(Path(python).with_name("fathom"))], tmp_path)


def test_uvx(wheel: str, tmp_path: Path) -> None:
    uv = ROOT / ".venv-lock" / "bin" / "uv"
    if not uv.exists():
        pytest.skip("there is no uv: make lock installs it")
    command = [str(uv), "tool", "run", "--from", wheel, "fathom"]
    plays_one_order(command, tmp_path, environment=own_settings())


def test_pipx_and_fathom_alone(wheel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = empty_environment(tmp_path / "venv")
    install(python, "pipx")
    for name in ("HOME", "BIN_DIR", "MAN_DIR"):
        monkeypatch.setenv(f"PIPX_{name}", str(tmp_path / name))
    done = subprocess.run(  # noqa: S603
        [python, "-m", "pipx", "install", wheel], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    command = [str(tmp_path / "BIN_DIR" / "fathom")]
    plays_one_order(command, tmp_path, (), {"BROWSER": "true"})
