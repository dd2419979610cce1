"""Whatever is heard, asked or chosen: it is told to the end, and nothing moves under the hand."""

from typing import Final

from playwright.sync_api import Page

from fathom.engine import orders as give
from fathom.points import parse
from fathom.words import Heading, System
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer
from tests.e2e.layout import faults, resize, speak
from tests.e2e.open_sea import BESIDE_US, a_duel, sail
from tests.e2e.table import open_table
from tests.e2e.test_stations_fit import GO

PHONES: Final = ("phone-with-bars", "small-phone", "phone-sideways")
COMPASS: Final = ["North", "East", "South", "West"]
NAMES: Final = """
(css) =>
  [...document.querySelectorAll(css)].map(
    (one) => one.ariaLabel ?? one.querySelector("span").textContent,
  )
"""
BOXES: Final = """
(css) =>
  [...document.querySelectorAll(css)].map((one) => {
    const { x, y, width, height } = one.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  })
"""
"""Where things are on the page."""


def boxes(page: Page, css: str) -> list[list[int]]:
    found: list[list[int]] = page.evaluate(BOXES, css)
    assert found, css
    return found


def test_a_long_announcement_is_told_to_the_end_and_moves_no_sheet(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    """Our torpedo is charged but broken by then; Ukrainian has the longest words for a shot."""
    page = visitor(size="laptop")
    with a_duel(page, server, "paper") as enemy:
        sail(page, enemy)
        speak(page, "uk")
        resize(page, "small-phone")
        page.evaluate(GO, "radio-operator")
        sheet = boxes(page, "main .sheets")
        enemy.give(give.FireTorpedo(parse(BESIDE_US)))
        page.get_by_role("alertdialog").wait_for()
        page.keyboard.press("Space")
        until(page, "() => document.querySelector('[role=alertdialog], .shield') === null")
        page.locator(".now .long").wait_for()
        shoot(page, "heard")
        assert boxes(page, "main .sheets") == sheet
        found = []
        for size in PHONES:
            resize(page, size)
            page.evaluate(GO, "captain")
            found += [f"{size}: {one}" for one in faults(page)]
            shoot(page, size)
        assert not found, "\n".join(found)


def test_arrows_go_round_the_compass_and_words_fit_the_pointer(
    visitor: OpenPage, server: RestartableServer
) -> None:
    """North, east, south, west, at the helm, for aiming and on the radio operator's pad."""
    for size, says in (("laptop", "Click the helm"), ("small-phone", "Tap a course")):
        page = visitor(size=size)
        table = "/t/" + open_table(page, {"rank": "cadet", "pace": "at-once"}, solo=True)
        page.locator(".aim .nudge").wait_for()
        assert page.evaluate(NAMES, ".nudge .key") == COMPASS, table
        page.locator(".cell.pickable").first.click()
        page.get_by_role("button", name="Start on").click()
        page.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
        until(page, "() => document.querySelector('.helm .lit') !== null")
        assert page.evaluate(NAMES, ".helm > button") == COMPASS
        told = page.locator(".order .says p").text_content() or ""
        assert says in told, told
        page.evaluate(GO, "radio-operator")
        drawn = [name.removeprefix("Draw: ") for name in page.evaluate(NAMES, ".pad4 .key")]
        assert drawn == COMPASS


def test_surfacing_says_what_it_does_before_it_is_done(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    page = visitor(size="laptop")
    with a_duel(page, server) as enemy:
        until(page, "() => document.querySelector('.helm .lit') !== null")
        resize(page, "small-phone")
        line = page.locator(".order")
        page.get_by_role("button", name="Surface").click()
        shoot(page, "asked")
        assert line.locator("h1").inner_text() == "Surface and announce sector 4?"
        told = line.locator(".says p")
        assert told.inner_text() == "Clears your route and mends everything. They take 3 turns."
        assert page.evaluate("(p) => p.scrollWidth <= p.clientWidth", told.element_handle())
        page.get_by_role("button", name="Stay down").click()
        line.get_by_role("heading", name="Set a course").wait_for()
        page.get_by_role("button", name="Surface").click()
        page.get_by_role("button", name="Yes, surface").click()
        line.get_by_role("heading", name="They take 3 more turns").wait_for()
        enemy.sail(Heading.E, System.TORPEDO, 0)
        enemy.give(give.END_TURN)
        line.get_by_role("heading", name="They take 2 more turns").wait_for()


def test_choosing_a_sector_moves_no_key(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    page = visitor(size="laptop")
    with a_duel(page, server, "computer") as enemy:
        for course, theirs in zip("NNN", "EES", strict=True):
            until(page, "() => document.querySelector('.helm .lit') !== null")
            page.locator(f'.helm [data-heading="{course}"].lit').click()
            page.get_by_role("button", name="Charge Drone").click()
            page.locator('.symbol.free:not(.hurts, :has([href="#g-kind-green"]))').first.click()
            until(page, "() => document.querySelector('.symbol.free') === null")
            if page.locator("[data-does=use][data-system=drone]").count():
                break
            page.locator(".steer .key.lit", has_text="End turn").click()
            line = page.locator(".order")
            line.get_by_role("heading", name="Other boat's turn").wait_for()
            enemy.sail(Heading(theirs), System.TORPEDO, 0)
            enemy.give(give.END_TURN)
        page.locator("[data-does=use][data-system=drone]").click()
        for size in ("laptop", "tablet", "phone-with-bars", "small-phone", "phone-sideways"):
            resize(page, size)
            page.evaluate(GO, "captain")
            if page.locator(".aim").count() == 0:
                page.locator('.sys[data-system="drone"]').click()
            keys = ".aim .sectors .key, .aim .two .key, main .chart"
            before = boxes(page, keys)
            page.locator(".aim .sectors .key").nth(1).click()
            page.locator(".aim .key.lit").wait_for()
            shoot(page, size)
            assert boxes(page, keys) == before, size
            page.locator(".aim .two .key").last.click()
