"""On a phone and on a tablet, with fingers: everything within reach, nothing beyond the edge."""

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import COURSE, PagePlayer, swipe, until
from tests.e2e.open_sea import ORDERS

SMALL: Final = """
() =>
  [...document.querySelectorAll("button, a[href], select, input:not([type=checkbox])")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".vh"))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < 43.5)
    .map(([one, box]) => `${one.outerHTML.slice(0, 90)} ${box.width} x ${box.height}`)
"""
"""Whatever is smaller than a fingertip."""

BEYOND: Final = """
() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth - clientWidth;
}
"""


def fits(page: Page) -> None:
    assert page.evaluate(SMALL) == []
    assert page.evaluate(BEYOND) == 0


@pytest.mark.parametrize("size", ["phone", "tablet"])
def test_some_turns_with_fingers(visitor: OpenPage, shoot: Shoot, size: str) -> None:
    page = visitor(size=size)
    shoot(page, "home")
    fits(page)
    page.get_by_role("button", name="Play now").tap()
    hands = PagePlayer(page, 3, touch=True)
    pictured: set[str] = set()
    while sum(kind in COURSE for kind in hands.presses) < 4:
        kind = hands.press(60)
        assert kind, "nothing was lit for a minute"
        if kind not in pictured:
            pictured.add(kind)
            shoot(page, f"after-{kind}")
            fits(page)
    for post in ("Mate", "Engineer", "Radio", "Captain"):
        page.locator(".tabs:visible, .posts:visible").get_by_role("button", name=post).tap()
        shoot(page, post.lower())
        fits(page)


QUIET_PAGES: Final = ("/", "/games", "/academy", "/settings", "/rules", "/rules?book=sonar")
ON_SCREEN: Final = """
() =>
  [...document.querySelectorAll("button, a[href], input")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest(".vh"))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.left < 0 || box.right > innerWidth)
    .map(([one]) => one.outerHTML.slice(0, 90))
"""
"""Whatever can be pressed and reaches beyond the edge."""
IN_TEXT: Final = "a[href]:has(q)"
"""Links within a sentence are as high as its line."""


def test_pages_beside_the_game_fit_a_phone(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor(size="phone")
    home = page.url.rstrip("/")
    for path in QUIET_PAGES:
        page.goto(home + path)
        page.locator("main h1, main h2, .menu .go").first.wait_for()
        if "rules" in path:
            page.locator("article").first.wait_for()
        shoot(page, path.strip("/").replace("?", "-") or "home")
        page.add_style_tag(content=f"{IN_TEXT} {{ display: none }}")
        assert page.evaluate(ON_SCREEN) == [], path
        fits(page)


def test_what_is_refused_shakes(visitor: OpenPage) -> None:
    page = visitor()
    page.get_by_role("button", name="Play now").click()
    # North of A1 is the chart's edge.
    page.locator('.cell[data-point="A1"]').click()
    page.get_by_role("button", name="Start on").click()
    page.get_by_role("button", name="Dive", exact=True).click()
    until(page, "() => document.querySelector('.helm .lit') !== null")
    north, south = (page.locator(f'.helm [data-heading="{way}"]') for way in "NS")
    page.emulate_media(reduced_motion="no-preference")
    north.click(force=True)
    page.locator('.helm [data-heading="N"][data-refused]').wait_for()
    moving = "(one) => getComputedStyle(one).animationName"
    assert north.evaluate(moving) == "refused"
    assert south.evaluate(moving) == "none"
    page.locator(".order.refused").wait_for()
    until(page, "() => document.querySelector('[data-refused]') === null")
    # By a key of the keyboard it is the same; and who wants no motion gets none.
    page.emulate_media(reduced_motion="reduce")
    page.keyboard.press("ArrowLeft")
    west = page.locator('.helm [data-heading="W"][data-refused]')
    west.wait_for()
    assert west.evaluate(moving) == "none"
    assert west.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"


def test_a_swipe_steers_if_it_begins_on_the_boat(visitor: OpenPage) -> None:
    page = visitor(size="phone")
    page.get_by_role("button", name="Play now").tap()
    # The way east of B2 is open sea on the first chart.
    page.locator('.cell[data-point="B2"]').tap()
    page.get_by_role("button", name="Start on").tap()
    page.get_by_role("button", name="Dive", exact=True).tap()
    until(page, "() => document.querySelector('.helm .lit') !== null")
    page.evaluate(ORDERS)
    swipe_east(page, "E7")
    swipe_east(page, "B4")
    assert page.evaluate("() => globalThis.ordered") == []
    swipe_east(page, "B2")
    until(page, "() => document.querySelector('[data-point=C2]').ariaLabel.includes('your boat')")
    assert page.evaluate("() => globalThis.ordered") == ["course"]


def swipe_east(page: Page, point: str) -> None:
    """A swift swipe over the chart that begins on a point."""
    box = page.locator(f'.cell[data-point="{point}"]').bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    swipe(page, [(x + 15 * step, y) for step in range(8)])
