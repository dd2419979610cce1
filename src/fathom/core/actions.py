"""The action table: every order as an integer, the same for all rulebooks, charts and modes.

Orders that carry drawings or free words are endless. Of these the table has two strokes for each
section of the hull, one that follows its line and one that does not, and nothing of the
transparent sheet. ``docs/actions.md`` is generated from here, and so is the C++ side.
"""

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Final, NamedTuple

from fathom.engine import orders as say
from fathom.engine.orders import AnyOrder
from fathom.engine.tracing import ideal_stroke, stays_in_band
from fathom.points import LETTERS, WIDEST, Point
from fathom.rules.setup import Setup
from fathom.rules.sheet import Hull
from fathom.words import CREWS, HEADINGS, SYSTEMS

SECTORS: Final = 9
PANELS: Final = "WNSE"
PANEL_SYMBOLS: Final = 6
"""No panel of a sheet has more symbols than these."""
LONGEST_SILENCE: Final = 14
VOLCANOES: Final = 2
HULL_SECTIONS: Final = 4
CROOKED: Final = ((0, 0), (5, 5))
"""A stroke that leaves the band of every section."""
INITIALS: Final = "AB"

POINTS: Final = tuple(Point(16 * row + column) for row, column in product(range(15), repeat=2))
SYMBOLS: Final = tuple(f"{panel}{n}" for panel in PANELS for n in range(1, PANEL_SYMBOLS + 1))
ROWS: Final = tuple(range(1, WIDEST + 1))
JUDGEMENTS: Final = tuple(
    tuple(n for n in range(1, HULL_SECTIONS + 1) if bad >> (n - 1) & 1) for bad in range(16)
)


class Block(NamedTuple):
    """Neighbouring actions of one kind."""

    name: str
    orders: tuple[AnyOrder | None, ...]
    about: str
    start: int = 0

    @property
    def stop(self) -> int:
        """The first action after the block."""
        return self.start + len(self.orders)


def _points(kind: Callable[[Point], AnyOrder]) -> tuple[AnyOrder, ...]:
    return tuple(map(kind, POINTS))


def _numbers(kind: Callable[[int], AnyOrder], most: int) -> tuple[AnyOrder, ...]:
    return tuple(kind(number) for number in range(1, most + 1))


def _silences() -> tuple[AnyOrder, ...]:
    ways = product(HEADINGS, range(1, LONGEST_SILENCE + 1))
    return (say.RunSilent(0), *(say.RunSilent(distance, heading) for heading, distance in ways))


def _traces(badly: tuple[tuple[int, int], ...]) -> tuple[AnyOrder, ...]:
    sections = range(1, HULL_SECTIONS + 1)
    return tuple(say.TraceSection(section, badly, INITIALS) for section in sections)


def _losses() -> tuple[AnyOrder, ...]:
    gone = tuple(say.DeclareLost(crew) for crew in CREWS)
    return (*gone, *(say.DeclareLost(crew, "end.time") for crew in CREWS))


def _blocks() -> tuple[Block, ...]:
    sectors = range(1, SECTORS + 1)
    blocks = (
        Block("wait", (None,), "No order: the agent lets the others act."),
        Block("dive", (say.DIVE,), "Dive."),
        Block("surface", (say.SURFACE,), "Surface."),
        Block("end-turn", (say.END_TURN,), "End the turn."),
        Block("resume", (say.RESUME,), "End a stop: the captain, or the referee."),
        Block("resign", (say.RESIGN,), "Resign."),
        Block("sonar", (say.USE_SONAR,), "Use the sonar."),
        Block("ready", (say.REPORT_READY,), "Report ready to dive."),
        Block("course", tuple(map(say.SetCourse, HEADINGS)), "Set a course: N, S, E, W."),
        Block(
            "charge",
            (say.NOTHING_TO_CHARGE, *map(say.Charge, SYSTEMS)),
            "Charge nothing, or mine, torpedo, drone, sonar, silence, scenario.",
        ),
        Block(
            "cross-out",
            (say.PRETEND_TO_CROSS_OUT, *map(say.CrossOut, SYMBOLS)),
            "Cross out nothing, or a symbol: W1 to W6, N1 to N6, S1 to S6, E1 to E6.",
        ),
        Block("silence", _silences(), "Run silent for 0 points, or N, S, E, W for 1 to 14."),
        Block("mine", _points(say.LayMine), "Lay a mine on a point."),
        Block("torpedo", _points(say.FireTorpedo), "Fire a torpedo on a point."),
        Block("trigger", _points(say.TriggerMine), "Trigger a mine on a point."),
        Block("old-mine", _points(say.DetonateOldMine), "Detonate an old mine on a point."),
        Block("place", _points(say.Place), "Mark a point as the start."),
        Block("drone", _numbers(say.LaunchDrone, SECTORS), "Launch a drone into a sector."),
        Block("repair", tuple(map(say.RepairSystem, SYSTEMS)), "Repair a system."),
        Block("volcano", _numbers(say.NameVolcano, VOLCANOES), "Name a volcano."),
        Block(
            "answer-row-column",
            tuple(say.AnswerSonar(row=r, column=c) for r, c in product(ROWS, LETTERS)),
            "Answer a sonar with a row and a column, by rows.",
        ),
        Block(
            "answer-row-sector",
            tuple(say.AnswerSonar(row=r, sector=s) for r, s in product(ROWS, sectors)),
            "Answer a sonar with a row and a sector, by rows.",
        ),
        Block(
            "answer-column-sector",
            tuple(say.AnswerSonar(column=c, sector=s) for c, s in product(LETTERS, sectors)),
            "Answer a sonar with a column and a sector, by columns.",
        ),
        Block(
            "answer-truly",
            (say.AnswerTruly("row"), say.AnswerTruly("column")),
            "Answer a sonar with the true row or column.",
        ),
        Block("trace", _traces(()), "Trace a section of the hull along its line."),
        Block("trace-badly", _traces(CROOKED), "Trace a section of the hull and leave its band."),
        Block(
            "judge",
            tuple(map(say.JudgeTrace, JUDGEMENTS)),
            "Judge the enemy's hull; bit n of the offset says that section n + 1 is bad.",
        ),
        Block("first", tuple(map(say.DrawFirst, CREWS)), "Referee: crew a or b begins."),
        Block("lost", _losses(), "Referee: crew a or b is gone, or out of time."),
    )
    start, placed = 0, []
    for block in blocks:
        placed.append(block._replace(start=start))
        start += len(block.orders)
    return tuple(placed)


BLOCKS: Final = {block.name: block for block in _blocks()}
WAIT: Final = 0
ORDERS: Final = tuple(order for block in BLOCKS.values() for order in block.orders)
COUNT: Final = len(ORDERS)
REFEREES: Final = BLOCKS["first"].start
"""Actions from here on are the referee's alone; agents need none of them."""

_TRACES: Final = BLOCKS["trace"]
_BAD_TRACES: Final = BLOCKS["trace-badly"]
LISTED: Final[dict[AnyOrder, int]] = {
    order: action
    for action, order in enumerate(ORDERS)
    if order is not None and not isinstance(order, say.TraceSection)
}
"""The actions of all orders that the engine lists as legal; strokes are not listed."""


class NoAction(ValueError):
    """An order that the table does not have."""


def order_of(setup: Setup, action: int) -> AnyOrder | None:
    """The order that an action stands for; none for waiting."""
    if not 0 <= action < COUNT:
        raise NoAction(f"there is no action {action}; they go from 0 to {COUNT - 1}")
    if _TRACES.start <= action < _TRACES.stop:
        return good_trace(setup.hull, action - _TRACES.start + 1)
    return ORDERS[action]


@cache
def good_trace(hull: Hull, section: int) -> say.TraceSection:
    """A section traced along its line."""
    return say.TraceSection(section, ideal_stroke(hull, section), INITIALS)


def action_of(setup: Setup, order: AnyOrder | None) -> int:
    """The action that stands for an order; every stroke counts as a good or a bad one."""
    if order is None:
        return WAIT
    if isinstance(order, say.TraceSection) and 1 <= order.section <= HULL_SECTIONS:
        good = stays_in_band(setup.hull, order.section, order.stroke)
        return (_TRACES if good else _BAD_TRACES).start + order.section - 1
    action = LISTED.get(order)
    if action is None:
        raise NoAction(f"the action table has no such order: {type(order).__name__}")
    return action
