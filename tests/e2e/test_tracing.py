"""A perfect stroke around the hull counts, whatever happens on the page meanwhile."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page

from fathom.engine import orders as give
from fathom.points import parse
from fathom.rules.setup import House
from fathom.server.wire import Settings
from fathom.words import Heading, Mode
from tests.e2e.browser import SIZES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.enemy import Enemy
from tests.e2e.eyes import BAND
from tests.e2e.hands import PagePath, swipe, until
from tests.e2e.harbour import RestartableServer

SETTINGS: Final = Settings(
    house=House(radio_help="computer", lift_crew_rules=True), mode=Mode.REAL_TIME
)
SIGNED: Final = "() => document.querySelectorAll('.round .ok').length === 1"


class Finger:
    """One finger on the glass, which can be stopped in the middle of a stroke."""

    def __init__(self, page: Page) -> None:
        self.device = page.context.new_cdp_session(page)

    def touch(self, event: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y} for x, y in places]
        self.device.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": points})

    def stroke(self, path: PagePath, meanwhile: Callable[[], None]) -> None:
        """The whole path; half-way something else happens."""
        self.touch("touchStart", path[0])
        half = len(path) // 2
        for place in path[1:half]:
            self.touch("touchMove", place)
        meanwhile()
        for place in path[half:]:
            self.touch("touchMove", place)
        self.touch("touchEnd")


def surface(page: Page, enemy: Enemy) -> None:
    """From the table to the surface."""
    page.locator(".boat").first.get_by_role("button", name="Take the whole boat").tap()
    page.get_by_role("button", name="Ready", exact=True).tap()
    enemy.start()
    enemy.give(give.Place(parse("N13")))
    page.locator('.cell[data-point="B2"]').tap()
    page.get_by_role("button", name="Start on").tap()
    page.locator(".steer").get_by_role("button", name="Dive", exact=True).tap()
    enemy.give(give.DIVE)
    for name in ("Surface", "Yes, surface"):
        page.locator(".steer .aside").get_by_role("button", name=name, exact=True).tap()
    page.locator(".tracing .band.now").wait_for()


def trace(page: Page, meanwhile: Callable[[], None]) -> None:
    band: list[tuple[float, float]] = page.locator(".band.now").evaluate(BAND)
    Finger(page).stroke(band, meanwhile)
    page.click(".acts .key.big.lit")
    until(page, SIGNED)


@pytest.mark.parametrize("size", ["phone-with-bars", "phone-sideways", "tablet"])
def test_a_caption_in_mid_stroke_spoils_nothing(
    server: RestartableServer, visitor: OpenPage, shoot: Shoot, size: str
) -> None:
    with Enemy(server.at, SETTINGS) as enemy:
        page = visitor(f"/t/{enemy.table}", size)
        surface(page, enemy)
        board = page.locator(".board svg")
        before = board.bounding_box()

        def hear() -> None:
            enemy.give(give.SetCourse(Heading.N))
            page.locator(".caption", has_text="North").wait_for()
            assert board.bounding_box() == before
            shoot(page, "heard")

        trace(page, hear)


def test_a_stroke_that_does_not_count_says_why(
    server: RestartableServer, visitor: OpenPage
) -> None:
    with Enemy(server.at, SETTINGS) as enemy:
        page = visitor(f"/t/{enemy.table}", "phone-with-bars")
        surface(page, enemy)
        band: list[tuple[float, float]] = page.locator(".band.now").evaluate(BAND)
        words = page.locator(".side .locked")
        swipe(page, band[: len(band) // 2])
        words.filter(has_text="not back at the ring").wait_for()
        box = page.locator(".board svg").bounding_box()
        assert box is not None
        swipe(page, [*band, (box["x"] + 8, box["y"] + 8), band[0]])
        words.filter(has_text="left the band").wait_for()
        assert page.locator(".acts .key.lit").count() == 0


def test_the_browsers_bars_may_go_in_mid_stroke(
    server: RestartableServer, visitor: OpenPage
) -> None:
    with Enemy(server.at, SETTINGS) as enemy:
        page = visitor(f"/t/{enemy.table}", "phone-with-bars")
        surface(page, enemy)
        board = page.locator(".board svg")
        before = board.bounding_box()

        def grow() -> None:
            page.set_viewport_size(SIZES["phone"])
            until(page, "() => innerHeight === 844")
            assert board.bounding_box() != before

        trace(page, grow)
