"""The game in real time as a PettingZoo parallel environment, in plain Python. A step is a tick."""

from typing import Any

from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from fathom.belief.resampling.chance import Chance
from fathom.core.actions import WAIT
from fathom.core.asked import CUT_SHORT, GAME_OVER
from fathom.engine.game import Game
from fathom.env import arrays
from fathom.env.arrays import Bytes, Observation
from fathom.env.ids import Level, Variant
from fathom.env.pictures import RENDER_MODES, Rendered, render
from fathom.env.table import EnvTable
from fathom.rules.setup import USUAL_RULEBOOK
from fathom.words import Mode


def parallel_env(**options: Any) -> "RealTimeEnv":
    """The environment."""
    return RealTimeEnv(**options)


def env(**options: Any) -> AECEnv[str, Observation, int]:
    """The same as an AEC environment: agents are asked one after another, then time passes."""
    return OrderEnforcingWrapper(parallel_to_aec(parallel_env(**options)))


class RealTimeEnv(ParallelEnv[str, Observation, int], EzPickle):
    """A game in which every agent orders or waits (action 0) in every tick.

    Orders of a tick are carried out in an order drawn by lot. One that is illegal, or has become so
    by then, is dropped, as an order that a captain may not give has no effect at a table either.
    """

    def __init__(
        self,
        rulebook: str = USUAL_RULEBOOK,
        level: Level = "crew",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        EzPickle.__init__(self, rulebook, level, render_mode, **options)
        super().__init__()
        self.table = EnvTable(Variant(rulebook, Mode.REAL_TIME, level), **options)
        self.metadata = {
            "name": self.table.name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": 2,
        }
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(
                f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}"
            )
        self.render_mode = render_mode
        self.possible_agents = list(self.table.names)
        self.agents: list[str] = []
        self.observation_spaces = self.table.observation_spaces
        self.action_spaces = self.table.action_spaces
        self.state_space = self.table.state_space

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 (PettingZoo's signature)
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a new game."""
        self.table.reset(seed)
        self.agents = self.possible_agents[:]
        return self.observations(), {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Observation],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let a tick pass. An agent without an action waits."""
        asked, names = self.table.asked, self.agents
        chosen = [self.allowed(place, actions) for place in asked.asked]
        asked.step(chosen)
        rewards = {name: float(won) for name, won in self.table.rewards().items()}
        ended = asked.ended
        over, cut = (
            dict.fromkeys(names, ended == GAME_OVER),
            dict.fromkeys(names, ended == CUT_SHORT),
        )
        seen = self.observations()
        if ended:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return seen, rewards, over, cut, {name: {} for name in names}

    def allowed(self, place: int, actions: dict[str, int]) -> int:
        """An agent's action, or waiting if it is not offered."""
        name = self.table.names[place]
        action = int(actions.get(name, WAIT))
        if not 0 <= action < arrays.ACTIONS:
            raise ValueError(
                f"{name}: there is no action {action}; they go up to {arrays.ACTIONS - 1}"
            )
        return action if action in self.table.asked.offers[place] else WAIT

    def observations(self) -> dict[str, Observation]:
        """What each agent sees."""
        return {name: self.table.observe(name) for name in self.agents}

    def state(self) -> Bytes:
        """What both crews see, as one array: for training only."""
        return arrays.state_of(self.table.asked)

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The action table."""
        return self.action_spaces[agent]

    def resample(self, agent: str, chance: Chance) -> Game:
        """A whole game that an agent can't tell from this one, drawn by likelihood."""
        return self.table.resample(agent, chance)

    def render(self) -> Rendered:
        """Draw the whole game, with both crews' secrets."""
        return render(self.table.asked.game, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
