"""Single keys from the terminal, where there is one."""

import os
import select
import sys
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

SEQUENCES: Final = {
    "\x1b[C": "right",
    "\x1bOC": "right",
    "\x1b[D": "left",
    "\x1bOD": "left",
    "\x1b[H": "g",
    "\x1b[F": "G",
    "\x1b": "q",
    "\r": "enter",
    "\n": "enter",
    " ": "space",
    "\x04": "q",
    "": "q",
}
"""What the keys are called; others go by their letter."""


class KeyReader:
    """Reads keys without waiting for Enter; the terminal is put back as it was."""

    def __init__(self) -> None:
        self.terminal: int | None = None
        self.saved: list[Any] = []
        self.waiting: list[str] = []

    def __enter__(self) -> Self:
        try:
            import termios
            import tty
        except ImportError:
            return self
        with suppress(OSError, termios.error, ValueError):
            stdin = sys.stdin
            at_hand = stdin is not None and stdin.isatty()
            # A logbook may come through stdin; then the keys are the terminal's own.
            self.terminal = stdin.fileno() if at_hand else os.open("/dev/tty", os.O_RDONLY)
            self.saved = termios.tcgetattr(self.terminal)
            tty.setcbreak(self.terminal)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.terminal is None or not self.saved:
            return
        import termios

        with suppress(OSError, termios.error):
            termios.tcsetattr(self.terminal, termios.TCSADRAIN, self.saved)

    @property
    def there(self) -> bool:
        """Whether any key can be pressed at all."""
        return self.terminal is not None and bool(self.saved)

    def wait(self, seconds: float | None) -> str:
        """The next key, or nothing after so many seconds."""
        if self.waiting:
            return self.waiting.pop(0)
        if self.terminal is None or not self.saved:
            time.sleep(seconds or 0)
            return ""
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        if not ready:
            return ""
        self.waiting = list(named(os.read(self.terminal, 64).decode("utf-8", "replace")))
        return self.waiting.pop(0)


def named(typed: str) -> list[str]:
    """The names of the keys typed: a sequence is one key, as is each letter."""
    if typed in SEQUENCES:
        return [SEQUENCES[typed]]
    if typed.startswith("\x1b"):
        return ["unknown"]
    return [SEQUENCES.get(letter, letter) for letter in typed]
