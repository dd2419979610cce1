"""Spectators who see everything, but only after the table's delay (secret.spectators)."""

import asyncio
from collections import deque

from fathom.engine.events import AnyEvent
from fathom.engine.game import new_game
from fathom.engine.history import apply_all
from fathom.engine.secrecy import WATCHER
from fathom.server.duel import EVENTS, Duel, Ear
from fathom.server.identity import now_ms
from fathom.server.sheets import Fragments
from fathom.server.wire import Told, encode
from fathom.words import Referee, Seat


class Gallery:
    """The game as it was so many seconds ago, and those who look at it."""

    def __init__(self, duel: Duel, delay: float) -> None:
        self.duel, self.delay = duel, delay
        self.game = new_game(duel.setup)
        self.position = 0
        """How many events have been shown; all of them, so it is told only here."""
        self.coming: deque[tuple[int, tuple[AnyEvent, ...]]] = deque()
        self.ears: list[Ear] = []
        self.timer: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Take in what has been played; what is too new comes when its time comes."""
        until = 0
        while until < self.duel.position:
            steps = await self.duel.log.read(self.duel.id, until)
            until += len(steps)
            self.coming.extend((step.at, EVENTS.decode(step.events)) for step in steps)
        self.duel.stepped.append(self.stepped)
        self.show_due(silently=True)

    def close(self) -> None:
        """Show no more."""
        if self.timer is not None:
            self.timer.cancel()
        if self.stepped in self.duel.stepped:
            self.duel.stepped.remove(self.stepped)

    def stepped(self, _: Seat | Referee, events: tuple[AnyEvent, ...], at: int) -> None:
        """Something happened; it is shown later, or at once if that was the end.

        The clock of the process that wrote it may be behind ours: it never shortens the delay.
        """
        self.coming.append((max(at, now_ms()), events))
        self.show_due()

    def show_due(self, *, silently: bool = False) -> None:
        """Show whatever is old enough, and come again for the rest."""
        limit = now_ms() - round(self.delay * 1000)
        while self.coming and (self.coming[0][0] <= limit or self.duel.over):
            self.show(self.coming.popleft()[1], silently=silently)
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        if self.coming:
            wait = max(0.0, (self.coming[0][0] - limit) / 1000)
            self.timer = asyncio.get_running_loop().call_later(wait, self.show_due)

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
