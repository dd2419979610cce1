"""Running the command line: the real process, in a pipe or on a terminal."""

import contextlib
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from typing import NamedTuple

FATHOM = (sys.executable, "-m", "fathom.cli")
UNDER_CONTROL = """\
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Makes the terminal the one that controls the process, so that Ctrl-C reaches it.

Tests that run in a shell's background inherit that Ctrl-C is ignored.
"""
PATIENCE = 60
"""Seconds after which a process is taken for hanging."""


class Ran(NamedTuple):
    """What became of a process."""

    code: int
    out: str
    err: str = ""


def environment(**changes: str) -> dict[str, str]:
    """The same terminal for every test: 80 letters wide, no colours chosen, UTF-8."""
    chosen = ("NO_COLOR", "FORCE_COLOR", "CLICOLOR", "PYTHONIOENCODING", "COLORTERM")
    kept = {key: value for key, value in os.environ.items() if key not in chosen}
    usual = {"COLUMNS": "80", "LINES": "24", "PYTHONUTF8": "1", "TERM": "xterm-256color"}
    return {**kept, **usual, **changes}


def fathom(*arguments: str, send: bytes | str = b"", env: Mapping[str, str] | None = None) -> Ran:
    """Run the real process in a pipe."""
    done = subprocess.run(  # noqa: S603 - our own program
        [*FATHOM, *arguments],
        input=send.encode() if isinstance(send, str) else send,
        capture_output=True,
        timeout=PATIENCE,
        env=environment(**(env or {})),
        check=False,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


class OnTerminal:
    """The real process on a terminal of its own, 80 by 24."""

    def __init__(self, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            [sys.executable, "-c", UNDER_CONTROL, *FATHOM, *arguments],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment(**(env or {})),
            start_new_session=True,
        )
        os.close(theirs)
        self.out = ""

    def read(self, seconds: float) -> bool:
        """Take what has been written; false when there will be no more."""
        ready, _, _ = select.select([self.ours], [], [], seconds)
        if not ready:
            return True
        try:
            raw = os.read(self.ours, 65536)
        except OSError:
            return False
        self.out += raw.decode("utf-8", "replace")
        return bool(raw)

    def wait_for(self, words: str) -> None:
        """Wait until something is on the screen."""
        end = time.monotonic() + PATIENCE
        while words not in self.out:
            assert self.read(0.1), f"it ended before it wrote {words!r}: {self.out[-2000:]}"
            assert time.monotonic() < end, f"it never wrote {words!r}: {self.out[-2000:]}"

    def press(self, keys: str) -> None:
        """Type something, and forget what was on the screen."""
        self.out = ""
        os.write(self.ours, keys.encode())

    def end(self) -> Ran:
        """Wait for the end; what was written since the last key."""
        end = time.monotonic() + PATIENCE
        while self.read(0.1) and time.monotonic() < end:
            pass
        return Ran(self.process.wait(PATIENCE), self.out)


@contextlib.contextmanager
def on_terminal(*arguments: str, env: Mapping[str, str] | None = None) -> Iterator[OnTerminal]:
    """Run on a terminal; whatever happens, nothing is left running."""
    running = OnTerminal(*arguments, env=env)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait()
        os.close(running.ours)
