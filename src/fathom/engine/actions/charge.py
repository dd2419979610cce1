"""Charging: the first mate fills one box of a gauge for every course (charge.one)."""

from collections.abc import Iterable
from functools import lru_cache

from msgspec.structs import replace

from fathom.engine.action import ABOARD, MARKING, WAITING, Action, EventRules, Key, Listed, at, line
from fathom.engine.base import Event, Events, Order, Orders
from fathom.engine.choices import ActionChoices
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Duty, Gauges
from fathom.engine.posts import first_mates
from fathom.engine.seat_now import SeatNow
from fathom.engine.sheet_changes import MarkAcknowledged
from fathom.engine.who_may_act import marking
from fathom.words import FIRST_MATE, SYSTEMS, Crew, System


class Charge(Order, frozen=True, tag="charge"):
    """Fill one box, or say that there is nothing to fill (charge.one)."""

    system: System | None = None


NOTHING_TO_CHARGE = Charge()


class GaugeCharged(Event, frozen=True, tag="gauge-charged"):
    """A box was filled, or there was nothing to fill."""

    crew: Crew
    system: System | None


class SystemReady(Event, frozen=True, tag="system-ready"):
    """A gauge is full, and the first mate calls it out."""

    crew: Crew
    system: System


def hindrance(now: SeatNow) -> str:
    """A box, or an empty mark, is due."""
    return "charge.one" if now.boat.duty.charge == "none" else ""


def charges(now: SeatNow) -> Orders:
    """Any gauge with an empty box; an empty mark where there is none or only a pretence is due."""
    return charges_of(0 if now.boat.duty.charge == "empty" else chargeable(now))


def can_be_charged(now: SeatNow, order: Charge) -> bool:
    boxes = 0 if now.boat.duty.charge == "empty" else chargeable(now)
    return not boxes if order.system is None else bool(boxes & order.system.bit)


@lru_cache(64)
def charges_of(systems: int) -> Orders:
    found = tuple(Charge(system) for system in SYSTEMS if systems & system.bit)
    return found or (NOTHING_TO_CHARGE,)


def chargeable(now: SeatNow) -> int:
    """The systems in service whose gauge has an empty box, as a set."""
    return now.ground.gauged & now.public.in_service[now.crew] & ~now.boat.duty.ready


def otherwise(now: SeatNow, order: Charge) -> str:
    """There is a box to fill, or none of this gauge."""
    if order.system is None:
        return "charge.one"
    if now.boat.duty.charge == "empty":
        return "silence.move"
    if not now.ground.boxes[order.system.index]:
        return "scenario.gauge"
    in_service = now.public.in_service[now.crew] & order.system.bit
    return "charge.full" if in_service else "system.disabled"


def charge(now: SeatNow, order: Charge) -> Events:
    """One more box; a full gauge is announced to the crew (charge.full)."""
    system = order.system
    charged: Events = [GaugeCharged(now.crew, system)]
    if system is None or now.boat.gauges.boxes[system.index] + 1 < now.ground.boxes[system.index]:
        return charged
    return [*charged, SystemReady(now.crew, system)]


def keys(now: SeatNow) -> Iterable[tuple[str, Order]]:
    """All gauges; while boxes are filled, those that are disabled come last."""
    gauged = now.ground.gauged
    disabled = gauged & ~now.public.in_service[now.crew]
    if not disabled or now.boat.duty.charge != "box" or marking(now):
        return keys_of(gauged)
    return keys_of(gauged & ~disabled) + keys_of(disabled)


@lru_cache(64)
def keys_of(systems: int) -> tuple[tuple[str, Order], ...]:
    found = (system for system in SYSTEMS if systems & system.bit)
    return tuple((f"charge {system.value}", Charge(system)) for system in found)


def ends_turn(setup: CompiledSetup, duty: Duty) -> bool:
    """The other mark is made, and so is the turn's activation."""
    return duty.cross == "none" and (duty.barred != "" or setup.whole_turn)


# What it does


def charge_made(duty: Duty, event: GaugeCharged, ground: CompiledSetup, crew: Crew) -> Duty:
    return Duty("none", duty.cross, duty.barred, duty.ready)


def fill(gauges: Gauges, event: GaugeCharged, ground: CompiledSetup, crew: Crew) -> Gauges:
    if event.system is None:
        return gauges
    i, boxes = event.system.index, gauges.boxes
    return Gauges((*boxes[:i], boxes[i] + 1, *boxes[i + 1 :]), gauges.energy)


def hear_ready(duty: Duty, event: SystemReady, ground: CompiledSetup, crew: Crew) -> Duty:
    return replace(duty, ready=duty.ready | event.system.bit)


ACTIONS = (
    Action(
        order=Charge,
        posts=first_mates,
        when=marking,
        hindrance=hindrance,
        stages=at(WAITING | MARKING),
        choices=ActionChoices(charges, can_be_charged),
        otherwise=otherwise,
        happens=charge,
        listed=Listed(playing=10),
        keys=(Key(place=50, names=keys, each=True),),
        ends_turn=ends_turn,
        begins_with=(GaugeCharged,),
    ),
)

EVENTS = (
    EventRules(
        event=GaugeCharged,
        heard=ABOARD,
        own={"duty": charge_made, "gauges": fill},
        post=FIRST_MATE,
        aboard=lambda event: MarkAcknowledged(event.crew, FIRST_MATE),
        lines=(line("{crew} marks nothing", system=None), line("{crew} marks {system}")),
    ),
    EventRules(
        event=SystemReady,
        heard=ABOARD,
        own={"duty": hear_ready},
        lines=(line("{crew} calls {system} ready"),),
    ),
)
