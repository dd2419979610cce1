"""No observation and no mask depends on what the agent may not know."""

from random import Random
from typing import Any

import numpy as np
import pytest

from fathom.engine import orders as say
from fathom.engine.referee import decide, legal
from fathom.env.ids import VARIANTS, Variant
from fathom.env.table import EnvTable
from fathom.words import CREWS, REFEREE, Crew, Mode
from tests.server.alike import Pair, sound_alike

LENGTH = 60
POSTS = [variant for variant in VARIANTS if variant.level == "post"]


def options(variant: Variant) -> dict[str, Any]:
    """The family game's first scenario names the starts, so there would be less to hide."""
    chosen: dict[str, Any] = {"belief": True}
    if variant.mode is Mode.TURN_BY_TURN:
        chosen["first"] = Crew.A
    if variant.rulebook == "sonar":
        chosen["scenario"] = "jules-verne"
    return chosen


@pytest.mark.slow
@pytest.mark.parametrize("ours", CREWS)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_nothing_shown_depends_on_the_enemys_secrets(variant: Variant, ours: Crew) -> None:
    one, other = (EnvTable(variant, **options(variant)) for _ in range(2))
    dice = Random(f"{variant.name}/{ours}")
    pairs, games = sound_alike(one.setup, ours, dice, LENGTH)
    assert len(pairs) >= LENGTH // 2
    assert "helm" in games.differing
    if games.one.public.result is not None:
        pairs.pop()
    for table in (one, other):
        table.reset(seed=1)
    secrets = 0
    for pair in pairs:
        perform(one, pair, pair.order)
        perform(other, pair, pair.other)
        compare(one, other, ours)
        enemies = [table.asked.game.boats[ours.other] for table in (one, other)]
        secrets += enemies[0].helm != enemies[1].helm
    assert secrets > LENGTH // 4


def perform(table: EnvTable, pair: Pair, order: say.AnyOrder) -> None:
    """Give an order, and end the stop after it, as in ``sound_alike``."""
    asked = table.asked
    asked.happen(decide(asked.game, pair.seat, order))
    if say.RESUME in legal(asked.game, REFEREE):
        asked.happen(decide(asked.game, REFEREE, say.RESUME))
    asked.look()


def compare(one: EnvTable, other: EnvTable, ours: Crew) -> None:
    """Everything that an agent of ours is shown."""
    for place, name in enumerate(one.names):
        if name[-1] != str(CREWS.index(ours)):
            continue
        assert one.asked.offered(place) == other.asked.offered(place)
        shown = [table.observe(name) for table in (one, other)]
        for part in ("planes", "vector"):
            assert np.array_equal(*(s["observation"][part] for s in shown)), part
        if all(place in table.asked.asked for table in (one, other)):
            assert np.array_equal(*(s["action_mask"] for s in shown))


@pytest.mark.parametrize("variant", POSTS, ids=lambda variant: variant.name)
def test_only_a_captain_sees_the_helm_at_post_level(variant: Variant) -> None:
    table = EnvTable(variant)
    table.reset(seed=4)
    dice = Random(4)
    for _ in range(120):
        if table.asked.ended:
            break
        table.asked.step([dice.choice(sorted(offer)) for offer in table.asked.offers])
    for name in table.names:
        planes = table.observe(name)["observation"]["planes"]
        assert planes[1:6].any() == name.startswith("captain"), name
