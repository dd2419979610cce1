"""What a page receives: never where the enemy is. (The server's own tests do this in full.)"""

import json
from collections.abc import Iterator
from typing import Any, Final

from playwright.sync_api import Page, WebSocket

from tests.e2e.conftest import Visitor
from tests.e2e.hands import COURSE, Hands
from tests.e2e.table import open_table

SETTINGS: Final[dict[str, object]] = {"house": {"radio_help": "tape", "leaving": "wait"}}
ABOARD: Final = {"placed", "ran-silent", "gauge-charged", "symbol-crossed", "mine-laid"}
"""What a crew does that no other crew may be told of in so many words."""


class Frames(list[dict[str, Any]]):
    """Everything that came over a page's sockets."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        page.on("websocket", self.listen)

    def listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.append(json.loads(frame)))

    def found(self, field: str) -> Iterator[Any]:
        """All values of a field, however deep."""
        for frame in self:
            yield from found(frame, field)


def found(thing: object, field: str) -> Iterator[Any]:
    """All values of a field within something that came as JSON."""
    if isinstance(thing, dict):
        if field in thing:
            yield thing[field]
        for value in thing.values():
            yield from found(value, field)
    elif isinstance(thing, list):
        for value in thing:
            yield from found(value, field)


def own_places(frames: Frames) -> set[str]:
    """Where the boat is or was, for everyone who sees its captain's sheet."""
    helms = [helm for helm in frames.found("helm") if isinstance(helm, dict)]
    return {at for helm in helms for at in (helm["at"], *helm["route"]) if at}


def test_no_page_hears_where_the_enemy_is(visitor: Visitor) -> None:
    pages = [visitor(), visitor()]
    heard = [Frames(page) for page in pages]
    code = open_table(pages[0], SETTINGS)
    pages[1].goto(pages[0].url)
    for number, page in enumerate(pages):
        page.locator(".boat").nth(number).get_by_role("button", name="Take the whole boat").click()
        page.locator(".boat .you").first.wait_for()
    for page in reversed(pages):
        page.get_by_role("button", name="Ready", exact=True).click()
    pages[0].get_by_role("button", name="Dive", exact=True).click()
    assert code in pages[1].url

    # Both start in a corner that the other one never comes near.
    for page, corner in zip(pages, ("A1", "J10"), strict=True):
        page.locator(f'.cell[data-point="{corner}"]').click()
        page.get_by_role("button", name="Start on").click()
    hands = [Hands(page, 20 + number, bold=0.0) for number, page in enumerate(pages)]
    for crew in hands:
        crew.spare = True
    while min(sum(kind in COURSE for kind in crew.presses) for crew in hands) < 4:
        for crew in hands:
            crew.press()
            crew.spare = True

    ours, theirs = own_places(heard[0]), own_places(heard[1])
    assert {"A1"} <= ours
    assert {"J10"} <= theirs
    assert len(ours) >= 4
    assert not ours & theirs
    for frames, enemy in zip(heard, "ba", strict=True):
        assert not list(frames.found("boats"))
        events = [event for heard in frames.found("events") for event in heard]
        assert [event for event in events if event.get("crew") == enemy]
        assert not [e for e in events if e.get("crew") == enemy and e["event"] in ABOARD]
