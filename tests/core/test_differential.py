"""The core plays what the Python engine plays: legal orders, events, sheets and ends.

A failure names its seed: ``play_game(seed)`` plays it again. ``make soak-core`` plays more.
"""

import pytest

from fathom.core import native
from fathom.core.flat_setup import Flat, flat_setup
from fathom.rules.setup import Setup
from tests.core.differential import play_games, rulings_not_varied
from tests.stories import table

GAMES = 400
"""Games in each of the long tests."""
YES_OR_NO = [name for name, value in flat_setup(table()).items() if isinstance(value, bool)]


def test_the_core_agrees_in_some_games() -> None:
    assert play_games(range(8)) > 400


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(1, 9))
def test_the_core_agrees_in_many_games(batch: int) -> None:
    assert play_games(range(batch * 100_000, batch * 100_000 + GAMES)) > 50 * GAMES


def test_every_ruling_is_varied() -> None:
    assert rulings_not_varied() == set()


@pytest.mark.slow
@pytest.mark.parametrize("ruling", YES_OR_NO)
def test_a_core_that_ruled_otherwise_would_be_noticed(
    ruling: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def otherwise(setup: Setup) -> Flat:
        flat = flat_setup(setup)
        return {**flat, ruling: not flat[ruling]}

    monkeypatch.setattr(native, "flat_setup", otherwise)
    with pytest.raises((AssertionError, ValueError)):
        play_games(range(GAMES))
