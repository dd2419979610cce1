"""Every order, from the modules of ``actions`` and ``scenarios``."""

from typing import TYPE_CHECKING, TypeAlias, Union

from fathom.engine.actions.answer import AnswerSonar, AnswerTruly
from fathom.engine.actions.charge import NOTHING_TO_CHARGE, Charge
from fathom.engine.actions.course import SetCourse
from fathom.engine.actions.cross_out import PRETEND as PRETEND_TO_CROSS_OUT
from fathom.engine.actions.cross_out import CrossOut
from fathom.engine.actions.declare_lost import DeclareLost
from fathom.engine.actions.dive import DIVE, Dive
from fathom.engine.actions.draw_first import DrawFirst
from fathom.engine.actions.drone import LaunchDrone
from fathom.engine.actions.end_turn import END_TURN, EndTurn
from fathom.engine.actions.judge import JudgeTrace
from fathom.engine.actions.mine import LayMine
from fathom.engine.actions.place import Place
from fathom.engine.actions.ready import REPORT_READY, ReportReady
from fathom.engine.actions.resign import RESIGN, Resign
from fathom.engine.actions.resume import RESUME, ResumePlay
from fathom.engine.actions.silence import RunSilent
from fathom.engine.actions.sonar import USE_SONAR, UseSonar
from fathom.engine.actions.surface import SURFACE, Surface
from fathom.engine.actions.torpedo import FireTorpedo
from fathom.engine.actions.trace import TraceSection
from fathom.engine.actions.transparent_sheet import (
    DrawLine,
    NewSheet,
    PutMark,
    Rub,
    SlideSheet,
    WipeSheet,
    WriteNote,
)
from fathom.engine.actions.trigger import TriggerMine
from fathom.engine.base import Order
from fathom.engine.registry import ACTIONS
from fathom.engine.scenarios.damaged import RepairSystem
from fathom.engine.scenarios.old_mines import DetonateOldMine
from fathom.engine.scenarios.volcanoes import NameVolcano

__all__ = [
    "DIVE",
    "END_TURN",
    "NOTHING_TO_CHARGE",
    "PRETEND_TO_CROSS_OUT",
    "REPORT_READY",
    "RESIGN",
    "RESUME",
    "SURFACE",
    "USE_SONAR",
    "AnswerSonar",
    "AnswerTruly",
    "AnyOrder",
    "Charge",
    "CrossOut",
    "DeclareLost",
    "DetonateOldMine",
    "Dive",
    "DrawFirst",
    "DrawLine",
    "EndTurn",
    "FireTorpedo",
    "JudgeTrace",
    "LaunchDrone",
    "LayMine",
    "NameVolcano",
    "NewSheet",
    "Order",
    "Place",
    "PutMark",
    "RepairSystem",
    "ReportReady",
    "Resign",
    "ResumePlay",
    "Rub",
    "RunSilent",
    "SetCourse",
    "SheetOrder",
    "SlideSheet",
    "Surface",
    "TraceSection",
    "TriggerMine",
    "UseSonar",
    "WipeSheet",
    "WriteNote",
]

SheetOrder: TypeAlias = DrawLine | PutMark | WriteNote | Rub | WipeSheet | SlideSheet | NewSheet

if TYPE_CHECKING:
    AnyOrder: TypeAlias = Order
else:
    # What is decoded is one of those that the modules bring.
    AnyOrder = Union[tuple(ACTIONS)]  # noqa: UP007
