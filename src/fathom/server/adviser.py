"""Which answer to a sonar tells the enemy least, for a captain who asks."""

from random import Random

from fathom.belief.evidence import Belief
from fathom.bots.lies import least_telling_lie, vaguest_line
from fathom.engine.knowledge.heard import Heard
from fathom.engine.orders import AnswerSonar, AnswerTruly, AnyOrder
from fathom.server.crewman import SeatFollower
from fathom.server.plotter import spoken
from fathom.server.wire import Told


class Adviser(SeatFollower):
    """Follows a captain's seat."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed

    def begin(self) -> None:
        super().begin()
        self.us = Belief(self.ground, self.seat.crew)

    def hear(self, told: Told) -> None:
        super().hear(told)
        self.us.settle()

    def take(self, news: Heard) -> None:
        if (said := spoken(news)) is not None:
            self.us.hear(said)

    def advise(self) -> AnyOrder | None:
        """The answer, if one is awaited; the same whenever it is asked for again."""
        helm, orders = self.view.helm, self.offered.orders
        if helm is None:
            return None
        dice = Random(f"{self.seed}/{self.position}")
        if lies := [order for order in orders if isinstance(order, AnswerSonar)]:
            return least_telling_lie(self.ground, self.us.possible, helm.at, lies, dice)
        if lines := [order for order in orders if isinstance(order, AnswerTruly)]:
            return vaguest_line(self.us.possible, helm.at, lines, dice)
        return None
