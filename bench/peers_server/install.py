"""Installing the peers from npm into a folder of their own, and starting them."""

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bench.server.process import MeasuredProcess, free_port, started

HERE = Path(__file__).parent
FILES = ("package.json", "boardgame.js", "colyseus.js")
INSTALL = ("npm", "install", "--no-audit", "--no-fund", "--omit=optional", "--loglevel=error")
INSTALL_SECONDS = 600.0


class NotInstalled(Exception):
    """The peers could not be installed; the words say why."""


async def install(folder: Path) -> None:
    """Install what ``package.json`` names."""
    if shutil.which("npm") is None:
        raise NotInstalled("there is no npm")
    for name in FILES:
        shutil.copy(HERE / name, folder)
    running = await asyncio.create_subprocess_exec(
        *INSTALL, cwd=folder, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    async with asyncio.timeout(INSTALL_SECONDS):
        words, _ = await running.communicate()
    if running.returncode:
        raise NotInstalled(words.decode(errors="replace").strip()[-200:])


@asynccontextmanager
async def peer(folder: Path, name: str) -> AsyncIterator[MeasuredProcess]:
    """A peer's server, as it is in production."""
    port = free_port()
    command = ("node", str(folder / f"{name}.js"), str(port))
    async with started(*command, port=port, ready=b"ready", NODE_ENV="production") as process:
        yield process
