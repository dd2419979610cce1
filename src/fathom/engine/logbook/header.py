"""The header of a logbook: what was agreed, whole, so that old games replay after corrections."""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NoReturn

import msgspec
from msgspec import Struct

from fathom.engine.records import build, builtins
from fathom.points import name
from fathom.rules.chart import BadChart, Chart, read_chart
from fathom.rules.setup import RULES_VERSION, BadSetup, Setup, check
from fathom.rules.sheet import Hull, Sheet
from fathom.words import is_printable

VERSION: Final = 1
"""Of the notation; a change that older readers can't follow raises it."""
WIDEST_LINE: Final = 100
LARGEST_NUMBER: Final = 10_000
"""A set-up has no larger number; some would let a replay run for hours."""
LONGEST_HEADER: Final = 100_000
MOST_INFO, LONGEST_INFO = 40, 200


class BadLogbook(ValueError):
    """A logbook that can't be read or can't have been played: line, column and what is wrong."""

    def __init__(self, line: int, column: int, what: str) -> None:
        super().__init__(f"line {line}, column {column}: {what}")
        self.line, self.column, self.what = line, column, what


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a header; those before ``info`` say again what the set-up says, for people."""

    logbook: int
    rules: int
    rulebook: str
    mode: str
    goal: str
    chart: str
    crews: tuple[str, str]
    result: str
    setup: Setup
    info: dict[str, str] = {}


def summary(setup: Setup, result: str) -> dict[str, Any]:
    """The set-up in a few words."""
    crews = zip(setup.book.colours, setup.crews, strict=True)
    return {
        "logbook": VERSION,
        "rules": setup.version,
        "rulebook": setup.book.name,
        "mode": setup.mode.value,
        "goal": setup.goal.name,
        "chart": setup.chart.name,
        "crews": tuple(
            f"{colour}: {plan.boat} ({', '.join(seat.name for seat in plan.seats)})"
            for colour, plan in crews
        ),
        "result": result,
    }


# Writing


def write_header(setup: Setup, result: str, info: Mapping[str, str]) -> str:
    """The header as TOML."""
    check_info(info)
    tables = {**summary(setup, result), **({"info": dict(info)} if info else {})}
    return "\n".join([*toml({**tables, "setup": builtins(setup)}), ""])


def toml(table: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The table as lines of TOML: its values, then its tables. What is None is left out."""
    inner = {key: value for key, value in table.items() if is_table(value)}
    for key, value in table.items():
        if value is not None and key not in inner:
            yield from entry(key, value)
    for key, value in inner.items():
        heading = f"[{path}{key}]" if isinstance(value, dict) else f"[[{path}{key}]]"
        for one in [value] if isinstance(value, dict) else value:
            yield from ("", heading)
            yield from toml(one, f"{path}{key}.")


def is_table(value: Any) -> bool:
    """Whether the value is a table, or a list of tables of which one does not fit in a line."""
    if isinstance(value, list | tuple):
        return any(isinstance(item, dict) and len(inline(item)) > WIDEST_LINE for item in value)
    return isinstance(value, dict)


def entry(key: str, value: Any) -> Iterator[str]:
    """A key and its value; what does not fit in a line is written item by item."""
    line = f"{key} = {inline(value)}"
    if len(line) <= WIDEST_LINE or isinstance(value, str):
        yield line
        return
    yield f"{key} = ["
    yield from (f"  {inline(item)}," for item in value)
    yield "]"


def inline(value: Any) -> str:
    """A value within a line."""
    match value:
        case str():
            # TOML's basic strings are JSON's, but for one character.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case bool():
            return str(value).lower()
        case int() | float():
            return repr(value)
        case dict():
            pairs = (f"{key} = {inline(v)}" for key, v in value.items() if v is not None)
            return "{ " + ", ".join(pairs) + " }"
        case _:
            return "[" + ", ".join(inline(item) for item in value) + "]"


# Reading


def read_header(lines: Sequence[str]) -> Header:
    """The header, checked: nothing in it can lead the engine astray."""
    if sum(len(line) + 1 for line in lines) > LONGEST_HEADER:
        raise BadLogbook(1, 1, f"the header has more than {LONGEST_HEADER} characters")
    values = parse(lines)
    if values.get("logbook") != VERSION:
        blame(lines, "logbook", f"expected logbook = {VERSION}")
    add_what_was_left_out(values)
    try:
        header = build(values, Header)
        check_setup(header.setup)
        check_info(header.info)
    except msgspec.ValidationError as bad:
        where = re.search(r"`\$\.?([^`]*)`", str(bad))
        blame(lines, where[1] if where else "", str(bad))
    except (BadChart, BadSetup, BadField) as bad:
        blame(lines, getattr(bad, "field", "setup"), str(bad))
    for key, value in summary(header.setup, header.result).items():
        if getattr(header, key) != value:
            blame(lines, key, f"expected {key} = {inline(value)}, as the set-up says")
    return header


def parse(lines: Sequence[str]) -> dict[str, Any]:
    """The header's tables."""
    try:
        return tomllib.loads("\n".join(lines))
    except RecursionError:
        raise BadLogbook(1, 1, "the header is nested too deeply") from None
    except ValueError as bad:
        where = re.search(r" \(at line (\d+), column (\d+)\)", str(bad))
        line, column = (int(where[1]), int(where[2])) if where else (len(lines), 1)
        raise BadLogbook(line, column, re.sub(r" \(at .*\)$", "", str(bad))) from None


def add_what_was_left_out(values: dict[str, Any]) -> None:
    """TOML has no null: these fields must be there, and may be None."""
    setup = values.get("setup")
    if not isinstance(setup, dict):
        return
    for key in ("sheet", "first"):
        setup.setdefault(key, None)
    sheet = setup["sheet"]
    for symbol in sheet.get("symbols", ()) if isinstance(sheet, dict) else ():
        if isinstance(symbol, dict):
            symbol.setdefault("circuit", None)


class BadField(ValueError):
    """A field that can't be."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(what)
        self.field = field


def check_info(info: Mapping[str, str]) -> None:
    """What is said beside the game is a few short lines."""
    if len(info) > MOST_INFO:
        raise BadField("info", f"there may be {MOST_INFO} lines of info")
    for key, text in info.items():
        if not re.fullmatch("[a-z][a-z0-9_-]{0,39}", key):
            raise BadField("info", f"{key[:40]!r} is no key: small letters, digits, - and _")
        if len(text) > LONGEST_INFO or not is_printable(text):
            raise BadField(f"info.{key}", f"expected at most {LONGEST_INFO} printable characters")


def check_setup(setup: Setup) -> None:
    """A set-up that a table could have agreed on, under rules that we know."""
    if not 1 <= setup.version <= RULES_VERSION:
        raise BadField(
            "rules", f"rules version {setup.version}; this program knows {RULES_VERSION}"
        )
    if max(numbers(builtins(setup)), default=0) > LARGEST_NUMBER:
        raise BadField("setup", f"a number is larger than {LARGEST_NUMBER}")
    one, two = setup.book.colours
    if one == two or not all(re.fullmatch("[a-z]{1,20}", colour) for colour in (one, two)):
        raise BadField("setup.book.colours", "expected two colours in small letters")
    check_chart(setup.chart)
    check_sheet(setup.sheet)
    check_hull(setup.hull)
    check(setup)


def numbers(value: Any) -> Iterator[int]:
    """The sizes of all whole numbers in a table."""
    if isinstance(value, int):
        yield abs(value)
    elif isinstance(value, dict):
        yield from (number for item in value.values() for number in numbers(item))
    elif isinstance(value, list | tuple):
        yield from (number for item in value for number in numbers(item))


def check_chart(chart: Chart) -> None:
    """A chart that could have come from a file."""
    points = {"starts": chart.starts or (), "finish": chart.finish}
    head = [
        *(f"{key}: {getattr(chart, key)}" for key in ("title", "special", "gauge")),
        *(f"{key}: {', '.join(name(at) for at in given)}" for key, given in points.items()),
        *(f"{key}: {getattr(chart, key)}" for key in ("origin", "note")),
        f"sectors: {' '.join(chart.sectors)}",
    ]
    if read_chart(chart.name, "the chart", "\n".join([*head, "", *chart.rows])) != chart:
        raise BadField("setup.chart", "this is not a chart")


def check_sheet(sheet: Sheet | None) -> None:
    """Every symbol and circuit has a name of its own kind."""
    symbols = sheet.symbols if sheet else ()
    if len({symbol.name for symbol in symbols}) != len(symbols):
        raise BadField("setup.sheet", "two symbols have the same name")
    for symbol in symbols:
        if not re.fullmatch("[A-Z][0-9]{1,2}", symbol.name):
            raise BadField("setup.sheet", f"{symbol.name[:20]!r} is no symbol's name, such as N2")
        if not re.fullmatch("[a-z]{1,20}", symbol.circuit or "none"):
            raise BadField("setup.sheet", "a circuit's name has small letters only")


def check_hull(hull: Hull) -> None:
    """Four sections, each a line that goes round."""
    if len(hull.sections) != 4 or not all(3 <= len(line) <= 200 for line in hull.sections):
        raise BadField("setup.hull", "expected four sections of 3 to 200 spots")


def blame(lines: Sequence[str], field: str, what: str) -> NoReturn:
    """Complain about the line of a field such as ``setup.book.colours``, as far as it is there."""
    path = field.partition("[")[0]
    table, _, key = path.rpartition(".")
    headings = {line.strip("[]"): at for at, line in enumerate(lines, 1) if line.startswith("[")}
    top = headings.get(path) or headings.get(table, 0)
    keys = (at for at, line in enumerate(lines, 1) if at > top and line.startswith(f"{key} ="))
    raise BadLogbook(max(1, top if path in headings else next(keys, top)), 1, what) from None
