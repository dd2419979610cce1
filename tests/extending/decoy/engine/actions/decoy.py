"""Launching a decoy: everyone hears noise from a sector, where nobody need be (decoy.launch)."""

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import by_number
from fathom.engine.posts import captains
from fathom.engine.seat_now import SeatNow
from fathom.engine.sheet_changes import activation, stop_play
from fathom.engine.systems import system_action
from fathom.words import Crew, Kind, System

DECOY = System.DECOY


class LaunchDecoy(Order, frozen=True, tag="decoy"):
    """Make a noise in a sector (decoy.launch)."""

    sector: int


class DecoyHeard(Event, frozen=True, tag="decoy-heard"):
    """There was a noise in a sector."""

    crew: Crew
    sector: int


def launch(now: SeatNow, order: LaunchDecoy) -> Events:
    return [DecoyHeard(now.crew, order.sector)]


ACTIONS = (
    system_action(
        DECOY,
        Kind.YELLOW,
        order=LaunchDecoy,
        posts=captains,
        choices=by_number(
            LaunchDecoy, lambda order: int(order.sector), lambda now: now.ground.chart.sector_count
        ),
        otherwise=lambda now, order: "chart.sectors",
        happens=launch,
        playing=55,
        tried=lambda now: LaunchDecoy(1),
        begins_with=DecoyHeard,
    ),
)

EVENTS = (
    EventRules(
        event=DecoyHeard,
        heard=EVERYONE,
        own=activation(DECOY),
        public=stop_play,
        lines=(line("{crew} launches a decoy in sector {sector:number}"),),
    ),
)
