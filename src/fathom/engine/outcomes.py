"""What each mark would do that the engineer may make now, before it is made."""

from typing import Literal

from msgspec import Struct

from fathom.engine.engineering import DamageBy, consequence, free_symbols
from fathom.engine.game import Boat, Game
from fathom.engine.ground import Ground
from fathom.engine.moment import Moment, moment
from fathom.engine.tempo import mark_hindrance
from fathom.points import bits
from fathom.words import ENGINEER, Crew, Kind, Seat

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
NOTHING = Mark("nothing")
BREAKS = {kind: Mark("breaks", kind=kind) for kind in (Kind.RED, Kind.GREEN, Kind.YELLOW)}


def outcomes(game: Game, seat: Seat) -> Marks:
    """For each symbol that ``seat`` may cross out now, what that would do."""
    return outcomes_in(moment(game, seat))


def outcomes_in(now: Moment) -> Marks:
    """The same for a seat at a moment."""
    boat, ground = now.boat, now.game.ground
    if not now.posts & ENGINEER.bit or not free(now.game, now.crew, boat):
        return {}
    names, crossed = ground.symbol_names, boat.engine.crossed
    places = bits(free_symbols(ground, boat.duty.cross, crossed))
    return {names[place]: outcome(ground, crossed, place) for place in places}


def free(game: Game, crew: Crew, boat: Boat) -> bool:
    """Whether a symbol is due, and may be crossed out now."""
    return boat.duty.cross not in ("none", "empty") and not mark_hindrance(game, crew)


def outcome(ground: Ground, crossed: int, place: int) -> Mark:
    """What crossing out the symbol at ``place`` would do."""
    circuit, cause = consequence(ground, crossed | 1 << place, place)
    if circuit:
        return Mark("mends", circuit=circuit)
    if cause:
        return Mark("damage", cause=cause)
    if ground.radiation >> place & 1:
        return RADIATION
    return newly_broken(ground, crossed, place)


def newly_broken(ground: Ground, crossed: int, place: int) -> Mark:
    """The colour that the symbol breaks, if it is the first of it (breakdown.kinds)."""
    symbols, kind = ground.kind_of[place]
    return NOTHING if symbols & crossed else BREAKS[kind]
