"""Events as rows of eight numbers, and back."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from fathom.core import codes
from fathom.core.actions import CROOKED, INITIALS, SYMBOLS, good_trace
from fathom.core.codes import NONE
from fathom.engine.events import (
    AnyEvent,
    CircuitMended,
    CourseSet,
    Damaged,
    Dived,
    DroneLaunched,
    Exploded,
    FirstDrawn,
    GameEnded,
    GaugeCharged,
    MineDestroyed,
    MineLaid,
    MineLaidHeard,
    MineTriggered,
    OldMineDestroyed,
    OldMineDetonated,
    Placed,
    PlayBegan,
    PlayResumed,
    RanSilent,
    ReadyReported,
    SectionTraced,
    SilenceHeard,
    SonarAnswered,
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
    VolcanoStirred,
)
from fathom.engine.knowledge.heard import Announcement
from fathom.engine.tracing import stays_in_band
from fathom.points import LETTERS, Point
from fathom.rules.setup import Setup
from fathom.words import CREWS, HEADINGS, SYSTEMS, ByCrew

EventRow = tuple[int, ...]
COLUMNS: Final = 8
"""A row: the kind of event, the crew, and up to six more numbers; the rest is 0."""

KINDS: Final[tuple[type, ...]] = (
    FirstDrawn, Dived, PlayBegan, CourseSet, SystemFailed, TorpedoFired, MineTriggered,
    OldMineDetonated, Exploded, OldMineDestroyed, Damaged, DroneLaunched, SonarUsed,
    SonarAnswered, Surfaced, VolcanoStirred, VolcanoNamed, SystemRepaired, TurnEnded,
    PlayResumed, GameEnded, Placed, GaugeCharged, SystemReady, SymbolCrossed, CircuitMended,
    RanSilent, MineLaid, MineDestroyed, SectionTraced, TraceJudged, ReadyReported,
    SilenceHeard, MineLaidHeard,
)  # fmt: skip
"""Every kind of event, in the order of their codes; the last two are what others hear."""

Code = tuple[Callable[[Any], int], Callable[[int], Any]]


def _among(words: tuple[Any, ...]) -> Code:
    """By the place in a list; nothing is -1."""
    return (
        lambda word: NONE if word is None else words.index(word),
        lambda code: None if code == NONE else words[code],
    )


NUMBER: Final[Code] = (int, int)
FACT: Final[Code] = (lambda fact: fact or 0, lambda code: code or None)
COLUMN: Final[Code] = (
    lambda letter: LETTERS.index(letter) + 1 if letter else 0,
    lambda code: LETTERS[code - 1] if code else None,
)
POINT: Final[Code] = (
    lambda point: NONE if point is None else int(point),
    lambda code: None if code == NONE else Point(code),
)
SECTIONS: Final[Code] = (
    lambda bad: sum(1 << section - 1 for section in bad),
    lambda code: tuple(n for n in range(1, 5) if code >> (n - 1) & 1),
)
CREW, HEADING, SYSTEM = _among(CREWS), _among(HEADINGS), _among(SYSTEMS)

FIELDS: Final[dict[type, dict[str, Code]]] = {
    CourseSet: {"heading": HEADING},
    SystemFailed: {"system": SYSTEM},
    TorpedoFired: {"target": POINT},
    MineTriggered: {"at": POINT},
    OldMineDetonated: {"at": POINT},
    OldMineDestroyed: {"at": POINT},
    Damaged: {"amount": NUMBER, "cause": _among(codes.CAUSES)},
    DroneLaunched: {"sector": NUMBER, "answer": _among(codes.ANSWERS)},
    SonarAnswered: {"row": FACT, "column": COLUMN, "sector": FACT},
    Surfaced: {"sector": FACT, "at": POINT},
    VolcanoStirred: {"number": NUMBER},
    VolcanoNamed: {"volcano": NUMBER, "effect": _among(codes.EFFECTS)},
    SystemRepaired: {"system": SYSTEM},
    TurnEnded: {"next": CREW, "turns": NUMBER},
    GameEnded: {"why": _among(codes.ENDINGS)},
    Placed: {"at": POINT},
    GaugeCharged: {"system": SYSTEM},
    SystemReady: {"system": SYSTEM},
    SymbolCrossed: {"symbol": _among(SYMBOLS)},
    RanSilent: {"distance": NUMBER, "heading": HEADING},
    MineLaid: {"at": POINT},
    MineDestroyed: {"at": POINT},
    TraceJudged: {"bad": SECTIONS},
}
"""What follows the crew in a row. Not listed: nothing does, or it is written out below."""

CREW_FIELDS: Final[dict[type, str]] = {PlayBegan: "first", GameEnded: "winner"}
"""Where the second column is another field than ``crew``."""
NO_CREW: Final = (OldMineDestroyed, PlayResumed)

HIT: Final = _among(codes.HITS)
SOURCE: Final = _among(codes.SOURCES)


def encode(setup: Setup, event: AnyEvent | Announcement) -> EventRow:
    """The event as a row."""
    row = (KINDS.index(type(event)), *_values(setup, event))
    return (*row, *[0] * (COLUMNS - len(row)))


def _values(setup: Setup, event: Any) -> EventRow:
    if isinstance(event, Exploded):
        hits, damage = event.hits, event.damage
        seen = (HIT[0](hits.a), HIT[0](hits.b), damage.a, damage.b)
        return CREW[0](event.owner), int(event.at), SOURCE[0](event.source), *seen
    if isinstance(event, SectionTraced):
        good = stays_in_band(setup.hull, event.section, event.stroke)
        return CREW[0](event.crew), event.seat, event.section, int(good)
    kind = type(event)
    crew = None if kind in NO_CREW else getattr(event, CREW_FIELDS.get(kind, "crew"))
    if isinstance(event, CircuitMended):
        return CREW[0](crew), _circuits(setup).index(event.circuit)
    fields = FIELDS.get(kind, {})
    return CREW[0](crew), *(write(getattr(event, name)) for name, (write, _) in fields.items())


def decode(setup: Setup, row: Iterable[int]) -> Any:
    """The event that a row stands for; a stroke is the table's good or bad one."""
    code, crew_code, *values = map(int, row)
    kind, crew = KINDS[code], CREW[1](crew_code)
    if kind is Exploded:
        at, source, hit_a, hit_b, a, b = values
        hits = ByCrew(HIT[1](hit_a), HIT[1](hit_b))
        return Exploded(Point(at), SOURCE[1](source), crew, hits, ByCrew(a, b))
    if kind is SectionTraced:
        seat, section, good = values[:3]
        stroke = good_trace(setup.hull, section).stroke if good else CROOKED
        return SectionTraced(crew, seat, section, stroke, INITIALS)
    if kind is CircuitMended:
        return CircuitMended(crew, _circuits(setup)[values[0]])
    fields = {} if kind in NO_CREW else {CREW_FIELDS.get(kind, "crew"): crew}
    for (name, (_, read)), value in zip(FIELDS.get(kind, {}).items(), values, strict=False):
        fields[name] = read(value)
    return kind(**fields)


def _circuits(setup: Setup) -> tuple[str, ...]:
    return setup.sheet.circuits if setup.sheet else ()
