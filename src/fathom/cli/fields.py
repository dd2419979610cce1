"""The rulebooks' fields with their meanings, so that a table knows what it can change."""

import ast
import enum
import inspect
import textwrap
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, structs

from fathom.rules import library
from fathom.rules.rulebook import Boxes, Energy, Goal, Pace, Rulebook
from fathom.rules.setup import House

OPAQUE: Final = ("name", "title", "source")
"""What names a book and is no rule."""


class Field(Struct, frozen=True):
    """One field of the rulebooks."""

    name: str
    meaning: str
    values: tuple[str, ...]
    """What it is in each rulebook, in the order of ``book_names``."""


def rulings() -> list[Field]:
    """Fields that a table may set otherwise, as ``rulings`` of a set-up."""
    optional = [field.name for field in structs.fields(Rulebook) if not field.required]
    return [field for name in optional for field in compared(name)]


def foundations() -> list[Field]:
    """Fields that make a rulebook what it is; they can't be changed by a table."""
    required = [field.name for field in structs.fields(Rulebook) if field.required]
    return [field for name in required if name not in OPAQUE for field in compared(name)]


def house() -> list[Field]:
    """What a table agrees beside its rulebook; the value is the usual one."""
    usual = House()
    return [
        Field(field.name, meaning(House, field.name), (shown(getattr(usual, field.name)),))
        for field in structs.fields(House)
    ]


def compared(name: str) -> Iterator[Field]:
    """The field in all rulebooks; what differs by mode is compared part by part."""
    values = [getattr(library.rulebook(book), name) for book in book_names()]
    if not isinstance(values[0], Pace):
        yield Field(name, meaning(Rulebook, name), tuple(map(shown, values)))
        return
    for part in structs.fields(Pace):
        parts = tuple(shown(getattr(value, part.name)) for value in values)
        yield Field(f"{name}.{part.name}", meaning(Pace, part.name), parts)


def book_names() -> tuple[str, ...]:
    """The rulebooks in the order in which people read about them."""
    return library.reading_order()


def exceptions(field: Field) -> str:
    """What most books say, and which say otherwise."""
    usual = Counter(field.values).most_common(1)[0][0]
    pairs = zip(book_names(), field.values, strict=True)
    return "; ".join([usual, *(f"{book}: {value}" for book, value in pairs if value != usual)])


# Meanings


def meaning(kind: type[Struct], name: str) -> str:
    """What the field means, and which values it may have."""
    hint = get_type_hints(kind, include_extras=True)[name]
    said = documented(kind).get(name) or of_its_type(hint) or spelled_out(name)
    return f"{said} {choices(hint)}".rstrip()


def documented(kind: type) -> dict[str, str]:
    """The sentence that stands under each field of a class."""
    body = ast.parse(textwrap.dedent(inspect.getsource(kind))).body[0]
    found: dict[str, str] = {}
    name = ""
    for node in body.body if isinstance(body, ast.ClassDef) else []:
        match node:
            case ast.AnnAssign(target=ast.Name(id=field)):
                name = field
                continue
            case ast.Expr(value=ast.Constant(value=str(text))) if name:
                found[name] = inspect.cleandoc(text)
        name = ""
    return found


def of_its_type(hint: Any) -> str:
    """What a nested record says of itself."""
    kinds = [kind for kind in (hint, *get_args(hint)) if kind in (Boxes, Energy)]
    return inspect.cleandoc(kinds[0].__doc__ or "") if kinds else ""


def spelled_out(name: str) -> str:
    """A field that explains itself by its name."""
    return name.replace("_", " ").capitalize() + "."


def choices(hint: Any) -> str:
    """The words that the field may be, or how small and large its number."""
    if get_origin(hint) is Literal:
        return f"One of {', '.join(map(str, get_args(hint)))}."
    limits = [part for part in get_args(hint) if isinstance(part, Meta)]
    return f"From {limits[0].ge} to {limits[0].le}." if limits else ""


def shown(value: Any) -> str:
    """A value as people write it."""
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case enum.Enum():
            return str(value.value)
        case Goal(name=name, hull=hull):
            return f"{name} ({hull})"
        case Struct():
            filled = structs.asdict(value).items()
            return ", ".join(f"{name} {number}" for name, number in filled if number) or "none"
        case tuple():
            return ", ".join(map(shown, value)) or "none"
        case _:
            return str(value)
