"""The real server as players start it: ``fathom serve`` in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from fathom.server.client_files import CLIENT

OPERATOR: Final = "the-operators-token-of-these-tests"
GENEROUS: Final = {
    "FATHOM_OPERATOR_TOKEN": OPERATOR,
    "FATHOM_TABLES_PER_HOUR": "10000",
    "FATHOM_BOT_PROCESSES": "1",
}
CROWDED: Final = """\
[rates]
new_players = { burst = 10000, per_second = 1000 }
recoveries = { burst = 1000, per_second = 10 }
guesses = { burst = 1000, per_second = 10 }
"""
"""All visitors of a run come from one address; everything else is as it is for players."""
UNBUILT: Final = "the browser client is not built: run make test, or make play once"


class RestartableServer:
    """A server with its log in a folder; it may go down and come again at the same address."""

    def __init__(self, folder: Path) -> None:
        assert (CLIENT / "index.html").exists(), UNBUILT
        self.folder, self.port = folder, 0
        self.start()

    @property
    def at(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def notes(self) -> str:
        """What the server wrote down so far."""
        return (self.folder / "notes.txt").read_text()

    def start(self) -> None:
        fathom = Path(sys.executable).with_name("fathom")
        config = self.folder / "fathom.toml"
        config.write_text(CROWDED)
        command = [str(fathom), "serve", "--port", str(self.port), "--data", str(self.folder)]
        command += ["--config", str(config)]
        with (self.folder / "notes.txt").open("a") as notes:
            self.process = subprocess.Popen(  # noqa: S603
                command,
                stdout=subprocess.PIPE,
                stderr=notes,
                text=True,
                env={**os.environ, **GENEROUS},
            )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        assert "http://" in said, self.notes
        self.port = int(said.rstrip("/\n").rpartition(":")[2])

    def stop(self) -> None:
        self.process.terminate()
        self.process.communicate(timeout=30)


@contextmanager
def harbour(folder: Path) -> Iterator[RestartableServer]:
    """A server for a while."""
    here = RestartableServer(folder)
    try:
        yield here
    finally:
        here.stop()
