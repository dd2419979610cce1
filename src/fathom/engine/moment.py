"""A seat at one moment of a game: what its choices are worked out from, looked up once."""

from typing import Final

from msgspec import Struct

from fathom.engine.game import Boat, Game
from fathom.engine.systems import moment_hindrance
from fathom.engine.tempo import hindrance
from fathom.words import CAPTAIN, Crew, Seat

CAPTAIN_BIT: Final = CAPTAIN.bit


class Moment(Struct, frozen=True, gc=False):
    """What a seat has at hand, and what keeps it from using it."""

    game: Game
    seat: Seat
    crew: Crew
    boat: Boat
    posts: int
    systems: int
    """The systems of this game that its posts could use."""
    hindrance: str
    """The rule that keeps its crew from acting, if it has anything to do with that."""
    bar: str
    """The rule that keeps its crew from activating anything; the same, if it may not act."""


def moment(game: Game, seat: Seat) -> Moment:
    """All of it, as it is now."""
    crew, rule, bar = seat.crew, "", ""
    boat = game.boats[crew]
    posts, systems = game.ground.held[crew][seat.number]
    if systems or posts & CAPTAIN_BIT:
        rule = hindrance(game, crew)
        bar = rule or moment_hindrance(game, crew, boat)
    return Moment(game, seat, crew, boat, posts, systems, rule, bar)
