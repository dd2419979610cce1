"""All orders. An order asks, in the imperative; whether it is allowed is judged elsewhere."""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from fathom.points import Point
from fathom.words import Crew, Heading, System


class Order(Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag_field="order"):
    """What all orders share."""


# The captain


class Place(Order, frozen=True, tag="place"):
    """Mark the point where the submarine starts (start.place)."""

    at: Point


class Dive(Order, frozen=True, tag="dive"):
    """Dive: to begin the game, and after a surfacing in real time."""


class SetCourse(Order, frozen=True, tag="course"):
    """Sail one point (move.course)."""

    heading: Heading


class Surface(Order, frozen=True, tag="surface"):
    """Surface (surface.announce)."""


class LayMine(Order, frozen=True, tag="mine"):
    """Lay a mine on a neighbouring point (mine.lay)."""

    at: Point


class TriggerMine(Order, frozen=True, tag="trigger"):
    """Set off one of the crew's own mines (mine.trigger)."""

    at: Point


class FireTorpedo(Order, frozen=True, tag="torpedo"):
    """Fire a torpedo (torpedo.range, torpedo.sector)."""

    target: Point


class RunSilent(Order, frozen=True, tag="silence"):
    """Move in a straight line, unheard (silence.move); for 0 points the heading is absent."""

    distance: int
    heading: Heading | None = None


class DetonateOldMine(Order, frozen=True, tag="old-mine"):
    """Set off an old mine (scenario.old-mines)."""

    at: Point


class RepairSystem(Order, frozen=True, tag="repair"):
    """Put a damaged system into service (scenario.damaged)."""

    system: System


class NameVolcano(Order, frozen=True, tag="volcano"):
    """Say which volcano smokes or flows (scenario.volcanoes)."""

    volcano: int


class AnswerSonar(Order, frozen=True, tag="answer"):
    """Two facts of different kinds, one true and one false (sonar.answer)."""

    row: int | None = None
    column: str | None = None
    sector: int | None = None


class AnswerTruly(Order, frozen=True, tag="answer-truly"):
    """Which of row and column to tell; the program fills in the truth (sonar.answer-true)."""

    line: Literal["row", "column"]


class EndTurn(Order, frozen=True, tag="end-turn"):
    """End the turn (turn.order)."""


class ResumePlay(Order, frozen=True, tag="resume"):
    """End a stop: the captain's signal, or the referee after the pause (system.stop)."""


class Resign(Order, frozen=True, tag="resign"):
    """Give the game up (end.resign)."""


# The captain or the first mate


class LaunchDrone(Order, frozen=True, tag="drone"):
    """Ask whether the enemy is in a sector (drone.ask)."""

    sector: int


class UseSonar(Order, frozen=True, tag="sonar"):
    """Ask the enemy captain for two facts (sonar.answer)."""


# The first mate


class Charge(Order, frozen=True, tag="charge"):
    """Fill one box, or say that there is nothing to fill (charge.one)."""

    system: System | None = None


# The engineer


class CrossOut(Order, frozen=True, tag="cross-out"):
    """Cross out one symbol, or only pretend to after a silence of 0 points (breakdown.cross)."""

    symbol: str | None = None


class ReportReady(Order, frozen=True, tag="ready"):
    """Report that the submarine is ready to dive (surface.dive)."""


class JudgeTrace(Order, frozen=True, tag="judge"):
    """Judge the enemy's traced hull: the sections that are bad (surface.trace)."""

    bad: tuple[int, ...] = ()


# Whoever holds the engineer's sheet


class TraceSection(Order, frozen=True, tag="trace"):
    """Trace one section in one closed stroke and sign it (surface.trace)."""

    section: int
    stroke: tuple[tuple[int, int], ...]
    initials: str


# The radio operator


class DrawLine(Order, frozen=True, tag="line"):
    """Draw on the transparent sheet: a line in tenths of a point, from the sheet's middle."""

    line: tuple[tuple[int, int], ...]


class PutMark(Order, frozen=True, tag="mark"):
    """Put a mark on the transparent sheet."""

    x: int
    y: int
    shape: Literal["dot", "ring", "cross", "question", "mine"] = "dot"


class WriteNote(Order, frozen=True, tag="note"):
    """Write a few words on the transparent sheet."""

    x: int
    y: int
    text: str


class Rub(Order, frozen=True, tag="rub"):
    """Erase one thing from the transparent sheet, by its number; the last one undoes."""

    number: int


class WipeSheet(Order, frozen=True, tag="wipe"):
    """Erase everything and begin again (radio.erase)."""


class SlideSheet(Order, frozen=True, tag="slide"):
    """Move the sheet over the chart, in whole points from the chart's middle."""

    x: int
    y: int


class NewSheet(Order, frozen=True, tag="new-sheet"):
    """Pin the sheet where it lies and take a new one, as after a silence."""


# The referee


class DrawFirst(Order, frozen=True, tag="first"):
    """Which crew begins, as the lot fell (start.first)."""

    crew: Crew


class DeclareLost(Order, frozen=True, tag="lost"):
    """A crew has gone, or its time is up (end.abandon)."""

    crew: Crew


AnyOrder: TypeAlias = (
    Place
    | Dive
    | SetCourse
    | Surface
    | LayMine
    | TriggerMine
    | FireTorpedo
    | RunSilent
    | DetonateOldMine
    | RepairSystem
    | NameVolcano
    | AnswerSonar
    | AnswerTruly
    | EndTurn
    | ResumePlay
    | Resign
    | LaunchDrone
    | UseSonar
    | Charge
    | CrossOut
    | ReportReady
    | JudgeTrace
    | TraceSection
    | DrawLine
    | PutMark
    | WriteNote
    | Rub
    | WipeSheet
    | SlideSheet
    | NewSheet
    | DrawFirst
    | DeclareLost
)

SheetOrder: TypeAlias = DrawLine | PutMark | WriteNote | Rub | WipeSheet | SlideSheet | NewSheet

DIVE: Final = Dive()
SURFACE: Final = Surface()
END_TURN: Final = EndTurn()
RESUME: Final = ResumePlay()
RESIGN: Final = Resign()
USE_SONAR: Final = UseSonar()
REPORT_READY: Final = ReportReady()
NOTHING_TO_CHARGE: Final = Charge()
PRETEND_TO_CROSS_OUT: Final = CrossOut()
