"""What they can do to us with their next torpedo, and what we can do to them."""

from fathom.belief.route import in_line
from fathom.bots.desk import Desk
from fathom.bots.waters import Waters
from fathom.points import Points


class Exposure:
    """Weighs what each side knows of the other."""

    def __init__(self, waters: Waters) -> None:
        self.waters = waters

    def threat(self, desk: Desk, known: Points) -> float:
        """The damage to expect from them in their next turn, if that is what they know."""
        if desk.at < 0:
            return 0.0
        near, brink = self.waters.threats[0][desk.at], self.waters.brinks[0][desk.at]
        close = sum([weight for point, weight in desk.weights.items() if near >> point & 1])
        grazed = sum([weight for point, weight in desk.weights.items() if brink >> point & 1])
        direct, beside = self.damages(desk)
        share = close + grazed * beside / direct
        return desk.mind.readiness() * share * self.hit(desk, known)

    def hit(self, desk: Desk, known: Points) -> float:
        """The damage of their best shot at us, if that is what they know."""
        return self.waters.best_shot(known, *self.damages(desk))

    def damages(self, desk: Desk) -> tuple[int, int]:
        """What a direct and a near hit do to us."""
        left = desk.hull.ours
        return min(self.waters.direct, left), min(self.waters.near, left)

    def our_hit(self, desk: Desk) -> float:
        """The damage of our best shot at them."""
        direct, near, left = self.waters.direct, self.waters.near, desk.hull.theirs
        return self.waters.best_shot(desk.mind.where, min(direct, left), min(near, left))

    @staticmethod
    def after_silence(desk: Desk) -> Points:
        """Where they will think that we can be once we have run silent."""
        book = desk.ground.book
        return in_line(desk.mind.known, (book.silence_least, book.silence_most), desk.sea)
