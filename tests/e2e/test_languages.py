"""Each language's home, table and stations: its own words, all of them, and none cut off."""

import json
import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

from tests.e2e.browser import LOCALES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import COURSE, PagePlayer, until
from tests.e2e.layout import resize
from tests.e2e.table import open_table

MESSAGES: Final = Path(__file__).parents[2] / "web/messages"
SOLO: Final[dict[str, object]] = {
    "rank": "cadet",
    "pace": "at-once",
    "house": {"radio_help": "computer", "leaving": "wait"},
}

WORDS: Final = """
() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    if (text && shown(walk.currentNode.parentElement)) found.push(text);
  }
  for (const name of ["aria-label", "alt", "title", "placeholder"])
    for (const one of document.querySelectorAll(`[${name}]:not(.cell)`))
      if (shown(one)) found.push(one.getAttribute(name).trim());
  return [...new Set([...found, document.title])];
}
"""
"""All that is written on the page, and all that a screen reader says of it but the points."""

CUT: Final = """
() => {
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const words = "button, label, a, h1, h2, h3, p, li, b, small, span, dt, dd, em";
  const text = (one) => [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
  const cut = [...document.querySelectorAll(words)]
    .filter((one) => !one.closest(".vh, svg") && shown(one) && text(one))
    .filter((one) => !/inset/.test(getComputedStyle(one).clipPath))
    .filter((one) => {
      const style = getComputedStyle(one);
      const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
      if (scrolls || style.display === "inline") return false;
      return one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 6;
    })
    .map((one) => `${one.tagName} ${one.className}: ${one.innerText.slice(0, 60)}`);
  /* A key's own words, wherever in it they stand: centred ones stick out above and below. */
  const range = document.createRange();
  const lines = (one) => {
    const found = [];
    const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const { parentElement: by, data } = walk.currentNode;
      if (!data.trim() || by.closest(".vh, svg") || !shown(by)) continue;
      if (/inset/.test(getComputedStyle(by).clipPath)) continue;
      range.selectNodeContents(walk.currentNode);
      found.push(...range.getClientRects());
    }
    return found;
  };
  const keys = document.querySelectorAll("button, .key, .coach, .fam, .aye");
  for (const key of [...keys].filter(shown)) {
    const box = key.getBoundingClientRect();
    const tall = ({ top, bottom }) => top < box.top - 2 || bottom > box.bottom + 2;
    const long = ({ left, right }) => left < box.left - 1 || right > box.right + 1;
    if (lines(key).some((one) => one.width > 1 && (tall(one) || long(one))))
      cut.push(`sticks out of ${key.className}: ${key.innerText.slice(0, 60)}`);
  }
  for (const key of [...keys].filter(shown)) {
    const [box, panel] = [key, key.closest(".plate")].map((one) => one?.getBoundingClientRect());
    if (panel?.width && (box.left < panel.left - 1 || box.right > panel.right + 1))
      cut.push(`beyond its panel: ${key.className}: ${key.innerText.slice(0, 60)}`);
  }
  const wide = document.documentElement;
  if (wide.scrollWidth > wide.clientWidth) cut.push("the page is wider than the screen");
  return cut;
}
"""
"""Words that don't fit where they stand."""


def words_of(language: str) -> dict[str, str]:
    """A language's messages that stand as they are, without anything to fill in."""
    found = json.loads((MESSAGES / f"{language}.json").read_text())
    return {k: v for k, v in found.items() if isinstance(v, str) and "{" not in v and k[0] != "$"}


ENGLISH: Final = words_of("en")
KEYS: Final = frozenset(key for key in ENGLISH if "_" in key)


def leftovers(page: Page, language: str) -> list[str]:
    """What stands there in English, or as a key's name."""
    own = words_of(language)
    other = {text for key, text in ENGLISH.items() if own.get(key) != text}
    english = {text for text in other - set(own.values()) if len(text) > 2}
    written: list[str] = page.evaluate(WORDS)
    found = [text for text in written if text in KEYS or "undefined" in text]
    return found if language == "en" else [*found, *(text for text in written if text in english)]


def check(page: Page, language: str) -> None:
    assert page.evaluate("() => document.documentElement.lang") == language
    assert leftovers(page, language) == []
    assert page.evaluate(CUT) == []
    if language in {"uk", "ru"}:
        assert [text for text in page.evaluate(WORDS) if foreign(text)] == []


NAMES: Final = re.compile(r"https?://\S+|\b[A-Z][\w'-]*")
"""Names of people, boats and charts stay as they are, and so do codes and addresses."""


def foreign(text: str) -> bool:
    """Whether a text has Latin words in it that are nobody's name."""
    return bool(re.search(r"[a-z]{3,}", NAMES.sub("", text)))


ALIKE: Final = {
    "desktop": ("low-laptop", "laptop", "large-laptop", "tablet-sideways"),
    "phone": ("phone-with-bars", "small-phone", "phone-sideways", "small-phone-sideways"),
}
"""Pages of the same shape, where words have less room."""


@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("language", LOCALES)
def test_screens(visitor: OpenPage, shoot: Shoot, language: str, size: str) -> None:
    page = visitor(size=size, language=LOCALES[language])
    page.locator(".menu .go.lit").wait_for()
    shoot(page, "home")
    check(page, language)
    page.locator(".menu .go").nth(1).click()
    page.locator(".boat").first.wait_for()
    page.locator(".set li").nth(3).wait_for()
    shoot(page, "table")
    check(page, language)
    page.goto(re.sub(r"/t/.*", "/", page.url))
    open_table(page, SOLO, solo=True)
    hands = PagePlayer(page, 9, touch=size == "phone")
    hands.press_until(2, *COURSE)
    tabs = page.locator(".tabs button" if size == "phone" else ".posts button")
    found = []
    for number in range(tabs.count()):
        resize(page, size)
        tabs.nth(number).click()
        shoot(page, f"station-{number}")
        check(page, language)
        found += cut_where_words_have_less_room(page, size, shoot, f"station-{number}")
    resize(page, size)
    tabs.first.click()
    hands.press_until(2, "symbol", "hurts")
    page.locator(".steer .end.lit").click()
    until(page, "() => document.querySelector('.steer .lit') !== null")
    found += cut_where_words_have_less_room(page, size, shoot, "course")
    assert not found, "\n".join(found)


def cut_where_words_have_less_room(page: Page, size: str, shoot: Shoot, what: str) -> list[str]:
    found = []
    for other in ALIKE[size]:
        resize(page, other)
        if cut := page.evaluate(CUT):
            found += [f"{what}, {other}: {one}" for one in cut]
            shoot(page, f"{what}-{other}")
    resize(page, size)
    return found


QUIET_PAGES: Final = {"academy": ".intro", "settings": ".preferences", "games": "main h1"}


@pytest.mark.parametrize("language", LOCALES)
def test_pages_beside_the_game(visitor: OpenPage, shoot: Shoot, language: str) -> None:
    """On a phone, where words have the least room: school, settings, games, rules, end, replay."""
    page = visitor(size="phone", language=LOCALES[language], theme="day")
    home = page.url.rstrip("/")
    for name, sign in QUIET_PAGES.items():
        page.goto(f"{home}/{name}")
        page.locator(sign).first.wait_for()
        shoot(page, name)
        check(page, language)
    page.goto(f"{home}/rules")
    page.locator("article").first.wait_for()
    shoot(page, "rules")
    # The rules' own texts are the server's; its tests see to them.
    assert leftovers(page, language) == []
    page.goto(home)
    open_table(page, SOLO, solo=True)
    PagePlayer(page, 11, touch=True).press_until(2, "charge")
    page.locator(".bar .tool").last.click()
    page.locator(".menu .keys button.key").click()
    page.locator(".menu .key.warn").click()
    page.locator(".numbers dt").nth(2).wait_for()
    shoot(page, "end")
    check(page, language)
    page.locator("main.finale .acts a.key").first.click()
    page.locator("main .chart").first.wait_for()
    shoot(page, "replay")
    check(page, language)


def test_the_language_is_switched_in_a_running_game(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor()
    open_table(page, SOLO, solo=True)
    hands = PagePlayer(page, 9)
    hands.press_until(1, "charge")
    at = page.locator(".wheel .mid").inner_text().splitlines()[0]
    page.get_by_role("button", name="Menu").click()
    page.locator(".preferences select").select_option("uk")
    page.locator(".menu .close").click()
    check(page, "uk")
    shoot(page, "switched")
    assert page.locator(".wheel .mid").inner_text().splitlines()[0][1:] == at[1:]
    hands.press_until(2, "charge")
    page.reload()
    page.locator(".order h1").wait_for()
    assert page.evaluate("() => document.documentElement.lang") == "uk"
