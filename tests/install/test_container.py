"""The container: pinned, in two stages, and its steps give a server that plays."""

import asyncio
import os
import re
from pathlib import Path

import pytest

from tests.install.container import ImageFolder, named, read
from tests.install.environments import ROOT
from tests.install.playing import plays_one_order

FILE = ROOT / "deploy" / "Containerfile"


def test_the_image_and_all_packages_are_pinned() -> None:
    instructions = read(FILE)
    (image,) = named(instructions, "ARG")
    assert re.fullmatch(r"PYTHON=[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", image)
    assert list(named(instructions, "FROM")) == ["${PYTHON} AS build", "${PYTHON}"]
    build, _ = named(instructions, "RUN")
    installs = re.findall(r"pip install ([^&]*)", build)
    assert [("--require-hashes" in one, "--no-index" in one) for one in installs] == [
        (True, False),
        (False, True),
    ]


def test_it_runs_as_nobody_in_particular_and_is_stopped_gently() -> None:
    instructions = read(FILE)
    assert list(named(instructions, "USER")) == ["10001"]
    assert list(named(instructions, "STOPSIGNAL")) == ["SIGTERM"]
    names = [each.name for each in instructions]
    assert names.index("USER") > max(n for n, name in enumerate(names) if name == "RUN")
    # A list, so that the server itself is the first process, and gets the signal.
    (command,) = named(instructions, "CMD")
    assert command.startswith("[")


@pytest.mark.slow
@pytest.mark.install
def test_its_steps_in_a_folder_make_a_server_that_is_well_and_plays(tmp_path: Path) -> None:
    folder = ImageFolder(tmp_path / "root", ROOT)
    folder.do(read(FILE))

    async def is_well(url: str) -> None:
        port = url.rpartition(":")[2]
        for asked, answer in ((port, 0), ("1", 1)):
            env = {**os.environ, **folder.environment, "FATHOM_PORT": asked}
            check = await asyncio.create_subprocess_exec(
                *folder.commands["health"], env=env, stderr=asyncio.subprocess.DEVNULL
            )
            assert await check.wait() == answer

    environment = {**folder.environment, "FATHOM_HOST": "127.0.0.1"}
    plays_one_order(folder.commands["cmd"], tmp_path, (), environment, meanwhile=is_well)
    assert (tmp_path / "root" / "data" / "fathom.db").exists()
