"""Where the fast core is not built, only the tests that do without it run."""

from importlib.util import find_spec
from pathlib import Path

WITHOUT_CORE = {"test_actions.py"}

collect_ignore = (
    []
    if find_spec("fathom_core")
    else [
        file.name
        for file in Path(__file__).parent.glob("test_*.py")
        if file.name not in WITHOUT_CORE
    ]
)
