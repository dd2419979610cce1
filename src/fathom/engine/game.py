"""The state of a game: what everyone knows, and for each crew its sheets. All frozen."""

from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from fathom.engine.base import Event
from fathom.engine.compiled_setup import NO_BOXES, CompiledSetup
from fathom.points import Points
from fathom.rules.setup import CrewPlan, Setup
from fathom.rules.sheet import Spot
from fathom.words import CREW_A, ByCrew, Crew

DOCK: Final = 15
"""Where a submarine is before it is placed: column 15, which is always land."""

Ending = Literal["end.sunk", "end.draw", "end.goal", "end.resign", "end.abandon", "end.time"]
ChargeDue = Literal["none", "box", "empty"]
CrossDue = Literal["none", "N", "S", "E", "W", "radiation", "empty", "any"]


class Turn(Struct, frozen=True, gc=False):
    """Whose turn it is, turn by turn."""

    crew: Crew
    left: int = 0
    """Turns that the crew takes after this one, before the other's."""
    sailed: bool = False
    """Whether this turn's course has been set."""
    announced: bool = False
    """Whether the crew has said anything in this turn, so that the enemy may trigger a mine."""


class Stop(Struct, frozen=True, gc=False):
    """All pens are up (system.stop)."""

    by: Crew
    marks: bool = False
    """Whether the stop lasts until first mate and engineer have made their marks."""


class Awaited(Struct, frozen=True, gc=False):
    """What play waits for, and from whose captain."""

    what: str
    crew: Crew


class Result(Struct, frozen=True, gc=False):
    """How the game ended; no winner means a draw."""

    winner: Crew | None
    why: Ending


class Public(Struct, frozen=True, gc=False):
    """What everyone at the table knows."""

    phase: Literal["placing", "playing", "over"] = "placing"
    first: Crew | None = None
    dived: ByCrew[bool] = ByCrew(False, False)
    surfaced: ByCrew[bool] = ByCrew(False, False)
    turn: Turn | None = None
    stop: Stop | None = None
    awaited: Awaited | None = None
    damage: ByCrew[int] = ByCrew(0, 0)
    in_service: ByCrew[int] = ByCrew(0, 0)
    """Each crew's systems that may be charged and used."""
    old_mines: Points = 0
    volcano_marks: ByCrew[int] = ByCrew(0, 0)
    volcano_events: int = 0
    smoke: int = 0
    """The volcano under toxic smoke, from 1; 0 for none."""
    lava: Points = 0
    result: Result | None = None


class Helm(Struct, frozen=True, gc=False):
    """The captain's chart."""

    at: int = DOCK
    route: tuple[int, ...] = ()
    """The points sailed since the last surfacing, in order, the current one last."""
    covered: Points = 0
    """The same as a mask."""
    silent: Points = 0
    """Those of them that were reached in silence."""
    mines: Points = 0
    unarmed: Points = 0
    """Mines that can't be triggered yet (mine.armed)."""


class Gauges(Struct, frozen=True, gc=False):
    """The first mate's gauges: filled boxes, or energy."""

    boxes: tuple[int, ...] = NO_BOXES
    energy: int = 0


class Engine(Struct, frozen=True, gc=False):
    """The engineer's sheet: the symbols crossed out."""

    crossed: int = 0


CHANGE: Final = 8
"""What every change of a transparent sheet costs, beside its points and letters (radio.plot)."""


class Item(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing on a transparent sheet: a line, a mark or a note."""

    line: tuple[Spot, ...] = ()
    x: int = 0
    y: int = 0
    shape: str = ""
    text: str = ""

    @property
    def cost(self) -> int:
        """What it takes of the room on the sheets (radio.plot)."""
        return CHANGE + len(self.line) + len(self.text)


class Film(Struct, frozen=True, gc=False):
    """A transparent sheet: where it lies over the chart and what is drawn on it."""

    x: int = 0
    y: int = 0
    items: tuple[Item, ...] = ()


START_FILM: Final = Film(items=(Item(shape="dot"),))
"""The transparent sheet at the start: a mark in its middle (start.radio)."""


class Radio(Struct, frozen=True, gc=False):
    """The radio operator's sheets, the one in use last, and the tape of what was heard."""

    films: tuple[Film, ...] = (START_FILM,)
    tape: tuple[Event, ...] = ()
    locked: bool = False
    """Surfaced in real time: nothing may be written, nothing is recorded (surface.idle)."""
    drawn: int = CHANGE
    """What is on all sheets, in units of ``Item.cost``: there is room for so much (radio.plot)."""
    ink: int = 0
    """What was ever drawn, erased and slid in this game, in the same units (radio.plot)."""


class TracedSection(Struct, frozen=True, gc=False):
    """One traced section of the hull, signed."""

    stroke: tuple[Spot, ...]
    initials: str
    seat: int


class Trace(Struct, frozen=True, gc=False):
    """The hull of a surfaced submarine, on its way round the crew (surface.trace)."""

    holder: int
    """The number of the seat whose turn it is to trace."""
    sections: tuple[TracedSection | None, ...] = (None, None, None, None)
    good: bool = False
    ready: bool = False

    @property
    def complete(self) -> bool:
        """Whether all sections are traced."""
        return all(self.sections)


class Duty(Struct, frozen=True, gc=False):
    """What the crew is waiting for, and what has been said in it."""

    charge: ChargeDue = "none"
    """What the first mate owes: nothing, a box, or an empty mark."""
    cross: CrossDue = "none"
    """What the engineer owes: a symbol of a panel, radiation, any symbol, or an empty mark."""
    barred: Literal["", "system.once", "surface.then-system"] = ""
    """The rule that bars systems until the next course, if one does."""
    ready: int = 0
    """Systems whose gauge was announced as full."""


class Boat(Struct, frozen=True, gc=False):
    """One crew's secrets, sheet by sheet."""

    duty: Duty
    helm: Helm
    gauges: Gauges
    engine: Engine
    radio: Radio
    trace: Trace | None = None


class Game(Struct, frozen=True, gc=False):
    """A game at one moment."""

    ground: CompiledSetup
    public: Public
    boats: ByCrew[Boat]


def new_game(setup: Setup) -> Game:
    """The game before the captains have marked their starts."""
    ground = ground_for(setup)
    services = ByCrew(ground.in_service, ground.in_service)
    public = Public(first=setup.first, old_mines=ground.old_mines, in_service=services)
    return Game(ground, public, ByCrew.of(lambda crew: new_boat(setup, crew)))


@lru_cache(64)
def ground_for(setup: Setup) -> CompiledSetup:
    """The compiled set-up; games that differ only in names share all that was worked out."""
    return compiled(nameless(setup)).named(setup)


@lru_cache(64)
def compiled(setup: Setup) -> CompiledSetup:
    return CompiledSetup(setup)


def nameless(setup: Setup) -> Setup:
    """The set-up with the same names for everyone's boats and players; no rule asks for them."""
    return replace(setup, crews=setup.crews.map(nameless_crew))


def nameless_crew(plan: CrewPlan) -> CrewPlan:
    return replace(plan, boat="", seats=tuple(replace(seat, name="") for seat in plan.seats))


def new_boat(setup: Setup, crew: Crew) -> Boat:
    """Empty gauges, no breakdown; in some scenarios the start is given (start.empty)."""
    starts = setup.chart.starts
    helm = placed(starts.a if crew is CREW_A else starts.b) if starts else Helm()
    return Boat(Duty(), helm, Gauges(), Engine(), Radio())


def placed(at: int) -> Helm:
    """The chart of a submarine whose route begins here."""
    return Helm(at=at, route=(at,), covered=1 << at)
