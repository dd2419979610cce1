"""Screens stay on while a game runs, over HTTPS and over plain HTTP."""

from typing import Final

from playwright.sync_api import Browser, BrowserContext

from tests.e2e.browser import visit
from tests.e2e.conftest import FRIEND
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer
from tests.e2e.table import open_table

SETTINGS: Final[dict[str, object]] = {"rank": "cadet", "pace": "at-once"}
COUNTED: Final = """
async () => {
  const video = document.querySelector("video");
  if (!video) return null;
  const seen = await new Promise((done) =>
    new IntersectionObserver(([entry]) => done(entry.intersectionRatio)).observe(video));
  const { width, height } = video.getBoundingClientRect();
  return {
    visible: seen > 0.75,
    large: (width * height) / (innerWidth * innerHeight) > 0.2,
    decoded: video.videoWidth > 0,
    loops: video.loop,
    inTheWay: document.elementFromPoint(innerWidth / 2, innerHeight / 2) === video,
  };
}
"""
"""What Chromium looks at before it keeps a screen on for a video without sound."""
PLAYING: Final = "() => document.querySelector('video')?.currentTime > 0"
NOTE_LOCKS: Final = """
window.locks = [];
const request = WakeLock.prototype.request;
WakeLock.prototype.request = async function (kind) {
  const lock = await request.call(this, kind);
  window.locks.push(lock);
  return lock;
};
"""


def test_over_plain_http_a_video_that_chromium_counts_plays_behind_the_game(
    plain_http: BrowserContext, server: RestartableServer
) -> None:
    page = plain_http.new_page()
    page.goto(f"http://{FRIEND}:{server.port}/")
    assert page.evaluate("() => isSecureContext || 'wakeLock' in navigator") is False
    open_table(page, SETTINGS, solo=True)
    page.locator(".room.station main").wait_for()
    until(page, PLAYING)
    counted = {"visible": True, "large": True, "decoded": True, "loops": False, "inTheWay": False}
    assert page.evaluate(COUNTED) == counted
    page.go_back()
    until(page, "() => document.querySelector('video') === null")


def test_on_a_secure_origin_the_browser_holds_a_lock_and_there_is_no_video(
    browser: Browser, server: RestartableServer
) -> None:
    context = visit(browser, "phone")
    context.grant_permissions(["screen-wake-lock"])
    context.add_init_script(NOTE_LOCKS)
    page = context.new_page()
    page.goto(server.at)
    open_table(page, SETTINGS, solo=True)
    page.locator(".room.station main").wait_for()
    until(page, "() => window.locks.length > 0 && !window.locks.at(-1).released")
    assert page.locator("video").count() == 0
    context.close()
