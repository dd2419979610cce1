"""Makes the client's types from the wire: ``python -m fathom.server.typescript``."""

import ast
import enum
import inspect
import json
import sys
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, get_args

import msgspec
from msgspec import inspect as kinds

from fathom.bots.phrases import AnyPhrase
from fathom.engine.events import AnyEvent
from fathom.engine.knowledge.heard import Announcement, Heard
from fathom.engine.orders import AnyOrder, SheetOrder
from fathom.points import Point
from fathom.rules.sheet import Symbol
from fathom.server import wire
from fathom.words import ByCrew

HEAD: Final = """\
// Made from src/fathom/server/wire.py by `python -m fathom.server.typescript`. Do not edit.
/* eslint-disable */

/** A point of the chart by its name, such as `H8`. */
export type Point = string;
/** A pair: crew `a` first, then crew `b`. */
export type ByCrew<T> = readonly [T, T];
"""

BODIES: Final = (
    wire.NewPlayer,
    wire.NewName,
    wire.Recovery,
    wire.NewRecovery,
    wire.NewProgram,
    wire.NewTable,
)
"""What a client sends by HTTP."""
ANSWERS: Final = (
    wire.Identity,
    wire.MyTokens,
    wire.ProgramMade,
    wire.TableMade,
    wire.ApiError,
    wire.LobbyNow,
    wire.MyGames,
    wire.GameRecord,
    wire.RecordBelief,
    wire.Library,
    wire.Rules,
    wire.Health,
)
"""What it gets by HTTP."""
UNIONS: Final = {
    "AnyRequest": wire.AnyRequest,
    "AnyNews": wire.AnyNews,
    "AnyOrder": AnyOrder,
    "SheetOrder": SheetOrder,
    "AnyEvent": AnyEvent,
    "Announcement": Announcement,
    "Heard": Heard,
    "AnyPhrase": AnyPhrase,
    "Holder": wire.Holder,
}
"""Unions that keep their name."""
LITERALS: Final = {
    "ErrorKey": wire.ErrorKey,
    "Channel": wire.Channel,
    "Phase": wire.Phase,
    "BotPace": wire.BotPace,
    "Watching": wire.Watching,
}
RENAMED: Final[dict[type, str]] = {Symbol: "SheetSymbol"}
"""Structs whose own name is taken, or means something else in TypeScript."""
CONSTANTS: Final = ("PROTOCOL",)


class Translator:
    """Collects every type that the wire reaches, each once, and writes it in TypeScript."""

    def __init__(self) -> None:
        self.written: dict[str, str] = {}
        self.made: dict[str, Any] = {}
        self.unions = {frozenset(get_args(union)): name for name, union in UNIONS.items()}
        self.literals = {frozenset(get_args(given)): name for name, given in LITERALS.items()}

    def file(self) -> str:
        """The whole file."""
        for body in (*UNIONS.values(), *BODIES, *ANSWERS):
            self.of(kinds.type_info(body))
        constants = [f"export const {name} = {getattr(wire, name)};" for name in CONSTANTS]
        unions = [
            f"export type {name} =\n" + "\n".join(f"  | {part}" for part in self.parts(union)) + ";"
            for name, union in UNIONS.items()
        ]
        literals = [
            f"export type {name} = {' | '.join(json.dumps(value) for value in get_args(given))};"
            for name, given in LITERALS.items()
        ]
        return "\n\n".join([HEAD, *constants, *literals, *unions, *self.written.values(), ""])

    def parts(self, union: Any) -> Iterator[str]:
        """The names of a union's members."""
        for member in get_args(union):
            yield self.of(kinds.type_info(member))

    def of(self, kind: kinds.Type) -> str:
        """The TypeScript of a type."""
        match kind:
            case kinds.Metadata(type=inner):
                return self.of(inner)
            case kinds.StructType():
                return self.struct(kind)
            case kinds.EnumType(cls=cls):
                return self.enum(cls)
            case kinds.UnionType(types=types):
                return self.union(types)
            case kinds.LiteralType(values=values):
                return self.literal(values)
            case kinds.VarTupleType(item_type=item) | kinds.ListType(item_type=item):
                return f"readonly {in_brackets(self.of(item))}[]"
            case kinds.TupleType(item_types=items):
                return f"readonly [{', '.join(self.of(item) for item in items)}]"
            case kinds.DictType(value_type=value):
                return f"{{ readonly [key: string]: {self.of(value)} }}"
            case kinds.CustomType(cls=cls) if cls is Point:
                return "Point"
        return plain(kind)

    def literal(self, values: tuple[Any, ...]) -> str:
        """Words of which it is one."""
        named = self.literals.get(frozenset(values))
        return named or " | ".join(json.dumps(value) for value in sorted(values))

    def union(self, types: tuple[kinds.Type, ...]) -> str:
        """Several types, under their common name if they have one."""
        structs = [kind for kind in types if isinstance(kind, kinds.StructType)]
        named = self.unions.get(frozenset(kind.cls for kind in structs))
        others = [kind for kind in types if not isinstance(kind, kinds.StructType)]
        parts = [named] if named else [self.of(kind) for kind in structs]
        # The members of a union that has a name must be written, too.
        for kind in structs:
            self.of(kind)
        return " | ".join([*parts, *(self.of(kind) for kind in others)])

    def enum(self, cls: type[enum.Enum]) -> str:
        """The words of an enum."""
        name = cls.__name__
        if self.is_new(name, cls):
            words = " | ".join(json.dumps(member.value) for member in cls)
            self.written[name] = f"{comment(inspect.getdoc(cls))}export type {name} = {words};"
        return name

    def struct(self, kind: kinds.StructType) -> str:
        """A struct by its name; a pair by what it is a pair of."""
        cls = kind.cls
        if getattr(cls, "__origin__", cls) is ByCrew:
            return f"ByCrew<{self.of(kind.fields[0].type)}>"
        name = RENAMED.get(cls, cls.__name__)
        if self.is_new(name, cls):
            self.written[name] = ""
            self.written[name] = self.interface(name, kind)
        return name

    def is_new(self, name: str, cls: Any) -> bool:
        """Whether the type must still be written; two types may not share a name."""
        if self.made.setdefault(name, cls) is not cls:
            raise ValueError(f"two types are called {name}: {self.made[name]}, {cls}")
        return name not in self.written

    def interface(self, name: str, kind: kinds.StructType) -> str:
        """The struct's fields, with what they mean."""
        meanings = documented(kind.cls)
        lines = [f"{comment(inspect.getdoc(kind.cls))}export interface {name} {{"]
        if kind.tag_field:
            lines.append(f"  readonly {kind.tag_field}: {json.dumps(kind.tag)};")
        for field in kind.fields:
            mark = "?" if may_be_absent(kind.cls, field) else ""
            lines.append(
                f"{comment(meanings.get(field.name), '  ')}"
                f"  readonly {key(field.encode_name)}{mark}: {self.of(field.type)};"
            )
        return "\n".join([*lines, "}"])


def may_be_absent(cls: type[msgspec.Struct], field: kinds.Field) -> bool:
    """Whether a message may leave the field out."""
    if field.required:
        return False
    asked = issubclass(cls, wire.Request) or cls in BODIES
    unset = "UnsetType" in str(inspect.get_annotations(owner(cls, field.name)).get(field.name))
    return asked or unset or cls.__struct_config__.omit_defaults


def owner(cls: type, field: str) -> type:
    """The class that declares the field."""
    return next(base for base in cls.__mro__ if field in inspect.get_annotations(base))


def plain(kind: kinds.Type) -> str:
    """What is the same in every language."""
    match kind:
        case kinds.BoolType():
            return "boolean"
        case kinds.IntType() | kinds.FloatType():
            return "number"
        case kinds.StrType():
            return "string"
        case kinds.NoneType():
            return "null"
        case kinds.AnyType():
            return "unknown"
        case _:
            raise TypeError(f"no TypeScript for {kind}")


def key(name: str) -> str:
    """A field's name; quoted if it is no identifier."""
    return name if name.isidentifier() else json.dumps(name)


def in_brackets(text: str) -> str:
    return f"({text})" if " " in text else text


def comment(text: str | None, indent: str = "") -> str:
    """The text as a comment."""
    if not text:
        return ""
    lines = text.replace("``", "`").split("\n")
    if len(lines) == 1:
        return f"{indent}/** {lines[0]} */\n"
    inner = "".join(f"{indent} * {line}".rstrip() + "\n" for line in lines)
    return f"{indent}/**\n{inner}{indent} */\n"


def documented(cls: type) -> dict[str, str]:
    """The sentence that stands under each field of a class and of its bases."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__[: cls.__mro__.index(msgspec.Struct)]):
        found |= sentences(base)
    return found


@cache
def sentences(cls: type) -> dict[str, str]:
    """The sentences under a class's own fields."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(cls))).body[0]
    except (OSError, TypeError):
        return {}
    found, name = {}, ""
    for node in body.body if isinstance(body, ast.ClassDef) else []:
        match node:
            case ast.AnnAssign(target=ast.Name(id=field)):
                name = field
            case ast.Expr(value=ast.Constant(value=str(text))) if name:
                found[name] = inspect.cleandoc(text)
                name = ""
            case _:
                name = ""
    return found


def typescript() -> str:
    """The file ``web/src/wire.ts``."""
    return Translator().file()


if __name__ == "__main__":
    sys.stdout.write(typescript())
