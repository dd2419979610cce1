"""Breakdowns: the engineer crosses out a symbol for every course (breakdown.cross)."""

from typing import Literal

from msgspec import Struct

from fathom.engine.action import ABOARD, MARKING, WAITING, Action, EventRules, Listed, at, line
from fathom.engine.base import Event, Events, Order, Orders
from fathom.engine.choices import ActionChoices
from fathom.engine.compiled_setup import CompiledSetup, keep
from fathom.engine.ending import Damaged, sinking
from fathom.engine.game import Duty, Engine, Game
from fathom.engine.posts import engineers
from fathom.engine.seat_now import SeatNow, seat_now
from fathom.engine.sheet_changes import MarkAcknowledged
from fathom.engine.who_may_act import marking
from fathom.points import bits
from fathom.words import ENGINEER, Crew, Kind, Seat

DamageBy = Literal["", "panel", "radiation"]


class CrossOut(Order, frozen=True, tag="cross-out"):
    """Cross out one symbol, or only pretend to after a silence of 0 points (breakdown.cross)."""

    symbol: str | None = None


PRETEND = CrossOut()
PRETENCE: Orders = (PRETEND,)


class SymbolCrossed(Event, frozen=True, tag="symbol-crossed"):
    """A symbol was crossed out, or the engineer only pretended."""

    crew: Crew
    symbol: str | None


class CircuitMended(Event, frozen=True, tag="circuit-mended"):
    """All four symbols of a circuit were crossed out and are erased."""

    crew: Crew
    circuit: str


def hindrance(now: SeatNow) -> str:
    """A symbol, or a pretended mark, is due."""
    return "breakdown.cross" if now.boat.duty.cross == "none" else ""


def symbols(now: SeatNow) -> Orders:
    """Any free symbol of what is due, or the pretended mark."""
    if now.boat.duty.cross == "empty":
        return PRETENCE
    free = free_symbols(now)
    found = now.ground.crossings.get(free)
    if found is None:
        names = now.ground.symbol_names
        found = tuple(CrossOut(names[place]) for place in bits(free))
        keep(now.ground.crossings, free, found)
    return found


def is_free(now: SeatNow, order: CrossOut) -> bool:
    if order.symbol is None or now.boat.duty.cross == "empty":
        return (order.symbol is None) == (now.boat.duty.cross == "empty")
    place = now.ground.symbols.get(order.symbol)
    return place is not None and bool(free_symbols(now) >> place & 1)


def free_symbols(now: SeatNow) -> int:
    """The symbols that may be crossed out for what is due."""
    ground, due, crossed = now.ground, now.boat.duty.cross, now.boat.engine.crossed
    if due == "radiation":
        return ground.radiation & ~crossed
    return ground.panels.get(due, ground.all_symbols) & ~crossed


def otherwise(now: SeatNow, order: CrossOut) -> str:
    due = now.boat.duty.cross
    if due == "empty":
        return "silence.move"
    if order.symbol is None:
        return "breakdown.cross"
    if order.symbol not in now.ground.symbols:
        return "breakdown.sheet"
    return "breakdown.misuse" if due == "radiation" else "breakdown.cross"


def cross_out(now: SeatNow, order: CrossOut) -> Events:
    """The mark, with all that follows."""
    crew, ground = now.crew, now.ground
    events: Events = [SymbolCrossed(crew, order.symbol)]
    if order.symbol is None:
        return events
    place = ground.symbols[order.symbol]
    circuit, hurts = consequence(ground, now.boat.engine.crossed | 1 << place, place)
    if circuit:
        return [*events, CircuitMended(crew, circuit)]
    if not hurts:
        return events
    damaged = Damaged(crew, 1, "breakdown")
    return [*events, damaged, *sinking(now.game, [damaged], crew)]


def consequence(ground: CompiledSetup, crossed: int, place: int) -> tuple[str, DamageBy]:
    """The circuit that the last mark mends, or by what it does damage; mostly neither."""
    circuit, hurts = ground.circuit_of[place], damage_by(ground, crossed, place)
    # A mark that closes a circuit mends it before it can damage (repair.first).
    mends = circuit is not None and not ground.circuits[circuit] & ~crossed
    if circuit is not None and mends and (ground.book.repair_first or not hurts):
        return circuit, ""
    return "", hurts


def damage_by(ground: CompiledSetup, crossed: int, place: int) -> DamageBy:
    """What the last mark filled, so that it does damage: its panel, or all radiation."""
    if not ground.panel_of[place] & ~crossed:
        return "panel"
    return "" if ground.radiation & ~crossed else "radiation"


def ends_turn(setup: CompiledSetup, duty: Duty) -> bool:
    """The other mark is made, and so is the turn's activation."""
    return duty.charge == "none" and (duty.barred != "" or setup.whole_turn)


# What a mark would do, before it is made

Does = Literal["damage", "mends", "breaks", "radiation", "nothing"]


class Mark(Struct, frozen=True, omit_defaults=True, gc=False):
    """What crossing out one symbol would do."""

    does: Does
    cause: DamageBy = ""
    """Of damage: the panel would be full, or all radiation crossed out."""
    circuit: str = ""
    """The circuit that it would mend."""
    kind: Kind | None = None
    """The colour whose systems work now and would be broken."""


Marks = dict[str, Mark]
"""By the symbols' names."""

RADIATION = Mark("radiation")
NO_CONSEQUENCE = Mark("nothing")
BREAKS = {kind: Mark("breaks", kind=kind) for kind in (Kind.RED, Kind.GREEN, Kind.YELLOW)}


def outcomes(game: Game, seat: Seat) -> Marks:
    """For each symbol that ``seat`` may cross out now, what that would do."""
    return outcomes_in(seat_now(game, seat))


def outcomes_in(now: SeatNow) -> Marks:
    """The same for a seat at a moment."""
    ground, boat, seat = now.ground, now.boat, now.seat
    engineer = isinstance(seat, Seat) and ground.posts[seat.crew][seat.number] & ENGINEER.bit
    if not engineer or boat.duty.cross in ("none", "empty") or marking(now):
        return {}
    names, crossed = ground.symbol_names, boat.engine.crossed
    return {names[place]: outcome(ground, crossed, place) for place in bits(free_symbols(now))}


def outcome(ground: CompiledSetup, crossed: int, place: int) -> Mark:
    """What crossing out the symbol at ``place`` would do."""
    circuit, cause = consequence(ground, crossed | 1 << place, place)
    if circuit:
        return Mark("mends", circuit=circuit)
    if cause:
        return Mark("damage", cause=cause)
    if ground.radiation >> place & 1:
        return RADIATION
    return newly_broken(ground, crossed, place)


def newly_broken(ground: CompiledSetup, crossed: int, place: int) -> Mark:
    """The colour that the symbol breaks, if it is the first of it (breakdown.kinds)."""
    same_kind, kind = ground.kind_of[place]
    return NO_CONSEQUENCE if same_kind & crossed else BREAKS[kind]


# What it does


def cross_made(duty: Duty, event: SymbolCrossed, ground: CompiledSetup, crew: Crew) -> Duty:
    return Duty(duty.charge, "none", duty.barred, duty.ready)


def add_cross(engine: Engine, event: SymbolCrossed, ground: CompiledSetup, crew: Crew) -> Engine:
    return Engine(engine.crossed | 1 << ground.symbols[event.symbol]) if event.symbol else engine


def mend(engine: Engine, event: CircuitMended, ground: CompiledSetup, crew: Crew) -> Engine:
    return Engine(engine.crossed & ~ground.circuits[event.circuit])


ACTIONS = (
    Action(
        order=CrossOut,
        posts=engineers,
        when=marking,
        hindrance=hindrance,
        stages=at(WAITING | MARKING),
        choices=ActionChoices(symbols, is_free),
        otherwise=otherwise,
        happens=cross_out,
        listed=Listed(playing=20),
        ends_turn=ends_turn,
        begins_with=(SymbolCrossed,),
    ),
)

EVENTS = (
    EventRules(
        event=SymbolCrossed,
        heard=ABOARD,
        own={"duty": cross_made, "engine": add_cross},
        post=ENGINEER,
        aboard=lambda event: MarkAcknowledged(event.crew, ENGINEER),
        lines=(
            line("{crew} crosses out nothing", symbol=None),
            line("{crew} crosses out {symbol}"),
        ),
    ),
    EventRules(
        event=CircuitMended,
        heard=ABOARD,
        own={"engine": mend},
        post=ENGINEER,
        lines=(line("{crew} mends circuit {circuit}"),),
    ),
)
