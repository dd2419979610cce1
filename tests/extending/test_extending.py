"""The worked examples of docs/extending.md, carried out: what is added there, and no more.

Each is laid over a copy of the package, and whole games are played with it by bots, through the
referee, as a logbook and by views.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Example(NamedTuple):
    """A folder that is laid over the package, and lines that are added to its files."""

    name: str
    edits: tuple[tuple[str, str, str], ...] = ()
    """A file, a line of it, and the line that comes after it."""
    rulebook: str = "captain-sonar"
    chart: str = "-"
    wanted: str = "-"

    @property
    def files(self) -> int:
        """How many files it took."""
        added = [file for file in (HERE / self.name).rglob("*.*") if "__pycache__" not in str(file)]
        return len(added) + len(self.edits)


DECOY = Example(
    "decoy",
    edits=(
        ("words.py", '    SCENARIO = "scenario"\n', '    DECOY = "decoy"\n'),
        ("rules/rulebook.py", "    silence: Count = 0\n", "    decoy: Count = 0\n"),
    ),
    rulebook="decoys",
    wanted="decoy",
)
CURRENTS = Example("currents", chart="currents-10", wanted="scenario.currents")
RULEBOOK = Example("rulebook", rulebook="wolfpack")
CHART = Example("chart", chart="lagoon-10")
LANGUAGE = Example("language")


def extended(example: Example, folder: Path) -> Path:
    """A copy of the package with the example in it; what is on the path to use it."""
    package = folder / "fathom"
    shutil.copytree(
        ROOT / "src" / "fathom", package, ignore=shutil.ignore_patterns("__pycache__", "client")
    )
    shutil.copytree(HERE / example.name, package, dirs_exist_ok=True)
    for file, line, more in example.edits:
        text = (package / file).read_text(encoding="utf-8")
        assert text.count(line) == 1, (file, line)
        (package / file).write_text(text.replace(line, line + more), encoding="utf-8")
    return folder


def run(path: Path, *words: str, lines: str = "") -> str:
    """What a module of the extended package prints, or its command line."""
    environment = {**os.environ, "PYTHONPATH": f"{path}{os.pathsep}{ROOT}", "COLUMNS": "100"}
    done = subprocess.run(  # noqa: S603  (our own words)
        [sys.executable, "-m", words[0].replace("fathom", "fathom.cli"), *words[1:]],
        input=lines,
        capture_output=True,
        text=True,
        check=False,
        cwd=path,
        env=environment,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ask(path: Path, *requests: Mapping[str, object]) -> list[dict[str, object]]:
    """What the referee of the extended package answers."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    return [json.loads(line) for line in run(path, "fathom", "referee", lines=lines).splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("example", [DECOY, CURRENTS, RULEBOOK, CHART], ids=lambda e: e.name)
def test_whole_games_are_played(example: Example, tmp_path: Path) -> None:
    path = extended(example, tmp_path)
    play = (example.rulebook, example.chart, example.wanted)
    told = json.loads(run(path, "tests.extending.play", *play))
    assert told["orders"] > 100


@pytest.mark.slow
def test_the_referee_plays_a_new_system(tmp_path: Path) -> None:
    path = extended(DECOY, tmp_path)
    order = {"do": "order", "seat": "yellow/0", "order": {"order": "decoy", "sector": 4}}
    hello, _, refused = ask(
        path, {"do": "hello"}, {"do": "setup", "rulebook": "decoys", "first": "a"}, order
    )
    assert "decoys" in hello["rulebooks"]  # type: ignore[operator]
    assert refused["refused"] == "start.place"


@pytest.mark.slow
def test_a_rulebook_is_one_file_everywhere(tmp_path: Path) -> None:
    path = extended(RULEBOOK, tmp_path)
    (hello, _) = ask(path, {"do": "hello"}, {"do": "setup", "rulebook": "wolfpack"})
    assert "wolfpack" in hello["rulebooks"]  # type: ignore[operator]
    assert "wolfpack" in run(path, "fathom", "rules", "--fields")
    assert "[captain-sonar-2]" in run(path, "fathom", "rules", "mine.armed", "--book", "wolfpack")
    page = run(path, "fathom", "rules", "--markdown")
    assert "| `wolfpack` | Wolfpack |" in page
    played = run(
        path,
        "fathom",
        "play",
        "--rulebook",
        "wolfpack",
        "--ranks",
        "cadet",
        "cadet",
        "--plain",
        "--speed",
        "1000",
        "--seed",
        "1",
    )
    assert "black" in played
    library = run(path, "tests.extending.library")
    assert json.loads(library)["wolfpack"] == [
        "alpha-2",
        "bravo-2",
        "charlie-2",
        "delta-2",
        "echo-2",
    ]


@pytest.mark.slow
def test_a_chart_and_a_language_are_one_file_each(tmp_path: Path) -> None:
    path = extended(CHART, tmp_path / "chart")
    assert "Lagoon" in run(path, "fathom", "charts", "lagoon-10")
    path = extended(LANGUAGE, tmp_path / "language")
    assert "Kurs" in run(path, "fathom", "rules", "move.course", "--language", "de")
    english = run(path, "fathom", "rules", "surface.announce", "--language", "de")
    assert "The captain may order" in english


def test_how_many_files_it_took() -> None:
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    for example in (DECOY, CURRENTS, RULEBOOK, CHART, LANGUAGE):
        assert f"| {example.name} | {example.files} |" in page, (example.name, example.files)
