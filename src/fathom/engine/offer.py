"""What a seat is offered: all that it sees, and what it may do now."""

from msgspec import Struct

from fathom.engine.base import Orders
from fathom.engine.game import Game
from fathom.engine.knowledge.view import View, view
from fathom.engine.referee import legal, may_judge, may_trace, may_write
from fathom.words import Seat


class Offer(Struct, frozen=True, gc=False):
    """A seat's view and its choices: the same for a person and for a bot."""

    view: View
    orders: Orders
    sections: tuple[int, ...] = ()
    """The sections of the hull that it may trace."""
    judging: bool = False
    """Whether it may judge the enemy's traced hull."""
    writing: bool = False
    """Whether it may write on the transparent sheet."""


def offer(game: Game, seat: Seat) -> Offer:
    """What ``seat`` sees and may do now."""
    return Offer(
        view(game, seat),
        legal(game, seat),
        may_trace(game, seat),
        may_judge(game, seat),
        may_write(game, seat),
    )
