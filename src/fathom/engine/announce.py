"""What everyone hears of an event. What is not named here stays aboard."""

from typing import assert_never

from fathom.engine.events import (
    AnyEvent,
    CircuitMended,
    CourseSet,
    Damaged,
    Dived,
    DroneLaunched,
    Exploded,
    FirstDrawn,
    GameEnded,
    GaugeCharged,
    LineDrawn,
    MarkPut,
    MineDestroyed,
    MineLaid,
    MineTriggered,
    NoteWritten,
    OldMineDestroyed,
    OldMineDetonated,
    Placed,
    PlayBegan,
    PlayResumed,
    RanSilent,
    ReadyReported,
    Rubbed,
    SectionTraced,
    SheetSlid,
    SheetTaken,
    SheetWiped,
    SonarAnswered,
    SonarUsed,
    Surfaced,
    SymbolCrossed,
    SystemFailed,
    SystemReady,
    SystemRepaired,
    TorpedoFired,
    TraceJudged,
    TurnEnded,
    VolcanoNamed,
    VolcanoStirred,
)
from fathom.engine.heard import Announcement, MineLaidHeard, SilenceHeard

AS_IT_STANDS, NOT_AT_ALL, IN_PART = "as it stands", "not at all", "in part"
ROUTES: dict[type, str] = {}
"""How each kind of event is announced, learnt from ``announcement`` when it first happens."""


def announce(event: AnyEvent) -> Announcement | None:
    """What enemy and public learn of ``event`` (secret.enemy); ``announcement``, but faster."""
    route = ROUTES.get(type(event)) or learn_route(event)
    if route is AS_IT_STANDS:
        return event  # type: ignore[return-value]
    return None if route is NOT_AT_ALL else announcement(event)


def learn_route(event: AnyEvent) -> str:
    """Note how events of this kind are announced."""
    said = announcement(event)
    route = NOT_AT_ALL if said is None else AS_IT_STANDS if said is event else IN_PART
    ROUTES[type(event)] = route
    return route


def announcement(event: AnyEvent) -> Announcement | None:
    """What everyone hears of ``event``; a new kind of event that is not named is a type error."""
    match event:
        case RanSilent(crew=crew):
            return SilenceHeard(crew)
        case MineLaid(crew=crew):
            return MineLaidHeard(crew)
        case (
            Placed() | GaugeCharged() | SystemReady() | SymbolCrossed() | CircuitMended()
            | MineDestroyed() | SectionTraced() | TraceJudged() | ReadyReported()
            | LineDrawn() | MarkPut() | NoteWritten() | Rubbed() | SheetWiped() | SheetSlid()
            | SheetTaken()
        ):  # fmt: skip
            return None
        case (
            FirstDrawn() | Dived() | PlayBegan() | CourseSet() | SystemFailed() | TorpedoFired()
            | MineTriggered() | OldMineDetonated() | Exploded() | OldMineDestroyed() | Damaged()
            | DroneLaunched() | SonarUsed() | SonarAnswered() | Surfaced() | VolcanoStirred()
            | VolcanoNamed() | SystemRepaired() | TurnEnded() | PlayResumed() | GameEnded()
        ):  # fmt: skip
            return event
    assert_never(event)
