"""Ending a stop: the captain's signal, or the referee after the pause (system.stop)."""

from msgspec.structs import replace

from fathom.engine.action import (
    EVERYONE,
    NO_STAGE,
    WAITING,
    Action,
    EventRules,
    Listed,
    line,
)
from fathom.engine.base import Event, Order
from fathom.engine.choices import only
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Public
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import at_any_time, outside_play, owes_marks
from fathom.words import CREW_A, Referee


class ResumePlay(Order, frozen=True, tag="resume"):
    """End a stop: the captain's signal, or the referee after the pause (system.stop)."""


RESUME = ResumePlay()


class PlayResumed(Event, frozen=True, tag="play-resumed"):
    """A stop is over."""


def hindrance(now: SeatNow) -> str:
    """Nothing more is awaited, and it is for this one to say so."""
    stop = now.public.stop
    if isinstance(now.seat, Referee):
        rule = "" if now.ground.book.resume == "by-itself" else "system.stop"
    else:
        stopped_by = stop.by if stop is not None else None
        signals = now.ground.book.resume == "captain" and stopped_by is now.crew
        rule = "" if signals else "system.stop"
    return rule or outside_play(now) or unfinished(now)


def unfinished(now: SeatNow) -> str:
    """A stop ends when no answer and no mark is awaited any more."""
    stop = now.public.stop
    if stop is None or now.public.awaited is not None:
        return "system.stop"
    return "system.stop" if stop.marks and owes_marks(now.game.boats[stop.by]) else ""


def play_resumed(public: Public, event: PlayResumed, ground: CompiledSetup) -> Public:
    return replace(public, stop=None)


ACTIONS = (
    Action(
        order=ResumePlay,
        posts=captains,
        when=at_any_time,
        hindrance=hindrance,
        choices=only(RESUME),
        otherwise=lambda now, order: "system.stop",
        happens=lambda now, order: [PlayResumed()],
        listed=Listed(playing=200, referee=30),
        stages=lambda setup: WAITING if setup.book.resume == "captain" else NO_STAGE,
        begins_with=(PlayResumed,),
        crew_behind=lambda event: None,
        on_behalf=lambda game: CREW_A,
    ),
)

EVENTS = (
    EventRules(
        event=PlayResumed, heard=EVERYONE, public=play_resumed, lines=(line("play resumes"),)
    ),
)
