"""Where a submarine may go."""

from fathom.engine.game import Game, Helm
from fathom.engine.refusals import Refused
from fathom.points import Points, cross


def on_sea(game: Game, point: int) -> None:
    """The point is on the chart and is sea."""
    if not game.ground.chart_points >> point & 1:
        raise Refused("chart.points")
    if not game.ground.water & ~game.public.lava & 1 << point:
        raise Refused("chart.islands")


def open_water(game: Game, helm: Helm) -> Points:
    """Where a submarine may sail to: no land, no route, no mine in its way."""
    ground, public = game.ground, game.public
    blocked = helm.covered | public.lava
    if ground.book.own_mine_blocks:
        blocked |= helm.mines
    if ground.book.old_mine_blocks:
        blocked |= public.old_mines
    return ground.water & ~blocked


def blacked_out(game: Game, helm: Helm) -> bool:
    """Whether no course is legal (move.blackout)."""
    return not cross(1 << helm.at) & open_water(game, helm)


def why_blocked(game: Game, helm: Helm, ahead: Points) -> str:
    """The rule that forbids entering a point."""
    if not ahead & game.ground.chart_points:
        return "move.edge"
    if not ahead & game.ground.water & ~game.public.lava:
        return "move.islands"
    if ahead & game.public.old_mines and game.ground.book.old_mine_blocks:
        return "scenario.old-mines"
    return "move.no-crossing" if ahead & helm.covered else "move.own-mine"
