"""Laying a mine next to the submarine (mine.lay)."""

from msgspec.structs import replace

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import by_point
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Helm
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.seaway import off_sea
from fathom.engine.sheet_changes import activation, stop_play
from fathom.engine.systems import system_action
from fathom.points import Point, Points, blast
from fathom.words import CAPTAIN, MINE, Crew, Kind


class LayMine(Order, frozen=True, tag="mine"):
    """Lay a mine on a neighbouring point (mine.lay)."""

    at: Point


class MineLaid(Event, frozen=True, tag="mine-laid"):
    """A mine was laid."""

    crew: Crew
    at: Point


class MineLaidHeard(Event, frozen=True, tag="mine-laid-somewhere"):
    """A mine was laid; nobody outside knows where."""

    crew: Crew


def mine_points(now: SeatNow) -> Points:
    """Where this crew may lay a mine: next to it, sea, off its route, no mine of its own there."""
    helm = now.boat.helm
    taken = helm.covered | helm.mines | now.public.old_mines | now.public.lava
    return blast(1 << helm.at) & now.ground.water & ~taken


def otherwise(now: SeatNow, order: LayMine) -> str:
    if rule := off_sea(now, order.at):
        return rule
    return "scenario.old-mines" if now.public.old_mines >> order.at & 1 else "mine.lay"


def lay(now: SeatNow, order: LayMine) -> Events:
    return now.ground.special_rule.after_weapon(now, [MineLaid(now.crew, order.at)])


def keep_mine(helm: Helm, event: MineLaid, ground: CompiledSetup, crew: Crew) -> Helm:
    mine = 1 << event.at
    unarmed = helm.unarmed | (mine if ground.book.mine_armed == "next-turn" else 0)
    return replace(helm, mines=helm.mines | mine, unarmed=unarmed)


def hear(event: MineLaid) -> MineLaidHeard:
    return MineLaidHeard(event.crew)


ACTIONS = (
    system_action(
        MINE,
        Kind.RED,
        order=LayMine,
        posts=captains,
        choices=by_point(LayMine, mine_points),
        otherwise=otherwise,
        happens=lay,
        playing=30,
        tried=lambda now: LayMine(Point(now.boat.helm.at)),
        begins_with=MineLaid,
    ),
)

EVENTS = (
    EventRules(
        event=MineLaid,
        heard=hear,
        own=activation(MINE) | {"helm": keep_mine},
        post=CAPTAIN,
        aboard=hear,
        lines=(line("{crew} lays a mine on {at:point}"),),
    ),
    EventRules(
        event=MineLaidHeard,
        heard=EVERYONE,
        own=activation(MINE),
        public=stop_play,
        remnant=True,
        lines=(line("{crew} lays a mine"),),
    ),
)
