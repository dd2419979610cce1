"""From events back to the order that brought them about, and to who gave it."""

from typing import Any, Final

from fathom.engine import events as happened
from fathom.engine import orders as say
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game
from fathom.engine.ground import Ground
from fathom.engine.legal import legal
from fathom.engine.orders import AnyOrder
from fathom.words import REFEREE, Crew, Referee, Seat, System

Giver = Seat | Referee

ORDERS: Final[dict[type, type[AnyOrder]]] = {
    happened.FirstDrawn: say.DrawFirst,
    happened.Placed: say.Place,
    happened.Dived: say.Dive,
    happened.CourseSet: say.SetCourse,
    happened.RanSilent: say.RunSilent,
    happened.Surfaced: say.Surface,
    happened.Damaged: say.Surface,
    happened.MineLaid: say.LayMine,
    happened.MineTriggered: say.TriggerMine,
    happened.TorpedoFired: say.FireTorpedo,
    happened.OldMineDetonated: say.DetonateOldMine,
    happened.SystemRepaired: say.RepairSystem,
    happened.VolcanoNamed: say.NameVolcano,
    happened.SonarAnswered: say.AnswerSonar,
    happened.DroneLaunched: say.LaunchDrone,
    happened.SonarUsed: say.UseSonar,
    happened.TurnEnded: say.EndTurn,
    happened.PlayResumed: say.ResumePlay,
    happened.GaugeCharged: say.Charge,
    happened.SymbolCrossed: say.CrossOut,
    happened.ReadyReported: say.ReportReady,
    happened.TraceJudged: say.JudgeTrace,
    happened.SectionTraced: say.TraceSection,
    happened.LineDrawn: say.DrawLine,
    happened.MarkPut: say.PutMark,
    happened.NoteWritten: say.WriteNote,
    happened.Rubbed: say.Rub,
    happened.SheetWiped: say.WipeSheet,
    happened.SheetSlid: say.SlideSheet,
    happened.SheetTaken: say.NewSheet,
}
"""By the first event that an order brings about, the order; their fields have the same names."""

FAILED: Final[dict[System, tuple[type[AnyOrder], ...]]] = {
    System.MINE: (say.LayMine,),
    System.TORPEDO: (say.FireTorpedo,),
    System.DRONE: (say.LaunchDrone,),
    System.SONAR: (say.UseSonar,),
    System.SILENCE: (say.RunSilent,),
    System.SCENARIO: (say.DetonateOldMine, say.RepairSystem),
}
"""What may have been ordered when a broken system failed (breakdown.misuse)."""

ENDINGS: Final[dict[str, type[AnyOrder]]] = {
    "end.resign": say.Resign,
    "end.abandon": say.DeclareLost,
}
"""What may have been ordered when a game ended, and nothing else happened."""


def usual_giver(ground: Ground, event: AnyEvent) -> Giver:
    """Who gives orders that begin with ``event``, where the event alone tells."""
    kind, crew = order_kind(event), crew_behind(event)
    if kind is None or crew is None:
        return REFEREE
    if isinstance(event, happened.SectionTraced):
        return Seat(crew, event.seat)
    allowed = ground.allowed[crew].get(kind, 0)
    seats = (number for number, posts in enumerate(ground.posts[crew]) if posts & allowed)
    return Seat(crew, next(seats, 0))


def order_kind(event: AnyEvent) -> type[AnyOrder] | None:
    """The kind of order that begins with ``event``, if any does."""
    if isinstance(event, happened.SystemFailed):
        return FAILED[event.system][0]
    if isinstance(event, happened.GameEnded):
        return ENDINGS.get(event.why)
    return ORDERS.get(type(event))


def crew_behind(event: AnyEvent) -> Crew | None:
    """The crew whose order it was; none if it was the referee's or the event doesn't tell."""
    if isinstance(event, happened.FirstDrawn):
        return None
    if isinstance(event, happened.GameEnded):
        return event.winner.other if event.winner and event.why == "end.resign" else None
    if isinstance(event, happened.TraceJudged):
        return event.crew.other
    return getattr(event, "crew", None)


def order_behind(game: Game, by: Giver, event: AnyEvent) -> AnyOrder | None:
    """The order that begins with ``event``, or one that comes to the same, if there is any."""
    kind = order_kind(event)
    match event:
        case happened.SystemFailed():
            # Whatever it was aimed at, it failed in the same way.
            return next(
                (order for order in legal(game, by) if type(order) in FAILED[event.system]), None
            )
        case happened.GameEnded(winner, "end.abandon"):
            return say.DeclareLost(winner.other) if winner else None
        case happened.SonarAnswered() if game.ground.book.sonar_answer == "one-true":
            return say.AnswerTruly("column" if event.row is None else "row")
        case _:
            return None if kind is None else say_it(kind, event)


def say_it(kind: type[AnyOrder], event: Any) -> AnyOrder:
    """The order of this kind with the event's values."""
    return kind(**{field: getattr(event, field) for field in kind.__struct_fields__})
