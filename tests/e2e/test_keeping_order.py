"""On the screen: the host's keys, a report, an announcement, a ban, and one's own data."""

import json
from typing import Final
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.harbour import OPERATOR, RestartableServer
from tests.e2e.layout import resize
from tests.e2e.table import open_table, take_boat
from tests.e2e.test_accessibility import Inspector
from tests.e2e.test_talk import man_with_bots

SETTINGS: Final[dict[str, object]] = {"pace": "at-once", "house": {"leaving": "wait"}}
YOU: Final = """
async () => {
  const headers = { Authorization: `Bearer ${localStorage["fathom.token"]}` };
  return (await (await fetch("/api/identity", { headers })).json()).you;
}
"""


def admin(
    server: RestartableServer, method: str, path: str, body: object = None
) -> dict[str, object]:
    """What an operator asks."""
    request = Request(  # noqa: S310
        f"{server.at}/api/admin/{path}",
        json.dumps(body).encode() if body is not None else None,
        {"Authorization": f"Bearer {OPERATOR}", "Content-Type": "application/json"},
        method=method,
    )
    with urlopen(request) as answer:  # noqa: S310
        found: dict[str, object] = json.load(answer)
    return found


def gathered(visitor: OpenPage) -> tuple[Page, Page, str]:
    """A host with a whole boat, and a guest with the other."""
    host, guest = visitor(), visitor()
    open_table(host, SETTINGS)
    take_boat(host)
    guest.goto(host.url)
    take_boat(guest, 1)
    name = guest.locator(".boat").nth(1).locator("li b span").first.inner_text()
    host.locator(".boat .manage").first.wait_for()
    return host, guest, name


@pytest.mark.parametrize("size", ["large-laptop", "phone", "phone-sideways"])
def test_the_hosts_keys_open_under_the_berth(visitor: OpenPage, shoot: Shoot, size: str) -> None:
    host, guest, name = gathered(visitor)
    resize(host, size)
    host.locator(".boat .manage").first.click()
    keys = host.get_by_role("group", name=f"Host's keys for {name}")
    keys.wait_for()
    width = host.evaluate("() => innerWidth")
    for key in keys.get_by_role("button").all():
        box = key.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
    shoot(host, "keys")
    inspector = Inspector(host, shoot)
    inspector.look("host")
    assert not inspector.wrong, "\n".join(inspector.wrong)
    keys.get_by_role("button", name="Mute").click()
    keys.get_by_role("button", name="Unmute").wait_for()
    assert guest.locator(".manage").count() == 0
    keys.get_by_role("button", name="Make host").click()
    keys.wait_for(state="detached")
    guest.locator(".boat .manage").first.wait_for()
    assert host.locator(".manage").count() == 0


def test_a_locked_table_and_one_who_is_removed(visitor: OpenPage, shoot: Shoot) -> None:
    host, guest, name = gathered(visitor)
    guest.locator(".boat").nth(1).locator("li.you").first.get_by_text("Stand up").click()
    host.get_by_role("button", name="Lock the table").click()
    host.get_by_role("button", name="Unlock the table").wait_for()
    late = visitor()
    late.goto(host.url)
    if late.locator("#name").count():
        late.get_by_role("button", name="Go aboard").click()
    late.get_by_text("The host has locked the table. Nobody new can sit down.").wait_for()
    assert late.get_by_text("Sit here").count() == 0
    shoot(late, "locked")
    assert guest.get_by_text("Sit here").count() == 1, "who sits there may change posts"
    host.locator(".boat .manage").first.click()
    keys = host.get_by_role("group", name=f"Host's keys for {name}")
    keys.get_by_role("button", name="Remove…").click()
    shoot(host, "sure")
    keys.get_by_role("button", name="Remove for good").click()
    guest.get_by_role("heading", name="The host has removed you from this table.").wait_for()
    guest.reload()
    guest.get_by_role("heading", name="The host has removed you from this table.").wait_for()
    shoot(guest, "removed")
    assert host.locator(".manage").count() == 0


def test_a_line_is_reported_and_removed(
    visitor: OpenPage, shoot: Shoot, server: RestartableServer
) -> None:
    captain, engineer = visitor(), visitor(size="phone")
    code = open_table(captain, SETTINGS)
    engineer.goto(captain.url)
    for page, post in ((captain, 0), (engineer, 2)):
        page.locator(".boat").first.locator("li").nth(post).get_by_text("Sit here").click()
        page.get_by_role("button", name="Ready", exact=True).click()
    man_with_bots(captain)
    captain.get_by_role("button", name="Dive", exact=True).click()
    captain.locator(".room main .chart").wait_for()
    captain.get_by_role("button", name="Talk to your crew").click()
    captain.get_by_role("textbox", name="Write to your crew").fill("Bad words")
    captain.get_by_role("button", name="Send").click()
    engineer.get_by_role("button", name="To your crew").tap()
    talk = engineer.locator(".talk")
    talk.get_by_text("Bad words").wait_for()
    talk.get_by_role("button", name="Report this line").tap()
    inspector = Inspector(engineer, shoot)
    inspector.look("report")
    assert not inspector.wrong, "\n".join(inspector.wrong)
    talk.get_by_role("button", name="Insult").tap()
    talk.get_by_text("Reported. Thank you.").wait_for()
    found = admin(server, "GET", f"reports?search={code}")["reports"]
    assert isinstance(found, list)
    (line,) = found[0]["report"]["lines"]
    assert (line["text"], found[0]["report"]["why"]) == ("Bad words", "insult")
    admin(server, "POST", f"tables/{code}/chat/remove", {"lines": [line["number"]]})
    for page in (captain, engineer):
        page.locator(".talk").get_by_text("Removed by the operator").wait_for()
        page.locator(".talk").get_by_text("Bad words").wait_for(state="detached")
    # The host has the same keys in a game.
    captain.get_by_role("button", name="Close").click()
    captain.get_by_role("button", name="Menu").click()
    keys = captain.locator(".menu .hostkeys")
    keys.get_by_role("button", name="Mute").click()
    engineer.get_by_role("textbox", name="Write to your crew").fill("Hello?")
    engineer.get_by_role("button", name="Send").tap()
    engineer.get_by_text("The host has muted you at this table.").wait_for()
    keys.get_by_role("button", name="Remove…").click()
    shoot(captain, "menu")
    keys.get_by_role("button", name="Remove for good").click()
    engineer.get_by_role("heading", name="The host has removed you from this table.").wait_for()


def test_a_restart_is_announced_on_every_screen(
    visitor: OpenPage, shoot: Shoot, server: RestartableServer
) -> None:
    page, phone = visitor(), visitor(size="phone", language="uk-UA")
    until(page, "() => !!localStorage['fathom.token']")
    try:
        wanted = {"restart_seconds": 599, "text": "New maps"}
        admin(server, "PUT", "announcement", wanted)
        page.get_by_text("The server restarts in 10 minutes. Your game is kept.").wait_for()
        page.get_by_text("New maps").wait_for()
        phone.get_by_text("Сервер перезапуститься за 10 хвилин.").wait_for()
        inspector = Inspector(phone, shoot)
        inspector.look("announcement")
        assert not inspector.wrong, "\n".join(inspector.wrong)
        page.get_by_role("complementary", name="Announcement").get_by_role(
            "button", name="Close"
        ).click()
        page.get_by_text("New maps").wait_for(state="detached")
    finally:
        admin(server, "DELETE", "announcement")
    phone.get_by_text("New maps").wait_for(state="detached")


def test_whoever_is_banned_is_told_why(
    visitor: OpenPage, shoot: Shoot, server: RestartableServer
) -> None:
    page = visitor()
    until(page, "() => !!localStorage['fathom.token']")
    who = page.evaluate(YOU)
    ban = admin(server, "POST", "bans", {"player": who, "reason": "Insults", "seconds": 86_400})
    page.get_by_role("heading", name="You are banned from this server.").wait_for()
    page.get_by_text("Reason: Insults").wait_for()
    shoot(page, "banned")
    page.reload()
    page.get_by_role("heading", name="You are banned from this server.").wait_for()
    admin(server, "DELETE", f"bans/{ban['id']}")
    page.reload()
    page.get_by_role("button", name="Gather a crew").wait_for()


def test_a_player_has_their_data_as_a_file_and_deletes_it(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor("/settings")
    until(page, "() => !!localStorage['fathom.token']")
    name = page.evaluate("() => localStorage['fathom.name']")
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download my data").click()
    data = json.loads(downloading.value.path().read_text())
    assert data["name"] == name
    page.get_by_role("button", name="Delete me…").click()
    forever = page.get_by_role("button", name="Delete for good")
    assert forever.is_disabled()
    page.get_by_role("textbox", name=f"Type “{name}” to confirm").fill(name)
    inspector = Inspector(page, shoot)
    inspector.look("delete")
    assert not inspector.wrong, "\n".join(inspector.wrong)
    forever.click()
    page.get_by_text("Deleted. You are a new player now.").wait_for()
    assert page.evaluate(YOU) != data["you"]
