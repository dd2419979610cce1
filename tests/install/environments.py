"""Empty environments, and ways to install into them."""

import os
import shutil
import subprocess
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
CLIENT = Path("src", "fathom", "server", "client")


def empty_environment(folder: Path) -> str:
    """The Python of a new environment, in which there is nothing but pip."""
    venv.create(folder, symlinks=True, with_pip=True)
    return str(folder / "bin" / "python")


def install(python: str, *what: str) -> None:
    """Install as people do."""
    command = [python, "-m", "pip", "install", "--quiet", "--no-input", *what]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr


def copy_checkout(target: Path, *, with_client: bool) -> Path:
    """What is, or would be, committed: as somebody has it who has just cloned it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        source = ROOT / name
        if source.is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / name)
    if with_client:
        shutil.copytree(ROOT / CLIENT, target / CLIENT)
    return target


def without_node(folder: Path) -> str:
    """A PATH that lacks nothing but Node: links to everything else."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    for place in map(Path, os.environ["PATH"].split(os.pathsep)):
        for tool in place.iterdir() if place.is_dir() else ():
            if tool.name not in ("node", "nodejs", "npm", "npx", "corepack"):
                target = tools / tool.name
                if not target.is_symlink():
                    target.symlink_to(tool)
    return str(tools)
