"""Whole duels as text: beside each line stands who heard what, so a leak shows in the diff."""

import re

import pytest

from fathom.engine.logbook import duel, read, write
from fathom.rules.library import rulebook_names
from fathom.words import Mode
from tests.duels.files import HERE, text, without_hearing
from tests.duels.recipes import RECIPES, Recipe

ALL = pytest.mark.parametrize("recipe", RECIPES, ids=[recipe.name for recipe in RECIPES])
LINE = re.compile(r" *\d+ {2,4}(?P<told>.*?) +\|(?P<heard>.*)")
SECRETS = (
    *("starts on", "marks", "calls", "crosses out", "mends", "is destroyed", "reports ready"),
    *("draws", "puts", "writes", "rubs out", "wipes", "slides", "takes a new sheet"),
)
"""Words of lines of which no enemy may hear anything."""


@ALL
def test_everyone_hears_what_they_heard(recipe: Recipe) -> None:
    told = text(recipe.name)
    assert duel(without_hearing(told)) == told


@ALL
def test_what_it_is_kept_for_happens_in_it(recipe: Recipe) -> None:
    logbook = read(without_hearing(text(recipe.name)))
    assert all(wish(logbook) for wish in recipe.wanted)
    assert len(logbook.events) <= 150


@ALL
def test_it_is_a_logbook_to_the_last_letter(recipe: Recipe) -> None:
    lines = without_hearing(text(recipe.name)).split("\n")
    again = write(read("\n".join(lines))).split("\n")
    assert again[again.index("---") :] == lines[lines.index("---") :]


@ALL
def test_no_enemy_hears_a_secret(recipe: Recipe) -> None:
    told = text(recipe.name)
    logbook = read(without_hearing(told))
    body = told[told.index("\n---\n") + 5 :].splitlines()
    for line, event in zip(body, logbook.events, strict=True):
        found = LINE.fullmatch(line)
        assert found, line
        crew = getattr(event, "crew", None)
        if crew is None:
            continue
        enemy = logbook.setup.book.colours[crew.value == "a"]
        heard = [news for news in found["heard"].split(" | ") if news.strip().startswith(enemy)]
        if any(secret in found["told"] for secret in SECRETS) and "old mine" not in found["told"]:
            assert not heard, line
        elif "runs silent" in found["told"]:
            assert re.fullmatch(r" ?\w+ hears: \w+ runs silent", heard[0]), line
        elif "lays a mine" in found["told"]:
            assert re.fullmatch(r" ?\w+ hears: \w+ lays a mine", heard[0]), line


def test_every_rulebook_has_a_duel_in_every_mode() -> None:
    played = {(recipe.choices.rulebook, recipe.choices.mode) for recipe in RECIPES}
    assert played == {(book, mode) for book in rulebook_names() for mode in Mode}


def test_every_file_has_a_recipe() -> None:
    assert {file.stem for file in HERE.glob("*.duel")} == {recipe.name for recipe in RECIPES}
