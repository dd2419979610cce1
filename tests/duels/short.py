"""A short game, whose every line is known."""

from fathom.engine import orders
from fathom.engine.apply import apply_all
from fathom.engine.game import new_game
from fathom.engine.logbook import Logbook, Step, write
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.points import parse
from fathom.rules.setup import Choices, Setup, prepare
from fathom.words import CREWS, REFEREE, Heading, Referee, Seat, System

A, B = CREWS


def tell(setup: Setup, *orders: tuple[Seat | Referee, AnyOrder]) -> Logbook:
    """The logbook of these orders."""
    game, steps = new_game(setup), []
    for by, order in orders:
        events = decide(game, by, order)
        steps.append(Step(by, tuple(events)))
        game = apply_all(game, events)
    return Logbook(setup, tuple(steps))


ONE = Seat(A, 0)
TWO = Seat(B, 0)
SHORT = tell(
    prepare(Choices("captain-sonar", first=A, scenario="charlie")),
    (ONE, orders.Place(parse("C2"))),
    (TWO, orders.Place(parse("H8"))),
    (TWO, orders.WriteNote(-5, 12, 'a "mine" here?')),
    (ONE, orders.DIVE),
    (TWO, orders.DIVE),
    (ONE, orders.SetCourse(Heading.E)),
    (ONE, orders.Charge(System.MINE)),
    (ONE, orders.CrossOut("E1")),
    (ONE, orders.END_TURN),
    (TWO, orders.SURFACE),
    (ONE, orders.SetCourse(Heading.E)),
    (ONE, orders.Charge(System.MINE)),
    (ONE, orders.CrossOut("E2")),
    (ONE, orders.LayMine(parse("F3"))),
    (REFEREE, orders.DeclareLost(B)),
)
TEXT = write(SHORT)
TOP = TEXT[: TEXT.index("\n---\n")].count("\n") + 2
"""The number of the line ``---``."""


def with_row(text: str, number: int, row: str) -> str:
    """The logbook with one row of the chart's picture drawn otherwise."""
    rows = text.splitlines()
    rows[rows.index("rows = [") + number] = f'  "{row}",'
    return "\n".join(rows) + "\n"


def swapped(old: str, new: str) -> str:
    """The short game's text with one thing put otherwise."""
    assert TEXT.count(old) == 1, old
    return TEXT.replace(old, new)
