"""What was measured: a fingerprint of everything that plays, and the commit."""

import hashlib
import importlib.util
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import fathom
from fathom.arena.entrants import PROGRAM, PYTHON, Entrant

PACKAGE: Final = Path(fathom.__file__).parent
PLAYING: Final = ("words.py", "points.py", "data", "rules", "engine", "belief", "bots")
"""The parts of the package that decide how a game goes."""
TABLE: Final = tuple(f"arena/{name}.py" for name in ("match", "table", "turns", "hands", "tally"))


def fingerprint(entrants: Iterable[Entrant]) -> str:
    """Changes whenever the rules, the bots or the table do."""
    mark = hashlib.sha256()
    for name, file in sorted(sources(entrants)):
        mark.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return mark.hexdigest()[:16]


def sources(entrants: Iterable[Entrant]) -> Iterator[tuple[str, Path]]:
    """All files that play a part, each under a name that is the same everywhere."""
    for part in (*PLAYING, *TABLE):
        found = PACKAGE / part
        for file in found.rglob("*") if found.is_dir() else [found]:
            if file.suffix in {".py", ".toml", ".txt"}:
                yield file.relative_to(PACKAGE).as_posix(), file
    for entrant in entrants:
        yield from ((f"{entrant.name}/{file.name}", file) for file in own_files(entrant.what))


def own_files(what: str) -> Iterator[Path]:
    """An entrant's own files, as far as its description names them."""
    if what.startswith(PYTHON):
        place = what.removeprefix(PYTHON).rpartition(":")[0]
        if place.endswith(".py"):
            yield Path(place)
        elif (spec := importlib.util.find_spec(place)) is not None and spec.origin:
            yield Path(spec.origin)
    elif what.startswith(PROGRAM):
        words = shlex.split(what.removeprefix(PROGRAM))
        named = [shutil.which(words[0]) or words[0], *words[1:]]
        yield from (Path(word) for word in named if Path(word).is_file())


def commit() -> str:
    """Of the program's source, marked if that was changed since."""
    try:
        # The package may be installed within a checkout of something else.
        git("ls-files", "--error-unmatch", "words.py")
        head = git("rev-parse", "--short=12", "HEAD")
        # Tracked only: what lies beside the source plays no part.
        changed = git("status", "--porcelain", "--untracked-files=no", "--", ".")
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return f"{head}, with changes" if changed else head


def git(*arguments: str) -> str:
    """What git answers about the package's folder."""
    asked = subprocess.run(  # noqa: S603 - our own arguments
        ["git", *arguments],  # noqa: S607 - wherever it is installed
        cwd=PACKAGE,
        capture_output=True,
        text=True,
        timeout=10,
        check=True,
    )
    return asked.stdout.strip()
