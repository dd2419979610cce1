"""Everybody at the table is told who is gone, what comes of it, and that a bot plays."""

import re
from typing import Final

from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.table import open_table

MATE: Final = "First mate"
CREW: Final = ("captain", "first-mate")
PAGES: Final = ((1366, 640), (1280, 600), (820, 1180), (390, 664), (360, 640), (844, 390))
GONE: Final = "() => document.querySelector('.order .gone')?.innerText ?? ''"
MARKED: Final = """
() => {
  const shown = [...document.querySelectorAll(".posts .presence, .tabs .presence")]
    .filter((one) => one.checkVisibility());
  return shown.some((one) => getComputedStyle(one).borderStyle === "dashed");
}
"""


def settings(leaving: str, seconds: float) -> dict[str, object]:
    house = {"radio_help": "computer", "leaving": leaving, "leaving_seconds": seconds}
    return {"pace": "at-once", "rank": "cadet", "house": {**house, "lift_crew_rules": True}}


def gathered(visitor: OpenPage, leaving: str, seconds: float) -> tuple[Page, Page, str]:
    """A captain and a first mate of one boat, each at a device of their own."""
    host = visitor()
    code = open_table(host, settings(leaving, seconds))
    mate = visitor(f"/t/{code}")
    for page, number in ((host, 0), (mate, 1)):
        page.locator(".boat").first.locator("li").nth(number).get_by_text("Sit here").click()
        page.locator(".boat .you").wait_for()
    return host, mate, code


def begin(host: Page, mate: Page) -> None:
    mate.get_by_role("button", name="Ready", exact=True).click()
    host.get_by_text("ready", exact=True).first.wait_for()
    host.get_by_role("button", name="Dive with bots").click()
    for page in (host, mate):
        page.locator(".room main .chart, .room main .dials").first.wait_for()


def leave(page: Page) -> str:
    """Close the page; the name of who left."""
    name: str = page.evaluate("() => localStorage['fathom.name']")
    page.close()
    return name


def come_back(page: Page, address: str) -> None:
    """Open the page again, on the same device."""
    page.context.new_page().goto(address)


def test_a_captain_is_told_who_is_gone_and_when_a_bot_takes_over(
    visitor: OpenPage, shoot: Shoot
) -> None:
    host, mate, code = gathered(visitor, "bot", 600)
    begin(host, mate)
    address = mate.url
    name = leave(mate)
    until(host, f"() => ({GONE})() !== ''")
    told = host.evaluate(GONE)
    assert told.startswith(f"{name}\u2019s connection is lost.")
    assert re.search(r"Bot takes over in \d+ s\.", told)
    until(host, f"(told) => ({GONE})() !== told", told)
    # What counts down is not read out again and again; what happened is, once.
    assert host.locator(".order .gone > [aria-hidden=true]").inner_text().startswith("Bot takes")
    post = host.locator(".posts").get_by_role("button", name=f"{MATE}, {name}")
    assert "connection is lost" in (post.get_attribute("aria-label") or "")
    for width, height in PAGES:
        host.set_viewport_size({"width": width, "height": height})
        until(host, MARKED)
        host.locator(".order .gone").wait_for()
        shoot(host, f"{width}x{height}")
    host.set_viewport_size({"width": 1440, "height": 900})
    come_back(mate, address)
    until(host, f"() => ({GONE})() === '' && !({MARKED})()")
    assert code in address


def test_a_bot_that_plays_for_somebody_is_shown_until_they_are_back(
    visitor: OpenPage, shoot: Shoot
) -> None:
    host, mate, _ = gathered(visitor, "bot", 1)
    begin(host, mate)
    address = mate.url
    name = leave(mate)
    label = f"{MATE}, Bot plays for {name}."
    host.locator(".posts").get_by_role("button", name=label).wait_for()
    assert host.locator(".posts .presence.bot").count() == 1
    shoot(host, "bot")
    come_back(mate, address)
    until(host, "() => document.querySelector('.posts .presence') === null")


def test_at_the_table_it_is_shown_who_is_away(visitor: OpenPage, shoot: Shoot) -> None:
    host, mate, _ = gathered(visitor, "wait", 30)
    leave(mate)
    berth = host.locator(".boat").first.locator("li").nth(1)
    berth.locator(".presence").wait_for()
    assert "away" in berth.inner_text()
    shoot(host, "away")
