"""A data folder: private to its user, and in use by one server at a time."""

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from fathom.server.log import LogAway, LogUnusable
from fathom.server.operating_system import lock_file

LOCK: Final = "fathom.lock"
LONGEST_NOTE: Final = 300


class FolderInUse(LogUnusable):
    """Another process has the folder; where it serves, if it has said so."""

    def __init__(self, folder: Path, holder: str, url: str) -> None:
        where = f", which serves {url}" if url else ""
        super().__init__(
            f"the data folder {folder} is in use by process {holder or '(unknown)'}{where}; "
            "stop it first, or choose another folder with --data"
        )
        self.url = url


FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
"""What may be better later."""


class FolderLock:
    """A lock on a folder; the system lets it go when the process ends, however it ends."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def tell(self, url: str) -> None:
        """Note where this process serves, for whoever wants the folder, too."""
        self.file.seek(0)
        self.file.truncate()
        self.file.write(f"{os.getpid()}\n{url}\n".encode()[:LONGEST_NOTE])

    def release(self) -> None:
        """Let another process have the folder."""
        # The file stays: whoever removed it could remove the next holder's.
        self.file.close()


def lock_folder(folder: Path) -> FolderLock:
    """Make the folder if need be, and take it; raises ``LogUnusable`` if that can't be.

    Raises ``LogAway`` while the disk is full.
    """
    try:
        make_private_folder(folder)
        # Not truncated: what another has written there is needed if it has the lock.
        file = os.fdopen(os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600), "r+b", 0)
    except OSError as bad:
        if bad.errno in FULL:
            raise LogAway(str(bad.strerror)) from None
        raise LogUnusable(f"the data folder {folder} can't be used: {bad.strerror}") from None
    try:
        lock_file(file)
    except OSError:
        holder, _, url = file.read(LONGEST_NOTE).decode("ascii", "replace").partition("\n")
        file.close()
        raise FolderInUse(folder, holder.strip(), url.strip()) from None
    lock = FolderLock(file)
    # It is for people only, and a disk may be full.
    with suppress(OSError):
        lock.tell("")
    return lock


def make_private_folder(folder: Path) -> None:
    """The folder, which only its owner may look into.

    A folder that was there before is left as it is if others keep something there, too.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    names = [place.name for place in folder.iterdir()]
    if names and all(name.startswith("fathom.") for name in names):
        folder.chmod(0o700)


def make_private_file(path: Path) -> None:
    """An empty file, or the one that is there, which only its owner may read."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    for place in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
        if place.exists():
            place.chmod(0o600)
