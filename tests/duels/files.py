"""The duels as files: logbooks with, at the right side of each line, who heard what."""

from pathlib import Path

from fathom.engine.logbook import BadLogbook, duel, write
from tests.duels.recipes import Recipe, cook

HERE = Path(__file__).parent


def path(name: str) -> Path:
    return HERE / f"{name}.duel"


def text(name: str) -> str:
    """The file as it is, to the byte."""
    return path(name).read_bytes().decode()


def without_hearing(told: str) -> str:
    """The logbook in a duel's text. (No note of the duels that are kept has a bar in it.)"""
    return "\n".join(line.partition(" |")[0].rstrip() for line in told.split("\n"))


def renew(recipe: Recipe) -> str:
    """The duel told anew: the same game, unless it is no longer one."""
    try:
        return duel(without_hearing(text(recipe.name)))
    except (FileNotFoundError, BadLogbook):
        return duel(write(cook(recipe)))
