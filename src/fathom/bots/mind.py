"""What a seat has worked out from what it heard: where they can be, and what they know of us."""

from fathom.belief.breakdowns import Breakdowns
from fathom.belief.evidence import Belief
from fathom.belief.merged import Merged
from fathom.belief.stores import Stores
from fathom.belief.tracker import Tracker
from fathom.bots.traits import Traits
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import CourseSet, MarkAcknowledged, MineLaidHeard, SilenceHeard
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.heard import Heard
from fathom.points import Points
from fathom.words import TORPEDO, Crew

USUAL_READINESS = 0.6
"""How likely they have a torpedo, for those who don't work it out."""


class Mind:
    """Both sides' belief, and what the enemy may have charged."""

    def __init__(self, ground: CompiledSetup, crew: Crew, traits: Traits) -> None:
        self.ground, self.crew, self.traits = ground, crew, traits
        kind = Merged if traits.tracking == "merged" else Belief
        self.tracks = traits.tracking != "none"
        self.theirs = kind(ground, crew.other, likely=traits.likely)
        self.ours = kind(ground, crew)
        self.stores = Stores(ground, crew.other)
        self.breakdowns = Breakdowns(ground, crew.other)
        self.courses = 0
        """How many courses we have sailed."""

    def hear(self, news: Heard) -> None:
        """Take in what everyone heard of it."""
        if isinstance(news, MarkAcknowledged):
            return
        said = news if isinstance(news, SilenceHeard | MineLaidHeard) else announce(news)
        if said is None:
            return
        if isinstance(said, CourseSet) and said.crew is self.crew:
            self.courses += 1
        if not self.tracks:
            return
        self.theirs.hear(said)
        if self.traits.mirror:
            self.ours.hear(said)
        if self.traits.gauges:
            self.stores.hear(said)
            self.breakdowns.hear(said)

    def settle(self) -> None:
        """All news of an order has come: draw the last conclusions."""
        if self.tracks:
            self.theirs.settle()
            self.ours.settle()

    @property
    def where(self) -> Points:
        """Where they can be."""
        return self.theirs.possible if self.tracks else 0

    @property
    def known(self) -> Points:
        """Where we can be, for all that they heard."""
        return self.ours.possible if self.tracks and self.traits.mirror else 0

    def weights(self) -> dict[int, float]:
        """How likely they are on each point."""
        if self.theirs.weights:
            return self.theirs.weights
        points = self.where
        share = 1 / max(1, points.bit_count())
        return {place: share for place in range(points.bit_length()) if points >> place & 1}

    def readiness(self, courses: int = 1) -> float:
        """How likely they can fire a torpedo after so many more courses."""
        if not self.traits.gauges:
            return USUAL_READINESS
        ground = self.ground
        if ground.energy:
            return 1.0 if self.stores.energy + courses >= ground.costs[TORPEDO.index] else 0.0
        fewest, most = self.stores.filled(TORPEDO)
        boxes = ground.boxes[TORPEDO.index]
        if not boxes or most + courses < boxes:
            return 0.0
        if self.breakdowns.surely_broken(TORPEDO):
            return 0.2
        # Whoever can have a torpedo usually has one: it is what everyone charges first.
        return 1.0 if fewest + courses >= boxes else 0.85

    def torpedo_needs(self) -> int:
        """How many courses they need until they can fire, at best."""
        if self.ground.energy:
            return max(0, self.ground.costs[TORPEDO.index] - self.stores.energy)
        return max(0, self.ground.boxes[TORPEDO.index] - self.stores.filled(TORPEDO)[1])

    def covered_by_them(self, point: int) -> Points:
        """The points that they can't sail to again, if they are here: one history's worth."""
        follower = self.theirs.tracker
        witness = follower.witnesses.get(point) if isinstance(follower, Tracker) else None
        return witness.covered if witness else 0
