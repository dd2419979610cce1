"""The rules as one Markdown page: ``docs/rules.md`` is what this writes."""

import re
from collections.abc import Iterable, Iterator, Sequence

from fathom.cli import fields
from fathom.rules import library
from fathom.rules.text import Rule, RuleText

HEAD = """\
<!-- Written by `fathom rules --markdown` from src/fathom/data/rules.toml; change it there. -->

# The rules

Every rule has a name. An order that breaks a rule is refused with its name, so that you can look
it up here, or with `fathom rules NAME`. Four rulebooks can be played:

| name | game |
| --- | --- |
{books}

Where a rulebook is silent or contradicts itself, a *ruling* says what is played. Most rulings are
fields that a table may set otherwise: see [what a table can change](#what-a-table-can-change).
"""

FIELDS_HEAD = """
## What a table can change

These fields of the rulebook can be set otherwise when a game is set up, as `rulings`; the table
shows what each rulebook says. For yes and no write `true` and `false`.
"""

HOUSE_HEAD = """
And this is what a table agrees beside its rulebook, as `house`, with the usual choice:
"""

FIXED_HEAD = """
## What makes a rulebook

These fields are each rulebook's own and can't be changed by a table.
"""


def write(text: RuleText) -> str:
    """The whole page."""
    return "\n".join(line.rstrip() for line in "\n".join(blocks(text)).splitlines()) + "\n"


def blocks(text: RuleText) -> Iterator[str]:
    """The page, piece by piece."""
    books = [f"| `{name}` | {library.rulebook(name).title} |" for name in fields.book_names()]
    yield HEAD.format(books="\n".join(books))
    for section in text.sections:
        yield f"\n## {section.number}. {section.title}\n"
        yield "\n".join(block for rule in text.within(section) for block in rule_blocks(rule))
    names = [f"`{name}`" for name in fields.book_names()]
    yield FIELDS_HEAD
    yield table(fields.rulings(), names)
    yield HOUSE_HEAD
    yield table(fields.house(), ["usually"])
    yield FIXED_HEAD
    yield table(fields.foundations(), names)


def rule_blocks(rule: Rule) -> Iterator[str]:
    """One rule: heading, text, ruling, and what the rulebooks say."""
    yield f'<a id="{rule.name}"></a>\n\n### `{rule.name}` {rule.title}\n'
    yield linked(rule.text) + "\n"
    if rule.ruling:
        yield f"*Ruling.* {linked(rule.ruling)}\n"
    if rule.only:
        yield f"*Only in* {' and '.join(f'`{book}`' for book in rule.only)}.\n"
    if rule.books:
        yield "| rulebook | says |\n| --- | --- |"
        yield "\n".join(f"| `{book}` | {linked(cell(said))} |" for book, said in rule.books.items())
        yield ""


def linked(words: str) -> str:
    """The words with the names of rules as links to them."""
    return re.sub(r"`([a-z]+\.[a-z-]+)`", r"[`\1`](#\1)", words)


def table(rows: Iterable[fields.Field], columns: Sequence[str]) -> str:
    """Fields as a table."""
    heads = ["field", "meaning", *columns]
    lines = [row_of(heads), row_of(["---"] * len(heads))]
    lines += [row_of([f"`{row.name}`", named(row.meaning), *row.values]) for row in rows]
    return "\n".join(lines)


def row_of(cells: Iterable[str]) -> str:
    """One row of a table."""
    return f"| {' | '.join(map(cell, cells))} |"


def named(words: str) -> str:
    """A meaning, its rule in brackets as a link."""
    return re.sub(r"\(([a-z]+\.[a-z-]+)\)", r"([`\1`](#\1))", words)


def cell(words: str) -> str:
    """Words that can't break a table."""
    return " ".join(words.split()).replace("|", "\\|")
