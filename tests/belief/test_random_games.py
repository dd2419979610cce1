"""Belief against the obvious enumerator and against the truth, in random games of every kind.

Half of the games vary the table's rulings, and most have short gauges and thick hulls, so that
much happens. A failure names its scene and seed: ``follow(scene, seed)`` plays it again.
"""

import pytest

from fathom.words import CREWS
from tests.belief.games import random_game
from tests.belief.watch import BeliefWatch
from tests.engine.tables import SCENES, BookModeSea

FEW, MANY = range(1), range(1, 43)


def follow(scene: BookModeSea, seed: int) -> int:
    """Check everything after each order; how often the enumerator agreed."""
    watches: list[BeliefWatch] = []
    try:
        for game, news in random_game(scene, seed):
            watches = watches or [BeliefWatch(game.ground, crew) for crew in CREWS]
            for watch in watches:
                watch.hear(news)
                watch.check(game, news)
    except AssertionError as failure:
        failure.add_note(f"in the game {seed} of {scene}")
        raise
    return sum(watch.compared for watch in watches)


@pytest.mark.parametrize(
    "seeds",
    [pytest.param(FEW, id="few"), pytest.param(MANY, id="many", marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("scene", SCENES, ids=lambda s: f"{s[0]}-{s[1].value}-{s[2]}")
def test_belief_is_exact_and_never_rules_out_the_truth(scene: BookModeSea, seeds: range) -> None:
    agreed = sum(follow(scene, seed) for seed in seeds)
    assert agreed > 20 * len(seeds)
