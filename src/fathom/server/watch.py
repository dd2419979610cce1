"""Time and chance of one game, as orders of the referee: lots, ends of stops, answers, clocks."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random, SystemRandom
from typing import Final, Literal

from fathom.engine import orders as give
from fathom.engine.game import Public
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import legal
from fathom.server.duel import Duel, Letter, Outcome
from fathom.server.log import Lease
from fathom.server.wire import Pause, encode
from fathom.words import CREW_A, CREWS, REFEREE

DICE: Final[Random] = SystemRandom()
AGAIN: Final = 1.0
"""Seconds after which an order of the referee that could not be saved is tried again."""
SOON: Final = 0.05
"""Seconds after which one that came too late is thought about again."""
What = Literal["resume", "sonar-answer"]


class Watch:
    """Keeps the time of one game; every process tells its own people, one of them orders."""

    def __init__(
        self, duel: Duel, awake: Callable[[], bool], mandate: Callable[[], Lease | None]
    ) -> None:
        self.duel, self.awake, self.mandate = duel, awake, mandate
        self.pauses: dict[What, asyncio.TimerHandle] = {}
        self.clock: asyncio.TimerHandle | None = None
        self.seen: Public | None = None

    def stepped(self) -> None:
        """A step was made; most are no business of the referee."""
        public = self.duel.game.public
        if public is not self.seen or public.stop is not None:
            self.look()

    def close(self) -> None:
        """Keep no more time."""
        for timer in (*self.pauses.values(), *((self.clock,) if self.clock else ())):
            timer.cancel()
        self.pauses, self.clock = {}, None

    def look(self) -> None:
        """Set the timers for what is due as the game stands now.

        One that is running is left alone: not every step is everyone's business.
        """
        self.seen = self.duel.game.public
        if self.undisturbed(self.seen):
            return
        if self.duel.over or not self.awake():
            self.close()
            return
        offered = legal(self.duel.game, REFEREE)
        if give.DrawFirst(CREW_A) in offered:
            self.order(give.DrawFirst(DICE.choice(CREWS)))
        answers = [
            order for order in offered if isinstance(order, give.AnswerSonar | give.AnswerTruly)
        ]
        house = self.duel.setup.house
        resumes = [give.RESUME] if give.RESUME in offered else []
        self.pause("resume", house.pause_seconds, resumes)
        self.pause("sonar-answer", house.answer_seconds, answers)
        self.watch_clock()

    def undisturbed(self, public: Public) -> bool:
        """Whether the crews are playing, and nothing is due or was due: so it is nearly always."""
        playing = public.phase == "playing" and public.stop is None and public.awaited is None
        return playing and not self.pauses and self.clock is None and self.duel.clock is None

    def pause(self, what: What, seconds: float | None, orders: Sequence[AnyOrder]) -> None:
        """One of the orders after so long; nothing, if none is due any more."""
        if what in self.pauses and not orders:
            self.pauses.pop(what).cancel()
        if what in self.pauses or not orders or seconds is None:
            return
        loop = asyncio.get_running_loop()
        self.pauses[what] = loop.call_later(seconds, self.end_pause, what, orders)
        message = encode(Pause(game=self.duel.id, what=what, left=round(seconds * 1000)))
        for audience in self.duel.audiences.values():
            for ear in audience.ears:
                ear.hint(message)

    def end_pause(self, what: What, orders: Sequence[AnyOrder]) -> None:
        """Give the order; while that is another's task, look whether it became ours."""
        if self.mandate() is None:
            loop = asyncio.get_running_loop()
            self.pauses[what] = loop.call_later(AGAIN, self.end_pause, what, orders)
        else:
            self.order(DICE.choice(orders))

    def watch_clock(self) -> None:
        """A crew whose time is up has lost (end.time)."""
        if self.clock is not None:
            self.clock.cancel()
            self.clock = None
        clock = self.duel.clock
        left = clock.left() if clock is not None else None
        if clock is None or left is None or clock.running is None:
            return
        wait = left - self.duel.elapsed()
        if wait > 0:
            # Looked at again when it rings: a timer may be early, or time have stood still.
            self.ring_in(wait / 1000)
        elif self.mandate() is None:
            self.ring_in(AGAIN)
        else:
            self.order(give.DeclareLost(clock.running, "end.time"))

    def ring_in(self, seconds: float) -> None:
        """Look at the clock again."""
        self.clock = asyncio.get_running_loop().call_later(seconds, self.watch_clock)

    def order(self, order: AnyOrder) -> None:
        """Give an order, if it is ours to give; if it can't be saved now, look again."""
        under = self.mandate()
        if under is None:
            return
        loop = asyncio.get_running_loop()

        def judged(outcome: Outcome) -> None:
            if outcome.undone:
                self.close()
                self.clock = loop.call_later(SOON if outcome.stale else AGAIN, self.look)

        seen = self.duel.seen(REFEREE)
        self.duel.post(Letter(REFEREE, order, answer=judged, under=under, seen=seen))
