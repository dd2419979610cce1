"""Who may act now: turns, stops, marks that are due. Each is a rule's name, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.engine import registry
from fathom.engine.action import MARKING, SAILED, SAILING, WAITING

if TYPE_CHECKING:
    from fathom.engine.game import Boat
    from fathom.engine.seat_now import SeatNow


def at_any_time(now: SeatNow) -> str:
    """Nothing keeps a seat from it."""
    return ""


def once_over(now: SeatNow) -> str:
    """The rule by which the game ended; it may not have begun."""
    result = now.public.result
    return result.why if result is not None else ""


def outside_play(now: SeatNow) -> str:
    """The rule by which the game has not begun yet or is over; empty while it is played."""
    public = now.public
    if public.phase == "playing":
        return ""
    return public.result.why if public.result is not None else "start.place"


def acting(now: SeatNow) -> str:
    """The rule that keeps a crew from acting: not its turn, surfaced, a stop, an answer awaited."""
    public = now.public
    if public.phase != "playing":
        return outside_play(now)
    if public.awaited is not None or public.stop is not None:
        return held_up_by(now)
    turn = public.turn
    if turn is not None:
        return "" if turn.crew is now.crew else "turn.yours"
    return "surface.idle" if public.surfaced[now.crew] else ""


def held_up_by(now: SeatNow) -> str:
    """The rule that keeps everyone from acting: a stop, or an answer that is awaited."""
    public = now.public
    if public.stop is not None:
        return "system.stop"
    return "" if public.awaited is None else registry.AWAITED[public.awaited.what](now.ground)


def pens_up(now: SeatNow) -> str:
    """The game is played, and no stop holds everyone's pen (system.stop)."""
    return outside_play(now) or ("" if now.public.stop is None else "system.stop")


def owes_marks(boat: Boat) -> bool:
    """Whether a mark of first mate or engineer is due."""
    duty = boat.duty
    return duty.charge != "none" or duty.cross != "none"


def marking(now: SeatNow) -> str:
    """The rule that keeps a crew from its marks; a stop that waits for them does not."""
    public = now.public
    if public.phase != "playing":
        return outside_play(now)
    stop = public.stop
    if stop is not None and not (stop.marks and stop.by is now.crew):
        return "system.stop"
    return "surface.idle" if public.turn is None and public.surfaced[now.crew] else ""


def stage_of(now: SeatNow) -> int:
    """The stage of play that a crew is at."""
    if acting(now):
        return WAITING
    duty, turn = now.boat.duty, now.public.turn
    if duty.charge != "none" or duty.cross != "none":
        return MARKING
    return SAILED if turn is not None and turn.sailed else SAILING
