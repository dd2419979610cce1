"""People are asked for a name once, when it first matters, and no two at a table have the same."""

from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.browser import visit
from tests.e2e.conftest import Shoot
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer

ASKED: Final = "What should we call you?"


@pytest.fixture
def newcomer(browser: Browser, server: RestartableServer) -> "Newcomers":
    """People who have never been here."""
    return Newcomers(browser, server)


class Newcomers:
    def __init__(self, browser: Browser, server: RestartableServer) -> None:
        self.browser, self.server = browser, server
        self.contexts: list[BrowserContext] = []

    def come(self, path: str = "/", size: str = "desktop") -> Page:
        context = visit(self.browser, size, named=False)
        self.contexts.append(context)
        page = context.new_page()
        page.goto(self.server.at + path)
        return page


def field(page: Page) -> str:
    page.get_by_label(ASKED).wait_for()
    until(page, "() => document.querySelector('#name').value !== ''")
    return page.get_by_label(ASKED).input_value()


def go_aboard(page: Page, name: str | None = None) -> None:
    field(page)
    if name is not None:
        page.get_by_label(ASKED).fill(name)
    page.get_by_role("button", name="Go aboard").click()


def sit(page: Page, boat: int) -> None:
    page.locator(".boat").nth(boat).get_by_text("Sit here").first.click()
    page.locator(".boat .you").wait_for()


def test_who_plays_alone_is_not_asked(newcomer: Newcomers) -> None:
    page = newcomer.come()
    page.get_by_role("button", name="Play now").click()
    page.locator(".room main .chart").wait_for()
    assert not page.get_by_text(ASKED).count()


def test_a_host_is_asked_before_the_table_is_opened_and_never_again(
    newcomer: Newcomers, shoot: Shoot
) -> None:
    page = newcomer.come()
    page.get_by_role("button", name="Gather a crew").click()
    assert " " in field(page), "a suggestion is filled in"
    shoot(page, "asked")
    go_aboard(page, "  Mara   the Host ")
    page.locator(".cd").wait_for()
    sit(page, 0)
    assert "Mara the Host" in page.locator(".boat").first.inner_text()
    page.goto(newcomer.server.at)
    page.get_by_role("button", name="Gather a crew").click()
    page.locator(".cd").wait_for()
    page.goto(f"{newcomer.server.at}/settings")
    assert page.get_by_label("Your name").input_value() == "Mara the Host"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("   ", "Enter a name."),
        ("x" * 41, "too long"),
        ("\u3164", "Nobody could see this name"),
    ],
)
def test_a_name_that_will_not_do_is_refused_in_words(
    newcomer: Newcomers, name: str, why: str
) -> None:
    page = newcomer.come()
    page.get_by_role("button", name="Gather a crew").click()
    go_aboard(page, name)
    page.get_by_role("alert").filter(has_text=why).wait_for()
    page.get_by_role("button", name="Suggest another").click()
    page.get_by_role("button", name="Go aboard").click()
    page.locator(".cd").wait_for()


def test_two_at_one_table_do_not_keep_the_same_name(newcomer: Newcomers, shoot: Shoot) -> None:
    host = newcomer.come()
    host.get_by_role("button", name="Gather a crew").click()
    go_aboard(host, "Ada")
    host.locator(".cd").wait_for()
    code = host.locator(".cd").inner_text()
    guest = newcomer.come(f"/t/{code}", "phone")
    go_aboard(guest, "Ada")
    guest.locator(".cd").wait_for()
    sit(host, 0)
    sit(guest, 1)
    for page in (host, guest):
        page.get_by_role("heading", name="Two people here are called Ada.").wait_for()
    shoot(guest, "same")
    guest.get_by_role("button", name="Change my name").click()
    assert field(guest) not in {"", "Ada"}, "another name is suggested"
    shoot(guest, "another")
    go_aboard(guest, "ADA")
    guest.get_by_role("alert").filter(has_text="already called ADA").wait_for()
    go_aboard(guest, "Ada K")
    # The guest has kept the post, and everybody sees the new name at once.
    host.locator(".boat").nth(1).get_by_text("Ada K").wait_for()
    until(host, "() => !document.body.innerText.includes('Two people here')")
    guest.locator(".boat .you").wait_for()
