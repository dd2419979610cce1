"""What others of the crew said, and what the captain makes of it."""

from fathom.bots.phrases import AnyPhrase, Broken, Danger, InSector, Mended, No, Probably, Safe
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import CourseSet, SilenceHeard, Surfaced
from fathom.engine.knowledge.heard import Heard
from fathom.points import Points, collect, shift
from fathom.words import Crew, Heading, Kind

ADVICE = 4.0
"""What an engineer's warning counts: a damage, for that is what it means."""


class Counsel:
    """Warnings of the engineer and reports of the radio operator, as long as they hold."""

    def __init__(self, ground: CompiledSetup, crew: Crew) -> None:
        self.ground, self.crew = ground, crew
        self.dangers: set[Heading] = set()
        self.broken: set[Kind] = set()
        self.hint: Points = 0
        """Where the radio operator thinks that they are; it moves along with them."""
        self.trust = 0.0
        self.objections = 0
        """For so many courses, somebody has objected to surfacing."""

    def heed(self, phrase: AnyPhrase) -> None:
        """Take something in that was said."""
        match phrase:
            case Danger(heading=heading):
                self.dangers.add(heading)
            case Safe(heading=heading):
                self.dangers.discard(heading)
            case Broken(kind=kind):
                self.broken.add(kind)
            case Mended(kind=kind):
                self.broken.discard(kind)
            case Probably(points=points, percent=percent):
                self.hint, self.trust = collect(points), min(95, max(0, percent)) / 100
            case InSector(sector=sector, percent=percent) if (
                0 < sector < len(self.ground.sector_points)
            ):
                self.hint = self.ground.sector_points[sector]
                self.trust = min(95, max(0, percent)) / 100
            case No():
                self.objections = 2
            case _:
                pass

    def hear(self, news: Heard) -> None:
        """What was said goes out of date."""
        crew = getattr(news, "crew", None)
        if isinstance(news, CourseSet) and crew is self.crew:
            self.dangers.clear()
            self.objections = max(0, self.objections - 1)
        elif isinstance(news, Surfaced) and crew is self.crew:
            self.dangers.clear()
            self.broken.clear()
        elif isinstance(news, CourseSet):
            self.hint = shift(self.hint, news.heading.step) & self.ground.water
        elif isinstance(news, SilenceHeard) and crew is not self.crew:
            self.hint = 0

    def weigh(self, weights: dict[int, float]) -> dict[int, float]:
        """How likely they are on each point, with what the radio operator said."""
        named = sum([weight for point, weight in weights.items() if self.hint >> point & 1])
        if not named or not self.trust:
            return weights
        more, less = 1 - self.trust + self.trust / named, 1 - self.trust
        return {
            point: weight * (more if self.hint >> point & 1 else less)
            for point, weight in weights.items()
        }
