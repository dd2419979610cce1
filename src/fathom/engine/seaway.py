"""Where a submarine may go."""

from fathom.engine.game import Game
from fathom.engine.refusals import Refused
from fathom.points import Points, cross
from fathom.words import Crew


def on_sea(game: Game, point: int) -> None:
    """The point is on the chart and is sea."""
    if not game.ground.chart_points >> point & 1:
        raise Refused("chart.points")
    if not game.ground.water & ~game.public.lava & 1 << point:
        raise Refused("chart.islands")


def open_water(game: Game, crew: Crew) -> Points:
    """Where this crew's submarine may sail to: no land, no route, no mine in its way."""
    helm, book = game.boats[crew].helm, game.ground.book
    blocked = helm.covered | game.public.lava
    if book.own_mine_blocks:
        blocked |= helm.mines
    if book.old_mine_blocks:
        blocked |= game.public.old_mines
    return game.ground.water & ~blocked


def blacked_out(game: Game, crew: Crew) -> bool:
    """Whether no course is legal (move.blackout)."""
    return not cross(1 << game.boats[crew].helm.at) & open_water(game, crew)


def why_blocked(game: Game, crew: Crew, ahead: Points) -> str:
    """The rule that forbids entering a point."""
    if not ahead & game.ground.chart_points:
        return "move.edge"
    if not ahead & game.ground.water & ~game.public.lava:
        return "move.islands"
    if ahead & game.public.old_mines and game.ground.book.old_mine_blocks:
        return "scenario.old-mines"
    return "move.no-crossing" if ahead & game.boats[crew].helm.covered else "move.own-mine"
