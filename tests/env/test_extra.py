"""Without the extra ``lab`` there is a clear sentence, and nothing else breaks."""

import subprocess
import sys

WITHOUT = """
import sys
sys.modules["pettingzoo"] = None
import fathom.core.asked
try:
    import fathom.env
except ImportError as missing:
    print(missing)
"""


def test_a_missing_extra_is_told_in_a_sentence() -> None:
    told = subprocess.run(  # noqa: S603 (a program of our own)
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True
    ).stdout
    assert told.strip() == (
        "fathom.env needs packages that are not installed: run `pip install 'fathom-sonar[lab]'`"
    )
