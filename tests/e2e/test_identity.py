"""Who is who, in the browser: devices, the recovery code, another player here, unlisted tables."""

from typing import Final
from urllib.parse import urlsplit

from playwright.sync_api import Page, expect

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer
from tests.e2e.table import gather, open_table

STORED: Final = "() => JSON.stringify([localStorage, sessionStorage])"
WRONG: Final = "AAAA-BBBB-CCCC-DDDD-EEEE"


def named(visitor: OpenPage, name: str, **how: str) -> Page:
    """Somebody at their settings, who has said what they are called."""
    page = visitor("/settings", **how)
    page.get_by_role("heading", name="Devices and programs").wait_for()
    page.locator("li", has_text="this device").wait_for()
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("status").filter(has_text="Saved.").wait_for()
    return page


def make_code(page: Page) -> str:
    page.get_by_role("button", name="Make a recovery code").click()
    return page.locator(".code").inner_text()


def enter(page: Page, code: str) -> None:
    """Ask to be whoever a recovery code belongs to."""
    page.get_by_label("Recovery code").fill(code)
    page.get_by_role("button", name="Carry over").click()


def says(page: Page, text: str) -> None:
    page.get_by_role("status").filter(has_text=text).wait_for()


def token(page: Page) -> str:
    found: str = page.evaluate("() => localStorage['fathom.token']")
    return found


def test_the_browser_keeps_no_recovery_code(visitor: OpenPage, shoot: Shoot) -> None:
    page = named(visitor, "Mara")
    code = make_code(page)
    assert len(code) == 24
    shoot(page, "made")
    assert code not in page.evaluate(STORED)
    assert "recovery" not in page.evaluate(STORED)
    page.reload()
    old = page.get_by_label("Present code")
    old.wait_for()
    assert code not in page.content()
    # A new one asks for the old one.
    old.fill(WRONG)
    page.get_by_role("button", name="Make a new code").click()
    says(page, "That is not the recovery code.")
    old.fill(code.lower())
    page.get_by_role("button", name="Make a new code").click()
    page.locator(".code").wait_for()
    assert page.locator(".code").inner_text() != code


def test_a_code_that_was_kept_by_an_older_release_is_shown_and_forgotten(visitor: OpenPage) -> None:
    page = visitor("/settings")
    page.evaluate(f"() => (localStorage['fathom.recovery'] = '{WRONG}')")
    page.reload()
    expect(page.locator(".code")).to_have_text(WRONG)
    page.get_by_role("button", name="I have written it down").click()
    page.locator(".code").wait_for(state="detached")
    assert WRONG not in page.evaluate(STORED)


def test_nobody_becomes_another_player_without_being_asked(visitor: OpenPage, shoot: Shoot) -> None:
    mara, otto = named(visitor, "Mara"), named(visitor, "Otto", size="phone")
    code, ottos = make_code(mara), token(otto)
    enter(otto, code)
    question = otto.get_by_role("alertdialog")
    expect(question).to_contain_text("This is the code of Mara. On this device you are Otto.")
    expect(question).to_contain_text("nobody can be Otto again")
    shoot(otto, "asked")
    assert token(otto) == ottos
    otto.get_by_role("button", name="Stay Otto").click()
    question.wait_for(state="detached")
    assert token(otto) == ottos
    # Nothing of it is left among Mara's devices.
    mara.reload()
    mara.locator("li", has_text="this device").wait_for()
    assert mara.locator("li").count() == 1

    enter(otto, code)
    otto.get_by_role("button", name="Be Mara here").click()
    says(otto, "You are Mara on this device, too.")
    assert otto.get_by_label("Your name").input_value() == "Mara"
    assert otto.locator("li").count() == 2
    # And there is a way back.
    otto.get_by_role("button", name="Be Otto again").click()
    says(otto, "You are Otto on this device, too.")
    assert token(otto) == ottos
    otto.reload()
    otto.locator("li", has_text="this device").wait_for()
    assert otto.get_by_label("Your name").input_value() == "Otto"


def test_a_wrong_code_changes_nothing(visitor: OpenPage) -> None:
    page = named(visitor, "Otto")
    before = token(page)
    enter(page, WRONG)
    says(page, "That is not the recovery code.")
    assert token(page) == before


def test_ones_own_code_makes_no_second_device(visitor: OpenPage) -> None:
    page = named(visitor, "Mara")
    enter(page, make_code(page))
    says(page, "You are Mara here already.")
    assert page.locator("li").count() == 1


def test_a_lost_device_is_signed_out_from_another(visitor: OpenPage, shoot: Shoot) -> None:
    lost = named(visitor, "Mara")
    code = make_code(lost)
    lost.goto(lost.url.replace("/settings", "/"))
    gather(lost)
    found = named(visitor, "Nobody")
    found.get_by_label("Sign out all other devices").check()
    enter(found, code)
    found.get_by_role("button", name="Be Mara here").click()
    says(found, "You are Mara on this device, too.")
    assert found.locator("li").count() == 1
    # The other one is at no table any more, and is told why.
    lost.get_by_text("This device was signed out").wait_for()
    assert urlsplit(lost.url).path == "/"
    shoot(lost, "signed-out")
    lost.get_by_role("link", name="To the settings").click()
    lost.locator("li", has_text="this device").wait_for()
    assert "If you are Mara" not in lost.content()


def test_devices_are_listed_and_signed_out_one_by_one(visitor: OpenPage, shoot: Shoot) -> None:
    one = named(visitor, "Mara")
    code = make_code(one)
    two = named(visitor, "Nobody")
    enter(two, code)
    two.get_by_role("button", name="Be Mara here").click()
    says(two, "You are Mara")
    one.reload()
    one.locator("li", has_text="this device").wait_for()
    rows = one.locator("li")
    assert rows.count() == 2
    expect(rows.filter(has_text="this device")).to_contain_text("Chrome, Linux")
    expect(rows.filter(has_text="this device")).to_contain_text("last used")
    shoot(one, "listed")
    other = rows.filter(has_not_text="this device")
    other.get_by_role("button").click()
    other.get_by_role("button", name="Really sign out?").click()
    says(one, "Signed out.")
    assert rows.count() == 1
    two.get_by_text("This device was signed out").wait_for()
    # Whoever signs out here is a new player here.
    rows.get_by_role("button").click()
    rows.get_by_role("button").click()
    until(one, "() => location.pathname === '/'")
    one.goto(one.url + "settings")
    one.locator("li", has_text="this device").wait_for()
    assert one.get_by_label("Your name").input_value() != "Mara"


def test_a_program_gets_a_token_of_its_own(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    page = named(visitor, "Mara", size="phone")
    page.get_by_label("Name of the program").fill("My bot")
    page.get_by_label("It may").select_option("games")
    page.get_by_role("button", name="Make a token").click()
    made = page.locator(".code").inner_text()
    shoot(page, "made")
    assert made not in page.evaluate(STORED)
    row = page.locator("li").filter(has_text="My bot")
    expect(row).to_contain_text("may read the list of your games")
    assert status(page, server, "/api/games", made) == 200
    assert status(page, server, "/api/identity/tokens", made) == 403
    row.get_by_role("button").click()
    row.get_by_role("button").click()
    row.wait_for(state="detached")
    assert status(page, server, "/api/games", made) == 401


def status(page: Page, server: RestartableServer, path: str, token: str) -> int:
    """How the server answers whoever shows a token."""
    headers = {"Authorization": f"Bearer {token}"}
    return page.request.get(server.at + path, headers=headers).status


def test_an_unlisted_table_is_opened_by_its_link(visitor: OpenPage, shoot: Shoot) -> None:
    host = visitor()
    code = open_table(host, {"listed": False})
    invitation = host.get_by_label("Link", exact=True)
    until(host, "() => location.hash.length === 23")
    assert urlsplit(host.url).fragment == urlsplit(invitation.input_value()).fragment
    shoot(host, "invitation")
    assert host.locator("img.qr").evaluate("(picture) => picture.naturalWidth") > 0
    # While it gathers, the code will do; the address then has what opens the table later.
    friend = visitor(f"/t/{code}")
    friend.locator(".cd").wait_for()
    until(friend, "() => location.hash.length === 23")

    begun = visitor()
    solo = open_table(begun, {"listed": False}, solo=True)
    until(begun, "() => location.hash.length === 23")
    stranger = visitor(f"/t/{solo}")
    stranger.get_by_text("There is no such table.").wait_for()
    assert "private table" in stranger.content()
    watcher = visitor(urlsplit(begun.url)._replace(scheme="", netloc="").geturl())
    watcher.locator(".room").wait_for()
    watcher.reload()
    watcher.locator(".room").wait_for()
