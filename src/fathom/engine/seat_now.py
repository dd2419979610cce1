"""A seat at one moment of a game: what its choices are worked out from."""

from msgspec import Struct

from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Boat, Game, Public
from fathom.words import Crew, Referee, Seat


class SeatNow(Struct, frozen=True, gc=False):
    """A seat, and the parts of the game that it needs, looked up once."""

    game: Game
    seat: Seat | Referee
    crew: Crew
    """Its crew; for the referee, the crew on whose behalf they act."""
    boat: Boat
    public: Public
    ground: CompiledSetup


def seat_now(game: Game, seat: Seat) -> SeatNow:
    """The seat as it is now."""
    crew = seat.crew
    return SeatNow(game, seat, crew, game.boats[crew], game.public, game.ground)


def referee_now(game: Game, seat: Referee, crew: Crew) -> SeatNow:
    """The referee, who acts on behalf of a crew or of nobody."""
    return SeatNow(game, seat, crew, game.boats[crew], game.public, game.ground)
