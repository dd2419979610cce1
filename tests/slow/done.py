"""What an order does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.engine.events import (
    CircuitMended,
    CourseSet,
    Damaged,
    Dived,
    DroneLaunched,
    FirstDrawn,
    MineLaidHeard,
    MineTriggered,
    OldMineDetonated,
    PlayBegan,
    PlayResumed,
    SilenceHeard,
    SonarAnswered,
    SonarUsed,
    Surfaced,
    SystemFailed,
    SystemReady,
    SystemRepaired,
    TorpedoFired,
)
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
    JudgeTrace,
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
    TraceSection,
    TriggerMine,
    UseSonar,
)
from fathom.points import Point
from fathom.words import Heading, Post, Referee, Seat, System
from tests.slow.blasts import Blast, explode, forget_mine, name_volcano, weapon_used
from tests.slow.boat import SlowBoat, SlowTrace
from tests.slow.sea import letter_of, place_of, point_of, step

if TYPE_CHECKING:
    from tests.slow.twin import Twin


def carry_out(twin: Twin, seat: Seat | Referee, order: AnyOrder) -> None:
    """Do what was ordered."""
    if isinstance(seat, Referee):
        referees_order(twin, order)
    elif isinstance(order, TraceSection):
        trace_section(twin, seat, order)
    elif type(order) in USES:
        activate(twin, twin.boats[seat.crew], order)
    else:
        other_order(twin, twin.boats[seat.crew], order)


def referees_order(twin: Twin, order: AnyOrder) -> None:
    """Time and chance."""
    match order:
        case DrawFirst(crew):
            twin.first = crew
            twin.said.append(FirstDrawn(crew))
            begin_if_ready(twin)
        case DeclareLost(crew, why):
            twin.over(crew.other, why)
        case ResumePlay():
            resume(twin)
        case AnswerSonar() | AnswerTruly():
            assert twin.answer_from is not None
            answer_sonar(twin, twin.boats[twin.answer_from], order)
        case _:
            raise AssertionError(f"not the referee's: {order}")


def other_order(twin: Twin, boat: SlowBoat, order: AnyOrder) -> None:
    """A crew's order that is no activation."""
    match order:
        case Place(at):
            boat.start_at(place_of(at))
        case Dive():
            dive(twin, boat)
        case SetCourse(heading):
            set_course(twin, boat, heading)
        case Surface():
            surface(twin, boat)
        case TriggerMine(at):
            trigger(twin, boat, at)
        case Charge(system):
            charge(twin, boat, system)
        case CrossOut(symbol):
            cross_out(twin, boat, symbol)
        case AnswerSonar() | AnswerTruly():
            answer_sonar(twin, boat, order)
        case NameVolcano(volcano):
            name_volcano(twin, boat.crew, volcano)
        case EndTurn():
            twin.turn_used_up = True
        case ReportReady():
            assert boat.trace is not None
            boat.trace.ready = True
        case JudgeTrace(bad):
            judge(twin, twin.boats[boat.crew.other], set(bad))
        case ResumePlay():
            resume(twin)
        case Resign():
            twin.over(boat.crew.other, "end.resign")
        case _:
            raise AssertionError(f"not played here: {order}")


# The beginning


def dive(twin: Twin, boat: SlowBoat) -> None:
    """To begin the game, or after a surfacing in real time (start.place, surface.dive)."""
    twin.said.append(Dived(boat.crew))
    boat.dived = True
    if twin.phase == "placing":
        begin_if_ready(twin)
        return
    boat.surfaced = False
    boat.trace = None
    boat.unarmed.clear()
    # In the Russian rules a course must come before the next system (surface.then-system).
    boat.course_must_come_first = not twin.book.system_after_dive


def begin_if_ready(twin: Twin) -> None:
    """Play begins when both have dived and, turn by turn, it is known who is first."""
    if not all(boat.dived for boat in twin.boats.values()):
        return
    if twin.real_time:
        twin.phase = "playing"
        twin.said.append(PlayBegan(None))
    elif twin.first is not None:
        twin.phase = "playing"
        twin.said.append(PlayBegan(twin.first))
        twin.begin_turn(twin.first, 0)


# Sailing


def set_course(twin: Twin, boat: SlowBoat, heading: Heading) -> None:
    """One point, heard by everyone; then the marks, or one box of energy (move.course)."""
    boat.sail_to(step(boat.place, heading))
    twin.said.append(CourseSet(boat.crew, heading))
    boat.used_system = boat.course_must_come_first = False
    boat.owe_marks(heading)
    if twin.book.energy:
        # A full gauge stays full (energy.gauge).
        boat.energy = min(boat.energy + 1, twin.book.energy.boxes)
    if twin.real_time:
        # In real time a mine is armed from the next course (mine.armed).
        boat.unarmed.clear()
        return
    twin.sailed = twin.announced = True
    twin.turn_used_up = twin.book.activations == "whole-turn"


def surface(twin: Twin, boat: SlowBoat) -> None:
    """The ice first, then the announcement; the route is erased (surface.announce to erase)."""
    if twin.sea.breaks_ice(boat.place):
        damage(twin, boat, "ice")
        if twin.phase == "over":
            return
    twin.said.append(surfacing_told(twin, boat))
    boat.route = [boat.place]
    pace = twin.book.real_time if twin.real_time else twin.book.turn_by_turn
    match pace.surfacing:
        case "three-turns":
            # Breakdowns are erased at once; the enemy takes three turns (surface.turns).
            boat.crossed.clear()
            boat.surfaced = True
            twin.pass_turn(boat.crew.other, 3)
        case "trace":
            # The engineer begins to trace; breakdowns are erased when it is good (surface.trace).
            boat.surfaced = True
            boat.dived = False
            boat.trace = SlowTrace(holder=boat.seat_of(Post.ENGINEER))
        case "pass":
            twin.pass_turn(boat.crew.other, 1)
        case "signal":
            # Play resumes at the captain's signal (surface.quick).
            twin.stop(boat.crew)


def surfacing_told(twin: Twin, boat: SlowBoat) -> Surfaced:
    """The sector or, in the family game, the exact point."""
    if twin.book.surfacing_tells == "point":
        return Surfaced(boat.crew, at=point_of(boat.place))
    return Surfaced(boat.crew, sector=twin.sea.sector(boat.place))


def damage(twin: Twin, boat: SlowBoat, cause: str) -> None:
    """One damage, announced to all (damage.announced)."""
    boat.damage += 1
    twin.said.append(Damaged(boat.crew, 1, "ice" if cause == "ice" else "breakdown"))
    twin.sink_the_damaged()


# Marks


def charge(twin: Twin, boat: SlowBoat, system: System | None) -> None:
    """Fill one box, or say that there is none; "Mine ready!" (charge.one, charge.full)."""
    boat.charge_due = ""
    if system is None:
        return
    boat.filled[system] += 1
    if boat.charged(system):
        twin.told.append(SystemReady(boat.crew, system))


def cross_out(twin: Twin, boat: SlowBoat, symbol: str | None) -> None:
    """Cross one symbol out, or pretend to (breakdown.cross)."""
    boat.cross_due = ""
    if symbol is None:
        return
    consequence = boat.cross_out(symbol)
    if consequence == "damage":
        damage(twin, boat, "breakdown")
    elif consequence is not None:
        twin.told.append(CircuitMended(boat.crew, consequence))


# Systems


USES: dict[type, System] = {
    LayMine: System.MINE,
    FireTorpedo: System.TORPEDO,
    LaunchDrone: System.DRONE,
    UseSonar: System.SONAR,
    RunSilent: System.SILENCE,
    DetonateOldMine: System.SCENARIO,
    RepairSystem: System.SCENARIO,
}
"""The system that an order activates; triggering a mine is no activation (system.once)."""


def activate(twin: Twin, boat: SlowBoat, order: AnyOrder) -> None:
    """Use a system, which empties its gauge, or see it fail (system.spent, breakdown.misuse)."""
    system = USES[type(order)]
    boat.used_system = twin.turn_used_up = True
    if not boat.intact(system):
        fail(twin, boat, system)
        return
    boat.spend(system)
    twin.stop(boat.crew, for_marks=system is System.SILENCE and twin.book.acknowledge)
    match order:
        case LayMine(at):
            lay_mine(twin, boat, at)
        case FireTorpedo(target):
            fire_torpedo(twin, boat, target)
        case LaunchDrone(sector):
            launch_drone(twin, boat, sector)
        case UseSonar():
            twin.said.append(SonarUsed(boat.crew))
            twin.answer_from = boat.crew.other
        case RunSilent():
            run_silent(twin, boat, order)
        case DetonateOldMine(at):
            detonate(twin, boat, at)
        case RepairSystem(repaired):
            twin.said.append(SystemRepaired(boat.crew, repaired))
            boat.in_service.add(repaired)
        case _:
            raise AssertionError(f"no activation: {order}")


def fail(twin: Twin, boat: SlowBoat, system: System) -> None:
    """It does not work, the gauge stays full, and a radiation symbol is due (breakdown.misuse)."""
    twin.said.append(SystemFailed(boat.crew, system))
    boat.cross_due = "radiation"
    twin.stop(boat.crew, for_marks=True)


def lay_mine(twin: Twin, boat: SlowBoat, at: Point) -> None:
    """The enemy hears that, not where (mine.lay)."""
    place = place_of(at)
    boat.mines.add(place)
    if twin.book.mine_armed == "next-turn":
        boat.unarmed.add(place)
    twin.said.append(MineLaidHeard(boat.crew))
    weapon_used(twin, boat.crew)


def fire_torpedo(twin: Twin, boat: SlowBoat, target: Point) -> None:
    """The point of impact is announced, then what it hit (torpedo.range)."""
    twin.said.append(TorpedoFired(boat.crew, target))
    explode(twin, [Blast(place_of(target), "torpedo", boat.crew)])
    weapon_used(twin, boat.crew)


def trigger(twin: Twin, boat: SlowBoat, at: Point) -> None:
    """The mine explodes like a torpedo and is gone; no gauge is emptied (mine.trigger)."""
    twin.said.append(MineTriggered(boat.crew, at))
    if twin.turn_of is boat.crew:
        twin.announced = True
    twin.stop(boat.crew)
    forget_mine(twin, boat.crew, place_of(at))
    explode(twin, [Blast(place_of(at), "mine", boat.crew)])


def detonate(twin: Twin, boat: SlowBoat, at: Point) -> None:
    """An old mine explodes like any mine and is gone for both (scenario.old-mines)."""
    twin.said.append(OldMineDetonated(boat.crew, at))
    twin.old_mines.discard(place_of(at))
    explode(twin, [Blast(place_of(at), "old-mine", None)])


def launch_drone(twin: Twin, boat: SlowBoat, sector: int) -> None:
    """A truthful yes or no, unless smoke hides the sector (drone.ask, scenario.volcanoes)."""
    enemy = twin.boats[boat.crew.other]
    if sector == smoking_sector(twin):
        twin.said.append(DroneLaunched(boat.crew, sector, "toxic-smoke"))
    elif twin.sea.sector(enemy.place) == sector:
        twin.said.append(DroneLaunched(boat.crew, sector, "yes"))
    else:
        twin.said.append(DroneLaunched(boat.crew, sector, "no"))


def smoking_sector(twin: Twin) -> int | None:
    """The sector of the volcano under toxic smoke, if one is."""
    if twin.smoking is None:
        return None
    return twin.sea.sector(twin.sea.volcanoes()[twin.smoking - 1])


def answer_sonar(twin: Twin, boat: SlowBoat, order: AnswerSonar | AnswerTruly) -> None:
    """The enemy captain's facts; in the family game the truth (sonar.answer-true)."""
    twin.answer_from = None
    if isinstance(order, AnswerSonar):
        twin.said.append(SonarAnswered(boat.crew, order.row, order.column, order.sector))
    elif order.line == "row":
        twin.said.append(SonarAnswered(boat.crew, row=boat.place[1] + 1))
    else:
        twin.said.append(SonarAnswered(boat.crew, column=letter_of(boat.place)))


def run_silent(twin: Twin, boat: SlowBoat, order: RunSilent) -> None:
    """All points join the route; only "silence" is announced (silence.move)."""
    twin.said.append(SilenceHeard(boat.crew))
    for _ in range(order.distance):
        assert order.heading is not None
        boat.sail_to(step(boat.place, order.heading))
    if not twin.book.acknowledge:
        return
    # With 0 points both answer with an empty mark, so that time betrays nothing.
    boat.cross_due = order.heading if order.heading and order.distance else "empty"
    if twin.book.silence_charges:
        boat.charge_due = "box" if order.distance else "empty"


# Surfaced in real time


def trace_section(twin: Twin, seat: Seat, order: TraceSection) -> None:
    """One section; the sheet goes round the crew until all four are done (surface.trace)."""
    boat = twin.boats[seat.crew]
    trace = boat.trace
    assert trace is not None
    line = twin.setup.hull.sections[order.section - 1]
    trace.drawn[order.section] = order.stroke == (*line, line[0])
    trace.holder = (trace.holder + 1) % len(boat.seats)
    if len(trace.drawn) == 4 and twin.setup.house.trace_judge == "program":
        judge(twin, boat, {section for section, good in trace.drawn.items() if not good})


def judge(twin: Twin, boat: SlowBoat, bad: set[int]) -> None:
    """A good trace erases the breakdowns; a bad one is erased and begun again (surface.dive)."""
    trace = boat.trace
    assert trace is not None
    if not bad:
        trace.good = True
        boat.crossed.clear()
        return
    if twin.setup.house.trace_redo == "all":
        boat.trace = SlowTrace(holder=boat.seat_of(Post.ENGINEER))
        return
    # Where only the bad sections are redone, the sheet goes on round the crew.
    for section in bad:
        del trace.drawn[section]


# Stops


def resume(twin: Twin) -> None:
    """Play goes on (system.stop)."""
    twin.stopped_by = None
    twin.stopped_for_marks = False
    twin.said.append(PlayResumed())
