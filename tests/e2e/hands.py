"""Hands that press what is lit, as somebody would who has never read the rules."""

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from time import monotonic, time
from typing import Any, Final, TypeAlias

from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as TooSlow

from tests.e2e.eyes import LOOK

PATIENCE: Final = 60.0
"""Seconds that a thing may take which has to come."""

COVERED: Final = 10.0
COURSE: Final = ("sail", "helm")
"""A course is set on the chart or at the helm, at the helm every third time."""
SUNK: Final = ("You won.", "You were sunk.", "A draw.")
"""The verdicts when a submarine went down; both may go down in one blast."""


def until(page: Page, holds: str, argument: object = None, seconds: float = PATIENCE) -> None:
    """Wait for a state of the page. (Playwright's own way needs eval, which the page forbids.)"""
    end = monotonic() + seconds
    while not page.evaluate(holds, argument):
        assert monotonic() < end, f"in {seconds:.0f} seconds it never held that {holds}"
        page.wait_for_timeout(20)


PagePath: TypeAlias = Sequence[tuple[float, float]]


def drag(page: Page, path: PagePath) -> None:
    """Draw on the screen with the mouse."""
    page.mouse.move(*path[0])
    page.mouse.down()
    for x, y in path[1:]:
        page.mouse.move(x, y)
    page.mouse.up()


def swipe(page: Page, path: PagePath) -> None:
    """Draw on the screen with a finger."""
    device = page.context.new_cdp_session(page)
    began = time()

    def touch(event: str, places: PagePath, step: int) -> None:
        points = [{"x": x, "y": y} for x, y in places]
        # A finger's own pace, however busy the machine is.
        told = {"type": event, "touchPoints": points, "timestamp": began + 0.015 * step}
        device.send("Input.dispatchTouchEvent", told)

    touch("touchStart", path[:1], 0)
    for step, place in enumerate(path[1:]):
        touch("touchMove", [place], step + 1)
    touch("touchEnd", [], len(path))
    device.detach()


class PagePlayer:
    """Somebody at one page."""

    def __init__(self, page: Page, seed: int, *, bold: float = 0.2, touch: bool = False) -> None:
        self.page, self.dice = page, Random(seed)
        self.bold = bold
        """How often a system is used that could be."""
        self.touch = touch
        self.spare = False
        """Whether what is charged is kept until the next course: it would strike nobody."""
        self.presses: list[str] = []

    @property
    def over(self) -> bool:
        """Whether the game's end is on the screen."""
        return self.presses[-1:] == ["over"]

    def press(self, patience: float = 0.0) -> str | None:
        """Press one thing that is lit, if anything is within so many seconds; what kind it was."""
        end = monotonic() + patience
        while (found := self.look(end)) and found["covered"]:
            # A caption may lie over what is lit, for a moment; nothing may for long.
            assert monotonic() < end + COVERED, f"what is lit is covered by {found['covered']}"
            self.page.wait_for_timeout(50)
        if not found:
            return None
        kind: str = found["kind"]
        if kind == "trace":
            self.trace(found["band"])
        elif kind != "over":
            self.hit(found["x"], found["y"])
        self.spare = kind == "keep" or (self.spare and kind not in COURSE)
        self.presses.append(kind)
        return kind

    def look(self, end: float) -> dict[str, Any] | None:
        """What to press next, and where it is."""
        bold = self.dice.random() < self.bold
        helm = sum(kind in COURSE for kind in self.presses) % 3 == 1
        patience = max(0.0, 1000 * (end - monotonic()))
        seen: dict[str, Any] | None = self.page.evaluate(
            LOOK, [bold, self.spare, helm, self.dice.random(), patience]
        )
        return seen

    def press_until(self, enough: int, *kinds: str) -> None:
        """Press what is lit until so many things of these kinds were pressed."""
        while sum(kind in kinds for kind in self.presses) < enough and not self.over:
            assert self.press(PATIENCE), f"for {PATIENCE:.0f} seconds nothing was lit"

    def hit(self, x: float, y: float) -> None:
        """Press a place on the screen with a finger or with the mouse."""
        if self.touch:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def trace(self, band: list[tuple[float, float]]) -> None:
        """Go round one section of the hull with the mouse or a finger, and sign it."""
        if self.touch:
            swipe(self.page, band)
        else:
            drag(self.page, band)
        # A stop may take the screen, and the stroke with it; then it is drawn again.
        with suppress(TooSlow):
            self.page.click(".acts .key.lit", timeout=5000)

    def play_on(self, most: int = 1500) -> None:
        """Press what is lit until the game is over."""
        while not self.over:
            assert self.press(PATIENCE), f"for {PATIENCE:.0f} seconds nothing was lit"
            assert len(self.presses) < most, "the game does not end"
