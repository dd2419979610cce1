"""The legal orders, post by post."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fathom.engine.orders import (
    AnswerSonar,
    AnswerTruly,
    AnyOrder,
    Charge,
    CrossOut,
    DeclareLost,
    DetonateOldMine,
    Dive,
    DrawFirst,
    EndTurn,
    FireTorpedo,
    LaunchDrone,
    LayMine,
    NameVolcano,
    Place,
    RepairSystem,
    ReportReady,
    Resign,
    ResumePlay,
    RunSilent,
    SetCourse,
    Surface,
    TriggerMine,
    UseSonar,
)
from fathom.words import Crew, Heading, Kind, Post, Seat, System
from tests.slow.sea import ColumnRow, around, letter_of, point_of, step

if TYPE_CHECKING:
    from tests.slow.boat import SlowBoat
    from tests.slow.twin import Twin

AllowedOrders = Iterator[AnyOrder]
SECTIONS = {1, 2, 3, 4}


def of_seat(twin: Twin, seat: Seat) -> AllowedOrders:
    """Everything that the posts of this seat may order (crew.orders)."""
    if twin.phase == "over":
        return
    crew, posts = seat.crew, twin.boats[seat.crew].seats[seat.number]
    if Post.CAPTAIN in posts:
        yield from captains(twin, crew)
    if Post.FIRST_MATE in posts and may_mark(twin, crew):
        yield from charges(twin.boats[crew])
    if Post.ENGINEER in posts:
        if may_mark(twin, crew):
            yield from crossings_out(twin.boats[crew])
        yield from ready_report(twin, crew)
    yield from activations(twin, crew, posts)


# Captain


def captains(twin: Twin, crew: Crew) -> AllowedOrders:
    """The captain's orders, but for activations."""
    yield Resign()
    yield from beginning(twin, crew)
    yield from sailing(twin, crew)
    yield from triggers(twin, crew)
    yield from ending_the_turn(twin, crew)
    yield from diving_again(twin, crew)
    yield from answers(twin, crew)
    yield from namings(twin, crew)
    if twin.book.resume == "captain" and twin.stopped_by is crew and nothing_awaited(twin):
        yield ResumePlay()


def beginning(twin: Twin, crew: Crew) -> AllowedOrders:
    """Mark the start, unless the scenario gives it, and dive (start.place)."""
    boat = twin.boats[crew]
    if twin.phase != "placing" or boat.dived:
        return
    if twin.setup.chart.starts is None:
        yield from (Place(point_of(place)) for place in twin.sea.sea_places())
    if boat.at is not None:
        yield Dive()


def sailing(twin: Twin, crew: Crew) -> AllowedOrders:
    """A course or surfacing: once a turn, and not before the marks (turn.order)."""
    boat = twin.boats[crew]
    if not twin.may_act(crew) or boat.marks_due() or twin.sailed:
        return
    for heading in Heading:
        if may_enter(twin, boat, step(boat.place, heading)):
            yield SetCourse(heading)
    yield Surface()


def may_enter(twin: Twin, boat: SlowBoat, place: ColumnRow) -> bool:
    """Sea, not on the route, no mine of one's own (move.no-crossing to move.own-mine)."""
    return twin.sea.is_sea(place) and place not in boat.route and place not in boat.mines


def triggers(twin: Twin, crew: Crew) -> AllowedOrders:
    """Armed mines; marks need not be made first (mine.trigger, mine.circuits)."""
    boat = twin.boats[crew]
    if not twin.at_play() or boat.surfaced:
        return
    if not twin.real_time and twin.turn_of is not crew and not twin.announced:
        return
    if twin.book.trigger_needs_circuits and boat.broken(Kind.RED):
        return
    yield from (TriggerMine(point_of(place)) for place in boat.armed_mines())


def ending_the_turn(twin: Twin, crew: Crew) -> AllowedOrders:
    """By hand, after the course and its marks; there is no pass (turn.order)."""
    if twin.may_act(crew) and twin.sailed and not twin.boats[crew].marks_due():
        yield EndTurn()


def diving_again(twin: Twin, crew: Crew) -> AllowedOrders:
    """After a good trace and the engineer's report (surface.dive)."""
    trace = twin.boats[crew].trace
    if twin.at_play() and trace is not None and trace.ready:
        yield Dive()


def answers(twin: Twin, crew: Crew) -> AllowedOrders:
    """What the captain of this crew may answer to a sonar."""
    if twin.answer_from is not crew:
        return
    if twin.book.sonar_answer == "one-true":
        # The captain chooses row or column (sonar.answer-true).
        yield AnswerTruly("row")
        yield AnswerTruly("column")
        return
    yield from half_true_answers(twin, twin.boats[crew].place)


def half_true_answers(twin: Twin, place: ColumnRow) -> AllowedOrders:
    """Two facts of different kinds, one true, one false but existing (sonar.answer)."""
    rows = range(1, twin.sea.rows + 1)
    columns = [letter_of((column, 0)) for column in range(twin.sea.columns)]
    sectors = range(1, twin.sea.sector_count() + 1)
    row, column, sector = place[1] + 1, letter_of(place), twin.sea.sector(place)
    for told_row in rows:
        for told_column in columns:
            if (told_row == row) != (told_column == column):
                yield AnswerSonar(row=told_row, column=told_column)
        for told_sector in sectors:
            if (told_row == row) != (told_sector == sector):
                yield AnswerSonar(row=told_row, sector=told_sector)
    for told_column in columns:
        for told_sector in sectors:
            if (told_column == column) != (told_sector == sector):
                yield AnswerSonar(column=told_column, sector=told_sector)


def namings(twin: Twin, crew: Crew) -> AllowedOrders:
    """One of the two volcanoes (scenario.volcanoes)."""
    if twin.naming_by is crew:
        yield NameVolcano(1)
        yield NameVolcano(2)


# First mate and engineer


def may_mark(twin: Twin, crew: Crew) -> bool:
    """Marks are made while play goes on, and those that a stop waits for (system.stop)."""
    if twin.stopped_by is crew and twin.stopped_for_marks:
        return True
    return twin.may_act(crew)


def charges(boat: SlowBoat) -> AllowedOrders:
    """A box of any gauge that has an empty one, else an empty mark (move.acknowledge)."""
    if boat.charge_due == "box":
        yield from (Charge(system) for system in boat.chargeable())
    if boat.charge_due == "empty" or (boat.charge_due == "box" and not boat.chargeable()):
        yield Charge()


def crossings_out(boat: SlowBoat) -> AllowedOrders:
    """A symbol of what is due, or the pretended mark (silence.move)."""
    if boat.cross_due == "empty":
        yield CrossOut()
    elif boat.cross_due:
        yield from (CrossOut(symbol) for symbol in boat.free_symbols())


def ready_report(twin: Twin, crew: Crew) -> AllowedOrders:
    """Once the trace is good (surface.dive)."""
    trace = twin.boats[crew].trace
    if twin.at_play() and trace is not None and trace.good and not trace.ready:
        yield ReportReady()


# Systems


def activations(twin: Twin, crew: Crew, posts: set[Post]) -> AllowedOrders:
    """The systems that these posts may use now, with everything they may aim at (system.who)."""
    if not may_activate(twin, crew):
        return
    boat = twin.boats[crew]
    if Post.CAPTAIN in posts:
        yield from mines(twin, boat)
        yield from torpedoes(twin, boat)
        yield from silences(twin, boat)
        yield from old_mines(twin, boat)
        yield from repairs(twin, boat)
    if posts & who_detects(twin, boat):
        yield from drones(twin, boat)
        yield from sonars(twin, boat)


def may_activate(twin: Twin, crew: Crew) -> bool:
    """Whether it is time for a system at all (system.once, turn.order, surface.then-system)."""
    boat = twin.boats[crew]
    if not twin.may_act(crew) or boat.marks_due():
        return False
    if twin.book.activations == "whole-turn":
        return True
    if boat.used_system or boat.course_must_come_first:
        return False
    return twin.real_time or twin.sailed


def who_detects(twin: Twin, boat: SlowBoat) -> set[Post]:
    """Who may use drone and sonar (system.who, crew.shy-mate)."""
    return {Post.CAPTAIN} if boat.shy_mate else set(twin.book.detection_by)


def usable(twin: Twin, boat: SlowBoat, system: System) -> bool:
    """In service, charged, and intact; a broken one may be ordered where it then fails."""
    if twin.book.energy:
        return system in twin.book.systems and boat.charged(system)
    if system not in boat.in_service or not boat.charged(system):
        return False
    # In the second edition the order is accepted and the system fails (breakdown.misuse).
    return boat.intact(system) or twin.book.broken_system == "radiation-mark"


def mines(twin: Twin, boat: SlowBoat) -> AllowedOrders:
    """On a neighbouring sea point, off the route and off mines known to the crew (mine.lay)."""
    if not usable(twin, boat, System.MINE):
        return
    for place in around(boat.place):
        # An enemy mine there doesn't matter; no mine on an old one (scenario.old-mines).
        if may_enter(twin, boat, place) and place not in twin.old_mines:
            yield LayMine(point_of(place))


def torpedoes(twin: Twin, boat: SlowBoat) -> AllowedOrders:
    """Any point in reach, one's own too (torpedo.range, torpedo.sector)."""
    if not usable(twin, boat, System.TORPEDO):
        return
    if twin.book.torpedo_reach == "sector":
        targets = twin.sea.same_sector(boat.place)
    else:
        targets = twin.sea.within_steps(boat.place, twin.book.torpedo_range)
    yield from (FireTorpedo(point_of(target)) for target in targets)


def silences(twin: Twin, boat: SlowBoat) -> AllowedOrders:
    """A straight line of points that may all be entered (silence.move, silence.one)."""
    if not usable(twin, boat, System.SILENCE):
        return
    least, most = twin.book.silence_least, twin.book.silence_most
    if least == 0:
        yield RunSilent(0)
    for heading in Heading:
        for distance in range(1, most + 1):
            if not may_enter(twin, boat, step(boat.place, heading, distance)):
                break
            if distance >= least:
                yield RunSilent(distance, heading)


def old_mines(twin: Twin, boat: SlowBoat) -> AllowedOrders:
    """Any old mine, however far (scenario.old-mines)."""
    if twin.sea.special == "old-mines" and usable(twin, boat, System.SCENARIO):
        yield from (DetonateOldMine(point_of(place)) for place in twin.old_mines)


def repairs(twin: Twin, boat: SlowBoat) -> AllowedOrders:
    """A disabled system, next to its island (scenario.damaged)."""
    if twin.sea.special != "damaged" or not usable(twin, boat, System.SCENARIO):
        return
    for system in twin.book.systems:
        disabled = system not in boat.in_service
        if disabled and twin.sea.next_to_island_of(boat.place, system):
            yield RepairSystem(system)


def drones(twin: Twin, boat: SlowBoat) -> AllowedOrders:
    """Any sector (drone.ask); the family game has no drone."""
    if System.DRONE in twin.book.systems and usable(twin, boat, System.DRONE):
        for sector in range(1, twin.sea.sector_count() + 1):
            yield LaunchDrone(sector)


def sonars(twin: Twin, boat: SlowBoat) -> AllowedOrders:
    """The question that the enemy captain must answer."""
    if usable(twin, boat, System.SONAR):
        yield UseSonar()


# Tracing and judging


def sections_to_trace(twin: Twin, seat: Seat) -> set[int]:
    """Whoever holds the sheet traces any section left (surface.trace)."""
    trace = twin.boats[seat.crew].trace
    if not twin.at_play() or trace is None or trace.holder != seat.number:
        return set()
    return SECTIONS - set(trace.drawn)


def may_judge(twin: Twin, seat: Seat) -> bool:
    """The enemy engineer judges a complete hull, where the table says so."""
    trace = twin.boats[seat.crew.other].trace
    return (
        twin.setup.house.trace_judge == "enemy-engineer"
        and Post.ENGINEER in twin.boats[seat.crew].seats[seat.number]
        and twin.at_play()
        and trace is not None
        and set(trace.drawn) == SECTIONS
        and not trace.good
    )


# The referee


def nothing_awaited(twin: Twin) -> bool:
    """Whether a stop has nothing more to wait for (system.stop)."""
    assert twin.stopped_by is not None
    marks = twin.stopped_for_marks and twin.boats[twin.stopped_by].marks_due()
    return not marks and twin.answer_from is None and twin.naming_by is None


def referees(twin: Twin) -> AllowedOrders:
    """Lots, the end of a pause, an answer that took too long, a crew that has gone."""
    if twin.phase == "over":
        return
    yield DeclareLost(Crew.A)
    yield DeclareLost(Crew.B)
    if not twin.real_time:
        yield DeclareLost(Crew.A, "end.time")
        yield DeclareLost(Crew.B, "end.time")
    if twin.phase == "placing" and not twin.real_time and twin.first is None:
        yield DrawFirst(Crew.A)
        yield DrawFirst(Crew.B)
    by_itself = twin.book.resume == "by-itself"
    if by_itself and twin.stopped_by is not None and nothing_awaited(twin):
        yield ResumePlay()
    if twin.answer_from is not None:
        yield from answers(twin, twin.answer_from)
