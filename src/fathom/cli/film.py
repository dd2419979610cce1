"""A game as it is watched: every event moves it on, and at any moment it can be drawn."""

from collections.abc import Iterable
from typing import Final

from fathom.belief.evidence import Belief
from fathom.cli.scene import Scene
from fathom.cli.tell import Teller
from fathom.engine.apply import apply
from fathom.engine.events import (
    AnyEvent,
    CourseSet,
    Exploded,
    GameEnded,
    PlayBegan,
    PlayResumed,
    TurnEnded,
)
from fathom.engine.game import new_game
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.heard import Announcement
from fathom.rules.setup import Setup
from fathom.words import CREWS, ByCrew, Crew

KEPT: Final = 60
"""How many announcements are kept for drawing."""


class FollowedGame:
    """Follows a game and remembers what was said; with a ``side``, only what that crew knows."""

    def __init__(self, setup: Setup, side: Crew | None = None) -> None:
        self.game = new_game(setup)
        self.side = side
        self.teller = Teller(self.game.ground)
        self.said: list[str] = []
        self.bursts = 0
        self.beliefs = ByCrew.of(lambda crew: Belief(self.game.ground, crew.other))
        """Where each crew's enemy can be, for all that was said aloud."""
        self.courses = 0

    def show(self, events: Iterable[AnyEvent]) -> list[Announcement]:
        """Let the events happen; what of them is worth a look is returned."""
        self.bursts = 0
        heard = []
        for event in events:
            self.game = apply(self.game, event)
            said = announce(event)
            if said is not None:
                self.hear(said)
                heard += [said] if worth_a_look(said) else []
        for belief in self.beliefs:
            belief.settle()
        return heard

    def hear(self, said: Announcement) -> None:
        """Note an announcement, and what can be worked out from it."""
        for belief in self.beliefs:
            belief.hear(said)
        self.courses += isinstance(said, CourseSet)
        if isinstance(said, Exploded):
            self.bursts |= 1 << said.at
        if worth_a_look(said):
            self.said = [*self.said, self.teller.tell(said)][-KEPT:]

    def tell(self, events: Iterable[AnyEvent]) -> list[str]:
        """The events in words, as far as they are heard."""
        heard = [event if self.knows(event) else announce(event) for event in events]
        return [self.teller.tell(event) for event in heard if event is not None]

    def knows(self, event: AnyEvent) -> bool:
        """Whether all of the event is known: it is one's own crew's, or both sides are watched."""
        return self.side is None or getattr(event, "crew", None) is self.side

    def scene(self, caption: str = "") -> Scene:
        """The moment, ready to be drawn."""
        shown = CREWS if self.side is None else (self.side,)
        return Scene(
            ground=self.game.ground,
            public=self.game.public,
            boats=tuple((crew, self.game.boats[crew]) for crew in shown),
            said=tuple(self.said),
            bursts=self.bursts,
            hunted=tuple((crew, self.beliefs[crew].possible) for crew in shown),
            shade=self.side is not None,
            caption=caption,
        )


def worth_a_look(said: Announcement) -> bool:
    """Whether something happened that one sees or should read."""
    if isinstance(said, TurnEnded):
        return said.turns > 1 and said.crew is not said.next
    return not isinstance(said, PlayResumed | PlayBegan)


def seconds_for(heard: Iterable[Announcement]) -> float:
    """How long to look at what happened."""
    longest = 0.0
    for said in heard:
        match said:
            case CourseSet():
                longest = max(longest, 0.8)
            case Exploded() | GameEnded():
                longest = max(longest, 2.5)
            case _:
                longest = max(longest, 1.4)
    return longest
