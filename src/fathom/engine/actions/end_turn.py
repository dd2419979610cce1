"""Ending a turn (turn.order)."""

from msgspec.structs import replace

from fathom.engine.action import (
    EVERYONE,
    SAILED,
    Action,
    EventRules,
    Key,
    Listed,
    at,
    line,
)
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import only
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Game, Helm, Public, Turn
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import acting, owes_marks
from fathom.words import Crew


class EndTurn(Order, frozen=True, tag="end-turn"):
    """End the turn (turn.order)."""


END_TURN = EndTurn()


class TurnEnded(Event, frozen=True, tag="turn-ended"):
    """A turn ended; ``next`` takes so many."""

    crew: Crew
    next: Crew
    turns: int = 1


def hindrance(now: SeatNow) -> str:
    """The course is set and its marks are made."""
    turn = now.public.turn
    over = turn is not None and turn.sailed and not owes_marks(now.boat)
    return "" if over else "turn.order"


def end_turn(now: SeatNow, order: EndTurn) -> Events:
    return [end_of_turn(now.game, now.crew)]


def end_of_turn(game: Game, crew: Crew) -> TurnEnded:
    """Who plays next: the same crew while it has turns left (surface.turns)."""
    turn = game.public.turn
    if turn is not None and turn.left:
        return TurnEnded(crew, crew, turn.left)
    return TurnEnded(crew, crew.other)


KEY: tuple[tuple[str, Order], ...] = (("end-turn", END_TURN),)


def key_before_course(now: SeatNow) -> tuple[tuple[str, Order], ...]:
    """Told before the courses while one is to come."""
    turn = now.public.turn
    return KEY if turn is not None and not turn.sailed and not acting(now) else ()


def key_after_course(now: SeatNow) -> tuple[tuple[str, Order], ...]:
    """Told after them otherwise; in real time there are no turns."""
    return () if now.ground.real_time or key_before_course(now) else KEY


def arm_mines(helm: Helm, event: TurnEnded, ground: CompiledSetup, crew: Crew) -> Helm:
    return replace(helm, unarmed=0) if helm.unarmed and event.next is crew else helm


def turn_ended(public: Public, event: TurnEnded, ground: CompiledSetup) -> Public:
    turn = Turn(event.next, event.turns - 1)
    if not public.surfaced[event.next]:
        return replace(public, turn=turn)
    return replace(public, turn=turn, surfaced=public.surfaced.put(event.next, False))


ACTIONS = (
    Action(
        order=EndTurn,
        posts=captains,
        when=acting,
        hindrance=hindrance,
        stages=at(SAILED),
        free_at=SAILED,
        choices=only(END_TURN),
        otherwise=lambda now, order: "turn.order",
        happens=end_turn,
        listed=Listed(playing=120),
        keys=(
            Key(place=8, names=key_before_course),
            Key(place=20, names=key_after_course),
        ),
        begins_with=(TurnEnded,),
    ),
)

EVENTS = (
    EventRules(
        event=TurnEnded,
        heard=EVERYONE,
        either={"helm": arm_mines},
        public=turn_ended,
        lines=(
            line("turn of {crew} ends, {next:crew} is next", turns=1),
            line("turn of {crew} ends, {next:crew} takes {turns:number} turns"),
        ),
    ),
)
