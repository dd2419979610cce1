"""Clients that fold what they are told see what the engine shows."""

from typing import Any

import msgspec
import pytest

from fathom.client import Seen
from fathom.server.wire import NEWS, Told
from tests.server.folds import FILE, Fold, all_folds, digest, plain, written

FOLDS = [
    pytest.param(fold, id=f"{game}-{place}")
    for game, folds in all_folds().items()
    for place, fold in folds.items()
]


def test_the_browsers_fixtures_are_up_to_date() -> None:
    if not FILE.parent.exists():
        pytest.skip("there is no web client here")
    assert FILE.read_text("utf-8") == written(), "run: python -m tests.server.folds"


@pytest.mark.parametrize("fold", FOLDS)
def test_the_client_arrives_at_the_engines_view(fold: Fold) -> None:
    seen = Seen(None)  # type: ignore[arg-type]  # It folds without it.
    for number, (told, after) in enumerate(zip(fold.told, fold.after, strict=True)):
        seen.take(message(told))
        # It does not follow both boats, as a screen for spectators does.
        if "boats" not in told:
            assert digest(shown(seen)) == after, (number, told)
    assert shown(seen) == {name: sheet for name, sheet in fold.view.items() if name != "boats"}


def test_radio_operators_do_everything_in_them() -> None:
    """Else the fixtures would hold nothing together."""
    news = [
        told["view"]["radio"]
        for game in all_folds().values()
        for fold in game.values()
        for told in fold.told
        if "radio" in told["view"] and "whole" not in told
    ]
    for field in ("films", "x", "y", "rubbed", "items", "tape", "locked"):
        assert sum(field in one for one in news) > 3, field


def message(told: dict[str, Any]) -> Told:
    news = NEWS.decode(msgspec.json.encode({"type": "told", "game": "abcdefgh", **told}))
    assert isinstance(news, Told)
    return news


def shown(seen: Seen) -> dict[str, Any]:
    """All that the client shows, as the wire spells it."""
    sheets = {name: plain(sheet) for name, sheet in seen.sheets.items()}
    if seen.radio.films:
        sheets["radio"] = plain(seen.radio)
    return sheets
