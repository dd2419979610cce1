"""Judging orders: ``decide`` is the only way into the game, and it changes nothing."""

from collections.abc import Callable
from typing import Any

from fathom.engine import detection, navigation, repairs, surfacing, tempo, volcanoes, weapons
from fathom.engine.engineering import cross_out
from fathom.engine.events import (
    GameEnded,
    PlayResumed,
    SonarUsed,
    SystemFailed,
    VolcanoStirred,
)
from fathom.engine.game import Game
from fathom.engine.gauges import charge
from fathom.engine.ground import ACTIVATIONS
from fathom.engine.history import apply_all
from fathom.engine.legal import could_activate
from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    DeclareLost,
    DetonateOldMine,
    Dive,
    DrawFirst,
    DrawLine,
    EndTurn,
    FireTorpedo,
    JudgeTrace,
    LaunchDrone,
    LayMine,
    NameVolcano,
    NewSheet,
    Place,
    PutMark,
    RepairSystem,
    ReportReady,
    Resign,
    ResumePlay,
    Rub,
    RunSilent,
    SetCourse,
    SlideSheet,
    Surface,
    TraceSection,
    TriggerMine,
    UseSonar,
    WipeSheet,
    WriteNote,
)
from fathom.engine.radio import write
from fathom.engine.refusals import Refused
from fathom.engine.tempo import Events
from fathom.words import Crew, Referee, Seat


def resign(game: Game, crew: Crew, order: Resign) -> Events:
    """The crew gives up, at any moment (end.resign)."""
    tempo.not_over(game)
    return [GameEnded(crew.other, "end.resign")]


def end_turn(game: Game, crew: Crew, order: EndTurn) -> Events:
    """The captain ends the turn (turn.order)."""
    return tempo.end_turn(game, crew)


def resume(game: Game, crew: Crew, order: ResumePlay) -> Events:
    """The captain who stopped play gives the signal (system.stop)."""
    stop = game.public.stop
    if game.ground.book.resume != "captain" or stop is None or stop.by is not crew:
        raise Refused("system.stop")
    return resumed(game)


def resumed(game: Game) -> Events:
    """The stop ends when nothing more is awaited."""
    tempo.in_play(game)
    stop = game.public.stop
    if stop is None or game.public.awaited is not None:
        raise Refused("system.stop")
    if stop.marks and tempo.owes_marks(game.boats[stop.by]):
        raise Refused("system.stop")
    return [PlayResumed()]


JUDGES: dict[type, Callable[[Game, Crew, Any], Events]] = {
    Place: navigation.place,
    Dive: navigation.dive,
    SetCourse: navigation.set_course,
    RunSilent: navigation.run_silent,
    Surface: surfacing.surface,
    LayMine: weapons.lay_mine,
    TriggerMine: weapons.trigger_mine,
    FireTorpedo: weapons.fire_torpedo,
    DetonateOldMine: weapons.detonate_old_mine,
    RepairSystem: repairs.repair_system,
    NameVolcano: volcanoes.name_volcano,
    AnswerSonar: detection.answer_sonar,
    AnswerTruly: detection.answer_truly,
    EndTurn: end_turn,
    ResumePlay: resume,
    Resign: resign,
    LaunchDrone: detection.launch_drone,
    UseSonar: detection.use_sonar,
    Charge: charge,
    CrossOut: cross_out,
    ReportReady: surfacing.report_ready,
    JudgeTrace: surfacing.judge_trace,
    DrawLine: write,
    PutMark: write,
    WriteNote: write,
    Rub: write,
    WipeSheet: write,
    SlideSheet: write,
    NewSheet: write,
}

MARKS = (Charge, CrossOut)
CLOSERS = frozenset((*ACTIVATIONS, AnswerSonar, AnswerTruly, NameVolcano, SetCourse, *MARKS))
"""Orders after which a turn may end by itself."""
WAITS = (SonarUsed, SystemFailed, VolcanoStirred, GameEnded)
"""Events after which it does not: somebody is awaited, or there are no more turns."""


def decide(game: Game, seat: Seat | Referee, order: AnyOrder) -> Events:
    """The events that ``order`` brings about; ``Refused`` names the rule that forbids it."""
    if isinstance(seat, Referee):
        return decide_for_referee(game, order)
    crew, kind = seat.crew, type(order)
    check_post(game, seat, kind)
    if kind is TraceSection:
        return surfacing.trace_section(game, seat, order)  # type: ignore[arg-type]
    return close_turn(game, kind, JUDGES[kind](game, crew, order))


def check_post(game: Game, seat: Seat, kind: type) -> None:
    """The seat holds a post that may give such an order (crew.orders, system.who)."""
    seats = game.ground.orders_of[seat.crew]
    if not 0 <= seat.number < len(seats) or kind not in seats[seat.number]:
        raise Refused("system.who" if kind in ACTIVATIONS else "crew.orders")


def close_turn(game: Game, kind: type, events: Events) -> Events:
    """The events, and the turn's end if it ends by itself after them (turn.order)."""
    turn = game.public.turn
    if turn is None or kind not in CLOSERS:
        return events
    over = turn_is_over(game, kind, turn.crew)
    if not (over or game.ground.house.quick_ends) or isinstance(events[-1], WAITS):
        return events
    if over or nothing_left(apply_all(game, events)):
        return [*events, tempo.end_of_turn(game, turn.crew)]
    return events


def turn_is_over(game: Game, kind: type, crew: Crew) -> bool:
    """Whether, after such an order, nothing is due and the turn's activation has been made."""
    book, duty = game.ground.book, game.boats[crew].duty
    if kind is Charge or kind is CrossOut:
        other = duty.cross if kind is Charge else duty.charge
        return other == "none" and (duty.barred != "" or book.activations == "whole-turn")
    # After a course or a silence the marks come next, where there are any.
    if kind is SetCourse:
        return not book.acknowledge and book.activations == "whole-turn"
    if kind is RunSilent:
        return not book.acknowledge
    return duty.charge == "none" and duty.cross == "none"


def nothing_left(game: Game) -> bool:
    """For tables that choose quick ends: the marks are made and no system could be activated."""
    public = game.public
    turn = public.turn
    if turn is None or not turn.sailed or public.phase != "playing" or public.awaited is not None:
        return False
    return not tempo.owes_marks(game.boats[turn.crew]) and not could_activate(game, turn.crew)


def decide_for_referee(game: Game, order: AnyOrder) -> Events:
    """Time and chance, which come from outside the game."""
    tempo.not_over(game)
    awaited = game.public.awaited
    match order:
        case DrawFirst():
            return navigation.draw_first(game, order)
        case DeclareLost(crew):
            return [GameEnded(crew.other, "end.abandon")]
        case ResumePlay():
            if game.ground.book.resume != "by-itself":
                raise Refused("system.stop")
            return resumed(game)
        case AnswerSonar() | AnswerTruly():
            if awaited is None:
                raise Refused(tempo.answer_rule(game))
            kind = type(order)
            return close_turn(game, kind, JUDGES[kind](game, awaited.crew, order))
        case _:
            raise Refused("crew.orders")
