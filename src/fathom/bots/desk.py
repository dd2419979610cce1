"""One decision's papers: what the seat is offered, sorted, and what follows from its sheets."""

from functools import cached_property
from random import Random
from typing import Final, TypeVar

from fathom.bots.counsel import Counsel
from fathom.bots.gunnery import HullsLeft
from fathom.bots.mind import Mind
from fathom.engine import orders as give
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.engine.registry import COLOURS
from fathom.points import Points
from fathom.words import TORPEDO, System

OrderKind = TypeVar("OrderKind")
NEVER: Final = 99
"""Boxes that a gauge needs that can't be charged."""
NEEDS: Final[dict[type, System]] = {
    give.LayMine: System.MINE,
    give.FireTorpedo: TORPEDO,
    give.LaunchDrone: System.DRONE,
    give.UseSonar: System.SONAR,
    give.RunSilent: System.SILENCE,
    give.DetonateOldMine: System.SCENARIO,
    give.RepairSystem: System.SCENARIO,
}
"""The system that an order uses."""
TRACING_TAKES: Final = 3
"""How many courses we have while they trace their hull."""


class Desk:
    """What one decision is made from."""

    def __init__(self, mind: Mind, counsel: Counsel, offer: Offer, dice: Random) -> None:
        self.ground, self.crew = mind.ground, mind.crew
        self.mind, self.counsel, self.offer, self.dice = mind, counsel, offer, dice
        self.view, self.public = offer.view, offer.view.public
        self.orders: dict[type, list[AnyOrder]] = {}
        for order in offer.orders:
            self.orders.setdefault(type(order), []).append(order)

    def offers(self, *kinds: type) -> bool:
        """Whether an order of one of these kinds is offered."""
        return any(kind in self.orders for kind in kinds)

    def of(self, kind: type[OrderKind]) -> list[OrderKind]:
        """The offered orders of one kind."""
        return self.orders.get(kind, [])  # type: ignore[return-value]

    def working(self, kind: type[OrderKind]) -> list[OrderKind]:
        """The same, where the system would not fail for a breakdown that we see."""
        return self.of(kind) if self.works(NEEDS[kind]) else []

    def works(self, system: System) -> bool:
        """Whether no breakdown is in a system's way, as far as we see or were told."""
        if self.view.engine is None:
            return COLOURS[system] not in self.counsel.broken
        return not any(
            self.crossed & marks and systems & system.bit for marks, systems in self.ground.colours
        )

    @property
    def alone(self) -> bool:
        """Whether one seat holds the whole crew."""
        return len(self.ground.posts[self.crew]) == 1

    @cached_property
    def systems_offered(self) -> bool:
        """Whether any system may be used now."""
        return self.offers(*NEEDS)

    # Our own submarine

    @property
    def at(self) -> int:
        """Where we are; nowhere for a seat that may not see the captain's chart."""
        return self.view.helm.at if self.view.helm else -1

    @property
    def crossed(self) -> int:
        """What the engineer has crossed out, as far as we see the sheet."""
        return self.view.engine.crossed if self.view.engine else 0

    @cached_property
    def sea(self) -> Points:
        """Where a submarine may sail now, routes left aside."""
        blocked = self.public.lava
        if self.ground.book.old_mine_blocks:
            blocked |= self.public.old_mines
        return self.ground.water & ~blocked

    @cached_property
    def fresh(self) -> Points:
        """Where ours might sail with a fresh route."""
        helm = self.view.helm
        mines = helm.mines if helm and self.ground.book.own_mine_blocks else 0
        return self.sea & ~mines

    @cached_property
    def open(self) -> Points:
        """Where ours may sail now."""
        return self.fresh & ~(self.view.helm.covered if self.view.helm else 0)

    @cached_property
    def hull(self) -> HullsLeft:
        """What both can still take."""
        sinks_at, damage = self.ground.sinks_at, self.public.damage
        return HullsLeft(
            sinks_at - damage[self.crew],
            sinks_at - damage[self.crew.other],
            self.at,
            self.ground.book.blast_self,
        )

    def missing(self, system: System) -> int:
        """How many boxes a gauge still needs; a guess where the gauges can't be seen."""
        ground, gauges = self.ground, self.view.gauges
        if not self.public.in_service[self.crew] & system.bit:
            return NEVER
        if ground.energy:
            return max(0, ground.costs[system.index] - (gauges.energy if gauges else 0))
        if self.view.duty and self.view.duty.ready & system.bit:
            return 0
        boxes = ground.boxes[system.index]
        return boxes - gauges.boxes[system.index] if gauges and boxes else 2 if boxes else NEVER

    @cached_property
    def armed_in(self) -> int:
        """How many courses until a torpedo is ready, if it is charged at once."""
        return self.missing(TORPEDO)

    # What we know and what they know

    @cached_property
    def weights(self) -> dict[int, float]:
        """How likely they are on each point."""
        return self.counsel.weigh(self.mind.weights()) if self.mind.tracks else {}

    @cached_property
    def patience(self) -> float:
        """With time, captains grow impatient: they fire sooner, and fear less."""
        return max(0.25, 1 - self.mind.courses / 200)

    @property
    def turns_to_come(self) -> int:
        """How many turns we have after this one before it is theirs."""
        turn = self.public.turn
        if turn is not None:
            return turn.left
        return TRACING_TAKES if self.public.surfaced[self.crew.other] else 0

    @property
    def marks_made(self) -> bool:
        """Whether first mate and engineer owe nothing."""
        duty = self.view.duty
        return duty is None or (duty.charge == "none" and duty.cross == "none")

    def after_silence(self, way: give.RunSilent) -> tuple[int, Points]:
        """Where a silence leads, and where we may sail from there."""
        step = way.heading.step if way.heading else 0
        sailed = sum(1 << self.at + step * number for number in range(way.distance + 1))
        return self.at + step * way.distance, self.open & ~sailed

    @property
    def out_of_turn(self) -> bool:
        """Whether it is the enemy's turn, and nothing is awaited from us."""
        public = self.public
        if public.turn is None or public.turn.crew is self.crew:
            return False
        return public.awaited is None or public.awaited.crew is not self.crew
