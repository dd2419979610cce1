"""Imports flow one way, and what must replay has no clock, no dice and no I/O."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from fathom.rules import library
from fathom.rules.terrain import PLAIN, TERRAINS, load_scenarios

LAYERS = ("words", "points", "rules", "engine", "belief", "core", "bots", "server")
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

READERS = {"rules/library.py": {"importlib", "pathlib"}, "rules/terrain.py": {"importlib"}}
"""Modules of pure layers that read the data files or load scenarios, and what they use for it."""

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
        ("arena/match.py", "import fathom.client", "arena/match.py imports client"),
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


# A rulebook is asked what it says and a chart what its terrain is, never what they are called

OWN_MODULES = ("engine/scenarios", "core/")
"""Where a scenario may be told by its name: in its own module, and where all of them are handed to
the fast core, which has each compiled in."""


def known_names() -> set[str]:
    """What rulebooks and special rules are called."""
    load_scenarios()
    return {*library.rulebook_names(), *TERRAINS} - {PLAIN.name}


def compared(module: Path) -> Iterator[tuple[int, str]]:
    """The texts that a module compares something with, or looks up by, and in which line."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        parts: list[ast.expr] = []
        if isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.MatchValue):
            parts = [node.value]
        elif isinstance(node, ast.Dict):
            parts = [key for key in node.keys if key is not None]
        for leaf in (leaf for part in parts for leaf in ast.walk(part)):
            if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str):
                yield leaf.lineno, leaf.value


def names_compared(root: Path) -> list[str]:
    """Where a rulebook or a scenario is told by its name, in words."""
    # A system is called sonar and a cause of damage ice, too.
    names = known_names() - {"sonar", "ice"}
    return [
        f"{module.relative_to(root).as_posix()}:{line} asks for {text!r}"
        for module in sorted(root.rglob("*.py"))
        if not module.relative_to(root).as_posix().startswith(OWN_MODULES)
        for line, text in compared(module)
        if text in names
    ]


def test_nobody_asks_for_the_name_of_a_rulebook_or_a_scenario() -> None:
    assert names_compared(FATHOM) == []


@pytest.mark.parametrize(
    "text",
    [
        'if chart.special == "ice-field": pass',
        'if chart.special in ("old-mines", "damaged"): pass',
        'match book.name:\n    case "captain-sonar-2": pass',
        'WORDS = {"captain-sonar-ru": "x"}',
    ],
)
def test_asking_for_a_name_is_caught(tmp_path: Path, text: str) -> None:
    write(tmp_path, "bots/own.py", text)
    write(tmp_path, "engine/scenarios/ice.py", text)
    found = names_compared(tmp_path)
    assert found
    assert all(fault.startswith("bots/own.py:") for fault in found)


# A name means one thing

TYPE_NAME = re.compile(r"_*[A-Z]\w*[a-z]\w*")
CODE = [Path(__file__).parents[1] / part for part in ("src", "tests", "bench")]


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module's top, those behind a condition included."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            yield from statements([*node.body, *node.orelse])


def defined_types(module: Path) -> Iterator[str]:
    """The types that a module defines: classes wherever in it, and aliases at its top.

    A type variable is none: it means nothing outside the signature that it is used in.
    """
    tree = ast.parse(module.read_text(encoding="utf-8"))
    yield from (node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    for node in statements(tree.body):
        if isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
            yield ast.unparse(node.target)
        elif isinstance(node, ast.Assign) and not ast.unparse(node.value).startswith("TypeVar("):
            yield from (
                name for name in map(ast.unparse, node.targets) if TYPE_NAME.fullmatch(name)
            )


def defined_twice(*roots: Path) -> list[str]:
    """Types that several modules define, and which modules, in words."""
    modules = defaultdict(set)
    for root in roots:
        for module in root.rglob("*.py"):
            for name in defined_types(module):
                modules[name].add(module.relative_to(root.parent).as_posix())
    return [
        f"{name}: {', '.join(sorted(places))}"
        for name, places in sorted(modules.items())
        if len(places) > 1
    ]


def test_a_type_is_defined_in_one_module() -> None:
    assert defined_twice(*CODE) == []


@pytest.mark.parametrize(
    "text",
    [
        "class Step: pass",
        "Step: TypeAlias = int",
        "Step = tuple[int, int]",
        'Step = NamedTuple("Step", [])',
        "def test() -> None:\n    class Step: pass",
        "if TYPE_CHECKING:\n    pass\nelse:\n    Step = int | str",
    ],
)
def test_a_second_definition_is_caught(tmp_path: Path, text: str) -> None:
    write(tmp_path, "src/one.py", "class Step: pass\nclass Step: pass\nT = TypeVar('T')")
    write(tmp_path, "tests/two.py", f"{text}\nT = TypeVar('T')\nSTEP = Step()\nStep.size = 1")
    found = defined_twice(tmp_path / "src", tmp_path / "tests")
    assert found == ["Step: src/one.py, tests/two.py"]
