"""What a crew may have charged: bounds for every gauge, from its courses and what it used."""

from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import (
    CourseSet,
    DroneLaunched,
    MineLaidHeard,
    OldMineDetonated,
    SilenceHeard,
    SonarUsed,
    Surfaced,
    SystemFailed,
    SystemRepaired,
    TorpedoFired,
)
from fathom.engine.knowledge.heard import Announcement
from fathom.words import (
    DRONE,
    MINE,
    SCENARIO,
    SILENCE,
    SONAR,
    SYSTEMS,
    TORPEDO,
    Crew,
    System,
)

ALL = -1
"""All systems, as a set."""

USES: dict[type, System] = {
    MineLaidHeard: MINE,
    TorpedoFired: TORPEDO,
    DroneLaunched: DRONE,
    SonarUsed: SONAR,
    SilenceHeard: SILENCE,
    OldMineDetonated: SCENARIO,
    SystemRepaired: SCENARIO,
}


class Stores:
    """The fewest and most filled boxes of each gauge, or the energy, which is known exactly."""

    def __init__(self, ground: CompiledSetup, target: Crew) -> None:
        self.ground, self.target = ground, target
        self.in_service = ground.in_service
        self.charges = (0, 0)
        """The fewest and most boxes filled so far."""
        self.spent = 0
        self.since = [0] * len(SYSTEMS)
        """The most boxes filled since each system was used."""
        self.known_full = 0
        self.room = self.capacity(ALL)
        """The boxes of all gauges in service."""
        self.energy = 0

    def hear(self, news: Announcement) -> None:
        """Take an announcement in."""
        if getattr(news, "crew", None) is not self.target:
            return
        if isinstance(news, CourseSet):
            self.course()
        elif isinstance(news, SystemFailed):
            self.known_full |= news.system.bit
        elif (system := USES.get(type(news))) is not None:
            self.use(system)
        if isinstance(news, SystemRepaired):
            self.in_service |= news.system.bit
            self.room = self.capacity(ALL)
        if isinstance(news, Surfaced) and not self.ground.book.acknowledge_systems:
            # Where a table lets surfacing come before the marks, the last one may be void.
            self.charges = max(self.spent, self.charges[0] - 1), self.charges[1]

    def course(self) -> None:
        """A box was filled, if one was empty."""
        if self.ground.energy:
            self.energy = min(self.ground.energy, self.energy + 1)
            return
        fewest, most = self.charges
        room = self.spent + self.room
        late = 0 if self.ground.book.acknowledge_systems else 1
        self.charges = min(fewest + 1, room), min(most + 1, room + late)
        self.since = [count + 1 for count in self.since]

    def use(self, system: System) -> None:
        """A system was used: its gauge was full and is empty now."""
        self.energy -= self.ground.costs[system.index]
        boxes = self.ground.boxes[system.index]
        self.spent += boxes
        # Where a table lets systems come before the marks, one may still be missing.
        self.since[system.index] = 0 if self.ground.book.acknowledge_systems else 1
        self.known_full &= ~system.bit
        self.charges = max(self.charges[0], self.spent), max(self.charges[1], self.spent)
        if system is SILENCE and self.ground.book.acknowledge:
            self.slip()

    def slip(self) -> None:
        """A silence may fill a box, and one of 0 points by a rule of its own."""
        book = self.ground.book
        fills = {book.silence_charges}
        if book.silence_least == 0:
            fills.add(book.silence_zero_charges)
        if any(fills):
            fewest, most = self.charges
            self.charges = fewest + all(fills), most + 1
            self.since = [count + 1 for count in self.since]

    def capacity(self, systems: int) -> int:
        """The boxes of all gauges of these systems that are in service."""
        counted = self.in_service & systems
        return sum(
            boxes
            for system, boxes in zip(SYSTEMS, self.ground.boxes, strict=True)
            if counted & system.bit
        )

    def filled(self, system: System) -> tuple[int, int]:
        """The fewest and most filled boxes of a gauge."""
        boxes = self.ground.boxes[system.index] if self.in_service & system.bit else 0
        if self.known_full & system.bit:
            return boxes, boxes
        fewest, most = (count - self.spent for count in self.charges)
        others = self.room - boxes
        known = self.capacity(self.known_full) if self.known_full else 0
        high = max(0, min(boxes, most - known, self.since[system.index]))
        return min(high, max(0, fewest - others)), high

    def may_be_ready(self, system: System) -> bool:
        """Whether the system may be charged now."""
        if self.ground.energy:
            return self.energy >= self.ground.costs[system.index] > 0
        boxes = self.ground.boxes[system.index]
        return 0 < boxes == self.filled(system)[1]
