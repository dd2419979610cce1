"""axe-core finds nothing, on any screen, by night and by day."""

from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import COURSE, PagePlayer
from tests.e2e.table import gather, open_table

AXE: Final = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
WCAG: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN: Final = """
async (tags) => {
  const options = { runOnly: tags, resultTypes: ["violations"] };
  const { violations } = await axe.run(document, options);
  const told = ({ target, failureSummary }) => `${target} ${failureSummary.split("\\n")[1].trim()}`;
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${told(node)}`));
}
"""
SOLO: Final[dict[str, object]] = {
    "rank": "cadet",
    "pace": "at-once",
    "house": {"radio_help": "computer", "leaving": "wait"},
}


class Inspector:
    """Looks at one screen after another, and remembers what is wrong where."""

    def __init__(self, page: Page, shoot: Shoot) -> None:
        self.page, self.shoot = page, shoot
        self.wrong: list[str] = []

    def look(self, screen: str) -> None:
        if not self.page.evaluate("() => 'axe' in window"):
            self.page.evaluate(AXE.read_text())
        for theme in ("night", "day"):
            self.page.evaluate("(theme) => (document.documentElement.dataset.theme = theme)", theme)
            found = self.page.evaluate(RUN, WCAG)
            self.wrong += [f"{screen}, {theme}: {one}" for one in found]
            self.shoot(self.page, f"{screen}-{theme}")
        self.page.evaluate("() => (document.documentElement.dataset.theme = 'night')")


MOST_FOLDS: Final = 20
LASTING: Final[dict[str, object]] = {
    "mode": "real-time",
    "pace": "at-once",
    "house": {
        "radio_help": "computer",
        "leaving": "wait",
        "lift_crew_rules": True,
        "pause_seconds": 600,
    },
}
"""In real time, with stops that stay until they have been looked at."""


PAGES: Final = {
    "home": ("/", ".front"),
    "games": ("/games", "main ul, main p"),
    "rules": ("/rules", "main h2, main h3"),
    "academy": ("/academy", ".intro"),
    "settings": ("/settings", ".preferences"),
    "lost": ("/nowhere", "main h1"),
}


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_pages(visitor: OpenPage, shoot: Shoot, size: str) -> None:
    page = visitor(size=size)
    inspector = Inspector(page, shoot)
    home = page.url.rstrip("/")
    for name, (path, sign) in PAGES.items():
        page.goto(home + path)
        page.locator(sign).first.wait_for()
        inspector.look(name)
    page.goto(home)
    gather(page)
    page.get_by_role("button", name="More orders").click()
    page.get_by_text("or a bot").first.click()
    inspector.look("table")
    unfold(page)
    inspector.look("folds")
    assert not inspector.wrong, "\n".join(inspector.wrong)


def unfold(page: Page) -> None:
    """Everything that the table's orders hold, the chart of one's own and the rulings too."""
    for _ in range(MOST_FOLDS):
        folded = page.locator(".fold button[aria-expanded=false]")
        if not folded.count():
            return
        folded.first.click()
    raise AssertionError("the folds don't stay open")


@pytest.mark.parametrize("size", ["desktop", "tablet", "phone"])
def test_stations(visitor: OpenPage, shoot: Shoot, size: str) -> None:
    page = visitor(size=size)
    inspector = Inspector(page, shoot)
    open_table(page, SOLO, solo=True)
    hands = PagePlayer(page, 5, touch=size != "desktop")
    hands.press(60)
    inspector.look("place")
    hands.press_until(2, *COURSE)
    inspector.look("marks")
    tabs = page.locator(".tabs" if size == "phone" else ".posts")
    for post in ("Captain", "Mate", "Engineer", "Radio"):
        tabs.get_by_role("button", name=post).click()
        inspector.look(post.lower())
    page.get_by_role("button", name="Take the sheet").click()
    inspector.look("sheet")
    page.get_by_role("button", name="Menu").click()
    inspector.look("menu")
    page.get_by_role("button", name="Close").click()
    if size != "desktop":
        page.locator(".bar").get_by_role("button", name="Said aloud").click()
        page.locator(".drawer").wait_for()
        inspector.look("log")
        page.locator(".drawer").get_by_role("button", name="Close").click()
    page.keyboard.press("/")
    page.locator("#command").fill("course up")
    page.keyboard.press("Enter")
    inspector.look("command")
    assert not inspector.wrong, "\n".join(inspector.wrong)


def test_the_end_and_the_replay(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor()
    inspector = Inspector(page, shoot)
    open_table(page, SOLO, solo=True)
    hands = PagePlayer(page, 6)
    for _ in range(4):
        hands.press(60)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Give up").click()
    page.get_by_role("button", name="Yes, give up").click()
    page.locator(".turns li").first.wait_for()
    inspector.look("end")
    page.get_by_role("link", name="Replay").click()
    page.locator("main .chart").first.wait_for()
    inspector.look("replay")
    assert not inspector.wrong, "\n".join(inspector.wrong)


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_stop_tracing_and_watching(visitor: OpenPage, shoot: Shoot, size: str) -> None:
    """Two boats of one hand each: ours surfaces and traces its hull, theirs stops the game."""
    page, enemy = visitor(size=size), visitor()
    inspector = Inspector(page, shoot)
    open_table(page, LASTING)
    enemy.goto(page.url)
    for number, one in enumerate((page, enemy)):
        one.locator(".boat").nth(number).get_by_text("Take the whole boat").click()
        one.locator(".boat .you").first.wait_for()
    for one in (enemy, page):
        one.get_by_role("button", name="Ready", exact=True).click()
    page.get_by_role("button", name="Dive", exact=True).click()
    for one in (page, enemy):
        one.locator('.cell[data-point="B2"]').click()
        one.get_by_role("button", name="Start on").click()
        one.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
    for name in ("Surface", "Yes, surface"):
        page.locator(".steer .aside").get_by_role("button", name=name, exact=True).click()
    page.locator(".tracing .band.now").wait_for()
    inspector.look("tracing")
    hands = PagePlayer(enemy, 3, bold=1.0)
    stop = enemy.get_by_role("alertdialog")
    quiet = 0
    while not stop.count():
        # What was pressed last may have stopped the game, only not yet on the screen.
        quiet = 0 if hands.press(1) else quiet + 1
        assert quiet < 60, "nothing was lit for a minute"
    page.get_by_role("alertdialog").wait_for()
    inspector.look("stop")
    watcher = visitor(f"/t/{code_of(page)}", size)
    watcher.locator(".looking .chart").wait_for()
    watching = Inspector(watcher, shoot)
    watching.look("watch")
    wrong = inspector.wrong + watching.wrong
    assert not wrong, "\n".join(wrong)


def code_of(page: Page) -> str:
    return page.url.rpartition("/")[2]
