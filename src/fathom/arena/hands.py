"""Real time on a virtual clock: whoever's hand is free next is asked. No real time passes."""

from typing import Final

from fathom.arena.table import BotTable, CalledOff, SeatedBot
from fathom.bots.pace import PaceFactor
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import legal, may_trace
from fathom.words import REFEREE

LONGEST: Final = 4 * 3600.0
"""Seconds after which a game is called off."""
STALEMATE: Final = 300.0
"""Seconds without any order after which it is."""
DOZE: Final = 10.0
"""Seconds after which a seat that waits is asked again, if it hears nothing."""


class Hands:
    """The clock, and everyone's hands.

    All ranks are equally fast here: what is measured is how they play.
    """

    def __init__(self, table: BotTable, pace: PaceFactor) -> None:
        self.table, self.pace, self.dice = table, pace, table.dice
        self.now = 0.0
        self.resume_at: float | None = None
        """When the referee ends a stop."""
        table.startle = self.startle

    def play(self) -> None:
        """The whole game."""
        table, last = self.table, 0.0
        for place in table.places:
            place.ready = self.pace.reaction(None, self.dice)
        while table.game.public.phase != "over":
            table.within_limits()
            if self.now > self.scaled(LONGEST) or self.now - last > self.scaled(STALEMATE):
                raise CalledOff
            place = min(table.places, key=readiness)
            if self.resume_at is not None and self.resume_at <= place.ready:
                self.resume(self.resume_at)
            elif self.act(place):
                last = self.now

    def act(self, place: SeatedBot) -> bool:
        """Ask a seat; whether it gave an order."""
        self.now = max(self.now, place.ready)
        order = self.table.ask(place)
        if order is None:
            place.ready = self.now + self.scaled(DOZE)
            return False
        self.table.give(place, order)
        self.keep_busy(place, order)
        self.see_to_stops()
        return True

    def scaled(self, seconds: float) -> float:
        return seconds * self.pace.factor

    # Hands

    def startle(self, place: SeatedBot) -> None:
        """The seat has heard something, and will act on it as soon as its hand is free."""
        soon = max(place.busy, self.now + self.pace.reaction(None, self.dice))
        place.ready = min(place.ready, soon)

    def keep_busy(self, place: SeatedBot, order: AnyOrder) -> None:
        """The hand that gave the order is busy with it; a section was traced before."""
        if isinstance(order, give.TraceSection):
            place.tracing = False
        else:
            place.busy = self.now + self.pace.seconds(order, None, self.dice)
        place.ready = max(place.busy, self.now + self.pace.reaction(None, self.dice))
        if self.table.game.ground.tracing:
            for each in self.table.places:
                self.hold_sheet(each)

    def hold_sheet(self, place: SeatedBot) -> None:
        """Who has got the engineer's sheet begins to trace; a stop puts the pen down."""
        if not may_trace(self.table.game, place.seat):
            place.tracing = False
        elif not place.tracing:
            place.tracing = True
            place.busy = max(place.busy, self.now) + self.pace.tracing(None, self.dice)
            place.ready = place.busy

    # Stops

    def see_to_stops(self) -> None:
        """A stop lasts for a pause: the referee ends it, or the captain who called it."""
        game = self.table.game
        stop = game.public.stop
        if stop is None:
            self.resume_at = None
            return
        end = self.now + self.scaled(game.ground.house.pause_seconds)
        if give.RESUME in legal(game, REFEREE):
            self.resume_at = self.resume_at or end
        for place in self.table.by_crew[stop.by]:
            if give.RESUME in legal(game, place.seat):
                place.busy = place.ready = end

    def resume(self, when: float) -> None:
        """The stop is over."""
        self.now, self.resume_at = when, None
        self.table.rule(give.RESUME)
        for place in self.table.places:
            self.hold_sheet(place)


def readiness(place: SeatedBot) -> float:
    """When the seat will be asked next."""
    return place.ready
