"""The rules in words, each under its name: what ``data/rules.toml`` says, read and checked."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, convert, field
from msgspec.structs import replace

Words: TypeAlias = Annotated[str, Meta(min_length=1)]
RuleName: TypeAlias = Annotated[str, Meta(pattern=r"^[a-z]+\.[a-z]+(-[a-z]+)*$")]


class Section(Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter of the rules."""

    name: Words
    number: int
    title: Words


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule. A name in backticks, in any of its texts, is another rule."""

    name: RuleName
    section: Words
    title: Words
    text: Words
    ruling: Words | None = None
    """What the rulebooks leave open or contradict, and what is played."""
    only: tuple[str, ...] = ()
    """The rulebooks that have this rule; none are named if all have it."""
    books: dict[str, Words] | None = None
    """What each rulebook says on a point where they differ."""


class UnknownRule(KeyError):
    """A name that no rule has, with the names that come close to it."""

    def __init__(self, name: str, close: Iterable[str]) -> None:
        super().__init__(name)
        self.name = name
        self.close = tuple(close)

    def __str__(self) -> str:
        hint = f"; did you mean {' or '.join(self.close)}?" if self.close else ""
        return f"no rule is called {self.name[:40]!r}{hint}"


class RuleText(Struct, frozen=True, forbid_unknown_fields=True):
    """All rules, in the order in which they are read."""

    sections: tuple[Section, ...] = field(name="section")
    rules: tuple[Rule, ...] = field(name="rule")

    def __post_init__(self) -> None:
        check_once("section", (section.name for section in self.sections))
        check_once("rule", (rule.name for rule in self.rules))
        check_numbers(self.sections)
        check_order(self)

    @property
    def names(self) -> tuple[str, ...]:
        """Every rule's name."""
        return tuple(rule.name for rule in self.rules)

    def find(self, name: str) -> Rule:
        """The rule called ``name``; raises ``UnknownRule``."""
        for rule in self.rules:
            if rule.name == name:
                return rule
        raise UnknownRule(name, get_close_matches(name, self.names))

    def within(self, section: Section) -> tuple[Rule, ...]:
        """The rules of ``section``."""
        return tuple(rule for rule in self.rules if rule.section == section.name)


def read_rules(toml_text: str) -> RuleText:
    """The rules written in ``toml_text``; raises ``ValueError`` if they are not well formed."""
    return convert(tomllib.loads(toml_text), RuleText)


NO_WORDS = "…"
"""What stands for a rulebook of which nobody has written anything."""


def with_books(text: RuleText, lineages: Mapping[str, Sequence[str]]) -> RuleText:
    """The text for all of these rulebooks.

    What it does not say of one of them is what it says of the book that this is based on, with a
    mark: ``[captain-sonar-2] …``.
    """
    rules = tuple(with_books_in(rule, lineages) for rule in text.rules)
    return text if rules == text.rules else replace(text, rules=rules)


def with_books_in(rule: Rule, lineages: Mapping[str, Sequence[str]]) -> Rule:
    """One rule for all of these rulebooks."""
    only, books = list(rule.only), dict(rule.books or {})
    for book in (*only, *books):
        if book not in lineages:
            raise ValueError(f"rule {rule.name!r} names {book!r}, which is no rulebook")
    for book, bases in lineages.items():
        if only and book not in only and any(base in rule.only for base in bases):
            only.append(book)
        if books and book not in books:
            told = next((base for base in bases if base in books), "")
            books[book] = f"[{told}] {books[told]}" if told else NO_WORDS
    return replace(rule, only=tuple(only), books=books or None)


def check_once(what: str, names: Iterable[str]) -> None:
    """Nothing may be there twice."""
    for name, times in Counter(names).items():
        if times > 1:
            raise ValueError(f"{what} {name!r} is there {times} times")


def check_numbers(sections: tuple[Section, ...]) -> None:
    """Sections are numbered 1, 2, 3."""
    for number, section in enumerate(sections, 1):
        if section.number != number:
            raise ValueError(f"section {section.name!r} has number {section.number}, not {number}")


def check_order(text: RuleText) -> None:
    """Each rule belongs to a section, and the rules follow the order of the sections."""
    place = {section.name: section.number for section in text.sections}
    for rule in text.rules:
        if rule.section not in place:
            raise ValueError(f"rule {rule.name!r} is in an unknown section {rule.section!r}")
    for before, after in pairwise(text.rules):
        if place[after.section] < place[before.section]:
            raise ValueError(f"rule {after.name!r} comes after {before.name!r} of a later section")
