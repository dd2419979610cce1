"""The wheel and the source archive: what is in them, and that they play where nothing else is."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from fathom import __version__
from fathom.server.client_files import CLIENT
from tests.install.environments import ROOT, copy_checkout, empty_environment, install, without_node
from tests.install.playing import plays_one_order

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="environments look otherwise there"),
]
WHEEL = f"fathom_sonar-{__version__}-py3-none-any.whl"
ARCHIVE = f"fathom_sonar-{__version__}.tar.gz"


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What ``make dist`` makes."""
    if not (CLIENT / "index.html").exists():
        pytest.skip("the browser's client is not built: make dist builds it first")
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder)
    return folder


def build(checkout: Path, folder: Path, *options: str, **environment: str) -> str:
    """As ``make dist`` does it; what was said."""
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), *options]
    given = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000", **environment}
    done = subprocess.run(  # noqa: S603
        command, cwd=checkout, check=False, capture_output=True, text=True, env=given
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def digests(folder: Path) -> dict[str, str]:
    return {
        place.name: hashlib.sha256(place.read_bytes()).hexdigest() for place in folder.iterdir()
    }


def test_a_wheel_alone_serves_the_client_and_a_game_against_a_bot(
    dist: Path, tmp_path: Path
) -> None:
    python = empty_environment(tmp_path / "venv")
    install(python, "--require-hashes", "--requirement", str(ROOT / "requirements.txt"))
    # Whatever else it needs is not there: then it says so.
    install(python, "--no-index", str(dist / WHEEL))
    plays_one_order([python, "-m", "fathom"], tmp_path)


def test_the_client_is_in_the_wheel(dist: Path) -> None:
    with zipfile.ZipFile(dist / WHEEL) as archive:
        names = set(archive.namelist())
    built = {f"fathom/server/client/{place}" for place in ("index.html", "sw.js")}
    assert built <= names
    assert "fathom/data/rules.toml" in names


def test_the_readme_names_the_wheel_as_it_is_built() -> None:
    named = set(re.findall(r"fathom_sonar-[\w.-]+\.whl", (ROOT / "README.md").read_text()))
    assert named == {WHEEL}


def test_the_source_archive_has_what_is_committed_and_the_client_and_nothing_else(
    dist: Path,
) -> None:
    with tarfile.open(dist / ARCHIVE) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    committed = subprocess.run(
        ["git", "ls-files"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    if not committed:
        pytest.skip("this is no checkout")
    client = "src/fathom/server/client/"
    more = {name for name in names - set(committed) if not name.startswith(client)}
    fresh = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    assert more - set(fresh) == {"PKG-INFO"}
    assert f"{client}index.html" in names
    # What begins with a dot is for tools that work on a checkout.
    assert [name for name in set(committed) - names if not re.search(r"(^|/)\.", name)] == []


def test_the_same_bytes_wherever_and_whenever_it_is_built(dist: Path, tmp_path: Path) -> None:
    elsewhere = copy_checkout(tmp_path / "another folder", with_client=True)
    for place in elsewhere.rglob("*"):
        if place.is_file():
            place.chmod(0o600)
            # The client last: it must be newer than its sources.
            late = 1 if CLIENT.name in place.parts else 0
            os.utime(place, (1_600_000_000 + late, 1_600_000_000 + late))
    build(elsewhere, tmp_path / "dist")
    assert digests(tmp_path / "dist") == digests(dist)


def test_a_wheel_from_the_source_archive_is_the_same_and_needs_no_node(
    dist: Path, tmp_path: Path
) -> None:
    unpack = ["tar", "-xzf", str(dist / ARCHIVE), "-C", str(tmp_path)]
    subprocess.run(unpack, check=True)  # noqa: S603
    unpacked = tmp_path / ARCHIVE.removesuffix(".tar.gz")
    build(unpacked, tmp_path / "dist", "-t", "wheel", PATH=without_node(tmp_path))
    assert digests(tmp_path / "dist")[WHEEL] == digests(dist)[WHEEL]


def test_a_checkout_without_node_is_never_installed_without_its_game(tmp_path: Path) -> None:
    checkout = copy_checkout(tmp_path / "checkout", with_client=False)
    python = empty_environment(tmp_path / "venv")
    # The build backend of the tests, so that the network is not asked for Node either.
    own = next(Path(place) for place in sys.path if place.endswith("site-packages"))
    done = subprocess.run(  # noqa: S603
        [python, "-m", "pip", "install", "--no-deps", "--no-build-isolation", str(checkout)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PATH": without_node(tmp_path), "PYTHONPATH": str(own)},
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert "The browser's client can't be built: neither Node 20.19 or newer with npm" in said
    assert "Install one of them and try again, or install a wheel" in said
    assert "Traceback" not in said
    assert not shutil.which("fathom", path=str(Path(python).parent))
