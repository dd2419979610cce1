"""Who takes part: a rank, a bot written in Python, or a program in any language."""

import importlib
import importlib.util
import shlex
import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from msgspec import Struct

from fathom.arena.program import ANSWER_SECONDS, Program
from fathom.bots.protocol import Bot
from fathom.bots.ranks import RANKS
from fathom.bots.roster import enlist
from fathom.engine.compiled_setup import CompiledSetup
from fathom.words import Seat

SeededBotMaker = Callable[[CompiledSetup, Seat, int], Bot]
"""Makes a bot for a seat, from a seed."""

PYTHON, PROGRAM = "python:", "program:"
FORMS: Final = "a rank, python:MODULE:CALLABLE, python:FILE.py:CALLABLE or program:COMMAND"


class BadEntrant(ValueError):
    """Nobody of that description can take part; the message says why."""


class Entrant(Struct, frozen=True):
    """One that takes part, under a name of its own."""

    name: str
    what: str
    """Its description: a rank, ``python:…`` or ``program:…``."""
    seconds: float = ANSWER_SECONDS
    """How long a program may take for an answer."""

    def enlist(self, ground: CompiledSetup, seat: Seat, seed: int) -> Bot:
        """A bot for this seat."""
        bot = enlister(self.what)(ground, seat, seed)
        if isinstance(bot, Program):
            bot.begin(self.seconds)
        return bot


def read_entrant(text: str) -> Entrant:
    """The entrant described: ``admiral``, or with a name ``mine=python:my_bot.py:Bot``."""
    name, equals, what = text.partition("=")
    if not equals or not name or not name.replace("-", "").replace("_", "").isalnum():
        name, what = text, text
    if not what.isprintable() or len(what) > 400:
        raise BadEntrant(f"{text[:40]!r} describes nobody; give {FORMS}")
    enlister(what)
    return Entrant(short_name(name), what)


def short_name(name: str) -> str:
    """What an entrant is called in tables, if it was not given a name."""
    for prefix in (PYTHON, PROGRAM):
        if name.startswith(prefix):
            return Path(name.removeprefix(prefix)).name[:40].strip() or name[:40]
    return name


@cache
def enlister(what: str) -> SeededBotMaker:
    """What makes the bots of such an entrant."""
    if what.startswith(PYTHON):
        return python_bot(what.removeprefix(PYTHON))
    if what.startswith(PROGRAM):
        return program_bot(what.removeprefix(PROGRAM))
    ranks = {rank.value: rank for rank in RANKS}
    if what not in ranks:
        known = ", ".join(ranks)
        raise BadEntrant(f"there is no rank {what[:40]!r}; there are {known} (or give {FORMS})")
    rank = ranks[what]
    return lambda ground, seat, seed: enlist(rank, ground, seat, seed)


def python_bot(where: str) -> SeededBotMaker:
    """A class or function in a module or a file, called with ground, seat and seed."""
    place, colon, called = where.rpartition(":")
    if not colon or not place or not called:
        raise BadEntrant(f"{PYTHON}{where} lacks a part; it is python:MODULE:CALLABLE")
    try:
        module = from_file(Path(place)) if place.endswith(".py") else from_module(place)
    except Exception as fault:
        what = f"{type(fault).__name__}: {fault}"
        raise BadEntrant(f"{place} can't be imported: {what}") from fault
    found: Any = getattr(module, called, None)
    if not callable(found):
        raise BadEntrant(f"{place} has nothing called {called!r} that makes a bot")
    made: SeededBotMaker = found
    return made


def from_module(name: str) -> ModuleType:
    """A module by its name, also one in the current folder."""
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    return importlib.import_module(name)


def from_file(path: Path) -> ModuleType:
    """A module by its file."""
    spec = importlib.util.spec_from_file_location(f"fathom_entrant_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise FileNotFoundError("there is no such file")
    module = importlib.util.module_from_spec(spec)
    # Records and enums look their own module up by its name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def program_bot(command: str) -> SeededBotMaker:
    """A program that is started for every game and seat."""
    try:
        words = shlex.split(command)
    except ValueError as bad:
        raise BadEntrant(f"{PROGRAM}{command}: {bad}") from None
    if not words or shutil.which(words[0]) is None:
        raise BadEntrant(f"there is no program {words[0] if words else ''!r} that can be run")
    return lambda ground, seat, seed: Program(words, ground, seat, seed)
