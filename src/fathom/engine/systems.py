"""What all activations share: who may use a system when, and what becomes of a broken one."""

from functools import lru_cache, reduce
from operator import or_

from fathom.engine.events import SystemFailed
from fathom.engine.game import Boat, Game
from fathom.engine.ground import Ground
from fathom.engine.refusals import heed
from fathom.engine.seaway import blacked_out
from fathom.engine.tempo import Events, hindrance, owes_marks
from fathom.words import Crew, System


def usable(game: Game, crew: Crew, system: System) -> None:
    """The crew may activate the system now, if it is not broken."""
    may_activate(game, crew)
    heed(lacking(game.public.in_service[crew], charged(game.ground, game.boats[crew]), system))


def lacking(in_service: int, ready: int, system: System) -> str:
    """The rule by which a system can't be used at any moment: out of service, or not charged."""
    if not in_service & system.bit:
        return "system.disabled"
    return "" if ready & system.bit else "system.charged"


def may_activate(game: Game, crew: Crew) -> None:
    """An activation may come now."""
    heed(activation_hindrance(game, crew, game.boats[crew]))


def activation_hindrance(game: Game, crew: Crew, boat: Boat) -> str:
    """The rule that keeps a crew from activating anything now (turn.order, system.once)."""
    return hindrance(game, crew) or moment_hindrance(game, crew, boat)


def moment_hindrance(game: Game, crew: Crew, boat: Boat) -> str:
    """The same for a crew that may act."""
    book, turn = game.ground.book, game.public.turn
    if book.activations == "whole-turn":
        return ""
    if turn is not None and not turn.sailed:
        return "turn.order"
    if book.acknowledge_systems and owes_marks(boat):
        return "move.acknowledge"
    if barred := boat.duty.barred:
        return barred
    return "" if book.blackout_systems or not blacked_out(game, boat.helm) else "move.blackout"


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
    boat = game.boats[crew]
    if not broken(game.ground, boat) & system.bit:
        return []
    heed(failure_hindrance(game, boat))
    return [SystemFailed(crew, system)]


def failure_hindrance(game: Game, boat: Boat) -> str:
    """The rule by which a broken system is refused; where it would fail, marks that are due."""
    if game.ground.book.broken_system == "refused":
        return "system.intact"
    return "move.acknowledge" if owes_marks(boat) else ""
