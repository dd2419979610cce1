"""Clocks are on the screen at every size, count down smoothly, and warn before time is up."""

import json
from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import COURSE, PagePlayer, until
from tests.e2e.table import open_table

SETTINGS: Final[dict[str, object]] = {
    "rank": "cadet",
    "pace": "at-once",
    "house": {"radio_help": "computer", "leaving": "wait"},
}
PAGES: Final = (
    (1920, 1080),
    (1440, 780),
    (1366, 640),
    (1280, 600),
    (820, 1180),
    (390, 664),
    (360, 640),
    (844, 390),
    (640, 360),
)
RECORD: Final = """
() => {
  window.shown = [[], []];
  const figure = (text) => text.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
  const look = () => {
    document.querySelectorAll(".bar .clock .figures").forEach((one, i) => {
      const game = one.querySelector(":scope > span")?.textContent;
      const turn = one.querySelector(":scope > b")?.textContent;
      const now = [turn ? figure(turn) : null, game ? figure(game) : null];
      const last = window.shown[i].at(-1);
      if (JSON.stringify(now) !== JSON.stringify(last)) window.shown[i].push(now);
    });
  };
  look();
  new MutationObserver(look).observe(document.querySelector(".bar"), {
    childList: true, characterData: true, subtree: true,
  });
}
"""
"""From now on the page keeps what both clocks showed, in seconds: turn and game."""
FREE: Final = """
() =>
  [...document.querySelectorAll(".bar .clock .figures")].map((one) => {
    const box = one.getBoundingClientRect();
    const inside = box.left >= 0 && box.right <= innerWidth && box.top >= 0
      && box.bottom <= innerHeight && box.width > 4 && box.height > 10;
    const places = [0.05, 0.5, 0.95].map((part) => box.left + part * box.width);
    const seen = places.every((x) =>
      one.parentElement.contains(document.elementFromPoint(x, box.top + box.height / 2)));
    const cut = one.scrollWidth > one.clientWidth;
    const size = parseFloat(getComputedStyle(one).fontSize);
    return inside && seen && !cut && size >= 13;
  })
"""
"""For each clock whether it can be read: on the page, covered by nothing, whole, large enough."""
SOUNDS: Final = """
(() => {
  window.pitches = [];
  const set = AudioParam.prototype.setValueAtTime;
  AudioParam.prototype.setValueAtTime = function (value, at) {
    window.pitches.push(value);
    return set.call(this, value, at);
  };
})()
"""


def clocked(page: Page, turn: int | None, game: int | None = None) -> PagePlayer:
    """A game with clocks, begun; the first turn is ours."""
    clocks = {"turn_seconds": turn, "game_seconds": game}
    open_table(page, {**SETTINGS, "clocks": clocks, "first": "a"}, solo=True)
    hands = PagePlayer(page, 5)
    hands.press_until(1, "key")
    page.locator(".bar .clock").first.wait_for()
    return hands


def test_both_clocks_count_down_and_never_go_back(visitor: OpenPage) -> None:
    page = visitor()
    hands = clocked(page, 3600, 7200)
    page.evaluate(RECORD)
    hands.press_until(3, *COURSE)
    # Nothing is done now: it counts by itself.
    until(page, "() => new Set(window.shown[0].map(([turn]) => turn)).size >= 4")
    ours, theirs = page.evaluate("() => window.shown")
    for shown in (ours, theirs):
        games = [game for _, game in shown if game is not None]
        assert games == sorted(games, reverse=True)
    turns = [turn for turn, _ in ours if turn is not None]
    back = [(a, b) for a, b in pairwise(turns) if b > a]
    assert all(after == 3600 for _, after in back), "only a new turn has more time, all of it"


@pytest.mark.parametrize("language", ["en-GB", "uk-UA", "it-IT"])
def test_the_clocks_can_be_read_at_every_size(
    visitor: OpenPage, shoot: Shoot, language: str
) -> None:
    page = visitor(language=language)
    clocked(page, 3600, 7200)
    for width, height in PAGES:
        page.set_viewport_size({"width": width, "height": height})
        until(page, "() => document.querySelectorAll('.bar .clock').length === 2")
        shoot(page, f"{width}x{height}")
        assert page.evaluate(FREE) == [True, True], f"{width}x{height}"


def test_ten_seconds_before_the_end_a_crew_is_warned_once(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor("/settings")
    page.context.add_init_script(SOUNDS)
    page.evaluate("(liked) => (localStorage['fathom.liked'] = liked)", json.dumps({"muted": False}))
    page.goto(page.url.replace("/settings", "/"))
    clocked(page, 12)
    ours = page.locator(".bar .clock").first
    warning = page.locator(".bar [role=alert]")
    ours.locator("b", has_text="s left").wait_for()
    assert warning.inner_text() == "10 seconds left for your crew."
    shoot(page, "short")
    for width, height in PAGES[-4:]:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(FREE) == [True, True], f"{width}x{height}"
    assert page.evaluate("() => window.pitches.filter((pitch) => pitch === 880).length") in (3, 6)
