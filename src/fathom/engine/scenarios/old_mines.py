"""Old mines that either crew may set off with the scenario system (scenario.old-mines)."""

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Events, Order
from fathom.engine.blasts import Explosion, explode
from fathom.engine.choices import by_point
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.sheet_changes import activation, stop_play
from fathom.engine.special_rule import SpecialRule
from fathom.engine.systems import system_action
from fathom.points import Point, members
from fathom.rules.terrain import Terrain
from fathom.words import SCENARIO as SYSTEM
from fathom.words import Crew, Kind


class DetonateOldMine(Order, frozen=True, tag="old-mine"):
    """Set off an old mine (scenario.old-mines)."""

    at: Point


class OldMineDetonated(Event, frozen=True, tag="old-mine-detonated"):
    """A captain set off an old mine."""

    crew: Crew
    at: Point


def detonate(now: SeatNow, order: DetonateOldMine) -> Events:
    detonated: Events = [OldMineDetonated(now.crew, order.at)]
    return detonated + explode(now.game, [Explosion(order.at, "old-mine", None)], now.crew)


def lay_old_mines(setup: CompiledSetup) -> None:
    """Old mines lie where the chart marks them."""
    setup.old_mines = setup.chart.where("m")


ACTIONS = (
    system_action(
        SYSTEM,
        Kind.YELLOW,
        order=DetonateOldMine,
        posts=captains,
        choices=by_point(DetonateOldMine, lambda now: now.public.old_mines),
        otherwise=lambda now, order: "scenario.old-mines",
        happens=detonate,
        playing=60,
        tried=lambda now: DetonateOldMine(Point(now.boat.helm.at)),
        begins_with=OldMineDetonated,
    ),
)

EVENTS = (
    EventRules(
        event=OldMineDetonated,
        heard=EVERYONE,
        own=activation(SYSTEM),
        public=stop_play,
        lines=(line("{crew} detonates the old mine on {at:point}"),),
    ),
)

SPECIAL_RULE = SpecialRule(
    terrain=Terrain(
        name="old-mines",
        about="old mines, known to all (scenario.old-mines)",
        sea={"m": "old mine"},
        gauge=4,
    ),
    orders=(DetonateOldMine,),
    has_system=True,
    compile=lay_old_mines,
    drawn=lambda chart: {"old_mines": members(chart.where("m"))},
)
