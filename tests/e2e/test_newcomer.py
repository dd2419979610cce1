"""Somebody who has never seen the game comes to the home page and plays it to the end."""

import pytest

from tests.e2e.conftest import OpenPage, Shoot
from tests.e2e.hands import SUNK, PagePlayer
from tests.e2e.table import BOOKS, agree, dive, gather, take_boat


def test_play_now_is_a_whole_game(visitor: OpenPage, shoot: Shoot) -> None:
    page = visitor()
    shoot(page, "home")
    page.get_by_role("button", name="Play now").click()
    play_to_the_end(PagePlayer(page, 1), shoot)


@pytest.mark.parametrize("book", [book for book in BOOKS if book != "captain-sonar"])
def test_a_whole_game_by_another_book(visitor: OpenPage, shoot: Shoot, book: str) -> None:
    page = visitor()
    gather(page)
    agree(page, "Rulebook", BOOKS[book])
    agree(page, "Bots", "Cadet")
    agree(page, "Radio help", "Computer")
    agree(page, "Bots think", "At once")
    take_boat(page)
    shoot(page, "table")
    dive(page)
    play_to_the_end(PagePlayer(page, 2), shoot, aims=book != "sonar")


def play_to_the_end(newcomer: PagePlayer, shoot: Shoot, *, aims: bool = True) -> None:
    """Through a turn with its pictures, and on until a submarine is sunk.

    In the family game the start is not aimed at, and who has bad luck is sunk before aiming at all.
    """
    page = newcomer.page
    pictured = {"sail", "symbol", "aim", "system"}
    while not newcomer.over:
        kind = newcomer.press(60)
        assert kind, "nothing was lit for a minute"
        if kind in pictured:
            pictured.remove(kind)
            shoot(page, f"after-{kind}")
        assert len(newcomer.presses) < 1500
    page.locator(".turns a").first.wait_for()
    shoot(page, "end")
    assert page.locator(".verdict h1").inner_text() in SUNK
    assert {"sail", "helm", *(("aim", "confirm") if aims else ())} <= set(newcomer.presses)
