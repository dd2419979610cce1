"""The built client's files, which are in the package."""

from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

CLIENT: Final = Path(str(files("fathom"))) / "server" / "client"
CHANGING: Final = (".", "assets", "index.html")
"""What a build changes: it writes files under new names, and a page that names them."""


def client_files() -> dict[str, Path]:
    """Every file by its path on the web.

    Only what is in here is ever opened: no path that somebody asks for reaches the file system.
    A client that is built while the server runs is found: an old list would not have what the new
    page names.
    """
    try:
        return list_files(tuple(changed(CLIENT / name) for name in CHANGING))
    except OSError:
        # It is just being built.
        return {}


def changed(place: Path) -> int:
    """When something was changed; 0 if it is not there."""
    try:
        return place.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(1)
def list_files(_: tuple[int, ...]) -> dict[str, Path]:
    found = (place for place in CLIENT.rglob("*") if place.is_file())
    return {place.relative_to(CLIENT).as_posix(): place for place in found}
