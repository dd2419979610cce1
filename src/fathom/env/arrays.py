"""Observations of games in plain Python as arrays, equal to those of the core's batches."""

from collections.abc import Collection
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from fathom.core import actions, observation
from fathom.core.asked import Agent, AskedGame, seen
from fathom.points import Points
from fathom.rules.setup import Setup
from fathom.words import CREWS, Crew

Bytes = NDArray[np.uint8]
Mask = NDArray[np.int8]
Observation = dict[str, Any]
"""``observation`` with ``planes`` and ``vector``, and ``action_mask``."""

ACTIONS: Final = actions.COUNT
"""The whole action table, docs/actions.md. No agent is offered the referee's actions at its end."""
SIDE: Final = 16


def plane_count(*, belief: bool) -> int:
    """How many planes an observation has."""
    return len(observation.PLANES) + (len(observation.BELIEF_PLANES) if belief else 0)


def observation_space(setup: Setup, *, belief: bool) -> spaces.Dict:
    """The space of one agent's observations."""
    chart = setup.chart
    planes = (plane_count(belief=belief), chart.down, chart.across)
    seen_space = spaces.Dict(
        {
            "planes": spaces.Box(0, 1, planes, np.uint8),
            "vector": spaces.Box(0, observation.MOST, (observation.VECTOR_SIZE,), np.uint8),
        }
    )
    mask = spaces.Box(0, 1, (ACTIONS,), np.int8)
    return spaces.Dict({"observation": seen_space, "action_mask": mask})


def state_space(setup: Setup, *, belief: bool) -> spaces.Box:
    """The space of ``state``."""
    planes = plane_count(belief=belief) * setup.chart.down * setup.chart.across
    size = len(CREWS) * (planes + observation.VECTOR_SIZE)
    return spaces.Box(0, observation.MOST, (size,), np.uint8)


def as_planes(sets: list[Points], setup: Setup) -> Bytes:
    """Sets of points as planes of 0 and 1."""
    packed = b"".join([points.to_bytes(SIDE * SIDE // 8, "little") for points in sets])
    unpacked = np.unpackbits(np.frombuffer(packed, np.uint8), bitorder="little")
    chart = setup.chart
    return unpacked.reshape(-1, SIDE, SIDE)[:, : chart.down, : chart.across].copy()


def observed(asked: AskedGame, agent: Agent) -> dict[str, Bytes]:
    """What an agent sees and hears, whether or not it is asked."""
    view = seen(asked.game, agent)
    planes = asked.planes_of(view, agent)
    vector = observation.vector(asked.game.ground, view, asked.memory)
    return {
        "planes": as_planes(planes, asked.setup),
        "vector": np.frombuffer(vector, np.uint8).copy(),
    }


def mask_of(offer: Collection[int]) -> Mask:
    """An offer as a mask."""
    mask = np.zeros(ACTIONS, np.int8)
    mask[list(offer)] = 1
    return mask


def state_of(asked: AskedGame) -> Bytes:
    """Everything: what both crews see, planes and vector of crew a and then those of crew b."""
    parts = [part.ravel() for crew in CREWS for part in observed(asked, crew).values()]
    return np.concatenate(parts)


def crew_of(agent: Agent) -> Crew:
    """An agent's crew."""
    return agent if isinstance(agent, Crew) else agent.crew
