"""Small games for the tests of drawing and replaying."""

from typing import Any

from fathom.engine import orders as give
from fathom.engine.apply import apply_all
from fathom.engine.game import new_game
from fathom.engine.logbook import Logbook, Step
from fathom.engine.orders import AnyOrder, CrossOut
from fathom.engine.referee import decide
from fathom.points import parse
from fathom.rules.setup import Choices, House, prepare
from fathom.words import CREW_A, CREW_B, Heading, Seat, System

YELLOW, BLUE = Seat(CREW_A, 0), Seat(CREW_B, 0)
LIFTED = House(lift_crew_rules=True)


def beginning(a: str, b: str) -> list[tuple[Seat, AnyOrder]]:
    """Both submarines placed and dived."""
    return [
        (YELLOW, give.Place(parse(a))),
        (YELLOW, give.DIVE),
        (BLUE, give.Place(parse(b))),
        (BLUE, give.DIVE),
    ]


def turn(seat: Seat, heading: str, system: str, symbol: str) -> list[tuple[Seat, AnyOrder]]:
    """A course with its marks; the turn is not ended."""
    return [
        (seat, give.SetCourse(Heading(heading))),
        (seat, give.Charge(System(system))),
        (seat, CrossOut(symbol)),
    ]


def short_duel() -> Logbook:
    """Yellow finds blue on Alpha: three turns each, a torpedo with an indirect hit, a surfacing."""
    end = give.END_TURN
    orders: list[tuple[Seat, AnyOrder]] = [
        *beginning("C3", "H8"),
        *turn(YELLOW, "E", "torpedo", "E4"),
        (YELLOW, end),
        *turn(BLUE, "N", "mine", "N6"),
        (BLUE, end),
        *turn(YELLOW, "S", "torpedo", "S5"),
        (YELLOW, end),
        *turn(BLUE, "N", "mine", "N4"),
        (BLUE, give.LayMine(parse("I7"))),
        *turn(YELLOW, "E", "torpedo", "E6"),
        (YELLOW, give.FireTorpedo(parse("G6"))),
        (BLUE, give.SURFACE),
    ]
    return logbook_of(orders)


def logbook_of(orders: list[tuple[Seat, AnyOrder]], **choices: Any) -> Logbook:
    """The logbook of these orders; yellow begins."""
    setup = prepare(Choices(house=LIFTED, first=CREW_A, **choices))
    game, steps = new_game(setup), []
    for seat, order in orders:
        events = decide(game, seat, order)
        game = apply_all(game, events)
        steps.append(Step(seat, tuple(events)))
    return Logbook(setup, tuple(steps))
