"""The game turn by turn for OpenSpiel: ``pyspiel.load_game("fathom")`` once this is imported.

Players are the two crews. Who begins is drawn by a chance node. States are cloned cheaply, since
the engine's games are immutable.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import cache
from random import Random
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from fathom.belief.resampling.determiniser import Determiniser, NoSample, OwnOrder, crew_hears
from fathom.core import observation
from fathom.core.actions import BLOCKS, COUNT, WAIT, action_of
from fathom.core.asked import AskedGame, Dice, Terms, seen
from fathom.core.events import COLUMNS, encode
from fathom.core.observation import Memory
from fathom.engine.events import AnyEvent
from fathom.engine.knowledge.announce import announce
from fathom.env.arrays import as_planes
from fathom.env.ids import Variant, setup_for
from fathom.rules.setup import USUAL_RULEBOOK, Setup
from fathom.words import CREWS, Crew, Mode, Referee

try:
    import pyspiel
except ImportError as missing:
    raise ImportError(
        "fathom.env.spiel needs OpenSpiel: run `pip install 'fathom-sonar[lab]'`"
    ) from missing

LIMIT: Final = 500
"""Orders after which a game is a draw."""
DRAWS: Final = 20
"""Histories that are drawn for one state."""

GAME_TYPE: Final = pyspiel.GameType(
    short_name="fathom",
    long_name="Fathom, a submarine duel",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rulebook": USUAL_RULEBOOK, "scenario": "", "limit": LIMIT},
)


class FathomGame(pyspiel.Game):
    """The game of one rulebook and scenario."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**GAME_TYPE.parameter_specification, **(params or {})}
        self.limit = int(chosen["limit"])
        variant = Variant(str(chosen["rulebook"]), Mode.TURN_BY_TURN, "crew")
        self.setup = setup_for(variant, scenario=str(chosen["scenario"]) or None)
        info = pyspiel.GameInfo(
            num_distinct_actions=COUNT,
            max_chance_outcomes=len(CREWS),
            num_players=len(CREWS),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            # After an order the other crew may be asked once, and wait.
            max_game_length=2 * self.limit,
        )
        super().__init__(GAME_TYPE, info, params or {})

    def new_initial_state(self) -> FathomState:
        """The state in which it is drawn who begins."""
        return FathomState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> FathomObserver:
        """Who turns states into tensors and strings."""
        recall = bool(iig_obs_type and iig_obs_type.perfect_recall)
        return FathomObserver(self, params, recall=recall)


@cache
def beginning_with(setup: Setup, first: Crew) -> Setup:
    """The set-up when it is drawn who begins."""
    return replace(setup, first=first)


class SpielGame(AskedGame):
    """A game under way, and what each crew has done and heard."""

    def __init__(self, setup: Setup, limit: int) -> None:
        self.done: tuple[list[tuple[int, ...]], ...] = ([], [])
        """Of each crew its own actions and all announcements, in order, as rows of numbers."""
        self.heard: tuple[list[tuple[AnyEvent, ...]], ...] = ([], [])
        """What each order sounded like to each crew."""
        self.actions: list[int] = []
        self.determiners: dict[int, Determiniser] = {}
        super().__init__(setup, Dice(0), Terms(limit=limit), again=False)

    def happen(self, events: Any) -> None:
        """Let each crew hear what it may."""
        # What a crew learns of itself beyond the announcements follows from its own actions.
        said = [news for event in events if (news := announce(event)) is not None]
        rows = [(HEARD_ROW, *encode(self.setup, news)) for news in said]
        for number, crew in enumerate(CREWS):
            self.done[number].extend(rows)
            if heard := crew_hears(crew, events):
                self.heard[number].append(heard)
        super().happen(events)

    def act(self, action: int) -> None:
        """The action of the crew that is asked."""
        self.done[self.asked[0]].append((OWN_ROW, action, *NO_COLUMNS))
        self.actions.append(action)
        self.step([action])

    def __deepcopy__(self, memo: Any) -> SpielGame:
        """The engine's states are immutable, so there is little to copy."""
        twin = copy(self)
        twin.memory = copy(self.memory)
        twin.waited = set(self.waited)
        twin.done = tuple(map(list, self.done))
        twin.heard = tuple(map(list, self.heard))
        twin.actions = list(self.actions)
        twin.determiners = {}
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """OpenSpiel pickles states to serialise them: the actions are enough."""
        return duel_after, (self.setup, self.terms.limit, tuple(self.actions))

    def determiner(self, player: int) -> Determiniser:
        """The determiniser of a crew, up to now."""
        found = self.determiners.get(player)
        if found is None:
            found = self.determiners[player] = Determiniser(self.setup, CREWS[player])
        for heard in self.heard[player][len(found.heard) :]:
            found.hear(heard)
        return found


def duel_after(setup: Setup, limit: int, actions: tuple[int, ...]) -> SpielGame:
    """The game after these actions."""
    duel = SpielGame(setup, limit)
    for action in actions:
        duel.act(action)
    return duel


OWN_ROW, HEARD_ROW = 1, 2
NO_COLUMNS: Final = (0,) * (COLUMNS - 1)
ROW: Final = 1 + COLUMNS


class FathomState(pyspiel.State):
    """A game at one moment."""

    def __init__(self, game: FathomGame) -> None:
        super().__init__(game)
        self.spiel_game = SharedGame(game)
        self.duel: SpielGame | None = None

    def begun(self) -> SpielGame:
        """The game, once it is known who begins."""
        if self.duel is None:
            raise ValueError("it is not drawn yet who begins")
        return self.duel

    def current_player(self) -> int:
        """Who is asked."""
        if self.duel is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.duel.ended else self.duel.asked[0]

    def _legal_actions(self, player: int) -> list[int]:
        duel = self.begun()
        return sorted(duel.offers[0]) if not duel.ended and duel.asked[0] == player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Either crew begins."""
        return [(number, 1 / len(CREWS)) for number in range(len(CREWS))]

    def _apply_action(self, action: int) -> None:
        if self.duel is None:
            game = self.spiel_game.game
            self.duel = SpielGame(beginning_with(game.setup, CREWS[action]), game.limit)
        else:
            self.duel.act(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"crew {CREWS[action].value} begins"
        return action_name(action)

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.duel is not None and bool(self.duel.ended)

    def returns(self) -> list[float]:
        """What each crew has won: 1, -1 or 0."""
        return [0.0, 0.0] if self.duel is None else [float(won) for won in self.duel.rewards]

    def __str__(self) -> str:
        if self.duel is None:
            return "drawing who begins"
        from fathom.env.pictures import text  # noqa: PLC0415 (Pillow is not needed for play)

        return text(self.duel.game)

    def resample_from_infostate(
        self, player: int, sampler: Callable[[], float] | None = None
    ) -> FathomState:
        """A state that the player can't tell from this one, drawn by the determiniser."""
        if self.duel is None:
            return self.clone()  # type: ignore[no-any-return]
        chance = Random(sampler() if sampler else None)
        for _ in range(DRAWS):
            sampled = self.duel.determiner(player).resample(chance)
            state = self.replayed(player, sampled.history)
            if state is not None:
                return state
        raise NoSample(f"no history fits what player {player} knows, after {DRAWS} tries")

    def replayed(self, player: int, history: tuple[OwnOrder, ...]) -> FathomState | None:
        """The state after a history, with the crews' waiting; none if it can't be asked for so."""
        duel = self.begun()
        state = self.spiel_game.game.new_initial_state()
        first = duel.setup.first
        state.apply_action(CREWS.index(first) if first else 0)
        # A broken system fails alike whatever it was aimed at, but a crew knows its own orders.
        own = (row[1] for row in duel.done[player] if row[0] == OWN_ROW and row[1] != WAIT)
        for given in history:
            if isinstance(given.by, Referee):
                continue
            by = CREWS.index(given.by.crew)
            action = next(own) if by == player else action_of(duel.setup, given.order)
            if not wait_for(state, by) or action not in state.legal_actions():
                return None
            state.apply_action(action)
        alike = wait_for(state, self.current_player())
        known = state.begun().done[player] == duel.done[player]
        return state if alike and known else None


def wait_for(state: FathomState, player: int) -> bool:
    """Let others wait until a player is asked; whether that can be."""
    while state.current_player() != player:
        if state.is_terminal() or WAIT not in state.legal_actions():
            return False
        state.apply_action(WAIT)
    return True


class SharedGame:
    """A game that is not copied with the states that refer to it."""

    def __init__(self, game: FathomGame) -> None:
        self.game = game

    def __deepcopy__(self, memo: Any) -> SharedGame:
        """The same."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """By its name and parameters."""
        return shared_game, (str(self.game),)


def shared_game(name: str) -> SharedGame:
    """The game with this name."""
    return SharedGame(pyspiel.load_game(name))


@cache
def action_name(action: int) -> str:
    """An action in words."""
    block = next(b for b in BLOCKS.values() if b.start <= action < b.stop)
    order = block.orders[action - block.start]
    fields = (getattr(order, field) for field in getattr(order, "__struct_fields__", ()))
    told = [str(getattr(value, "value", value)) for value in fields if value is not None]
    return " ".join([block.name, *told])


class FathomObserver:
    """Tensors and strings of what a crew sees; with perfect recall, also all that it knows."""

    def __init__(self, game: FathomGame, params: Any, *, recall: bool) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        chart = game.setup.chart
        self.recall, self.setup = recall, game.setup
        shapes: dict[str, tuple[int, ...]] = {
            "player": (len(CREWS),),
            "planes": (len(observation.PLANES), chart.down, chart.across),
            "vector": (observation.VECTOR_SIZE,),
        }
        if recall:
            shapes["history"] = (4 * game.limit, ROW)
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, Any] = {}
        start = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def set_from(self, state: FathomState, player: int) -> None:
        """Fill the tensor."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        duel = state.duel
        if duel is None:
            return
        planes, vector = self.seen_by(duel, player)
        self.dict["planes"][:] = as_planes(planes, self.setup)
        self.dict["vector"][:] = np.frombuffer(vector, np.uint8)
        if self.recall and duel.done[player]:
            # The newest come first, so that what does not fit is the oldest.
            rows = duel.done[player][: -len(self.dict["history"]) - 1 : -1]
            self.dict["history"][: len(rows)] = rows

    @staticmethod
    def seen_by(duel: SpielGame, player: int) -> tuple[list[int], bytes]:
        """What a crew sees now."""
        view, ground = seen(duel.game, CREWS[player]), duel.game.ground
        memory: Memory = duel.memory
        return observation.planes(ground, view), observation.vector(ground, view, memory)

    def string_from(self, state: FathomState, player: int) -> str:
        """What a crew sees, or with perfect recall all that it did and heard."""
        duel = state.duel
        if duel is None:
            return f"crew {player}"
        if not self.recall:
            planes, vector = self.seen_by(duel, player)
            shown = ",".join(f"{points:x}" for points in planes)
            return f"crew {player} sees {shown} {vector.hex()}"
        first = duel.setup.first
        told = ";".join(",".join(map(str, row)) for row in duel.done[player])
        return f"crew {player}, crew {first.value if first else '-'} began: {told}"


pyspiel.register_game(GAME_TYPE, FathomGame)
