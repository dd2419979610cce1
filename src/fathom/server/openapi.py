"""The OpenAPI document, made from the routes and their structs."""

from functools import cache
from typing import Any, Final

import msgspec

from fathom import __version__
from fathom.points import Point
from fathom.server.api import STATUS, Route
from fathom.server.routes import ROUTES
from fathom.server.wire import CODE_LETTERS, ApiError

NAMES: Final = {
    "table": rf"^[{CODE_LETTERS}]{{4,8}}$",
    "game": "^[0-9A-Za-z_-]{8,40}$",
    "token": "^[0-9A-Za-z_-]{8,40}$",
    "player": "^[0-9A-Za-z_-]{8,40}$",
    "entry": rf"^[{CODE_LETTERS}]{{8}}$",
}
"""What parts of a path may be."""
SEARCH: Final[list[dict[str, Any]]] = [
    {"name": "search", "in": "query", "required": False, "schema": {"type": "string"}},
    {
        "name": "most",
        "in": "query",
        "required": False,
        "schema": {"type": "integer", "minimum": 1, "maximum": 500, "default": 50},
    },
]
"""What a list may be asked for."""
COMPONENTS: Final = "#/components/schemas/{name}"


@cache
def document() -> dict[str, Any]:
    """All routes, and all structs that they take and give."""
    spoken: set[Any] = {kind for route in ROUTES for kind in (route.takes, route.gives)}
    ordered = sorted(filter(is_struct, spoken), key=lambda kind: str(kind.__name__))
    _, schemas = msgspec.json.schema_components(
        [*ordered, ApiError], schema_hook=point_schema, ref_template=COMPONENTS
    )
    paths: dict[str, Any] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fathom", "version": __version__},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def point_schema(kind: type) -> dict[str, Any]:
    """How a point is written."""
    if kind is Point:
        return {"type": "string", "pattern": "^[A-O]([1-9]|1[0-5])$", "examples": ["H8"]}
    raise NotImplementedError(kind)


def operation(route: Route) -> dict[str, Any]:
    """One route."""
    created = ("new_player", "new_table", "new_program", "new_ban")
    made = "201" if route.handler.__name__ in created else "200"
    errors = (*route.errors, *(("bad-token", "banned") if route.signed else ()))
    if route.signed and route.programs in ("none", "games"):
        errors = (*errors, "not-in-scope")
    described: dict[str, Any] = {
        "summary": route.about,
        "operationId": route.handler.__name__,
        "responses": {
            made: answer(route),
            **{status: problem(status, errors) for status in sorted(set(map(status_of, errors)))},
        },
    }
    parameters = [parameter(name) for name in NAMES if f"{{{name}}}" in route.path]
    parameters += [choice(name, words) for name, words in route.choices.items()]
    parameters += [text(name, pattern) for name, pattern in route.texts.items()]
    parameters += SEARCH if route.search else []
    if parameters:
        described["parameters"] = parameters
    if route.takes is not None:
        described["requestBody"] = {"required": True, "content": content(route.takes)}
    if route.signed:
        described["security"] = [{"token": []}]
    if route.path.startswith("/health"):
        described["responses"]["503"] = answer(route)
    return described


def status_of(error: str) -> str:
    return "409" if "." in error else str(STATUS.get(error, 400))


def answer(route: Route) -> dict[str, Any]:
    """What a route gives."""
    return {"description": route.about, "content": content(route.gives)}


def content(kind: Any) -> dict[str, Any]:
    if is_struct(kind):
        return {"application/json": {"schema": {"$ref": COMPONENTS.format(name=kind.__name__)}}}
    return {kind: {"schema": {"type": "string"}}}


def problem(status: str, errors: tuple[str, ...]) -> dict[str, Any]:
    """What a route answers when it can't."""
    keys = [error for error in errors if status_of(error) == status]
    return {"description": ", ".join(f"`{key}`" for key in keys), "content": content(ApiError)}


def parameter(name: str) -> dict[str, Any]:
    schema = {"type": "string", "pattern": NAMES[name]}
    return {"name": name, "in": "path", "required": True, "schema": schema}


def text(name: str, pattern: str) -> dict[str, Any]:
    """What may stand after the question mark."""
    schema = {"type": "string", "pattern": pattern}
    return {"name": name, "in": "query", "required": False, "schema": schema}


def choice(name: str, words: tuple[str, ...]) -> dict[str, Any]:
    """What may stand after the question mark; nothing is the first of the words."""
    schema = {"type": "string", "enum": list(words), "default": words[0]}
    return {"name": name, "in": "query", "required": False, "schema": schema}
