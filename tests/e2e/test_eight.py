"""Eight people, each at a device of their own, play in real time to the end."""

from contextlib import suppress
from itertools import product
from typing import Final

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TooSlow

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import COURSE, SUNK, PagePlayer, until
from tests.e2e.table import open_table

DEVICES: Final = ("desktop", "phone", "tablet", "phone")
POSTS: Final = ("captain", "first-mate", "engineer", "radio-operator")
SETTINGS: Final[dict[str, object]] = {
    "mode": "real-time",
    "house": {"radio_help": "computer", "leaving": "wait", "pause_seconds": 0.5},
}
"""A stop's pause is short, for nobody here has to read its caption."""
COUNT_STOPS: Final = """
() => {
  window.stops = 0;
  let stopped = false;
  new MutationObserver(() => {
    const now = document.querySelector("[role=alertdialog]") !== null;
    window.stops += now && !stopped;
    stopped = now;
  }).observe(document.body, { childList: true, subtree: true });
}
"""
"""From now on the page counts how often "Stop!" takes it over."""
STARTS: Final = ("H5", "N5")
"""The captains start within earshot: how long they look for each other shows nothing."""
MOST_ROUNDS: Final = 4000


class Crews:
    """Eight pairs of hands, in turn."""

    def __init__(self, pages: list[Page], shoot: Shoot) -> None:
        self.all = [
            PagePlayer(page, seed, bold=0.15, touch=DEVICES[seed % 4] != "desktop")
            for seed, page in enumerate(pages)
        ]
        self.shoot = shoot
        self.surfaced = False
        self.pictured: set[str] = set()
        for page in pages:
            page.evaluate(COUNT_STOPS)

    @property
    def stops(self) -> list[int]:
        """How often each page was taken over by a stop."""
        return [hands.page.evaluate("() => window.stops") for hands in self.all]

    def picture(self, hands: PagePlayer, what: str) -> None:
        """One picture of every kind is enough."""
        if what not in self.pictured:
            self.pictured.add(what)
            self.shoot(hands.page, what)

    def surface(self, captain: PagePlayer) -> None:
        """By the captain's own choice, when the helm is free: it asks whether that is meant."""
        sailed = sum(kind in COURSE for kind in captain.presses)
        keys = captain.page.locator(".steer .aside .key:not(.off)")
        for name in ("Surface", "Yes, surface"):
            key = keys.filter(has_text=name)
            if sailed < 2 or self.surfaced or not key.count():
                return
            # A stop may take the screen over just now; then the next round tries again.
            with suppress(TooSlow):
                key.first.click(timeout=1000)
                self.surfaced = name == "Yes, surface"

    def round(self) -> None:
        """Everybody presses what is lit for them."""
        for number, hands in enumerate(self.all):
            if hands.over:
                continue
            kind = hands.press()
            if "stop" not in self.pictured and hands.page.locator("[role=alertdialog]").count():
                self.picture(hands, "stop")
            if kind == "trace":
                self.picture(hands, f"traced-{POSTS[number % 4]}")
            elif kind in {*COURSE, "charge", "cross"}:
                self.picture(hands, POSTS[number % 4])


def test_eight_browsers_play_in_real_time(visitor: OpenPage, shoot: Shoot) -> None:
    host = visitor()
    code = open_table(host, SETTINGS)
    pages = [host, *(visitor(f"/t/{code}", DEVICES[seat % 4]) for seat in range(1, 8))]
    for page, (boat, post) in zip(pages, product(range(2), range(4)), strict=True):
        page.locator(".boat").nth(boat).locator("li").nth(post).get_by_text("Sit here").click()
    for page in pages[1:]:
        page.get_by_role("button", name="Ready", exact=True).click()
    until(host, "() => !document.body.innerText.includes('not ready')")
    shoot(host, "table")
    host.get_by_role("button", name="Ready", exact=True).click()
    host.get_by_role("button", name="Dive", exact=True).click()

    for captain, start in zip((pages[0], pages[4]), STARTS, strict=True):
        captain.locator(f'.cell[data-point="{start}"]').click()
        captain.get_by_role("button", name="Start on").click()
    crews = Crews(pages, shoot)
    for _ in range(MOST_ROUNDS):
        crews.round()
        crews.surface(crews.all[0])
        if all(hands.over for hands in crews.all):
            break
    verdicts = [page.locator(".verdict h1").inner_text() for page in pages]
    pages[7].locator(".turns a").first.wait_for()
    shoot(pages[7], "end")
    # Each crew reads the same on all its screens, and the other reads the opposite.
    assert len(set(verdicts[:4])) == len(set(verdicts[4:])) == 1
    assert {verdicts[0], verdicts[4]} in ({*SUNK[:2]}, {SUNK[2]})
    assert min(crews.stops) >= 2
    assert len(set(crews.stops)) == 1
    assert crews.surfaced
    assert sum(hands.presses.count("trace") for hands in crews.all) >= 4
