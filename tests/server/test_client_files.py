"""The client's files, also when the client is built while the server runs."""

import os
from pathlib import Path
from shutil import rmtree

import aiohttp
import pytest

from fathom.server import client_files
from tests.server.serving import run, serving


def build(folder: Path, name: str, when: int) -> None:
    """What a build does: it clears the folder and writes files under new names."""
    rmtree(folder, ignore_errors=True)
    assets = folder / "assets"
    assets.mkdir(parents=True)
    (assets / f"{name}.js").write_text(name)
    index = folder / "index.html"
    index.write_text(f'<html><head></head><script src="/assets/{name}.js"></script></html>')
    for place in (folder, assets, index):
        os.utime(place, (when, when))


def test_a_client_that_is_built_while_the_server_runs_is_served_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "client"
    monkeypatch.setattr(client_files, "CLIENT", client)

    async def story() -> None:
        async with serving(tmp_path) as server, aiohttp.ClientSession() as session:

            async def get(path: str) -> tuple[int, str]:
                async with session.get(server.url + path) as answer:
                    return answer.status, await answer.text()

            for number, name in enumerate(("first", "second")):
                build(client, name, 1_000_000 + number)
                status, page = await get("/")
                assert status == 200
                assert f"/assets/{name}.js" in page
                assert await get(f"/assets/{name}.js") == (200, name)
            assert (await get("/assets/first.js"))[0] == 404
            rmtree(client)
            assert "has not been built" in (await get("/"))[1]

    run(story())
