"""Where a tournament is kept: its plan, a line for every game, and the logbooks.

A line is written when its game is over, so whatever is interrupted, only games that were being
played are lost, and the same tournament goes on from there.
"""

import contextlib
import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import msgspec
from msgspec import Struct

from fathom.arena.tournament import Played
from fathom.server.operating_system import lock_file

PLAN, GAMES, LOGBOOKS, FAULTS = "tournament.json", "games.jsonl", "logbooks", "faults"
LARGE: Final = 64_000
"""Characters from which on a logbook is compressed."""


class BadFolder(Exception):
    """A folder that can't be used for this tournament; the message says why."""


class TournamentPlan(Struct, frozen=True):
    """What a folder belongs to."""

    tournament: msgspec.Raw
    program: str
    """A fingerprint of everything that plays: results of different programs don't mix."""
    commit: str = "unknown"


class Folder:
    """One tournament on disk."""

    def __init__(self, path: Path, tournament: bytes, program: str, commit: str) -> None:
        self.path = path
        self.plan = TournamentPlan(msgspec.Raw(tournament), program, commit)
        self.played: list[Played] = []
        self.file: IO[bytes] | None = None

    @contextlib.contextmanager
    def opened(self) -> Iterator["Folder"]:
        """Open it for this tournament: make it, or read what was played before."""
        with self.usable():
            self.path.mkdir(parents=True, exist_ok=True)
            self.claim()
            # Unbuffered: a line that was written stays written, even if the process is killed.
            self.file = (self.path / GAMES).open("ab+", buffering=0)
        with self.file:
            with self.usable():
                lock(self.file, self.path)
                self.recall(self.file)
            yield self

    @contextlib.contextmanager
    def usable(self) -> Iterator[None]:
        """What goes wrong with the disk is said with the folder's name."""
        try:
            yield
        except OSError as bad:
            raise BadFolder(f"{self.path} can't be used: {bad.strerror or bad}") from bad

    def claim(self) -> None:
        """The folder is this tournament's, from now on or already."""
        plan = self.path / PLAN
        if not plan.exists():
            others = [file.name for file in self.path.iterdir()]
            if others:
                raise BadFolder(f"{self.path} is not empty, and holds no tournament")
            whole = plan.with_suffix(".new")
            whole.write_bytes(msgspec.json.encode(self.plan))
            whole.replace(plan)
            return
        try:
            kept = msgspec.json.decode(plan.read_bytes(), type=TournamentPlan)
        except msgspec.DecodeError:
            raise BadFolder(f"{plan} can't be read") from None
        if bytes(kept.tournament) != bytes(self.plan.tournament):
            raise BadFolder(f"{self.path} belongs to another tournament; choose another folder")
        if kept.program != self.plan.program:
            raise BadFolder(
                f"{self.path} was begun by another version of the program or of a bot "
                f"(commit {kept.commit}); choose another folder"
            )

    def recall(self, file: IO[bytes]) -> None:
        """The games played before; a last line that was torn off is cut away."""
        file.seek(0)
        content = file.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            file.truncate(whole)
        for number, line in enumerate(content[:whole].splitlines(), 1):
            try:
                self.played.append(msgspec.json.decode(line, type=Played))
            except msgspec.DecodeError as bad:
                where = f"{self.path / GAMES}, line {number}"
                raise BadFolder(f"{where} can't be read: {bad}") from None

    def add(self, line: bytes) -> Played:
        """One more game, as its line."""
        played = msgspec.json.decode(line, type=Played)
        assert self.file is not None  # noqa: S101 - the folder is open
        with self.usable():
            self.file.write(line + b"\n")
        self.played.append(played)
        return played


def lock(file: IO[bytes], path: Path) -> None:
    """Two processes must not write to one folder."""
    try:
        lock_file(file)
    except OSError:
        raise BadFolder(f"another process is playing in {path}") from None


def keep_logbook(folder: Path, number: int, text: str) -> None:
    """Keep the logbook of a game, compressed if it is large."""
    content, ending = text.encode(), ".logbook"
    if len(text) > LARGE:
        content, ending = gzip.compress(content, mtime=0), ".logbook.gz"
    keep(folder / LOGBOOKS / f"{number:06}{ending}", content)


def keep_fault(folder: Path, number: int, text: str) -> None:
    """Keep what went wrong in a game."""
    keep(folder / FAULTS / f"{number:06}.txt", text.encode())


def keep(path: Path, content: bytes) -> None:
    """The whole file or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.write_bytes(content)
    new.replace(path)
