"""On a phone and on a tablet, with fingers: everything within reach, nothing beyond the edge."""

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import Shoot, Visitor
from tests.e2e.hands import COURSE, Hands, swipe, until

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
def test_some_turns_with_fingers(visitor: Visitor, shoot: Shoot, size: str) -> None:
    page = visitor(size=size)
    shoot(page, "home")
    fits(page)
    page.get_by_role("button", name="Play now").tap()
    hands = Hands(page, 3, touch=True)
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


def test_a_swipe_steers(visitor: Visitor) -> None:
    page = visitor(size="phone")
    page.get_by_role("button", name="Play now").tap()
    # The way east of B2 is open sea on the first chart.
    page.locator('.cell[data-point="B2"]').tap()
    page.get_by_role("button", name="Start on").tap()
    page.get_by_role("button", name="Dive", exact=True).tap()
    until(page, "() => document.querySelector('.helm .lit') !== null")
    box = page.locator("main .chart").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] * 0.7
    swipe(page, [(box["x"] + 60 + 15 * step, y) for step in range(8)])
    until(page, "() => document.querySelector('[data-point=C2]').ariaLabel.includes('your boat')")
