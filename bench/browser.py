"""``make bench-browser``: how soon an order is on the screen, and how smoothly the sheet slides.

A real server, a real Chromium without a window, and a real game against the computer. A device is
made as slow as it says by Chromium itself, which lets the page compute only part of the time. What
the screen costs is drawn by the CPU here, too: no graphics card helps.
"""

import argparse
import json
import math
import tempfile
from bisect import bisect
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from statistics import quantiles
from time import monotonic
from typing import Any, Final, NamedTuple

from playwright.sync_api import Browser, CDPSession, Page

from bench.table import print_lines
from tests.e2e.browser import SIZES, browsing
from tests.e2e.hands import COURSE, PagePlayer, drag, until
from tests.e2e.harbour import RestartableServer, harbour
from tests.e2e.table import open_table

ECHO: Final = """
(() => {
  let input = 0, sent = null;
  window.echoes = 0;
  for (const kind of ["pointerdown", "click", "keydown"])
    addEventListener(kind, (event) => (input = event.timeStamp), true);
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(...to) {
      super(...to);
      this.addEventListener("message", ({ data }) => {
        if (sent === null || !data.startsWith('{"type":"told"')) return;
        const since = sent;
        sent = null;
        requestAnimationFrame(() => {
          performance.mark(`echo ${performance.now() - since}`);
          setTimeout(() => (window.echoes += 1));
        });
      });
    }
    send(data) {
      if (data.includes('"type":"order"')) sent ??= input;
      super.send(data);
    }
  };
})();
"""
"""Marks the first frame after the server's news, with the milliseconds since the press."""
TRACED: Final = ("devtools.timeline", "blink.user_timing")
WATCH: Final = """
() => {
  window.frames_at = [];
  const note = (now) => { frames_at.push(now); window.watching = requestAnimationFrame(note); };
  window.watching = requestAnimationFrame(note);
}
"""
SEEN: Final = "() => { cancelAnimationFrame(window.watching); return window.frames_at; }"
SETTINGS: Final[dict[str, object]] = {
    "rank": "lieutenant",
    "pace": "at-once",
    "house": {"radio_help": "computer", "leaving": "wait"},
}
PAPER: Final[dict[str, object]] = {**SETTINGS, "house": {"radio_help": "paper", "leaving": "wait"}}
LINES: Final = 40
"""On the sheet that is slid: as many as after a long hunt."""
SETTLED: Final = 0.5
"""Seconds after which a press was no order: looking for what is lit keeps the page busy."""
ECHO_MS: Final = 100
FRAMES: Final = 60
LATE_MS: Final = 1000 / FRAMES * 1.5
"""So long after the one before, a frame was left out."""


class Device(NamedTuple):
    """What somebody plays on."""

    name: str
    size: str
    slower: int
    """How many times slower than this machine."""


DEVICES: Final = (
    Device("desktop", "desktop", 1),
    Device("phone", "phone", 1),
    Device("phone, 4 times slower", "phone", 4),
)


class Echoes(NamedTuple):
    """Milliseconds from the press until its effect is on the screen."""

    device: Device
    times: list[float]

    def at(self, percent: int) -> float:
        """What so many stay under."""
        return quantiles(self.times, n=100, method="inclusive")[percent - 1]


class Slide(NamedTuple):
    """How the sheet slid."""

    device: Device
    gaps: list[float]
    """Milliseconds between frames."""
    work: float
    """Milliseconds that the page computed for each of them."""

    @property
    def rate(self) -> float:
        """Frames a second."""
        return 1000 * len(self.gaps) / sum(self.gaps)

    @property
    def late(self) -> float:
        """The part of the frames before which one was left out."""
        return sum(gap > LATE_MS for gap in self.gaps) / len(self.gaps)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.browser", description=__doc__)
    parser.add_argument("--orders", type=int, default=100, help="orders on each device")
    parser.add_argument("--seconds", type=float, default=4.0, help="of sliding on each device")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        harbour(Path(folder)) as server,
        browsing() as browser,
    ):
        echoes = [echo(browser, server, device, options.orders) for device in DEVICES]
        slides = [slide(browser, server, device, options.seconds) for device in DEVICES]
    print_echoes(echoes)
    print_slides(slides)


def print_echoes(echoes: list[Echoes]) -> None:
    print("From pressing until the first frame with the server's news is on the screen:\n")
    rows = [
        (
            *(one.device.name, str(len(one.times))),
            *(f"{one.at(percent):.0f}" for percent in (50, 90, 99)),
            f"{sum(time < ECHO_MS for time in one.times) / len(one.times):.0%}",
        )
        for one in echoes
    ]
    headings = ("device", "orders", "p50 ms", "p90 ms", "p99 ms", f"within {ECHO_MS} ms")
    print_lines([headings, *rows])


def print_slides(slides: list[Slide]) -> None:
    print(f"\nSliding a sheet with {LINES} lines on it:\n")
    rows = [
        (one.device.name, f"{one.rate:.1f}", f"{one.late:.1%}", f"{one.work:.1f}") for one in slides
    ]
    print_lines([("device", "frames/s", "late", "ms computing/frame"), *rows])
    print()
    for one in slides:
        kept = "kept" if one.rate > FRAMES - 1 else "NOT kept"
        print(f"{one.device.name}: {FRAMES} frames a second: {kept}.")


@contextmanager
def player(
    browser: Browser, server: RestartableServer, device: Device
) -> Iterator[tuple[Page, CDPSession]]:
    """Somebody on a device of their own, at home."""
    touch = device.size != "desktop"
    context = browser.new_context(
        viewport=SIZES[device.size], locale="en-GB", has_touch=touch, is_mobile=touch
    )
    context.add_init_script("localStorage['fathom.liked'] = '{\"muted\": true}'")
    context.add_init_script(ECHO)
    page = context.new_page()
    page.goto(server.at)
    session = context.new_cdp_session(page)
    yield page, session
    context.close()


def slow_down(session: CDPSession, device: Device) -> None:
    session.send("Emulation.setCPUThrottlingRate", {"rate": device.slower})


def echo(browser: Browser, server: RestartableServer, device: Device, orders: int) -> Echoes:
    """Play until so many orders have been on the screen."""
    times: list[float] = []
    with player(browser, server, device) as (page, session):
        for seed in range(orders):
            page.goto(server.at)
            open_table(page, SETTINGS, solo=True)
            hands = PagePlayer(page, seed, touch=device.size != "desktop")
            hands.press_until(1, *COURSE)
            already = count(page)
            slow_down(session, device)
            browser.start_tracing(page=page, categories=list(TRACED))
            while not hands.over and len(times) + count(page) - already < orders:
                before = count(page)
                hands.press(60)
                settle(page, before)
            times += presented(browser.stop_tracing())
            slow_down(session, device._replace(slower=1))
            if len(times) >= orders:
                break
    return Echoes(device, times)


def presented(trace: bytes) -> list[float]:
    """Milliseconds from each press until Chromium says that the frame with its echo was shown."""
    events = [event for event in json.loads(trace)["traceEvents"] if "ts" in event]
    frames = [event for event in events if event["name"] == "AnimationFrame"]
    ends = {event["id"]: event["ts"] for event in frames if event["ph"] == "f"}
    begun = sorted((event["ts"], event["id"]) for event in frames if event["ph"] == "s")
    times = []
    for event in events:
        if not event["name"].startswith("echo "):
            continue
        _, frame = begun[bisect(begun, (event["ts"],)) - 1]
        shown = ends.get(frame)
        if shown is not None:  # else the game was left before it was
            times.append(float(event["name"].split()[1]) + (shown - event["ts"]) / 1000)
    return times


def settle(page: Page, before: int) -> None:
    """Leave the page alone until it shows what the press brought about, if that was an order."""
    end = monotonic() + SETTLED
    while count(page) == before and monotonic() < end:
        page.wait_for_timeout(50)


def count(page: Page) -> int:
    found: int = page.evaluate("() => window.echoes")
    return found


def slide(browser: Browser, server: RestartableServer, device: Device, seconds: float) -> Slide:
    """Draw on the sheet, and slide it about."""
    with player(browser, server, device) as (page, session):
        open_table(page, PAPER, solo=True)
        PagePlayer(page, 7).press_until(2, *COURSE)
        page.locator(".posts, .tabs").get_by_role("button", name="Radio").click()
        box = page.locator(".sheets").bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.get_by_role("button", name="Pen").click()
        for number in range(LINES):
            turn = number * 2 * math.pi / LINES
            drag(page, [(x + r * math.cos(turn), y + r * math.sin(turn)) for r in (30, 60, 90)])
        until(page, f"() => document.querySelectorAll('.film .line').length >= {LINES}")
        page.get_by_role("button", name="Slide").click()
        slow_down(session, device)
        session.send("Performance.enable")
        page.mouse.move(x, y)
        page.mouse.down()
        before = computing(session)
        page.evaluate(WATCH)
        began = monotonic()
        while (now := monotonic() - began) < seconds:
            page.mouse.move(x + 60 * math.sin(3 * now), y + 40 * math.sin(5 * now))
        seen: list[float] = page.evaluate(SEEN)
        worked = computing(session) - before
        page.mouse.up()
    gaps = [after - before for before, after in pairwise(seen)]
    return Slide(device, gaps, 1000 * worked / max(1, len(gaps)))


def computing(session: CDPSession) -> float:
    """Seconds that the page's own thread has worked so far."""
    told: list[dict[str, Any]] = session.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in told if one["name"] == "TaskDuration"))


if __name__ == "__main__":
    main()
