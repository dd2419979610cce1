"""``fathom replay``: a recorded duel in the terminal, step by step."""

import sys
from argparse import Namespace
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.live import Live

from fathom.cli.film import FollowedGame, worth_a_look
from fathom.cli.keys import KeyReader
from fathom.cli.picture import ASCII, LINED, Pens
from fathom.cli.scene import draw_scene
from fathom.cli.terminal import OK, Failure, draws_lines, open_console
from fathom.engine.knowledge.announce import announce
from fathom.engine.logbook import LONGEST, BadLogbook, Logbook, Step, read
from fathom.words import CREWS, Crew

KEYS: Final = "Keys: Enter next, b back, . , single steps, g G beginning and end, q leave"


def run(options: Namespace) -> int:
    """Show the logbook."""
    console = open_console()
    logbook = open_logbook(options.file)
    side = side_called(logbook, options.side)
    if options.to is not None and options.to > len(logbook.steps):
        raise Failure(f"the logbook has {len(logbook.steps)} steps, so there is no {options.to}")
    projector = Projector(console, logbook, side)
    with KeyReader() as keys:
        if console.is_terminal and (keys.there or options.auto):
            projector.show(keys, options.to or 0, options.auto)
        elif options.to is not None:
            projector.print_frame(options.to)
        else:
            projector.print_all()
    return OK


def open_logbook(file: str) -> Logbook:
    """The logbook in a file, or the one that comes through stdin."""
    called = "the logbook" if file == "-" else file
    try:
        raw = sys.stdin.buffer.read(4 * LONGEST) if file == "-" else read_bytes(Path(file))
        return read(raw.decode("utf-8"))
    except OSError as error:
        raise Failure(f"{called} can't be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Failure(f"{called} is not UTF-8 text (byte {error.start + 1})") from None
    except BadLogbook as bad:
        raise Failure(f"{called}, {bad}") from None


def read_bytes(path: Path) -> bytes:
    """The file's bytes; no logbook is longer than what is read at most."""
    with path.open("rb") as file:
        return file.read(4 * LONGEST)


def side_called(logbook: Logbook, wanted: str | None) -> Crew | None:
    """The crew of that colour."""
    if wanted is None:
        return None
    colours = logbook.setup.book.colours
    if wanted.lower() not in colours:
        raise Failure(f"there is no side {wanted[:20]!r}; the crews are {' and '.join(colours)}")
    return CREWS[colours.index(wanted.lower())]


class Projector:
    """Shows a logbook's steps. After step 0 nothing has happened yet."""

    def __init__(self, console: Console, logbook: Logbook, side: Crew | None) -> None:
        self.console, self.steps = console, logbook.steps
        self.setup, self.side = logbook.setup, side
        self.pens: Pens = LINED if draws_lines() else ASCII
        self.film = FollowedGame(self.setup, side)
        self.at = 0

    # Moving through the steps

    def seek(self, number: int) -> None:
        """Go to the moment after that step."""
        number = max(0, min(len(self.steps), number))
        if number < self.at:
            self.film, self.at = FollowedGame(self.setup, self.side), 0
        for step in self.steps[self.at : number]:
            self.film.show(step.events)
        self.at = number

    def next_announced(self, number: int, way: int) -> int:
        """The next step, forwards or backwards, in which something was said."""
        number += way
        while 0 < number < len(self.steps) and not was_announced(self.steps[number - 1]):
            number += way
        return number

    def caption(self) -> str:
        """Which step it is, and how it began."""
        count = f"Step {self.at} of {len(self.steps)}"
        if self.at == 0:
            return f"{count}: the beginning"
        told = self.film.tell(self.steps[self.at - 1].events)
        return f"{count}: {told[0] if told else 'nothing that could be heard'}"

    # Frames in a pipe

    def print_all(self) -> None:
        """A frame for every step in which something was said; marks are seen in the next one."""
        self.print_frame(0)
        while self.at < len(self.steps):
            self.console.print()
            self.print_frame(self.next_announced(self.at, 1))

    def print_frame(self, number: int) -> None:
        """One moment as text."""
        self.seek(number)
        scene = self.film.scene(self.caption())
        self.console.print(draw_scene(scene, self.pens, self.console.width, 0))

    # A terminal

    def show(self, keys: KeyReader, start: int, seconds: float | None) -> None:
        """Step through the duel by keys, or by itself."""
        self.seek(start)
        with Live(console=self.console, screen=True, auto_refresh=False) as canvas:
            while True:
                self.draw(canvas)
                key = keys.wait(seconds)
                if key == "q" or (not key and self.at == len(self.steps)):
                    break
                self.press(key or "enter")
        # What was on the screen last stays to be read.
        self.print_frame(self.at)

    def draw(self, canvas: Live) -> None:
        """The moment on the whole screen."""
        width, height = self.console.size
        scene = self.film.scene(self.caption())
        canvas.update(draw_scene(scene, self.pens, width, height, KEYS), refresh=True)

    def press(self, key: str) -> None:
        """Go where a key leads."""
        match key:
            case "enter" | "space" | "right" | "n":
                self.seek(self.next_announced(self.at, 1))
            case "left" | "b" | "p":
                self.seek(self.next_announced(self.at, -1))
            case ".":
                self.seek(self.at + 1)
            case ",":
                self.seek(self.at - 1)
            case "g":
                self.seek(0)
            case "G":
                self.seek(len(self.steps))
            case _:
                pass


def was_announced(step: Step) -> bool:
    """Whether something was said in the step that is worth a look."""
    said = (announce(event) for event in step.events)
    return any(news is not None and worth_a_look(news) for news in said)
