"""Starts that the chart gives, mostly in the corners (scenario.corners)."""

from fathom.engine.seat_now import SeatNow


def given_starts(now: SeatNow) -> str:
    """The rule by which captains don't choose their starts."""
    return "scenario.corners" if now.ground.chart.starts is not None else ""
