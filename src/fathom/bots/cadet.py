"""Level 0: any legal order, but for resigning and surfacing early. And tracing, for every bot."""

from collections.abc import Sequence
from random import Random

from fathom.bots.phrases import AnyPhrase
from fathom.bots.strokes import stroke
from fathom.engine import orders as give
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.knowledge.heard import Heard
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.words import Seat


class Cadet:
    """Plays at random."""

    def __init__(self, ground: CompiledSetup, seat: Seat, seed: int) -> None:
        self.ground, self.seat, self.seed = ground, seat, seed
        self.heard = 0
        """How much news there was: with the seed, all that chance depends on."""

    def hear(self, news: Heard) -> None:  # noqa: ARG002 (a cadet does not listen)
        """Nothing is remembered, except that there was news."""
        self.heard += 1

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        """Nothing is understood."""

    def choose(self, offer: Offer) -> AnyOrder | None:
        """Any order; in the enemy's turn, seldom one."""
        dice = self.dice()
        if offer.sections:
            return self.trace(offer, dice)
        if offer.judging:
            return give.JudgeTrace()
        orders = [order for order in offer.orders if self.sensible(order, offer)]
        if not orders or self.out_of_turn(offer):
            return None
        kinds = {type(order) for order in orders}
        chosen = dice.choice(sorted(kinds, key=lambda kind: kind.__name__))
        return dice.choice([order for order in orders if type(order) is chosen])

    def sensible(self, order: AnyOrder, offer: Offer) -> bool:
        """Neither resigns nor surfaces while there is a course to set, or marks to make first."""
        if not isinstance(order, give.Surface):
            return order != give.RESIGN
        duty = offer.view.duty
        due = duty is not None and (duty.charge != "none" or duty.cross != "none")
        return not due and not any(isinstance(one, give.SetCourse) for one in offer.orders)

    def out_of_turn(self, offer: Offer) -> bool:
        """Whether only mines could be set off now: it is the enemy's turn."""
        public, crew = offer.view.public, self.seat.crew
        if public.turn is None or public.turn.crew is crew:
            return False
        return public.awaited is None or public.awaited.crew is not crew

    def trace(self, offer: Offer, dice: Random) -> AnyOrder:
        """The next section of the hull."""
        section = offer.sections[0]
        initials = f"{self.seat.crew.value.upper()}{self.seat.number + 1}"
        return give.TraceSection(section, stroke(self.ground.setup.hull, section, dice), initials)

    def speak(self) -> Sequence[AnyPhrase]:
        """There is nothing to say."""
        return ()

    def dice(self) -> Random:
        """The same after the same news."""
        return Random(f"{self.seed}/{self.heard}")
