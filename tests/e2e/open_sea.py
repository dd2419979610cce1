"""A duel on the open sea, turn by turn: the page as crew a, an enemy that does what it is told."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Literal, TypeAlias

from msgspec.structs import replace
from playwright.sync_api import Page

from fathom.engine import orders as give
from fathom.points import parse
from fathom.rules.setup import House
from fathom.server.wire import Settings
from fathom.words import Crew, Heading, System
from tests.e2e.enemy import Enemy
from tests.e2e.hands import until
from tests.e2e.harbour import RestartableServer

Help: TypeAlias = Literal["paper", "tape", "computer"]
OPEN_SEA: Final = "title: Open sea\n\n" + "..........\n" * 10
OUR_START, THEIR_START = "G6", "B3"
OUR_COURSES, THEIR_COURSES = "NNN", "EES"
"""Then we are on G3, and they on D4 with a torpedo ready."""
BESIDE_US, FAR_FROM_US = "F4", "D8"

ORDERS: Final = """
() => {
  globalThis.ordered = [];
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (text) {
    const { type, order } = JSON.parse(text);
    if (type === "order") globalThis.ordered.push(order.order);
    send.call(this, text);
  };
}
"""
"""Notes every order that the page gives from now on."""


def settings(help_: Help = "tape", *, sudden_death: bool = False) -> Settings:
    usual = Settings(
        chart_text=OPEN_SEA, first=Crew.A, house=House(radio_help=help_, leaving="wait")
    )
    if not sudden_death:
        return usual
    return replace(usual, rulebook="captain-sonar-2", goal="sudden-death")


@contextmanager
def a_duel(
    page: Page, server: RestartableServer, help_: Help = "tape", *, sudden_death: bool = False
) -> Iterator[Enemy]:
    """The page as crew a, under way against an enemy that does what it is told."""
    with Enemy(server.at, settings(help_, sudden_death=sudden_death)) as enemy:
        page.goto(f"{server.at}/t/{enemy.table}")
        page.locator(".boat").first.get_by_role("button", name="Take the whole boat").click()
        page.get_by_role("button", name="Ready", exact=True).click()
        enemy.start()
        enemy.give(give.Place(parse(THEIR_START)))
        page.locator(f'.cell[data-point="{OUR_START}"]').click()
        page.get_by_role("button", name="Start on").click()
        page.locator(".steer").get_by_role("button", name="Dive", exact=True).click()
        enemy.give(give.DIVE)
        yield enemy


def our_turn(page: Page, heading: str) -> None:
    """A course, both marks, and the turn's end, each on the screen."""
    until(page, "() => document.querySelector('.helm .lit') !== null")
    page.locator(f'.helm [data-heading="{heading}"].lit').click()
    page.locator("[data-does=charge]").first.click()
    until(page, "() => document.querySelector('[data-does=charge]') === null")
    page.locator(".symbol.free:not(.hurts)").first.click()
    until(page, "() => document.querySelector('.symbol.free') === null")
    page.locator(".steer .key.lit", has_text="End turn").click()


def sail(page: Page, enemy: Enemy) -> None:
    """Both sail until the enemy could fire."""
    for ours, theirs in zip(OUR_COURSES, THEIR_COURSES, strict=True):
        our_turn(page, ours)
        enemy.sail(Heading(theirs), System.TORPEDO, 0)
        if theirs != THEIR_COURSES[-1]:
            enemy.give(give.END_TURN)
