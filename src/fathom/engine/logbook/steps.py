"""The lines of a logbook, step by step: numbers, indents, and who gave each order."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import AnyEvent, GameEnded
from fathom.engine.logbook.header import BadLogbook
from fathom.engine.logbook.notation import BadLine, Notation
from fathom.engine.logbook.order_behind import Giver, crew_behind, order_kind, usual_giver
from fathom.rules.setup import Setup
from fathom.words import REFEREE, Post, Referee, Seat


class Step(Struct, frozen=True):
    """What one order brought about, and who gave it."""

    by: Giver
    events: tuple[AnyEvent, ...]

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("an order that is obeyed brings something about")


class Scribe:
    """Writes and reads the lines of one game."""

    SIGNATURE = re.compile(r" \(([a-z ]+?)(?: of ([a-z]+))?\)$")

    def __init__(self, setup: Setup) -> None:
        self.ground = CompiledSetup(setup)
        self.plans = setup.crews
        self.notation = Notation(setup)

    def result(self, steps: Sequence[Step]) -> str:
        """How the game ended, in the words of its last line."""
        last = steps[-1].events[-1] if steps else None
        return self.notation.write(last) if isinstance(last, GameEnded) else "unfinished"

    def instead(self, by_rules: AnyEvent | None) -> str:
        """What should have stood in a line."""
        if by_rules is None:
            return "by the rules, nothing more follows here"
        return f"by the rules, {self.notation.write(by_rules)!r} comes here"

    # Writing

    def write(self, steps: Sequence[Step]) -> Iterator[str]:
        """A line for every event."""
        for number, step in enumerate(steps, 1):
            first, *more = step.events
            yield f"{number:>4}  {self.notation.write(first)}{self.signature(step.by, first)}"
            yield from (f"{number:>4}    {self.notation.write(event)}" for event in more)

    def signature(self, by: Giver, event: AnyEvent) -> str:
        """Who gave the order, where the event doesn't tell: ``(first mate)``, ``(referee)``."""
        if by == usual_giver(self.ground, event):
            return ""
        if isinstance(by, Referee):
            return " (referee)"
        post = self.post(by, event).value.replace("-", " ")
        if by.crew is crew_behind(event):
            return f" ({post})"
        return f" ({post} of {self.notation.colours[by.crew]})"

    def post(self, seat: Seat, event: AnyEvent) -> Post:
        """The post by which the seat gave such an order; else its first one."""
        posts = self.plans[seat.crew].seats[seat.number].posts
        kind = order_kind(event)
        allowed = self.ground.allowed[seat.crew].get(kind, 0) if kind else 0
        return next((post for post in posts if post.bit & allowed), posts[0])

    # Reading

    def read(self, lines: Sequence[str], first_line: int) -> tuple[Step, ...]:
        """The steps that the lines tell; the first line is the text's ``first_line``."""
        steps: list[tuple[Giver, list[AnyEvent]]] = []
        for number, line in enumerate(lines, first_line):
            new, more = f"{len(steps) + 1:>4}  ", f"{len(steps):>4}    "
            try:
                if line.startswith(new):
                    by, event = self.read_order(line.removeprefix(new))
                    steps.append((by, [event]))
                elif steps and line.startswith(more):
                    steps[-1][1].append(self.notation.read(line.removeprefix(more)))
                else:
                    raise BadLogbook(number, 1, f"expected {new!r}" + f" or {more!r}" * bool(steps))
            except BadLine as bad:
                indent = len(new if line.startswith(new) else more)
                raise BadLogbook(number, indent + bad.at + 1, bad.what) from None
        return tuple(Step(by, tuple(events)) for by, events in steps)

    def read_order(self, line: str) -> tuple[Giver, AnyEvent]:
        """Who gave an order, and the first thing that it brought about."""
        signed = self.SIGNATURE.search(line)
        words = line[: signed.start()] if signed else line
        event = self.notation.read(words)
        by = self.giver(signed, event) if signed else usual_giver(self.ground, event)
        if words + self.signature(by, event) != line:
            expected = self.signature(by, event) or "no name of who gave the order"
            raise BadLine(len(words), f"expected {expected.strip()}")
        return by, event

    def giver(self, signed: re.Match[str], event: AnyEvent) -> Giver:
        """Who signed the line."""
        called, colour = signed.groups()
        if called == "referee":
            return REFEREE
        posts = {post.value.replace("-", " "): post for post in self.ground.book.posts}
        crews = {called: crew for crew, called in self.notation.colours.items()}
        crew = crews.get(colour) if colour else crew_behind(event)
        if called not in posts or crew is None:
            known = ", ".join([*posts, "referee"])
            raise BadLine(signed.start() + 1, f"expected who gave the order, one of {known}")
        return Seat(crew, self.ground.seat_of(crew, posts[called]))
