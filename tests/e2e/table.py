"""A table as somebody sets it up on the screen."""

from typing import Final
from urllib.parse import urljoin

from playwright.sync_api import Page

from tests.e2e.hands import until

BOOKS: Final = {
    "captain-sonar": "First edition",
    "captain-sonar-2": "Second edition",
    "captain-sonar-ru": "Russian rules",
    "sonar": "Family game",
}

OPEN: Final = """
async ([settings, solo]) => {
  const headers = { "Content-Type": "application/json" };
  let token = localStorage["fathom.token"];
  while (!token) {
    await new Promise((done) => setTimeout(done, 20));
    token = localStorage["fathom.token"];
  }
  headers.Authorization = `Bearer ${token}`;
  const body = JSON.stringify({ settings, solo });
  const answer = await fetch("/api/tables", { method: "POST", headers, body });
  return await answer.json();
}
"""


def gather(page: Page) -> str:
    """From the home page to a table of one's own, under the suggested name if asked; its code."""
    page.get_by_role("button", name="Gather a crew").click()
    page.locator(".cd, #name").first.wait_for()
    if page.locator("#name").count():
        until(page, "() => document.querySelector('#name').value !== ''")
        page.get_by_role("button", name="Go aboard").click()
    page.locator(".cd").wait_for()
    return page.locator(".cd").inner_text()


def agree(page: Page, row: str, choice: str) -> None:
    """Choose one of the standing orders, and wait until the server has agreed."""
    group = page.get_by_role("group", name=row, exact=True)
    if not group.count():
        page.get_by_role("button", name="More orders").click()
    key = group.get_by_role("button", name=choice, exact=True)
    key.click()
    page.locator(f'[aria-label="{row}"] [aria-pressed=true]', has_text=choice).wait_for()


def take_boat(page: Page, number: int = 0) -> None:
    """All posts of one submarine."""
    page.locator(".boat").nth(number).get_by_role("button", name="Take the whole boat").click()
    page.locator(".boat .you").first.wait_for()


def dive(page: Page) -> None:
    """Begin, with bots on the free posts."""
    page.get_by_role("button", name="Dive with bots").click()
    page.locator(".room.station main").wait_for()


def open_table(page: Page, settings: dict[str, object], *, solo: bool = False) -> str:
    """A table with settings of which some have no key on the screen; its code."""
    made: dict[str, str] = page.evaluate(OPEN, [settings, solo])
    page.goto(urljoin(page.url, f"/t/{made['table']}"))
    return made["table"]
