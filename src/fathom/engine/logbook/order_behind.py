"""From events back to the order that brought them about, and to who gave it."""

from collections.abc import Iterator
from typing import Any

from fathom.engine.action import Action
from fathom.engine.base import Event, Order
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Game
from fathom.engine.referee import legal
from fathom.engine.registry import ACTIONS
from fathom.engine.systems import SystemFailed
from fathom.words import REFEREE, Crew, Referee, Seat

Giver = Seat | Referee


def usual_giver(ground: CompiledSetup, event: Event) -> Giver:
    """Who gives orders that begin with ``event``, where the event alone tells."""
    kind, crew = order_kind(event), crew_behind(event)
    if kind is None or crew is None:
        return REFEREE
    seat: int | None = getattr(event, "seat", None)
    if seat is not None:
        return Seat(crew, seat)
    allowed = ground.allowed[crew].get(kind, 0)
    seats = (number for number, posts in enumerate(ground.posts[crew]) if posts & allowed)
    return Seat(crew, next(seats, 0))


def order_kind(event: Event) -> type[Order] | None:
    """The kind of order that begins with ``event``, if any does."""
    return next((action.order for action in beginning_with(event)), None)


def beginning_with(event: Any) -> Iterator[Action]:
    """The actions that may begin with an event: a broken system's, whatever was ordered."""
    for action in ACTIONS.values():
        if isinstance(event, SystemFailed):
            if action.system is event.system:
                yield action
        elif type(event) in action.begins_with and action.may_begin(event):
            yield action


def crew_behind(event: Event) -> Crew | None:
    """The crew whose order it was; none if it was the referee's or the event doesn't tell."""
    action = next(beginning_with(event), None)
    if action is None:
        return getattr(event, "crew", None)
    return action.crew_behind(event)


def order_behind(game: Game, by: Giver, event: Event) -> Order | None:
    """The order that begins with ``event``, or one that comes to the same, if there is any."""
    found = [action for action in beginning_with(event) if action.in_play(game.ground)]
    if isinstance(event, SystemFailed):
        # Whatever it was aimed at, it failed in the same way.
        kinds = {action.order for action in found}
        return next((order for order in legal(game, by) if type(order) in kinds), None)
    if not found:
        return None
    action = found[0]
    return action.behind(game, event) if action.behind else say_it(action.order, event)


def say_it(kind: type[Order], event: Any) -> Order:
    """The order of this kind with the event's values."""
    return kind(**{field: getattr(event, field) for field in kind.__struct_fields__})
