"""Games that are written before they are played, so that playing them costs the clients nothing.

A script is a game of random legal orders; the game depends on nothing else, so the server offers
each of them when its turn comes, and how many messages each brings about is known beforehand.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

import msgspec
from msgspec import Struct

from fathom.engine import orders as give
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent, Damaged, GameEnded
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.view import overhear
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide, legal, may_trace, may_write
from fathom.engine.tracing import ideal_stroke
from fathom.points import spell
from fathom.rules.setup import Choices, House, Setup, prepare
from fathom.words import CREW_A, CREWS, ENGINEER, REFEREE, Crew, Mode, Seat

LIKELY: dict[type, int] = {give.Surface: 1, give.Place: 1}
"""How likely kinds of order are, where there is a choice; all others 20."""
FULL_SHEET = 40
"""Lines after which a radio operator wipes the sheet."""
MOST_TRIES = 200
HOUSE = House(pause_seconds=0.0)
"""Stops end at once: otherwise the games would wait, and not the server work."""


class Stuck(Exception):
    """Every order that is left does damage."""


class Cue(NamedTuple):
    """One order, and what everyone gets to hear of it."""

    seat: int
    """Counted through both crews."""
    order: bytes
    told: int
    """How many messages it brings about."""
    enemy: int
    """How many of these go to the enemy."""


Script = tuple[Cue, ...]


class Format(Struct, frozen=True):
    """What kind of game is played."""

    name: str
    mode: Mode
    crew: int
    """Players in a crew."""

    @property
    def seats(self) -> int:
        """Players in a game."""
        return 2 * self.crew

    @property
    def setup(self) -> Setup:
        """The set-up that a table with these players gets."""
        first = CREW_A if self.mode is Mode.TURN_BY_TURN else None
        return prepare(Choices(mode=self.mode, house=HOUSE, players=self.seats, first=first))


EIGHT = Format("eight seats, real time", Mode.REAL_TIME, 4)
TWO = Format("two seats, turn by turn", Mode.TURN_BY_TURN, 1)


def write_scripts(form: Format, count: int, length: int) -> list[Script]:
    """So many different games of so many orders."""
    setup, written = form.setup, list[Script]()
    for seed in range(20 * count):
        with suppress(Stuck):
            written.append(Playwright(setup, seed).write(length))
        if len(written) == count:
            return written
    raise Stuck


class Playwright:
    """Writes one game; nobody resigns and nobody sinks, so it can go on as long as it must."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.game, self.dice = new_game(setup), random.Random(seed)
        self.seats = tuple(
            Seat(crew, number) for crew in CREWS for number in range(len(setup.crews[crew].seats))
        )
        self.courses = dict.fromkeys(CREWS, 0)
        """What the enemy has sailed, and the crew's radio operator has not drawn yet."""

    def write(self, length: int) -> Script:
        """The whole game."""
        return tuple(self.step() for _ in range(length))

    def step(self) -> Cue:
        """One order, and what the referee does after it."""
        seat, order, events = self.next()
        self.count(seat.crew, order)
        told, enemy = self.heard(seat.crew, events)
        self.game = apply_all(self.game, events)
        while give.RESUME in legal(self.game, REFEREE):
            resumed = decide(self.game, REFEREE, give.RESUME)
            more, further = self.heard(seat.crew, resumed)
            told, enemy = told + more, enemy + further
            self.game = apply_all(self.game, resumed)
        text = msgspec.json.encode(order, enc_hook=spell)
        return Cue(self.seats.index(seat), text, told, enemy)

    def next(self) -> tuple[Seat, AnyOrder, Sequence[AnyEvent]]:
        """An order that harms nobody."""
        for _ in range(MOST_TRIES):
            seat, order = self.choose()
            events = decide(self.game, seat, order)
            if harmless(events) and self.bearable(seat.crew, order, events):
                return seat, order, events
        raise Stuck

    def bearable(self, crew: Crew, order: AnyOrder, events: Sequence[AnyEvent]) -> bool:
        """Whether the mark that the engineer then owes need not do damage either."""
        if not isinstance(order, give.SetCourse | give.RunSilent):
            return True
        after = apply_all(self.game, events)
        seat = Seat(crew, after.ground.seat_of(crew, ENGINEER))
        due = [order for order in legal(after, seat) if isinstance(order, give.CrossOut)]
        return not due or any(harmless(decide(after, seat, order)) for order in due)

    def count(self, crew: Crew, order: AnyOrder) -> None:
        """A course is to be drawn by the enemy, a line has been drawn."""
        if isinstance(order, give.SetCourse):
            self.courses[crew.other] += 1
        elif isinstance(order, give.DrawLine | give.WipeSheet):
            self.courses[crew] -= 1

    def heard(self, crew: Crew, events: Sequence[AnyEvent]) -> tuple[int, int]:
        """How many seats hear of it, altogether and of the enemy's."""
        ground = self.game.ground
        ears = [
            seat for seat in self.seats if any(overhear(ground, event, seat) for event in events)
        ]
        return len(ears), sum(seat.crew is not crew for seat in ears)

    def choose(self) -> tuple[Seat, AnyOrder]:
        """First a kind of order, then one of them."""
        by_kind: dict[tuple[int, str], list[AnyOrder]] = {}
        weights: dict[tuple[int, str], int] = {}
        for number, seat in enumerate(self.seats):
            for order in (*options(self.game, seat), *self.lines(seat)):
                kind = (number, type(order).__name__)
                by_kind.setdefault(kind, []).append(order)
                weights[kind] = LIKELY.get(type(order), 20)
        (number, kind_name) = self.dice.choices(list(weights), list(weights.values()))[0]
        return self.seats[number], self.dice.choice(by_kind[number, kind_name])

    def lines(self, seat: Seat) -> Iterator[AnyOrder]:
        """The radio operator draws every course that the enemy has announced."""
        if not self.courses[seat.crew] or not may_write(self.game, seat):
            return
        items = len(self.game.boats[seat.crew].radio.films[-1].items)
        line = ((items, items), (items + 10, items))
        yield give.WipeSheet() if items >= FULL_SHEET else give.DrawLine(line)


def harmless(events: Sequence[AnyEvent]) -> bool:
    """Whether nobody is damaged and the game goes on."""
    return not any(isinstance(event, Damaged | GameEnded) for event in events)


def options(game: Game, seat: Seat) -> Iterator[AnyOrder]:
    """What a seat may do that carries the game on."""
    yield from (order for order in legal(game, seat) if not isinstance(order, give.Resign))
    for section in may_trace(game, seat):
        yield give.TraceSection(section, ideal_stroke(game.ground.setup.hull, section), "AB")
