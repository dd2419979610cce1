"""The end says first whether you won; alone, the next game is one click away."""

from typing import Final

import pytest
from playwright.sync_api import Page

from fathom.engine import orders as give
from fathom.points import parse
from fathom.rules.setup import House
from fathom.server.wire import Clocks, Settings
from fathom.words import Crew
from tests.e2e.browser import LOCALES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.enemy import Enemy
from tests.e2e.hands import PagePlayer, until
from tests.e2e.harbour import RestartableServer
from tests.e2e.open_sea import BESIDE_US, a_duel, sail
from tests.e2e.table import open_table
from tests.e2e.test_languages import CUT

SOLO: Final[dict[str, object]] = {
    "rank": "cadet",
    "pace": "at-once",
    "house": {"radio_help": "computer", "leaving": "wait"},
}
FIRST: Final = Settings(first=Crew.A, house=House(leaving="wait"))
PAGES: Final = (
    (1920, 1080), (1440, 780), (1366, 640), (1280, 600), (820, 1180),
    (390, 664), (360, 640), (844, 390), (640, 360),
)  # fmt: skip
WATCH_TABLE: Final = """
() => {
  window.gathered = false;
  new MutationObserver(() => {
    window.gathered ||= document.querySelector(".gathering") !== null;
  }).observe(document.body, { childList: true, subtree: true });
}
"""
"""From now on the page knows whether the table screen was ever there."""
IN_VIEW: Final = """
() =>
  [...document.querySelectorAll(".verdict h1, .verdict p, .acts .key.lit")].map((one) => {
    const box = one.getBoundingClientRect();
    const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return box.bottom <= innerHeight && box.right <= innerWidth && one.contains(hit);
  })
"""
"""Whether what matters at the end is seen without scrolling, and covered by nothing."""


def resign(page: Page) -> None:
    """Give up, by the menu, whatever its language."""
    page.locator(".bar .tool").last.click()
    page.locator(".menu .keys button.key").click()
    page.locator(".menu .key.warn").click()


def title(page: Page) -> str:
    page.locator(".numbers dt").nth(2).wait_for()
    return page.locator(".verdict h1").inner_text()


def sentence(page: Page) -> str:
    return page.locator(".verdict p").inner_text()


def test_alone_the_next_game_is_one_click_away_on_the_same_side(
    visitor: OpenPage, shoot: Shoot
) -> None:
    page = visitor()
    open_table(page, SOLO, solo=True)
    PagePlayer(page, 3).press_until(1, "charge")
    boat = page.locator(".bar .who b").inner_text()
    resign(page)
    assert title(page) == "You gave up."
    assert sentence(page).endswith("wins.")
    shoot(page, "resigned")
    page.evaluate(WATCH_TABLE)
    page.get_by_role("button", name="Rematch").click()
    page.locator(".cell.pickable").first.wait_for()
    assert page.locator(".bar .who b").inner_text() == boat
    assert not page.evaluate("() => window.gathered")
    assert page.locator(".bar .hull").first.get_attribute("aria-label") == (
        f"{boat} hull: 0 of 4 damaged"
    )


def test_another_rank_can_be_chosen_for_the_next_game(visitor: OpenPage) -> None:
    page = visitor()
    open_table(page, SOLO, solo=True)
    PagePlayer(page, 3).press_until(1, "charge")
    resign(page)
    rank = page.get_by_label("Another opponent")
    assert rank.input_value() == "cadet"
    rank.select_option("admiral")
    page.get_by_role("button", name="Next: Admiral").click()
    PagePlayer(page, 3).press_until(1, "charge")
    resign(page)
    title(page)
    assert page.get_by_label("Another opponent").input_value() == "admiral"


def joined(page: Page, enemy: Enemy) -> None:
    """The page sits down at the enemy's table, and the game begins."""
    page.locator(".boat").first.get_by_role("button", name="Take the whole boat").click()
    page.get_by_role("button", name="Ready", exact=True).click()
    enemy.start()
    page.locator(".room main .chart").wait_for()


def test_each_crew_and_a_spectator_read_their_own_verdict_and_gather_again(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    with Enemy(server.at, FIRST) as enemy:
        page = visitor(f"/t/{enemy.table}")
        joined(page, enemy)
        spectator = visitor(f"/t/{enemy.table}")
        spectator.locator(".looking").wait_for()
        enemy.give(give.Resign())
        assert title(page) == "You won."
        assert sentence(page) == "Other boat gives up."
        assert title(spectator) == "Other boat gives up."
        assert not spectator.get_by_role("button", name="Rematch").count()
        shoot(spectator, "spectator")
        # With others at the table it gathers again: everybody must want to.
        page.get_by_role("button", name="Rematch").click()
        page.locator(".gathering").wait_for()


def test_the_last_shot_is_seen_before_the_end(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    page = visitor()
    with a_duel(page, server, sudden_death=True) as enemy:
        sail(page, enemy)
        enemy.give(give.FireTorpedo(parse(BESIDE_US)))
        porthole = page.get_by_role("alertdialog")
        porthole.get_by_text(f"Explosion on {BESIDE_US}. Indirect hit on us: 1 damage").wait_for()
        assert not page.locator(".verdict").count()
        shoot(page, "last-shot")
        page.keyboard.press("Space")
        assert title(page) == "You were sunk."
        page.reload()
        assert title(page) == "You were sunk."


def test_out_of_time_is_said_in_words(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    clocks = Clocks(turn_seconds=5)
    settings = Settings(first=Crew.A, house=House(leaving="wait"), clocks=clocks)
    with Enemy(server.at, settings) as enemy:
        page = visitor(f"/t/{enemy.table}")
        joined(page, enemy)
        enemy.place_and_dive()
        PagePlayer(page, 4).press_until(2, "key", "confirm")
        assert title(page) == "You ran out of time."
        assert sentence(page) == "Other boat wins."
        shoot(page, "time")


@pytest.mark.parametrize("language", LOCALES)
def test_the_end_fits_every_page(visitor: OpenPage, shoot: Shoot, language: str) -> None:
    page = visitor(language=LOCALES[language])
    open_table(page, SOLO, solo=True)
    PagePlayer(page, 3).press_until(1, "charge")
    resign(page)
    title(page)
    for width, height in PAGES:
        page.set_viewport_size({"width": width, "height": height})
        until(page, "() => document.querySelector('.acts .key.lit') !== null")
        shoot(page, f"{width}x{height}")
        assert page.evaluate(IN_VIEW) == [True, True, True], f"{width}x{height}"
        assert page.evaluate(CUT) == [], f"{width}x{height}"
