"""The pictures of the README, from a real game against the computer: ``make screenshots``."""

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

from tests.e2e.browser import browsing, visit
from tests.e2e.hands import COURSE, PagePlayer, until
from tests.e2e.harbour import harbour
from tests.e2e.lighter import lighter
from tests.e2e.table import open_table

PICTURES: Final = Path(__file__).parents[2] / "docs/pictures"
HEAVIEST: Final = 400_000
SETTINGS: Final[dict[str, object]] = {
    "rank": "lieutenant",
    "pace": "at-once",
    "house": {"radio_help": "computer", "leaving": "wait"},
}
UNDER_WAY: Final = 9
"""Courses after which there is something to see."""
AIMED: Final = """
() => document.querySelector('.aim header use[href="#g-torpedo"]') !== null
  && document.querySelector(".aim .key.big.lit") !== null
  && document.querySelector(".aim .facts .bad") === null
"""
SPREAD: Final = range(6, 41)
"""Points where the enemy can be that are worth a picture."""
MOST_GAMES: Final = 6


class Photographer:
    """Takes each picture once, when the moment for it comes."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taken: set[str] = set()

    def take(self, name: str) -> None:
        self.page.wait_for_timeout(300)
        picture = lighter(self.page.screenshot())
        assert len(picture) < HEAVIEST, f"{name} has {len(picture)} bytes"
        (PICTURES / f"{name}.png").write_bytes(picture)
        self.taken.add(name)

    def at(self, post: str, name: str, prepare: Callable[[Page], None] = lambda _: None) -> None:
        """A picture at another post, and back."""
        if name in self.taken:
            return
        posts = self.page.locator(".posts")
        posts.get_by_role("button", name=post).click()
        prepare(self.page)
        self.take(name)
        posts.get_by_role("button", name="All posts").click()

    def follow(self, hands: PagePlayer) -> None:
        """Play a game to its end, with an eye on what is worth a picture."""
        while not hands.over:
            kind = hands.press(60)
            if sum(kind in COURSE for kind in hands.presses) < UNDER_WAY:
                continue
            if kind == "aim" and self.page.evaluate(AIMED):
                self.at("Captain", "captain")
            elif kind == "charge" and self.page.locator(".symbol.free").count():
                self.at("Engineer", "engineer", choose_symbol)
            elif kind in COURSE and self.page.locator(".chart .heat").count() in SPREAD:
                self.at("Radio", "radio")

    def replay(self) -> None:
        """The end of the same game, from outside."""
        moment = self.page.locator(".turns a").first
        moment.wait_for()
        moment.click()
        until(self.page, "() => document.querySelectorAll('main .chart .heat').length > 0")
        self.take("replay")


def choose_symbol(page: Page) -> None:
    """So that the picture shows what a mark would do: the pointer is on it."""
    page.locator(".tall .symbol.free").first.hover()
    page.locator(".preview .outcome").wait_for()


def main() -> int:
    PICTURES.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        harbour(Path(folder)) as server,
        browsing() as browser,
    ):
        page = visit(browser).new_page()
        photographer = Photographer(page)
        for seed in range(MOST_GAMES):
            page.goto(server.at)
            open_table(page, SETTINGS, solo=True)
            photographer.follow(PagePlayer(page, seed, bold=0.1))
            if {"captain", "engineer", "radio"} <= photographer.taken:
                photographer.replay()
                return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
