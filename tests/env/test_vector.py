"""The plain environments and the vectorised one show the same, whatever is played."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pettingzoo
import pytest

from fathom.env.ids import VARIANTS, Variant
from fathom.env.vector import VectorEnv

GAMES, LIMIT = 3, 60


@pytest.mark.slow
@pytest.mark.parametrize("belief", [False, True])
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_both_show_the_same(variant: Variant, belief: bool) -> None:
    both = Both(variant, belief=belief)
    ends = sum(both.step() for _ in range(100))
    assert ends >= GAMES


class Both:
    """A vectorised environment and a plain one for each of its games."""

    def __init__(self, variant: Variant, *, belief: bool, seed: int = 11) -> None:
        options: dict[str, Any] = {"max_cycles": LIMIT, "belief": belief}
        self.parallel = variant.env_type == "parallel"
        self.vector = VectorEnv(variant.id, GAMES, **options)
        self.shown, self.infos = self.vector.reset(seed)
        self.plain = [
            pettingzoo.make(variant.env_type, variant.id, **options) for _ in range(GAMES)
        ]
        for number, env in enumerate(self.plain):
            env.reset(seed=seed + number)
            self.compare(number)

    def step(self) -> int:
        """A step in both; how many games ended."""
        actions = self.vector.sample().copy()
        self.shown, rewards, over, cut, self.infos = self.vector.step(actions)
        for number, env in enumerate(self.plain):
            names = env.possible_agents
            if self.parallel:
                _, won, ended, short, _ = env.step(dict(zip(names, actions[number], strict=True)))
            else:
                env.step(int(actions[number]))
                won, ended, short = env.rewards, env.terminations, env.truncations
            assert [won[names[0]], won[names[-1]]] == rewards[number].tolist()
            assert set(ended.values()) == {bool(over[number])}
            assert set(short.values()) == {bool(cut[number])}
            if over[number] or cut[number]:
                env.reset()
            self.compare(number)
        return int(np.count_nonzero(over | cut))

    def compare(self, number: int) -> None:
        """What a game shows in both."""
        env = self.plain[number]
        agents = self.infos["agents"][number].reshape(-1)
        unwrapped = env.unwrapped
        if not self.parallel:
            assert env.agent_selection == env.possible_agents[agents[0]]
        for row, place in enumerate(agents):
            plain = unwrapped.table.observe(env.possible_agents[place])
            where = (number, row) if self.parallel else (number,)
            seen = self.shown["observation"]
            assert np.array_equal(plain["action_mask"], self.shown["action_mask"][where])
            assert np.array_equal(plain["observation"]["planes"], seen["planes"][where])
            assert np.array_equal(plain["observation"]["vector"], seen["vector"][where])


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.name)
def test_spaces_hold_what_is_shown(variant: Variant) -> None:
    env = VectorEnv(variant.id, 2)
    shown, _ = env.reset(1)
    rows = 2 * len(env.possible_agents) if variant.env_type == "parallel" else 2
    flat = {name: part.reshape(rows, *part.shape[-n:]) for name, part, n in parts(shown)}
    assert env.observation_space.contains(
        {
            "observation": {"planes": flat["planes"], "vector": flat["vector"]},
            "action_mask": flat["action_mask"],
        }
    )


def parts(shown: Any) -> Iterator[tuple[str, Any, int]]:
    """Every array with its name and how many dimensions one row of it has."""
    yield "planes", shown["observation"]["planes"], 3
    yield "vector", shown["observation"]["vector"], 1
    yield "action_mask", shown["action_mask"], 1


def test_a_step_before_reset_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="call reset before step or sample"):
        VectorEnv(VARIANTS[0].id, 2).sample()
