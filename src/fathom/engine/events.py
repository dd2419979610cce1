"""All events. An event tells, in the past; it is applied without being judged again.

What enemy and public may hear of these is listed in ``heard``.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from fathom.points import Point
from fathom.rules.sheet import Place as Spot
from fathom.words import ByCrew, Crew, Heading, System

Hit = Literal["direct", "indirect", "miss"]
Source = Literal["torpedo", "mine", "old-mine", "volcano"]
Cause = Literal["breakdown", "ice"]
Answer = Literal["yes", "no", "toxic-smoke"]
Ending = Literal["end.sunk", "end.draw", "end.goal", "end.resign", "end.abandon"]


class Event(Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag_field="event"):
    """What all events share."""


# Public: everyone hears these as they stand.


class FirstDrawn(Event, frozen=True, tag="first-drawn"):
    """The lot fell on the crew that begins."""

    crew: Crew


class Dived(Event, frozen=True, tag="dived"):
    """A submarine dived."""

    crew: Crew


class PlayBegan(Event, frozen=True, tag="play-began"):
    """Both have dived; turn by turn, ``first`` begins."""

    first: Crew | None


class CourseSet(Event, frozen=True, tag="course-set"):
    """A submarine sailed one point."""

    crew: Crew
    heading: Heading


class SystemFailed(Event, frozen=True, tag="system-failed"):
    """A broken system was ordered and did not work (breakdown.misuse)."""

    crew: Crew
    system: System


class TorpedoFired(Event, frozen=True, tag="torpedo-fired"):
    """A torpedo was fired on a point."""

    crew: Crew
    target: Point


class MineTriggered(Event, frozen=True, tag="mine-triggered"):
    """A captain set off one of their mines."""

    crew: Crew
    at: Point


class OldMineDetonated(Event, frozen=True, tag="old-mine-detonated"):
    """A captain set off an old mine."""

    crew: Crew
    at: Point


class Exploded(Event, frozen=True, tag="exploded"):
    """Something exploded, and what it did to each crew."""

    at: Point
    source: Source
    owner: Crew | None
    """Whose mine or torpedo it was."""
    hits: ByCrew[Hit]
    damage: ByCrew[int]


class OldMineDestroyed(Event, frozen=True, tag="old-mine-destroyed"):
    """An old mine was destroyed without exploding."""

    at: Point


class Damaged(Event, frozen=True, tag="damaged"):
    """A submarine took damage other than by an explosion (damage.announced)."""

    crew: Crew
    amount: int
    cause: Cause


class DroneLaunched(Event, frozen=True, tag="drone-launched"):
    """A drone asked about a sector and was answered."""

    crew: Crew
    sector: int
    answer: Answer


class SonarUsed(Event, frozen=True, tag="sonar-used"):
    """A crew asks the enemy captain."""

    crew: Crew


class SonarAnswered(Event, frozen=True, tag="sonar-answered"):
    """The captain of ``crew`` answered."""

    crew: Crew
    row: int | None = None
    column: str | None = None
    sector: int | None = None


class Surfaced(Event, frozen=True, tag="surfaced"):
    """A submarine surfaced, and told its sector or its exact point."""

    crew: Crew
    sector: int | None = None
    at: Point | None = None


class VolcanoStirred(Event, frozen=True, tag="volcano-stirred"):
    """A crew's third weapon brought about a volcano event: 1, 2 or 3."""

    crew: Crew
    number: int


class VolcanoNamed(Event, frozen=True, tag="volcano-named"):
    """A captain named the volcano that smokes or flows, from 1."""

    crew: Crew
    volcano: int
    effect: Literal["smoke", "lava"]


class SystemRepaired(Event, frozen=True, tag="system-repaired"):
    """A damaged system is in service from now on."""

    crew: Crew
    system: System


class TurnEnded(Event, frozen=True, tag="turn-ended"):
    """A turn ended; ``next`` takes so many."""

    crew: Crew
    next: Crew
    turns: int = 1


class PlayResumed(Event, frozen=True, tag="play-resumed"):
    """A stop is over."""


class GameEnded(Event, frozen=True, tag="game-ended"):
    """The game is over; no winner means a draw."""

    winner: Crew | None
    why: Ending


# Secret: told within the crew only, or not even there.


class Placed(Event, frozen=True, tag="placed"):
    """A captain marked the start."""

    crew: Crew
    at: Point


class GaugeCharged(Event, frozen=True, tag="gauge-charged"):
    """A box was filled, or there was nothing to fill."""

    crew: Crew
    system: System | None


class SystemReady(Event, frozen=True, tag="system-ready"):
    """A gauge is full, and the first mate calls it out."""

    crew: Crew
    system: System


class SymbolCrossed(Event, frozen=True, tag="symbol-crossed"):
    """A symbol was crossed out, or the engineer only pretended."""

    crew: Crew
    symbol: str | None


class CircuitMended(Event, frozen=True, tag="circuit-mended"):
    """All four symbols of a circuit were crossed out and are erased."""

    crew: Crew
    circuit: str


class RanSilent(Event, frozen=True, tag="ran-silent"):
    """A submarine moved without saying where."""

    crew: Crew
    distance: int
    heading: Heading | None = None


class MineLaid(Event, frozen=True, tag="mine-laid"):
    """A mine was laid."""

    crew: Crew
    at: Point


class MineDestroyed(Event, frozen=True, tag="mine-destroyed"):
    """A mine of ``crew`` was destroyed without exploding (blast.mine-destroyed)."""

    crew: Crew
    at: Point


class SectionTraced(Event, frozen=True, tag="section-traced"):
    """A section of the hull was traced and signed."""

    crew: Crew
    seat: int
    section: int
    stroke: tuple[Spot, ...]
    initials: str


class TraceJudged(Event, frozen=True, tag="trace-judged"):
    """The traced hull was checked; without a bad section it is good."""

    crew: Crew
    bad: tuple[int, ...]


class ReadyReported(Event, frozen=True, tag="ready-reported"):
    """The engineer reported ready to dive."""

    crew: Crew


class LineDrawn(Event, frozen=True, tag="line-drawn"):
    """A line was drawn on the transparent sheet."""

    crew: Crew
    line: tuple[Spot, ...]


class MarkPut(Event, frozen=True, tag="mark-put"):
    """A mark was put on the transparent sheet."""

    crew: Crew
    x: int
    y: int
    shape: Literal["dot", "ring", "cross", "question", "mine"]


class NoteWritten(Event, frozen=True, tag="note-written"):
    """A note was written on the transparent sheet."""

    crew: Crew
    x: int
    y: int
    text: str


class Rubbed(Event, frozen=True, tag="rubbed"):
    """One thing was erased from the transparent sheet."""

    crew: Crew
    number: int


class SheetWiped(Event, frozen=True, tag="sheet-wiped"):
    """The transparent sheets were erased."""

    crew: Crew


class SheetSlid(Event, frozen=True, tag="sheet-slid"):
    """The sheet was moved over the chart."""

    crew: Crew
    x: int
    y: int


class SheetTaken(Event, frozen=True, tag="sheet-taken"):
    """A new sheet was taken."""

    crew: Crew


PublicEvent: TypeAlias = (
    FirstDrawn
    | Dived
    | PlayBegan
    | CourseSet
    | SystemFailed
    | TorpedoFired
    | MineTriggered
    | OldMineDetonated
    | Exploded
    | OldMineDestroyed
    | Damaged
    | DroneLaunched
    | SonarUsed
    | SonarAnswered
    | Surfaced
    | VolcanoStirred
    | VolcanoNamed
    | SystemRepaired
    | TurnEnded
    | PlayResumed
    | GameEnded
)

RadioEvent: TypeAlias = (
    LineDrawn | MarkPut | NoteWritten | Rubbed | SheetWiped | SheetSlid | SheetTaken
)

SecretEvent: TypeAlias = (
    Placed
    | GaugeCharged
    | SystemReady
    | SymbolCrossed
    | CircuitMended
    | RanSilent
    | MineLaid
    | MineDestroyed
    | SectionTraced
    | TraceJudged
    | ReadyReported
    | RadioEvent
)

AnyEvent: TypeAlias = PublicEvent | SecretEvent
