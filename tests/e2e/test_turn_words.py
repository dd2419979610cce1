"""What the stations say of a turn and its systems is true at every moment of it."""

from typing import Final

from playwright.sync_api import Page

from fathom.engine import orders as give
from fathom.points import parse
from fathom.rules.setup import House
from fathom.server.wire import Settings
from fathom.words import Crew, System
from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.enemy import Enemy
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer

HOUSE: Final = House(radio_help="computer")
LIT: Final = "() => document.querySelector('.helm .lit') !== null"
UNLIT: Final = "() => document.querySelector('.helm .lit') === null"


def begin(page: Page, enemy: Enemy, start: str = "J10") -> None:
    page.locator(".boat").first.get_by_role("button", name="Take the whole boat").click()
    page.get_by_role("button", name="Ready", exact=True).click()
    enemy.start()
    page.locator(".room main .chart").first.wait_for()
    if enemy.offered(give.Place):
        enemy.give(give.Place(parse("A1")))
        page.locator(f'.cell[data-point="{start}"]').click()
        page.get_by_role("button", name="Start on").click()


def dive(page: Page, enemy: Enemy) -> None:
    page.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
    enemy.give(give.DIVE)
    until(page, LIT)


def our_course(page: Page, charged: str, kind: str) -> None:
    """North, with a box of this gauge and a symbol of this kind."""
    until(page, LIT)
    page.locator('.helm [data-heading="N"].lit').click()
    page.get_by_role("button", name=f"Charge {charged}").click()
    page.locator(f'.symbol.free:not(.hurts):has([href="#g-kind-{kind}"])').first.click()
    until(page, "() => document.querySelector('.symbol.free') === null")


def their_turn(page: Page, enemy: Enemy) -> None:
    enemy.until_offered(give.SetCourse)
    enemy.give(enemy.offered(give.SetCourse)[0])
    enemy.mark(System.TORPEDO, 0)
    enemy.give(give.END_TURN)
    until(page, LIT)


def end_turn(page: Page) -> None:
    page.locator(".steer .aside .key.lit", has_text="End turn").click()
    until(page, UNLIT)


def row(page: Page, system: str) -> str:
    return page.locator("main .rows li", has_text=system).inner_text().replace("\n", " ")


def test_a_full_gauge_is_full_in_either_turn(server: RestartableServer, visitor: OpenPage) -> None:
    with Enemy(server.at, Settings(house=HOUSE, first=Crew.A)) as enemy:
        page = visitor(f"/t/{enemy.table}", "laptop")
        begin(page, enemy)
        # Once the boat is placed, nobody is told to place it.
        page.locator(".helm", has_text="dive first").wait_for()
        dive(page, enemy)
        for kind in ("green", "yellow"):
            our_course(page, "Mine", kind)
            # The lit steps, the order line and the captain's badge agree.
            steps = page.locator(".watch .now").all_inner_texts()
            ready = page.locator("[data-does=use]").count() > 0
            assert [step.split()[-1] for step in steps] == (["system"] if ready else []) + ["turn"]
            assert "end the turn" in page.locator(".order h1").inner_text().lower()
            assert page.locator('.posts .post:has([href="#g-captain"]) .badge').count() == 1
            end_turn(page)
            if "Full" in row(page, "Mine"):
                assert "in your turn" in row(page, "Mine")
            their_turn(page, enemy)
        assert "Full" in row(page, "Mine")
        assert "after your course" in row(page, "Mine")
        page.locator('.helm [data-heading="N"].lit').click()
        page.locator("[data-does=charge]").first.wait_for()
        assert "after the marks" in row(page, "Mine")
        assert page.locator(".watch .done").count() == 1


def test_a_broken_system_of_the_second_edition_asks_first(
    server: RestartableServer, visitor: OpenPage, shoot: Shoot
) -> None:
    settings = Settings(house=HOUSE, rulebook="captain-sonar-2", first=Crew.A)
    with Enemy(server.at, settings) as enemy:
        page = visitor(f"/t/{enemy.table}", "laptop")
        begin(page, enemy)
        dive(page, enemy)
        our_course(page, "Mine", "red")
        end_turn(page)
        their_turn(page, enemy)
        our_course(page, "Mine", "green")
        mine = page.locator("main .rows li.fails", has_text="Mine")
        mine.wait_for()
        shoot(page, "broken")
        assert "costs a radiation symbol" in row(page, "Mine")
        assert page.locator("[data-does=use]").count() == 0
        mine.locator("button").click()
        assert page.locator(".aim").count() == 0
        shoot(page, "asked")
        order = page.locator(".order").inner_text()
        assert "Ready" not in order, order
        mine.get_by_role("button", name="Use anyway").click()
        # It failed: a radiation symbol is due. The turn may end by that.
        until(page, "() => document.querySelector('.symbol.free') !== null")
        # Where to lay it was never asked, and no system is promised for after the mark.
        assert page.locator(".aim").count() == 0
        assert page.locator("main .rows li", has_text="after the marks").count() == 0
        page.locator(".symbol.free:not(.hurts)").first.click()
        until(page, "() => document.querySelector('.symbol.free') === null")
        if page.locator(".steer .aside .key.lit", has_text="End turn").count():
            end_turn(page)
        their_turn(page, enemy)
        # A new turn: nothing of it is done yet.
        assert page.locator(".watch .done").count() == 0
        assert page.locator(".watch .now").inner_text().endswith("Course")


def test_a_given_start_is_not_offered_for_a_change(
    server: RestartableServer, visitor: OpenPage
) -> None:
    """Archipelago names the starts."""
    with Enemy(server.at, Settings(house=HOUSE, rulebook="sonar")) as enemy:
        page = visitor(f"/t/{enemy.table}", "laptop")
        begin(page, enemy)
        page.locator(".order p", has_text="The chart gives every boat its start").wait_for()
        assert page.get_by_role("button", name="Another start").count() == 0
        assert page.locator(".bar .hull").first.locator(".section").count() == 2
