"""What the marks of a chart mean under its special rule. The rule itself is a module of the engine.

A chart names its special rule; the modules of ``fathom.engine.scenarios`` bring theirs. They are
loaded when the first chart is read, by name: nothing here imports the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from fathom.rules.chart import Chart

SEA: Final = "."
ISLAND: Final = "#"
SCENARIOS_COME_WITH: Final = "fathom.engine"


def no_problems(_: Chart) -> Iterable[tuple[int | None, str]]:
    """Any chart will do."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terrain:
    """A special rule as far as charts are concerned."""

    name: str
    """What a chart calls it."""
    about: str = ""
    """What is special, in a line, with the rule's name."""
    sea: Mapping[str, str] = field(default_factory=dict)
    """Marks of its charts that are sea, beside the dot, and what they mean."""
    land: Mapping[str, str] = field(default_factory=dict)
    """Marks of its charts that are land, beside the #, and what they mean."""
    gauge: int = 0
    """Boxes that its gauge usually has (scenario.gauge); without any, it has no gauge."""
    ice: str = ""
    """Marks of points where surfacing costs damage."""
    problems: Callable[[Chart], Iterable[tuple[int | None, str]]] = no_problems
    """What is wrong with a chart, and on which point, if on one."""

    @property
    def marks(self) -> str:
        """Every mark that its charts may have."""
        return "".join((SEA, ISLAND, *self.sea, *self.land))


PLAIN: Final = Terrain(name="none")
"""A chart without a special rule."""

TERRAINS: Final[dict[str, Terrain]] = {PLAIN.name: PLAIN}
"""By their names."""


def terrain_of(name: str) -> Terrain | None:
    """The terrain of this name, if some scenario brings it."""
    load_scenarios()
    return TERRAINS.get(name)


@cache
def load_scenarios() -> None:
    """Load the modules that bring the special rules."""
    import_module(SCENARIOS_COME_WITH)
