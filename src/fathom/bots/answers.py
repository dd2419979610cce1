"""What the captain answers: to a sonar, and when a volcano is to be named."""

from fathom.bots.desk import Desk
from fathom.bots.lies import largest_lie, least_telling_lie, vaguest_line
from fathom.bots.traits import Traits
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder

BURIED = 99
"""What it counts to be under the lava oneself."""


class Answerer:
    """Answers so that the enemy gains little."""

    def __init__(self, traits: Traits) -> None:
        self.traits = traits

    def choose(self, desk: Desk) -> AnyOrder | None:
        """The answer that is awaited, if one is."""
        dice = desk.dice
        if lines := desk.of(give.AnswerTruly):
            return vaguest_line(desk.mind.known, desk.at, lines, dice)
        if answers := desk.of(give.AnswerSonar):
            return self.lie(desk, [*answers])
        if volcanoes := desk.of(give.NameVolcano):
            return max(volcanoes, key=lambda volcano: (self.trouble(desk, volcano), dice.random()))
        return None

    def lie(self, desk: Desk, answers: list[AnyOrder]) -> AnyOrder:
        """One fact true, one false."""
        known, ground = desk.mind.known, desk.ground
        if self.traits.lies == "random" or not known:
            return desk.dice.choice(answers)
        if self.traits.lies == "least" and desk.at >= 0:
            return least_telling_lie(ground, known, desk.at, answers, desk.dice)
        return largest_lie(ground, known, answers, desk.dice)

    @staticmethod
    def trouble(desk: Desk, order: give.NameVolcano) -> int:
        """Lava or smoke should trouble them and not us."""
        lava = desk.ground.lava[order.volcano - 1]
        return (lava & desk.mind.where).bit_count() - BURIED * (lava >> max(0, desk.at) & 1)
