"""The determiniser: whole games that one crew can't tell from the real one.

A game is drawn as a history. The enemy's route and mines come from the exact belief, its marks from
what its systems did; then the whole game is played again, with these choices for what was not
heard. The engine judges every order, and everything must sound as it did. So what comes out is a
game that can have been played, and that looks and sounds the same to the crew.
"""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from fathom.belief.resampling.chance import Chance
from fathom.belief.resampling.marks import (
    Fact,
    NoMarks,
    SampledMarks,
    facts,
    sample_marks,
)
from fathom.belief.resampling.routes import NoRoute, RememberingBelief, SampledRoute
from fathom.engine import orders as say
from fathom.engine.apply import apply_all
from fathom.engine.events import (
    AnyEvent,
    Damaged,
    MineLaid,
    MineLaidHeard,
    PlayResumed,
    RanSilent,
    SilenceHeard,
    Surfaced,
    TurnEnded,
)
from fathom.engine.game import DOCK, Game, ground_for, new_game
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.heard import Heard
from fathom.engine.logbook.order_behind import Giver, order_behind, usual_giver
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.engine.refusals import OrderRefused
from fathom.engine.registry import SHOWN
from fathom.points import Point
from fathom.rules.setup import Setup
from fathom.words import CAPTAIN, REFEREE, Crew, Seat

TRIES: Final = 200
"""Histories that are drawn for one state before giving up."""
HELPERS: Final = 5
"""Unheard orders that one heard order may need before it: the start, marks, a report."""


class NoSample(Exception):
    """No state was found that fits all that is known."""


class Unlike(Exception):
    """A history went another way than what was heard."""


class OwnOrder(Struct, frozen=True):
    """One order of a history, and who gave it."""

    by: Giver
    order: AnyOrder


class Sampled(Struct, frozen=True):
    """A game that fits all that is known, and how it came about."""

    game: Game
    history: tuple[OwnOrder, ...]


def crew_hears(crew: Crew, events: Sequence[AnyEvent]) -> tuple[Heard, ...]:
    """What a crew learns of the events of one order: all of its own, and what reaches the enemy."""
    return tuple(heard for event in events if (heard := shared(crew, event)) is not None)


def shared(crew: Crew, event: AnyEvent) -> Heard | None:
    """What a crew learns of an event."""
    if getattr(event, "crew", None) is crew or type(event) in SHOWN:
        return event
    return announce(event)


class Determiniser:
    """Follows a game with one crew's ears and eyes, and draws whole states of it."""

    def __init__(self, setup: Setup, crew: Crew) -> None:
        self.setup, self.crew, self.enemy = setup, crew, crew.other
        self.ground = ground_for(setup)
        self.belief = RememberingBelief(self.ground, self.enemy, likely=True)
        self.heard: list[tuple[Heard, ...]] = []
        """What each order that was noticed sounded like."""

    def hear(self, heard: Sequence[Heard]) -> None:
        """Take in what one order sounded like to the crew (``crew_hears``)."""
        if not heard:
            return
        self.heard.append(tuple(heard))
        said = [news for event in heard if (news := announce(event)) is not None]
        for news in said:
            self.belief.hear(news)
        if said:
            self.belief.settle()

    def resample(self, chance: Chance) -> Sampled:
        """Draw a state: the enemy's position as likely as the belief says, all else at random."""
        for _ in range(TRIES):
            try:
                route = self.belief.sample_route(chance)
                marks = sample_marks(self.ground, self.facts(route), chance)
                return History(self, route, marks, chance).play()
            except (NoRoute, NoMarks, Unlike):
                continue
        raise NoSample(f"no state fits what crew {self.crew.value} knows, after {TRIES} tries")

    def facts(self, route: SampledRoute) -> list[Fact]:
        """What the enemy's marks must fit to."""
        news = (event for heard in self.heard for event in heard)
        return list(facts(self.ground, self.enemy, news, route.silences))


class History:
    """Plays a game again, with other choices where the enemy's were not heard."""

    def __init__(
        self, known: Determiniser, route: SampledRoute, marks: SampledMarks, chance: Chance
    ) -> None:
        self.known, self.route, self.chance = known, route, chance
        self.silences, self.mines = iter(route.silences), iter(route.mines)
        self.charges, self.symbols = iter(marks.charges), iter(marks.symbols)
        self.game = new_game(known.setup)
        self.given: list[OwnOrder] = []

    def play(self) -> Sampled:
        """The whole game, up to now."""
        for heard in self.known.heard:
            if crew_of(self.game, heard[0]) is self.known.enemy:
                self.play_enemy(heard)
            else:
                self.play_known(heard)
        if self.known.ground.real_time:
            self.hurry()
        return Sampled(self.game, tuple(self.given))

    def play_known(self, heard: tuple[Heard, ...]) -> None:
        """An order of our own crew or of the referee."""
        giver = self.giver_of(heard[0])
        order = order_behind(self.game, giver, heard[0])
        if order is None:
            raise Unlike
        self.give(giver, order, heard)

    def giver_of(self, first: Heard) -> Giver:
        """Who gave an order that is no secret; in some rulebooks a captain ends the stop."""
        ground, stop = self.game.ground, self.game.public.stop
        if isinstance(first, PlayResumed) and stop and ground.book.resume == "captain":
            posts = ground.posts[stop.by]
            return Seat(stop.by, next(n for n, held in enumerate(posts) if held & CAPTAIN.bit))
        return usual_giver(ground, first)

    def play_enemy(self, heard: tuple[Heard, ...]) -> None:
        """An order of the enemy, with all that must have come before it."""
        first = heard[0]
        if isinstance(first, Damaged) and first.cause == "breakdown":
            if isinstance(heard[-1], TurnEnded) and self.owes_charge():
                self.charge()
            self.cross_out(heard)
        elif isinstance(first, TurnEnded):
            self.end_turn(heard)
        else:
            if any(isinstance(event, Surfaced) for event in heard):
                self.make_marks()
            giver = usual_giver(self.game.ground, self.secret_of(first))
            self.give(giver, self.order_of(giver, first), heard)

    def secret_of(self, first: Heard) -> Heard:
        """An event by whose kind the giver is found."""
        if isinstance(first, SilenceHeard):
            return RanSilent(first.crew, 0)
        return MineLaid(first.crew, Point(0)) if isinstance(first, MineLaidHeard) else first

    def order_of(self, giver: Giver, first: Heard) -> AnyOrder:
        """The order behind what was heard of it."""
        if isinstance(first, SilenceHeard):
            return say.RunSilent(*next(self.silences))
        if isinstance(first, MineLaidHeard):
            return say.LayMine(Point(next(self.mines)))
        # A broken system is ordered once its crew's marks are made.
        while (order := order_behind(self.game, giver, first)) is None:
            if not self.help_on():
                raise Unlike
        return order

    def end_turn(self, heard: tuple[Heard, ...]) -> None:
        """The captain's order, or the last mark if the turn ends with that."""
        for owed, mark in ((self.owes_charge, self.charge), (self.owes_cross, self.cross_out)):
            if owed() and mark(None) == heard:
                return
        seat = usual_giver(self.game.ground, heard[0])
        self.give(seat, say.END_TURN, heard)

    # Orders

    def give(self, by: Giver, order: AnyOrder, heard: tuple[Heard, ...]) -> None:
        """Give an order, which must sound like this; first what it needs, where it is refused."""
        for _ in range(HELPERS):
            try:
                events = decide(self.game, by, order)
            except OrderRefused:
                if not self.help_on():
                    raise Unlike from None
                continue
            sound = crew_hears(self.known.crew, events)
            if sound == heard:
                self.happen(by, order, events)
                return
            # The turn ends with an order only once all marks are made.
            if (*sound, heard[-1]) != heard or not self.help_on():
                raise Unlike
        raise Unlike

    def happen(self, by: Giver, order: AnyOrder, events: Sequence[AnyEvent]) -> None:
        self.game = apply_all(self.game, events)
        self.given.append(OwnOrder(by, order))

    def silently(self, order: AnyOrder, heard: tuple[Heard, ...] | None = ()) -> tuple[Heard, ...]:
        """An order of the enemy that sounds like this; like anything, if that is none."""
        for number in range(len(self.game.ground.posts[self.known.enemy])):
            seat = Seat(self.known.enemy, number)
            try:
                events = decide(self.game, seat, order)
            except OrderRefused:
                continue
            sound = crew_hears(self.known.crew, events)
            if heard is not None and sound != heard:
                raise Unlike
            self.happen(seat, order, events)
            return sound
        raise Unlike

    def help_on(self) -> bool:
        """Give one order that nobody hears and that may be needed next; false if there is none."""
        boat = self.game.boats[self.known.enemy]
        if self.game.public.phase == "placing":
            if boat.helm.at != DOCK:
                return False
            self.silently(say.Place(Point(self.route.start)))
        elif self.owes_charge():
            self.charge()
        elif self.owes_cross():
            self.cross_out()
        elif boat.trace is not None and boat.trace.good and not boat.trace.ready:
            self.silently(say.REPORT_READY)
        else:
            return False
        return True

    # Marks

    def owes_charge(self) -> bool:
        """Whether a mark of the enemy's first mate is due."""
        return self.game.boats[self.known.enemy].duty.charge != "none"

    def owes_cross(self) -> bool:
        """Whether a mark of the enemy's engineer is due."""
        return self.game.boats[self.known.enemy].duty.cross != "none"

    def charge(self, heard: tuple[Heard, ...] | None = ()) -> tuple[Heard, ...]:
        """The enemy's first mate makes the next mark."""
        return self.silently(say.Charge(next(self.charges)), heard)

    def cross_out(self, heard: tuple[Heard, ...] | None = ()) -> tuple[Heard, ...]:
        """The enemy's engineer makes the next mark."""
        symbol = next(self.symbols, "")
        if symbol == "":
            raise Unlike
        return self.silently(say.CrossOut(symbol), heard)

    def make_marks(self) -> None:
        """Make the marks that are due, as a surfacing would void them."""
        while self.owes_charge() or self.owes_cross():
            self.help_on()

    def hurry(self) -> None:
        """In real time marks that are due may have been made by now, or not."""
        for owed, mark in ((self.owes_charge, self.charge), (self.owes_cross, self.cross_out)):
            if owed() and self.chance.random() < 0.5:
                try:
                    mark()
                except Unlike:
                    return


def crew_of(game: Game, first: Heard) -> Crew | None:
    """The crew whose order it was; none for the referee's."""
    if isinstance(first, SilenceHeard | MineLaidHeard):
        return first.crew
    if isinstance(first, Damaged):
        return first.crew
    giver = usual_giver(game.ground, first)
    return None if giver == REFEREE else giver.crew  # type: ignore[union-attr]
