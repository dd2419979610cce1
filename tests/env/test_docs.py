"""The examples of docs/lab.md run as they stand."""

import doctest
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "lab.md"


@pytest.mark.slow
@pytest.mark.skipif(
    not (find_spec("pyspiel") and find_spec("fathom_core")),
    reason="the page also shows OpenSpiel and the fast core",
)
def test_the_examples_of_the_page_run() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried > 20
    assert failed == 0
