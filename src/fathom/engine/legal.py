"""The orders that a seat may give now: exactly those that ``decide`` accepts.

Left out are orders that carry drawings or free words (tracing, judging a trace, the transparent
sheet): they are endless. ``may_trace`` and ``may_write`` tell whether they may come.
"""

from functools import lru_cache
from typing import Final

from fathom.engine import orders as say
from fathom.engine.detection import column_of, row_of
from fathom.engine.engineering import free_symbols
from fathom.engine.game import DOCK, Boat, Game, Helm, Trace
from fathom.engine.gauges import chargeable
from fathom.engine.moment import Moment, moment
from fathom.engine.orders import AnyOrder
from fathom.engine.radio import writing_hindrance
from fathom.engine.repairs import repairable
from fathom.engine.seaway import open_water
from fathom.engine.systems import activation_hindrance, at_hand
from fathom.engine.tempo import mark_hindrance, owes_marks
from fathom.engine.weapons import mine_points, torpedo_points, trigger_hindrance
from fathom.points import LETTERS, Point, Points, bits, cross, shift
from fathom.words import (
    CAPTAIN,
    CREWS,
    DRONE,
    ENGINEER,
    FIRST_MATE,
    HEADINGS,
    MINE,
    RADIO_OPERATOR,
    SCENARIO,
    SILENCE,
    SONAR,
    SYSTEMS,
    TORPEDO,
    Crew,
    Referee,
    Seat,
)

Orders = tuple[AnyOrder, ...]

COURSES: Final = tuple(say.SetCourse(heading) for heading in HEADINGS)
SILENT: Final = tuple(
    tuple(say.RunSilent(distance, heading) for distance in range(16)) for heading in HEADINGS
)
STAY_SILENT: Final = say.RunSilent(0)
SURFACE_ONLY: Final[Orders] = (say.SURFACE,)
END_ONLY: Final[Orders] = (say.END_TURN,)
NOTHING: Final[Orders] = ()
BOTH_LINES: Final[Orders] = (say.AnswerTruly("row"), say.AnswerTruly("column"))

CAPTAIN_BIT: Final = CAPTAIN.bit
MATE_BIT: Final = FIRST_MATE.bit
ENGINEER_BIT: Final = ENGINEER.bit
RADIO_BIT: Final = RADIO_OPERATOR.bit
DETECTION: Final = DRONE.bit | SONAR.bit


def legal(game: Game, seat: Seat | Referee) -> Orders:
    """All orders that ``seat`` may give now, but for drawings and notes."""
    return referee_orders(game) if isinstance(seat, Referee) else orders_in(moment(game, seat))


def orders_in(now: Moment) -> Orders:
    """The same for a seat at a moment."""
    game, crew, boat, posts = now.game, now.crew, now.boat, now.posts
    phase = game.public.phase
    if phase == "over":
        return NOTHING
    if phase == "placing":
        return placing_orders(game, crew) if posts & CAPTAIN_BIT else NOTHING
    found = marks(game, crew, boat, posts)
    if now.systems and not now.bar:
        found += activations(game, crew, boat, now.systems)
    if posts & CAPTAIN_BIT:
        found += captains(game, crew, boat, now.hindrance)
    if posts & ENGINEER_BIT and boat.trace is not None:
        found += ready_report(game, boat.trace)
    return found


# Before the game begins


def placing_orders(game: Game, crew: Crew) -> Orders:
    """Marking the start, and diving."""
    if game.public.dived[crew]:
        return (say.RESIGN,)
    free = game.ground.chart.starts is None
    taken = game.public.old_mines if game.ground.book.old_mine_blocks else 0
    places = place_orders(game.ground.water & ~taken) if free else NOTHING
    dive = NOTHING if game.boats[crew].helm.at == DOCK else (say.DIVE,)
    return (*places, *dive, say.RESIGN)


@lru_cache(256)
def place_orders(points: Points) -> Orders:
    return tuple(say.Place(Point(point)) for point in bits(points))


# Marks


def marks(game: Game, crew: Crew, boat: Boat, posts: int) -> Orders:
    """What first mate and engineer owe."""
    duty = boat.duty
    charge = duty.charge != "none" and posts & MATE_BIT
    cross_out = duty.cross != "none" and posts & ENGINEER_BIT
    if not (charge or cross_out) or mark_hindrance(game, crew):
        return NOTHING
    found = charge_orders(game, crew, boat) if charge else NOTHING
    return found + cross_out_orders(game, boat) if cross_out else found


def charge_orders(game: Game, crew: Crew, boat: Boat) -> Orders:
    """Any gauge with an empty box; an empty mark where there is none or only a pretence is due."""
    if boat.duty.charge == "empty":
        return (say.NOTHING_TO_CHARGE,)
    return charges(chargeable(game, crew, boat))


@lru_cache(64)
def charges(systems: int) -> Orders:
    found = tuple(say.Charge(system) for system in SYSTEMS if systems & system.bit)
    return found or (say.NOTHING_TO_CHARGE,)


def cross_out_orders(game: Game, boat: Boat) -> Orders:
    """Any free symbol of what is due, or the pretended mark."""
    ground = game.ground
    due = boat.duty.cross
    if due == "empty":
        return (say.PRETEND_TO_CROSS_OUT,)
    return symbol_orders(ground.symbol_names, free_symbols(ground, due, boat.engine.crossed))


@lru_cache(1024)
def symbol_orders(names: tuple[str, ...], free: int) -> Orders:
    return tuple(say.CrossOut(name) for place, name in enumerate(names) if free >> place & 1)


# Systems


def activations(game: Game, crew: Crew, boat: Boat, systems: int) -> Orders:
    """Every one of the systems that may be used now, with all its targets."""
    systems &= at_hand(game, crew, boat)
    found = captains_systems(game, crew, boat, systems) if systems & ~DETECTION else NOTHING
    return found + detection(game, systems) if systems & DETECTION else found


def could_activate(game: Game, crew: Crew) -> bool:
    """Whether anyone of the crew could activate anything now."""
    boat = game.boats[crew]
    if activation_hindrance(game, crew, boat):
        return False
    return bool(activations(game, crew, boat, game.ground.systems))


def captains_systems(game: Game, crew: Crew, boat: Boat, systems: int) -> Orders:
    """Mine, torpedo, silence and the scenario's system."""
    found = NOTHING
    if systems & MINE.bit:
        found += mine_orders(mine_points(game, crew))
    if systems & TORPEDO.bit:
        found += torpedo_orders(torpedo_points(game, crew))
    if systems & SILENCE.bit and not owes_marks(boat):
        found += silence_orders(game, boat.helm)
    if systems & SCENARIO.bit:
        found += scenario_orders(game, crew)
    return found


@lru_cache(4096)
def mine_orders(points: Points) -> Orders:
    return tuple(say.LayMine(Point(point)) for point in bits(points))


@lru_cache(4096)
def torpedo_orders(points: Points) -> Orders:
    return tuple(say.FireTorpedo(Point(point)) for point in bits(points))


def silence_orders(game: Game, helm: Helm) -> Orders:
    """Every straight line of open water."""
    book, water = game.ground.book, open_water(game, helm)
    found: list[AnyOrder] = [STAY_SILENT] if book.silence_least == 0 else []
    for lines, heading in zip(SILENT, HEADINGS, strict=True):
        at = 1 << helm.at
        for distance in range(1, book.silence_most + 1):
            at = shift(at, heading.step) & water
            if not at:
                break
            if distance >= book.silence_least:
                found.append(lines[distance])
    return tuple(found)


def scenario_orders(game: Game, crew: Crew) -> Orders:
    """Old mines to detonate, or systems to repair."""
    if game.ground.chart.special == "old-mines":
        return old_mine_orders(game.public.old_mines)
    near = repairable(game, crew)
    return tuple(say.RepairSystem(system) for system in SYSTEMS if near & system.bit)


@lru_cache(1024)
def old_mine_orders(points: Points) -> Orders:
    return tuple(say.DetonateOldMine(Point(point)) for point in bits(points))


def detection(game: Game, systems: int) -> Orders:
    """Drone and sonar."""
    found = drone_orders(game.ground.chart.sector_count) if systems & DRONE.bit else NOTHING
    return (*found, say.USE_SONAR) if systems & SONAR.bit else found


@lru_cache(16)
def drone_orders(sectors: int) -> Orders:
    return tuple(say.LaunchDrone(sector) for sector in range(1, sectors + 1))


# The captain's other orders


def captains(game: Game, crew: Crew, boat: Boat, rule: str) -> Orders:
    """Mines, courses, surfacing, the end of a turn; answers and signals where a rule hinders."""
    found: Orders = (say.RESIGN,)
    helm = boat.helm
    if helm.mines and not trigger_hindrance(game, crew, boat):
        found += trigger_orders(helm.mines & ~helm.unarmed)
    if not rule:
        return sailing(game, boat) + found
    if game.public.awaited is not None and game.public.awaited.crew is crew:
        found += awaited_orders(game, crew)
    return found + signals(game, crew)


@lru_cache(1024)
def trigger_orders(points: Points) -> Orders:
    return tuple(say.TriggerMine(Point(point)) for point in bits(points))


def sailing(game: Game, boat: Boat) -> Orders:
    """A course or surfacing, or the end of the turn, as far as no mark is due."""
    turn, due = game.public.turn, owes_marks(boat)
    if turn is not None and turn.sailed:
        return NOTHING if due else END_ONLY
    if not due:
        at = 1 << boat.helm.at
        return courses(at, cross(at) & open_water(game, boat.helm))
    return NOTHING if game.ground.book.acknowledge_systems else SURFACE_ONLY


@lru_cache(8192)
def courses(at: Points, free: Points) -> Orders:
    found = (c for c in COURSES if shift(at, c.heading.step) & free)
    return (*found, say.SURFACE)


def awaited_orders(game: Game, crew: Crew) -> Orders:
    """The answer to a sonar, or the naming of a volcano."""
    ground, awaited = game.ground, game.public.awaited
    if awaited is not None and awaited.what == "volcano":
        return tuple(say.NameVolcano(n) for n in range(1, len(ground.volcanoes) + 1))
    if ground.book.sonar_answer == "one-true":
        return BOTH_LINES
    at, chart = game.boats[crew].helm.at, ground.chart
    return sonar_answers(
        row_of(at),
        column_of(at),
        ground.sectors[at],
        (chart.down, chart.across, chart.sector_count),
    )


@lru_cache(1024)
def sonar_answers(row: int, column: str, sector: int, sizes: tuple[int, int, int]) -> Orders:
    """Every pair of facts with one true and one false."""
    down, across, sectors = sizes
    rows = [n for n in range(1, down + 1) if n != row]
    columns = [letter for letter in LETTERS[:across] if letter != column]
    others = [n for n in range(1, sectors + 1) if n != sector]
    return (
        *(say.AnswerSonar(row=row, column=false) for false in columns),
        *(say.AnswerSonar(row=false, column=column) for false in rows),
        *(say.AnswerSonar(row=row, sector=false) for false in others),
        *(say.AnswerSonar(row=false, sector=sector) for false in rows),
        *(say.AnswerSonar(column=column, sector=false) for false in others),
        *(say.AnswerSonar(column=false, sector=sector) for false in columns),
    )


def signals(game: Game, crew: Crew) -> Orders:
    """Diving again, and the captain's signal that ends a stop."""
    trace, stop = game.boats[crew].trace, game.public.stop
    if trace is not None and trace.ready and stop is None:
        return (say.DIVE,)
    if stop is not None and stop.by is crew and game.ground.book.resume == "captain":
        return resume_order(game)
    return NOTHING


def resume_order(game: Game) -> Orders:
    """Ending a stop, when nothing more is awaited."""
    stop = game.public.stop
    if stop is None or game.public.awaited is not None:
        return NOTHING
    return NOTHING if stop.marks and owes_marks(game.boats[stop.by]) else (say.RESUME,)


def ready_report(game: Game, trace: Trace) -> Orders:
    """Reporting ready to dive."""
    if not trace.good or trace.ready or game.public.stop is not None:
        return NOTHING
    return (say.REPORT_READY,)


# The referee, and orders that are not listed


def referee_orders(game: Game) -> Orders:
    """Drawing lots, ending a stop, answering for a captain, declaring a crew lost."""
    public = game.public
    if public.phase == "over":
        return NOTHING
    found: Orders = tuple(say.DeclareLost(crew) for crew in CREWS)
    if public.phase == "placing" and public.first is None and not game.ground.real_time:
        found += tuple(say.DrawFirst(crew) for crew in CREWS)
    if game.ground.book.resume == "by-itself":
        found += resume_order(game)
    if public.awaited is not None and public.awaited.what == "sonar-answer":
        found += awaited_orders(game, public.awaited.crew)
    return found


def may_trace(game: Game, seat: Seat) -> tuple[int, ...]:
    """The sections that this seat may trace now."""
    trace = game.boats[seat.crew].trace
    if trace is None or game.public.phase != "playing" or game.public.stop is not None:
        return ()
    if trace.holder != seat.number or trace.complete:
        return ()
    return tuple(n for n, section in enumerate(trace.sections, 1) if section is None)


def may_judge(game: Game, seat: Seat) -> bool:
    """Whether this seat's engineer may judge the enemy's traced hull."""
    trace = game.boats[seat.crew.other].trace
    holds = game.ground.posts[seat.crew][seat.number] & ENGINEER_BIT
    if not holds or trace is None or game.public.phase != "playing" or game.public.stop is not None:
        return False
    return game.ground.house.trace_judge != "program" and trace.complete and not trace.good


def may_write(game: Game, seat: Seat) -> bool:
    """Whether this seat's radio operator may write on the transparent sheet."""
    holds = game.ground.posts[seat.crew][seat.number] & RADIO_BIT
    return bool(holds) and not writing_hindrance(game, seat.crew)
