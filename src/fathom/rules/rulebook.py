"""What one rulebook says. The engine reads these fields and never asks for the name."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from fathom.words import Post, System

Count = Annotated[int, Meta(ge=0, le=14)]
"""A number of boxes, points or damages: the longest line on a chart has 14 steps."""
Surfacing = Literal["three-turns", "pass", "trace", "signal"]


class Boxes(Struct, frozen=True, forbid_unknown_fields=True):
    """How many boxes each gauge has (charge.sizes); the scenario's is the chart's."""

    mine: Count = 0
    torpedo: Count = 0
    drone: Count = 0
    sonar: Count = 0
    silence: Count = 0


class Energy(Struct, frozen=True, forbid_unknown_fields=True):
    """One gauge for all systems, and what each costs (energy.gauge)."""

    boxes: Count
    sonar: Count
    silence: Count
    torpedo: Count


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """What holds in one mode only."""

    players: tuple[int, int]
    """Fewest and most players for whom this mode is allowed (crew.mode)."""
    chart_side: int
    """Points along one side of the chart."""
    gauges: Boxes
    sheets: tuple[str, ...]
    """Engineer's sheets that may be chosen, the usual one first; empty without an engineer."""
    surfacing: Surfacing
    """The enemy takes three turns; the turn passes; the hull is traced; the captain's signal."""


class Goal(Struct, frozen=True, forbid_unknown_fields=True):
    """A way of winning that may be chosen at set-up."""

    name: str
    hull: Annotated[int, Meta(ge=1, le=14)]
    """Damage that sinks (end.sunk)."""
    sudden: bool = False
    """Whether this is Sudden Death (end.sudden-death)."""


class Rulebook(Struct, frozen=True, forbid_unknown_fields=True):
    """What one rulebook says, rulings included."""

    name: str
    title: str
    source: str
    players: tuple[int, int]
    """Fewest and most players."""
    posts: tuple[Post, ...]
    """The posts in a crew (crew.posts)."""
    colours: tuple[str, str]
    """The colours of the two crews."""
    goals: tuple[Goal, ...]
    """The ways of winning, the usual one first."""
    turn_by_turn: Pace
    real_time: Pace
    systems: tuple[System, ...]
    """The systems, apart from a scenario's own."""
    detection_by: tuple[Post, ...]
    """Who activates drone and sonar (system.who)."""
    course_names: tuple[str, str, str, str]
    """What north, south, east and west are called."""
    first_scenario: str
    """The scenario advised for a first game (start.choices)."""
    acknowledge: bool
    """Whether orders wait for marks of first mate and engineer (move.acknowledge)."""

    # What a table may play otherwise. The values are in the rulebooks' files; those given here are
    # the first edition's again, for records of games from before a field was there.
    energy: Energy | None = None
    shy_mate: bool = False
    """Whether a crew may choose a first mate who only charges (crew.shy-mate)."""
    activations: Literal["between-courses", "whole-turn"] = "between-courses"
    """One activation between two courses, or an activation in place of a course (system.once)."""
    system_after_dive: bool = True
    """Whether a system may be used after diving, before a course (surface.then-system)."""
    acknowledge_systems: bool = True
    """Whether activations and surfacing wait for those marks too, or courses only."""
    blackout: bool = True
    """Whether a captain without a legal course must surface (move.blackout)."""
    blackout_systems: bool = True
    """Whether the last course's activation may still come before that surfacing."""
    own_mine_blocks: bool = True
    """Whether a mine blocks its own crew's way (move.own-mine)."""
    broken_system: Literal["refused", "radiation-mark"] = "refused"
    """What becomes of an order to a broken system (breakdown.misuse)."""
    repair_first: bool = True
    """Whether a mark that closes a circuit does no damage (repair.first)."""
    mine_armed: Literal["at-once", "next-turn"] = "at-once"
    """From when a mine can be triggered (mine.armed)."""
    trigger_needs_circuits: bool = False
    """Whether a trigger is refused while a red symbol is crossed out (mine.circuits)."""
    trigger_while_surfaced: bool = False
    """Whether a surfaced crew may trigger its mines (mine.trigger)."""
    blast_chain: bool = False
    """Whether mines next to an explosion explode in waves (blast.chain)."""
    blast_direct: Count = 2
    """Damage on the point of an explosion (blast.direct)."""
    blast_near: Count = 1
    """Damage on the eight points around it (blast.near)."""
    sudden_death_indirect: bool = True
    """Whether a blast next to a submarine counts in Sudden Death (end.sudden-death)."""
    blast_self: bool = True
    """Whether the firer's own submarine suffers (blast.self)."""
    torpedo_reach: Literal["steps", "sector"] = "steps"
    """Whether a torpedo goes so many steps, or anywhere in the firer's sector."""
    torpedo_range: Count = 4
    """How many steps along rows and columns (torpedo.range)."""
    torpedo_over_islands: bool = False
    """Whether a torpedo flies over islands (torpedo.range)."""
    torpedo_own_point: bool = True
    """Whether a torpedo may be fired on one's own point."""
    sonar_answer: Literal["one-false", "one-true"] = "one-false"
    """Two facts, one of them false, or one true fact (sonar.answer)."""
    silence_least: Count = 0
    """The fewest points of a silence (silence.move)."""
    silence_most: Count = 4
    """The most points of a silence."""
    silence_charges: bool = True
    """Whether a silence charges a gauge, as a course does."""
    silence_zero_charges: bool = False
    """Whether a silence of 0 points does too."""
    silence_zero_marks: bool = False
    """Whether the engineer crosses out for a silence of 0 points; the panel is their choice."""
    silence_is_course: bool = False
    """Whether a system may be activated again after a silence (system.once)."""
    surfacing_tells: Literal["sector", "point"] = "sector"
    """What a surfacing tells the enemy (surface.announce)."""
    surfacing_turns: Annotated[int, Meta(ge=1, le=9)] = 3
    """Turns that the enemy takes after a surfacing (surface.turns)."""
    radio_locked_surfaced: bool = False
    """Whether, turn by turn, a surfaced crew's radio operator may not write."""
    draw: bool = True
    """Both sunk in one step: a draw, or else the crew that acted loses (end.draw)."""
    old_mine_blocks: bool = False
    """Whether an old mine's point can't be entered (scenario.old-mines)."""
    repair_diagonal: bool = True
    """Whether an island counts as next to a submarine diagonally (scenario.damaged)."""
    resume: Literal["by-itself", "captain"] = "by-itself"
    """Who ends a stop when nothing is awaited (system.stop)."""

    def goal(self, name: str) -> Goal | None:
        """The goal called ``name``."""
        return next((goal for goal in self.goals if goal.name == name), None)
