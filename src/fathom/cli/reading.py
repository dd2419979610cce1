"""Reading requests and writing answers of ``fathom referee``, whatever may come in."""

import json
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Any, Final, Literal, NoReturn, get_args, get_origin, get_type_hints

import msgspec

from fathom.cli.messages import AnyRefereeAnswer, AnyRefereeRequest, ErrorCode, Id
from fathom.engine.registry import ACTIONS
from fathom.points import spell, unspell
from fathom.rules.setup import Choices, House

LONGEST_LINE: Final = 65_536
"""Bytes; the longest stroke of a traced hull takes about 26,000."""
DEEPEST: Final = 24
"""How many brackets may be open at once; no message needs half as many."""
LARGEST_INTEGER: Final = 2**53
"""Larger numbers are not the same in every language."""


class BadMessage(Exception):
    """A line that is no message: what is wrong with it, and where."""

    def __init__(
        self, error: ErrorCode, what: str, where: str = "", about: Id | None = None
    ) -> None:
        super().__init__(what)
        self.error, self.what, self.where, self.about = error, what, where, about


DECODER: Final[msgspec.json.Decoder[AnyRefereeRequest]] = msgspec.json.Decoder(
    AnyRefereeRequest, dec_hook=unspell
)
ENCODER: Final = msgspec.json.Encoder(enc_hook=spell)


def write(answer: AnyRefereeAnswer) -> bytes:
    """The answer as one line."""
    return ENCODER.encode(answer) + b"\n"


def read(line: bytes) -> AnyRefereeRequest:
    """The request in the line, or ``BadMessage``."""
    if len(line) > LONGEST_LINE:
        raise BadMessage("too-long", f"a line may have {LONGEST_LINE} bytes")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as bad:
        raise BadMessage("not-utf-8", "the line is not UTF-8", f"byte {bad.start + 1}") from None
    message = parse(text)
    check_values(message)
    try:
        return DECODER.decode(text)
    except msgspec.ValidationError as bad:
        what, _, where = str(bad).partition(" - at ")
        path = where.strip("`")
        raise BadMessage("bad-message", what + expected(what, path), path, id_of(message)) from None
    except msgspec.DecodeError as bad:
        raise BadMessage("not-json", str(bad), about=id_of(message)) from None


def expected(what: str, path: str) -> str:
    """The values that a field may have, where msgspec only says that it has none of them."""
    if not what.startswith("Invalid enum value"):
        return ""
    values = valid_values().get(path.rpartition(".")[2].partition("[")[0], ())
    return f"; it may be {', '.join(values)}" if values else ""


@cache
def valid_values() -> dict[str, tuple[str, ...]]:
    """By the name of a field of an order or a set-up, the words that it may be."""
    kinds: tuple[type[msgspec.Struct], ...] = (*ACTIONS, Choices, House)
    found: dict[str, tuple[str, ...]] = {}
    for kind in kinds:
        for name, hint in get_type_hints(kind).items():
            for part in (hint, *get_args(hint)):
                if isinstance(part, type) and issubclass(part, Enum):
                    found[name] = tuple(str(member.value) for member in part)
                elif get_origin(part) is Literal:
                    found[name] = tuple(map(str, get_args(part)))
    return found


def parse(text: str) -> Any:
    """The line's JSON, before it is known what it says. A second look, for what msgspec lets by."""
    try:
        return json.loads(text, object_pairs_hook=keyed, parse_constant=refuse_constant)
    except json.JSONDecodeError as bad:
        raise BadMessage("not-json", bad.msg, f"column {bad.colno}") from None
    except RecursionError:
        raise BadMessage("too-deep", f"at most {DEEPEST} brackets may be open at once") from None
    except ValueError as bad:
        raise BadMessage("not-json", str(bad)[:100], place_of_fault(text)) from None


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def place_of_fault(text: str) -> str:
    """Where msgspec stops to understand the line."""
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError as bad:
        found = re.search(r"byte (\d+)", str(bad))
        return f"byte {int(found[1]) + 1}" if found else ""
    return ""


class Twice(dict[str, Any]):
    """An object in which a key came twice."""

    __slots__ = ("key",)
    key: str


def keyed(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; one with a key that comes twice is remembered as such."""
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    keys = [key for key, _ in pairs]
    marked = Twice(found)
    marked.key = next(key for place, key in enumerate(keys) if key in keys[:place])
    return marked


def check_values(message: Any) -> None:
    """No key twice, no brackets too deep, no number that is not the same everywhere."""
    for where, depth, value in walk(message):
        if depth > DEEPEST:
            raise BadMessage("too-deep", f"at most {DEEPEST} brackets may be open at once")
        if isinstance(value, Twice):
            what = f"the key {value.key[:40]!r} comes twice"
            raise BadMessage("duplicate-key", what, where, id_of(message))
        if isinstance(value, int) and abs(value) > LARGEST_INTEGER:
            raise BadMessage("bad-message", "the number is too large", where, id_of(message))
        if isinstance(value, str) and not is_text(value):
            raise BadMessage("not-utf-8", "half a surrogate pair is no letter", where)


def is_text(words: str) -> bool:
    """Whether the words can be written again."""
    return not any("\ud800" <= letter <= "\udfff" for letter in words)


def walk(message: Any) -> Iterator[tuple[str, int, Any]]:
    """Every value of the message with its path and depth, without recursion."""
    waiting: list[tuple[str, int, Any]] = [("$", 0, message)]
    while waiting:
        where, depth, value = waiting.pop()
        yield where, depth, value
        if isinstance(value, dict):
            waiting += [(where, depth, key) for key in value]
            waiting += [(f"{where}.{key[:40]}", depth + 1, part) for key, part in value.items()]
        elif isinstance(value, list):
            waiting += [(f"{where}[{n}]", depth + 1, part) for n, part in enumerate(value)]


def id_of(message: Any) -> Id | None:
    """The message's id, if it has a usable one."""
    found = message.get("id") if isinstance(message, dict) else None
    if isinstance(found, str):
        return found if is_text(found) else None
    usable = type(found) is int and abs(found) <= LARGEST_INTEGER
    return found if usable else None
