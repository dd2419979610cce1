"""Spectators who see everything, but only after the table's delay (secret.spectators).

The wall clock has no say in it: whoever sets it forward would be shown both submarines. A step that
is made here is as old as the time that has passed since; one that was read from the log is at
least as old as the time that the game has been running since, which the steps after it tell.

Time alone is not enough: a player with a second tab could wait until it shows how things are. So
each crew must also have sailed on since.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from msgspec import Struct

from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent, CourseSet, RanSilent, Surfaced
from fathom.engine.game import new_game
from fathom.engine.knowledge.view import WATCHER
from fathom.server.duel import EVENTS, Duel, Ear
from fathom.server.log import StoredStep
from fathom.server.sheets import Fragments
from fathom.server.wire import Told, encode
from fathom.words import ByCrew, Referee, Seat

MOVES_LATER: Final = 10
"""How many moves each crew must have made since a step before it is shown."""
MOVES: Final = (CourseSet, RanSilent, Surfaced)


class Unshown(Struct, frozen=True):
    """A step that is not shown yet."""

    made: float
    """When it was made at the latest, by the monotonic clock."""
    moves: ByCrew[int]
    """How many moves each crew had made by then."""
    events: tuple[AnyEvent, ...]


class Gallery:
    """The game as it was a while ago, and those who look at it."""

    def __init__(
        self, duel: Duel, delay: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.duel, self.delay, self.clock = duel, delay, clock
        self.game = new_game(duel.setup)
        self.position = 0
        """How many events have been shown; all of them, so it is told only here."""
        self.moves = ByCrew(0, 0)
        """How many moves each crew has made so far."""
        self.coming: deque[Unshown] = deque()
        self.ears: list[Ear] = []
        self.timer: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Take in what has been played; what is too new comes when its time comes."""
        steps: list[StoredStep] = []
        while len(steps) < self.duel.position:
            steps += await self.duel.log.read(self.duel.id, len(steps))
        # What the log has beyond that is told to us like to everyone.
        steps = steps[: self.duel.position]
        made = self.clock() - (self.duel.elapsed() + sum(step.spent for step in steps)) / 1000
        for step in steps:
            made += step.spent / 1000
            self.take(made, EVENTS.decode(step.events))
        self.duel.stepped.append(self.stepped)
        self.show_due(silently=True)

    def close(self) -> None:
        """Show no more."""
        if self.timer is not None:
            self.timer.cancel()
        if self.stepped in self.duel.stepped:
            self.duel.stepped.remove(self.stepped)

    def stepped(self, _: Seat | Referee, events: tuple[AnyEvent, ...], at: int) -> None:
        """Something happened; it is shown later, or at once if that was the end."""
        del at
        self.take(self.clock(), events)
        self.show_due()

    def take(self, made: float, events: tuple[AnyEvent, ...]) -> None:
        """Keep a step until it may be shown."""
        self.moves = counted(self.moves, events)
        self.coming.append(Unshown(made, self.moves, events))

    def show_due(self, *, silently: bool = False) -> None:
        """Show whatever is old enough, and come again for the rest."""
        limit = self.clock() - self.delay
        while self.coming and (self.is_due(self.coming[0], limit) or self.duel.over):
            self.show(self.coming.popleft().events, silently=silently)
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        # A step for which too few moves were made is looked at again after the next step.
        if self.coming and self.coming[0].made > limit:
            wait = self.coming[0].made - limit
            self.timer = asyncio.get_running_loop().call_later(wait, self.show_due)

    def is_due(self, step: Unshown, limit: float) -> bool:
        """Whether a step is old enough: by the clock, and by what both crews have done since."""
        since = (now - then for now, then in zip(self.moves, step.moves, strict=True))
        return step.made <= limit and min(since) >= MOVES_LATER

    def show(self, events: tuple[AnyEvent, ...], *, silently: bool) -> None:
        before, self.game = self.game, apply_all(self.game, events)
        self.position += len(events)
        if silently or not self.ears:
            return
        message = self.message(Fragments(self.duel.ground, before, self.game), events)
        for ear in self.ears:
            ear.push(message)

    def attach(self, ear: Ear) -> None:
        """Look on from here."""
        ear.push(self.duel.opened(WATCHER))
        ear.push(self.whole())
        if ear not in self.ears:
            self.ears.append(ear)

    def detach(self, ear: Ear) -> None:
        """Look on no more."""
        if ear in self.ears:
            self.ears.remove(ear)

    def whole(self) -> bytes:
        """All that there is to see."""
        return self.message(Fragments(self.duel.ground, None, self.game), (), whole=True)

    def message(
        self, fragments: Fragments, events: tuple[AnyEvent, ...], *, whole: bool = False
    ) -> bytes:
        return encode(
            Told(
                game=self.duel.id,
                position=self.position,
                whole=whole,
                events=events,
                view=fragments.seen_by_all(),  # type: ignore[arg-type]
                boats=fragments.everything(),  # type: ignore[arg-type]
            )
        )


def counted(moves: ByCrew[int], events: Iterable[AnyEvent]) -> ByCrew[int]:
    """How many moves each crew has made after these events."""
    for event in events:
        if isinstance(event, MOVES):
            moves = moves.put(event.crew, moves[event.crew] + 1)
    return moves
