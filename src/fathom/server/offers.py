"""What a seat may do now, as JSON.

It is worked out whenever its crew's sheets or what everyone sees have changed
(``CrewFragments.same_offers``). To keep offers by what they rest on, for all games with the same
rules, was tried: finding that out took longer than writing the offer.
"""

from fathom.engine.actions.cross_out import outcomes_in
from fathom.engine.game import Game
from fathom.engine.referee import may_judge, may_trace, may_write, orders_in, why_not_in
from fathom.engine.seat_now import SeatNow, seat_now
from fathom.server.wire import Offered, encode
from fathom.words import Seat


def offer_to(game: Game, seat: Seat) -> Offered:
    """What a seat may do now."""
    return offer_in(seat_now(game, seat))


def offer_in(now: SeatNow) -> Offered:
    """The same for a seat at a moment."""
    game, seat = now.game, now.seat
    if not isinstance(seat, Seat):
        raise TypeError("the referee is offered nothing")
    return Offered(
        orders_in(now),
        may_trace(game, seat) if now.boat.trace is not None else (),
        may_judge(game, seat),
        may_write(game, seat),
        why_not_in(now),
        outcomes_in(now),
    )


class SeatOffers:
    """What one seat was offered last."""

    __slots__ = ("seat", "written")

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.forget()

    def forget(self) -> None:
        """Whoever comes is offered everything."""
        self.written = b""

    def new(self, game: Game) -> bytes | None:
        """What the seat may do now, if it is not what it could do before."""
        before = self.written
        return self.written if self.now(game) != before else None

    def now(self, game: Game) -> bytes:
        """What the seat may do now."""
        self.written = encode(offer_to(game, self.seat))
        return self.written
