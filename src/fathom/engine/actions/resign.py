"""Giving the game up, at any moment (end.resign)."""

from fathom.engine.action import Action, Listed
from fathom.engine.base import Events, Order
from fathom.engine.choices import only
from fathom.engine.ending import GameEnded
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import once_over


class Resign(Order, frozen=True, tag="resign"):
    """Give the game up (end.resign)."""


RESIGN = Resign()


def resign(now: SeatNow, order: Resign) -> Events:
    return [GameEnded(now.crew.other, "end.resign")]


ACTIONS = (
    Action(
        order=Resign,
        posts=captains,
        when=once_over,
        choices=only(RESIGN),
        otherwise=lambda now, order: "",
        happens=resign,
        listed=Listed(placing=30, playing=130),
        begins_with=(GameEnded,),
        may_begin=lambda event: event.why == "end.resign",
        crew_behind=lambda event: event.winner.other if event.winner else None,
    ),
)
