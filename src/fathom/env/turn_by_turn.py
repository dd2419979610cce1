"""The game turn by turn as a PettingZoo AEC environment, in plain Python."""

from typing import Any, Literal, TypeAlias

from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from fathom.belief.resampling.chance import Chance
from fathom.core.asked import CUT_SHORT, GAME_OVER
from fathom.engine.game import Game
from fathom.env import arrays
from fathom.env.arrays import Bytes, Observation
from fathom.env.ids import Level, Variant
from fathom.env.pictures import RENDER_MODES, Rendered, render
from fathom.env.table import EnvTable
from fathom.rules.setup import USUAL_RULEBOOK
from fathom.words import Mode

Wrapped: TypeAlias = "AECEnv[str, Observation, int]"


def env(**options: Any) -> Wrapped:
    """The environment as PettingZoo's tools expect it: an illegal action loses the game."""
    return wrappers.OrderEnforcingWrapper(TurnByTurnEnv(**options))


def raw_env(**options: Any) -> "TurnByTurnEnv":
    """The environment itself: an illegal action raises ``ValueError`` and changes nothing."""
    return TurnByTurnEnv(**{"illegal": "raise", **options})


class TurnByTurnEnv(AECEnv[str, Observation, int], EzPickle):
    """A game in which one agent is asked at a time.

    After an announcement the other crew is asked first and may trigger a mine; waiting is action 0.
    """

    def __init__(
        self,
        rulebook: str = USUAL_RULEBOOK,
        level: Level = "crew",
        render_mode: str | None = None,
        illegal: Literal["lose", "raise"] = "lose",
        **options: Any,
    ) -> None:
        EzPickle.__init__(self, rulebook, level, render_mode, illegal, **options)
        super().__init__()
        self.table = EnvTable(Variant(rulebook, Mode.TURN_BY_TURN, level), **options)
        self.metadata = {
            "name": self.table.name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(
                f"render_mode is one of {', '.join(RENDER_MODES)}, not {render_mode!r}"
            )
        self.render_mode, self.illegal = render_mode, illegal
        self.possible_agents = list(self.table.names)
        self.observation_spaces = self.table.observation_spaces
        self.action_spaces = self.table.action_spaces
        self.state_space = self.table.state_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 (PettingZoo's signature)
        """Begin a new game."""
        self.table.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {name: {} for name in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self.table.asked.asked[0]]

    def step(self, action: int | None) -> None:
        """Take the selected agent's action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        asked = self.table.asked
        if action is None or not 0 <= action < arrays.ACTIONS:
            raise ValueError(f"{agent}: there is no action {action}; see docs/actions.md")
        # Only the end of a game is rewarded, so there is nothing to add up before.
        self._cumulative_rewards[agent] = 0
        if self.illegal == "lose" and action not in asked.offers[0]:
            self.finish(GAME_OVER, self.table.lost_by(agent))
        else:
            asked.step([int(action)])
            if asked.ended:
                self.finish(asked.ended, self.table.rewards())
            else:
                self.agent_selection = self.possible_agents[asked.asked[0]]
        if self.render_mode == "human":
            self.render()

    def finish(self, ended: int, rewards: dict[str, int]) -> None:
        """Tell all agents that the game is over."""
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, ended == GAME_OVER)
        self.truncations = dict.fromkeys(self.agents, ended == CUT_SHORT)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and what it is offered if it is the one that is asked."""
        return self.table.observe(agent)

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
