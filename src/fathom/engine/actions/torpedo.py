"""Firing a torpedo on a point in reach (torpedo.range, torpedo.sector)."""

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Events, Order
from fathom.engine.blasts import Explosion, explode
from fathom.engine.choices import by_point
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.seaway import off_sea
from fathom.engine.sheet_changes import activation, stop_play
from fathom.engine.systems import system_action
from fathom.points import Point, Points, reach
from fathom.words import TORPEDO, Crew, Kind


class FireTorpedo(Order, frozen=True, tag="torpedo"):
    """Fire a torpedo (torpedo.range, torpedo.sector)."""

    target: Point


class TorpedoFired(Event, frozen=True, tag="torpedo-fired"):
    """A torpedo was fired on a point."""

    crew: Crew
    target: Point


def torpedo_points(now: SeatNow) -> Points:
    """The points that a torpedo reaches."""
    ground, at = now.ground, now.boat.helm.at
    sea = ground.water & ~now.public.lava
    if ground.book.torpedo_reach == "sector":
        inside = ground.sector_points[ground.sectors[at]] & sea
    else:
        way = ground.chart_points if ground.book.torpedo_over_islands else sea
        inside = reach(1 << at, ground.book.torpedo_range, way) & sea
    return inside if ground.book.torpedo_own_point else inside & ~(1 << at)


def otherwise(now: SeatNow, order: FireTorpedo) -> str:
    by_steps = now.ground.book.torpedo_reach == "steps"
    return off_sea(now, order.target) or ("torpedo.range" if by_steps else "torpedo.sector")


def fire(now: SeatNow, order: FireTorpedo) -> Events:
    fired: Events = [TorpedoFired(now.crew, order.target)]
    fired += explode(now.game, [Explosion(order.target, "torpedo", now.crew)], now.crew)
    return now.ground.special_rule.after_weapon(now, fired)


ACTIONS = (
    system_action(
        TORPEDO,
        Kind.RED,
        order=FireTorpedo,
        posts=captains,
        choices=by_point(FireTorpedo, torpedo_points),
        otherwise=otherwise,
        happens=fire,
        playing=40,
        tried=lambda now: FireTorpedo(Point(now.boat.helm.at)),
        begins_with=TorpedoFired,
    ),
)

EVENTS = (
    EventRules(
        event=TorpedoFired,
        heard=EVERYONE,
        own=activation(TORPEDO),
        public=stop_play,
        lines=(line("{crew} fires a torpedo on {target:point}"),),
    ),
)
