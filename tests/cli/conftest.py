"""The same terminal for every test of the command line that runs in this process."""

import pytest

from tests.cli.running import environment


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    for name in ("COLUMNS", "LINES", "TERM"):
        monkeypatch.setenv(name, environment()[name])
