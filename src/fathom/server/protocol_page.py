"""Fills the tables of docs/protocol.md from the code: ``python -m fathom.server.protocol_page``."""

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

from msgspec import inspect as kinds

from fathom.server import wire
from fathom.server.api import Route
from fathom.server.routes import ROUTES
from fathom.server.troubles import MEANINGS
from fathom.server.typescript import Translator, documented, may_be_absent


def fill(text: str) -> str:
    """The page with every table made anew."""
    for name, make in TABLES.items():
        block = f"<!-- made: {name} -->\n\n{make()}\n\n<!-- end -->"
        before, mark, rest = text.partition(f"<!-- made: {name} -->")
        if mark:
            text = before + block + rest.partition("<!-- end -->")[2]
    return text


def messages(union: Any) -> str:
    """A section for every message: what it is for, and its fields."""
    return "\n\n".join(message(kind) for kind in get_args(union))


def message(cls: type) -> str:
    """One message."""
    info = kinds.type_info(cls)
    assert isinstance(info, kinds.StructType)  # noqa: S101  (every message is one)
    about = " ".join((inspect.getdoc(cls) or "").split()).replace("``", "`")
    lines = [f"**`{info.tag}`** {about}", *fields(cls, info)]
    return "\n".join(lines)


def fields(cls: Any, info: kinds.StructType) -> Iterator[str]:
    """A line for every field; one that may be left out is marked."""
    meanings, translator = documented(cls), Translator()
    shown = [field for field in info.fields if field.name != "id" or field.required]
    if shown:
        yield ""
    for field in shown:
        kind = translator.of(field.type).replace("readonly ", "")
        mark = "?" if may_be_absent(cls, field) else ""
        meaning = meanings.get(field.name, "").replace("``", "`").replace("\n", " ")
        yield f"- `{field.encode_name}{mark}`: `{kind}`{'. ' if meaning else ''}{meaning}".rstrip()


def errors() -> str:
    """What each error means."""
    rows = [f"| `{key}` | {meaning} |" for key, meaning in MEANINGS.items()]
    return "\n".join(["| error | meaning |", "| --- | --- |", *rows])


def routes() -> str:
    """What can be asked for by HTTP."""
    rows = [
        f"| `{route.method}` | `{route.path}` | {needed_token(route)} "
        f"| {named(route.takes)} | {named(route.gives)} | {route.about} |"
        for route in ROUTES
    ]
    head = ["| method | path | token | takes | gives | |", "| --- | --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


def needed_token(route: Route) -> str:
    """Whose token a route needs."""
    if not route.signed:
        return ""
    words = {"none": "device", "games": "device, `games`", "all": "any", "operator": "operator"}
    return words[route.programs]


def named(kind: Any) -> str:
    if kind is None:
        return ""
    return f"`{kind if isinstance(kind, str) else kind.__name__}`"


TABLES: Final[dict[str, Callable[[], str]]] = {
    "requests": lambda: messages(wire.AnyRequest),
    "news": lambda: messages(wire.AnyNews),
    "errors": errors,
    "routes": routes,
}


if __name__ == "__main__":
    page = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/protocol.md")
    page.write_text(fill(page.read_text("utf-8")), "utf-8")
