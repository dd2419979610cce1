"""An invitation can be handed on from every browser, and the page says what happened."""

from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from tests.e2e.browser import visit
from tests.e2e.conftest import FRIEND, Shoot
from tests.e2e.harbour import RestartableServer
from tests.e2e.table import gather

SELECTED: Final = "() => getSelection().toString()"
NO_COPYING: Final = "document.execCommand = () => false"


def table(context: BrowserContext, server: RestartableServer) -> Page:
    page = context.new_page()
    page.goto(f"http://{FRIEND}:{server.port}/")
    assert page.evaluate("() => [isSecureContext, typeof navigator.clipboard]") == [
        False,
        "undefined",
    ]
    gather(page)
    return page


def link(page: Page) -> str:
    return page.get_by_label("Link", exact=True).input_value()


def copy(page: Page, says: str) -> None:
    page.get_by_role("button", name="Copy link").click()
    page.locator(".inv").get_by_role("status").filter(has_text=says).wait_for()


def test_over_plain_http_the_link_is_copied_all_the_same(
    plain_http: BrowserContext, server: RestartableServer, shoot: Shoot
) -> None:
    page = table(plain_http, server)
    page.evaluate(
        "() => document.addEventListener('copy', () => (window.copied = getSelection().toString()))"
    )
    copy(page, "Link copied.")
    shoot(page, "copied")
    assert page.evaluate("() => window.copied") == link(page)


def test_where_nothing_can_be_copied_the_link_is_selected(
    plain_http: BrowserContext, server: RestartableServer, shoot: Shoot
) -> None:
    plain_http.add_init_script(NO_COPYING)
    page = table(plain_http, server)
    copy(page, "copy it by hand")
    shoot(page, "by-hand")
    assert page.evaluate(SELECTED) == link(page)


def test_on_a_secure_origin_the_clipboard_has_it(
    browser: Browser, server: RestartableServer
) -> None:
    context = visit(browser)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto(server.at)
    gather(page)
    copy(page, "Link copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == link(page)
    context.close()


@pytest.mark.parametrize(
    ("share", "says"),
    [
        ("async (what) => { window.shared = what.url }", "Link shared."),
        ("async () => { throw new DOMException('', 'NotAllowedError') }", "Link copied."),
    ],
)
def test_a_phone_opens_the_share_sheet(
    browser: Browser, server: RestartableServer, share: str, says: str
) -> None:
    # A browser without a window has no share sheet, so this one is put in its place.
    context = visit(browser, "phone")
    context.add_init_script(f"navigator.share = {share}")
    page = context.new_page()
    page.goto(server.at)
    gather(page)
    copy(page, says)
    if "shared" in says:
        assert page.evaluate("() => window.shared") == link(page)
    context.close()


def test_the_recovery_code_is_not_called_copied_when_it_is_not(
    plain_http: BrowserContext, server: RestartableServer
) -> None:
    plain_http.add_init_script(NO_COPYING)
    page = plain_http.new_page()
    page.goto(f"http://{FRIEND}:{server.port}/settings")
    page.get_by_role("button", name="Make a recovery code").click()
    page.get_by_role("button", name="Copy the code").click()
    page.get_by_role("status").filter(has_text="copy it by hand").wait_for()
    assert page.evaluate(SELECTED) == page.locator(".code").inner_text()
