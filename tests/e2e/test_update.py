"""The server gets a newer client: who comes back finds one build whole, with a line or without."""

import shutil
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from fathom.server.client_files import CLIENT
from tests.e2e.browser import visit
from tests.e2e.hands import until
from tests.e2e.test_offline import PLAYABLE, READY

NEWER: Final = """
async () => {
  const names = await caches.keys();
  const pages = names.map(async (name) => (await caches.open(name)).match("/"));
  const texts = (await Promise.all(pages)).map(async (page) => page && (await page.text()));
  return (await Promise.all(texts)).some((text) => text?.includes('content="newer"'));
}
"""
"""Whether the newer build is kept on the device."""
BUILD: Final = """
() => document.querySelector('meta[name="build"]')?.content ?? "first"
"""


class Quiet(SimpleHTTPRequestHandler):
    """Files and nothing else."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class Shipyard:
    """A copy of the built client, served; a newer build can be put in its place."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(CLIENT, folder, dirs_exist_ok=True)
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder))
        self.at = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def renew(self) -> None:
        """As the next build does: other names of files, another page, another worker."""
        for file in list(self.folder.glob("assets/index-*.js")):
            newer = file.rename(file.with_name(file.name.replace("index-", "newer-")))
            self.rename(file.name, newer.name)
        self.write("index.html", "</head>", '<meta name="build" content="newer" /></head>')
        self.write("sw.js", '"fathom-', '"fathom-newer-')

    def rename(self, old: str, new: str) -> None:
        texts = [*self.folder.rglob("*.js"), self.folder / "index.html"]
        for file in texts:
            file.write_text(file.read_text().replace(old, new))

    def write(self, name: str, old: str, new: str) -> None:
        file = self.folder / name
        assert old in file.read_text()
        file.write_text(file.read_text().replace(old, new, 1))


@pytest.fixture
def shipyard(tmp_path: Path) -> Iterator[Shipyard]:
    yard = Shipyard(tmp_path)
    yield yard
    yard.server.shutdown()
    yard.server.server_close()


@pytest.fixture
def guest(browser: Browser, shipyard: Shipyard) -> Iterator[Page]:
    """Somebody who was here before the update."""
    context = visit(browser)
    page = context.new_page()
    page.goto(shipyard.at)
    until(page, READY)
    until(page, PLAYABLE)
    shipyard.renew()
    yield page
    context.close()


def test_a_newer_build_comes_whole_and_opens_without_the_network(guest: Page) -> None:
    guest.reload(wait_until="commit")
    until(guest, PLAYABLE)
    until(guest, NEWER)
    until(guest, READY)
    guest.context.set_offline(True)
    guest.reload(wait_until="commit")
    until(guest, PLAYABLE)
    assert guest.evaluate(BUILD) == "newer"


def test_the_network_goes_while_a_newer_build_is_on_its_way(
    guest: Page, shipyard: Shipyard
) -> None:
    # Its worker and its page are there, but one of its files never comes.
    (lost,) = shipyard.folder.glob("assets/Station-*.js")
    lost.unlink()
    guest.reload(wait_until="commit")
    until(guest, PLAYABLE)
    assert guest.evaluate(BUILD) == "first"
    guest.context.set_offline(True)
    guest.reload(wait_until="commit")
    until(guest, PLAYABLE)
    assert guest.evaluate(BUILD) == "first"
