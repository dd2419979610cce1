"""docs/security.md and docs/operating.md name everything that there is to name."""

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec import inspect

from fathom.server import wire
from fathom.server.api import HARBOUR
from fathom.server.app import make_app
from fathom.server.config import Config
from fathom.server.metrics import COUNTERS
from fathom.server.postgres_log import PostgresLog
from fathom.server.routes import ROUTES
from fathom.server.supervise import Supervisor

ROOT = Path(__file__).parents[2]
SECURITY = (ROOT / "docs/security.md").read_text("utf-8")
OPERATING = (ROOT / "docs/operating.md").read_text("utf-8")
CHANCE = re.compile(r"Random\(|random\(\)|secrets\.token|Math\.random|getRandomValues|randomUUID")
ELSEWHERE = ("arena/", "cli/", "bots/")
"""Named on the page as a whole: bots, and what plays on one's own machine."""


def test_every_message_and_every_address_is_named() -> None:
    kinds = [inspect.type_info(kind) for kind in get_args(wire.AnyNews)]
    tags = [kind.tag for kind in kinds if isinstance(kind, inspect.StructType)]
    assert len(tags) > 10
    assert [tag for tag in tags if f"`{tag}`" not in SECURITY] == []
    # The operator's are named together.
    paths = [r.path for r in ROUTES if r.method == "GET" and r.programs != "operator"]
    assert [path for path in paths if f"`{path}`" not in SECURITY] == []


@pytest.mark.parametrize(("folder", "ending"), [("src/fathom", "py"), ("web/src", "ts")])
def test_every_use_of_chance_is_named(folder: str, ending: str) -> None:
    found = [
        path.relative_to(ROOT / folder).as_posix()
        for path in (ROOT / folder).rglob(f"*.{ending}")
        if CHANCE.search(path.read_text("utf-8"))
    ]
    here = [path for path in found if not path.startswith(ELSEWHERE)]
    assert len(here) > 2
    assert [path for path in here if f"`{path}`" not in SECURITY] == []


def test_every_test_that_is_named_is_there() -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", SECURITY)
    assert len(named) > 4
    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_alarm_is_a_metric(tmp_path: Path) -> None:
    metrics = make_app(Config(data=str(tmp_path)))[HARBOUR].metrics
    gauges = {*metrics.gauges, *PostgresLog("postgresql://nowhere/x", Supervisor()).gauges()}
    known = {f"fathom_{name}_total" for name in COUNTERS} | {f"fathom_{name}" for name in gauges}
    section = OPERATING.partition("## What to watch")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(fathom_\w+)`", section)) - {"fathom_order_seconds"}
    assert len(named) > 10
    assert named - known == set()


def test_every_note_that_is_explained_can_be_written() -> None:
    section = OPERATING.partition("| note | what to do |")[2].partition("\n\n")[0]
    notes = [
        part.strip()
        for row in section.splitlines()[2:]
        for note in re.findall(r"`([^`]*)`", row.split("|")[1])
        for part in note.split("…")
        if part.strip(" :")
    ]
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src/fathom/server").glob("*.py"))
    assert len(notes) > 10
    assert [note for note in notes if note not in code] == []


def test_every_condition_is_explained() -> None:
    section = OPERATING.partition("## What to watch")[2].partition("\n## ")[0]
    states = [state for state in get_args(wire.Condition) if state != "ok"]
    assert [state for state in states if f"`{state}`" not in section] == []
