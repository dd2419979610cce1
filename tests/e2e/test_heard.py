"""What the enemy does is put into words, turn by turn, in a real browser against a known enemy."""

from typing import Final

import pytest

from fathom.engine import orders as give
from fathom.points import parse
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer
from tests.e2e.open_sea import BESIDE_US, FAR_FROM_US, ORDERS, a_duel, sail
from tests.e2e.test_accessibility import Inspector

HURRIED: Final = """
localStorage["fathom.liked"] = JSON.stringify({ muted: true, outcomesWait: false });
"""
SPEECH: Final = """
globalThis.spoken = [];
speechSynthesis.cancel = () => globalThis.spoken.push("cut");
speechSynthesis.speak = ({ text }) => globalThis.spoken.push(text);
localStorage["fathom.liked"] = JSON.stringify({ theme: "night", muted: true, speech: true });
"""
"""The page speaks to a list, where "cut" is what cuts off whatever is still being spoken."""


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_a_hit_is_told_in_words_and_nothing_is_pressed_through_it(
    visitor: OpenPage, server: RestartableServer, shoot: Shoot, size: str
) -> None:
    page = visitor(size=size)
    with a_duel(page, server) as enemy:
        if size == "phone":
            page.set_viewport_size({"width": 1440, "height": 900})
        sail(page, enemy)
        page.evaluate(ORDERS)
        if size == "phone":
            page.set_viewport_size({"width": 390, "height": 664})
        caption = page.locator(".caption")
        caption.get_by_text("Other boat: South").wait_for()
        enemy.give(give.FireTorpedo(parse(BESIDE_US)))
        porthole = page.get_by_role("alertdialog")
        porthole.get_by_role("heading", name=f"Torpedo on {BESIDE_US}").wait_for()
        told = f"Explosion on {BESIDE_US}. Indirect hit on us: 1 damage"
        porthole.get_by_text(told).wait_for()
        inspector = Inspector(page, shoot)
        inspector.look("porthole")
        assert not inspector.wrong, "\n".join(inspector.wrong)
        # It is our turn now, and a hurried hand steers and clicks where a key is.
        until(page, "() => /Set a course/.test(document.querySelector('#order-line').innerText)")
        for key in ("ArrowUp", "ArrowLeft", "1"):
            page.keyboard.press(key)
        where = page.locator('.helm [data-heading="W"]').first.bounding_box()
        assert where is not None
        page.mouse.dblclick(where["x"] + where["width"] / 2, where["y"] + where["height"] / 2)
        porthole.wait_for(state="detached")
        assert page.evaluate("() => globalThis.ordered") == []
        tape = page.locator(".tape:visible li")
        if size == "desktop":
            assert told in tape.first.inner_text()
            assert "Other boat" in tape.nth(1).inner_text()
        else:
            caption.get_by_text(told).wait_for()
        log = page.get_by_role("log", name="Said aloud").locator("p")
        assert log.all_inner_texts()[-3:] == [
            "Other boat: South",
            f"Other boat: Torpedo on {BESIDE_US}",
            told,
        ]


def test_space_goes_on_and_steers_nothing(visitor: OpenPage, server: RestartableServer) -> None:
    page = visitor()
    with a_duel(page, server) as enemy:
        sail(page, enemy)
        page.evaluate(ORDERS)
        enemy.give(give.FireTorpedo(parse(FAR_FROM_US)))
        porthole = page.get_by_role("alertdialog")
        porthole.get_by_text(f"Explosion on {FAR_FROM_US}. Miss").wait_for()
        page.keyboard.press("Space")
        porthole.wait_for(state="detached")
        assert page.evaluate("() => globalThis.ordered") == []


def test_it_goes_by_itself_for_those_who_want_that(
    visitor: OpenPage, server: RestartableServer
) -> None:
    page = visitor()
    page.context.add_init_script(HURRIED)
    with a_duel(page, server) as enemy:
        sail(page, enemy)
        page.evaluate(ORDERS)
        enemy.give(give.FireTorpedo(parse(FAR_FROM_US)))
        porthole = page.get_by_role("alertdialog")
        porthole.wait_for()
        porthole.wait_for(state="detached")
        page.locator(".tape").get_by_text(f"Explosion on {FAR_FROM_US}. Miss").first.wait_for()
        assert page.evaluate("() => globalThis.ordered") == []


def test_speech_says_the_enemys_courses_and_stops_the_newest_first(
    visitor: OpenPage, server: RestartableServer
) -> None:
    page = visitor()
    page.context.add_init_script(SPEECH)
    with a_duel(page, server) as enemy:
        sail(page, enemy)
        enemy.give(give.FireTorpedo(parse(BESIDE_US)))
        page.get_by_role("alertdialog").wait_for()
        shot = f"Torpedo on {BESIDE_US}. Explosion on {BESIDE_US}. Indirect hit on us: 1 damage"
        spoken = page.evaluate("() => globalThis.spoken")
        assert spoken == ["cut", "East", "cut", "East", "cut", "South", "cut", shot]


def test_no_two_symbols_have_the_same_name(visitor: OpenPage, server: RestartableServer) -> None:
    page = visitor()
    with a_duel(page, server):
        page.locator(".posts").get_by_role("button", name="Engineer").click()
        names = page.locator(".symbol:visible").evaluate_all("(all) => all.map((o) => o.ariaLabel)")
        assert len(names) == 24
        assert len(set(names)) == 24
        assert "West panel, place 1: weapons, circuit 1, not now" in names
