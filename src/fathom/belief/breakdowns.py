"""What a crew's engineer may have crossed out: for each panel the possible sets of symbols.

Panels are followed one by one, so what they have to do with each other is lost: too many, never
too few.
"""

from fathom.belief.stores import USES
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import CourseSet, Damaged, SilenceHeard, Surfaced, SystemFailed, TurnEnded
from fathom.engine.knowledge.heard import Announcement
from fathom.words import HEADINGS, Crew, System

EMPTY: frozenset[int] = frozenset({0})


class Breakdowns:
    """For each panel, the sets of its symbols that may be crossed out."""

    def __init__(self, ground: CompiledSetup, target: Crew) -> None:
        self.ground, self.target = ground, target
        self.panels = {heading.value: EMPTY for heading in HEADINGS}
        self.due: tuple[str, ...] = ()
        """The panels on one of which a mark is due: all of them after a silence, if any is."""
        self.radiation = False

    def hear(self, news: Announcement) -> None:
        """Take an announcement in."""
        if not self.ground.symbols:
            return
        if isinstance(news, TurnEnded):
            self.settle()
            return
        if getattr(news, "crew", None) is not self.target:
            return
        self.take(news)

    def take(self, news: Announcement) -> None:
        """News of the crew itself."""
        if isinstance(news, Damaged):
            if news.cause == "breakdown":
                self.erase()
            return
        system, due = USES.get(type(news)), self.due
        if system is None and not isinstance(news, CourseSet | SystemFailed | Surfaced):
            # Triggers, answers and the like wait for no mark.
            return
        self.settle()
        if system is not None:
            self.worked(system)
            # Where a table lets systems come before the marks, the mark may still be missing.
            self.due = () if self.ground.book.acknowledge_systems else due
        if isinstance(news, CourseSet):
            self.due = (news.heading.value,)
        elif isinstance(news, SilenceHeard):
            self.due = tuple(self.panels)
        elif isinstance(news, SystemFailed):
            self.due, self.radiation = tuple(self.panels), True
        elif isinstance(news, Surfaced):
            # In real time the sheet is erased only when the hull has been traced, before the dive.
            self.erase()

    def erase(self) -> None:
        """All breakdowns are erased."""
        self.panels = dict.fromkeys(self.panels, EMPTY)
        self.due, self.radiation = (), False

    def settle(self) -> None:
        """The mark that was due has been made, and did no damage."""
        due, self.due = self.due, ()
        if not due:
            return
        before = dict(self.panels)
        certain = len(due) == 1 and self.ground.book.acknowledge_systems
        for panel in due:
            marked = self.marked(panel, before)
            self.panels[panel] = marked if certain else self.panels[panel] | marked
        self.radiation = False

    def marked(self, panel: str, before: dict[str, frozenset[int]]) -> frozenset[int]:
        """The panel's sets with one symbol more, or less a circuit that this may have closed."""
        ground, mask = self.ground, self.ground.panels[panel]
        allowed = mask & ground.radiation if self.radiation else mask
        found = set()
        for crossed in before[panel]:
            for place in range(mask.bit_length()):
                symbol = 1 << place
                if not allowed & symbol or crossed & symbol:
                    continue
                new = crossed | symbol
                circuit = ground.circuit_of[place]
                if circuit and self.may_close(circuit, panel, new, before):
                    found.add(new & ~ground.circuits[circuit])
                    self.mend_elsewhere(circuit, panel)
                if new != mask:
                    found.add(new)
        return frozenset(found) or before[panel]

    def may_close(
        self, circuit: str, panel: str, crossed: int, before: dict[str, frozenset[int]]
    ) -> bool:
        """Whether all symbols of the circuit may be crossed out."""
        wires = self.ground.circuits[circuit]
        if wires & self.ground.panels[panel] & ~crossed:
            return False
        return all(
            any(not wires & mask & ~other for other in before[name])
            for name, mask in self.ground.panels.items()
            if name != panel and wires & mask
        )

    def mend_elsewhere(self, circuit: str, panel: str) -> None:
        """On other panels the circuit's symbols may be erased."""
        wires = self.ground.circuits[circuit]
        for name, mask in self.ground.panels.items():
            if name != panel and wires & mask:
                mended = {crossed & ~wires for crossed in self.panels[name] if crossed & wires}
                self.panels[name] = self.panels[name] | mended

    def worked(self, system: System) -> None:
        """A system worked: no symbol of its colour was crossed out."""
        colour = self.symbols_of(system)
        for name, possible in self.panels.items():
            intact = frozenset(crossed for crossed in possible if not crossed & colour)
            self.panels[name] = intact or possible

    def symbols_of(self, system: System) -> int:
        """The symbols that break the system."""
        return next(symbols for symbols, broken in self.ground.colours if broken & system.bit)

    def surely_broken(self, system: System) -> bool:
        """Whether some symbol of the system's colour must be crossed out."""
        if self.due:
            return False
        colour = self.symbols_of(system)
        return any(all(crossed & colour for crossed in sets) for sets in self.panels.values())
