"""Someone who listens to crew A, and says by name where it can be."""

from typing import Any

from fathom.belief.evidence import Belief
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import CourseSet, Exploded, Hit, Source
from fathom.engine.game import new_game
from fathom.engine.knowledge.heard import Announcement
from fathom.points import Points, bits, name, parse
from fathom.rules.chart import Chart
from fathom.words import ByCrew, Crew, Heading
from tests.stories import A, sea, table

OPEN = sea("""
    . . . . .
    . . . . .
    . . . . .""")
LONG = sea("""
    . . . . . . .
    . . . . . . .""")
"""Two sectors: 2 begins with column F."""


def from_corner(picture: str, **header: str) -> Chart:
    """A sea in which crew A starts on A1."""
    rows = picture.split("\n")
    last = f"{'ABCDEFGHIJ'[len(rows[-1].split()) - 1]}{len(rows) - 1}"
    return sea(picture, starts=f"A1, {last}", **header)


class Ears:
    """What one listener believes of crew A."""

    def __init__(self, chart: Chart, *table_choices: Any, kind: type[Belief] = Belief) -> None:
        book = next((choice for choice in table_choices if isinstance(choice, str)), None)
        rulings = next((choice for choice in table_choices if isinstance(choice, dict)), {})
        mode = [choice for choice in table_choices if not isinstance(choice, str | dict)]
        setup = table(book or "captain-sonar", *mode, chart=chart, rulings=rulings)
        self.ground: CompiledSetup = new_game(setup).ground
        self.belief = kind(self.ground, A)

    def hear(self, *news: Announcement) -> str:
        """Where it can be after an order of which all this was announced."""
        for said in news:
            self.belief.hear(said)
        self.belief.settle()
        return self.where

    def courses(self, headings: str) -> str:
        """Where it can be after these courses, such as ``N E E``."""
        for heading in headings.split():
            self.hear(CourseSet(A, Heading(heading)))
        return self.where

    @property
    def where(self) -> str:
        return names(self.belief.possible)

    def knows(self) -> bool:
        """Whether that is exactly where it can be."""
        return self.belief.exact

    def mines(self) -> list[str]:
        return [names(points) for points in self.belief.mines()]


def names(points: Points) -> str:
    return " ".join(name(point) for point in bits(points))


def blown(at: str, source: Source, owner: Crew | None, hit: Hit) -> Exploded:
    """An explosion that hits crew A so, and the other crew not at all."""
    return Exploded(parse(at), source, owner, ByCrew(hit, "miss"), ByCrew(0, 0))
