"""Breakdowns: the engineer's sheet."""

from typing import Literal

from fathom.engine.events import CircuitMended, Damaged, SymbolCrossed
from fathom.engine.game import Game
from fathom.engine.ground import Ground
from fathom.engine.orders import CrossOut
from fathom.engine.refusals import Refused, heed
from fathom.engine.tempo import Events, mark_hindrance, sinking
from fathom.words import Crew

DamageBy = Literal["", "panel", "radiation"]


def cross_out(game: Game, crew: Crew, order: CrossOut) -> Events:
    """Cross out one symbol, with all that follows (breakdown.cross)."""
    heed(mark_hindrance(game, crew))
    boat, ground = game.boats[crew], game.ground
    due = boat.duty.cross
    if due == "none":
        raise Refused("breakdown.cross")
    if due == "empty":
        return pretend(crew, order)
    place = place_of(ground, order)
    if not free_symbols(ground, due, boat.engine.crossed) >> place & 1:
        raise Refused("breakdown.misuse" if due == "radiation" else "breakdown.cross")
    events: Events = [SymbolCrossed(crew, order.symbol)]
    events += consequences(ground, crew, boat.engine.crossed | 1 << place, place)
    return events + sinking(game, events, crew) if len(events) > 1 else events


def pretend(crew: Crew, order: CrossOut) -> Events:
    """After a silence of 0 points the engineer only pretends (silence.move)."""
    if order.symbol is not None:
        raise Refused("silence.move")
    return [SymbolCrossed(crew, None)]


def place_of(ground: Ground, order: CrossOut) -> int:
    """The symbol's place on the sheet."""
    if order.symbol is None:
        raise Refused("breakdown.cross")
    place = ground.symbols.get(order.symbol)
    if place is None:
        raise Refused("breakdown.sheet")
    return place


def free_symbols(ground: Ground, due: str, crossed: int) -> int:
    """The symbols that may be crossed out for what is due."""
    if due == "radiation":
        return ground.radiation & ~crossed
    return ground.panels.get(due, ground.all_symbols) & ~crossed


def consequences(ground: Ground, crew: Crew, crossed: int, place: int) -> Events:
    """A circuit that the mark closes mends; a full panel or all radiation does damage."""
    circuit, hurts = consequence(ground, crossed, place)
    if circuit:
        return [CircuitMended(crew, circuit)]
    return [Damaged(crew, 1, "breakdown")] if hurts else []


def consequence(ground: Ground, crossed: int, place: int) -> tuple[str, DamageBy]:
    """The circuit that the last mark mends, or by what it does damage; mostly neither."""
    circuit, hurts = ground.circuit_of[place], damage_by(ground, crossed, place)
    # A mark that closes a circuit mends it before it can damage (repair.first).
    mends = circuit is not None and not ground.circuits[circuit] & ~crossed
    if circuit is not None and mends and (ground.book.repair_first or not hurts):
        return circuit, ""
    return "", hurts


def damage_by(ground: Ground, crossed: int, place: int) -> DamageBy:
    """What the last mark filled, so that it does damage: its panel, or all radiation."""
    if not ground.panel_of[place] & ~crossed:
        return "panel"
    return "" if ground.radiation & ~crossed else "radiation"
