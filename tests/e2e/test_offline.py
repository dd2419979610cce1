"""The client can be installed, and opens without the network after a first visit."""

from typing import Final

from playwright.sync_api import Browser, Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer
from tests.e2e.table import gather

READY: Final = """
async () => {
  const { controller } = navigator.serviceWorker;
  const known = await navigator.serviceWorker.getRegistration();
  if (controller?.state !== "activated" || known?.active !== controller) return false;
  return !known.installing && !known.waiting;
}
"""
"""Whether the page is in the hands of a worker that has all files, and no other one is on its way.

A page that goes while workers change hands waits for the new one; and asking whether one is ready
must not wait either, for a worker that could not be installed never will be."""

PLAYABLE: Final = "() => document.querySelector('.menu .go.lit') !== null"


def test_it_can_be_installed(visitor: OpenPage, server: RestartableServer) -> None:
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


def test_it_opens_without_the_network(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor()
    until(page, READY)
    page.context.set_offline(True)
    # What a page loads is not what counts here, and a busy machine takes its time for it.
    page.reload(wait_until="commit")
    until(page, PLAYABLE)
    says_so(page)
    shoot(page, "home")
    page.get_by_role("button", name="Play now").click()
    assert "No connection to the server" in page.get_by_role("alert").first.inner_text()


def test_a_part_that_does_not_come_says_so(browser: Browser, server: RestartableServer) -> None:
    # Without a worker that has kept it: a first visit, on which the line breaks.
    context = browser.new_context(locale="en-GB", service_workers="block")
    page = context.new_page()
    page.goto(server.at)
    gather(page)
    context.route("**/MoreOrders-*.js", lambda route: route.abort())
    page.get_by_role("button", name="More orders").click()
    missing = page.get_by_role("alert").filter(has_text="could not be loaded")
    missing.wait_for()
    context.unroute("**/MoreOrders-*.js")
    with page.expect_event("load"):
        missing.get_by_role("button", name="Load again").click()
    page.get_by_role("button", name="More orders").click()
    page.get_by_role("group", name="Radio help").wait_for()
    context.close()


def says_so(page: Page) -> None:
    """Without anything being pressed, the page tells that the network is away."""
    page.get_by_role("status").get_by_text("Connection lost").wait_for(timeout=60_000)
