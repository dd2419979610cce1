"""Does what a Containerfile says, in a folder: there may be no daemon that could build an image."""

import glob
import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

SHIMS = {"useradd": "exit 0", "install": 'for last; do :; done; mkdir -p "$last"'}
"""What needs an image of its own to do it in."""


class Instruction(Struct, frozen=True):
    """One line of the file, put together from its parts."""

    name: str
    value: str

    @property
    def words(self) -> list[str]:
        """The value without options; a list in JSON is taken as such."""
        at = self.value.find("[")
        if at >= 0 and self.name in ("CMD", "HEALTHCHECK"):
            found: list[str] = json.loads(self.value[at:])
            return found
        return [word for word in shlex.split(self.value) if not word.startswith("--")]


def read(file: Path) -> list[Instruction]:
    """All instructions."""
    lines = (line for line in file.read_text().splitlines() if not line.startswith("#"))
    text = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    parts = (line.partition(" ") for line in text.splitlines() if line.strip())
    return [Instruction(name, value.strip()) for name, _, value in parts]


class ImageFolder:
    """A root of its own below a folder, for a few paths of the image."""

    def __init__(self, root: Path, context: Path) -> None:
        self.root, self.context = root, context
        self.environment: dict[str, str] = {}
        self.commands: dict[str, list[str]] = {}
        tools = root / "shims"
        tools.mkdir(parents=True)
        for name, script in SHIMS.items():
            (tools / name).write_text(f"#!/bin/sh\n{script}\n")
            (tools / name).chmod(0o755)
        self.path = f"{tools}{os.pathsep}{os.environ['PATH']}"

    def moved(self, text: str) -> str:
        """A text in which the image's paths are those below the root."""
        return re.sub(r"(?<![\w.])/(opt|data|build)(?=/|\b)", rf"{self.root}/\1", text)

    def do(self, instructions: list[Instruction]) -> None:
        """Everything, in order."""
        for instruction in instructions:
            act = getattr(self, f"do_{instruction.name.lower()}", None)
            if act is not None:
                act(instruction)

    def do_copy(self, instruction: Instruction) -> None:
        """Copy from the context; between stages all is here already."""
        if "--from=" in instruction.value:
            return
        *sources, target = instruction.words
        place = Path(self.moved(target))
        place.mkdir(parents=True, exist_ok=True)
        for source in sources:
            found = glob.glob(str(self.context / source))  # noqa: PTH207 (patterns as they stand)
            assert found, f"{source} is not in the context: make dist builds it"
            for name in found:
                shutil.copy(name, place)

    def do_run(self, instruction: Instruction) -> None:
        command = ["/bin/sh", "-ec", self.moved(instruction.value)]
        env = {**os.environ, "PATH": self.path}
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # noqa: S603
        assert done.returncode == 0, done.stdout + done.stderr

    def do_env(self, instruction: Instruction) -> None:
        for word in instruction.words:
            name, _, value = self.moved(word).partition("=")
            self.environment[name] = value.replace("$PATH", "/usr/bin:/bin")

    def do_cmd(self, instruction: Instruction) -> None:
        self.commands["cmd"] = self.found(instruction)

    def do_healthcheck(self, instruction: Instruction) -> None:
        self.commands["health"] = self.found(instruction)

    def found(self, instruction: Instruction) -> list[str]:
        """A command, with the program that its PATH finds."""
        program, *rest = instruction.words
        return [shutil.which(program, path=self.environment["PATH"]) or program, *rest]


def named(instructions: list[Instruction], name: str) -> Iterator[str]:
    """The values of all instructions of a name."""
    return (each.value for each in instructions if each.name == name)
