"""The client can be installed, and opens without the network after a first visit."""

from typing import Final

from playwright.sync_api import Page

from tests.e2e.conftest import Shoot, Visitor
from tests.e2e.hands import until
from tests.e2e.harbour import Harbour

READY: Final = "async () => (await navigator.serviceWorker.ready).active.state === 'activated'"


def test_it_can_be_installed(visitor: Visitor, server: Harbour) -> None:
    page = visitor()
    address = page.locator("link[rel=manifest]").get_attribute("href")
    assert address is not None
    manifest = page.request.get(server.at + address).json()
    assert manifest["name"]
    assert manifest["display"] in {"standalone", "fullscreen", "minimal-ui"}
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        assert page.request.get(server.at + "/" + icon["src"].lstrip("/")).ok
    worker = page.request.get(f"{server.at}/sw.js")
    assert worker.ok
    assert "javascript" in worker.headers["content-type"]
    assert "__BUILD__" not in worker.text()


def test_it_opens_without_the_network(visitor: Visitor, shoot: Shoot) -> None:
    page = visitor()
    until(page, READY)
    page.context.set_offline(True)
    page.reload()
    page.get_by_role("button", name="Play now").wait_for()
    says_so(page)
    shoot(page, "home")
    page.get_by_role("button", name="Play now").click()
    assert "no line to the server" in page.get_by_role("alert").first.inner_text()


def says_so(page: Page) -> None:
    """Without anything being pressed, the page tells that the network is away."""
    page.get_by_role("status").get_by_text("No line to the server").wait_for()
