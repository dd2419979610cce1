"""What all activations share: who may use a system when, and what becomes of a broken one."""

from functools import lru_cache, reduce
from operator import or_

from fathom.engine.events import SystemFailed
from fathom.engine.game import Boat, Game
from fathom.engine.ground import Ground
from fathom.engine.refusals import Refused, heed
from fathom.engine.seaway import blacked_out
from fathom.engine.tempo import Events, acknowledged, hindrance, owes_marks
from fathom.words import Crew, System


def usable(game: Game, crew: Crew, system: System) -> None:
    """The crew may activate the system now, if it is not broken."""
    may_activate(game, crew)
    heed(lacking(game, crew, system))


def lacking(game: Game, crew: Crew, system: System) -> str:
    """The rule by which a system can't be used at any moment: out of service, or not charged."""
    if not game.public.in_service[crew] & system.bit:
        return "system.disabled"
    return "" if charged(game.ground, game.boats[crew]) & system.bit else "system.charged"


def may_activate(game: Game, crew: Crew) -> None:
    """An activation may come now."""
    heed(activation_hindrance(game, crew))


def activation_hindrance(game: Game, crew: Crew) -> str:
    """The rule that keeps a crew from activating anything now (turn.order, system.once)."""
    return hindrance(game, crew) or moment_hindrance(game, crew)


def moment_hindrance(game: Game, crew: Crew) -> str:
    """The same for a crew that may act."""
    book, turn = game.ground.book, game.public.turn
    if book.activations == "whole-turn":
        return ""
    if turn is not None and not turn.sailed:
        return "turn.order"
    if book.acknowledge_systems and owes_marks(game.boats[crew]):
        return "move.acknowledge"
    if barred := game.boats[crew].duty.barred:
        return barred
    return "" if book.blackout_systems or not blacked_out(game, crew) else "move.blackout"


def charged(ground: Ground, boat: Boat) -> int:
    """The systems whose gauge is full or, in the family game, paid for by the energy, as a set."""
    return ground.affordable[boat.gauges.energy] if ground.energy else boat.duty.ready


def broken(ground: Ground, boat: Boat) -> int:
    """The systems of whose colour a symbol is crossed out, as a set (breakdown.kinds)."""
    return broken_by(ground.colours, boat.engine.crossed)


@lru_cache(512)
def broken_by(colours: tuple[tuple[int, int], ...], crossed: int) -> int:
    """The same, by the symbols and systems of each colour."""
    return reduce(or_, (systems for symbols, systems in colours if symbols & crossed), 0)


def at_hand(game: Game, crew: Crew, boat: Boat) -> int:
    """The systems that could be ordered, but for the moment: in service, charged, not refused."""
    ground = game.ground
    systems = charged(ground, boat) & game.public.in_service[crew]
    if not systems or (ground.book.broken_system != "refused" and not owes_marks(boat)):
        return systems
    # A broken system is refused or, where it would fail, waits for the marks that are still due.
    return systems & ~broken(ground, boat)


def failure(game: Game, crew: Crew, system: System) -> Events:
    """Nothing if the system is intact; else it is refused, or fails (breakdown.misuse)."""
    if not broken(game.ground, game.boats[crew]) & system.bit:
        return []
    if game.ground.book.broken_system == "refused":
        raise Refused("system.intact")
    acknowledged(game, crew)
    return [SystemFailed(crew, system)]
