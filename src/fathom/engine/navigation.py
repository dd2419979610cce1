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
from fathom.engine.game import DOCK, Game, Helm
from fathom.engine.orders import Dive, DrawFirst, Place, RunSilent, SetCourse
from fathom.engine.refusals import Refused
from fathom.engine.seaway import blacked_out, on_sea, open_water, why_blocked
from fathom.engine.systems import failure, usable
from fathom.engine.tempo import (
    Events,
    acknowledged,
    before_course,
    free_to_act,
    not_over,
    pens_down,
)
from fathom.points import Points, shift
from fathom.words import SILENCE, Crew


def place(game: Game, crew: Crew, order: Place) -> Events:
    """Mark the start; it may be changed until the captain dives (start.place)."""
    not_over(game)
    if game.ground.chart.starts is not None:
        raise Refused("scenario.corners")
    if game.public.phase != "placing" or game.public.dived[crew]:
        raise Refused("start.place")
    on_sea(game, order.at)
    if game.ground.book.old_mine_blocks and game.public.old_mines >> order.at & 1:
        raise Refused("scenario.old-mines")
    return [Placed(crew, order.at)]


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


def set_course(game: Game, crew: Crew, order: SetCourse) -> Events:
    """Sail one point, clear of land and of the route already sailed (move.course)."""
    free_to_act(game, crew)
    before_course(game)
    acknowledged(game, crew)
    helm = game.boats[crew].helm
    ahead = shift(1 << helm.at, order.heading.step)
    if not ahead & open_water(game, helm):
        raise Refused(why_no_course(game, helm, ahead))
    return [CourseSet(crew, order.heading), *finishing(game, crew, ahead)]


def why_no_course(game: Game, helm: Helm, ahead: Points) -> str:
    """The rule that forbids the way ahead."""
    if game.ground.book.blackout and blacked_out(game, helm):
        return "move.blackout"
    return why_blocked(game, helm, ahead)


def finishing(game: Game, crew: Crew, entered: Points) -> Events:
    """The end, if the scenario is won by reaching one of these points (end.goal)."""
    return [GameEnded(crew, "end.goal")] if entered & game.ground.finish else []


def run_silent(game: Game, crew: Crew, order: RunSilent) -> Events:
    """Move in a straight line, unheard (silence.move, silence.one)."""
    usable(game, crew, SILENCE)
    acknowledged(game, crew)
    book = game.ground.book
    in_range = book.silence_least <= order.distance <= book.silence_most
    if not in_range or (order.heading is None) != (order.distance == 0):
        raise Refused("silence.one" if book.silence_most == 1 else "silence.move")
    way = silent_way(game, crew, order)
    if failed := failure(game, crew, SILENCE):
        return failed
    return [RanSilent(crew, order.distance, order.heading), *finishing(game, crew, way)]


def silent_way(game: Game, crew: Crew, order: RunSilent) -> Points:
    """The points that the silence enters; every one must be open."""
    if order.heading is None:
        return 0
    helm = game.boats[crew].helm
    at, way, water = 1 << helm.at, 0, open_water(game, helm)
    for _ in range(order.distance):
        at = shift(at, order.heading.step)
        if not at & water:
            raise Refused(why_blocked(game, helm, at))
        way |= at
    return way
