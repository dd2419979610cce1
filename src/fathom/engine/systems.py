"""What all activations share: who may use a system when, and what becomes of a broken one."""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any

from msgspec.structs import replace

from fathom.engine.action import (
    EVERYONE,
    MARKING,
    SAILED,
    SAILING,
    Action,
    EndsTurn,
    EventRules,
    Key,
    Listed,
    line,
    marks_made,
)
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import ActionChoices
from fathom.engine.compiled_setup import CompiledSetup, keep
from fathom.engine.game import Boat, Duty, Public, Stop
from fathom.engine.seat_now import SeatNow
from fathom.engine.seaway import blacked_out
from fathom.engine.who_may_act import acting, owes_marks
from fathom.words import Crew, Kind, System


class SystemFailed(Event, frozen=True, tag="system-failed"):
    """A broken system was ordered and did not work (breakdown.misuse)."""

    crew: Crew
    system: System


def system_action(  # noqa: PLR0913  (the fields of an action that systems do not share)
    system: System,
    colour: Kind,
    *,
    order: type[Order],
    posts: Callable[[CompiledSetup, Crew], int],
    choices: ActionChoices,
    otherwise: Callable[[SeatNow, Any], str],
    happens: Callable[[SeatNow, Any], Events],
    playing: int,
    tried: Callable[[SeatNow], Order],
    begins_with: type[Event],
    ends_turn: EndsTurn = marks_made,
) -> Action:
    """The action of an order that uses a system. ``tried`` is the order behind its one key."""
    name = system.value
    return Action(
        order=order,
        posts=posts,
        when=acting,
        hindrance=too_early,
        stages=stages_of_systems,
        choices=choices,
        otherwise=otherwise,
        happens=happens,
        system=system,
        colour=colour,
        listed=Listed(playing=playing),
        keys=(Key(place=system.index, names=lambda now: ((name, tried(now)),)),),
        ends_turn=ends_turn,
        begins_with=(begins_with,),
    )


def activating(now: SeatNow) -> str:
    """The rule that keeps a crew from activating anything now (turn.order, system.once)."""
    return acting(now) or too_early(now)


def stages_of_systems(setup: CompiledSetup) -> int:
    """Turn by turn an activation comes after the course, or in its place."""
    stages = SAILED if not (setup.real_time or setup.whole_turn) else SAILED | SAILING
    return stages if setup.book.acknowledge_systems else stages | MARKING


def too_early(now: SeatNow) -> str:
    """The same for a crew that may act."""
    book, turn, boat = now.ground.book, now.public.turn, now.boat
    whole_turn = now.ground.whole_turn
    if turn is not None and not turn.sailed and not whole_turn:
        return "turn.order"
    due = owes_marks(boat)
    if due and book.acknowledge_systems:
        return "move.acknowledge"
    if whole_turn:
        # The course was the turn; it only lasts until its marks are made.
        return "turn.order" if due and turn is not None and turn.sailed else ""
    if barred := boat.duty.barred:
        return barred
    return "" if book.blackout_systems or not blacked_out(now) else "move.blackout"


def lacking(now: SeatNow, system: System) -> str:
    """The rule by which a system can't be used at any moment: out of service, or not charged."""
    if not now.public.in_service[now.crew] & system.bit:
        return "system.disabled"
    return "" if charged(now) & system.bit else "system.charged"


def charged(now: SeatNow) -> int:
    """The systems whose gauge is full or, in the family game, paid for by the energy, as a set."""
    ground = now.ground
    return ground.affordable[now.boat.gauges.energy] if ground.energy else now.boat.duty.ready


def broken(ground: CompiledSetup, boat: Boat) -> int:
    """The systems of whose colour a symbol is crossed out, as a set (breakdown.kinds)."""
    crossed = boat.engine.crossed
    found = ground.broken.get(crossed)
    if found is None:
        found = reduce(
            or_, (systems for symbols, systems in ground.colours if symbols & crossed), 0
        )
        keep(ground.broken, crossed, found)
    return found


def at_hand(now: SeatNow) -> int:
    """The systems that could be ordered, but for the moment: in service, charged, not refused."""
    ready = charged(now)
    if not ready:
        return 0
    systems = ready & now.public.in_service[now.crew]
    out_of_order = broken(now.ground, now.boat)
    return systems & ~out_of_order if out_of_order and broken_hindrance(now) else systems


def broken_hindrance(now: SeatNow) -> str:
    """The rule by which a broken system is refused; where it would fail, marks that are due."""
    if now.ground.book.broken_system == "refused":
        return "system.intact"
    return "move.acknowledge" if owes_marks(now.boat) else ""


# What a failure does


def owe_radiation(duty: Duty, event: SystemFailed, ground: CompiledSetup, crew: Crew) -> Duty:
    return replace(duty, barred="system.once", cross="radiation")


def stop_for_marks(public: Public, event: Event, ground: CompiledSetup) -> Public:
    """Play stops in real time, until the crew has made its marks (system.stop)."""
    if not ground.real_time:
        return public
    crew: Crew = event.crew  # type: ignore[attr-defined]
    return replace(public, stop=Stop(crew, marks=ground.book.acknowledge))


EVENTS = (
    EventRules(
        event=SystemFailed,
        heard=EVERYONE,
        own={"duty": owe_radiation},
        public=stop_for_marks,
        awaits=True,
        lines=(line("{crew} orders {system}, and it fails"),),
    ),
)
