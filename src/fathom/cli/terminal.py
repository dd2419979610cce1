"""The terminal: what it can show, and how commands say that something can't be done."""

import os
import sys
from contextlib import suppress
from typing import Final

from rich.console import Console
from rich.text import Text

OK: Final = 0
FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130
"""What shells call a command that was ended by Ctrl-C."""

WIDEST_TEXT: Final = 96
"""Sentences in longer lines are hard to read."""
LINES: Final = "·─│┌┐└┘┈┊━┃┏┓┗┛═║╔╗╚╝▒•◆◇✶■□▲"


class Failure(Exception):
    """What a command can't do, in one sentence for people."""


class PatientConsole(Console):
    """A console that leaves it to ``main`` what happens when the reader has gone."""

    def on_broken_pipe(self) -> None:
        """Called while the error is being handled; it goes on from there."""
        raise BrokenPipeError


def open_console() -> Console:
    """Where commands print: colours on a terminal, plain text in a pipe or with NO_COLOR."""
    plain = "NO_COLOR" in os.environ
    # Brackets and colons in names of files and crews are no mark-up.
    return PatientConsole(
        highlight=False, markup=False, emoji=False, color_system=None if plain else "auto"
    )


def text_width(console: Console) -> int:
    """How wide running text is set."""
    return min(console.width, WIDEST_TEXT)


def draws_lines() -> bool:
    """Whether the output can show lines and boxes, or only ASCII."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        LINES.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def never_choke_on_a_letter() -> None:
    """A terminal without some letter shows a ``?`` instead."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[union-attr]


def complain(what: str) -> None:
    """Say what went wrong, in one line of stderr."""
    with suppress(OSError):
        print(f"fathom: {printable(what)}", file=sys.stderr)


def leave_the_pipe() -> None:
    """The reader has gone: what is still buffered must not be written, not even at exit."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(devnull, sys.stdout.fileno())


def printable(text: str) -> str:
    """The text without control characters, which could play tricks on a terminal."""
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def print_hanging(console: Console, label: Text, words: Text, indent: int) -> None:
    """A paragraph beside its label; further lines stand under the first."""
    room = max(20, text_width(console) - indent)
    for number, line in enumerate(words.wrap(console, room)):
        line.rstrip()
        before = label if not number else Text()
        before = before + Text(" " * (indent - before.cell_len))
        console.print(before + line, soft_wrap=True)
