"""``fathom play``: a duel of two bots in the terminal, drawn live."""

import time
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from random import SystemRandom
from typing import Final

from rich.console import Console
from rich.live import Live

from fathom.arena.entrants import Entrant
from fathom.arena.match import Match
from fathom.cli.film import FollowedGame, seconds_for
from fathom.cli.keys import KeyReader
from fathom.cli.picture import ASCII, LINED, Pens, flow
from fathom.cli.scene import BESIDE, draw_chart, draw_scene, legend_of, tint
from fathom.cli.terminal import OK, Failure, draws_lines, open_console
from fathom.engine.knowledge.heard import Announcement
from fathom.engine.logbook import Logbook, Step, write
from fathom.rules.setup import USUAL_RULEBOOK, BadSetup, Choices, House, Setup, prepare
from fathom.words import ByCrew, Mode

ABOUT: Final = "Two bots hunt each other, and each hears only what is said aloud."
KEYS: Final = "Keys: space pauses, + and - change the speed, q leaves"
PAUSED: Final = "Paused: space goes on, q leaves"
INTRODUCTION: Final = 3.0
"""Seconds for the empty chart."""
LARGEST_SEED: Final = 9999
BEST: Final = ("admiral", "admiral")
"""Who duels unless others are asked for."""


def run(options: Namespace) -> int:
    """Play one duel."""
    console = open_console()
    setup = agree(options)
    seed = SystemRandom().randint(1, LARGEST_SEED) if options.seed is None else options.seed
    crews = ByCrew(*(Entrant(rank, rank) for rank in options.ranks))
    show = Show(console, setup, crews, seed, options.speed)
    try:
        if console.is_terminal and not options.plain and show.fits():
            show.live()
        else:
            show.plain()
    finally:
        if options.save:
            save(Path(options.save), show.steps, setup, seed)
    show.close(options)
    return OK


def agree(options: Namespace) -> Setup:
    """The set-up of the duel. Each bot holds every post, so the sizes of crews don't matter."""
    try:
        return prepare(
            Choices(
                rulebook=options.rulebook,
                mode=Mode(options.mode),
                scenario=options.scenario,
                house=House(lift_crew_rules=True),
            )
        )
    except BadSetup as bad:
        raise Failure(bad.what) from None


def save(path: Path, steps: list[Step], setup: Setup, seed: int) -> None:
    """Write the duel's logbook."""
    logbook = Logbook(setup, tuple(steps), (("event", "a duel of bots"), ("seed", str(seed))))
    try:
        path.write_text(write(logbook), encoding="utf-8")
    except OSError as error:
        raise Failure(f"{path} can't be written: {error.strerror}") from None


class Show:
    """One duel on the terminal."""

    def __init__(
        self, console: Console, setup: Setup, crews: ByCrew[Entrant], seed: int, speed: float
    ) -> None:
        self.console, self.seed, self.speed = console, seed, speed
        self.pens: Pens = LINED if draws_lines() else ASCII
        self.film = FollowedGame(setup)
        self.match = Match(setup, crews, seed)
        self.steps: list[Step] = []
        self.left = False

    def fits(self) -> bool:
        """Whether the terminal is large enough to draw in."""
        scene = self.film.scene()
        lines = draw_chart(scene, self.pens).split()
        wide = max(line.cell_len for line in lines) + 3 + BESIDE
        high = len(lines) + len(list(flow(legend_of(scene, self.pens), wide))) + 2
        if self.console.width >= wide and self.console.height >= high:
            return True
        self.console.print(f"(To draw the duel live, the terminal must be {wide} by {high}.)")
        return False

    def moments(self) -> Iterator[list[Announcement]]:
        """Play on, and stop whenever something was said that is worth a look."""
        self.match.play()
        for step in self.match.logbook.steps:
            self.steps.append(step)
            heard = self.film.show(step.events)
            if heard:
                yield heard

    # Drawn live

    def live(self) -> None:
        """Draw every moment over the last one."""
        with (
            KeyReader() as keys,
            Live(console=self.console, screen=True, auto_refresh=False) as canvas,
        ):
            self.draw(canvas, note="")
            self.hold(canvas, keys, INTRODUCTION)
            # The duel is not played on once the watcher has left.
            for heard in () if self.left else self.moments():
                self.draw(canvas)
                self.hold(canvas, keys, seconds_for(heard))
                if self.left:
                    return

    def draw(self, canvas: Live, note: str = KEYS) -> None:
        """One moment."""
        width, height = self.console.size
        scene = self.film.scene(ABOUT)
        canvas.update(draw_scene(scene, self.pens, width, height, note), refresh=True)

    def hold(self, canvas: Live, keys: KeyReader, seconds: float) -> None:
        """Wait, and do what keys ask for."""
        end = time.monotonic() + seconds / self.speed
        paused = False
        while paused or time.monotonic() < end:
            match keys.wait(None if paused else max(0.0, end - time.monotonic())):
                case "q":
                    self.left = True
                    return
                case "space":
                    paused = not paused
                    self.draw(canvas, PAUSED if paused else KEYS)
                case "+" | "=":
                    self.speed = min(64.0, self.speed * 1.5)
                case "-":
                    self.speed = max(0.1, self.speed / 1.5)
                case "right" | "enter":
                    return
                case _:
                    pass

    # Told in lines

    def plain(self) -> None:
        """Tell every moment in a line; there are pauses only where somebody watches."""
        self.print_scene()
        self.console.print()
        for heard in self.moments():
            for said in heard:
                self.console.print(tint(self.film.game.ground, self.film.teller.tell(said)))
            if self.console.is_terminal:
                time.sleep(seconds_for(heard) / self.speed)

    def print_scene(self) -> None:
        """The moment as a picture among the lines."""
        self.console.print(draw_scene(self.film.scene(ABOUT), self.pens, self.console.width, 0))

    def close(self, options: Namespace) -> None:
        """The last picture, who won, and how to see it again."""
        self.console.print()
        self.print_scene()
        over = self.film.game.public.result is not None
        last = self.film.said[-1] if over else f"Left after {self.film.courses} courses."
        self.console.print(tint(self.film.game.ground, last), style="bold")
        again = f"fathom play --seed {self.seed}"
        for option, usual in (
            ("rulebook", USUAL_RULEBOOK),
            ("scenario", None),
            ("mode", "turn-by-turn"),
        ):
            chosen = getattr(options, option)
            again += f" --{option} {chosen}" if chosen != usual else ""
        if tuple(options.ranks) != BEST:
            again += f" --ranks {' '.join(options.ranks)}"
        self.console.print(f"\nThe same duel again: {again}")
        self.console.print("How it is played:    fathom rules")
