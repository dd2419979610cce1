"""Where the enemy's engineer judges the traced hull: nobody is stuck, and all are told."""

from typing import Final

from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import PagePlayer, until
from tests.e2e.table import open_table

SETTINGS: Final[dict[str, object]] = {
    "mode": "real-time",
    "watching": "everything",
    "watch_delay": 10,
    "house": {
        "radio_help": "computer",
        "leaving": "wait",
        "lift_crew_rules": True,
        "trace_judge": "enemy-engineer",
        "trace_redo": "bad",
    },
}
SECTIONS: Final = 4


def says(page: Page, sentence: str) -> None:
    page.locator(".order h1").get_by_text(sentence).wait_for()


def at_post(page: Page, post: str) -> None:
    page.locator(".posts").get_by_role("button", name=post).click()


def begin(ours: Page, theirs: Page) -> None:
    """Two boats of one hand each, under way."""
    for number, page in enumerate((ours, theirs)):
        page.locator(".boat").nth(number).get_by_text("Take the whole boat").click()
        page.locator(".boat .you").first.wait_for()
    for page in (theirs, ours):
        page.get_by_role("button", name="Ready", exact=True).click()
    ours.get_by_role("button", name="Dive", exact=True).click()
    for page, start in ((ours, "B2"), (theirs, "N13")):
        page.locator(f'.cell[data-point="{start}"]').click()
        page.get_by_role("button", name="Start on").click()
        page.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
    until(theirs, "() => document.querySelector('.helm .lit') !== null")


def surface(page: Page) -> None:
    for name in ("Surface", "Yes, surface"):
        page.locator(".steer .aside").get_by_role("button", name=name, exact=True).click()


def trace(page: Page, count: int) -> None:
    """So many sections, one after the other."""
    hands = PagePlayer(page, 1)
    hands.press_until(count, "trace")


def test_the_enemys_engineer_judges_the_hull(visitor: OpenPage, shoot: Shoot) -> None:
    ours, theirs = visitor(), visitor()
    open_table(ours, SETTINGS)
    theirs.goto(ours.url)
    begin(ours, theirs)
    surface(ours)
    trace(ours, SECTIONS - 1)

    # While the enemy traces, their engineer has marks to make, and can make them.
    theirs.locator(".helm .lit").first.click()
    theirs.locator("[data-does=charge]").first.click()
    at_post(theirs, "Engineer")
    theirs.locator(".tall .symbol.free").first.click()
    until(theirs, "() => document.querySelector('.symbol.free') === null")
    theirs.locator(".enemy").wait_for()

    at_post(theirs, "All posts")
    trace(ours, 1)
    says(ours, "engineer judges the hull")
    says(theirs, "Judge ")
    shoot(theirs, "asked")
    assert theirs.locator(".posts .badge").count() >= 1
    at_post(theirs, "Engineer")
    shoot(theirs, "judging")
    theirs.get_by_role("button", name="Section 2", exact=True).click()
    theirs.get_by_role("button", name="Send it back").click()

    # Only the bad one is drawn again.
    says(ours, "trace your section")
    trace(ours, 1)
    says(theirs, "Judge ")
    theirs.get_by_role("button", name="The hull is good").click()
    ours.get_by_role("button", name="Ready to dive", exact=True).click()
    ours.get_by_role("button", name="Dive", exact=True).click()
    until(ours, "() => document.querySelector('.helm .lit') !== null")
