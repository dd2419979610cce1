"""Surfacing, and the way back: the traced hull."""

from fathom.engine.events import (
    AnyEvent,
    Damaged,
    ReadyReported,
    SectionTraced,
    Surfaced,
    TraceJudged,
    TurnEnded,
)
from fathom.engine.game import Game, Trace
from fathom.engine.orders import JudgeTrace, ReportReady, Surface, TraceSection
from fathom.engine.refusals import Refused
from fathom.engine.tempo import (
    Events,
    acknowledged,
    before_course,
    free_to_act,
    in_play,
    pens_down,
    sinking,
)
from fathom.engine.tracing import on_a_sheet, stays_in_band
from fathom.points import Point
from fathom.words import Crew, Seat


def surface(game: Game, crew: Crew, order: Surface) -> Events:
    """Surface, through ice where there is ice (surface.announce)."""
    free_to_act(game, crew)
    before_course(game)
    if game.ground.book.acknowledge_systems:
        acknowledged(game, crew)
    struck = strike_ice(game, crew)
    if end := sinking(game, struck, crew):
        return struck + end
    return [*struck, told(game, crew), *pass_turn(game, crew)]


def strike_ice(game: Game, crew: Crew) -> Events:
    """Breaking through the ice costs 1 damage first (scenario.ice, scenario.ice-field)."""
    if game.ground.thin_ice >> game.boats[crew].helm.at & 1:
        return [Damaged(crew, 1, "ice")]
    return []


def told(game: Game, crew: Crew) -> Surfaced:
    """What the captain announces: the sector, or the exact point."""
    at = game.boats[crew].helm.at
    if game.ground.book.surfacing_tells == "point":
        return Surfaced(crew, at=Point(at))
    return Surfaced(crew, sector=game.ground.sectors[at])


def pass_turn(game: Game, crew: Crew) -> list[AnyEvent]:
    """Turn by turn, surfacing ends the turn; the enemy then takes several (surface.turns)."""
    if game.public.turn is None:
        return []
    several = game.ground.pace.surfacing == "three-turns"
    return [TurnEnded(crew, crew.other, game.ground.book.surfacing_turns if several else 1)]


def sheet_on_its_way(game: Game, crew: Crew) -> Trace:
    """The hull that this crew is tracing now (surface.trace)."""
    in_play(game)
    pens_down(game)
    trace = game.boats[crew].trace
    if trace is None:
        raise Refused("surface.trace")
    return trace


def trace_section(game: Game, seat: Seat, order: TraceSection) -> Events:
    """Trace and sign one section; with the fourth the sheet is checked."""
    trace = sheet_on_its_way(game, seat.crew)
    if trace.holder != seat.number or not 1 <= order.section <= len(trace.sections):
        raise Refused("surface.trace")
    if trace.sections[order.section - 1] is not None or not well_signed(game, order):
        raise Refused("surface.trace")
    traced = SectionTraced(seat.crew, seat.number, order.section, order.stroke, order.initials)
    left = sum(section is None for section in trace.sections)
    if left > 1 or game.ground.house.trace_judge != "program":
        return [traced]
    return [traced, TraceJudged(seat.crew, bad_sections(game, trace, order))]


def well_signed(game: Game, order: TraceSection) -> bool:
    """One stroke of a sensible length on a sheet of a sensible size, and initials."""
    initials = order.initials.strip()
    signed = 1 <= len(initials) <= 4 and initials.isprintable() and initials == order.initials
    drawn = 2 <= len(order.stroke) <= game.ground.setup.hull.longest
    return signed and drawn and on_a_sheet(order.stroke)


def bad_sections(game: Game, trace: Trace, last: TraceSection) -> tuple[int, ...]:
    """The sections whose line leaves the band or does not go round."""
    strokes = {n: section.stroke for n, section in enumerate(trace.sections, 1) if section}
    strokes[last.section] = last.stroke
    hull = game.ground.setup.hull
    return tuple(n for n in sorted(strokes) if not stays_in_band(hull, n, strokes[n]))


def judge_trace(game: Game, crew: Crew, order: JudgeTrace) -> Events:
    """The enemy engineer judges the finished sheet, where the table plays so."""
    trace = sheet_on_its_way(game, crew.other)
    if game.ground.house.trace_judge == "program" or not trace.complete or trace.good:
        raise Refused("surface.trace")
    if tuple(sorted(set(order.bad))) != order.bad or not set(order.bad) <= {1, 2, 3, 4}:
        raise Refused("surface.trace")
    return [TraceJudged(crew.other, order.bad)]


def report_ready(game: Game, crew: Crew, order: ReportReady) -> Events:
    """The trace is good: the engineer reports ready to dive (surface.dive)."""
    in_play(game)
    pens_down(game)
    trace = game.boats[crew].trace
    if trace is None or not trace.good or trace.ready:
        raise Refused("surface.dive")
    return [ReadyReported(crew)]
