"""A batch does what the same games do in plain Python: who is asked, offers, observations, ends."""

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from fathom.core.actions import COUNT
from fathom.core.asked import CUT_SHORT, AskedGame, Terms, dice_of
from fathom.core.batch import Batch
from fathom.points import Points
from fathom.rules.setup import Setup
from tests.core.differential import any_setup
from tests.stories import table

GAMES = 4


class BatchAndGames:
    """A batch and its games in plain Python."""

    def __init__(self, setup: Setup, seed: int, terms: Terms) -> None:
        self.setup = setup
        self.batch = Batch(setup, GAMES, seed=seed, terms=terms)
        self.plain = [AskedGame(setup, dice_of(seed, n), terms) for n in range(GAMES)]
        self.ends = 0

    def compare(self) -> None:
        """Everything that either shows."""
        rows = self.batch
        for n, game in enumerate(self.plain):
            assert rows.ended[n] == game.ended
            assert tuple(rows.rewards[n]) == game.rewards
            assert rows.agents[n].reshape(-1).tolist() == game.asked
            masks = rows.masks[n].reshape(-1, COUNT)
            planes = rows.planes[n].reshape(len(game.asked), -1, *rows.planes.shape[-2:])
            vectors = rows.vector[n].reshape(len(game.asked), -1)
            for row in range(len(game.asked)):
                assert masks[row].tolist() == game.mask(row)
                assert [as_points(plane) for plane in planes[row]] == game.planes(row)
                assert vectors[row].tobytes() == game.vector(row)

    def step(self, chosen: Sequence[Sequence[int]]) -> None:
        self.batch.step(np.array(chosen, np.int32))
        for game, orders in zip(self.plain, chosen, strict=True):
            game.step(orders)
        self.ends += int(np.count_nonzero(self.batch.ended))
        self.compare()


def as_points(plane: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Points:
    return sum(1 << 16 * int(y) + int(x) for y, x in zip(*plane.nonzero(), strict=True))


def play_both(seed: int, steps: int) -> int:
    """Play a batch of any set-up; how many games ended."""
    dice = Random(seed)
    terms = Terms(
        dice.random() < 0.5, dice.random() < 0.3, 120, dice.randrange(3), dice.random() < 0.5
    )
    both = BatchAndGames(any_setup(dice), seed, terms)
    both.compare()
    for _ in range(steps):
        chosen = both.batch.sample().reshape(GAMES, -1).tolist()
        both.step(chosen)
    return both.ends


@pytest.mark.parametrize("seed", range(3))
def test_a_batch_plays_as_plain_games_do(seed: int) -> None:
    play_both(seed, 30)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [range(n, n + 12) for n in (100, 200)])
def test_batches_of_many_kinds_play_as_plain_games_do(seeds: range) -> None:
    assert sum(play_both(seed, 60) for seed in seeds) > 5


def test_an_action_that_is_not_offered_is_refused_and_changes_nothing() -> None:
    games = Batch(table(), 3)
    before = games.states.copy()
    chosen = games.sample().copy()
    chosen[2] = COUNT - 1
    with pytest.raises(ValueError, match=f"game 2: action {COUNT - 1} is not offered to agent 0"):
        games.step(chosen)
    assert games.states.tobytes() == before.tobytes()


def test_a_mask_that_was_written_over_allows_nothing_more() -> None:
    games = Batch(table(), 1)
    games.masks[:] = 1
    with pytest.raises(ValueError, match="game 0: action 8 is not offered"):
        games.step(np.array([8], np.int32))


def test_too_few_actions_are_an_error() -> None:
    with pytest.raises(ValueError, match="actions: 3 are needed, not 2"):
        Batch(table(), 3).step(np.zeros(2, np.int32))


def test_a_step_gives_out_the_batchs_arrays() -> None:
    games = Batch(table(), 2)
    planes, vector, masks, rewards, ended = games.step(games.sample())
    assert planes is games.planes
    assert vector is games.vector
    assert masks is games.masks
    assert rewards is games.rewards
    assert ended is games.ended


def test_actions_are_whole_numbers() -> None:
    with pytest.raises(TypeError, match="Cannot cast"):
        Batch(table(), 1).step(np.array([1.5]))


def test_states_of_a_batch_can_only_be_read() -> None:
    with pytest.raises(ValueError, match="read-only"):
        Batch(table(), 1).states["phase"] = 2


def test_the_same_seed_plays_the_same_games() -> None:
    one, other, third = (Batch(table(), 16, seed=seed) for seed in (7, 7, 8))
    for games in (one, other, third):
        for _ in range(200):
            games.step(games.sample())
    assert one.states.tobytes() == other.states.tobytes()
    assert one.vector.tobytes() == other.vector.tobytes()
    assert one.states.tobytes() != third.states.tobytes()


def test_a_game_that_lasts_too_long_is_cut_short() -> None:
    games = Batch(table(), 1, terms=Terms(limit=3))
    for _ in range(3):
        games.step(games.sample())
    assert games.ended.tolist() == [CUT_SHORT]
    assert games.rewards.tolist() == [[0, 0]]
