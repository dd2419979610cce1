"""Judging the enemy's traced hull, where the table plays so (surface.trace)."""

from fathom.engine.action import Action
from fathom.engine.actions.trace import TraceJudged
from fathom.engine.base import Events, Order
from fathom.engine.choices import endless
from fathom.engine.game import Game
from fathom.engine.posts import engineers
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import pens_up
from fathom.words import ENGINEER, Crew, Seat


class JudgeTrace(Order, frozen=True, tag="judge"):
    """Judge the enemy's traced hull: the sections that are bad (surface.trace)."""

    bad: tuple[int, ...] = ()


def may_judge(game: Game, seat: Seat) -> bool:
    """Whether this seat's engineer may judge the enemy's traced hull."""
    holds = game.ground.posts[seat.crew][seat.number] & ENGINEER.bit
    if not holds or game.public.phase != "playing" or game.public.stop is not None:
        return False
    return to_be_judged(game, seat.crew.other)


def to_be_judged(game: Game, crew: Crew) -> bool:
    """Whether a crew's hull is traced and waits for the enemy's judgement."""
    trace = game.boats[crew].trace
    if trace is None or game.ground.house.trace_judge == "program":
        return False
    return trace.complete and not trace.good


def can_be_judged(now: SeatNow, order: JudgeTrace) -> bool:
    """Sections that there are, each once and in order."""
    in_order = tuple(sorted(set(order.bad))) == order.bad and set(order.bad) <= {1, 2, 3, 4}
    return in_order and to_be_judged(now.game, now.crew.other)


def judge(now: SeatNow, order: JudgeTrace) -> Events:
    return [TraceJudged(now.crew.other, order.bad)]


ACTIONS = (
    Action(
        order=JudgeTrace,
        posts=engineers,
        when=pens_up,
        choices=endless(can_be_judged),
        otherwise=lambda now, order: "surface.trace",
        happens=judge,
        begins_with=(TraceJudged,),
        crew_behind=lambda event: event.crew.other,
    ),
)
