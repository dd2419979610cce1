"""A crew's sheets after an event, sheet by sheet, so that who may see only one can follow that one.

Each function takes a sheet, what its holder hears, the ground and the crew: the new sheet.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from msgspec.structs import replace

from fathom.engine.events import (
    CircuitMended,
    CourseSet,
    Damaged,
    Dived,
    DroneLaunched,
    Exploded,
    GaugeCharged,
    LineDrawn,
    MarkPut,
    MineDestroyed,
    MineLaid,
    NoteWritten,
    OldMineDetonated,
    Placed,
    RanSilent,
    ReadyReported,
    Rubbed,
    SectionTraced,
    SheetSlid,
    SheetTaken,
    SheetWiped,
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
)
from fathom.engine.game import (
    Duty,
    Engine,
    Film,
    Gauges,
    Helm,
    Item,
    Radio,
    Section,
    Trace,
    placed,
)
from fathom.engine.ground import Ground
from fathom.engine.heard import MarkAcknowledged, MineLaidHeard
from fathom.words import (
    DRONE,
    ENGINEER,
    MINE,
    SCENARIO,
    SILENCE,
    SONAR,
    TORPEDO,
    Crew,
    System,
)

# The captain's chart


def mark_start(helm: Helm, event: Placed, ground: Ground, crew: Crew) -> Helm:
    return placed(event.at)


def sail(helm: Helm, event: CourseSet, ground: Ground, crew: Crew) -> Helm:
    at = helm.at + event.heading.step
    unarmed = 0 if ground.real_time else helm.unarmed
    route, covered = (*helm.route, at), helm.covered | 1 << at
    return Helm(at, route, covered, helm.silent, helm.mines, unarmed)


def slip_away(helm: Helm, event: RanSilent, ground: Ground, crew: Crew) -> Helm:
    step = event.heading.step if event.heading else 0
    way = tuple(helm.at + step * n for n in range(1, event.distance + 1))
    new = sum(1 << point for point in way)
    return replace(
        helm,
        at=helm.at + step * event.distance,
        route=helm.route + way,
        covered=helm.covered | new,
        silent=helm.silent | new,
    )


def lay_mine(helm: Helm, event: MineLaid, ground: Ground, crew: Crew) -> Helm:
    mine = 1 << event.at
    unarmed = helm.unarmed | (mine if ground.book.mine_armed == "next-turn" else 0)
    return replace(helm, mines=helm.mines | mine, unarmed=unarmed)


def lose_mine(helm: Helm, event: MineDestroyed, ground: Ground, crew: Crew) -> Helm:
    return without_mines(helm, 1 << event.at)


def see_explosion(helm: Helm, event: Exploded, ground: Ground, crew: Crew) -> Helm:
    if event.source != "mine" or event.owner is not crew:
        return helm
    return without_mines(helm, 1 << event.at)


def see_lava(helm: Helm, event: VolcanoNamed, ground: Ground, crew: Crew) -> Helm:
    if event.effect == "smoke":
        return helm
    return without_mines(helm, ground.lava[event.volcano - 1])


def without_mines(helm: Helm, gone: int) -> Helm:
    return replace(helm, mines=helm.mines & ~gone, unarmed=helm.unarmed & ~gone)


def begin_route_anew(helm: Helm, event: Surfaced, ground: Ground, crew: Crew) -> Helm:
    return replace(helm, route=(helm.at,), covered=1 << helm.at, silent=0)


def arm_mines(helm: Helm, event: Dived, ground: Ground, crew: Crew) -> Helm:
    return replace(helm, unarmed=0) if helm.unarmed else helm


def arm_mines_in_turn(helm: Helm, event: TurnEnded, ground: Ground, crew: Crew) -> Helm:
    return replace(helm, unarmed=0) if helm.unarmed and event.next is crew else helm


# The first mate's gauges


def fill(gauges: Gauges, event: GaugeCharged, ground: Ground, crew: Crew) -> Gauges:
    if event.system is None:
        return gauges
    i, boxes = event.system.index, gauges.boxes
    return Gauges((*boxes[:i], boxes[i] + 1, *boxes[i + 1 :]), gauges.energy)


def gather_energy(gauges: Gauges, event: CourseSet, ground: Ground, crew: Crew) -> Gauges:
    if gauges.energy >= ground.energy:
        return gauges
    return Gauges(gauges.boxes, gauges.energy + 1)


def spend(system: System) -> "Change":
    """What using a system does to the gauges (system.spent)."""
    i = system.index

    def spent(gauges: Gauges, event: object, ground: Ground, crew: Crew) -> Gauges:
        boxes = gauges.boxes
        return Gauges((*boxes[:i], 0, *boxes[i + 1 :]), gauges.energy - ground.costs[i])

    return spent


# The engineer's sheet


def cross_out(engine: Engine, event: SymbolCrossed, ground: Ground, crew: Crew) -> Engine:
    return Engine(engine.crossed | 1 << ground.symbols[event.symbol]) if event.symbol else engine


def mend(engine: Engine, event: CircuitMended, ground: Ground, crew: Crew) -> Engine:
    return Engine(engine.crossed & ~ground.circuits[event.circuit])


def erase_after_damage(engine: Engine, event: Damaged, ground: Ground, crew: Crew) -> Engine:
    return Engine() if event.cause == "breakdown" else engine


def erase_when_surfaced(engine: Engine, event: Surfaced, ground: Ground, crew: Crew) -> Engine:
    return engine if ground.tracing else Engine()


def erase_when_traced(engine: Engine, event: TraceJudged, ground: Ground, crew: Crew) -> Engine:
    return engine if event.bad else Engine()


# What the crew waits for


def owe_marks(duty: Duty, event: CourseSet, ground: Ground, crew: Crew) -> Duty:
    if not ground.book.acknowledge:
        return replace(duty, barred="") if duty.barred else duty
    return Duty("box", event.heading.value, "", duty.ready)


def owe_marks_for_silence(duty: Duty, event: RanSilent, ground: Ground, crew: Crew) -> Duty:
    book = ground.book
    duty = use(duty, SILENCE)
    if not book.acknowledge:
        return duty
    if book.silence_is_course:
        duty = replace(duty, barred="")
    if event.heading is not None:
        charge = "box" if book.silence_charges else "none"
        return replace(duty, charge=charge, cross=event.heading.value)
    empty = "empty" if book.silence_charges else "none"
    charge = "box" if book.silence_zero_charges else empty
    return replace(duty, charge=charge, cross="any" if book.silence_zero_marks else "empty")


def use(duty: Duty, system: System) -> Duty:
    return Duty(duty.charge, duty.cross, "system.once", duty.ready & ~system.bit)


def used(system: System) -> "Change":
    """What using a system does to the crew's duty."""

    def note(duty: Duty, event: object, ground: Ground, crew: Crew) -> Duty:
        return use(duty, system)

    return note


def owe_radiation(duty: Duty, event: SystemFailed, ground: Ground, crew: Crew) -> Duty:
    return replace(duty, barred="system.once", cross="radiation")


def charge_made(duty: Duty, event: GaugeCharged, ground: Ground, crew: Crew) -> Duty:
    return Duty("none", duty.cross, duty.barred, duty.ready)


def cross_made(duty: Duty, event: SymbolCrossed, ground: Ground, crew: Crew) -> Duty:
    return Duty(duty.charge, "none", duty.barred, duty.ready)


def hear_aye(duty: Duty, event: MarkAcknowledged, ground: Ground, crew: Crew) -> Duty:
    if event.post is ENGINEER:
        return replace(duty, cross="none")
    return replace(duty, charge="none")


def hear_ready(duty: Duty, event: SystemReady, ground: Ground, crew: Crew) -> Duty:
    return replace(duty, ready=duty.ready | event.system.bit)


def forget_marks(duty: Duty, event: Surfaced, ground: Ground, crew: Crew) -> Duty:
    """Marks still due are void; there are none unless the table lets surfacing come before them."""
    return Duty("none", "none", duty.barred, duty.ready)


def await_course(duty: Duty, event: Dived, ground: Ground, crew: Crew) -> Duty:
    """After diving, some rulebooks want a course before any system (surface.then-system)."""
    if ground.book.system_after_dive or duty.barred:
        return duty
    return replace(duty, barred="surface.then-system")


# The radio operator's sheets


def lock(radio: Radio, event: Surfaced, ground: Ground, crew: Crew) -> Radio:
    return replace(radio, locked=True) if ground.tracing else radio


def unlock(radio: Radio, event: Dived, ground: Ground, crew: Crew) -> Radio:
    return replace(radio, locked=False) if radio.locked else radio


def on_top(radio: Radio, film: Film) -> Radio:
    return replace(radio, films=(*radio.films[:-1], film))


def add(radio: Radio, item: Item) -> Radio:
    film = radio.films[-1]
    return on_top(radio, replace(film, items=(*film.items, item)))


def draw_line(radio: Radio, event: LineDrawn, ground: Ground, crew: Crew) -> Radio:
    return add(radio, Item(line=event.line))


def put_mark(radio: Radio, event: MarkPut, ground: Ground, crew: Crew) -> Radio:
    return add(radio, Item(x=event.x, y=event.y, shape=event.shape))


def write_note(radio: Radio, event: NoteWritten, ground: Ground, crew: Crew) -> Radio:
    return add(radio, Item(x=event.x, y=event.y, text=event.text))


def rub(radio: Radio, event: Rubbed, ground: Ground, crew: Crew) -> Radio:
    film = radio.films[-1]
    items = film.items[: event.number - 1] + film.items[event.number :]
    return on_top(radio, replace(film, items=items))


def wipe(radio: Radio, event: SheetWiped, ground: Ground, crew: Crew) -> Radio:
    return replace(radio, films=(Film(),))


def slide(radio: Radio, event: SheetSlid, ground: Ground, crew: Crew) -> Radio:
    return on_top(radio, replace(radio.films[-1], x=event.x, y=event.y))


def take_sheet(radio: Radio, event: SheetTaken, ground: Ground, crew: Crew) -> Radio:
    return replace(radio, films=(*radio.films, Film()))


# The traced hull


def begin_trace(trace: Trace | None, event: Surfaced, ground: Ground, crew: Crew) -> Trace | None:
    return Trace(ground.engineer_seat[crew]) if ground.tracing else None


def keep_section(trace: Trace, event: SectionTraced, ground: Ground, crew: Crew) -> Trace:
    """The sheet is passed on to the next player of the crew."""
    sections = list(trace.sections)
    sections[event.section - 1] = Section(event.stroke, event.initials, event.seat)
    holder = (trace.holder + 1) % len(ground.posts[crew])
    return replace(trace, sections=tuple(sections), holder=holder)


def take_judgement(trace: Trace, event: TraceJudged, ground: Ground, crew: Crew) -> Trace:
    """A bad line spoils the whole sheet, unless the table redoes only the bad section."""
    if not event.bad:
        return replace(trace, good=True)
    if ground.house.trace_redo == "all":
        return Trace(ground.engineer_seat[crew])
    kept = tuple(None if n in event.bad else s for n, s in enumerate(trace.sections, 1))
    return replace(trace, sections=kept)


def report_ready(trace: Trace, event: ReadyReported, ground: Ground, crew: Crew) -> Trace:
    return replace(trace, ready=True)


def put_sheet_away(trace: Trace | None, event: Dived, ground: Ground, crew: Crew) -> None:
    return None


Change: TypeAlias = Callable[[Any, Any, Ground, Crew], Any]
Changes: TypeAlias = tuple[tuple[str, Change], ...]

TRACE: Final[dict[type, Change]] = {
    Surfaced: begin_trace,
    SectionTraced: keep_section,
    TraceJudged: take_judgement,
    ReadyReported: report_ready,
    Dived: put_sheet_away,
}

OWN: Final[dict[type, Changes]] = {
    Placed: (("helm", mark_start),),
    Dived: (
        ("duty", await_course),
        ("helm", arm_mines),
        ("radio", unlock),
        ("trace", put_sheet_away),
    ),
    CourseSet: (("duty", owe_marks), ("helm", sail), ("gauges", gather_energy)),
    RanSilent: (("duty", owe_marks_for_silence), ("helm", slip_away), ("gauges", spend(SILENCE))),
    MineLaid: (("duty", used(MINE)), ("helm", lay_mine), ("gauges", spend(MINE))),
    MineLaidHeard: (("duty", used(MINE)), ("gauges", spend(MINE))),
    TorpedoFired: (("duty", used(TORPEDO)), ("gauges", spend(TORPEDO))),
    DroneLaunched: (("duty", used(DRONE)), ("gauges", spend(DRONE))),
    SonarUsed: (("duty", used(SONAR)), ("gauges", spend(SONAR))),
    OldMineDetonated: (("duty", used(SCENARIO)), ("gauges", spend(SCENARIO))),
    SystemRepaired: (("duty", used(SCENARIO)), ("gauges", spend(SCENARIO))),
    SystemFailed: (("duty", owe_radiation),),
    GaugeCharged: (("duty", charge_made), ("gauges", fill)),
    SystemReady: (("duty", hear_ready),),
    SymbolCrossed: (("duty", cross_made), ("engine", cross_out)),
    MarkAcknowledged: (("duty", hear_aye),),
    CircuitMended: (("engine", mend),),
    Damaged: (("engine", erase_after_damage),),
    MineDestroyed: (("helm", lose_mine),),
    Surfaced: (
        ("duty", forget_marks),
        ("helm", begin_route_anew),
        ("engine", erase_when_surfaced),
        ("radio", lock),
        ("trace", begin_trace),
    ),
    SectionTraced: (("trace", keep_section),),
    TraceJudged: (("trace", take_judgement), ("engine", erase_when_traced)),
    ReadyReported: (("trace", report_ready),),
    LineDrawn: (("radio", draw_line),),
    MarkPut: (("radio", put_mark),),
    NoteWritten: (("radio", write_note),),
    Rubbed: (("radio", rub),),
    SheetWiped: (("radio", wipe),),
    SheetSlid: (("radio", slide),),
    SheetTaken: (("radio", take_sheet),),
}
"""What a crew's own events do to its sheets."""

EITHER: Final[dict[type, Changes]] = {
    Exploded: (("helm", see_explosion),),
    TurnEnded: (("helm", arm_mines_in_turn),),
    VolcanoNamed: (("helm", see_lava),),
}
"""What anybody's events do to the sheets of both crews."""
