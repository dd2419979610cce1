"""What follows from the chart alone, worked out once: reach and blast of every point."""

from functools import lru_cache

from fathom.engine.compiled_setup import CompiledSetup
from fathom.points import Points, bits, blast, reach
from fathom.rules.setup import Setup


class Waters:
    """For each point the masks that planning asks for again and again."""

    def __init__(self, ground: CompiledSetup) -> None:
        book, water = ground.book, ground.water
        self.water = water
        self.direct, self.near = book.blast_direct, ground.near
        self.blasts: list[Points] = [0] * 256
        """The point and its neighbours in the water."""
        self.ranges: list[Points] = [0] * 256
        """Where a torpedo reaches from the point."""
        self.threats: list[list[Points]] = [[0] * 256 for _ in range(3)]
        """From where a torpedo reaches the point, after one, two or three courses more."""
        for point in bits(water):
            here = 1 << point
            self.blasts[point] = blast(here) & water if self.near else here
            if book.torpedo_reach == "sector":
                self.ranges[point] = ground.sector_points[ground.sectors[point]] & water
            else:
                way = ground.chart_points if book.torpedo_over_islands else water
                self.ranges[point] = reach(here, book.torpedo_range, way) & water
        self.fringes: list[Points] = [0] * 256
        """Where a torpedo from the point does damage, at least nearby."""
        self.brinks: list[list[Points]] = [[0] * 256 for _ in range(3)]
        """From where it does so at the point, after one, two or three courses more."""
        for point in bits(water):
            self.fringes[point] = blast(self.ranges[point]) & water if self.near else 0
            for courses, threats in enumerate(self.threats, 1):
                threats[point] = reach(self.ranges[point], courses, water)
                wider = reach(self.fringes[point], courses, water)
                self.brinks[courses - 1][point] = wider & ~threats[point]
        self.best_shot = lru_cache(50_000)(self.work_out_best_shot)

    def work_out_best_shot(self, possible: Points, direct: int, near: int) -> float:
        """The damage of the best shot at someone who is on one of these points, all alike."""
        count = possible.bit_count()
        if count > 16:
            # A rough guess will do: so many points are hit by chance only.
            return (direct + 4 * near) / count
        best, blasts = 0, self.blasts
        for point in bits(possible):
            best = max(best, (possible & blasts[point]).bit_count())
        return (near * (best - 1) + direct) / count if count else 0.0


@lru_cache(32)
def waters_of(setup: Setup) -> Waters:
    """Games with the same set-up share them."""
    return Waters(CompiledSetup(setup))
