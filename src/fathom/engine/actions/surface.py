"""Surfacing (surface.announce, surface.erase, surface.turns)."""

from msgspec.structs import replace

from fathom.engine.action import (
    EVERYONE,
    MARKING,
    SAILING,
    Action,
    EventRules,
    Key,
    Listed,
    line,
)
from fathom.engine.actions.end_turn import TurnEnded
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import only
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.ending import Damaged, sinking
from fathom.engine.game import Duty, Engine, Game, Helm, Public, Radio, Stop, Trace
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import acting, owes_marks
from fathom.points import Point
from fathom.words import Crew


class Surface(Order, frozen=True, tag="surface"):
    """Surface (surface.announce)."""


SURFACE = Surface()


class Surfaced(Event, frozen=True, tag="surfaced"):
    """A submarine surfaced, and told its sector or its exact point."""

    crew: Crew
    sector: int | None = None
    at: Point | None = None


def hindrance(now: SeatNow) -> str:
    """Surfacing takes the place of a course; some rulebooks let it come before the marks."""
    turn = now.public.turn
    if turn is not None and turn.sailed:
        return "turn.order"
    waits = now.ground.book.acknowledge_systems and owes_marks(now.boat)
    return "move.acknowledge" if waits else ""


def surface(now: SeatNow, order: Surface) -> Events:
    """Through ice where there is ice; the turn passes."""
    struck = now.ground.special_rule.surfacing(now)
    if end := sinking(now.game, struck, now.crew):
        return struck + end
    return [*struck, told(now), *pass_turn(now)]


def told(now: SeatNow) -> Surfaced:
    """What the captain announces: the sector, or the exact point."""
    at = now.boat.helm.at
    if now.ground.book.surfacing_tells == "point":
        return Surfaced(now.crew, at=Point(at))
    return Surfaced(now.crew, sector=now.ground.sectors[at])


def pass_turn(now: SeatNow) -> Events:
    """Turn by turn, surfacing ends the turn; the enemy then takes several (surface.turns)."""
    if now.public.turn is None:
        return []
    several = now.ground.pace.surfacing == "three-turns"
    turns = now.ground.book.surfacing_turns if several else 1
    return [TurnEnded(now.crew, now.crew.other, turns)]


def surfacing_behind(game: Game, event: Surfaced | Damaged) -> Surface:
    return SURFACE


# What it does


def forget_marks(duty: Duty, event: Surfaced, ground: CompiledSetup, crew: Crew) -> Duty:
    """Marks still due are void; there are none unless the table lets surfacing come before them."""
    return Duty("none", "none", duty.barred, duty.ready)


def begin_route_anew(helm: Helm, event: Surfaced, ground: CompiledSetup, crew: Crew) -> Helm:
    return replace(helm, route=(helm.at,), covered=1 << helm.at, silent=0)


def erase_breakdowns(engine: Engine, event: Surfaced, ground: CompiledSetup, crew: Crew) -> Engine:
    """In real time they are erased when the hull is traced."""
    return engine if ground.tracing else Engine()


def lock(radio: Radio, event: Surfaced, ground: CompiledSetup, crew: Crew) -> Radio:
    return replace(radio, locked=True) if ground.tracing else radio


def begin_trace(
    trace: Trace | None, event: Surfaced, ground: CompiledSetup, crew: Crew
) -> Trace | None:
    return Trace(ground.engineer_seat[crew]) if ground.tracing else None


def surfaced(public: Public, event: Surfaced, ground: CompiledSetup) -> Public:
    """Only the family game's surfacing in real time stops play, and it dives at once."""
    if ground.pace.surfacing == "signal":
        return replace(public, stop=Stop(event.crew))
    if ground.pace.surfacing == "pass":
        return public
    afloat = public.surfaced.put(event.crew, True)
    dives = public.dived.put(event.crew, not ground.tracing)
    return replace(public, surfaced=afloat, dived=dives)


ACTIONS = (
    Action(
        order=Surface,
        posts=captains,
        when=acting,
        hindrance=hindrance,
        stages=lambda setup: SAILING if setup.book.acknowledge_systems else SAILING | MARKING,
        free_at=SAILING,
        choices=only(SURFACE),
        otherwise=lambda now, order: "",
        happens=surface,
        listed=Listed(playing=110),
        keys=(Key(place=15, names=lambda now: (("surface", SURFACE),)),),
        begins_with=(Surfaced, Damaged),
        behind=surfacing_behind,
    ),
)

EVENTS = (
    EventRules(
        event=Surfaced,
        heard=EVERYONE,
        own={
            "duty": forget_marks,
            "helm": begin_route_anew,
            "engine": erase_breakdowns,
            "radio": lock,
            "trace": begin_trace,
        },
        public=surfaced,
        lines=(
            line("{crew} surfaces in sector {sector:number}", at=None),
            line("{crew} surfaces on {at:point}", sector=None),
        ),
    ),
)
