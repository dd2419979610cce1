"""The core's borders: bad input is refused and named, and states go to Python's games and back."""

from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from fathom.core.flat_setup import NotForTheCore, flat_setup
from fathom.core.native import STATE, Core, States
from fathom.engine import orders as say
from fathom.engine.apply import apply_all
from fathom.engine.game import new_game
from fathom.engine.referee import decide, legal
from fathom.rules.sheet import Sheet, Symbol
from fathom.words import Crew, Heading, Kind, Seat
from tests.core.differential import BothEngines, any_setup, at_mines, choose
from tests.stories import table

CORE = Core(table())
SEAT = Seat(Crew.A, 0)


def test_an_illegal_order_is_refused_and_changes_nothing() -> None:
    states = CORE.new_states(1)
    before = states.tobytes()
    with pytest.raises(ValueError, match="action 3 is not legal for actor 0"):
        CORE.perform(states, 0, SEAT, say.END_TURN)
    with pytest.raises(ValueError, match="action 3 is not legal for actor 0"):
        CORE.perform_all(states, np.array([0], np.int32), np.array([3], np.int32))
    assert states.tobytes() == before


def test_an_unknown_actor_is_refused() -> None:
    for actor in (-1, 1, 7, 11):
        with pytest.raises(ValueError, match=f"there is no actor {actor}"):
            CORE.masks(CORE.new_states(1), np.array([actor], np.int32))


def test_there_is_no_state_off_the_array() -> None:
    for row in (-1, 1):
        with pytest.raises(ValueError, match="there is no such state"):
            CORE.native.perform(CORE.new_states(1).view(np.uint8).reshape(1, -1), row, 0, 0)


def test_states_must_be_states() -> None:
    with pytest.raises(ValueError, match="expected one contiguous array of states"):
        CORE.masks(np.zeros(3), np.zeros(3, np.int32))
    with pytest.raises(ValueError, match="expected one contiguous array of states"):
        CORE.masks(CORE.new_states(4)[::2], np.zeros(2, np.int32))
    with pytest.raises(ValueError, match=f"a state has {STATE.itemsize} bytes"):
        CORE.native.begin(np.zeros((2, 8), np.uint8))


def test_many_orders_at_once() -> None:
    states = CORE.new_states(5)
    places = np.flatnonzero(CORE.masks(states[:1], np.zeros(1, np.int32))[0])[-5:].astype(np.int32)
    CORE.perform_all(states, np.zeros(5, np.int32), places)
    assert len(set(states["boats"]["at"][:, 0].tolist())) == 5


@pytest.mark.parametrize("seed", range(6))
def test_a_state_becomes_a_game_again(seed: int) -> None:
    dice = Random(seed)
    both = BothEngines(any_setup(dice))
    for _ in range(60):
        chosen = choose(both.options(), dice, set(), at_mines(both.game))
        if chosen is None:
            break
        both.perform(*chosen)
        game = both.core.game(both.states[0])
        assert game.public == both.game.public
        for one, other in zip(game.boats, both.game.boats, strict=True):
            assert (one.duty, one.helm, one.gauges, one.engine, one.trace) == (
                other.duty, other.helm, other.gauges, other.engine, other.trace,
            )  # fmt: skip
            assert one.radio.locked == other.radio.locked


def test_a_game_in_python_goes_on_in_the_core() -> None:
    game = new_game(CORE.setup)
    order = legal(game, SEAT)[0]
    game = apply_all(game, decide(game, SEAT, order))
    states = CORE.states_of([game, game])
    assert len(states) == 2
    CORE.perform(states, 1, SEAT, say.DIVE)
    assert states["dived"].tolist() == [[0, 0], [1, 0]]


def test_a_sheet_that_the_core_has_no_room_for_is_named() -> None:
    setup = table()
    symbols = tuple(Symbol(f"W{n}", Heading.W, Kind.RED, None) for n in range(1, 8))
    wide = replace(setup, sheet=Sheet("wide", "Wide", symbols))
    with pytest.raises(NotForTheCore, match="no symbol 'W7'"):
        flat_setup(wide)


BAD_VALUES = {
    "phase": 3, "first": 2, "turn": -2, "stop": 1, "awaited": 3, "awaited_crew": 5, "smoke": 1,
    "volcano_events": 9, "winner": 7,
}  # fmt: skip
BAD_BOATS = {
    "at": 15, "covered": (1 << 15, 0, 0, 0), "route_length": 200, "mines": (1 << 15, 0, 0, 0),
    "charge": 3, "cross": 8, "barred": 3, "energy": 1, "boxes": 9, "crossed": 1 << 24, "holder": 4,
    "strokes": 3,
}  # fmt: skip


def under_way() -> States:
    states = CORE.new_states(2)
    CORE.playouts(states, np.array([1, 2], np.uint64), most=40)
    return states


@pytest.mark.parametrize("name", BAD_VALUES)
def test_a_state_that_no_game_is_in_is_refused(name: str) -> None:
    states = under_way()
    states[name][1] = BAD_VALUES[name]
    with pytest.raises(ValueError, match=f"state 1 has a bad value: {name}"):
        CORE.playouts(states, np.zeros(2, np.uint64))


@pytest.mark.parametrize("name", BAD_BOATS)
def test_sheets_that_no_crew_has_are_refused(name: str) -> None:
    states = under_way()
    states["boats"][name][1, 1] = BAD_BOATS[name]
    with pytest.raises(ValueError, match=f"state 1 has a bad value: {name}"):
        CORE.masks(states, np.zeros(2, np.int32))
