"""From the home page to some turns of play without a mouse."""

from typing import Final

from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until

FOCUSED: Final = "(css) => document.activeElement?.matches(css) ?? false"
RING: Final = """
() => {
  const one = document.activeElement;
  const drawn = ({ outlineStyle, stroke }) => outlineStyle !== "none" || stroke !== "none";
  return [one, ...one.children].some((part) => drawn(getComputedStyle(part)));
}
"""
"""Whether what has the focus has a ring around it; drawn things have one as their outline."""
MOST_TABS: Final = 150


def tab_to(page: Page, css: str) -> None:
    """Go on with the tabulator until something that fits has the focus, and shows it."""
    page.locator(css).first.wait_for()
    for _ in range(MOST_TABS):
        if page.evaluate(FOCUSED, css):
            assert page.evaluate(RING), f"{css} has the focus and doesn't show it"
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator never comes to {css}")


def press(page: Page, css: str, key: str = "Enter") -> None:
    tab_to(page, css)
    page.keyboard.press(key)


def test_some_turns_without_a_mouse(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor()
    press(page, ".menu .go.lit")
    tab_to(page, "main .cell")
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    press(page, ".aim .key.lit")
    press(page, ".steer .key.lit", "Space")
    for turn, key in enumerate(("ArrowDown", "ArrowDown", "ArrowRight")):
        until(page, "() => document.querySelector('.helm .lit') !== null")
        go_on(page)
        page.keyboard.press(key)
        press(page, "[data-does=charge]")
        press(page, ".symbol.free:not(.hurts)")
        shoot(page, f"turn-{turn}")
        page.keyboard.press("Enter")
        until(page, "() => document.querySelector('.symbol.free') === null")
        if turn == 1:
            by_words(page, "end-turn")
        else:
            press(page, ".steer .key.lit.wide")
    until(page, "() => document.querySelectorAll('.log li, ol li').length > 0")
    for number in "1234":
        page.keyboard.press(number)
        page.locator(f".posts button:nth-of-type({int(number) + 1})[aria-current]").wait_for()


def go_on(page: Page) -> None:
    """The enemy may have fired: what came of it is on the screen until it was seen."""
    outcome = page.get_by_role("alertdialog")
    while outcome.count():
        page.keyboard.press("Space")
        outcome.wait_for(state="detached")


def by_words(page: Page, command: str) -> None:
    """The command line: everything can be said in words."""
    page.keyboard.press("/")
    until(page, "() => document.activeElement?.id === 'command'")
    page.keyboard.type(command)
    page.keyboard.press("Enter")
    page.get_by_role("status").get_by_text("Done.").wait_for()
    page.keyboard.press("Escape")
