"""Setting a course: one point, clear of land and of the route already sailed (move.course)."""

from functools import lru_cache

from msgspec.structs import replace

from fathom.engine.action import EVERYONE, SAILING, Action, EventRules, Key, Listed, at, line
from fathom.engine.base import Event, Events, Order, Orders
from fathom.engine.choices import ActionChoices
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Duty, Gauges, Helm, Public, Turn
from fathom.engine.posts import captains
from fathom.engine.scenarios.goal import finishing
from fathom.engine.seat_now import SeatNow
from fathom.engine.seaway import blacked_out, open_courses, why_blocked
from fathom.engine.who_may_act import acting, owes_marks
from fathom.points import Points, shift
from fathom.words import HEADINGS, Crew, Heading


class SetCourse(Order, frozen=True, tag="course"):
    """Sail one point (move.course)."""

    heading: Heading


class CourseSet(Event, frozen=True, tag="course-set"):
    """A submarine sailed one point."""

    crew: Crew
    heading: Heading


COURSES = tuple(SetCourse(heading) for heading in HEADINGS)
NAMED = tuple((f"course {course.heading.value}", course) for course in COURSES)


def hindrance(now: SeatNow) -> str:
    """One course a turn, when the marks of the last one are made (turn.order, move.acknowledge)."""
    turn = now.public.turn
    if turn is not None and turn.sailed:
        return "turn.order"
    return "move.acknowledge" if owes_marks(now.boat) else ""


def courses(now: SeatNow) -> Orders:
    """A course to every open point."""
    return leading_to(1 << now.boat.helm.at, open_courses(now))


@lru_cache(8192)
def leading_to(at: Points, free: Points) -> Orders:
    return tuple(course for course in COURSES if shift(at, course.heading.step) & free)


def is_open(now: SeatNow, order: SetCourse) -> int:
    return shift(1 << now.boat.helm.at, order.heading.step) & open_courses(now)


def otherwise(now: SeatNow, order: SetCourse) -> str:
    """The rule that forbids the way ahead."""
    if now.ground.book.blackout and blacked_out(now):
        return "move.blackout"
    return why_blocked(now, shift(1 << now.boat.helm.at, order.heading.step))


def sail_on(now: SeatNow, order: SetCourse) -> Events:
    set_course: Events = [CourseSet(now.crew, order.heading)]
    if not now.ground.finish:
        return set_course
    return set_course + finishing(now, shift(1 << now.boat.helm.at, order.heading.step))


def ends_turn(setup: CompiledSetup, duty: Duty) -> bool:
    """After a course the marks come next, where there are any."""
    return setup.whole_turn and not setup.book.acknowledge


# What it does


def owe_marks(duty: Duty, event: CourseSet, ground: CompiledSetup, crew: Crew) -> Duty:
    if not ground.book.acknowledge:
        return replace(duty, barred="") if duty.barred else duty
    return Duty("box", event.heading.value, "", duty.ready)


def sail(helm: Helm, event: CourseSet, ground: CompiledSetup, crew: Crew) -> Helm:
    at = helm.at + event.heading.step
    unarmed = 0 if ground.real_time else helm.unarmed
    route, covered = (*helm.route, at), helm.covered | 1 << at
    return Helm(at, route, covered, helm.silent, helm.mines, unarmed)


def gather_energy(gauges: Gauges, event: CourseSet, ground: CompiledSetup, crew: Crew) -> Gauges:
    if gauges.energy >= ground.energy:
        return gauges
    return Gauges(gauges.boxes, gauges.energy + 1)


def course_set(public: Public, event: CourseSet, ground: CompiledSetup) -> Public:
    turn = public.turn
    if turn is None:
        return public
    return replace(public, turn=Turn(turn.crew, turn.left, sailed=True, announced=True))


ACTIONS = (
    Action(
        order=SetCourse,
        posts=captains,
        when=acting,
        hindrance=hindrance,
        stages=at(SAILING),
        free_at=SAILING,
        choices=ActionChoices(courses, is_open),
        otherwise=otherwise,
        happens=sail_on,
        listed=Listed(playing=100),
        keys=(Key(place=10, names=lambda now: NAMED, each=True),),
        ends_turn=ends_turn,
        begins_with=(CourseSet,),
    ),
)

EVENTS = (
    EventRules(
        event=CourseSet,
        heard=EVERYONE,
        own={"duty": owe_marks, "helm": sail, "gauges": gather_energy},
        public=course_set,
        lines=(line("{crew} sets course {heading}"),),
    ),
)
