"""Many games of a variant side by side on the fast core, with the same observations and masks.

Game ``n`` of a seed plays as the plain environment that is seeded with ``seed + n``. A game that is
over gives way to a new one in the same step; its last observation is not shown.
"""

from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from fathom.core.asked import CUT_SHORT, GAME_OVER
from fathom.core.batch import Batch
from fathom.env import arrays
from fathom.env.arrays import Observation
from fathom.env.ids import agent_names, setup_for, terms_for, variant_of

Flags = NDArray[np.bool_]


class VectorStep(NamedTuple):
    """What a step gives out. Observations are the environment's own arrays."""

    observations: Observation
    rewards: NDArray[np.float32]
    """For each game what crews a and b have won by the step."""
    terminations: Flags
    truncations: Flags
    infos: dict[str, Any]
    """``agents``: of each row the agent that it is about, by its place in ``possible_agents``."""


class VectorEnv:
    """Games of one id. Turn by turn arrays have a row for each game, about the agent that is asked.

    In real time they have a row for each game and agent. Arrays are filled again by every step:
    copy what you keep.
    """

    def __init__(
        self,
        id: str,  # noqa: A002 (as PettingZoo and Gymnasium call it)
        num_envs: int,
        *,
        max_cycles: int | None = None,
        belief: bool = False,
        pause: int = 0,
        **choices: Any,
    ) -> None:
        variant = variant_of(id)
        self.id, self.num_envs = id, num_envs
        self.setup = setup_for(variant, **choices)
        self.terms = terms_for(variant, max_cycles=max_cycles, belief=belief, pause=pause)
        self.possible_agents = list(agent_names(self.setup, variant.level))
        rows = len(self.possible_agents) if variant.env_type == "parallel" else 1
        self.single_observation_space = arrays.observation_space(self.setup, belief=belief)
        self.single_action_space = spaces.Discrete(arrays.ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, num_envs * rows)
        self.action_space = batch_space(self.single_action_space, num_envs * rows)
        self.batch: Batch | None = None

    def reset(self, seed: int = 0) -> tuple[Observation, dict[str, Any]]:
        """Begin all games."""
        self.batch = Batch(self.setup, self.num_envs, seed=seed, terms=self.terms)
        return self.observations(self.batch), {"agents": self.batch.agents}

    def step(self, actions: NDArray[np.integer[Any]]) -> VectorStep:
        """Take an action for each row. One that is not offered is an error: nothing happens."""
        batch = self.begun()
        batch.step(actions)
        ended = batch.ended
        return VectorStep(
            self.observations(batch),
            batch.rewards,
            ended == GAME_OVER,
            ended == CUT_SHORT,
            {"agents": batch.agents},
        )

    def sample(self) -> NDArray[np.int32]:
        """An action for each row, all that are offered equally likely."""
        return self.begun().sample()

    def begun(self) -> Batch:
        """The games."""
        if self.batch is None:
            raise RuntimeError("call reset before step or sample")
        return self.batch

    @staticmethod
    def observations(batch: Batch) -> Observation:
        """The batch's arrays, named as in the plain environments."""
        seen = {"planes": batch.planes, "vector": batch.vector}
        return {"observation": seen, "action_mask": batch.masks.view(np.int8)}
