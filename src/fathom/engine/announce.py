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


def announce(event: AnyEvent) -> Announcement | None:
    """What enemy and public learn of ``event`` (secret.enemy)."""
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
