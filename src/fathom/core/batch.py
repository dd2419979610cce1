"""Many games side by side on numpy buffers: orders in, observations and masks out.

Turn by turn one agent of each game is asked at a time: ``agents`` says which, and arrays have one
row for each game. After an announcement the other crew is asked first and may trigger a mine. In
real time a step is a tick, in which every agent orders or waits; arrays have a row for each game
and agent. The orders of a tick are carried out in an order drawn by lot, and one that has become
illegal by then is dropped.

A game that is over gives way to a new one within the same step: ``ended`` and ``rewards`` tell of
the old one, and what is seen is of the new one.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fathom.belief.patience import BUDGET
from fathom.core import actions, observation
from fathom.core.asked import USUAL, WORD, Agent, Terms, agents_of
from fathom.core.native import STATE, Core, Masks, NativeBatch, Numbers, core_for, raw
from fathom.rules.setup import Setup
from fathom.words import Mode


class Stepped(NamedTuple):
    """What a step gives out: the batch's own arrays."""

    planes: NDArray[np.uint8]
    vector: NDArray[np.uint8]
    masks: Masks
    rewards: NDArray[np.float32]
    ended: NDArray[np.uint8]


class Batch:
    """Games of one set-up. The arrays are filled again by every step: copy what you keep.

    A batch is stepped by one thread at a time; the GIL is released meanwhile.
    """

    def __init__(self, setup: Setup, games: int, *, seed: int = 0, terms: Terms = USUAL) -> None:
        self.core: Core = core_for(setup)
        self.agent_names: tuple[Agent, ...] = agents_of(setup, terms)
        real_time = setup.mode is Mode.REAL_TIME
        rows = (games, len(self.agent_names)) if real_time else (games,)
        chart = setup.chart
        planes = observation.PLANES + (observation.BELIEF_PLANES if terms.belief else ())
        memory = np.zeros(games, STATE)
        self.states: NDArray[Any] = memory.view()
        """The games' states, to be read only."""
        self.states.flags.writeable = False
        self.planes: NDArray[np.uint8] = np.zeros(
            (*rows, len(planes), chart.down, chart.across), np.uint8
        )
        self.vector: NDArray[np.uint8] = np.zeros((*rows, observation.VECTOR_SIZE), np.uint8)
        self.masks: Masks = np.zeros((*rows, actions.COUNT), np.uint8)
        self.agents: Numbers = np.zeros(rows, np.int32)
        """Of each row the agent that it is about, by its place among ``agent_names``."""
        self.rewards: NDArray[np.float32] = np.zeros((games, 2), np.float32)
        """What each crew has won by the last step: 1, -1, or 0."""
        self.ended: NDArray[np.uint8] = np.zeros(games, np.uint8)
        """Whether each game goes on, is over or was cut short, as in ``fathom.core.asked``."""
        self._chosen: Numbers = np.zeros(rows, np.int32)
        self._dice: NDArray[np.uint64] = np.array([seed & WORD], np.uint64)
        self.native = NativeBatch(
            self.core.native,
            games=games,
            seed=seed & WORD,
            by_crew=terms.by_crew,
            everything=terms.everything,
            limit=terms.limit,
            patience=BUDGET if terms.belief else 0,
            pause=terms.pause,
            states=raw(memory),
            planes=self.planes,
            vector=self.vector,
            masks=self.masks,
            ended=self.ended,
            rewards=self.rewards,
            agents=self.agents,
        )

    def step(self, chosen: NDArray[np.integer[Any]]) -> Stepped:
        """Carry out one action of each row; an error if one is not offered, and then none is."""
        whole = np.ascontiguousarray(chosen).astype(np.int32, casting="same_kind", copy=False)
        self.native.step(whole.reshape(-1))
        return Stepped(self.planes, self.vector, self.masks, self.rewards, self.ended)

    def sample(self) -> Numbers:
        """An action for each row, all that are offered being equally likely."""
        self.native.sample(self._chosen.reshape(-1), self._dice)
        return self._chosen
