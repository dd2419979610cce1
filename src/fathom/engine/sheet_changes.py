"""Changes of sheets that several events share.

A change takes a sheet, what its holder hears, the set-up and the crew: the new sheet.
"""

from typing import Any

from msgspec.structs import replace

from fathom.engine.action import ABOARD, EventRules, SheetChange, line
from fathom.engine.base import Event
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Duty, Gauges, Helm, Public, Stop
from fathom.words import ENGINEER, Crew, Post, System


class MarkAcknowledged(Event, frozen=True, tag="acknowledged"):
    """Within a crew of closed stations: first mate or engineer said "Aye!"."""

    crew: Crew
    post: Post


def activation(system: System) -> dict[str, SheetChange]:
    """What using a system does to the crew's sheets (system.once, system.spent)."""
    return {"duty": used(system), "gauges": spent(system)}


def use(duty: Duty, system: System) -> Duty:
    """The duty of a crew that has just used a system."""
    return Duty(duty.charge, duty.cross, "system.once", duty.ready & ~system.bit)


def used(system: System) -> SheetChange:
    """What using a system does to the crew's duty."""

    def note(duty: Duty, event: object, ground: CompiledSetup, crew: Crew) -> Duty:
        return use(duty, system)

    return note


def spent(system: System) -> SheetChange:
    """What using a system does to the gauges (system.spent)."""
    i = system.index

    def spend(gauges: Gauges, event: object, ground: CompiledSetup, crew: Crew) -> Gauges:
        boxes = gauges.boxes
        return Gauges((*boxes[:i], 0, *boxes[i + 1 :]), gauges.energy - ground.costs[i])

    return spend


def without_mines(helm: Helm, gone: int) -> Helm:
    """The chart of a captain who has lost the mines on these points."""
    return replace(helm, mines=helm.mines & ~gone, unarmed=helm.unarmed & ~gone)


def stop_play(public: Public, event: Any, ground: CompiledSetup) -> Public:
    """An activation stops play in real time, until nothing more is awaited (system.stop)."""
    return replace(public, stop=Stop(event.crew)) if ground.real_time else public


def hear_aye(duty: Duty, event: MarkAcknowledged, ground: CompiledSetup, crew: Crew) -> Duty:
    if event.post is ENGINEER:
        return replace(duty, cross="none")
    return replace(duty, charge="none")


EVENTS = (
    EventRules(
        event=MarkAcknowledged,
        heard=ABOARD,
        own={"duty": hear_aye},
        remnant=True,
        lines=(line("{post} of {crew} says aye"),),
    ),
)
