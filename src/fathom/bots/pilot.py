"""Where to sail: a beam search over courses and symbols together."""

from collections.abc import Sequence
from heapq import nlargest
from math import log2
from typing import Final, NamedTuple, TypeAlias

from fathom.bots.engine_room import WEAPONS, EngineRoom
from fathom.bots.waters import Waters
from fathom.points import Points, reach
from fathom.words import HEADINGS

STEPS: Final = tuple(heading.step for heading in HEADINGS)
DISCOUNT: Final = 0.92
STUCK: Final = 1.0
"""What it costs to have no way on."""
ROOM: Final = 0.9
"""What room to sail counts, at most."""
PLENTY: Final = 26
"""With so many points to sail to, there is room enough."""
FIRED: Final = 0.3
"""A plan that gains so much from a shot has fired it."""
GRAZED: Final = 0.4
"""What it counts to reach only the water beside them."""
FEW_MARKS: Final = 3
"""So many of the best symbols are looked at for each course."""


MOST_COURSES: Final = 8
"""No search looks farther ahead."""
DISCOUNTS: Final = tuple(DISCOUNT**ply for ply in range(MOST_COURSES))

Values = dict[tuple[int, Points], tuple[float, float]]
"""What it is worth to be at a point, with so much known of us."""


class Outlook(NamedTuple):
    """What the search asks about the world outside, the same for all its courses."""

    theirs: Points
    """Where they can be."""
    shot: float
    """What a shot at them promises."""
    armed_in: int
    """How many courses until a torpedo is ready."""
    hunt: float
    """What having them in reach counts."""
    threat: tuple[float, ...]
    """For each course ahead, what being in their reach counts for a damage that they can do."""
    secrecy: float
    """What each bit that they don't know of our position counts."""
    exposed: tuple[int, int]
    """The damage of a direct and a near hit on us."""
    sea: Points
    """Where they think that we can sail."""
    danger: dict[int, float]
    """The damage to fear at a point, from mines."""
    pull: dict[int, float]
    """What it is worth to be at a point, for the scenario's sake."""


class Node(NamedTuple):
    """A plan so far. Plans are compared field by field, so the lot decides between equal ones."""

    score: float
    lot: float
    """Drawn for the plan's first course."""
    at: int
    open: Points
    """Where the route may still lead."""
    crossed: int
    ours: Points
    """Where they think that we can be."""
    heading: int
    """The plan's first course."""
    symbol: int
    """The plan's first symbol."""
    loaded: bool = True
    """Whether the torpedo has not been fired yet, in the plan."""


class RoutePlan(NamedTuple):
    """What the search found best to begin with."""

    score: float
    heading: int
    symbol: int


NO_WAY: Final = RoutePlan(-99.0, -1, -1)
Lots: TypeAlias = Sequence[float]
"""For each first course a lot: of equally good courses, the one with the highest is chosen."""
NO_LOTS: Final[Lots] = (0.0,) * len(HEADINGS)
"""Where only the score of a plan matters."""


def start_at(at: int, sea: Points, crossed: int, ours: Points) -> Node:
    """The plan that has not begun."""
    return Node(0.0, 0.0, at, sea, crossed, ours, -1, -1)


class Pilot:
    """Looks some courses ahead."""

    def __init__(self, waters: Waters, room: EngineRoom) -> None:
        self.waters, self.room = waters, room

    def plan(
        self, start: Node, outlook: Outlook, depth: int, width: int, lots: Lots = NO_LOTS
    ) -> tuple[RoutePlan, dict[int, float]]:
        """The best plan, and what each first course promises."""
        beam, ended = [start], list[Node]()
        for ply in range(depth):
            found: list[Node] = []
            values: Values = {}
            for node in beam:
                ways = self.sail(node, outlook, ply, values)
                found += ways
                if not ways:
                    stuck = node.score - STUCK * DISCOUNTS[ply]
                    ended += (node._replace(score=stuck),)
            if ply == 0:
                found = [node._replace(lot=lots[node.heading]) for node in found]
            beam = found if len(found) <= width else nlargest(width, found)
        leaves = [node._replace(score=node.score + self.room_left(node)) for node in beam]
        return best_of([*leaves, *ended])

    def sail(self, node: Node, outlook: Outlook, ply: int, values: Values) -> list[Node]:
        """Every course on from a plan, each with the best symbols for it."""
        score, lot, at, sea, crossed, ours, first, symbol, loaded = node
        marks_of, factor, found = self.room.marks, DISCOUNTS[ply], []
        for heading, step in enumerate(STEPS):
            ahead = at + step
            if ahead < 0 or not sea >> ahead & 1:
                continue
            begun = first if ply else heading
            left = (ours << step if step > 0 else ours >> -step) & outlook.sea
            value = values.get((ahead, left))
            if value is None:
                value = values[ahead, left] = self.worth(ahead, left, outlook, ply)
            calm, armed = value if loaded else (value[0], 0.0)
            after = sea & ~(1 << ahead)
            for mark in marks_of(crossed, heading)[:FEW_MARKS]:
                fires = 0.0 if mark.out & WEAPONS else armed
                gain = score + factor * (calm + fires - mark.cost)
                marked = symbol if ply else mark.symbol
                still = loaded and fires < FIRED
                found.append(
                    Node(gain, lot, ahead, after, mark.crossed, left, begun, marked, still)
                )
        return found

    def worth(self, at: int, ours: Points, outlook: Outlook, ply: int) -> tuple[float, float]:
        """What it is worth to be here then; and on top of that, with weapons in order."""
        calm = outlook.pull.get(at, 0.0) - outlook.danger.get(at, 0.0)
        theirs = outlook.theirs
        if not theirs:
            return calm, 0.0
        count = theirs.bit_count()
        if outlook.secrecy:
            calm += outlook.secrecy * log2(max(1, ours.bit_count()))
        if threat := outlook.threat[ply]:
            later = min(ply, 2)
            close = (theirs & self.waters.threats[later][at]).bit_count()
            grazed = (theirs & self.waters.brinks[later][at]).bit_count()
            if close or grazed:
                direct, near = outlook.exposed
                hit = self.waters.best_shot(ours, direct, near)
                calm -= threat * (close + grazed * near / direct) / count * hit
        armed = 0.0
        if outlook.hunt and ply >= outlook.armed_in:
            within = (theirs & self.waters.ranges[at]).bit_count()
            beside = (theirs & self.waters.fringes[at]).bit_count() - within
            armed = outlook.hunt * outlook.shot * (within + GRAZED * max(0, beside)) / count
        return calm, armed

    def room_left(self, node: Node) -> float:
        """What the way on is worth."""
        reached = reach(1 << node.at, 8, node.open).bit_count() - 1
        if reached >= PLENTY:
            return ROOM
        return ROOM * (reached / PLENTY) - (STUCK * 0.6 if reached < 3 else 0.0)


def best_of(nodes: Sequence[Node]) -> tuple[RoutePlan, dict[int, float]]:
    """The best plan, and the best score for each first course."""
    if not nodes:
        return NO_WAY, {}
    best = max(nodes)
    courses: dict[int, float] = {}
    for node in nodes:
        if node.heading >= 0 and node.score > courses.get(node.heading, -99.0):
            courses[node.heading] = node.score
    return RoutePlan(best.score, best.heading, best.symbol), courses
