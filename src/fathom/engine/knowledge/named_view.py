"""A view as clients get it: names instead of masks. It knows the view and no more."""

from functools import cache, lru_cache
from typing import Final

from msgspec import Struct

from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import (
    DOCK,
    Awaited,
    ChargeDue,
    CrossDue,
    Duty,
    Engine,
    Film,
    Gauges,
    Helm,
    Public,
    Radio,
    Result,
    Stop,
    Trace,
    Turn,
)
from fathom.engine.knowledge.heard import Announcement
from fathom.engine.knowledge.view import Drawing, View
from fathom.points import Point, bits, members
from fathom.words import SYSTEMS, ByCrew, Crew, Post, Seat, System

Names = tuple[Point, ...]
SYSTEM_NAMES: Final = tuple(system.value for system in SYSTEMS)


class PublicPortrait(Struct, frozen=True):
    """What everyone sees."""

    phase: str
    first: Crew | None
    dived: ByCrew[bool]
    surfaced: ByCrew[bool]
    turn: Turn | None
    stop: Stop | None
    awaited: Awaited | None
    damage: ByCrew[int]
    in_service: ByCrew[tuple[System, ...]]
    old_mines: Names
    volcano_marks: ByCrew[int]
    volcano_events: int
    smoke: int
    lava: Names
    result: Result | None


class HelmPortrait(Struct, frozen=True):
    """The captain's chart."""

    at: Point | None
    route: Names
    silent: Names
    mines: Names
    unarmed: Names


class GaugesPortrait(Struct, frozen=True):
    """Filled boxes by system, or the energy."""

    boxes: dict[str, int]
    energy: int


class DutyPortrait(Struct, frozen=True):
    """What the crew waits for."""

    charge: ChargeDue
    cross: CrossDue
    barred: str
    ready: tuple[System, ...]


class EnginePortrait(Struct, frozen=True):
    """The symbols crossed out."""

    crossed: tuple[str, ...]


class RadioPortrait(Struct, frozen=True):
    """The transparent sheets and the tape."""

    films: tuple[Film, ...]
    tape: tuple[Announcement, ...]
    locked: bool


class Portrait(Struct, frozen=True, omit_defaults=True):
    """A seat's view; sheets that it may not look at are absent."""

    public: PublicPortrait
    seat: Seat | None = None
    posts: tuple[Post, ...] = ()
    duty: DutyPortrait | None = None
    helm: HelmPortrait | None = None
    gauges: GaugesPortrait | None = None
    engine: EnginePortrait | None = None
    radio: RadioPortrait | None = None
    trace: Trace | None = None
    enemy_hull: Drawing | None = None


def portray(ground: CompiledSetup, view: View) -> Portrait:
    """The view in words."""
    seat = view.seat
    return Portrait(
        public=portray_public(view.public),
        seat=seat,
        posts=ground.setup.crews[seat.crew].seats[seat.number].posts if seat else (),
        duty=portray_duty(ground, view.duty) if view.duty else None,
        helm=portray_helm(ground, view.helm) if view.helm else None,
        gauges=portray_gauges(ground, view.gauges) if view.gauges else None,
        engine=portray_engine(ground, view.engine) if view.engine else None,
        radio=portray_radio(view.radio) if view.radio else None,
        trace=view.trace,
        enemy_hull=view.enemy_hull,
    )


def portray_public(public: Public) -> PublicPortrait:
    return PublicPortrait(
        phase=public.phase,
        first=public.first,
        dived=public.dived,
        surfaced=public.surfaced,
        turn=public.turn,
        stop=public.stop,
        awaited=public.awaited,
        damage=public.damage,
        in_service=public.in_service.map(systems),
        old_mines=members(public.old_mines),
        volcano_marks=public.volcano_marks,
        volcano_events=public.volcano_events,
        smoke=public.smoke,
        lava=members(public.lava),
        result=public.result,
    )


def portray_duty(_: CompiledSetup, duty: Duty) -> DutyPortrait:
    return DutyPortrait(duty.charge, duty.cross, duty.barred, systems(duty.ready))


def portray_helm(_: CompiledSetup, helm: Helm) -> HelmPortrait:
    return HelmPortrait(
        at=None if helm.at == DOCK else Point(helm.at),
        route=tuple(map(Point, helm.route)),
        silent=members(helm.silent),
        mines=members(helm.mines),
        unarmed=members(helm.unarmed),
    )


def portray_gauges(ground: CompiledSetup, gauges: Gauges) -> GaugesPortrait:
    filled = zip(SYSTEM_NAMES, gauges.boxes, ground.boxes, strict=True)
    return GaugesPortrait({name: marks for name, marks, boxes in filled if boxes}, gauges.energy)


def portray_engine(ground: CompiledSetup, engine: Engine) -> EnginePortrait:
    return EnginePortrait(crossed_names(ground.symbol_names, engine.crossed))


@lru_cache(512)
def crossed_names(names: tuple[str, ...], crossed: int) -> tuple[str, ...]:
    """The symbols crossed out, in the sheet's order."""
    return tuple([names[place] for place in bits(crossed)])


def portray_radio(radio: Radio) -> RadioPortrait:
    return RadioPortrait(radio.films, radio.tape, radio.locked)


@cache
def systems(held: int) -> tuple[System, ...]:
    """The systems of a set."""
    return tuple(system for system in SYSTEMS if held & system.bit)
