"""A chart of one's own is drawn at the table as the printed one is, special points and all."""

from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.table import gather

DRAWN: Final = """
() => {
  const chart = document.querySelector(".thumb .chart");
  const own = /[\\w-]*(?=-(?:sea|hatch|glow|ice)\\b)/g;
  return chart && chart.innerHTML.replace(own, "").replace(/(id=\"|#)[^\"]*-/g, "$1");
}
"""
"""The chart's picture without the names that only this drawing has."""
BOOKS: Final = {"Delta-2": "Second edition", "Echo-2": "Second edition", "Echo": "First edition"}


def choose(page: Page, chart: str) -> str:
    page.get_by_role("group", name="Rulebook", exact=True).get_by_role(
        "button", name=BOOKS[chart], exact=True
    ).click()
    page.get_by_role("button", name="Another chart").click()
    page.locator(".thumb .list button", has=page.get_by_text(chart, exact=True)).click()
    page.locator(".thumb .label", has_text=chart).wait_for()
    until(page, "() => document.querySelector('.thumb .chart') !== null")
    return str(page.evaluate(DRAWN))


@pytest.mark.parametrize("chart", BOOKS)
def test_it_looks_like_the_printed_one(visitor: OpenPage, shoot: Shoot, chart: str) -> None:
    page = visitor()
    gather(page)
    printed = choose(page, chart)
    page.get_by_role("button", name="More orders").click()
    page.locator(".fold button", has_text="A chart of your own").first.click()
    page.get_by_role("button", name="Play on this chart").click()
    page.get_by_role("button", name="Reset").first.wait_for()
    page.locator(".thumb").scroll_into_view_if_needed()
    shoot(page, "own")
    assert page.locator(".thumb pre").count() == 0
    assert len(printed) > 1000
    assert page.evaluate(DRAWN) == printed
