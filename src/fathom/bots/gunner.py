"""When to let something explode, and where to lay mines."""

from typing import Final

from fathom.bots.desk import Desk
from fathom.bots.exposure import Exposure
from fathom.bots.gunnery import Gunnery, surroundings
from fathom.bots.traits import Traits
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.points import Point, Points, bits, blast, cross

BLIND: Final = 9.0
"""What a shot counts for somebody who tracks nobody."""
IN_THE_WAY: Final = 0.3
"""What a mine costs that lies where we might sail."""
TRAP: Final = 1.0
"""The same with hardly another way."""


class Gunner:
    """Chooses targets."""

    def __init__(self, traits: Traits, exposure: Exposure) -> None:
        self.traits, self.exposure, self.waters = traits, exposure, exposure.waters
        self.gunnery = Gunnery(self.waters)

    def threshold(self, desk: Desk) -> float:
        """What a shot must promise."""
        return self.traits.fire_at * desk.patience * self.waters.direct / 2

    def fire(self, desk: Desk) -> AnyOrder | None:
        """A torpedo, if it promises enough."""
        gain, shot = self.shot(desk)
        if shot is None or gain - self.price(desk, shot) < self.threshold(desk):
            return None
        return shot

    def shot(self, desk: Desk) -> tuple[float, give.FireTorpedo | None]:
        """The best torpedo, and what it promises."""
        torpedoes = desk.working(give.FireTorpedo)
        if not torpedoes:
            return 0.0, None
        if not desk.mind.tracks:
            return self.blind_shot(desk, torpedoes)
        near = surroundings(desk.weights)
        targets = [torpedo.target for torpedo in torpedoes if near >> torpedo.target & 1]
        gain, at = self.gunnery.best(targets, desk.weights, desk.hull)
        return (gain, give.FireTorpedo(Point(at))) if gain > 0 else (0.0, None)

    def blind_shot(
        self, desk: Desk, torpedoes: list[give.FireTorpedo]
    ) -> tuple[float, give.FireTorpedo | None]:
        """Anywhere but near ourselves."""
        safe = [t for t in torpedoes if not self.gunnery.harm(t.target, desk.hull)]
        return (BLIND, desk.dice.choice(safe)) if safe else (0.0, None)

    def price(self, desk: Desk, shot: give.FireTorpedo) -> float:
        """What they learn from where the torpedo reached, in damage to expect."""
        if not self.traits.retaliation:
            return 0.0
        known = desk.mind.known
        told = known & self.waters.ranges[shot.target]
        return self.exposure.threat(desk, told or known) - self.exposure.threat(desk, known)

    def trigger(self, desk: Desk) -> AnyOrder | None:
        """Set off a mine that is likely to hit."""
        mines = desk.of(give.TriggerMine)
        if not mines or not self.traits.mines or not desk.weights:
            return None
        gain, at = self.gunnery.best([mine.at for mine in mines], desk.weights, desk.hull)
        return give.TriggerMine(Point(at)) if gain >= self.traits.trigger_at else None

    def old_mine(self, desk: Desk) -> AnyOrder | None:
        """Set off an old mine that is likely to hit."""
        mines = desk.working(give.DetonateOldMine)
        if not mines or not desk.weights:
            return None
        gain, at = self.gunnery.best([mine.at for mine in mines], desk.weights, desk.hull)
        return give.DetonateOldMine(Point(at)) if gain >= self.threshold(desk) else None

    def lay(self, desk: Desk) -> AnyOrder | None:
        """Lay a mine that watches much water and is not in our way."""
        helm, spots = desk.view.helm, desk.working(give.LayMine)
        if not self.traits.mines or not spots or helm is None:
            return None
        if helm.mines.bit_count() >= self.traits.lay_at:
            return None
        exits = cross(1 << helm.at) & desk.open
        watched = 0
        for mine in bits(helm.mines):
            watched |= blast(1 << mine)
        value, _, at = max(
            (self.value_of_mine(desk, spot.at, exits, watched), desk.dice.random(), spot.at)
            for spot in spots
        )
        return give.LayMine(Point(at)) if value > 0 else None

    def value_of_mine(self, desk: Desk, at: int, exits: Points, watched: Points) -> float:
        """How much water a mine watches that no other does, and whether it is in our own way."""
        around = self.waters.blasts[at]
        value = (around.bit_count() - 0.5 * (around & watched).bit_count()) / 9
        if desk.ground.book.own_mine_blocks and exits >> at & 1:
            value -= TRAP if exits.bit_count() <= 2 else IN_THE_WAY
        return value
