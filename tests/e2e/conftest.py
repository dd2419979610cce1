"""One browser and one server for all of a worker's tests here; and a folder for pictures."""

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.browser import FLAGS, MISSING, browsing, chromium, visit
from tests.e2e.harbour import RestartableServer, harbour

HERE: Final = Path(__file__).parent
SHOTS: Final = HERE / "shots"
FRIEND: Final = "fathom.example"
"""A name that is not this machine's own: over plain HTTP the browser does not trust it."""

OpenPage: TypeAlias = Callable[..., Page]
Shoot: TypeAlias = Callable[[Page, str], None]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.slow)


# Not for the whole session: while it is open, its loop is in the way of tests with their own.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium, for all tests of this folder."""
    if os.environ.get("FATHOM_NO_BROWSER") == "1":
        pytest.skip("FATHOM_NO_BROWSER is set")
    if chromium() is None:
        pytest.fail(MISSING)
    with browsing() as opened:
        yield opened


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestartableServer]:
    """A server, for all tests of this folder."""
    with harbour(tmp_path_factory.mktemp("harbour")) as opened:
        yield opened


class Troubles(list[str]):
    """What went wrong in a page while it was open."""

    def watch(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.append(str(error)))


@pytest.fixture
def visitor(browser: Browser, server: RestartableServer) -> Iterator[OpenPage]:
    """Opens the home page, or another, on a new device; no page may have an error till the end."""
    contexts: list[BrowserContext] = []
    troubles = Troubles()

    def come(
        path: str = "/", size: str = "desktop", language: str = "en-GB", theme: str = "night"
    ) -> Page:
        context = visit(browser, size, language=language, theme=theme)
        contexts.append(context)
        page = context.new_page()
        troubles.watch(page)
        page.goto(server.at + path)
        return page

    yield come
    for context in contexts:
        context.close()
    assert not troubles


@pytest.fixture
def plain_http(browser: Browser) -> Iterator[BrowserContext]:
    """A phone on an origin that is not secure, as in a living room."""
    rule = f"--host-resolver-rules=MAP {FRIEND} 127.0.0.1"
    other = browser.browser_type.launch(executable_path=chromium(), args=[*FLAGS, rule])
    yield visit(other, "phone")
    other.close()


@pytest.fixture
def shoot(request: pytest.FixtureRequest) -> Shoot:
    """Leaves a picture in the folder ``shots``, named by the test and by what it shows."""
    SHOTS.mkdir(exist_ok=True)
    test = re.sub(r"\W+", "-", request.node.name.removeprefix("test_")).strip("-")

    def take(page: Page, what: str) -> None:
        page.screenshot(path=SHOTS / f"{test}-{what}.png")

    return take
