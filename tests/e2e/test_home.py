"""The home page shows all its ways into the game at once, on every page and in every language."""

from typing import Final

import pytest

from tests.e2e.browser import LOCALES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.table import open_table
from tests.e2e.test_languages import CUT

PAGES: Final = (
    (1920, 1080), (1440, 780), (1366, 640), (1280, 600), (1180, 820), (820, 1180),
    (390, 844), (390, 664), (360, 640), (844, 390), (640, 360),
)  # fmt: skip
HIDDEN: Final = """
() =>
  [...document.querySelectorAll(".home .go, .home .foot a, .tools .pill, .field *, .head h1")]
    .filter((one) => one.checkVisibility())
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const hit = document.elementFromPoint(x, y);
      const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth
        && box.bottom <= innerHeight;
      return !inside || !(one.contains(hit) || hit?.contains(one));
    })
    .map((one) => `${one.tagName} ${one.className}: ${one.innerText}`)
"""
"""Whatever can't be seen without scrolling, or is covered."""
SMALL: Final = """
() =>
  [...document.querySelectorAll(".home .go, .foot a, .tools .pill, .field input, .field .key")]
    .filter((one) => one.checkVisibility())
    .filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 43.5)
    .map((one) => one.outerHTML.slice(0, 80))
"""


@pytest.mark.parametrize("language", LOCALES)
def test_the_home_page_fits_every_page(visitor: OpenPage, shoot: Shoot, language: str) -> None:
    page = visitor(language=LOCALES[language])
    page.locator(".menu .go.lit").wait_for()
    for width, height in PAGES:
        page.set_viewport_size({"width": width, "height": height})
        until(page, "(width) => innerWidth === width", width)
        shoot(page, f"{width}x{height}")
        size = f"{width}x{height}"
        assert page.evaluate(HIDDEN) == [], size
        assert page.evaluate(SMALL) == [], size
        assert page.evaluate(CUT) == [], size


def test_open_tables_and_games_cover_nothing(visitor: OpenPage, shoot: Shoot) -> None:
    host = visitor()
    home = host.url
    open_table(host, {"listed": True})
    player = visitor()
    open_table(player, {"listed": True, "watching": "public"}, solo=True)
    page = visitor()
    page.goto(home)
    page.locator(".harbour section").nth(1).wait_for()
    for width, height in PAGES:
        page.set_viewport_size({"width": width, "height": height})
        until(page, "(width) => innerWidth === width", width)
        shoot(page, f"{width}x{height}")
        assert page.evaluate(HIDDEN) == [], f"{width}x{height}"
