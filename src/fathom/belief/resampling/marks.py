"""Random marks of first mate and engineer that explain which systems worked, failed and broke."""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, NamedTuple

from fathom.belief.resampling.chance import Chance, shuffled
from fathom.belief.resampling.routes import Silence
from fathom.belief.stores import USES
from fathom.engine.actions.cross_out import consequence
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import (
    CourseSet,
    Damaged,
    MineTriggered,
    SilenceHeard,
    Surfaced,
    SystemFailed,
    SystemRepaired,
    TraceJudged,
)
from fathom.engine.game import CrossDue
from fathom.engine.knowledge.heard import Heard
from fathom.points import bits
from fathom.words import SYSTEMS, Crew, System

MOST_TRIES: Final = 20_000
"""Symbols that are tried until the next time that the sheet is erased."""
NEVER: Final = 1 << 30

FactKind = Literal[
    "charge", "no-charge", "mark", "use", "fail", "intact", "hurt", "erase", "repair"
]


class NoMarks(Exception):
    """No marks explain what was heard, or none were found in time."""


class Fact(NamedTuple):
    """One thing that the marks must fit to."""

    kind: FactKind
    system: System | None = None
    due: CrossDue = "none"


class SampledMarks(NamedTuple):
    """Every mark in order: what was charged, and which symbol was crossed out."""

    charges: tuple[System | None, ...] = ()
    symbols: tuple[str | None, ...] = ()


def facts(
    ground: CompiledSetup, crew: Crew, heard: Iterable[Heard], silences: Iterable[Silence]
) -> Iterator[Fact]:
    """What was heard of a crew that its marks must fit to.

    A symbol is crossed out as late as it can be: when something is heard that waits for it.
    """
    ways = iter(silences)
    due: list[Fact] = []
    for news in heard:
        if getattr(news, "crew", None) is not crew:
            continue
        if isinstance(news, MineTriggered):
            if ground.book.trigger_needs_circuits:
                yield Fact("intact")
            continue
        system = USES.get(type(news))
        if system is None or ground.book.acknowledge_systems or isinstance(news, SilenceHeard):
            yield from due
            due = []
        if isinstance(news, CourseSet) and ground.book.acknowledge:
            yield Fact("charge")
            due = [Fact("mark", due=news.heading.value)]
        elif isinstance(news, SystemFailed):
            yield Fact("fail", news.system)
            due = [Fact("mark", due="radiation")]
        elif system is not None:
            yield Fact("use", system)
            if isinstance(news, SilenceHeard) and ground.book.acknowledge:
                *charge, mark = after_silence(ground, next(ways))
                yield from charge
                due = [mark]
        elif isinstance(news, Damaged) and news.cause == "breakdown":
            yield Fact("hurt")
        elif erases(ground, news):
            yield Fact("erase")
        if isinstance(news, SystemRepaired):
            yield Fact("repair", news.system)
    yield from due


def erases(ground: CompiledSetup, news: Heard) -> bool:
    """Whether all breakdowns are erased (surface.erase, surface.trace)."""
    if isinstance(news, TraceJudged):
        return not news.bad
    return isinstance(news, Surfaced) and not ground.tracing


def after_silence(ground: CompiledSetup, silence: Silence) -> Iterator[Fact]:
    """The marks that follow a silence (silence.move)."""
    book, heading = ground.book, silence[1]
    fills = book.silence_charges if heading else book.silence_zero_charges
    if fills:
        yield Fact("charge")
    elif book.silence_charges:
        yield Fact("no-charge")
    if heading is not None:
        yield Fact("mark", due=heading.value)
    else:
        yield Fact("mark", due="any" if book.silence_zero_marks else "empty")


def sample_marks(ground: CompiledSetup, known: list[Fact], chance: Chance) -> SampledMarks:
    """Marks that fit to all facts."""
    charges = () if ground.energy else Charges(ground, known, chance).sample()
    symbols = Symbols(ground, known, chance).sample() if ground.symbols else ()
    return SampledMarks(tuple(charges), tuple(symbols))


# Gauges


class Demand(NamedTuple):
    """A gauge must be filled between two moments, by a use or a failure of its system."""

    system: System
    start: int
    end: int


class Charges:
    """Shares the boxes that were filled out among the gauges.

    First every use gets its boxes, as early as it can; then pairs of boxes change places by chance;
    then what is left over fills other gauges.
    """

    def __init__(self, ground: CompiledSetup, known: list[Fact], chance: Chance) -> None:
        self.ground, self.known, self.chance = ground, known, chance
        self.slots = [n for n, fact in enumerate(known) if fact.kind == "charge"]
        self.owner: dict[int, Demand] = {}
        """The demand that each slot is filled for."""

    def sample(self) -> list[System | None]:
        """What was charged at each mark."""
        demands = list(self.demands())
        self.assign(demands)
        self.mix()
        return self.fill(demands)

    def demands(self) -> Iterator[Demand]:
        """What must have been full when."""
        ground = self.ground
        since = {s: 0 if ground.in_service & s.bit else NEVER for s in SYSTEMS}
        full: set[System] = set()
        for place, (kind, system, _) in enumerate(self.known):
            if system is None:
                continue
            if kind == "repair":
                since[system] = place
            elif kind in ("use", "fail"):
                if system not in full:
                    yield Demand(system, since[system], place)
                full.add(system)
                if kind == "use":
                    since[system] = place
                    full.discard(system)

    def assign(self, demands: list[Demand]) -> None:
        """The earliest deadline first, which finds an assignment if there is one."""
        lacking = {demand: self.ground.boxes[demand.system.index] for demand in demands}
        for slot in self.slots:
            open_now = (d for d in demands if lacking[d] and d.start <= slot < d.end)
            demand = min(open_now, key=lambda d: d.end, default=None)
            if demand is not None:
                self.owner[slot] = demand
                lacking[demand] -= 1
        if any(lacking.values()):
            raise NoMarks

    def mix(self) -> None:
        """Let boxes change places where both demands allow it."""
        for _ in range(2 * len(self.slots)):
            one, other = self.chance.choice(self.slots), self.chance.choice(self.slots)
            first, second = self.owner.get(one), self.owner.get(other)
            if fits(first, other) and fits(second, one):
                self.put(one, second)
                self.put(other, first)

    def put(self, slot: int, demand: Demand | None) -> None:
        """Fill a slot for a demand, or leave it open."""
        if demand is None:
            self.owner.pop(slot, None)
        else:
            self.owner[slot] = demand

    def fill(self, demands: list[Demand]) -> list[System | None]:
        """What is charged in order; open slots fill any gauge that has room."""
        ground = self.ground
        boxes = dict.fromkeys(SYSTEMS, 0)
        in_service = ground.in_service
        charged: list[System | None] = []
        for place, (kind, system, _) in enumerate(self.known):
            if kind == "no-charge":
                charged.append(None)
            elif kind == "charge":
                room = [
                    s
                    for s in SYSTEMS
                    if ground.gauged & in_service & s.bit and boxes[s] < ground.boxes[s.index]
                ]
                chosen = self.choose(place, room, demands)
                charged.append(chosen)
                if chosen is not None:
                    boxes[chosen] += 1
            elif kind == "use" and system is not None:
                boxes[system] = 0
            elif kind == "repair" and system is not None:
                in_service |= system.bit
        return charged

    def choose(self, place: int, room: list[System], demands: list[Demand]) -> System | None:
        """What a slot fills. There must be something, as long as any gauge has room."""
        demand = self.owner.pop(place, None)
        if demand is not None:
            return demand.system
        asked_for = {d.system: d for d in demands if d.start <= place < d.end}
        free = [system for system in room if system not in asked_for]
        if free:
            return self.chance.choice(free)
        if not room:
            return None
        # Only gauges are left that are filled for a use: one of their later boxes comes now.
        system = self.chance.choice(room)
        later = next(slot for slot in self.slots if self.owner.get(slot) == asked_for[system])
        del self.owner[later]
        return system


def fits(demand: Demand | None, slot: int) -> bool:
    """Whether a demand may be served by this slot."""
    return demand is None or demand.start <= slot < demand.end


# Breakdowns


class Symbols:
    """Crosses out symbols so that every system worked or failed as was heard."""

    def __init__(self, ground: CompiledSetup, known: list[Fact], chance: Chance) -> None:
        self.ground, self.known, self.chance = ground, known, chance
        self.dead: set[tuple[int, int]] = set()
        """Sheets from which no marks lead on, each at a fact."""
        self.tries = 0

    def sample(self) -> list[str | None]:
        """The symbol of each mark."""
        names: dict[int, str | None] = {}
        start, crossed = 0, 0
        while start < len(self.known):
            self.tries = MOST_TRIES
            stop = self.next_erasure(start)
            found = self.search(start, stop, crossed)
            if found is None:
                raise NoMarks
            names |= found
            start, crossed = stop, 0
        return list(names.values())

    def next_erasure(self, start: int) -> int:
        """The fact after which the sheet is empty again."""
        for place in range(start, len(self.known)):
            if self.known[place].kind in ("erase", "hurt"):
                return place + 1
        return len(self.known)

    def search(self, place: int, stop: int, crossed: int) -> dict[int, str | None] | None:
        """Marks from here to the next erasure."""
        while place < stop and self.known[place].kind != "mark":
            if not self.holds(self.known[place], crossed):
                return None
            place += 1
        if place == stop:
            return {}
        if (place, crossed) in self.dead:
            return None
        due = self.known[place].due
        if due == "empty":
            rest = self.search(place + 1, stop, crossed)
            return None if rest is None else {place: None, **rest}
        hurts = self.must_hurt(place, stop)
        for symbol, after in self.marks(due, crossed, hurts=hurts):
            self.tries -= 1
            if self.tries < 0:
                raise NoMarks
            rest = self.search(place + 1, stop, after)
            if rest is not None:
                return {place: self.ground.symbol_names[symbol], **rest}
        self.dead.add((place, crossed))
        # The last mark may still be due, if it could only do damage.
        last = all(fact.kind != "mark" for fact in self.known[place + 1 :])
        return {} if last and not hurts and self.later(place, stop) else None

    def later(self, place: int, stop: int) -> bool:
        """Whether nothing after a mark tells that it was made."""
        quiet = ("charge", "no-charge")
        return stop == len(self.known) and all(f.kind in quiet for f in self.known[place + 1 :])

    def must_hurt(self, place: int, stop: int) -> bool:
        """Whether this is the mark that did damage."""
        marks = (n for n in range(place + 1, stop) if self.known[n].kind == "mark")
        return self.known[stop - 1].kind == "hurt" and next(marks, None) is None

    def marks(self, due: CrossDue, crossed: int, *, hurts: bool) -> Iterator[tuple[int, int]]:
        """Symbols that may be crossed out, in any order, and the sheet afterwards."""
        ground = self.ground
        allowed = (
            ground.radiation if due == "radiation" else ground.panels.get(due, ground.all_symbols)
        )
        for symbol in shuffled(self.chance, list(bits(allowed & ~crossed))):
            after = crossed | 1 << symbol
            circuit, hurt = consequence(ground, after, symbol)
            if bool(hurt) == hurts:
                yield symbol, after & ~ground.circuits[circuit] if circuit else after

    def holds(self, fact: Fact, crossed: int) -> bool:
        """Whether a sheet fits to a fact."""
        if fact.kind == "intact":
            return not crossed & self.ground.weapon_symbols
        if fact.kind not in ("use", "fail") or fact.system is None:
            return True
        bit = fact.system.bit
        broken = any(crossed & symbols for symbols, s in self.ground.colours if s & bit)
        return broken == (fact.kind == "fail")
