"""What both PettingZoo interfaces share: a game in plain Python, its agents and its spaces."""

from collections.abc import Sequence
from secrets import randbits
from typing import Any

from gymnasium import spaces

from fathom.belief.resampling.chance import Chance
from fathom.belief.resampling.determiniser import Determiniser, crew_hears
from fathom.core.asked import AskedGame, Dice, dice_of
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game
from fathom.env import arrays
from fathom.env.arrays import Observation
from fathom.env.ids import Variant, agent_names, setup_for, terms_for
from fathom.words import CREW_A, Crew


class RecordedGame(AskedGame):
    """A game that keeps what happened, for the determiniser."""

    def begin(self) -> None:
        """A new game."""
        self.happened: list[Sequence[AnyEvent]] = []
        super().begin()

    def happen(self, events: Sequence[AnyEvent]) -> None:
        """Keep the events of an order."""
        self.happened.append(events)
        super().happen(events)


class EnvTable:
    """One game after another of a variant, for named agents."""

    def __init__(
        self,
        variant: Variant,
        *,
        max_cycles: int | None = None,
        belief: bool = False,
        pause: int = 0,
        **choices: Any,
    ) -> None:
        self.name = variant.name
        self.setup = setup_for(variant, **choices)
        self.terms = terms_for(variant, max_cycles=max_cycles, belief=belief, pause=pause)
        self.names = agent_names(self.setup, variant.level)
        self.places = {name: place for place, name in enumerate(self.names)}
        # A space is seeded for itself, so every agent has its own.
        self.observation_spaces = {
            name: arrays.observation_space(self.setup, belief=belief) for name in self.names
        }
        self.action_spaces = {name: spaces.Discrete(arrays.ACTIONS) for name in self.names}
        self.state_space = arrays.state_space(self.setup, belief=belief)
        self.dice: Dice | None = None
        self.asked: RecordedGame
        self.following: dict[Crew, tuple[Determiniser, int]] = {}
        """Each crew's determiniser, and how many orders it has heard."""

    def reset(self, seed: int | None) -> None:
        """Begin a new game. A seed sets the dice; without one they go on from the last game."""
        if seed is not None or self.dice is None:
            self.dice = dice_of(randbits(64) if seed is None else seed, 0)
        self.asked = RecordedGame(self.setup, self.dice, self.terms, again=False)
        self.following = {}

    def observe(self, name: str) -> Observation:
        """What an agent sees, and what it is offered if it is asked."""
        asked, place = self.asked, self.places[name]
        offered = place in asked.asked
        offer = asked.offers[asked.asked.index(place)] if offered else ()
        return {
            "observation": arrays.observed(asked, asked.agents[place]),
            "action_mask": arrays.mask_of(offer),
        }

    def resample(self, name: str, chance: Chance) -> Game:
        """A whole game that an agent can't tell from this one; see ``Determiniser``."""
        agent = self.asked.agents[self.places[name]]
        if not isinstance(agent, Crew):
            raise TypeError(
                f"{name} knows only a part of its crew's sheets: resample at crew level"
            )
        determiniser, count = self.following.get(agent) or (Determiniser(self.setup, agent), 0)
        for events in self.asked.happened[count:]:
            determiniser.hear(crew_hears(agent, events))
        self.following[agent] = determiniser, len(self.asked.happened)
        return determiniser.resample(chance).game

    def rewards(self) -> dict[str, int]:
        """What each agent has won by the last step: its crew's 1, -1 or 0."""
        return self.shared_out(*self.asked.rewards)

    def lost_by(self, name: str) -> dict[str, int]:
        """The rewards if an agent's crew has lost."""
        crew = arrays.crew_of(self.asked.agents[self.places[name]])
        return self.shared_out(*((-1, 1) if crew is CREW_A else (1, -1)))

    def shared_out(self, for_a: int, for_b: int) -> dict[str, int]:
        """A crew's reward for each of its agents."""
        return {
            name: for_a if arrays.crew_of(agent) is CREW_A else for_b
            for name, agent in zip(self.names, self.asked.agents, strict=True)
        }
