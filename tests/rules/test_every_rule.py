"""Every rule is shown by a test that carries its name, in every rulebook where it differs."""

import importlib
from collections import defaultdict
from pathlib import Path
from types import FunctionType

import pytest

from fathom.rules import library

HERE = Path(__file__).parent


def shown() -> dict[str, set[str]]:
    """For each rule that a test in this folder carries, the rulebooks that those tests name."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in sorted(HERE.glob("test_*.py")):
        module = importlib.import_module(f"tests.rules.{file.stem}")
        for test in vars(module).values():
            if isinstance(test, FunctionType) and test.__name__.startswith("test_"):
                for mark in getattr(test, "pytestmark", []):
                    if mark.name == "rule":
                        found[mark.args[0]].update(mark.args[1:])
    return found


RULES = {rule.name: rule for rule in library.rule_text().rules}


@pytest.mark.parametrize("name", RULES)
def test_a_test_carries_its_name(name: str) -> None:
    assert name in shown(), f"no test in tests/rules carries {name}"


@pytest.mark.parametrize("name", [name for name, rule in RULES.items() if rule.books])
def test_every_rulebook_that_differs_has_a_test(name: str) -> None:
    books = RULES[name].books
    assert books is not None
    missing = {book for book, _ in books.items()} - shown()[name]
    assert not missing, f"{name} is not shown for {', '.join(sorted(missing))}"


def test_no_test_carries_a_name_that_is_no_rule() -> None:
    assert set(shown()) <= set(RULES)
