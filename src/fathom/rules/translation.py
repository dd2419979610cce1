"""The rules' words in another language, laid over the English ones.

A translation has the names of ``data/rules.toml`` and says nothing of its own: what it leaves out
is read in English.
"""

import tomllib
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, convert, field, structs

from fathom.rules.text import Rule, RuleText, Section, Words, check_once


class SectionWords(Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter's title; its number, if given, is the English one."""

    name: Words
    title: Words
    number: int | None = None


class RuleWords(Struct, frozen=True, forbid_unknown_fields=True):
    """One rule's words; where it stands and who has it, if given, are as in English."""

    name: Words
    title: Words | None = None
    text: Words | None = None
    ruling: Words | None = None
    books: dict[str, Words] = {}
    section: Words | None = None
    only: tuple[Words, ...] | None = None


class Translation(Struct, frozen=True, forbid_unknown_fields=True):
    """All that one language says."""

    sections: tuple[SectionWords, ...] = field(name="section", default=())
    rules: tuple[RuleWords, ...] = field(name="rule", default=())


def read_translation(toml_text: str) -> Translation:
    """The words in ``toml_text``; raises ``ValueError`` if they are not well formed."""
    return convert(tomllib.loads(toml_text), Translation)


def translate(english: RuleText, words: Translation) -> RuleText:
    """The rules in that language; ``ValueError`` if it knows what English does not."""
    check(english, words)
    sections = {said.name: said for said in words.sections}
    rules = {said.name: said for said in words.rules}
    return RuleText(
        tuple(laid_over(section, sections.get(section.name)) for section in english.sections),
        tuple(rule_laid_over(rule, rules.get(rule.name)) for rule in english.rules),
    )


def laid_over(section: Section, said: SectionWords | None) -> Section:
    return section if said is None else structs.replace(section, title=said.title)


def rule_laid_over(rule: Rule, said: RuleWords | None) -> Rule:
    """The rule with every word that the translation has."""
    if said is None:
        return rule
    changed: dict[str, Any] = {
        name: words for name in ("title", "text", "ruling") if (words := getattr(said, name))
    }
    if rule.books is not None:
        changed["books"] = {**rule.books, **said.books}
    return structs.replace(rule, **changed)


def check(english: RuleText, words: Translation) -> None:
    """Everything that is translated is there in English, and is translated once."""
    check_once("section", (section.name for section in words.sections))
    check_once("rule", (rule.name for rule in words.rules))
    known = {*keys(english), *(f"rule {name}" for name in english.names)}
    for key in (*keys(words), *(f"rule {rule.name}" for rule in words.rules)):
        if key not in known:
            raise ValueError(f"{key} is not in the English rules")
    numbers = {section.name: section.number for section in english.sections}
    for section in words.sections:
        agree(f"section {section.name}", section.number, numbers[section.name])
    for rule in words.rules:
        same = english.find(rule.name)
        agree(f"rule {rule.name}", rule.section, same.section)
        agree(f"rule {rule.name}", rule.only, same.only)


def agree(what: str, said: object, english: object) -> None:
    """A translation that repeats a fact repeats it as it is."""
    if said is not None and said != english:
        raise ValueError(f"{what} says {said!r}, but in English it is {english!r}")


def missing(english: RuleText, words: Translation) -> list[str]:
    """What is still read in English."""
    told = set(keys(words))
    return [key for key in keys(english) if key not in told]


def keys(text: RuleText | Translation) -> Iterator[str]:
    """Every text that is there, by its place: ``rule move.course, books.sonar``."""
    yield from (f"section {section.name}" for section in text.sections)
    for rule in text.rules:
        for name in ("title", "text", "ruling"):
            if getattr(rule, name):
                yield f"rule {rule.name}, {name}"
        for book in books_of(rule):
            yield f"rule {rule.name}, books.{book}"


def books_of(rule: Rule | RuleWords) -> list[str]:
    """The rulebooks of which the rule tells something of their own."""
    return list(rule.books or ())
