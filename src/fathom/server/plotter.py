"""The computer's help at the radio: where they can be, and where we can be for all they heard."""

from fathom.belief.evidence import Belief
from fathom.engine.events import MarkAcknowledged, MineLaidHeard, SilenceHeard
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.heard import Announcement, Heard
from fathom.points import Point
from fathom.server.bot_tasks import Likely
from fathom.server.crewman import SeatFollower
from fathom.server.wire import Told


class Plotter(SeatFollower):
    """Follows a radio operator's seat."""

    def begin(self) -> None:
        super().begin()
        self.them = Belief(self.ground, self.seat.crew.other, likely=True)
        self.us = Belief(self.ground, self.seat.crew, likely=True)
        self.missed = False

    def hear(self, told: Told) -> None:
        super().hear(told)
        self.them.settle()
        self.us.settle()

    def take(self, news: Heard) -> None:
        """While the radio is locked nothing is recorded of them (surface.idle)."""
        said = spoken(news)
        if said is None:
            return
        self.us.hear(said)
        if self.view.radio is not None and self.view.radio.locked:
            self.missed = True
            return
        if self.missed:
            # Nobody knows any more where they went meanwhile.
            self.them = Belief(self.ground, self.seat.crew.other, likely=True)
            self.missed = False
        self.them.hear(said)

    def plot(self) -> tuple[Likely, Likely]:
        """Where they and we can be, in thousandths."""
        return thousandths(self.them), thousandths(self.us)


def spoken(news: Heard) -> Announcement | None:
    """The part of it that everyone hears."""
    if isinstance(news, SilenceHeard | MineLaidHeard):
        return news
    return None if isinstance(news, MarkAcknowledged) else announce(news)


def thousandths(belief: Belief) -> Likely:
    """How likely each possible point is; what is possible is never shown as nothing."""
    return {
        Point(point): max(1, round(1000 * weight))
        for point, weight in sorted(belief.weights.items())
    }
