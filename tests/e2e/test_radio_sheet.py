"""The radio operator's transparent sheet, drawn on a phone with fingers, on paper."""

from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Page

from fathom.engine import orders as give
from fathom.words import Heading, System
from tests.e2e.browser import SIZES
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import PagePath, until
from tests.e2e.harbour import RestartableServer
from tests.e2e.layout import faults, resize
from tests.e2e.open_sea import Help, a_duel, our_turn
from tests.e2e.test_stations_fit import GO

SHEET: Final = """
() => {
  const film = document.querySelector(".sheets .film");
  const marks = [...film.querySelectorAll("circle[r='6']")].length;
  return {
    lines: [...film.querySelectorAll("path.line")].map((one) => one.getAttribute("d")),
    start: marks,
    lies: document.querySelector(".sheets").ariaLabel,
  };
}
"""
"""What is drawn on the sheet in use, and how far it is slid."""
UPRIGHT: Final = "Transparent sheet, slid 0 east and 0 south"


def test_courses_are_drawn_undone_erased_slid_and_begun_again(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot
) -> None:
    page = visitor(size="phone")
    with a_duel(page, server, "paper") as enemy:
        page.set_viewport_size({"width": 390, "height": 664})
        page.locator(".tabs").get_by_role("button", name="Radio").tap()
        assert sheet(page) == ([], 1, UPRIGHT)

        # Four courses pressed faster than the server answers: each begins where the last one ends.
        for heading in ("North", "North", "East", "South"):
            page.get_by_role("button", name=f"Draw: {heading}").tap()
        drawn(page, 4)
        lines, _, _ = sheet(page)
        ends = [line.replace("M", "").split("L") for line in lines]
        assert all(one[1] == other[0] for one, other in pairwise(ends))
        shoot(page, "drawn")

        # The slide tool moves the sheet; the pad draws all the same.
        page.get_by_role("button", name="Slide", exact=True).tap()
        page.get_by_role("button", name="Draw: East").tap()
        drawn(page, 5)
        for left in (4, 3):
            page.get_by_role("button", name="Undo").tap()
            drawn(page, left)

        # Two fingers slide it, even with the pen in hand.
        page.get_by_role("button", name="Pen", exact=True).tap()
        lies(page, UPRIGHT)
        slide_with_two_fingers(page, 2, 1)
        lies(page, "Transparent sheet, slid 2 east and 1 south")
        drawn(page, 3)
        shoot(page, "slid")

        # What was told in pieces is what is told whole to a page that comes back.
        before = sheet(page)
        page.reload()
        page.locator(".tabs").get_by_role("button", name="Radio").tap()
        drawn(page, 3)
        assert sheet(page) == before

        # The eraser takes what is nearest: the last line, from near its own end.
        page.get_by_role("button", name="Eraser", exact=True).tap()
        x, y = spot(page, ends[2][1])
        page.touchscreen.tap(x, y - 1)
        drawn(page, 2)
        assert sheet(page)[0] == lines[:2]

        # Undo brings back what the eraser took, and then takes what was drawn last.
        page.get_by_role("button", name="Undo").tap()
        drawn(page, 3)
        assert sheet(page)[0] == lines[:3]
        page.get_by_role("button", name="Undo").tap()
        drawn(page, 2)

        # Beginning again leaves the mark in the middle (start.radio), and undo leaves it, too.
        page.get_by_role("button", name="Start again").tap()
        page.get_by_role("button", name="Yes, wipe all").tap()
        drawn(page, 0)
        assert sheet(page) == ([], 1, UPRIGHT)
        page.get_by_role("button", name="Undo").tap()
        page.get_by_role("button", name="Draw: West").tap()
        drawn(page, 1)
        assert sheet(page)[1] == 1
        assert enemy.game


def test_a_course_is_heard_once_and_the_arrow_keys_slide(
    visitor: OpenPage, server: RestartableServer
) -> None:
    page = visitor()
    with a_duel(page, server, "paper") as enemy:
        our_turn(page, "N")
        page.locator(".posts").get_by_role("button", name="Radio").click()
        enemy.sail(Heading.E, System.TORPEDO, 0)
        page.locator(".now").get_by_text("East").wait_for()
        page.keyboard.press("Shift+ArrowRight")
        drawn(page, 1)
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowLeft")
        lies(page, "Transparent sheet, slid -1 east and -1 south")
        enemy.give(give.END_TURN)
        # Six seconds later nobody has it in writing.
        page.locator(".now").get_by_text("Listening").wait_for()
        assert page.locator(".tape:visible").get_by_text("Other boat East").count() == 0


@pytest.mark.parametrize("help_", ["paper", "tape", "computer"])
def test_the_radio_fits_every_page(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot, help_: Help
) -> None:
    page = visitor()
    with a_duel(page, server, help_) as enemy:
        our_turn(page, "N")
        enemy.sail(Heading.E, System.TORPEDO, 0)
        wrong = looks(page, shoot, help_)
        if help_ == "computer":
            page.get_by_role("button", name="Take the sheet").click()
            wrong += looks(page, shoot, f"{help_}-sheet")
        page.get_by_role("button", name="Mark, Cross").click()
        wrong += looks(page, shoot, f"{help_}-marks")
        assert not wrong, "\n".join(wrong)


def looks(page: Page, shoot: Shoot, moment: str) -> list[str]:
    """What is wrong with the radio at any page size."""
    found: list[str] = []
    for size in SIZES:
        resize(page, size)
        page.evaluate(GO, "radio-operator")
        wrong = faults(page)
        shoot(page, f"{moment}-{size}")
        found += [f"{moment}, {size}: {one}" for one in wrong]
    resize(page, "desktop")
    return found


def sheet(page: Page) -> tuple[list[str], int, str]:
    seen = page.evaluate(SHEET)
    return seen["lines"], seen["start"], seen["lies"]


def drawn(page: Page, count: int) -> None:
    """So many lines are on the sheet, and every order for it is answered."""
    until(
        page,
        "(count) => document.querySelectorAll('.film path.line').length === count"
        " && !document.querySelector('[data-sending]')",
        count,
    )


def lies(page: Page, label: str) -> None:
    until(page, "(label) => document.querySelector('.sheets')?.ariaLabel === label", label)


def spot(page: Page, place: str) -> tuple[float, float]:
    """Where a place of the drawing is on the screen."""
    x, y = map(float, place.split())
    found: list[float] = page.locator(".film").evaluate(
        "(film, [x, y]) => { const at = new DOMPoint(x, y).matrixTransform(film.getScreenCTM());"
        " return [at.x, at.y]; }",
        [x, y],
    )
    return found[0], found[1]


def slide_with_two_fingers(page: Page, east: int, south: int) -> None:
    """Put two fingers on the sheet and move it by so many points."""
    box = page.locator(".cell[data-point='C3']").bounding_box()
    assert box is not None
    device = page.context.new_cdp_session(page)

    def touch(event: str, places: PagePath) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        device.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": points})

    step = box["width"]
    fingers = [(box["x"], box["y"]), (box["x"] + 3 * step, box["y"] + step)]
    touch("touchStart", fingers[:1])
    touch("touchStart", fingers)
    half, whole = (
        [(x + part * east * step, y + part * south * step) for x, y in fingers]
        for part in (0.5, 1.0)
    )
    touch("touchMove", half)
    touch("touchMove", whole)
    touch("touchEnd", whole[:1])
    touch("touchEnd", [])
    device.detach()
