"""Why not: for what a seat would naturally press and may not now, the rule that forbids it.

Each rule is the one by which ``decide`` refuses an order of that kind, for nothing: so nobody
learns more here than from trying. What may be pressed is not named, and neither is what this
game does not have.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from fathom.engine import orders as say
from fathom.engine.game import DOCK, Boat, Game
from fathom.engine.gauges import chargeable
from fathom.engine.ground import Ground
from fathom.engine.legal import silence_orders
from fathom.engine.navigation import why_no_course
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.engine.refusals import Refused
from fathom.engine.repairs import repairable
from fathom.engine.seaway import open_water
from fathom.engine.systems import failure, lacking, moment_hindrance
from fathom.engine.tempo import hindrance, mark_hindrance, owes_marks
from fathom.engine.weapons import mine_points, torpedo_points, trigger_hindrance
from fathom.points import Point, shift
from fathom.words import (
    CAPTAIN,
    DRONE,
    FIRST_MATE,
    HEADINGS,
    MINE,
    SCENARIO,
    SILENCE,
    SONAR,
    SYSTEMS,
    TORPEDO,
    Crew,
    Heading,
    Seat,
    System,
)

Hindered = dict[str, str]
"""Rules' names by what they forbid: ``course N``, ``surface``, ``torpedo``, ``charge mine``."""

CAPTAIN_BIT: Final = CAPTAIN.bit
MATE_BIT: Final = FIRST_MATE.bit
ORDERING: Final = CAPTAIN_BIT | MATE_BIT
"""The posts that press anything of this kind."""
CAPTAINS: Final = MINE.bit | TORPEDO.bit | SILENCE.bit | SCENARIO.bit
DETECTION: Final = DRONE.bit | SONAR.bit

COURSES: Final = tuple((heading, f"course {heading.value}") for heading in HEADINGS)
IN_REAL_TIME: Final = (*(key for _, key in COURSES), "surface")
TURN_BY_TURN: Final = (*IN_REAL_TIME, "end-turn")


def hindered(game: Game, seat: Seat) -> Hindered:
    """What ``seat`` may not do now, each with the rule that forbids it."""
    crew, ground = seat.crew, game.ground
    posts = ground.posts[crew][seat.number]
    if not posts & ORDERING or game.public.result is not None:
        return {}
    boat, rule = game.boats[crew], hindrance(game, crew)
    held = systems_of(ground, seat, posts)
    if rule:
        found = all_of(held, steered(ground, posts), rule).copy()
    else:
        found = systems(game, seat, held)
        if posts & CAPTAIN_BIT:
            found |= steering(game, crew, boat)
    if posts & CAPTAIN_BIT:
        named(found, "dive", diving(game, crew, boat))
        if ground.systems & MINE.bit:
            named(found, "trigger", triggering(game, crew, boat))
    if posts & MATE_BIT and ground.gauged:
        found |= charging(game, crew, boat)
    return found


def systems_of(ground: Ground, seat: Seat, posts: int) -> int:
    """The systems of this game that a seat could use."""
    held = CAPTAINS if posts & CAPTAIN_BIT else 0
    if say.UseSonar in ground.orders_of[seat.crew][seat.number]:
        held |= DETECTION
    return held & ground.systems


def steered(ground: Ground, posts: int) -> tuple[str, ...]:
    """What a captain steers by."""
    if not posts & CAPTAIN_BIT:
        return ()
    return IN_REAL_TIME if ground.real_time else TURN_BY_TURN


@lru_cache(256)
def all_of(systems: int, others: tuple[str, ...], rule: str) -> Hindered:
    """Everything forbidden by one rule; not to be changed."""
    return dict.fromkeys((*system_names(systems), *others), rule)


def named(found: Hindered, key: str, rule: str) -> None:
    """Add the rule, if there is one."""
    if rule:
        found[key] = rule


# The helm


def steering(game: Game, crew: Crew, boat: Boat) -> Hindered:
    """Courses, surfacing and the end of the turn, for a crew that may act."""
    turn, due = game.public.turn, owes_marks(boat)
    if turn is not None and turn.sailed:
        rules = dict.fromkeys(IN_REAL_TIME, "turn.order")
        return {**rules, "end-turn": "turn.order"} if due else rules
    found = {} if turn is None else {"end-turn": "turn.order"}
    if not due:
        return found | courses(game, crew, boat)
    found |= dict.fromkeys(IN_REAL_TIME, "move.acknowledge")
    if not game.ground.book.acknowledge_systems:
        del found["surface"]
    return found


def courses(game: Game, crew: Crew, boat: Boat) -> Hindered:
    """The ways that are not open."""
    at, water = 1 << boat.helm.at, open_water(game, crew)
    return {
        key: why_no_course(game, crew, ahead)
        for heading, key in COURSES
        if not (ahead := shift(at, heading.step)) & water
    }


def diving(game: Game, crew: Crew, boat: Boat) -> str:
    """Why not dive; nobody asks who is under way."""
    public, trace = game.public, boat.trace
    if public.phase == "placing":
        return "start.place" if public.dived[crew] or boat.helm.at == DOCK else ""
    if trace is None:
        return ""
    if public.stop is not None:
        return "system.stop"
    return "" if trace.ready else "surface.dive"


def triggering(game: Game, crew: Crew, boat: Boat) -> str:
    """Why not set off a mine."""
    helm = boat.helm
    if rule := trigger_hindrance(game, crew):
        return rule
    if not helm.mines:
        return "mine.trigger"
    return "" if helm.mines & ~helm.unarmed else "mine.armed"


# Systems


def systems(game: Game, seat: Seat, held: int) -> Hindered:
    """The systems that the seat of a crew that may act could use, but not now."""
    crew, found = seat.crew, Hindered()
    if rule := moment_hindrance(game, crew):
        return all_of(held, (), rule).copy()
    for system in SYSTEMS:
        if held & system.bit:
            named(found, system.value, lacking(game, crew, system) or using(game, seat, system))
    return found


@lru_cache(64)
def system_names(systems: int) -> tuple[str, ...]:
    return tuple(system.value for system in SYSTEMS if systems & system.bit)


def using(game: Game, seat: Seat, system: System) -> str:
    """Why not use a system that is charged: no target, a mark that is due, or a breakdown."""
    crew = seat.crew
    if system is SILENCE and owes_marks(game.boats[crew]):
        return "move.acknowledge"
    if system in TARGETS and not TARGETS[system](game, crew):
        return refusal(game, seat, missing_target(game, crew, system))
    try:
        failure(game, crew, system)
    except Refused as refused:
        return refused.rule
    return ""


def has_way(game: Game, crew: Crew) -> bool:
    """Whether a silence is possible, if only on the spot."""
    return game.ground.book.silence_least == 0 or bool(silence_orders(game, crew))


def scenario_targets(game: Game, crew: Crew) -> int:
    """Old mines, or systems that could be repaired here."""
    if game.ground.chart.special == "old-mines":
        return game.public.old_mines
    return repairable(game, crew)


TARGETS: Final[dict[System, Callable[[Game, Crew], int]]] = {
    MINE: mine_points,
    TORPEDO: torpedo_points,
    SILENCE: has_way,
    SCENARIO: scenario_targets,
}
"""For each system that must be aimed, whether there is anything to aim at."""


def missing_target(game: Game, crew: Crew, system: System) -> AnyOrder:
    """An order for a system that has no target: aimed where the submarine is."""
    at = Point(game.boats[crew].helm.at)
    if system is MINE:
        return say.LayMine(at)
    if system is TORPEDO:
        return say.FireTorpedo(at)
    if system is SILENCE:
        return say.RunSilent(max(1, game.ground.book.silence_least), Heading.N)
    if game.ground.chart.special == "old-mines":
        return say.DetonateOldMine(at)
    return say.RepairSystem(SCENARIO)


def refusal(game: Game, seat: Seat, order: AnyOrder) -> str:
    """The rule by which the order is refused."""
    try:
        decide(game, seat, order)
    except Refused as refused:
        return refused.rule
    return ""


# Gauges


def charging(game: Game, crew: Crew, boat: Boat) -> Hindered:
    """The gauges that may not be filled now."""
    rule, due, gauged = mark_hindrance(game, crew), boat.duty.charge, game.ground.gauged
    if not rule and due != "box":
        rule = "charge.one" if due == "none" else "silence.move"
    if rule:
        return dict.fromkeys(gauge_names(gauged), rule)
    disabled = gauged & ~game.public.in_service[crew]
    full = gauged & ~disabled & ~chargeable(game, crew)
    found = dict.fromkeys(gauge_names(full), "charge.full")
    return found | dict.fromkeys(gauge_names(disabled), "system.disabled")


@lru_cache(64)
def gauge_names(systems: int) -> tuple[str, ...]:
    return tuple(f"charge {name}" for name in system_names(systems))
