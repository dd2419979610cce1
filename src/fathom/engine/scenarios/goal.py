"""Points that win the game for the submarine that reaches one first (end.goal)."""

from fathom.engine.base import Events
from fathom.engine.ending import GameEnded
from fathom.engine.seat_now import SeatNow
from fathom.points import Points


def finishing(now: SeatNow, entered: Points) -> Events:
    """The end, if the scenario is won by reaching one of these points."""
    return [GameEnded(now.crew, "end.goal")] if entered & now.ground.finish else []
