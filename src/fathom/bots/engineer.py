"""The engineer: crosses out what hurts least, warns, judges and reports."""

from collections.abc import Iterator
from typing import Final

from fathom.bots.desk import Desk
from fathom.bots.engine_room import CrossOutChoice, EngineRoom
from fathom.bots.phrases import (
    AnyPhrase,
    Broken,
    Danger,
    Mended,
    PleaseSpare,
    Safe,
    SurfaceSoon,
    WhichWay,
)
from fathom.bots.pilot import Outlook, Pilot, start_at
from fathom.bots.traits import Traits
from fathom.engine import orders as give
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import TracedSection
from fathom.engine.orders import AnyOrder
from fathom.engine.tracing import stays_in_band
from fathom.words import HEADINGS, Heading, Kind

DEPTH: Final = 2
WIDTH: Final = 5
SPARED: Final = 0.5
"""What it costs to break what the captain wants spared."""
MANY: Final = 3
"""With so many dangerous courses, it is time to surface."""
COLOURS: Final = (Kind.RED, Kind.GREEN, Kind.YELLOW)


class Engineer:
    """Decides what is crossed out."""

    def __init__(
        self, ground: CompiledSetup, traits: Traits, room: EngineRoom, pilot: Pilot
    ) -> None:
        self.ground, self.traits, self.room, self.pilot = ground, traits, room, pilot
        self.spared: Kind | None = None
        self.asked = False
        self.out = 0
        self.dangers: frozenset[Heading] = frozenset()

    def heed(self, phrase: AnyPhrase) -> None:
        """The captain's wishes and questions."""
        if isinstance(phrase, PleaseSpare):
            self.spared = phrase.kind
        elif isinstance(phrase, WhichWay):
            self.asked = True

    def remarks(self, desk: Desk, order: AnyOrder | None) -> Iterator[AnyPhrase]:
        """What broke or was mended, and which courses have become dangerous."""
        if desk.view.engine is None or not self.ground.symbols:
            return
        crossed = desk.crossed
        if isinstance(order, give.CrossOut) and order.symbol is not None:
            crossed = self.room.mark(crossed, self.ground.symbols[order.symbol]).crossed
        out = self.room.out(crossed)
        for place, kind in enumerate(COLOURS):
            if (out ^ self.out) >> place & 1:
                yield Broken(kind) if out >> place & 1 else Mended(kind)
        self.out = out
        dangers = frozenset(h for h in HEADINGS if self.room.marks(crossed, h.index)[0].hurt)
        told = dangers if self.asked else dangers - self.dangers
        yield from (Danger(heading) for heading in HEADINGS if heading in told)
        if self.asked:
            yield Safe(min(HEADINGS, key=lambda h: self.room.marks(crossed, h.index)[0].cost))
        if len(dangers) >= MANY > len(self.dangers):
            yield SurfaceSoon()
        self.dangers, self.asked = dangers, False

    def choose(self, desk: Desk, planned: int | None, outlook: Outlook) -> AnyOrder | None:
        """The mark that is due, a judgement, or the report that all is ready."""
        if ready := desk.of(give.ReportReady):
            return ready[0]
        if desk.offer.judging:
            return self.judge(desk)
        if crossings := desk.of(give.CrossOut):
            return self.cross_out(desk, crossings, planned, outlook)
        return None

    def cross_out(
        self, desk: Desk, crossings: list[give.CrossOut], planned: int | None, outlook: Outlook
    ) -> AnyOrder:
        """The symbol of the plan, if there is one and it is still free; else the best one."""
        free = {self.ground.symbols[c.symbol]: c for c in crossings if c.symbol is not None}
        if not free:
            return crossings[0]
        if planned is not None and planned in free:
            return free[planned]
        marks = self.room.marks_among(desk.crossed, sum(1 << place for place in free))
        if desk.at < 0:
            return free[min(marks, key=lambda mark: (self.cost(mark), desk.dice.random())).symbol]
        best = max(
            marks, key=lambda mark: self.prospect(desk, mark.crossed, outlook) - self.cost(mark)
        )
        return free[best.symbol]

    def cost(self, mark: CrossOutChoice) -> float:
        """What a mark costs, and whether it breaks what shall be spared."""
        if self.spared is None or not mark.out >> COLOURS.index(self.spared) & 1:
            return mark.cost
        return mark.cost + SPARED

    def prospect(self, desk: Desk, crossed: int, outlook: Outlook) -> float:
        """What the courses after this mark promise."""
        start = start_at(desk.at, desk.open, crossed, desk.mind.known)
        return self.pilot.plan(start, outlook, DEPTH, WIDTH)[0].score

    def judge(self, desk: Desk) -> AnyOrder:
        """Look at the enemy's lines as strictly as the program would."""
        drawing = desk.view.enemy_hull
        sections: tuple[TracedSection | None, ...] = drawing.sections if drawing else ()
        hull = self.ground.setup.hull
        return give.JudgeTrace(
            tuple(
                number
                for number, section in enumerate(sections, 1)
                if section is not None and not stays_in_band(hull, number, section.stroke)
            )
        )
