"""Running silent: a straight line, unheard (silence.move, silence.one)."""

from functools import lru_cache

from msgspec.structs import replace

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Events, Order, Orders
from fathom.engine.choices import NOTHING, ActionChoices
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Duty, Helm
from fathom.engine.posts import captains
from fathom.engine.scenarios.goal import finishing
from fathom.engine.seat_now import SeatNow
from fathom.engine.seaway import open_water, why_blocked
from fathom.engine.sheet_changes import spent, use
from fathom.engine.systems import stop_for_marks, system_action
from fathom.engine.who_may_act import owes_marks
from fathom.points import Points, shift
from fathom.words import HEADINGS, SILENCE, Crew, Heading, Kind


class RunSilent(Order, frozen=True, tag="silence"):
    """Move in a straight line, unheard (silence.move); for 0 points the heading is absent."""

    distance: int
    heading: Heading | None = None


class RanSilent(Event, frozen=True, tag="ran-silent"):
    """A submarine moved without saying where."""

    crew: Crew
    distance: int
    heading: Heading | None = None


class SilenceHeard(Event, frozen=True, tag="silence"):
    """A submarine ran silent; nobody outside knows where to."""

    crew: Crew


STAY = RunSilent(0)
Reaches = tuple[int, int, int, int]
"""How far a silence may go at most, by heading."""


def reaches(now: SeatNow) -> Reaches:
    """How much open water there is in each direction."""
    helm, most, water = now.boat.helm, now.ground.book.silence_most, open_water(now)
    north, south, east, west = (free(1 << helm.at, h.step, most, water) for h in HEADINGS)
    return north, south, east, west


def free(at: Points, step: int, most: int, water: Points) -> int:
    """How many points in a line are open, up to the most."""
    for distance in range(most):
        at = shift(at, step) & water
        if not at:
            return distance
    return most


def silences(now: SeatNow) -> Orders:
    """Every straight line of open water, once no mark is due."""
    if owes_marks(now.boat):
        return NOTHING
    return lines_of(now.ground.book.silence_least, reaches(now))


@lru_cache(2048)
def lines_of(least: int, most: Reaches) -> Orders:
    stay: Orders = (STAY,) if least == 0 else ()
    return stay + tuple(
        RunSilent(distance, heading)
        for heading, reach in zip(HEADINGS, most, strict=True)
        for distance in range(max(1, least), reach + 1)
    )


def admits(now: SeatNow, order: RunSilent) -> bool:
    if owes_marks(now.boat) or not well_formed(now, order):
        return False
    return order.heading is None or order.distance <= reaches(now)[order.heading.index]


def well_formed(now: SeatNow, order: RunSilent) -> bool:
    """The distance is the rulebook's, and there is a heading exactly if there is a distance."""
    book = now.ground.book
    in_range = book.silence_least <= order.distance <= book.silence_most
    return in_range and (order.heading is None) == (order.distance == 0)


def otherwise(now: SeatNow, order: RunSilent) -> str:
    """A mark that is due, a distance that is not allowed, or what is in the way."""
    if owes_marks(now.boat):
        return "move.acknowledge"
    if not well_formed(now, order) or order.heading is None:
        return "silence.one" if now.ground.book.silence_most == 1 else "silence.move"
    reach = reaches(now)[order.heading.index]
    return why_blocked(now, shift(1 << now.boat.helm.at, order.heading.step * (reach + 1)))


def run_silent(now: SeatNow, order: RunSilent) -> Events:
    ran: Events = [RanSilent(now.crew, order.distance, order.heading)]
    return ran + finishing(now, sum(1 << at for at in way(now.boat.helm.at, order)))


def way(at: int, moved: RunSilent | RanSilent) -> tuple[int, ...]:
    """The points that a silence enters."""
    step = moved.heading.step if moved.heading else 0
    return tuple(at + step * n for n in range(1, moved.distance + 1))


def sample(now: SeatNow) -> RunSilent:
    """Any silence but on the spot."""
    return RunSilent(max(1, now.ground.book.silence_least), Heading.N)


# What it does


def owe_marks(duty: Duty, event: RanSilent, ground: CompiledSetup, crew: Crew) -> Duty:
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


def slip_away(helm: Helm, event: RanSilent, ground: CompiledSetup, crew: Crew) -> Helm:
    entered = way(helm.at, event)
    new = sum(1 << point for point in entered)
    return replace(
        helm,
        at=entered[-1] if entered else helm.at,
        route=helm.route + entered,
        covered=helm.covered | new,
        silent=helm.silent | new,
    )


ACTIONS = (
    system_action(
        SILENCE,
        Kind.YELLOW,
        order=RunSilent,
        posts=captains,
        choices=ActionChoices(silences, admits),
        otherwise=otherwise,
        happens=run_silent,
        playing=50,
        tried=sample,
        # After a silence the marks come next, where there are any.
        ends_turn=lambda setup, duty: not setup.book.acknowledge,
        begins_with=RanSilent,
    ),
)

EVENTS = (
    EventRules(
        event=RanSilent,
        heard=lambda event: SilenceHeard(event.crew),
        own={"duty": owe_marks, "helm": slip_away, "gauges": spent(SILENCE)},
        lines=(
            line("{crew} runs silent on the spot", heading=None, distance=0),
            line("{crew} runs silent {heading} {distance:number}"),
        ),
    ),
    EventRules(
        event=SilenceHeard,
        heard=EVERYONE,
        public=stop_for_marks,
        remnant=True,
        lines=(line("{crew} runs silent"),),
    ),
)
