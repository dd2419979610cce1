"""Breakdowns: the engineer's sheet."""

from fathom.engine.events import CircuitMended, Damaged, SymbolCrossed
from fathom.engine.game import Game
from fathom.engine.ground import Ground
from fathom.engine.orders import CrossOut
from fathom.engine.refusals import Refused, heed
from fathom.engine.tempo import Events, mark_hindrance, sinking
from fathom.words import Crew


def cross_out(game: Game, crew: Crew, order: CrossOut) -> Events:
    """Cross out one symbol, with all that follows (breakdown.cross)."""
    heed(mark_hindrance(game, crew))
    boat = game.boats[crew]
    due = boat.duty.cross
    if due == "none":
        raise Refused("breakdown.cross")
    if due == "empty":
        if order.symbol is not None:
            raise Refused("silence.move")
        return [SymbolCrossed(crew, None)]
    mark = symbol_bit(game, order)
    if not mark & free_symbols(game.ground, due, boat.engine.crossed):
        raise Refused("breakdown.misuse" if due == "radiation" else "breakdown.cross")
    events: Events = [SymbolCrossed(crew, order.symbol)]
    events += consequences(game.ground, crew, boat.engine.crossed | mark, mark)
    return events + sinking(game, events, crew)


def symbol_bit(game: Game, order: CrossOut) -> int:
    """The symbol's place on the sheet."""
    place = game.ground.symbols.get(order.symbol or "")
    if place is None:
        raise Refused("breakdown.sheet" if order.symbol else "breakdown.cross")
    return 1 << place


def free_symbols(ground: Ground, due: str, crossed: int) -> int:
    """The symbols that may be crossed out for what is due."""
    if due == "radiation":
        return ground.radiation & ~crossed
    return ground.panels.get(due, ground.all_symbols) & ~crossed


def consequences(ground: Ground, crew: Crew, crossed: int, mark: int) -> Events:
    """A circuit that closes mends; a full panel or all radiation does damage."""
    mended: Events = [
        CircuitMended(crew, name)
        for name, circuit in ground.circuits.items()
        if circuit & mark and circuit & crossed == circuit
    ]
    hurt: Events = [Damaged(crew, 1, "breakdown")] if does_damage(ground, crossed) else []
    if mended and hurt and not ground.book.repair_first:
        return hurt
    # A mark that closes a circuit mends it before it can damage (repair.first).
    return mended or hurt


def does_damage(ground: Ground, crossed: int) -> bool:
    """Whether all radiation or a whole panel is crossed out (damage.radiation, damage.panel)."""
    if ground.radiation & crossed == ground.radiation:
        return True
    return any(panel & crossed == panel for panel in ground.panels.values())
