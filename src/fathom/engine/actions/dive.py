"""Diving: to begin the game, and after a surfacing in real time (start.place, surface.dive)."""

from collections.abc import Iterable

from msgspec.structs import replace

from fathom.engine.action import (
    EVERYONE,
    NO_STAGE,
    WAITING,
    Action,
    EventRules,
    Key,
    Listed,
    line,
)
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import only
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import DOCK, Duty, Game, Helm, Public, Radio, Trace, Turn
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import once_over
from fathom.words import Crew


class Dive(Order, frozen=True, tag="dive"):
    """Dive: to begin the game, and after a surfacing in real time."""


DIVE = Dive()


class Dived(Event, frozen=True, tag="dived"):
    """A submarine dived."""

    crew: Crew


class PlayBegan(Event, frozen=True, tag="play-began"):
    """Both have dived; turn by turn, ``first`` begins."""

    first: Crew | None


def hindrance(now: SeatNow) -> str:
    """A start is marked; or the hull is traced and the engineer has reported ready."""
    public, trace = now.public, now.boat.trace
    if public.phase == "placing":
        return "start.place" if public.dived[now.crew] or now.boat.helm.at == DOCK else ""
    if public.stop is not None:
        return "system.stop"
    return "" if trace is not None and trace.ready else "surface.dive"


def dive(now: SeatNow, order: Dive) -> Events:
    if now.public.phase == "playing":
        return [Dived(now.crew)]
    public = now.public
    return [Dived(now.crew), *beginning(now.game, public.dived[now.crew.other], public.first)]


def beginning(game: Game, both_dived: bool, first: Crew | None) -> Events:
    """Play begins when both have dived and, turn by turn, it is known who is first."""
    if not both_dived:
        return []
    if game.ground.real_time:
        return [PlayBegan(None)]
    return [PlayBegan(first)] if first else []


def keys(now: SeatNow) -> Iterable[tuple[str, Order]]:
    """Nobody who is under way asks why they may not dive."""
    afloat = now.boat.trace is not None
    return (("dive", DIVE),) if afloat or now.public.phase == "placing" else ()


# What it does


def await_course(duty: Duty, event: Dived, ground: CompiledSetup, crew: Crew) -> Duty:
    """After diving, some rulebooks want a course before any system (surface.then-system)."""
    if ground.book.system_after_dive or duty.barred:
        return duty
    return replace(duty, barred="surface.then-system")


def arm_mines(helm: Helm, event: Dived, ground: CompiledSetup, crew: Crew) -> Helm:
    return replace(helm, unarmed=0) if helm.unarmed else helm


def unlock(radio: Radio, event: Dived, ground: CompiledSetup, crew: Crew) -> Radio:
    return replace(radio, locked=False) if radio.locked else radio


def put_sheet_away(
    trace: Trace | None, event: Dived, ground: CompiledSetup, crew: Crew
) -> Trace | None:
    return None


def dived(public: Public, event: Dived, ground: CompiledSetup) -> Public:
    return replace(
        public,
        dived=public.dived.put(event.crew, True),
        surfaced=public.surfaced.put(event.crew, False),
    )


def play_began(public: Public, event: PlayBegan, ground: CompiledSetup) -> Public:
    return replace(public, phase="playing", turn=Turn(event.first) if event.first else None)


ACTIONS = (
    Action(
        order=Dive,
        posts=captains,
        when=once_over,
        hindrance=hindrance,
        choices=only(DIVE),
        otherwise=lambda now, order: hindrance(now),
        happens=dive,
        listed=Listed(placing=20, playing=190),
        stages=lambda setup: WAITING if setup.tracing else NO_STAGE,
        keys=(Key(place=30, names=keys),),
        begins_with=(Dived,),
    ),
)

EVENTS = (
    EventRules(
        event=Dived,
        heard=EVERYONE,
        own={
            "duty": await_course,
            "helm": arm_mines,
            "radio": unlock,
            "trace": put_sheet_away,
        },
        public=dived,
        lines=(line("{crew} dives"),),
    ),
    EventRules(
        event=PlayBegan,
        heard=EVERYONE,
        public=play_began,
        lines=(line("play begins", first=None), line("play begins with {first:crew}")),
    ),
)
