"""The computer's help at the radio: where they can be, and where we can be for all they heard."""

from fathom.belief.evidence import Belief
from fathom.engine.announce import announce
from fathom.engine.game import ground_for, new_game
from fathom.engine.heard import Announcement, MarkAcknowledged, MineLaidHeard, SilenceHeard
from fathom.engine.secrecy import Heard, View, follow, view
from fathom.points import Point
from fathom.server.bot_tasks import Likely
from fathom.server.wire import GameOpened, Told


class Plotter:
    """Follows one radio operator's messages, and nothing else."""

    def __init__(self) -> None:
        self.position = 0

    def open(self, opened: GameOpened) -> None:
        """Begin at the beginning; what was heard so far must come with the first news."""
        if opened.seat is None:
            raise ValueError("the radio is a seat's")
        self.seat = opened.seat
        self.ground = ground_for(opened.setup)
        self.first: View = view(new_game(opened.setup), self.seat)
        self.begin()

    def begin(self) -> None:
        self.view = self.first
        self.them = Belief(self.ground, self.seat.crew.other, likely=True)
        self.us = Belief(self.ground, self.seat.crew, likely=True)
        self.missed = False

    def hear(self, told: Told) -> None:
        """Take in what was heard; while the radio is locked nothing is recorded (surface.idle)."""
        if told.whole and told.position == len(told.events):
            self.begin()
        for news in told.events:
            locked = self.view.radio is not None and self.view.radio.locked
            self.view = follow(self.ground, self.view, news)
            said = spoken(news)
            if said is not None:
                self.take(said, locked=locked)
        self.them.settle()
        self.us.settle()
        self.position = told.position

    def take(self, said: Announcement, *, locked: bool) -> None:
        """One announcement."""
        self.us.hear(said)
        if locked:
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
