"""Every station at every page size that people have: all in sight, nothing covered."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from typing import Final

import pytest
from playwright.sync_api import Page

from fathom.engine import orders as give
from fathom.points import parse
from fathom.rules.setup import House
from fathom.server.wire import Settings
from fathom.words import Crew, Heading, Mode, System
from tests.e2e.browser import SIZES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.enemy import Enemy
from tests.e2e.hands import COURSE, PagePlayer, until
from tests.e2e.harbour import RestartableServer
from tests.e2e.layout import LEAST_CHART, faults, resize

HOUSE: Final = House(radio_help="computer", lift_crew_rules=True)
GAMES: Final[dict[str, Settings]] = {
    "first-edition": Settings(house=HOUSE, first=Crew.A),
    # Old mines are a sixth system, and the chart is the large one.
    "first-edition-real-time": Settings(house=HOUSE, mode=Mode.REAL_TIME, scenario="echo"),
    "second-edition": Settings(house=HOUSE, rulebook="captain-sonar-2", first=Crew.A),
    "second-edition-real-time": Settings(
        house=HOUSE, rulebook="captain-sonar-2", mode=Mode.REAL_TIME, scenario="delta-2"
    ),
    "family-game": Settings(house=HOUSE, rulebook="sonar", first=Crew.A),
}
ALL: Final = "all"
GO: Final = """
(post) => {
  const shown = (one) => one.checkVisibility();
  const keys = [...document.querySelectorAll(".posts .post, .tabs .tab")].filter(shown);
  const key = keys.find((one) =>
    post === "all" ? !one.querySelector("use") : one.querySelector(`use[href="#g-${post}"]`),
  );
  key?.click();
  return key !== undefined;
}
"""
"""Another post, by the key that is on the screen for it; whether there is one."""

POSTS: Final = (ALL, "captain", "first-mate", "engineer", "radio-operator")
SPARES_WEAPONS: Final = '.symbol.free:not(.hurts, :has([href="#g-kind-red"]))'
LAPTOP: Final = "laptop"
TURN: Final = {"course", "marks", "their turn", "torpedo ready", "aiming"}
CHART_BOX: Final = """
() => {
  const { x, y, width, height } = document.querySelector("main .table").getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
}
"""
DECKS_TOP: Final = "() => document.querySelector('main').getBoundingClientRect().top"
LIT: Final = "() => document.querySelector('.helm .lit') !== null"


class Looker:
    """Looks at every station of a page at every size, and keeps what is wrong."""

    def __init__(
        self,
        page: Page,
        shoot: Shoot,
        posts: tuple[str, ...] = POSTS,
        least_chart: float = LEAST_CHART,
    ) -> None:
        self.page, self.shoot, self.posts = page, shoot, posts
        self.least_chart = least_chart
        self.found: list[str] = []
        self.charts: dict[str, set[tuple[float, ...]]] = {}
        """By size: where the captain's chart was while turns went on."""

    def look(self, moment: str) -> None:
        for size in SIZES:
            resize(self.page, size)
            for post in self.posts:
                if self.page.evaluate(GO, post):
                    self.at(f"{moment}, {post}, {size}")
                    if post == "captain" and moment in TURN:
                        box: list[float] = self.page.evaluate(CHART_BOX)
                        self.charts.setdefault(size, set()).add(tuple(box))
        resize(self.page, LAPTOP)
        self.page.evaluate(GO, ALL)

    def at(self, where: str) -> None:
        if wrong := faults(self.page, self.least_chart):
            self.found += [f"{where}: {one}" for one in wrong]
            self.shoot(self.page, where.replace(", ", "-"))


@contextmanager
def opponents(
    server: RestartableServer, visitor: OpenPage, settings: Settings
) -> Iterator[tuple[Page, Enemy]]:
    """A game of two, each alone in a boat; the enemy does only what it is told."""
    with Enemy(server.at, settings) as enemy:
        page = visitor(f"/t/{enemy.table}", LAPTOP)
        sit(page, enemy)
        yield page, enemy


def sit(page: Page, enemy: Enemy) -> None:
    """All posts of the other boat; then the game begins."""
    page.locator(".boat").first.get_by_role("button", name="Take the whole boat").click()
    page.get_by_role("button", name="Ready", exact=True).click()
    enemy.start()
    page.locator(".room main .chart").first.wait_for()


def dive(page: Page, enemy: Enemy, looker: Looker, start: str, theirs: str) -> None:
    if enemy.offered(give.Place):
        looker.look("placing")
        page.locator(f'.cell[data-point="{start}"]').click()
        page.get_by_role("button", name="Start on").click()
        enemy.give(give.Place(parse(theirs)))
    looker.look("before the dive")
    page.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
    enemy.give(give.DIVE)
    until(page, LIT)


def mark(page: Page, looker: Looker | None) -> None:
    """Both marks, each with one press."""
    charge = page.locator("[data-does=charge]").first
    charge.wait_for()
    if looker:
        looker.look("marks")
    charge.click()
    until(page, "() => document.querySelector('[data-does=charge]') === null")
    page.locator(SPARES_WEAPONS).first.click()
    until(page, "() => document.querySelector('.symbol.free') === null")


def their_turn(page: Page, enemy: Enemy) -> None:
    """The enemy sails on, if it is its turn."""
    if not enemy.offered(give.SetCourse):
        enemy.until_offered(give.SetCourse)
    enemy.give(enemy.offered(give.SetCourse)[0])
    if enemy.seen.opened.setup.sheet is not None:
        enemy.mark(System.TORPEDO, 0)
    if enemy.offered(give.EndTurn):
        enemy.give(give.END_TURN)
    until(page, LIT)


def sail(page: Page) -> None:
    """Whatever course is lit."""
    until(page, LIT)
    page.locator(".helm .lit").first.click()
    until(page, "() => document.querySelector('[data-sending]') === null")


def end_turn(page: Page) -> None:
    key = page.locator(".steer .aside .key.lit", has_text="End turn")
    if key.count():
        key.click()


def aim(page: Page, looker: Looker) -> None:
    """The torpedo, at whatever it can reach."""
    page.locator('[data-system="torpedo"]').first.click()
    page.locator(".cell.pickable").last.click()
    page.locator(".aim .key.big.lit").wait_for()
    looker.look("aiming")
    page.locator(".aim .two .key:not(.big)").click()


def turns_of(page: Page, enemy: Enemy, looker: Looker) -> None:
    """Three courses charge a torpedo; then it is aimed."""
    sheet = enemy.seen.opened.setup.sheet is not None
    real_time = enemy.seen.opened.setup.mode is Mode.REAL_TIME
    looker.look("course")
    for number in range(3 if sheet else 4):
        sail(page)
        if sheet:
            mark(page, looker if number == 0 else None)
        if number == 2 and sheet:
            break
        end_turn(page)
        if not real_time:
            if number == 0:
                until(page, "() => document.querySelector('.helm .lit') === null")
                looker.look("their turn")
            their_turn(page, enemy)
    looker.look("torpedo ready")
    aim(page, looker)


@pytest.mark.parametrize("game", GAMES)
def test_every_station_fits_every_page(
    server: RestartableServer, visitor: OpenPage, shoot: Shoot, game: str
) -> None:
    with opponents(server, visitor, GAMES[game]) as (page, enemy):
        looker = Looker(page, shoot)
        dive(page, enemy, looker, "B2", "J10")
        turns_of(page, enemy, looker)
        assert not looker.found, "\n".join(looker.found)
        # The chart stays where it is, whatever lies beside or below it.
        moved = {size: boxes for size, boxes in looker.charts.items() if len(boxes) > 1}
        assert not moved


def test_a_mark_that_costs_damage_asks_beside_its_symbol(
    server: RestartableServer, visitor: OpenPage, shoot: Shoot
) -> None:
    """Six courses north fill that panel: the last mark is the one that costs damage."""
    settings = Settings(house=HOUSE, mode=Mode.REAL_TIME, scenario="alpha")
    with opponents(server, visitor, settings) as (page, enemy):
        enemy.give(give.Place(parse("A1")))
        page.locator('.cell[data-point="O15"]').click()
        page.get_by_role("button", name="Start on").click()
        page.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
        enemy.give(give.DIVE)
        for number in range(6):
            until(page, LIT)
            page.locator('.helm [data-heading="N"].lit').click()
            page.locator("[data-does=charge]").first.click()
            if number < 5:
                page.locator(".symbol.free:not(.hurts)").first.click()
        looker = Looker(page, shoot)
        for size, post in product(SIZES, (ALL, "engineer")):
            resize(page, size)
            if not page.evaluate(GO, post):
                continue
            page.locator(".symbol.free.hurts:visible").click()
            looker.at(f"asked, {post}, {size}")
            page.locator(".ask .no:visible").click()
        assert not looker.found, "\n".join(looker.found)
        assert page.locator(".bar .hull .section[fill=none]").count() == 0
        # On the captain's page the question is on the key itself.
        resize(page, "small-phone")
        page.evaluate(GO, "captain")
        page.locator(".marks .sym.hurts").click()
        looker.at("asked, captain, small-phone")
        page.locator(".marks .sym.sure").click()
        until(page, "() => document.querySelectorAll('.bar .section[fill=none]').length === 1")
        assert not looker.found, "\n".join(looker.found)


def test_a_caption_covers_nothing(
    server: RestartableServer, visitor: OpenPage, shoot: Shoot
) -> None:
    settings = Settings(house=HOUSE, mode=Mode.REAL_TIME)
    with Enemy(server.at, settings) as enemy:
        page = visitor("/", LAPTOP)
        page.clock.install()
        page.goto(f"{server.at}/t/{enemy.table}")
        sit(page, enemy)
        dive(page, enemy, Looker(page, shoot, ()), "B2", "J10")
        # While the page's clock stands still, what was said stays on it.
        page.clock.pause_at(page.evaluate("() => Date.now() / 1000 + 1"))
        before = page.evaluate(DECKS_TOP)
        enemy.give(give.SetCourse(Heading.N))
        page.locator(".caption", has_text="North").wait_for()
        assert page.evaluate(DECKS_TOP) == before
        looker = Looker(page, shoot)
        for size, post in product(SIZES, POSTS):
            page.set_viewport_size(SIZES[size])
            page.clock.run_for(20)
            if page.evaluate(GO, post):
                looker.at(f"caption, {post}, {size}")
                assert page.locator(".caption").is_visible()
        assert not looker.found, "\n".join(looker.found)


def test_the_academy_fits_every_page(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor("/academy", LAPTOP)
    page.locator("main .key.lit").first.click()
    page.locator(".coach").wait_for()
    # On a short phone the lesson takes some of the chart's height until it is folded.
    looker = Looker(page, shoot, (ALL, "captain"), least_chart=0.45)
    looker.look("lesson one")
    page.mouse.click(2, 2)
    looker.look("lesson one, folded")
    PagePlayer(page, 3, bold=0).press_until(1, *COURSE)
    page.locator("[data-does=charge]").first.wait_for()
    looker.look("lesson on marks")
    assert not looker.found, "\n".join(looker.found)
