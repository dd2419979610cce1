"""Imports flow one way, and what must replay has no clock, no dice and no I/O."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

LAYERS = ("words", "points", "rules", "engine", "belief", "bots", "server")
"""Each imports only itself and what stands to its left."""

LEAVES = ("client", "arena", "env")
"""Each imports itself and any layer. No layer and no other leaf imports it."""

COMMANDS = ("cli", "__main__")
"""The command line runs layers and leaves alike. Nothing but ``__main__`` imports it."""

PURE = ("words", "points", "rules", "engine", "belief")
"""What must replay: time, chance and files come in from outside."""

IMPURE = {
    *("time", "datetime", "random", "secrets"),
    *("os", "pathlib", "importlib", "socket", "asyncio", "threading"),
}
"""Clock, dice and I/O."""

READERS = {"rules/library.py": {"importlib", "pathlib"}}
"""Modules of pure layers that read the data files, and what they may use for it."""

FATHOM = Path(__file__).parents[1] / "src" / "fathom"


def allowed(layer: str) -> set[str]:
    """The parts of fathom that ``layer`` may import."""
    if layer == "__init__":
        return set()
    if layer == "__main__":
        return {*LAYERS, *LEAVES, *COMMANDS}
    if layer == "cli":
        return {*LAYERS, *LEAVES, layer}
    if layer in LEAVES:
        return {*LAYERS, layer}
    return set(LAYERS[: LAYERS.index(layer) + 1])


def imported(module: Path, root: Path) -> Iterator[str]:
    """The dotted names that ``module`` imports, wherever in the file."""
    package = ("fathom", *module.relative_to(root).parent.parts)
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{source}.{name.name}" for name in node.names)


def faults(root: Path) -> list[str]:
    """Every breach of the flow among the modules under ``root``, in words."""
    return [fault for module in sorted(root.rglob("*.py")) for fault in judge(module, root)]


def judge(module: Path, root: Path) -> Iterator[str]:
    place = module.relative_to(root)
    layer = place.parts[0].removesuffix(".py")
    if layer not in {*LAYERS, *LEAVES, *COMMANDS, "__init__"}:
        yield f"{place} belongs to no layer"
        return
    forbidden = IMPURE - READERS.get(place.as_posix(), set()) if layer in PURE else set()
    for name in imported(module, root):
        top, _, rest = name.partition(".")
        part = rest.partition(".")[0]
        if top in forbidden:
            yield f"{place} is pure and imports {top}"
        # fathom.__version__ and its like belong to no layer; everyone may read them.
        if top == "fathom" and part and not part.startswith("__") and part not in allowed(layer):
            yield f"{place} imports {part}"


def write(root: Path, place: str, text: str) -> None:
    module = root / place
    module.parent.mkdir(parents=True, exist_ok=True)
    module.write_text(text, encoding="utf-8")


def test_imports_flow_one_way() -> None:
    assert faults(FATHOM) == []


@pytest.mark.parametrize(
    ("place", "text", "fault"),
    [
        ("engine/game.py", "import fathom.server.app", "engine/game.py imports server"),
        ("engine/game.py", "from fathom.bots import roster", "engine/game.py imports bots"),
        ("engine/game.py", "from fathom import belief", "engine/game.py imports belief"),
        ("engine/game.py", "from ..bots.roster import best", "engine/game.py imports bots"),
        ("engine/game.py", "from .. import bots", "engine/game.py imports bots"),
        ("points.py", "from .rules import chart", "points.py imports rules"),
        ("points.py", "def f():\n    import fathom.rules", "points.py imports rules"),
        (
            "words.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from fathom import points",
            "words.py imports points",
        ),
        ("server/app.py", "import fathom.client", "server/app.py imports client"),
        ("arena/match.py", "import fathom.env", "arena/match.py imports env"),
        ("client.py", "import fathom.cli", "client.py imports cli"),
        ("__init__.py", "from fathom.words import Crew", "__init__.py imports words"),
        ("helpers.py", "", "helpers.py belongs to no layer"),
        ("helpers/__init__.py", "", "helpers/__init__.py belongs to no layer"),
        (
            "engine/tempo.py",
            "from time import monotonic",
            "engine/tempo.py is pure and imports time",
        ),
        ("rules/chart.py", "import os.path", "rules/chart.py is pure and imports os"),
        ("rules/chart.py", "import pathlib", "rules/chart.py is pure and imports pathlib"),
        ("rules/library.py", "import random", "rules/library.py is pure and imports random"),
    ],
)
def test_a_breach_is_caught(tmp_path: Path, place: str, text: str, fault: str) -> None:
    write(tmp_path, place, text)
    assert faults(tmp_path) == [fault]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("engine/game.py", "from fathom.words import Crew\nfrom . import orders\nimport msgspec"),
        ("engine/game.py", "from fathom import __version__, rules"),
        ("rules/library.py", "from importlib.resources import files\nfrom pathlib import Path"),
        ("bots/dice.py", "import random"),
        ("cli/__init__.py", "import fathom.arena, fathom.client, fathom.server, pathlib"),
        ("__main__.py", "from fathom.cli import main"),
    ],
)
def test_what_flows_downstream_passes(tmp_path: Path, place: str, text: str) -> None:
    write(tmp_path, place, text)
    assert faults(tmp_path) == []
