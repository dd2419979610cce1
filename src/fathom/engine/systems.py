"""What all activations share: who may use a system when, and what becomes of a broken one."""

from fathom.engine.events import SystemFailed
from fathom.engine.game import Boat, Game
from fathom.engine.ground import Ground
from fathom.engine.refusals import Refused, heed
from fathom.engine.tempo import Events, acknowledged, hindrance, owes_marks
from fathom.points import cross
from fathom.words import Crew, System


def usable(game: Game, crew: Crew, system: System) -> None:
    """The crew may activate the system now, if it is not broken."""
    may_activate(game, crew)
    if not game.public.in_service[crew] & system.bit:
        raise Refused("system.disabled")
    if not charged(game.ground, game.boats[crew], system):
        raise Refused("system.charged")


def may_activate(game: Game, crew: Crew) -> None:
    """An activation may come now."""
    heed(activation_hindrance(game, crew))


def activation_hindrance(game: Game, crew: Crew) -> str:
    """The rule that keeps a crew from activating anything now (turn.order, system.once)."""
    book, turn = game.ground.book, game.public.turn
    if (rule := hindrance(game, crew)) or book.activations == "whole-turn":
        return rule
    if turn is not None and not turn.sailed:
        return "turn.order"
    if book.acknowledge_systems and owes_marks(game, crew):
        return "move.acknowledge"
    if barred := game.boats[crew].duty.barred:
        return barred
    return "" if book.blackout_systems or not blacked_out(game, crew) else "move.blackout"


def blacked_out(game: Game, crew: Crew) -> bool:
    """Whether no course is legal (move.blackout)."""
    helm = game.boats[crew].helm
    mines = helm.mines if game.ground.book.own_mine_blocks else 0
    blocked = helm.covered | game.public.lava | mines
    return not cross(1 << helm.at) & game.ground.water & ~blocked


def charged(ground: Ground, boat: Boat, system: System) -> bool:
    """Whether the gauge is full or, in the family game, the energy is there (system.charged)."""
    if ground.energy:
        return boat.gauges.energy >= ground.costs[system.index]
    return bool(boat.duty.ready & system.bit)


def broken(game: Game, crew: Crew, system: System) -> bool:
    """Whether a symbol of the system's colour is crossed out (breakdown.kinds)."""
    return bool(game.boats[crew].engine.crossed & game.ground.breaks[system.index])


def failure(game: Game, crew: Crew, system: System) -> Events:
    """Nothing if the system is intact; else it is refused, or fails (breakdown.misuse)."""
    if not broken(game, crew, system):
        return []
    if game.ground.book.broken_system == "refused":
        raise Refused("system.intact")
    acknowledged(game, crew)
    return [SystemFailed(crew, system)]
