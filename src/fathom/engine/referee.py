"""Judging orders. This knows no single order: all of it follows from what the actions say.

``decide`` is the only way into the game, and it changes nothing. ``legal`` lists the orders that
it accepts, ``why_not`` tells the rule for what a seat would naturally press and may not. Orders
that carry drawings or free words are endless and not listed.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from fathom.engine.action import Action, EndsTurn, Gate, Key
from fathom.engine.actions.cross_out import outcomes
from fathom.engine.actions.end_turn import end_of_turn
from fathom.engine.actions.judge import may_judge
from fathom.engine.actions.trace import may_trace
from fathom.engine.actions.transparent_sheet import may_write
from fathom.engine.apply import apply_all
from fathom.engine.base import Events, Order, Orders
from fathom.engine.game import Game
from fathom.engine.refusals import OrderRefused
from fathom.engine.registry import ACTIONS, AWAITING
from fathom.engine.seat_now import SeatNow, referee_now, seat_now
from fathom.engine.systems import (
    SystemFailed,
    activating,
    at_hand,
    broken,
    broken_hindrance,
    lacking,
)
from fathom.engine.who_may_act import once_over, owes_marks, stage_of
from fathom.words import CREW_A, Crew, Referee, Seat, System

__all__ = [
    "decide",
    "legal",
    "may_judge",
    "may_trace",
    "may_write",
    "orders_in",
    "outcomes",
    "why_not",
    "why_not_in",
]

NO_ACTIONS: Final[Mapping[type[Order], Action]] = {}
"""Of a seat that is not there."""
Hindrances = dict[str, str]
"""Rules' names by what they forbid: ``course N``, ``surface``, ``torpedo``, ``charge mine``."""


# Judging


def decide(game: Game, seat: Seat | Referee, order: Order) -> Events:
    """The events that ``order`` brings about; ``OrderRefused`` names the rule that forbids it."""
    if isinstance(seat, Referee):
        now, action = referees_action(game, seat, order)
    else:
        crew, ground = seat.crew, game.ground
        now = SeatNow(game, seat, crew, game.boats[crew], game.public, ground)
        found = ground.actions_of.get(seat, NO_ACTIONS).get(type(order))
        if found is None:
            raise OrderRefused(why_never(now, seat, order))
        action = found
    hindrance, system = action.hindrance, action.system
    rule = action.when(now) or (hindrance(now) if hindrance is not None else "")
    if system is not None and not rule:
        rule = lacking(now, system)
    if not rule and not action.choices.admits(now, order):
        rule = action.otherwise(now, order)
    if rule:
        raise OrderRefused(rule)
    if system is not None and broken(now.ground, now.boat) & system.bit:
        return fail(now, system)
    events = action.happens(now, order)
    ends_turn, turn = action.ends_turn, now.public.turn
    if ends_turn is None or turn is None or type(events[-1]) in AWAITING:
        return events
    return close_turn(game, turn.crew, ends_turn, events)


def fail(now: SeatNow, system: System) -> Events:
    """A broken system is refused, or does not work (breakdown.misuse)."""
    if rule := broken_hindrance(now):
        raise OrderRefused(rule)
    return [SystemFailed(now.crew, system)]


def why_never(now: SeatNow, seat: Seat, order: Order) -> str:
    """The rule that refuses an order which this seat, or this game, does not have."""
    seats, kind = now.ground.orders_of[seat.crew], type(order)
    action = ACTIONS[kind]
    if not 0 <= seat.number < len(seats) or kind not in seats[seat.number]:
        return "system.who" if action.system else "crew.orders"
    return action.hindered(now) or action.otherwise(now, order)


def referees_action(game: Game, seat: Referee, order: Order) -> tuple[SeatNow, Action]:
    """What the referee orders, on whose behalf: time and chance, which come from outside."""
    action = ACTIONS[type(order)]
    now = referee_now(game, seat, action.on_behalf(game) if action.on_behalf else CREW_A)
    if rule := once_over(now):
        raise OrderRefused(rule)
    if action.listed.referee is None:
        raise OrderRefused("crew.orders")
    if not action.in_play(game.ground):
        raise OrderRefused(action.hindered(now) or action.otherwise(now, order))
    return now, action


def close_turn(game: Game, crew: Crew, ends_turn: EndsTurn, events: Events) -> Events:
    """The events, and the turn's end if it ends by itself after them (turn.order)."""
    ground = game.ground
    over = ends_turn(ground, game.boats[crew].duty)
    if over or (ground.house.quick_ends and nothing_left(apply_all(game, events))):
        return [*events, end_of_turn(game, crew)]
    return events


def nothing_left(game: Game) -> bool:
    """For tables that choose quick ends: the marks are made and no system could be activated."""
    public = game.public
    turn = public.turn
    if turn is None or not turn.sailed or public.phase != "playing" or public.awaited is not None:
        return False
    return not owes_marks(game.boats[turn.crew]) and not could_activate(game, turn.crew)


def could_activate(game: Game, crew: Crew) -> bool:
    """Whether anyone of the crew could activate anything now."""
    now = seat_now(game, Seat(crew, 0))
    systems = 0 if activating(now) else at_hand(now)
    used = (a for a in game.ground.activations if a.system and a.system.bit & systems)
    return any(action.choices.orders(now) for action in used)


# What may be given now


def legal(game: Game, seat: Seat | Referee) -> Orders:
    """All orders that ``seat`` may give now, but for drawings and notes."""
    if isinstance(seat, Referee):
        return referee_orders(game, seat)
    crew = seat.crew
    return orders_in(SeatNow(game, seat, crew, game.boats[crew], game.public, game.ground))


def orders_in(now: SeatNow) -> Orders:
    """The same for a seat at a moment."""
    phase = now.public.phase
    plans = now.ground.plans[now.seat]
    found: Orders = ()
    plan = plans[stage_of(now) if phase == "playing" else phase]
    for when, hindrance, systems, entries, always in plan:
        # What tells most often comes first; for a list it is all the same.
        ready = at_hand(now) & systems if systems else 0
        if systems and not ready:
            continue
        if hindrance is not None and hindrance(now):
            continue
        if when is not None and when(now):
            continue
        found += always
        for system, orders in entries:
            if not systems or system & ready:
                found += orders(now)
    return found


def referee_orders(game: Game, seat: Referee) -> Orders:
    """Drawing lots, ending a stop, answering for a captain, declaring a crew lost."""
    found: Orders = ()
    if game.public.result is not None:
        return found
    for action in game.ground.referees:
        now = referee_now(game, seat, action.on_behalf(game) if action.on_behalf else CREW_A)
        if not action.hindered(now):
            found += action.choices.orders(now)
    return found


# What may not, and why


def why_not(game: Game, seat: Seat) -> Hindrances:
    """What ``seat`` would naturally press and may not now, each with the rule that forbids it.

    Each rule is the one by which ``decide`` refuses, so nobody learns more here than from trying.
    """
    return why_not_in(seat_now(game, seat))


def why_not_in(now: SeatNow) -> Hindrances:
    """The same for a seat at a moment."""
    seat = now.seat
    if isinstance(seat, Referee) or now.public.result is not None:
        return {}
    found: Hindrances = {}
    moments: dict[Gate, str] = {}
    for key, action in now.ground.pressed[seat]:
        names, when = key.names(now), action.when
        if when not in moments:
            moments[when] = when(now)
        if rule := moments[when] or (action.hindrance(now) if action.hindrance else ""):
            found |= {name: rule for name, _ in names}
        else:
            found |= refused_keys(now, key, action, names)
    return found


def refused_keys(
    now: SeatNow, key: Key, action: Action, names: Iterable[tuple[str, Any]]
) -> Hindrances:
    """The keys of an action that nothing hinders but what they are aimed at, or the system."""
    refused = refusal if key.each else refusal_of_all
    rules = ((name, refused(now, action, order)) for name, order in names)
    return {name: rule for name, rule in rules if rule}


def refusal(now: SeatNow, action: Action, order: Order) -> str:
    """The rule that forbids one order of an action that nothing hinders."""
    return "" if action.choices.admits(now, order) else action.otherwise(now, order)


def refusal_of_all(now: SeatNow, action: Action, sample: Order) -> str:
    """The rule that forbids all orders of an action, told by one of them."""
    system = action.system
    if system and (rule := lacking(now, system)):
        return rule
    if not action.choices.orders(now):
        return action.otherwise(now, sample)
    out_of_order = system and broken(now.ground, now.boat) & system.bit
    return broken_hindrance(now) if out_of_order else ""
