"""Every event, from the modules that bring them about."""

from typing import TYPE_CHECKING, TypeAlias, Union

from fathom.engine.actions.answer import SonarAnswered
from fathom.engine.actions.charge import GaugeCharged, SystemReady
from fathom.engine.actions.course import CourseSet
from fathom.engine.actions.cross_out import CircuitMended, SymbolCrossed
from fathom.engine.actions.dive import Dived, PlayBegan
from fathom.engine.actions.draw_first import FirstDrawn
from fathom.engine.actions.drone import DroneAnswer, DroneLaunched
from fathom.engine.actions.end_turn import TurnEnded
from fathom.engine.actions.mine import MineLaid, MineLaidHeard
from fathom.engine.actions.place import Placed
from fathom.engine.actions.ready import ReadyReported
from fathom.engine.actions.resume import PlayResumed
from fathom.engine.actions.silence import RanSilent, SilenceHeard
from fathom.engine.actions.sonar import SonarUsed
from fathom.engine.actions.surface import Surfaced
from fathom.engine.actions.torpedo import TorpedoFired
from fathom.engine.actions.trace import SectionTraced, TraceJudged
from fathom.engine.actions.transparent_sheet import (
    LineDrawn,
    MarkPut,
    NoteWritten,
    Rubbed,
    SheetSlid,
    SheetTaken,
    SheetWiped,
)
from fathom.engine.actions.trigger import MineTriggered
from fathom.engine.base import Event
from fathom.engine.blasts import Exploded, Hit, MineDestroyed, OldMineDestroyed, Source
from fathom.engine.ending import Cause, Damaged, GameEnded
from fathom.engine.game import Ending
from fathom.engine.registry import events
from fathom.engine.scenarios.damaged import SystemRepaired
from fathom.engine.scenarios.old_mines import OldMineDetonated
from fathom.engine.scenarios.volcanoes import VolcanoNamed, VolcanoStirred
from fathom.engine.sheet_changes import MarkAcknowledged
from fathom.engine.systems import SystemFailed

__all__ = [
    "AnyEvent",
    "Cause",
    "CircuitMended",
    "CourseSet",
    "Damaged",
    "Dived",
    "DroneAnswer",
    "DroneLaunched",
    "Ending",
    "Event",
    "Exploded",
    "FirstDrawn",
    "GameEnded",
    "GaugeCharged",
    "Hit",
    "LineDrawn",
    "MarkAcknowledged",
    "MarkPut",
    "MineDestroyed",
    "MineLaid",
    "MineLaidHeard",
    "MineTriggered",
    "NoteWritten",
    "OldMineDestroyed",
    "OldMineDetonated",
    "Placed",
    "PlayBegan",
    "PlayResumed",
    "PublicEvent",
    "RadioEvent",
    "RanSilent",
    "ReadyReported",
    "Rubbed",
    "SectionTraced",
    "SheetSlid",
    "SheetTaken",
    "SheetWiped",
    "SilenceHeard",
    "SonarAnswered",
    "SonarUsed",
    "Source",
    "Surfaced",
    "SymbolCrossed",
    "SystemFailed",
    "SystemReady",
    "SystemRepaired",
    "TorpedoFired",
    "TraceJudged",
    "TurnEnded",
    "VolcanoNamed",
    "VolcanoStirred",
]

RadioEvent: TypeAlias = (
    LineDrawn | MarkPut | NoteWritten | Rubbed | SheetWiped | SheetSlid | SheetTaken
)

if TYPE_CHECKING:
    AnyEvent: TypeAlias = Event
    PublicEvent: TypeAlias = Event
else:
    # What is decoded is one of those that the modules bring.
    AnyEvent = Union[events()]  # noqa: UP007
    PublicEvent = Union[events(secret=False)]  # noqa: UP007
