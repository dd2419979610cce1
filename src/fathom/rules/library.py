"""The data files that ship with the program, read once and checked."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from fathom.rules.chart import BadChart, Chart, read_chart
from fathom.rules.rulebook import Rulebook
from fathom.rules.scenario import Scenario
from fathom.rules.sheet import Hull, Sheet, SheetFile, assemble
from fathom.rules.text import RuleText, read_rules, with_books
from fathom.rules.translation import Translation, read_translation, translate

T = TypeVar("T")

DATA: Traversable = files("fathom") / "data"
ENGLISH = "en"
LANGUAGES = (
    ENGLISH,
    *sorted(
        file.name.split(".")[1]
        for file in DATA.iterdir()
        if file.name.startswith("rules.") and file.name.count(".") == 2
    ),
)
"""The languages in which the rules can be asked for: those that have a file."""
PLACE, LAST = "place", 1_000
"""The key of a rulebook's place among the others; those without one come last."""
LONGEST_CHART = 20_000
"""Bytes that a chart's file may have."""


class BadData(ValueError):
    """A data file that can't be used; the message names the file and what is wrong where."""


class Unknown(KeyError):
    """Nothing of that name in the library."""

    def __init__(self, what: str, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"there is no {what} called {name[:40]!r}; known: {', '.join(known)}")

    def __str__(self) -> str:
        return str(self.args[0])


def names(folder: str, ending: str) -> tuple[str, ...]:
    """The data files of ``folder``, without their ending."""
    found = (file.name for file in (DATA / folder).iterdir() if file.name.endswith(ending))
    return tuple(sorted(file.removesuffix(ending) for file in found))


@cache
def rulebook_names() -> tuple[str, ...]:
    """All rulebooks."""
    return names("rulebooks", ".toml")


@cache
def chart_names() -> tuple[str, ...]:
    """All charts."""
    return names("charts", ".txt")


@cache
def scenario_names() -> tuple[str, ...]:
    """All scenarios, by edition and in the order in which they are advised."""
    found = [scenario(name) for name in names("scenarios", ".toml")]
    books = (rulebook(book) for book in reading_order())
    editions = list(dict.fromkeys(scenario(book.first_scenario).edition for book in books))
    editions += sorted({s.edition for s in found}.difference(editions))
    return tuple(
        s.name for s in sorted(found, key=lambda s: (editions.index(s.edition), s.advised, s.name))
    )


@cache
def sheet_names() -> tuple[str, ...]:
    """All engineer's sheets."""
    return tuple(name for name in names("sheets", ".toml") if name != "hull")


@cache
def rulebook(name: str) -> Rulebook:
    """The rulebook called ``name``."""
    known("rulebook", name, rulebook_names())
    return build(f"rulebooks/{name}.toml", rulebook_fields(name), Rulebook)


@cache
def lineage(name: str) -> tuple[str, ...]:
    """The rulebook, the one that it is based on, and so on."""
    base = fields(f"rulebooks/{name}.toml").get("base")
    return (name, *lineage(base)) if base else (name,)


@cache
def reading_order() -> tuple[str, ...]:
    """The rulebooks in the order in which people read about them: those with a place first."""
    books = {name: fields(f"rulebooks/{name}.toml") for name in rulebook_names()}
    return tuple(sorted(books, key=lambda name: (books[name].get(PLACE, LAST), name)))


@cache
def chart(name: str) -> Chart:
    """The chart called ``name``."""
    known("chart", name, chart_names())
    file = f"charts/{name}.txt"
    return read_chart(name, file, (DATA / file).read_text("utf-8"))


def chart_from(path: Path) -> Chart:
    """A chart from a user's own file."""
    with path.open("rb") as file:
        content = file.read(LONGEST_CHART + 1)
    if len(content) > LONGEST_CHART:
        raise BadChart(str(path), 1, 1, "this is too long for a chart")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as bad:
        line = content.count(b"\n", 0, bad.start) + 1
        column = bad.start - content.rfind(b"\n", 0, bad.start)
        raise BadChart(
            str(path), line, column, f"this is not UTF-8 text (byte {bad.start + 1})"
        ) from None
    return read_chart(path.stem, str(path), text)


@cache
def scenario(name: str) -> Scenario:
    """The scenario called ``name``."""
    known("scenario", name, names("scenarios", ".toml"))
    file = f"scenarios/{name}.toml"
    return build(file, {"name": name, **fields(file)}, Scenario)


@cache
def sheet(name: str) -> Sheet:
    """The engineer's sheet called ``name``."""
    known("sheet", name, sheet_names())
    file = f"sheets/{name}.toml"
    return assemble(name, build(file, fields(file), SheetFile))


@cache
def hull() -> Hull:
    """The hull that a surfaced crew traces."""
    return build("sheets/hull.toml", fields("sheets/hull.toml"), Hull)


@cache
def rule_text(language: str = "en") -> RuleText:
    """Every rule in words; what a language has not is told in English."""
    known("language", language, LANGUAGES)
    english = read_rules((DATA / "rules.toml").read_text("utf-8"))
    words = rule_words(language)
    text = english if words is None else translate(english, words)
    return with_books(text, {book: lineage(book)[1:] for book in rulebook_names()})


def rule_words(language: str) -> Translation | None:
    """What the rules' file of another language says, if there is one."""
    file = DATA / f"rules.{language}.toml"
    if not file.is_file():
        return None
    try:
        return read_translation(file.read_text("utf-8"))
    except ValueError as bad:
        raise BadData(f"{file.name}: {bad}") from None


def known(what: str, name: str, all_names: tuple[str, ...]) -> None:
    """Refuse a name that is not in the library."""
    if name not in all_names:
        raise Unknown(what, name, all_names)


def rulebook_fields(name: str, below: tuple[str, ...] = ()) -> dict[str, Any]:
    """The rulebook's fields, laid over those of the book that it is based on."""
    file = f"rulebooks/{name}.toml"
    own = fields(file)
    own.pop(PLACE, None)
    base = own.pop("base", None)
    if base is None:
        return {**own, "name": name}
    if base not in rulebook_names() or base in (*below, name):
        raise BadData(f"{file}: it can't be based on {base!r}")
    return {**overlay(rulebook_fields(base, (*below, name)), own), "name": name}


def overlay(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """``below`` with what ``above`` says otherwise; tables are merged, lists replaced."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both = isinstance(value, Mapping) and isinstance(under, Mapping)
        merged[key] = overlay(under, value) if both else value  # type: ignore[arg-type]
    return merged


def fields(file: str) -> dict[str, Any]:
    """The fields of a data file."""
    return parse_toml(file, (DATA / file).read_text("utf-8"))


def parse_toml(file: str, text: str) -> dict[str, Any]:
    """The fields of ``text``; a complaint names file, line and column."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as bad:
        raise BadData(f"{file}: {bad}") from None


def build(file: str, values: Mapping[str, Any], kind: type[T]) -> T:
    """The values as a record; a complaint names file and field."""
    try:
        return msgspec.convert(values, kind)
    except msgspec.ValidationError as bad:
        raise BadData(f"{file}: {bad}") from None
