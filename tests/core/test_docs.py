"""The examples of docs/core.md run as they stand."""

import doctest
import tomllib
from pathlib import Path

from fathom import __version__

ROOT = Path(__file__).parents[2]


def test_the_examples_of_the_page_run() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "core.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_both_packages_have_the_same_version() -> None:
    project = tomllib.loads((ROOT / "core" / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["version"] == __version__


def test_both_packages_have_the_same_licence() -> None:
    assert (ROOT / "core" / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
