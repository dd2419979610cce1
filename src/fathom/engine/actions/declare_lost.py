"""The referee declares a game lost: a crew has gone, or its time is up (end.abandon, end.time)."""

from typing import Literal, get_args

from fathom.engine.action import Action, Listed
from fathom.engine.base import Events, Order, Orders
from fathom.engine.choices import listed
from fathom.engine.ending import GameEnded
from fathom.engine.game import Game
from fathom.engine.posts import nobody
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import at_any_time
from fathom.words import CREW_A, CREWS, Crew

Loss = Literal["end.abandon", "end.time"]


class DeclareLost(Order, frozen=True, tag="lost"):
    """A crew has gone (end.abandon), or its time is up (end.time)."""

    crew: Crew
    why: Loss = "end.abandon"


ABANDONED: Orders = tuple(DeclareLost(crew) for crew in CREWS)
OUT_OF_TIME: Orders = tuple(DeclareLost(crew, "end.time") for crew in CREWS)


def losses(now: SeatNow) -> Orders:
    """Only turn by turn there are clocks."""
    return ABANDONED if now.ground.real_time else ABANDONED + OUT_OF_TIME


def declare(now: SeatNow, order: DeclareLost) -> Events:
    return [GameEnded(order.crew.other, order.why)]


def loss_behind(game: Game, event: GameEnded) -> DeclareLost | None:
    if event.winner is None or event.why not in get_args(Loss):
        return None
    return DeclareLost(event.winner.other, event.why)  # type: ignore[arg-type]


ACTIONS = (
    Action(
        order=DeclareLost,
        posts=nobody,
        when=at_any_time,
        choices=listed(losses),
        otherwise=lambda now, order: "end.time",
        happens=declare,
        listed=Listed(referee=10),
        begins_with=(GameEnded,),
        may_begin=lambda event: event.why in get_args(Loss),
        crew_behind=lambda event: None,
        behind=loss_behind,
        on_behalf=lambda game: CREW_A,
    ),
)
