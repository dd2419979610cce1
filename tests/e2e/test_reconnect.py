"""The line breaks in the middle of a game: the page says so, and nothing is lost."""

import signal
from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.browser import visit
from tests.e2e.conftest import Shoot
from tests.e2e.hands import COURSE, PagePlayer, drag, until
from tests.e2e.harbour import RestartableServer, harbour
from tests.e2e.table import open_table

QUIET: Final[dict[str, object]] = {
    "rank": "cadet",
    "pace": "at-once",
    "house": {"radio_help": "paper", "leaving": "wait"},
}
LOST: Final = "() => document.querySelector('.order.offline') !== null"
BACK: Final = "() => document.querySelector('.order:not(.offline)') !== null"
DRAWN: Final = """
() => {
  const drawn = ".film .line, .film > g > circle, .film path[stroke-width='3.5']";
  const place = (one) => `${one.getAttribute("cx")} ${one.getAttribute("cy")}`;
  return [...document.querySelectorAll(drawn)].map((one) => one.getAttribute("d") ?? place(one));
}
"""
"""What is on the transparent sheet, as it is drawn."""


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RestartableServer]:
    """A server that these tests may stop."""
    with harbour(tmp_path_factory.mktemp("own")) as opened:
        yield opened


@pytest.fixture(scope="module")
def radio(browser: Browser, own_server: RestartableServer) -> Iterator[Page]:
    """A game under way, at the radio operator's table, with a line and a mark on the sheet."""
    context = visit(browser)
    page = context.new_page()
    page.goto(own_server.at)
    open_table(page, QUIET, solo=True)
    hands = PagePlayer(page, 7)
    hands.press_until(3, *COURSE)
    page.locator(".posts").get_by_role("button", name="Radio").click()
    page.get_by_role("button", name="Pen").click()
    box = page.locator(".sheets").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    drag(page, [(x + 12 * step, y) for step in range(8)])
    page.get_by_role("button", name="Mark, Cross").click()
    page.mouse.click(x - 100, y - 60)
    until(page, f"() => ({DRAWN})().length >= 5")
    yield page
    context.close()


def state(page: Page) -> dict[str, object]:
    """All that the screen tells of the game: the sheet, the own route, the hulls."""
    until(page, BACK)
    page.locator(".posts").get_by_role("button", name="Radio").click()
    page.locator(".film").wait_for()
    drawn = page.evaluate(DRAWN)
    page.locator(".posts").get_by_role("button", name="Captain").click()
    page.locator(".captain .chart").wait_for()
    return {
        "drawn": drawn,
        "hulls": page.locator(".bar .hullbox svg").evaluate_all(
            "(all) => all.map((one) => one.ariaLabel)"
        ),
        "route": page.locator(".chart .cell").evaluate_all(
            "(all) => all.map((one) => one.ariaLabel).filter((told) => /route|boat/.test(told))"
        ),
    }


def goes_on(page: Page) -> None:
    """After all that, the game can be played: two more courses."""
    page.locator(".posts").get_by_role("button", name="All posts").click()
    hands = PagePlayer(page, 8)
    hands.press_until(2, *COURSE)


SEEN_AT_ONCE: Final = """
() => {
  window.seen = null;
  addEventListener("offline", () =>
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        window.seen = document.querySelector(".order.offline") !== null;
      })));
}
"""
"""From now on the page keeps what it shows right after the browser has said that it is offline."""
COUNT_CLOSED: Final = """
(() => {
  window.closed = 0;
  const Real = WebSocket;
  window.WebSocket = class extends Real {
    constructor(...given) {
      super(...given);
      this.addEventListener("close", () => (window.closed += 1));
    }
  };
})()
"""


def test_the_browser_is_believed_at_once_that_it_is_offline(radio: Page) -> None:
    state(radio)
    radio.evaluate(SEEN_AT_ONCE)
    radio.context.set_offline(True)
    until(radio, "() => window.seen !== null")
    assert radio.evaluate("() => window.seen")
    radio.context.set_offline(False)
    goes_on(radio)


def test_a_line_that_gives_no_answer_is_shown_before_it_breaks(
    browser: Browser, own_server: RestartableServer, shoot: Shoot
) -> None:
    """The server stands still: nothing is closed, and nothing comes."""
    context = visit(browser)
    context.add_init_script(COUNT_CLOSED)
    page = context.new_page()
    page.goto(own_server.at)
    open_table(page, QUIET, solo=True)
    PagePlayer(page, 7).press_until(1, *COURSE)
    own_server.process.send_signal(signal.SIGSTOP)
    try:
        until(page, LOST)
        closed = page.evaluate("() => window.closed")
        shoot(page, "silent")
    finally:
        own_server.process.send_signal(signal.SIGCONT)
    assert closed == 0
    goes_on(page)
    context.close()


def test_the_network_goes_and_comes(radio: Page, shoot: Shoot) -> None:
    before = state(radio)
    radio.context.set_offline(True)
    until(radio, LOST)
    shoot(radio, "lost")
    assert "Connection lost" in radio.locator(".order h1").inner_text()
    radio.context.set_offline(False)
    assert state(radio) == before
    goes_on(radio)


def test_the_page_is_loaded_anew(radio: Page) -> None:
    before = state(radio)
    radio.reload()
    assert state(radio) == before
    goes_on(radio)


def test_the_server_goes_down_and_comes_again(
    radio: Page, own_server: RestartableServer, shoot: Shoot
) -> None:
    before = state(radio)
    own_server.stop()
    until(radio, LOST)
    shoot(radio, "down")
    own_server.start()
    assert state(radio) == before
    shoot(radio, "back")
    goes_on(radio)
