"""Marking the start (start.place)."""

from fathom.engine.action import ABOARD, Action, EventRules, Listed, line
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import by_point
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Helm, placed
from fathom.engine.posts import captains
from fathom.engine.scenarios.corners import given_starts
from fathom.engine.seat_now import SeatNow
from fathom.engine.seaway import off_sea
from fathom.engine.who_may_act import once_over
from fathom.points import Point, Points
from fathom.words import CAPTAIN, Crew


class Place(Order, frozen=True, tag="place"):
    """Mark the point where the submarine starts (start.place)."""

    at: Point


class Placed(Event, frozen=True, tag="placed"):
    """A captain marked the start."""

    crew: Crew
    at: Point


def hindrance(now: SeatNow) -> str:
    """The captain may change the mark until they dive."""
    if rule := given_starts(now):
        return rule
    free = now.public.phase == "placing" and not now.public.dived[now.crew]
    return "" if free else "start.place"


def starts(now: SeatNow) -> Points:
    """Any sea point, unless an old mine blocks it."""
    taken = now.public.old_mines if now.ground.old_mine_blocks else 0
    return now.ground.water & ~taken


def otherwise(now: SeatNow, order: Place) -> str:
    return off_sea(now, order.at) or "scenario.old-mines"


def place(now: SeatNow, order: Place) -> Events:
    return [Placed(now.crew, order.at)]


def mark_start(helm: Helm, event: Placed, ground: CompiledSetup, crew: Crew) -> Helm:
    return placed(event.at)


ACTIONS = (
    Action(
        order=Place,
        posts=captains,
        when=once_over,
        hindrance=hindrance,
        choices=by_point(Place, starts),
        otherwise=otherwise,
        happens=place,
        listed=Listed(placing=10),
        begins_with=(Placed,),
    ),
)

EVENTS = (
    EventRules(
        event=Placed,
        heard=ABOARD,
        own={"helm": mark_start},
        post=CAPTAIN,
        lines=(line("{crew} starts on {at:point}"),),
    ),
)
