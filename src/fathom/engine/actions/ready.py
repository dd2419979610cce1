"""The engineer reports ready to dive (surface.dive)."""

from msgspec.structs import replace

from fathom.engine.action import (
    ABOARD,
    NO_STAGE,
    WAITING,
    Action,
    EventRules,
    Listed,
    line,
)
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import only
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Trace
from fathom.engine.posts import engineers
from fathom.engine.seat_now import SeatNow
from fathom.engine.who_may_act import pens_up
from fathom.words import Crew


class ReportReady(Order, frozen=True, tag="ready"):
    """Report that the submarine is ready to dive (surface.dive)."""


REPORT_READY = ReportReady()


class ReadyReported(Event, frozen=True, tag="ready-reported"):
    """The engineer reported ready to dive."""

    crew: Crew


def hindrance(now: SeatNow) -> str:
    """The trace is good, and nobody has reported yet."""
    trace = now.boat.trace
    return "" if trace is not None and trace.good and not trace.ready else "surface.dive"


def report(now: SeatNow, order: ReportReady) -> Events:
    return [ReadyReported(now.crew)]


def note_report(trace: Trace, event: ReadyReported, ground: CompiledSetup, crew: Crew) -> Trace:
    return replace(trace, ready=True)


ACTIONS = (
    Action(
        order=ReportReady,
        posts=engineers,
        when=pens_up,
        hindrance=hindrance,
        choices=only(REPORT_READY),
        otherwise=lambda now, order: "surface.dive",
        happens=report,
        listed=Listed(playing=210),
        stages=lambda setup: WAITING if setup.tracing else NO_STAGE,
        begins_with=(ReadyReported,),
    ),
)

EVENTS = (
    EventRules(
        event=ReadyReported,
        heard=ABOARD,
        own={"trace": note_report},
        lines=(line("{crew} reports ready to dive"),),
    ),
)
