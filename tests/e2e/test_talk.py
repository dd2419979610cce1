"""A crew talks: at every station the last lines with name and post, a badge, a soft sound."""

from typing import Final

from playwright.sync_api import Page

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.table import open_table
from tests.e2e.test_accessibility import Inspector

SETTINGS: Final[dict[str, object]] = {
    "pace": "at-once",
    "house": {"radio_help": "computer", "leaving": "wait"},
}
LISTEN: Final = """
localStorage["fathom.liked"] = JSON.stringify({ theme: "night", muted: false });
globalThis.pitches = [];
const { setValueAtTime } = AudioParam.prototype;
AudioParam.prototype.setValueAtTime = function (value, when) {
  globalThis.pitches.push(value);
  return setValueAtTime.call(this, value, when);
};
"""
"""The page notes the pitches that it plays."""
TALK: Final = 392
"""The first pitch of the sound for a line of talk."""


FEWER: Final = "(n) => document.querySelectorAll('.boat li .key.lit').length < n"


def test_a_crew_talks_from_post_to_post(visitor: OpenPage, shoot: Shoot) -> None:
    captain, engineer = visitor(), visitor(size="phone")
    open_table(captain, SETTINGS)
    engineer.context.add_init_script(LISTEN)
    engineer.goto(captain.url)
    names = []
    for page, post in ((captain, 0), (engineer, 2)):
        berth = page.locator(".boat").first.locator("li").nth(post)
        berth.get_by_text("Sit here").click()
        names.append(berth.locator("b span").inner_text())
        page.get_by_role("button", name="Ready", exact=True).click()
    man_with_bots(captain)
    captain.get_by_role("button", name="Dive", exact=True).click()
    captain.locator(".room main .chart").wait_for()
    engineer.locator(".room main .sheet").wait_for()

    # One touch, and the captain writes; the engineer's phone has a badge and plays a soft sound.
    captain.get_by_role("button", name="Talk to your crew").click()
    captain.get_by_role("textbox", name="Write to your crew").fill("All aboard?")
    captain.get_by_role("button", name="Send").click()
    badge = engineer.locator(".log-tool .badge")
    badge.wait_for()
    assert int(badge.inner_text()) > 0
    until(engineer, "(pitch) => globalThis.pitches.includes(pitch)", TALK)
    said = engineer.get_by_role("log", name="To your crew")
    said.get_by_text(f"{names[0]}, Captain: All aboard?").wait_for(state="attached")
    shoot(engineer, "badge")

    # One touch opens the talk, the badge goes, and the answer is on the captain's screen at once.
    engineer.get_by_role("button", name="To your crew").tap()
    talk = engineer.locator(".talk")
    talk.get_by_text("All aboard?").wait_for()
    badge.wait_for(state="detached")
    talk.get_by_role("button", name="Yes", exact=True).tap()
    inspector = Inspector(engineer, shoot)
    inspector.look("talk")
    assert not inspector.wrong, "\n".join(inspector.wrong)
    captain.get_by_role("button", name="Close").click()
    lines = captain.locator(".crew-lines:visible li")
    lines.get_by_text(f"{names[1]}, Engineer: Yes").wait_for()

    # A bot speaks by its post.
    captain.get_by_role("button", name="Talk to your crew").click()
    captain.get_by_role("button", name="Where are they?").click()
    captain.locator(".talk li", has_text="Radio:").first.wait_for()
    shoot(captain, "bots")
    for station in ("First mate", "Engineer", "Radio", "Captain"):
        captain.keyboard.press("Escape")
        captain.locator(".posts").get_by_role("button", name=station).click()
        assert captain.locator(".crew-lines:visible").count() == 1, station


def man_with_bots(page: Page) -> None:
    """A bot on every post that is free, so that the crews are even."""
    free = page.get_by_role("button", name="Sit here")
    while left := free.count():
        page.get_by_text("or a bot").first.click()
        page.locator(".ranks button.usual").click()
        until(page, FEWER, left)
