"""``fathom arena``: tournaments between bots, how strong they are, and whether they ever fail."""

import hashlib
import os
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from fathom.arena import bars, report
from fathom.arena.entrants import BadEntrant, Entrant, read_entrant
from fathom.arena.folder import BadFolder, Folder
from fathom.arena.origin import commit, fingerprint
from fathom.arena.playing import ArenaJob, play_game
from fathom.arena.plot import svg_plot, text_plot
from fathom.arena.pool import Crashed, Pool
from fathom.arena.soak import Soak, soak_table, troubled
from fathom.arena.standings import standings
from fathom.arena.tournament import (
    Pairing,
    Played,
    Tournament,
    ladder,
    pairing_of,
    round_robin,
    settings,
)
from fathom.bots.pace import PaceFactor
from fathom.bots.ranks import RANKS
from fathom.cli.terminal import FAILED, OK, Failure
from fathom.rules import library
from fathom.rules.setup import BadSetup
from fathom.words import Mode

GAMES: Final = 100
QUICK_GAMES: Final = 8
QUICK_SECONDS: Final = 35.0
"""After which a quick tournament begins no more games."""
BETWEEN_LINES: Final = 10.0
"""Seconds between two lines of progress, where no bar can be drawn."""
MOST_TROUBLES: Final = 20

TournamentOrSoak = Tournament | Soak


def run(options: Namespace) -> int:
    """Play a tournament, or go on with one."""
    try:
        event = plan(options)
        with open_folder(options, event).opened() as folder:
            play(folder, event, options)
            return show(folder, event, options)
    except (BadEntrant, BadFolder) as bad:
        raise Failure(str(bad)) from None
    except BadSetup as bad:
        raise Failure(bad.what) from None


# What is played


def plan(options: Namespace) -> TournamentOrSoak:
    """What the options ask for."""
    if options.bars:
        return bars.bars_tournament(options.games or bars.GAMES, options.seed)
    entrants = enter(options)
    if options.soak:
        return Soak(entrants, options.soak, options.seed)
    usual = QUICK_GAMES if options.quick else GAMES
    return Tournament(
        entrants=entrants,
        pairings=pair(options, entrants),
        settings=settings(
            known_books(options.rulebooks),
            [known_mode(mode) for mode in options.modes],
            options.charts,
            options.players,
            options.stations,
        ),
        games=options.games or usual,
        seed=options.seed,
        pace=PaceFactor(options.pace),
    )


def enter(options: Namespace) -> tuple[Entrant, ...]:
    """Who takes part: those named, or all ranks."""
    chosen = options.entrants or [rank.value for rank in RANKS]
    found = [read_entrant(text) for text in chosen]
    if len({entrant.name for entrant in found}) < len(found):
        raise Failure("two entrants have the same name; name them, as in mine=python:my_bot.py:Bot")
    if len(found) < 2 and not options.soak:
        raise Failure("a tournament needs two entrants at least")
    return tuple(replace(entrant, seconds=options.answer_seconds) for entrant in found)


def pair(options: Namespace, entrants: tuple[Entrant, ...]) -> tuple[Pairing, ...]:
    """Who meets whom."""
    if options.pair:
        try:
            return tuple(pairing_of(text, entrants) for text in options.pair)
        except ValueError as bad:
            raise Failure(str(bad)) from None
    if options.pairing is None:
        options.pairing = "ladder" if options.quick else "round-robin"
    return ladder(entrants) if options.pairing == "ladder" else round_robin(entrants)


def known_books(chosen: list[str]) -> list[str]:
    """The rulebooks called so."""
    for name in chosen:
        if name not in library.rulebook_names():
            known = ", ".join(library.rulebook_names())
            raise Failure(f"there is no rulebook called {name[:40]!r}; known: {known}")
    return chosen


def known_mode(name: str) -> Mode:
    """The mode called so."""
    modes = {mode.value: mode for mode in Mode}
    if name not in modes:
        raise Failure(f"there is no mode called {name[:40]!r}; known: {', '.join(modes)}")
    return modes[name]


def open_folder(options: Namespace, event: TournamentOrSoak) -> Folder:
    """Where it is kept: as asked, or where programs keep such things, by a name of its own."""
    content = msgspec.json.encode(event)
    program = fingerprint(event.entrants)
    mark = hashlib.sha256(content + program.encode()).hexdigest()[:12]
    path = Path(options.out) if options.out else state_folder() / mark
    return Folder(path, content, program, commit())


def state_folder() -> Path:
    chosen = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(chosen) if chosen else Path.home() / ".local" / "state") / "fathom" / "arena"


# Playing


def play(folder: Folder, event: TournamentOrSoak, options: Namespace) -> None:
    """Play what has not been played yet."""
    done = {played.game.number for played in folder.played}
    left = [number for number in range(len(event)) if number not in done]
    job = msgspec.json.encode(ArenaJob(event, str(folder.path.absolute())))
    workers = options.jobs or os.cpu_count() or 1
    pool = Pool(play_game, job, max(1, min(workers, len(left))))
    seconds = QUICK_SECONDS if options.quick else None
    with progress(len(event), len(done)) as advance:
        try:
            for number, line in pool.run(left, seconds):
                folder.add(line_of(event, number, line))
                advance()
        except KeyboardInterrupt:
            kept = f"{len(folder.played)} of {len(event)} games are kept in {folder.path}"
            print(f"\n{kept}; the same command goes on from there.", file=sys.stderr)
            raise


def line_of(event: TournamentOrSoak, number: int, line: bytes | Crashed) -> bytes:
    """What is kept of a game, also of one that has no line."""
    if isinstance(line, Crashed):
        return msgspec.json.encode(Played(event.game(number), crash=str(line)))
    return line


@contextmanager
def progress(total: int, done: int) -> Iterator[Callable[[], None]]:
    """A bar on a terminal, else now and then a line; both on stderr."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield Lines(total, done)
        return
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as drawn:
        task = drawn.add_task("games", total=total, completed=done)
        yield lambda: drawn.advance(task)


class Lines:
    """Progress in lines."""

    def __init__(self, total: int, done: int) -> None:
        self.total, self.done = total, done
        self.last = time.monotonic()
        if 0 < done < total:
            print(f"{done} of {total} games were played before", file=sys.stderr, flush=True)

    def __call__(self) -> None:
        self.done += 1
        if time.monotonic() - self.last >= BETWEEN_LINES:
            self.last = time.monotonic()
            print(f"{self.done} of {self.total} games", file=sys.stderr, flush=True)


# What came of it


def show(folder: Folder, event: TournamentOrSoak, options: Namespace) -> int:
    """The tables; 1 if something was demanded that is not so."""
    render = report.as_markdown if options.markdown else report.as_text
    if isinstance(event, Soak):
        return show_soak(folder, event, render)
    if options.bars:
        return show_bars(folder, event, render)
    show_ratings(folder, event, render)
    return OK


def show_ratings(folder: Folder, event: Tournament, render: report.Render) -> None:
    """Ratings as a table, as a plot in text and as a file; and who scored what against whom."""
    standing = standings([entrant.name for entrant in event.entrants], folder.played)
    ratings = [each.rating for each in standing]
    plot = text_plot(ratings)
    tables = [
        render(report.standings_table(standing)),
        meaning(render),
        f"```text\n{plot}\n```" if render is report.as_markdown else plot,
        render(report.cross_table(folder.played, event.pairings)),
    ]
    print("\n\n".join(tables))
    (folder.path / "ratings.svg").write_text(svg_plot(ratings, "Ratings"), encoding="utf-8")
    say_where(folder, len(event), "Results, logbooks and ratings.svg")


def meaning(render: report.Render) -> str:
    """What the columns of the standings mean."""
    markdown = render is report.as_markdown
    return "\n".join(f"- {line}" if markdown else line for line in report.MEANING.splitlines())


def show_bars(folder: Folder, event: Tournament, render: report.Render) -> int:
    """Every bar with its verdict, and the same numbers by chart and mode."""
    judged = bars.judge(event, folder.played)
    standing = standings([entrant.name for entrant in event.entrants], folder.played)
    tables = [
        render(bars.bars_table(judged)),
        render(report.cross_table(folder.played, event.pairings)),
        render(report.standings_table(standing)),
        meaning(render),
        f"{len(folder.played)} games, seed {event.seed}, commit {folder.plan.commit}.",
    ]
    print("\n\n".join(tables))
    say_where(folder, len(event), "Results and logbooks")
    return OK if all(bar.passed for bar in judged) else FAILED


def show_soak(folder: Folder, event: Soak, render: report.Render) -> int:
    """How many games, and every one in which something went wrong."""
    print(render(soak_table(folder.played)))
    bad = troubled(folder.played)
    for played in bad[:MOST_TROUBLES]:
        fault = played.outcome.fault if played.outcome else None
        what = f"{fault.kind}: {fault.what}" if fault else played.crash
        print(f"\ngame {played.game.number}: {what[:400]}")
    say_where(folder, len(event), "Results, and logbooks of games with faults")
    return FAILED if bad else OK


def say_where(folder: Folder, total: int, what: str) -> None:
    """Where everything is kept; beside the tables, so that those can be piped."""
    print(f"\n{what}: {folder.path}", file=sys.stderr)
    if len(folder.played) < total:
        left = f"{total - len(folder.played)} of {total} games are left"
        print(f"Out of time: {left}; the same command plays them.", file=sys.stderr)
