"""The radio operator: says where they are, in words and as a map, and what they know of us."""

from collections.abc import Iterator
from typing import Final

from fathom.bots.mind import Mind
from fathom.bots.phrases import AnyPhrase, HeatMap, InSector, NoIdea, Probably, TheyKnow
from fathom.engine.compiled_setup import CompiledSetup
from fathom.points import Point

FEW: Final = 3
"""So many points are named one by one."""
SURE: Final = 50
"""From so many percent on, it is worth saying."""
EXPOSED: Final = 4
"""So few points mean that they have found us."""


class RadioOperator:
    """Reports what changed."""

    def __init__(self, ground: CompiledSetup) -> None:
        self.ground = ground
        self.said: AnyPhrase | None = None
        self.exposed = False
        self.map: dict[Point, int] = {}

    def report(self, mind: Mind) -> Iterator[AnyPhrase]:
        """What is new since the last report."""
        weights = mind.weights()
        if not mind.tracks or not weights:
            return
        found = self.words(weights)
        if found != self.said:
            self.said = found
            yield found
        yield from self.warning(mind)
        yield from self.picture(weights)

    def words(self, weights: dict[int, float]) -> AnyPhrase:
        """Where they are: a few points, a sector, or no idea."""
        likeliest = sorted(weights, key=lambda point: -weights[point])[:FEW]
        percent = round(100 * sum(weights[point] for point in likeliest))
        if percent >= SURE:
            return Probably(tuple(Point(point) for point in sorted(likeliest)), percent)
        shares: dict[int, float] = {}
        for point, weight in weights.items():
            sector = self.ground.sectors[point]
            shares[sector] = shares.get(sector, 0.0) + weight
        sector = max(shares, key=lambda sector: shares[sector])
        if shares[sector] * 100 >= SURE:
            return InSector(sector, round(100 * shares[sector]))
        return NoIdea(len(weights))

    def warning(self, mind: Mind) -> Iterator[AnyPhrase]:
        """They have found us, or have lost us again."""
        count = mind.known.bit_count()
        if (0 < count <= EXPOSED) != self.exposed:
            self.exposed = not self.exposed
            yield TheyKnow(count)

    def picture(self, weights: dict[int, float]) -> Iterator[AnyPhrase]:
        """The heat map, when it has changed."""
        drawn = {Point(point): max(1, round(1000 * weight)) for point, weight in weights.items()}
        if drawn != self.map:
            self.map = drawn
            yield HeatMap(drawn)
