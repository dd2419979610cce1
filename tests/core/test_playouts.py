"""Clones and playouts: every order of a playout is legal, and dice and weights are heeded."""

from random import Random

import numpy as np
import pytest

from fathom.core import codes
from fathom.core.native import Core, States
from fathom.rules.setup import Setup
from fathom.words import CREWS, REFEREE, Mode
from tests.core.differential import any_setup
from tests.stories import ALL_BOOKS, MODES, table

OVER = codes.PHASES.index("over")


def seeds(count: int, start: int = 0) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.arange(start, start + count, dtype=np.uint64)


def after_every_order(core: Core, state: States) -> set[bytes]:
    """The states that one legal order of anyone leads to."""
    found = set()
    for agent in (*CREWS, REFEREE):
        for action in core.legal(state, 0, agent):
            clone = state.copy()
            core.perform(clone, 0, agent, action)
            found.add(clone.tobytes())
    return found


@pytest.mark.parametrize("seed", range(4))
def test_every_order_of_a_playout_is_legal(seed: int) -> None:
    core, dice = Core(any_setup(Random(seed))), seeds(1, seed)
    state = core.new_states(1)
    for _ in range(60):
        possible = after_every_order(core, state)
        if not core.playouts(state, dice, most=1)[0]:
            break
        assert state.tobytes() in possible


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_playouts_come_to_an_end_and_either_crew_wins(book: str, mode: Mode) -> None:
    core = Core(table(book, mode))
    states = core.new_states(200)
    given = core.playouts(states, seeds(200), most=100_000)
    assert set(states["phase"]) == {OVER}
    assert given.min() > 4
    assert {0, 1} <= set(states["winner"].tolist())


def played(setup: Setup, weights: dict[str, int]) -> tuple[States, int]:
    core = Core(setup)
    states = core.new_states(50)
    return states, int(core.playouts(states, seeds(50), most=200, weights=weights).sum())


def test_the_same_dice_play_the_same_game() -> None:
    one, other = played(table(), {}), played(table(), {})
    assert one[0].tobytes() == other[0].tobytes()


def test_dice_are_written_back() -> None:
    core, dice = Core(table()), seeds(3)
    core.playouts(core.new_states(3), dice, most=10)
    assert not set(dice.tolist()) & {0, 1, 2}


def test_a_kind_without_weight_never_comes_while_another_may() -> None:
    usual = ("course", "surface", "end-turn", "charge", "cross-out", "dive", "place")
    states, _ = played(table(), dict.fromkeys(usual, 1))
    boats = states["boats"]
    assert not boats["mines"].any()
    assert (boats["ready"] != 0).any(), "there were systems to use"


def test_a_clone_goes_its_own_way() -> None:
    core = Core(table())
    states = core.new_states(1)
    core.playouts(states, seeds(1), most=30)
    clones = np.repeat(states, 8)
    assert {clone.tobytes() for clone in clones} == {states.tobytes()}
    core.playouts(clones, seeds(8), most=30)
    assert len({clone.tobytes() for clone in clones}) == 8


def test_an_unknown_kind_is_an_error() -> None:
    core = Core(table())
    with pytest.raises(KeyError, match="swim"):
        core.playouts(core.new_states(1), seeds(1), weights={"swim": 1})
