"""Currents: no submarine can sail against one (scenario.currents)."""

from fathom.engine.seat_now import SeatNow
from fathom.engine.special_rule import SpecialRule
from fathom.points import Points, shift
from fathom.rules.terrain import Terrain
from fathom.words import Heading

CURRENTS = {"^": Heading.N, "v": Heading.S, ">": Heading.E, "<": Heading.W}
"""By the chart's marks, where the water flows."""
AGAINST = {Heading.N: Heading.S, Heading.S: Heading.N, Heading.E: Heading.W, Heading.W: Heading.E}


def with_the_current(now: SeatNow, ahead: Points) -> Points:
    """The open points, but for the one that the current comes from."""
    at = now.boat.helm.at
    mark = now.ground.chart.rows[at >> 4][at & 15]
    if mark not in CURRENTS:
        return ahead
    return ahead & ~shift(1 << at, AGAINST[CURRENTS[mark]].step)


SPECIAL_RULE = SpecialRule(
    terrain=Terrain(
        name="currents",
        about="currents, against which nobody can sail (scenario.currents)",
        sea={mark: f"current to the {heading.value}" for mark, heading in CURRENTS.items()},
    ),
    courses=with_the_current,
    course_rule="scenario.currents",
)
