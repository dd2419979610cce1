"""Ice over the whole sea: surface only in the holes, or take damage (scenario.ice)."""

from typing import Any

from fathom.engine.base import Events
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.ending import Damaged
from fathom.engine.seat_now import SeatNow
from fathom.engine.special_rule import SpecialRule
from fathom.points import members
from fathom.rules.chart import Chart
from fathom.rules.terrain import Terrain


def strike_ice(now: SeatNow) -> Events:
    """Breaking through the ice costs 1 damage first."""
    if now.ground.thin_ice >> now.boat.helm.at & 1:
        return [Damaged(now.crew, 1, "ice")]
    return []


def freeze(setup: CompiledSetup) -> None:
    """The sea is under ice where the terrain says so."""
    setup.thin_ice = setup.chart.where(setup.chart.terrain.ice)


HOLES = {"o": "hole in the ice"}


def holes(chart: Chart) -> dict[str, Any]:
    """Where surfacing through the ice is free."""
    return {"holes": members(chart.where("o"))}


SPECIAL_RULE = SpecialRule(
    terrain=Terrain(
        name="ice",
        about="under the ice: surfacing outside a hole costs damage (scenario.ice)",
        sea=HOLES,
        ice=".",
    ),
    drawn=holes,
    compile=freeze,
    surfacing=strike_ice,
)
