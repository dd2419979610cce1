"""Placing, diving and sailing: the captain's helm."""

from fathom.engine.events import (
    CourseSet,
    Dived,
    FirstDrawn,
    GameEnded,
    Placed,
    PlayBegan,
    RanSilent,
)
from fathom.engine.game import DOCK, Game
from fathom.engine.orders import Dive, DrawFirst, Place, RunSilent, SetCourse
from fathom.engine.refusals import Refused
from fathom.engine.systems import failure, usable
from fathom.engine.tempo import (
    Events,
    acknowledged,
    before_course,
    free_to_act,
    not_over,
    pens_down,
)
from fathom.points import Points, cross, shift
from fathom.words import SILENCE, Crew


def place(game: Game, crew: Crew, order: Place) -> Events:
    """Mark the start; it may be changed until the captain dives (start.place)."""
    not_over(game)
    if game.ground.chart.starts is not None:
        raise Refused("scenario.corners")
    if game.public.phase != "placing" or game.public.dived[crew]:
        raise Refused("start.place")
    on_sea(game, order.at)
    if not game.ground.water >> order.at & 1:
        raise Refused("scenario.old-mines")
    return [Placed(crew, order.at)]


def on_sea(game: Game, point: int) -> None:
    """The point is on the chart and is sea."""
    if not game.ground.chart_points >> point & 1:
        raise Refused("chart.points")
    if not game.ground.sea & ~game.public.lava & 1 << point:
        raise Refused("chart.islands")


def dive(game: Game, crew: Crew, order: Dive) -> Events:
    """Dive to begin the game, or after the hull has been traced (start.place, surface.dive)."""
    not_over(game)
    if game.public.phase == "playing":
        return dive_again(game, crew)
    if game.public.dived[crew] or game.boats[crew].helm.at == DOCK:
        raise Refused("start.place")
    return [Dived(crew), *beginning(game, game.public.dived[crew.other], game.public.first)]


def dive_again(game: Game, crew: Crew) -> Events:
    """After a surfacing in real time."""
    pens_down(game)
    trace = game.boats[crew].trace
    if trace is None or not trace.ready:
        raise Refused("surface.dive")
    return [Dived(crew)]


def draw_first(game: Game, order: DrawFirst) -> Events:
    """The referee drew who begins (start.first)."""
    if game.public.phase != "placing" or game.public.first is not None or game.ground.real_time:
        raise Refused("start.first")
    dived = game.public.dived
    return [FirstDrawn(order.crew), *beginning(game, dived.a and dived.b, order.crew)]


def beginning(game: Game, both_dived: bool, first: Crew | None) -> Events:
    """Play begins when both have dived and, turn by turn, it is known who is first."""
    if not both_dived:
        return []
    if game.ground.real_time:
        return [PlayBegan(None)]
    return [PlayBegan(first)] if first else []


def open_water(game: Game, crew: Crew) -> Points:
    """Where this crew's submarine may sail to: no land, no route, no mine of its own."""
    helm = game.boats[crew].helm
    blocked = helm.covered | game.public.lava
    if game.ground.book.own_mine_blocks:
        blocked |= helm.mines
    return game.ground.water & ~blocked


def set_course(game: Game, crew: Crew, order: SetCourse) -> Events:
    """Sail one point, clear of land and of the route already sailed (move.course)."""
    free_to_act(game, crew)
    before_course(game)
    acknowledged(game, crew)
    here = 1 << game.boats[crew].helm.at
    ahead = shift(here, order.heading.step)
    if not ahead & open_water(game, crew):
        raise Refused(why_no_course(game, crew, here, ahead))
    return [CourseSet(crew, order.heading), *finishing(game, crew, ahead)]


def why_no_course(game: Game, crew: Crew, here: Points, ahead: Points) -> str:
    """The rule that forbids the way ahead."""
    if game.ground.book.blackout and not cross(here) & open_water(game, crew):
        return "move.blackout"
    return why_blocked(game, crew, ahead)


def why_blocked(game: Game, crew: Crew, ahead: Points) -> str:
    """The rule that forbids entering a point."""
    if not ahead & game.ground.chart_points:
        return "move.edge"
    if not ahead & game.ground.water & ~game.public.lava:
        return "move.islands"
    return "move.no-crossing" if ahead & game.boats[crew].helm.covered else "move.own-mine"


def finishing(game: Game, crew: Crew, at: Points) -> Events:
    """The end, if the scenario is won by reaching this point (end.goal)."""
    return [GameEnded(crew, "end.goal")] if at & game.ground.finish else []


def run_silent(game: Game, crew: Crew, order: RunSilent) -> Events:
    """Move in a straight line, unheard (silence.move, silence.one)."""
    usable(game, crew, SILENCE)
    acknowledged(game, crew)
    book = game.ground.book
    if not book.silence_least <= order.distance <= book.silence_most:
        raise Refused("silence.one" if book.silence_most == 1 else "silence.move")
    if (order.heading is None) != (order.distance == 0):
        raise Refused("silence.move")
    at = silent_way(game, crew, order)
    if failed := failure(game, crew, SILENCE):
        return failed
    return [RanSilent(crew, order.distance, order.heading), *finishing(game, crew, at)]


def silent_way(game: Game, crew: Crew, order: RunSilent) -> Points:
    """Where the silence ends; every point on the way must be open."""
    at = 1 << game.boats[crew].helm.at
    if order.heading is None:
        return at
    water = open_water(game, crew)
    for _ in range(order.distance):
        at = shift(at, order.heading.step)
        if not at & water:
            raise Refused(why_blocked(game, crew, at))
    return at
