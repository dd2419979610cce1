"""OpenSpiel's own tests, and its search, which plays by the determiniser."""

from random import Random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

from fathom.core.actions import COUNT
from fathom.engine.referee import decide
from fathom.env.spiel import FathomState, SpielGame, action_name
from fathom.rules import library
from fathom.words import CREWS, Crew
from tests.server.alike import sound_alike

BOOKS = library.rulebook_names()


def spiel_game(rulebook: str = "captain-sonar", **params: Any) -> Any:
    return pyspiel.load_game("fathom", {"rulebook": rulebook, **params})


def played(game: Any, seed: int, steps: int) -> Any:
    """A state after random actions, at which a player is to act."""
    dice, state = Random(seed), game.new_initial_state()
    state.apply_action(dice.randrange(2))
    for _ in range(steps):
        if state.is_terminal():
            return played(game, seed + 100, steps)
        state.apply_action(dice.choice(state.legal_actions()))
    return state if not state.is_terminal() else played(game, seed + 100, steps)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_random_sim(book: str) -> None:
    pyspiel.random_sim_test(spiel_game(book, limit=60), num_sims=3, serialize=True, verbose=False)


@pytest.mark.slow
def test_random_sim_of_whole_games() -> None:
    game = spiel_game("captain-sonar-2", scenario="bravo", limit=250)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_who_begins_is_drawn_by_chance() -> None:
    state = spiel_game().new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 1) == "crew b begins"
    beginners = []
    for first in (0, 1):
        state = spiel_game().new_initial_state()
        state.apply_action(first)
        while state.duel.game.public.phase == "placing":
            state.apply_action(state.legal_actions()[0])
        beginners.append(state.current_player())
    assert beginners == [0, 1]


def test_a_game_that_lasts_too_long_is_a_draw() -> None:
    game, dice = spiel_game(limit=10), Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
    assert state.returns() == [0.0, 0.0]
    assert state.move_number() <= game.max_game_length() + 1


def test_a_clone_goes_its_own_way() -> None:
    state = played(spiel_game(), 1, 60)
    before = str(state), [state.information_state_string(player) for player in (0, 1)]
    twin = state.clone()
    for _ in range(30):
        if twin.is_terminal():
            break
        twin.apply_action(twin.legal_actions()[-1])
    assert (str(state), [state.information_state_string(p) for p in (0, 1)]) == before


def test_states_are_serialised() -> None:
    game = spiel_game("captain-sonar-ru", limit=200)
    state = played(game, 4, 80)
    told = pyspiel.serialize_game_and_state(game, state)
    other_game, other = pyspiel.deserialize_game_and_state(told)
    assert str(other_game) == str(game)
    assert other.history() == state.history()
    assert str(other) == str(state)
    assert other.legal_actions() == state.legal_actions()


def test_information_states_have_perfect_recall() -> None:
    """Every information state begins with the one before it, and own actions are in it."""
    game, dice = spiel_game(), Random(5)
    state = game.new_initial_state()
    state.apply_action(0)
    told = {player: state.information_state_string(player) for player in (0, 1)}
    for _ in range(150):
        if state.is_terminal():
            break
        player, action = state.current_player(), dice.choice(state.legal_actions())
        state.apply_action(action)
        for each in (0, 1):
            now = state.information_state_string(each)
            assert now.startswith(told[each])
            if each == player:
                assert f"1,{action},0" in now[len(told[each]) :]
            told[each] = now


def test_tensors_hold_the_observation_and_the_history() -> None:
    state = played(spiel_game(limit=200), 2, 50)
    observer = make_observation(state.get_game(), pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 0)
    assert observer.dict["player"].tolist() == [1, 0]
    assert observer.dict["planes"].shape == (12, 10, 10)
    rows = [row for row in observer.dict["history"].tolist() if any(row)]
    assert rows == [list(map(float, row)) for row in reversed(state.duel.done[0])]


def test_actions_have_names_of_their_own() -> None:
    assert len({action_name(action) for action in range(COUNT)}) == COUNT
    assert action_name(0) == "wait"


@pytest.mark.slow
@pytest.mark.parametrize("ours", CREWS)
@pytest.mark.parametrize("book", BOOKS)
def test_an_information_state_tells_nothing_of_the_enemys_secrets(book: str, ours: Crew) -> None:
    game = spiel_game(book, scenario="jules-verne" if book == "sonar" else "bravo")
    state = game.new_initial_state()
    state.apply_action(0)
    pairs, games = sound_alike(state.duel.setup, ours, Random(f"{book}/{ours}"), 60)
    assert "helm" in games.differing
    twin = state.clone()
    player = CREWS.index(ours)
    for pair in pairs:
        for each, order in ((state, pair.order), (twin, pair.other)):
            duel: SpielGame = each.duel
            duel.happen(decide(duel.game, pair.seat, order))
        if state.duel.game.public.result is not None:
            break
        for observed in ("information_state_string", "observation_string"):
            assert getattr(state, observed)(player) == getattr(twin, observed)(player)
        for observed in ("information_state_tensor", "observation_tensor"):
            assert np.array_equal(getattr(state, observed)(player), getattr(twin, observed)(player))
    assert state.duel.game != twin.duel.game


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS)
def test_resampled_states_have_the_same_information(book: str) -> None:
    game = spiel_game(book, scenario="jules-verne" if book == "sonar" else "bravo")
    other = 0
    for seed in range(24):
        state: FathomState = played(game, seed, 15 * (1 + seed % 12))
        player = state.current_player()
        dice = Random(seed)
        sampled = state.resample_from_infostate(player, dice.random)
        assert sampled.current_player() == player
        assert sampled.legal_actions() == state.legal_actions()
        assert sampled.information_state_string(player) == state.information_state_string(player)
        assert sampled.observation_string(player) == state.observation_string(player)
        assert game.deserialize_state(sampled.serialize()).history() == sampled.history()
        other += str(sampled) != str(state)
    assert other > (1 if book == "sonar" else 6)


@pytest.mark.slow
def test_ismcts_plays_through_the_determiniser() -> None:
    game = spiel_game(limit=120)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game, evaluator, uct_c=2.0, max_simulations=3, random_state=np.random.RandomState(2)
    )
    state, dice, asked = game.new_initial_state(), Random(3), 0
    state.apply_action(0)
    while not state.is_terminal() and asked < 40:
        if state.current_player() == 0:
            action = int(bot.step(state))
            assert action in state.legal_actions()
            asked += 1
        else:
            action = dice.choice(state.legal_actions())
        state.apply_action(action)
    assert asked > 20
