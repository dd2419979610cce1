"""A damaged submarine: its systems are repaired next to islands (scenario.damaged)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Order, Orders
from fathom.engine.choices import listed
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Public
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.sheet_changes import activation, stop_play
from fathom.engine.special_rule import SpecialRule
from fathom.engine.systems import system_action
from fathom.points import Points, blast, cross, members
from fathom.rules.chart import Chart
from fathom.rules.terrain import Terrain
from fathom.words import (
    DRONE,
    MINE,
    SILENCE,
    SONAR,
    SYSTEMS,
    TORPEDO,
    Crew,
    Kind,
    System,
)
from fathom.words import SCENARIO as SYSTEM

ISLANDS = {"M": MINE, "T": TORPEDO, "D": DRONE, "S": SONAR, "Q": SILENCE}
"""By the chart's marks, the systems that are repaired there."""


class RepairSystem(Order, frozen=True, tag="repair"):
    """Put a damaged system into service (scenario.damaged)."""

    system: System


class SystemRepaired(Event, frozen=True, tag="system-repaired"):
    """A damaged system is in service from now on."""

    crew: Crew
    system: System


def repairs(now: SeatNow) -> Orders:
    """The systems out of service whose island is next to the submarine."""
    at = now.boat.helm.at
    near = sum(1 << place for place, shore in enumerate(now.ground.repair_at) if shore >> at & 1)
    return repairs_of(near & now.ground.systems & ~now.public.in_service[now.crew])


@lru_cache(64)
def repairs_of(systems: int) -> Orders:
    return tuple(RepairSystem(system) for system in SYSTEMS if systems & system.bit)


def find_islands(setup: CompiledSetup) -> None:
    """Where each system can be repaired."""
    around = blast if setup.book.repair_diagonal else beside
    setup.repair_at = tuple(
        around(islands_of(setup.chart, system)) & setup.water for system in SYSTEMS
    )


def islands_of(chart: Chart, system: System) -> Points:
    """The island where a damaged ``system`` is repaired."""
    marks = frozenset(mark for mark, owner in ISLANDS.items() if owner is system)
    return chart.where(marks)


def drawn_islands(chart: Chart) -> dict[str, Any]:
    """The island of each system."""
    return {"repairs": {s.value: members(islands_of(chart, s)) for s in ISLANDS.values()}}


def problems(chart: Chart) -> Iterator[tuple[int | None, str]]:
    """Every system has an island."""
    missing = [system.value for system in ISLANDS.values() if not islands_of(chart, system)]
    if missing:
        yield None, f"no island for {', '.join(missing)}"


def beside(shore: Points) -> Points:
    return shore | cross(shore)


def system_repaired(public: Public, event: SystemRepaired, ground: CompiledSetup) -> Public:
    public = stop_play(public, event, ground)
    service = public.in_service[event.crew] | event.system.bit
    return replace(public, in_service=public.in_service.put(event.crew, service))


ACTIONS = (
    system_action(
        SYSTEM,
        Kind.YELLOW,
        order=RepairSystem,
        posts=captains,
        choices=listed(repairs),
        otherwise=lambda now, order: "scenario.damaged",
        happens=lambda now, order: [SystemRepaired(now.crew, order.system)],
        playing=70,
        tried=lambda now: RepairSystem(SYSTEM),
        begins_with=SystemRepaired,
    ),
)

EVENTS = (
    EventRules(
        event=SystemRepaired,
        heard=EVERYONE,
        own=activation(SYSTEM),
        public=system_repaired,
        lines=(line("{crew} repairs {system}"),),
    ),
)

SPECIAL_RULE = SpecialRule(
    terrain=Terrain(
        name="damaged",
        about="damaged submarines, repaired at islands (scenario.damaged)",
        land={mark: f"{system.value} island" for mark, system in ISLANDS.items()},
        gauge=3,
        problems=problems,
    ),
    orders=(RepairSystem,),
    has_system=True,
    in_service=lambda setup: SYSTEM.bit,
    compile=find_islands,
    drawn=drawn_islands,
)
