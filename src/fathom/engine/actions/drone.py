"""Launching a drone: a truthful answer about a sector (drone.ask)."""

from typing import Literal

from fathom.engine.action import EVERYONE, EventRules, line
from fathom.engine.base import Event, Events, Order
from fathom.engine.choices import by_number
from fathom.engine.posts import detectors
from fathom.engine.seat_now import SeatNow
from fathom.engine.sheet_changes import activation, stop_play
from fathom.engine.systems import system_action
from fathom.words import DRONE, Crew, Kind

DroneAnswer = Literal["yes", "no", "toxic-smoke"]


class LaunchDrone(Order, frozen=True, tag="drone"):
    """Ask whether the enemy is in a sector (drone.ask)."""

    sector: int


class DroneLaunched(Event, frozen=True, tag="drone-launched"):
    """A drone asked about a sector and was answered."""

    crew: Crew
    sector: int
    answer: DroneAnswer


def launch(now: SeatNow, order: LaunchDrone) -> Events:
    return [DroneLaunched(now.crew, order.sector, drone_answer(now, order.sector))]


def drone_answer(now: SeatNow, sector: int) -> DroneAnswer:
    """Yes or no, or nothing where the scenario hides it (scenario.volcanoes)."""
    if now.ground.special_rule.drone_blinded(now, sector):
        return "toxic-smoke"
    there = now.ground.sectors[now.game.boats[now.crew.other].helm.at]
    return "yes" if there == sector else "no"


ACTIONS = (
    system_action(
        DRONE,
        Kind.GREEN,
        order=LaunchDrone,
        posts=detectors,
        choices=by_number(
            LaunchDrone, lambda order: int(order.sector), lambda now: now.ground.chart.sector_count
        ),
        otherwise=lambda now, order: "chart.sectors",
        happens=launch,
        playing=80,
        tried=lambda now: LaunchDrone(1),
        begins_with=DroneLaunched,
    ),
)

EVENTS = (
    EventRules(
        event=DroneLaunched,
        heard=EVERYONE,
        own=activation(DRONE),
        public=stop_play,
        lines=(line("{crew} sends a drone to sector {sector:number}: {answer}"),),
    ),
)
