"""Charging: the first mate's gauges."""

from fathom.engine.events import GaugeCharged, SystemReady
from fathom.engine.game import Boat, Game
from fathom.engine.orders import Charge
from fathom.engine.refusals import Refused, heed
from fathom.engine.tempo import Events, mark_hindrance
from fathom.words import Crew, System


def charge(game: Game, crew: Crew, order: Charge) -> Events:
    """Fill one box, or say that there is nothing to fill (charge.one)."""
    heed(mark_hindrance(game, crew))
    boat = game.boats[crew]
    due = boat.duty.charge
    if due == "none":
        raise Refused("charge.one")
    if order.system is None:
        if due == "box" and chargeable(game, crew, boat):
            raise Refused("charge.one")
        return [GaugeCharged(crew, None)]
    if due == "empty":
        raise Refused("silence.move")
    return fill_box(game, crew, order.system)


def fill_box(game: Game, crew: Crew, system: System) -> Events:
    """One more box; a full gauge is announced to the crew (charge.full)."""
    boxes = game.ground.boxes[system.index]
    if not boxes:
        raise Refused("scenario.gauge")
    if not game.public.in_service[crew] & system.bit:
        raise Refused("system.disabled")
    filled = game.boats[crew].gauges.boxes[system.index] + 1
    if filled > boxes:
        raise Refused("charge.full")
    if filled == boxes:
        return [GaugeCharged(crew, system), SystemReady(crew, system)]
    return [GaugeCharged(crew, system)]


def chargeable(game: Game, crew: Crew, boat: Boat) -> int:
    """The systems in service whose gauge has an empty box, as a set."""
    return game.ground.gauged & game.public.in_service[crew] & ~boat.duty.ready
