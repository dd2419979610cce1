"""What a scenario's module says about its special rule; a chart names it as ``special``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fathom.engine.action import PublicChange
from fathom.engine.base import Event, Events, Order
from fathom.points import Points
from fathom.rules.terrain import PLAIN, Terrain

if TYPE_CHECKING:
    from fathom.engine.compiled_setup import CompiledSetup
    from fathom.engine.seat_now import SeatNow
    from fathom.rules.chart import Chart


def adds_nothing(setup: CompiledSetup) -> None:
    """The set-up is compiled without anything of the scenario's own."""


def nothing_happens(now: SeatNow) -> Events:
    """Surfacing is as everywhere."""
    return []


def nothing_follows(now: SeatNow, events: Events) -> Events:
    """Nothing comes after the events of a weapon."""
    return events


def sees_clearly(now: SeatNow, sector: int) -> bool:
    """A drone is not hindered anywhere."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SpecialRule:
    """A special rule: its name, and what happens where and when the engine asks for it."""

    terrain: Terrain
    """Its name, and what the marks of its charts mean."""
    orders: tuple[type[Order], ...] = ()
    """Orders that only its games have."""
    has_system: bool = False
    """Whether its gauge charges a system of its own (scenario.gauge)."""
    in_service: Callable[[CompiledSetup], int] | None = None
    """The systems that may be used from the start; without it, all."""
    compile: Callable[[CompiledSetup], None] = adds_nothing
    """Adds to the compiled set-up what its rule needs."""
    surfacing: Callable[[SeatNow], Events] = nothing_happens
    """What happens to a submarine that surfaces, before it does."""
    after_weapon: Callable[[SeatNow, Events], Events] = nothing_follows
    """The events of a mine laid or a torpedo fired, with what follows from them."""
    drone_blinded: Callable[[SeatNow, int], bool] = sees_clearly
    """Whether a drone finds out nothing in a sector."""
    courses: Callable[[SeatNow, Points], Points] | None = None
    """Of the neighbouring points that are open, those that a course may lead to."""
    course_rule: str = ""
    """The rule that bars the others."""
    drawn: Callable[[Chart], dict[str, Any]] = lambda chart: {}
    """What a client draws on its charts: fields of ``server.wire.Sea``."""
    announced: dict[type[Event], PublicChange] = field(default_factory=dict)
    """What announcements of other modules do to what everyone knows, beside their own change."""


SPECIAL_RULES: dict[str, SpecialRule] = {PLAIN.name: SpecialRule(terrain=PLAIN)}
"""By their names."""


def brought_by_scenarios() -> Iterable[type[Order]]:
    """The orders that only some scenario's games have."""
    return (kind for scenario in SPECIAL_RULES.values() for kind in scenario.orders)
