"""Everything to choose from, for clients: rulebooks, charts, rulings, the rules' text."""

from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta, structs

from fathom import __version__
from fathom.bots.ranks import RANKS
from fathom.engine.records import builtins
from fathom.rules import library
from fathom.rules.rulebook import Rulebook
from fathom.rules.setup import possible_rulings
from fathom.server import wire
from fathom.server.sheets import sea
from fathom.server.typescript import documented
from fathom.server.wire import ChartData, Library, Rules, RulingField, Settings, encode


@cache
def library_text() -> bytes:
    """The library, as JSON."""
    books = tuple(library.rulebook(name) for name in library.rulebook_names())
    scenarios = tuple(library.scenario(name) for name in library.scenario_names())
    charts = (library.chart(name) for name in library.chart_names())
    return encode(
        Library(
            fathom=__version__,
            protocol=wire.PROTOCOL,
            rulebooks=books,
            scenarios=scenarios,
            played={book.name: scenarios_of(book) for book in books},
            charts=tuple(ChartData(chart, sea(chart)) for chart in charts),
            sheets=tuple(library.sheet(name) for name in library.sheet_names()),
            hull=library.hull(),
            rulings=tuple(
                ruling(field.name)
                for field in structs.fields(Rulebook)
                if field.name in possible_rulings()
            ),
            ranks=RANKS,
            paces=get_args(wire.BotPace),
            settings=Settings(),
        )
    )


def scenarios_of(book: Rulebook) -> tuple[str, ...]:
    """A rulebook's own scenarios: those of the edition whose first one it advises."""
    edition = library.scenario(book.first_scenario).edition
    found = (library.scenario(name) for name in library.scenario_names())
    return tuple(scenario.name for scenario in found if scenario.edition == edition)


def ruling(name: str) -> RulingField:
    """One ruling with its meaning and its value in each rulebook."""
    hint: Any = get_type_hints(Rulebook, include_extras=True)[name]
    limits = next((part for part in get_args(hint) if isinstance(part, Meta)), None)
    words = get_args(hint) if get_origin(hint) is Literal else ()
    return RulingField(
        name=name,
        meaning=documented(Rulebook).get(name, ""),
        values={
            book: builtins(getattr(library.rulebook(book), name))
            for book in library.rulebook_names()
        },
        choices=words,
        least=None if limits is None or limits.ge is None else int(limits.ge),
        most=None if limits is None or limits.le is None else int(limits.le),
    )


@cache
def rules_text(language: str) -> bytes:
    """Every rule, as JSON."""
    text = library.rule_text(language)
    return encode(Rules(language, text.sections, text.rules))
