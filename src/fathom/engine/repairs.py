"""Repairing the systems of a damaged submarine (scenario.damaged)."""

from fathom.engine.events import SystemRepaired
from fathom.engine.game import Game
from fathom.engine.orders import RepairSystem
from fathom.engine.refusals import Refused
from fathom.engine.systems import failure, may_activate, usable
from fathom.engine.tempo import Events
from fathom.words import SCENARIO, Crew


def repair_system(game: Game, crew: Crew, order: RepairSystem) -> Events:
    """Put a system into service, next to the island that belongs to it."""
    if game.ground.chart.special != "damaged":
        may_activate(game, crew)
        raise Refused("scenario.damaged")
    usable(game, crew, SCENARIO)
    if not repairable(game, crew) & order.system.bit:
        raise Refused("scenario.damaged")
    return failure(game, crew, SCENARIO) or [SystemRepaired(crew, order.system)]


def repairable(game: Game, crew: Crew) -> int:
    """The systems out of service whose island is next to the submarine, as a set."""
    at = game.boats[crew].helm.at
    near = sum(1 << place for place, shore in enumerate(game.ground.repair_at) if shore >> at & 1)
    return near & game.ground.systems & ~game.public.in_service[crew]
