"""The table at every page size: guidance and keys in sight, what matters without scrolling."""

from itertools import product
from typing import Final
from urllib.parse import urljoin

from playwright.sync_api import Page

from tests.e2e.browser import SIZES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.layout import resize
from tests.e2e.table import open_table, take_boat

SECOND: Final[dict[str, object]] = {"rulebook": "captain-sonar-2"}
FLOATING: Final = """
() =>
  [...document.querySelectorAll("body *")]
    .filter((one) => ["fixed", "sticky"].includes(getComputedStyle(one).position))
    .map((one) => one.className)
"""
"""What lies over the page instead of in it."""

HIDDEN: Final = """
(css) =>
  [...document.querySelectorAll(css)]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return !hit || !one.contains(hit) || box.bottom > innerHeight + 1;
    })
    .map((one) => one.textContent)
"""
"""Which of these can't be seen or pressed without scrolling."""

LONGER: Final = "() => document.documentElement.scrollHeight - innerHeight"
"""By how much the page is longer than the window."""

OUTSIDE: Final = """
() =>
  [...document.querySelectorAll(".boat li")].flatMap((berth) =>
    [...berth.querySelectorAll("b, button")]
      .filter((one) => one.getBoundingClientRect().right > berth.getBoundingClientRect().right)
      .map((one) => one.textContent),
  )
"""
"""What reaches into the next berth."""

KEYS: Final = ".order h1, .order p, .ordkeys .key"


def hidden(page: Page, css: str) -> list[str]:
    found: list[str] = page.evaluate(HIDDEN, css)
    return found


def test_guidance_and_keys_are_always_in_sight(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor()
    open_table(page, SECOND)
    take_boat(page)
    for size in SIZES:
        resize(page, size)
        assert hidden(page, KEYS) == [], size
        assert page.evaluate(FLOATING) == [], size
        assert page.evaluate(LONGER) == 0, size
        # The last order can be scrolled to, above the keys.
        last = page.locator(".settings .more")
        last.scroll_into_view_if_needed()
        assert hidden(page, ".settings .more") == [], size
        shoot(page, size)


def test_link_and_rank_need_no_scrolling(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor()
    open_table(page, SECOND)
    take_boat(page)
    for width, height in ((1280, 600), (1366, 640), (1440, 780), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        shoot(page, f"seated-{width}")
        assert hidden(page, ".inv .key") == [], width
        assert hidden(page, '[aria-label="Bots"] button') == [], width


def test_a_long_name_stays_in_its_berth(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor()
    table = open_table(page, {})
    guest = visitor("/settings")
    name = guest.get_by_label("Your name")
    until(guest, "() => document.querySelector('.person input').value !== ''")
    name.fill("Maximilian Sandpiper-Jones")
    name.press("Enter")
    guest.get_by_role("status").filter(has_text="Saved").wait_for()
    guest.goto(urljoin(page.url, f"/t/{table}"))
    guest.locator(".boat").first.get_by_role("button", name="Sit here").first.click()
    for one, size in product((page, guest), ("laptop", "small-phone")):
        one.locator(".boat li > b").first.wait_for()
        resize(one, size)
        shoot(one, size)
        assert one.evaluate(OUTSIDE) == [], size


def test_a_table_that_bots_can_fill_shows_no_error(visitor: OpenPage) -> None:
    page = visitor()
    open_table(page, {})
    take_boat(page)
    assert page.locator(".bad:visible").count() == 0
    assert (
        page.get_by_role("button", name="Dive with bots").get_attribute("aria-disabled") != "true"
    )
    page.get_by_role("button", name="Dive with bots").click()
    page.locator(".room main .chart").first.wait_for()


def test_a_table_that_bots_cannot_fill_says_why(visitor: OpenPage) -> None:
    page = visitor()
    open_table(page, {"mode": "real-time"})
    take_boat(page)
    page.locator(".order p", has_text="1 against 4").wait_for()
    key = page.get_by_role("button", name="Dive with bots")
    assert key.get_attribute("aria-disabled") == "true"
