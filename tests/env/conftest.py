"""Where the extra ``lab`` is not installed, its tests are left out, and the run says so."""

from importlib.util import find_spec
from pathlib import Path

MISSING = [name for name in ("gymnasium", "numpy", "pettingzoo") if find_spec(name) is None]
WITHOUT_LAB = {"test_extra.py"}

collect_ignore = [
    file.name
    for file in Path(__file__).parent.glob("test_*.py")
    if MISSING and file.name not in WITHOUT_LAB
]
if find_spec("pyspiel") is None:
    collect_ignore += ["test_spiel.py"]
if find_spec("fathom_core") is None:
    collect_ignore += ["test_vector.py"]


def pytest_report_header() -> str:
    """What is left out, and why."""
    left_out = ", ".join(sorted(collect_ignore))
    return f"tests/env: {left_out} not run, as packages are not installed" if left_out else ""
