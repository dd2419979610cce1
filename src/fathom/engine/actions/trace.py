"""Tracing the hull of a surfaced submarine, section by section (surface.trace)."""

from msgspec.structs import replace

from fathom.engine.action import ABOARD, Action, EventRules, line
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import endless
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Engine, Game, Trace, TracedSection
from fathom.engine.posts import everyone
from fathom.engine.seat_now import SeatNow
from fathom.engine.tracing import on_a_sheet, stays_in_band
from fathom.engine.who_may_act import pens_up
from fathom.rules.sheet import Spot
from fathom.words import Crew, Seat


class TraceSection(Order, frozen=True, tag="trace"):
    """Trace one section in one closed stroke and sign it (surface.trace)."""

    section: int
    stroke: tuple[tuple[int, int], ...]
    initials: str


class SectionTraced(Event, frozen=True, tag="section-traced"):
    """A section of the hull was traced and signed."""

    crew: Crew
    seat: int
    section: int
    stroke: tuple[Spot, ...]
    initials: str


class TraceJudged(Event, frozen=True, tag="trace-judged"):
    """The traced hull was checked; without a bad section it is good."""

    crew: Crew
    bad: tuple[int, ...]


def may_trace(game: Game, seat: Seat) -> tuple[int, ...]:
    """The sections that this seat may trace now."""
    trace = game.boats[seat.crew].trace
    if trace is None or game.public.phase != "playing" or game.public.stop is not None:
        return ()
    if trace.holder != seat.number or trace.complete:
        return ()
    return tuple(n for n, section in enumerate(trace.sections, 1) if section is None)


def can_be_traced(now: SeatNow, order: TraceSection) -> bool:
    """An open section, by who holds the sheet, in one stroke and signed."""
    seat = now.seat
    its_turn = isinstance(seat, Seat) and order.section in may_trace(now.game, seat)
    return its_turn and well_signed(now, order)


def well_signed(now: SeatNow, order: TraceSection) -> bool:
    """One stroke of a sensible length on a sheet of a sensible size, and initials."""
    initials = order.initials.strip()
    signed = 1 <= len(initials) <= 4 and initials.isprintable() and initials == order.initials
    drawn = 2 <= len(order.stroke) <= now.ground.setup.hull.longest
    return signed and drawn and on_a_sheet(order.stroke)


def trace_section(now: SeatNow, order: TraceSection) -> Events:
    """With the fourth section the sheet is checked."""
    trace, seat = now.boat.trace, now.seat
    number = seat.number if isinstance(seat, Seat) else 0
    traced = SectionTraced(now.crew, number, order.section, order.stroke, order.initials)
    left = sum(section is None for section in trace.sections) if trace else 0
    if trace is None or left > 1 or now.ground.house.trace_judge != "program":
        return [traced]
    return [traced, TraceJudged(now.crew, bad_sections(now, trace, order))]


def bad_sections(now: SeatNow, trace: Trace, last: TraceSection) -> tuple[int, ...]:
    """The sections whose line leaves the band or does not go round."""
    strokes = {n: section.stroke for n, section in enumerate(trace.sections, 1) if section}
    strokes[last.section] = last.stroke
    hull = now.ground.setup.hull
    return tuple(n for n in sorted(strokes) if not stays_in_band(hull, n, strokes[n]))


# What it does


def keep_section(trace: Trace, event: SectionTraced, ground: CompiledSetup, crew: Crew) -> Trace:
    """The sheet is passed on to the next player of the crew."""
    sections = list(trace.sections)
    sections[event.section - 1] = TracedSection(event.stroke, event.initials, event.seat)
    holder = (trace.holder + 1) % len(ground.posts[crew])
    return replace(trace, sections=tuple(sections), holder=holder)


def take_judgement(trace: Trace, event: TraceJudged, ground: CompiledSetup, crew: Crew) -> Trace:
    """A bad line spoils the whole sheet, unless the table redoes only the bad section."""
    if not event.bad:
        return replace(trace, good=True)
    if ground.house.trace_redo == "all":
        return Trace(ground.engineer_seat[crew])
    kept = tuple(None if n in event.bad else s for n, s in enumerate(trace.sections, 1))
    return replace(trace, sections=kept)


def erase_breakdowns(
    engine: Engine, event: TraceJudged, ground: CompiledSetup, crew: Crew
) -> Engine:
    return engine if event.bad else Engine()


ACTIONS = (
    Action(
        order=TraceSection,
        posts=everyone,
        when=pens_up,
        choices=endless(can_be_traced),
        otherwise=lambda now, order: "surface.trace",
        happens=trace_section,
        begins_with=(SectionTraced,),
    ),
)

EVENTS = (
    EventRules(
        event=SectionTraced,
        heard=ABOARD,
        own={"trace": keep_section},
        enemy_engineer=True,
        lines=(
            line(
                "{crew} traces section {section:number} at seat {seat}, signed {initials:text}: "
                "{stroke:spots}"
            ),
        ),
    ),
    EventRules(
        event=TraceJudged,
        heard=ABOARD,
        own={"trace": take_judgement, "engine": erase_breakdowns},
        enemy_engineer=True,
        lines=(
            line("trace of {crew} is good", bad=()),
            line("trace of {crew} is bad: {bad:sections}"),
        ),
    ),
)
