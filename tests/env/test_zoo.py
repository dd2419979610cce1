"""PettingZoo's own tests, for every registered id."""

import pickle
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo import test as zoo
from pettingzoo.test.state_test import test_parallel_env as check_parallel_state
from pettingzoo.test.state_test import test_state_space as check_state_space

from fathom.core.actions import COUNT
from fathom.core.asked import seen
from fathom.core.observation import VECTOR
from fathom.env import IDS, real_time, turn_by_turn
from fathom.env.ids import VARIANTS, Variant, variant_of
from fathom.rules import library
from fathom.words import CREWS, Mode

pytestmark = [
    # Its own environments with such observations are on a list of exceptions; ours can't be.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]

AEC = [variant for variant in VARIANTS if variant.env_type == "aec"]
PARALLEL = [variant for variant in VARIANTS if variant.env_type == "parallel"]
CYCLES = 150


def named(variant: Variant) -> str:
    return variant.name


def made(variant: Variant, **options: Any) -> Any:
    env: Any = pettingzoo.make(variant.env_type, variant.id, **options)
    return env


def test_every_rulebook_and_mode_has_an_id_for_crews_and_for_posts() -> None:
    books = library.rulebook_names()
    assert len(IDS) == len(set(IDS)) == len(books) * 2 * 2
    for variant in VARIANTS:
        registry = pettingzoo.aec_registry if variant in AEC else pettingzoo.parallel_registry
        assert variant.id in registry
        assert variant_of(variant.id) == variant
    assert {v.mode for v in AEC} == {Mode.TURN_BY_TURN}
    with pytest.raises(ValueError, match="there is no environment 'fathom/chess-v0'; known: "):
        variant_of("fathom/chess-v0")


@pytest.mark.parametrize("variant", VARIANTS, ids=named)
def test_agents_are_the_crews_or_their_posts(variant: Variant) -> None:
    env = made(variant)
    if variant.level == "crew":
        assert env.possible_agents == ["crew_0", "crew_1"]
    else:
        posts = library.rulebook(variant.rulebook).posts
        assert len(env.possible_agents) == 2 * len(posts)
        assert "captain_0" in env.possible_agents
        assert "operator_1" in env.possible_agents


@pytest.mark.slow
@pytest.mark.parametrize("variant", AEC, ids=named)
def test_api(variant: Variant) -> None:
    zoo.api_test(made(variant), num_cycles=CYCLES)


@pytest.mark.slow
@pytest.mark.parametrize("variant", PARALLEL, ids=named)
def test_parallel_api(variant: Variant) -> None:
    zoo.parallel_api_test(made(variant), num_cycles=CYCLES)
    zoo.api_test(converted(variant), num_cycles=20)


def converted(variant: Variant, **options: Any) -> Any:
    return real_time.env(rulebook=variant.rulebook, level=variant.level, **options)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=named)
def test_seed(variant: Variant) -> None:
    if variant in AEC:
        zoo.seed_test(lambda: made(variant), num_cycles=40)
    else:
        zoo.parallel_seed_test(lambda: made(variant), num_cycles=40)
        zoo.seed_test(lambda: converted(variant), num_cycles=10)


@pytest.mark.parametrize("variant", AEC, ids=named)
def test_state(variant: Variant) -> None:
    env = made(variant)
    check_state_space(env)
    # Its actions are not masked, so every game is over at once.
    zoo.state_test.__globals__["test_state"](env, 10)


@pytest.mark.parametrize("variant", PARALLEL, ids=named)
def test_state_in_real_time(variant: Variant) -> None:
    check_state_space(made(variant))
    check_parallel_state(made(variant))
    zoo.state_test(converted(variant), made(variant), num_cycles=3)


@pytest.mark.parametrize("variant", PARALLEL, ids=named)
def test_max_cycles(variant: Variant) -> None:
    def parallel_env(**options: Any) -> Any:
        return made(variant, **options)

    def env(**options: Any) -> Any:
        return converted(variant, **options)

    zoo.max_cycles_test(SimpleNamespace(parallel_env=parallel_env, env=env))


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=named)
def test_render(variant: Variant, capsys: pytest.CaptureFixture[str]) -> None:
    def env(**options: Any) -> Any:
        return made(variant, **options) if variant in AEC else converted(variant, **options)

    def told(text: str) -> bool:
        return "A B C" in text and "damage 0" in text

    zoo.render_test(env, custom_tests={"ansi": told})
    assert "damage 0" in capsys.readouterr().out


def test_an_unknown_render_mode_is_an_error() -> None:
    for variant in (AEC[0], PARALLEL[0]):
        with pytest.raises(
            ValueError, match="render_mode is one of human, ansi, rgb_array, not 'gl'"
        ):
            made(variant, render_mode="gl")


def test_saving_observations_is_declined(capsys: pytest.CaptureFixture[str]) -> None:
    zoo.test_save_obs(made(AEC[0]))
    assert "Observations must be Box" in capsys.readouterr().out


# Not run: bombardment_test, which takes what ``step`` returns for an observation and so fails with
# every environment of two agents; manual_control_test, which is for environments with a keyboard;
# performance_benchmark, which is no test.

# Beyond PettingZoo's tests


def random_steps(env: Any, seed: int, count: int) -> Iterator[tuple[str, Any]]:
    """Play at random; who was asked, and what they were shown."""
    dice = np.random.default_rng(seed)
    env.reset(seed=seed)
    for agent in env.agent_iter(count):
        shown, _, over, cut, _ = env.last()
        yield agent, shown
        env.step(None if over or cut else dice.choice(np.flatnonzero(shown["action_mask"])))


def test_an_illegal_action_loses_the_game_for_the_crew() -> None:
    env = turn_by_turn.env(level="post")
    env.reset(seed=3)
    agent = env.agent_selection
    side = agent[-1]
    env.step(COUNT - 1)
    assert env.rewards == {name: -1 if name[-1] == side else 1 for name in env.possible_agents}
    assert all(env.terminations.values())


def test_raw_an_illegal_action_is_an_error_and_changes_nothing() -> None:
    env = turn_by_turn.raw_env()
    env.reset(seed=3)
    before = env.state()
    with pytest.raises(ValueError, match=f"action {COUNT - 1} is not offered"):
        env.step(COUNT - 1)
    with pytest.raises(ValueError, match=f"there is no action {COUNT}; see docs/actions.md"):
        env.step(COUNT)
    with pytest.raises(ValueError, match="there is no action None"):
        env.step(None)
    assert np.array_equal(env.state(), before)
    assert env.agents == env.possible_agents


def test_in_real_time_an_illegal_order_is_dropped() -> None:
    env = real_time.parallel_env()
    before, _ = env.reset(seed=3)
    after, _, _, _, _ = env.step({"crew_0": COUNT - 1})
    assert np.array_equal(before["crew_0"]["action_mask"], after["crew_0"]["action_mask"])
    with pytest.raises(ValueError, match=f"crew_1: there is no action {COUNT}"):
        env.step({"crew_1": COUNT})


def test_who_is_not_asked_is_offered_nothing() -> None:
    env = turn_by_turn.raw_env()
    for agent, shown in random_steps(env, 5, 50):
        assert shown["action_mask"].any()
        (other,) = set(env.possible_agents) - {agent}
        assert not env.observe(other)["action_mask"].any()


def test_the_winner_is_rewarded_and_the_loser_pays() -> None:
    """As the vector's entries for won and lost say, too."""
    won = sum(VECTOR[name] for name in list(VECTOR)[: list(VECTOR).index("result")])
    env = turn_by_turn.env(level="post")
    outcomes = set()
    for seed in range(4):
        env.reset(seed=seed)
        for agent, shown in random_steps(env, seed, 100_000):
            if env.terminations[agent]:
                result = shown["observation"]["vector"][won : won + 3].tolist()
                expected = {(1, 0, 0): 1, (0, 1, 0): -1, (0, 0, 1): 0}[tuple(result)]
                assert env.last()[1] == expected
                outcomes.add((agent[-1], expected))
        assert env.agents == []
    assert {("0", 1), ("1", -1)} <= outcomes or {("0", -1), ("1", 1)} <= outcomes


def test_belief_planes_are_there_if_asked_for() -> None:
    env = turn_by_turn.env(belief=True)
    for agent, shown in random_steps(env, 2, 60):
        assert shown["observation"]["planes"].shape[0] == 14
        assert env.observation_space(agent).contains(shown)


def test_an_environment_can_be_pickled() -> None:
    one = turn_by_turn.raw_env(rulebook="captain-sonar-2", scenario="bravo")
    other = pickle.loads(pickle.dumps(one))  # noqa: S301 (its own bytes)
    one.reset(seed=9)
    other.reset(seed=9)
    assert np.array_equal(one.state(), other.state())
    assert other.table.setup == one.table.setup


def test_a_reset_without_a_seed_goes_on_with_the_dice() -> None:
    def beginners(seed: int) -> list[str]:
        env = turn_by_turn.raw_env()
        env.reset(seed=seed)
        found = [env.agent_selection]
        for _ in range(20):
            env.reset()
            found.append(str(env.table.asked.game.public.first))
        return found

    assert beginners(1) == beginners(1)
    assert len(set(beginners(1)[1:])) == 2


def test_a_game_is_resampled_for_an_agent() -> None:
    env = turn_by_turn.raw_env()
    env.reset(seed=2)
    dice, other = Random(2), 0
    for agent, shown in random_steps(env, 2, 120):
        drawn = env.resample(agent, dice)
        other += drawn != env.table.asked.game
        crew = CREWS[env.possible_agents.index(agent)]
        assert seen(drawn, crew) == seen(env.table.asked.game, crew)
        assert shown["action_mask"].any()
    assert other > 60


def test_a_post_that_sees_a_part_of_its_crews_sheets_is_told_so() -> None:
    env = real_time.parallel_env(level="post")
    env.reset(seed=2)
    with pytest.raises(TypeError, match="captain_0 knows only a part of its crew's sheets"):
        env.resample("captain_0", Random(1))


def test_all_pictures_of_a_game_have_the_same_size() -> None:
    env = turn_by_turn.env(render_mode="rgb_array", rulebook="captain-sonar-2")
    sizes = set()
    for number, _ in enumerate(random_steps(env, 6, 250)):
        if number % 50 == 0:
            sizes.add(env.render().shape)
    assert len(sizes) == 1
