"""Where a submarine may go."""

from fathom.engine.seat_now import SeatNow
from fathom.points import Points


def off_sea(now: SeatNow, point: int) -> str:
    """The rule by which a point is not on the chart or no sea."""
    if not now.ground.chart_points >> point & 1:
        return "chart.points"
    return "" if now.ground.water & ~now.public.lava & 1 << point else "chart.islands"


def open_water(now: SeatNow) -> Points:
    """Where a submarine may sail to: no land, no route, no mine in its way."""
    ground, public, helm = now.ground, now.public, now.boat.helm
    blocked = helm.covered | public.lava
    if ground.own_mine_blocks:
        blocked |= helm.mines
    if ground.old_mine_blocks:
        blocked |= public.old_mines
    return ground.water & ~blocked


def open_courses(now: SeatNow) -> Points:
    """The neighbouring points that a course may lead to."""
    at = 1 << now.boat.helm.at
    ahead = (at << 1 | at >> 1 | at << 16 | at >> 16) & open_water(now)
    barred = now.ground.special_rule.courses
    return ahead if barred is None else barred(now, ahead)


def blacked_out(now: SeatNow) -> bool:
    """Whether no course is legal (move.blackout)."""
    return not open_courses(now)


def why_blocked(now: SeatNow, ahead: Points) -> str:
    """The rule that forbids entering a point."""
    if not ahead & now.ground.chart_points:
        return "move.edge"
    if not ahead & now.ground.water & ~now.public.lava:
        return "move.islands"
    if ahead & now.public.old_mines and now.ground.old_mine_blocks:
        return "scenario.old-mines"
    if ahead & now.boat.helm.covered:
        return "move.no-crossing"
    return "move.own-mine" if ahead & ~open_water(now) else now.ground.special_rule.course_rule
