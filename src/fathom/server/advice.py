"""Captains who asked for advice, and the hands that get it for them from the bot processes."""

from collections.abc import Callable
from typing import TypeAlias

from fathom.bots.dice import derive_seed
from fathom.engine.actions.answer import answer_rule
from fathom.engine.orders import AnswerSonar, AnswerTruly, AnyOrder
from fathom.server.barracks import Barracks
from fathom.server.bot_tasks import Reply
from fathom.server.duel import Duel
from fathom.server.hands import Billet, Hand
from fathom.server.troubles import Unplayable
from fathom.server.wire import Obstacle
from fathom.words import Seat

Advised: TypeAlias = Callable[[AnyOrder | Obstacle], None]
"""Who asked is told the answer that they should give, or why there is none."""
FAILED = Obstacle("internal")


class AdviserHand(Hand):
    """Gets one answer for a seat; if its process dies, there is none."""

    job = "advise"

    def __init__(
        self, barracks: Barracks, duel: Duel, seat: Seat, secret: str, found: Advised
    ) -> None:
        name = f"{duel.id}/{seat.crew.value}{seat.number}/advice"
        super().__init__(barracks, duel, Billet(seat), name)
        self.secret, self.found = secret, found

    def seed(self) -> int:
        return derive_seed(
            self.secret, self.duel.id, self.seat.crew.value, self.seat.number, "", "advice"
        )

    def take(self, reply: Reply | None) -> None:
        """Never begin again: whoever asked may ask again."""
        if not self.gone and (reply is None or reply.what == "fault"):
            self.found(FAILED)
            return
        super().take(reply)

    def use(self, reply: Reply) -> None:
        """Hand the answer on, if nothing has come in between."""
        if reply.number == self.news:
            self.found(reply.order if reply.order is not None else FAILED)


class Advisers:
    """Everyone of a game who is waiting for advice."""

    def __init__(self, barracks: Barracks, duel: Duel, secret: str) -> None:
        self.barracks, self.duel, self.secret = barracks, duel, secret
        self.hands: dict[Seat, AdviserHand] = {}
        self.waiting: dict[Seat, list[Advised]] = {}

    def ask(self, seat: Seat, advised: Advised) -> None:
        """Have the best answer found for a seat that must answer a sonar; nobody else may ask."""
        obstacle = self.obstacle(seat)
        if obstacle is not None:
            raise Unplayable(obstacle)
        self.waiting.setdefault(seat, []).append(advised)
        if seat not in self.hands:
            hand = AdviserHand(
                self.barracks, self.duel, seat, self.secret, lambda found: self.tell(seat, found)
            )
            self.hands[seat] = hand
            hand.arrive()

    def obstacle(self, seat: Seat) -> Obstacle | None:
        """Why a seat gets no advice now: nothing is asked, or another seat must answer."""
        game = self.duel.game
        awaited, rule = game.public.awaited, answer_rule(game.ground)
        if awaited is None or awaited.what != "sonar-answer" or awaited.crew is not seat.crew:
            return Obstacle(rule)
        answers = {AnswerSonar, AnswerTruly} & game.ground.actions_of[seat].keys()
        return None if answers else Obstacle("crew.orders")

    def tell(self, seat: Seat, found: AnyOrder | Obstacle) -> None:
        """Answer everyone who asked for a seat, on however many connections."""
        hand = self.hands.pop(seat, None)
        if hand is not None:
            hand.leave()
        for advised in self.waiting.pop(seat, []):
            advised(found)

    def stepped(self) -> None:
        """Whoever has answered meanwhile needs no advice."""
        for seat in list(self.hands):
            obstacle = self.obstacle(seat)
            if obstacle is not None:
                self.tell(seat, obstacle)

    def close(self) -> None:
        """The game is over, or this process lets go of it."""
        for seat in list(self.hands):
            self.tell(seat, Obstacle("no-game"))
