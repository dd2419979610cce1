"""Why not: for what a seat would naturally press and may not now, the rule that forbids it.

Each rule is the one by which ``decide`` refuses an order of that kind, for nothing: so nobody
learns more here than from trying. What may be pressed is not named, and neither is what this
game does not have.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from fathom.engine import orders as say
from fathom.engine.game import DOCK, Boat, Game, Helm
from fathom.engine.gauges import chargeable
from fathom.engine.ground import Ground
from fathom.engine.legal import silence_orders
from fathom.engine.moment import Moment, moment
from fathom.engine.navigation import why_no_course
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.engine.refusals import Refused
from fathom.engine.repairs import repairable
from fathom.engine.seaway import open_water
from fathom.engine.systems import broken, charged, failure_hindrance, lacking
from fathom.engine.tempo import mark_hindrance, owes_marks
from fathom.engine.weapons import mine_points, torpedo_points, trigger_hindrance
from fathom.points import Point, shift
from fathom.words import (
    CAPTAIN,
    FIRST_MATE,
    HEADINGS,
    MINE,
    SCENARIO,
    SILENCE,
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

COURSES: Final = tuple((heading, f"course {heading.value}") for heading in HEADINGS)
IN_REAL_TIME: Final = (*(key for _, key in COURSES), "surface")
TURN_BY_TURN: Final = (*IN_REAL_TIME, "end-turn")


def hindered(game: Game, seat: Seat) -> Hindered:
    """What ``seat`` may not do now, each with the rule that forbids it."""
    return hindered_in(moment(game, seat))


def hindered_in(now: Moment) -> Hindered:
    """The same for a seat at a moment."""
    game, crew, boat, posts = now.game, now.crew, now.boat, now.posts
    ground = game.ground
    if not posts & ORDERING or game.public.result is not None:
        return {}
    if now.hindrance:
        found = all_of(now.systems, steered(ground, posts), now.hindrance).copy()
    else:
        found = systems(now)
        if posts & CAPTAIN_BIT:
            found |= steering(game, boat)
    if posts & CAPTAIN_BIT:
        if rule := diving(game, crew, boat):
            found["dive"] = rule
        if ground.systems & MINE.bit and (rule := triggering(game, crew, boat)):
            found["trigger"] = rule
    if posts & MATE_BIT and ground.gauged:
        found |= charging(game, crew, boat)
    return found


def steered(ground: Ground, posts: int) -> tuple[str, ...]:
    """What a captain steers by."""
    if not posts & CAPTAIN_BIT:
        return ()
    return IN_REAL_TIME if ground.real_time else TURN_BY_TURN


@lru_cache(256)
def all_of(systems: int, others: tuple[str, ...], rule: str) -> Hindered:
    """Everything forbidden by one rule; not to be changed."""
    return dict.fromkeys((*(name for _, name in systems_in(systems)), *others), rule)


# The helm


def steering(game: Game, boat: Boat) -> Hindered:
    """Courses, surfacing and the end of the turn, for a crew that may act."""
    turn, due = game.public.turn, owes_marks(boat)
    if turn is not None and turn.sailed:
        rules = dict.fromkeys(IN_REAL_TIME, "turn.order")
        return {**rules, "end-turn": "turn.order"} if due else rules
    found = {} if turn is None else {"end-turn": "turn.order"}
    if not due:
        return found | courses(game, boat.helm)
    found |= dict.fromkeys(IN_REAL_TIME, "move.acknowledge")
    if not game.ground.book.acknowledge_systems:
        del found["surface"]
    return found


def courses(game: Game, helm: Helm) -> Hindered:
    """The ways that are not open."""
    at, water = 1 << helm.at, open_water(game, helm)
    return {
        key: why_no_course(game, helm, ahead)
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
    if rule := trigger_hindrance(game, crew, boat):
        return rule
    if not helm.mines:
        return "mine.trigger"
    return "" if helm.mines & ~helm.unarmed else "mine.armed"


# Systems


def systems(now: Moment) -> Hindered:
    """The systems that the seat of a crew that may act could use, but not now."""
    if now.bar:
        return all_of(now.systems, (), now.bar).copy()
    found: Hindered = {}
    game = now.game
    in_service, ready = game.public.in_service[now.crew], charged(game.ground, now.boat)
    for system, name in systems_in(now.systems):
        if rule := lacking(in_service, ready, system) or using(now, system):
            found[name] = rule
    return found


@lru_cache(64)
def systems_in(held: int) -> tuple[tuple[System, str], ...]:
    """The systems of a set, each with its name."""
    return tuple((system, system.value) for system in SYSTEMS if held & system.bit)


def using(now: Moment, system: System) -> str:
    """Why not use a system that is charged: no target, a mark that is due, or a breakdown."""
    game, crew, boat = now.game, now.crew, now.boat
    if system is SILENCE and owes_marks(boat):
        return "move.acknowledge"
    if system in TARGETS and not TARGETS[system](game, crew):
        return refusal(game, now.seat, missing_target(game, crew, system))
    return failure_hindrance(game, boat) if broken(game.ground, boat) & system.bit else ""


def has_way(game: Game, crew: Crew) -> bool:
    """Whether a silence is possible, if only on the spot."""
    helm = game.boats[crew].helm
    return game.ground.book.silence_least == 0 or bool(silence_orders(game, helm))


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
    full = gauged & ~disabled & ~chargeable(game, crew, boat)
    found = dict.fromkeys(gauge_names(full), "charge.full")
    return found | dict.fromkeys(gauge_names(disabled), "system.disabled")


@lru_cache(64)
def gauge_names(systems: int) -> tuple[str, ...]:
    return tuple(f"charge {name}" for _, name in systems_in(systems))
