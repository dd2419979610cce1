"""The language of logbooks: every event has one line of plain English, and every line one event."""

import re
from typing import Any

from fathom.engine.events import AnyEvent, Event, Exploded
from fathom.engine.logbook.lines import (
    BY_KEY,
    BY_KIND,
    HITS,
    NUMBER,
    SLOTS,
    Form,
    Piece,
    slot,
    words,
)
from fathom.points import BadPoint, Point, name, parse
from fathom.rules.setup import Setup
from fathom.words import CREWS, ByCrew


class BadLine(ValueError):
    """A line that says nothing in this language: from which character on, and why."""

    def __init__(self, at: int, what: str) -> None:
        super().__init__(what)
        self.at, self.what = at, what


class Notation:
    """The language as one game speaks it: crews are called by their colours."""

    def __init__(self, setup: Setup) -> None:
        self.colours = dict(zip(CREWS, setup.book.colours, strict=True))
        self.points = setup.chart.all_points
        self.slots = {
            **SLOTS,
            "crew": words(self.colours),
            "point": slot("a point such as H8", "[A-Z][0-9]+", self.read_point, name),
            "toll": slot("what it did to each crew", ".*", self.read_toll, self.write_toll),
        }
        hit = f"({'|'.join(HITS.values())})(?:, ({NUMBER}) damage)?"
        a, b = self.colours.values()
        self.toll = re.compile(f"{a} {hit}, {b} {hit}")

    # Writing

    def write(self, event: Event) -> str:
        """The event, or what was heard of one, as a line."""
        for form in BY_KIND[type(event)]:
            if form.tells(event):
                return "".join(self.write_piece(piece, event) for piece in form.pieces)
        raise ValueError(f"no logbook can tell {event!r}")

    def write_piece(self, piece: Piece, event: Any) -> str:
        if isinstance(piece, str):
            return piece
        field, kind = piece
        # A toll is no field: it tells two of them together.
        return self.slots[kind].write(event if kind == "toll" else getattr(event, field))

    def write_toll(self, event: Exploded) -> str:
        """What an explosion did to each crew: ``yellow miss, blue direct hit, 2 damage``."""
        return ", ".join(
            f"{colour} {HITS[event.hits[crew]]}"
            + (f", {event.damage[crew]} damage" if event.damage[crew] else "")
            for crew, colour in self.colours.items()
        )

    # Reading

    def read(self, line: str) -> AnyEvent:
        """The event that the line tells, in the only words in which it can be told."""
        event = self.understand(line)
        expected = self.write(event)
        if line != expected:
            raise BadLine(first_difference(line, expected), f"expected {expected!r}")
        return event

    def understand(self, line: str) -> AnyEvent:
        """The event, or from the form that fits longest what was expected where."""
        first, _, rest = line.partition(" ")
        by_crew = first in self.colours.values()
        word = rest.partition(" ")[0] if by_crew else first
        forms = BY_KEY.get((by_crew, word))
        if forms is None:
            raise BadLine(len(first) + 1 if by_crew else 0, self.beginnings(by_crew))
        attempts = [self.fit(form, line) for form in forms]
        for attempt in attempts:
            if not isinstance(attempt, BadLine):
                return attempt
        raise max((bad for bad in attempts if isinstance(bad, BadLine)), key=lambda bad: bad.at)

    def beginnings(self, by_crew: bool) -> str:
        """How a line may begin, or go on after a crew's colour."""
        known = sorted({word for after_crew, word in BY_KEY if after_crew is by_crew})
        return "expected one of " + ", ".join(
            [*known] if by_crew else [*self.colours.values(), *known]
        )

    def fit(self, form: Form, line: str) -> AnyEvent | BadLine:
        """The event that the line tells in this form, or why it can't."""
        values: dict[str, Any] = {}
        at = 0
        for piece in form.pieces:
            try:
                end, value = self.read_piece(piece, line, at)
            except ValueError as bad:
                return BadLine(at, str(bad))
            if isinstance(piece, tuple):
                values[piece[0]] = value
            at = end
        if at != len(line):
            return BadLine(at, "expected the end of the line")
        hits_and_damage = values.pop("toll", {})
        return form.kind(**form.fixed, **values, **hits_and_damage)

    def read_piece(self, piece: Piece, line: str, at: int) -> tuple[int, Any]:
        """Where the piece that begins at ``at`` ends, and its value."""
        if isinstance(piece, str):
            if not line.startswith(piece, at):
                raise ValueError(f"expected {piece!r}")
            return at + len(piece), None
        slot = self.slots[piece[1]]
        found = slot.pattern.match(line, at)
        if not found:
            raise ValueError(f"expected {slot.expected}")
        return found.end(), slot.read(found[0])

    def read_point(self, text: str) -> Point:
        point = parse(text)
        if not self.points >> point & 1:
            raise BadPoint(f"{text} is not on this chart")
        return point

    def read_toll(self, text: str) -> dict[str, ByCrew[Any]]:
        found = self.toll.fullmatch(text)
        if not found:
            raise ValueError(
                f"expected such as {' miss, '.join(self.colours.values())} direct hit, 2 damage"
            )
        hit_of = {word: hit for hit, word in HITS.items()}
        hit_a, damage_a, hit_b, damage_b = found.groups()
        damage = ByCrew(int(damage_a or 0), int(damage_b or 0))
        return {"hits": ByCrew(hit_of[hit_a], hit_of[hit_b]), "damage": damage}


def first_difference(one: str, two: str) -> int:
    """The first character at which the two differ."""
    same = (place for place, (a, b) in enumerate(zip(one, two, strict=False)) if a != b)
    return next(same, min(len(one), len(two)))
