"""``fathom rules``: every rule by its name, and the fields that rulebooks are made of."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from rich.console import Console
from rich.text import Text

from fathom.cli import fields, rules_page
from fathom.cli.terminal import OK, Failure, open_console, print_hanging
from fathom.rules import library
from fathom.rules.text import Rule, RuleText, UnknownRule


def run(options: Namespace) -> int:
    """Print the list, a rule, what was searched for, the fields or the whole page."""
    console = open_console()
    text = library.rule_text(options.language)
    if options.markdown:
        print(rules_page.write(text), end="")
    elif options.fields:
        print_fields(console)
    elif options.search:
        print_found(console, text, options.search, options.book)
    elif options.name:
        print_rule(console, find(text, options.name), options.book)
    else:
        print_list(console, text, options.book)
    return OK


def find(text: RuleText, name: str) -> Rule:
    """The rule of that name, or a hint."""
    try:
        return text.find(name.lower())
    except UnknownRule as unknown:
        close = unknown.close or get_close_matches(name, text.names, cutoff=0.4) or like(text, name)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        where = "" if close else "; `fathom rules` lists them all"
        raise Failure(f"no rule is called {name[:40]!r}{hint}{where}") from None


def like(text: RuleText, name: str) -> list[str]:
    """Rules that begin with the word, such as ``silence``."""
    word = name.lower().partition(".")[0]
    return [rule for rule in text.names if word in rule.split(".")][:5]


def holds_in(rule: Rule, book: str | None) -> bool:
    """Whether the rulebook has the rule."""
    return book is None or not rule.only or book in rule.only


# The list


def print_list(console: Console, text: RuleText, book: str | None) -> None:
    """All rules by section, with their titles."""
    for section in text.sections:
        rules = [rule for rule in text.within(section) if holds_in(rule, book)]
        console.print(Text().append(f"{section.number}. {section.title}", "bold"))
        print_titles(console, rules)
    console.print("\nRead one with `fathom rules move.course`; look for words with --search.")


def print_titles(console: Console, rules: Iterable[Rule]) -> None:
    """Names and titles."""
    for rule in rules:
        console.print(Text("   ").append(f"{rule.name:<22}", "cyan").append(f" {rule.title}"))


def print_found(console: Console, text: RuleText, word: str, book: str | None) -> None:
    """The rules that speak of something."""
    found = [rule for rule in text.rules if holds_in(rule, book) and word.lower() in whole(rule)]
    if not found:
        raise Failure(f"no rule speaks of {word[:40]!r}")
    print_titles(console, found)


def whole(rule: Rule) -> str:
    """All that a rule says, in small letters."""
    said = [words for _, words in rule.books.items()] if rule.books else []
    return " ".join([rule.name, rule.title, rule.text, rule.ruling or "", *said]).lower()


# One rule


def print_rule(console: Console, rule: Rule, book: str | None) -> None:
    """The text, the ruling, and what the rulebooks say."""
    head = Text().append(rule.name, "bold cyan").append(f"  {rule.title}", "bold")
    console.print(head)
    print_words(console, rule.text)
    if rule.ruling:
        print_words(console, f"Ruling: {rule.ruling}")
    if rule.only:
        print_words(console, f"Only in {listed(rule.only)}.")
    if rule.books:
        print_books(console, [said for said in rule.books.items() if book in (None, said[0])])


def listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def print_words(console: Console, words: str) -> None:
    """A paragraph, with the names of other rules lit."""
    console.print()
    print_hanging(console, Text(), lit(words), 3)


def lit(words: str) -> Text:
    """The words with the names in backticks coloured instead."""
    text = Text()
    for place, part in enumerate(words.split("`")):
        text.append(part, "cyan" if place % 2 else "")
    return text


def print_books(console: Console, said: Sequence[tuple[str, str]]) -> None:
    """What each rulebook says."""
    console.print()
    for name, words in said:
        print_hanging(console, Text().append(f"   {name}", "bold"), lit(words), 21)


# The fields


def print_fields(console: Console) -> None:
    """What a table may change, and what it may not."""
    print_title(console, "Rulings: a table may set these fields of its rulebook otherwise")
    for field in fields.rulings():
        print_field(console, field, fields.exceptions(field))
    print_title(console, "\nHouse: what a table agrees beside its rulebook")
    for field in fields.house():
        print_field(console, field, f"usually {field.values[0]}")
    print_title(console, "\nFixed: what makes each rulebook what it is")
    for field in fields.foundations():
        print_field(console, field, fields.exceptions(field))


def print_title(console: Console, title: str) -> None:
    console.print(Text().append(title, "bold"))


def print_field(console: Console, field: fields.Field, values: str) -> None:
    """Name, meaning and values."""
    console.print(Text("  ").append(field.name, "cyan"))
    print_hanging(console, Text(), Text(field.meaning), 6)
    print_hanging(console, Text("      ="), Text().append(values, "dim"), 8)
