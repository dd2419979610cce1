"""Duels of crews who give any legal order."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.orders import (
    AnyOrder,
    CrossOut,
    DeclareLost,
    Dive,
    DrawLine,
    EndTurn,
    FireTorpedo,
    JudgeTrace,
    LayMine,
    NewSheet,
    Place,
    PutMark,
    Resign,
    Rub,
    SetCourse,
    SlideSheet,
    Surface,
    TraceSection,
    WipeSheet,
    WriteNote,
)
from fathom.engine.referee import decide, legal, may_judge, may_trace, may_write
from fathom.engine.tracing import ideal_stroke
from fathom.rules.setup import Setup
from fathom.rules.sheet import Symbol
from fathom.words import Kind, Referee, Seat
from tests.engine.tables import SCENES, BookModeSea, seats_and_referee, setups
from tests.stories import OrderOption

CROOKED = ((0, 0), (5, 5))
"""A stroke that is nowhere near the hull."""

LIKELY: dict[type, int] = {SetCourse: 24, Dive: 24, EndTurn: 4, Surface: 2, Place: 2, PutMark: 1}
"""How likely kinds of order are; all others 8."""

WRITING = (
    PutMark(10, -10, "ring"),
    DrawLine(((0, 0), (10, 0))),
    WriteNote(0, 20, "C4?"),
    SlideSheet(1, 2),
    NewSheet(),
    WipeSheet(),
    Rub(1),
)


class GivenOrder(NamedTuple):
    """An order that was given, and what came of it."""

    before: Game
    seat: Seat | Referee
    order: AnyOrder
    events: list[AnyEvent]
    after: Game


def listed(game: Game, seat: Seat | Referee) -> list[AnyOrder]:
    """The seat's legal orders that don't end the game by a word."""
    return [o for o in legal(game, seat) if not isinstance(o, Resign | DeclareLost)]


def tracing(game: Game, seat: Seat | Referee) -> Iterator[AnyOrder]:
    """Tracing well and badly, and judging well and badly."""
    if isinstance(seat, Referee):
        return
    for section in may_trace(game, seat):
        yield TraceSection(section, ideal_stroke(game.ground.setup.hull, section), "AB")
        yield TraceSection(section, CROOKED, "AB")
    if may_judge(game, seat):
        yield JudgeTrace()
        yield JudgeTrace((1, 3))


def writing(game: Game, seat: Seat | Referee) -> Iterator[AnyOrder]:
    """Some ways to use the transparent sheet."""
    if not isinstance(seat, Seat) or not may_write(game, seat):
        return
    empty = not game.boats[seat.crew].radio.films[-1].items
    yield from (order for order in WRITING if not (empty and isinstance(order, Rub)))


def options(game: Game) -> list[OrderOption]:
    """What anyone may do now."""
    return [
        (seat, order)
        for seat in seats_and_referee(game.ground.setup)
        for order in (*listed(game, seat), *tracing(game, seat), *writing(game, seat))
    ]


def moving(game: Game) -> list[OrderOption]:
    """What anyone may do now to carry the game on: writing on a sheet does not."""
    return [option for option in options(game) if option[1] not in WRITING]


def kind_of(order: AnyOrder) -> type:
    """The kind of order; all writing is of one kind."""
    return PutMark if order in WRITING else type(order)


def choose(found: list[OrderOption], kind: int, which: int) -> OrderOption:
    """First a kind of order, the likeliest by the smallest numbers, then one of its orders."""
    kinds = {kind_of(order): LIKELY.get(kind_of(order), 8) for _, order in found}
    urn = [drawn for drawn in sorted(kinds, key=lambda k: -kinds[k]) for _ in range(kinds[drawn])]
    same = [option for option in found if kind_of(option[1]) is urn[kind % len(urn)]]
    return same[which % len(same)]


def sparing(spared: frozenset[str], found: list[OrderOption]) -> list[OrderOption]:
    """The options, if engineers spare these symbols as long as they can."""
    left = [
        (seat, order)
        for seat, order in found
        if not (isinstance(order, CrossOut) and order.symbol in spared)
    ]
    return left or found


def tempting(game: Game, found: list[OrderOption]) -> list[OrderOption]:
    """The options, and those several times that aim at a mine or lay one where one lies."""
    mines = game.boats.a.helm.mines | game.boats.b.helm.mines | game.public.old_mines
    return found + 9 * [
        (seat, order)
        for seat, order in found
        if (isinstance(order, FireTorpedo) and mines >> order.target & 1)
        or (isinstance(order, LayMine) and mines >> order.at & 1)
    ]


class NumberedGame:
    """A game of one set-up, played by numbers: each three bytes choose an order."""

    def __init__(self, setup: Setup, numbers: bytes, spared: Iterable[Symbol] = ()) -> None:
        self.setup = setup
        self.numbers = numbers
        self.spared = frozenset(symbol.name for symbol in spared)

    def __repr__(self) -> str:
        told = [f"{step.seat}: {step.order}" for step in self.steps()]
        setup = self.setup
        agreed = (setup.book, setup.mode, setup.chart, setup.house, setup.goal, setup.crews)
        return "\n".join(map(str, (*agreed, *told)))

    def steps(self) -> Iterator[GivenOrder]:
        """The orders given, one by one, until the numbers or the game end."""
        game = new_game(self.setup)
        for place in range(0, len(self.numbers) - 2, 3):
            found = options(game)
            if not found:
                return
            found = tempting(game, sparing(self.spared, found))
            kind, high, low = self.numbers[place : place + 3]
            seat, order = choose(found, kind, 256 * high + low)
            events = decide(game, seat, order)
            after = apply_all(game, events)
            yield GivenOrder(game, seat, order, events, after)
            game = after


def habits(setup: Setup) -> list[list[Symbol]]:
    """What engineers spare: nothing, the reactor, or what a colour's systems need."""
    symbols = setup.sheet.symbols if setup.sheet else ()
    reactor = [symbol for symbol in symbols if symbol.circuit is None]
    colours = ({Kind.RED}, {Kind.GREEN}, {Kind.YELLOW}, {Kind.RED, Kind.YELLOW})
    spared = [[symbol for symbol in symbols if symbol.kind in kinds] for kinds in colours]
    return [[], reactor, *spared]


@st.composite
def duels(
    draw: st.DrawFn, length: int, scene: BookModeSea | None = None, *, any_rulings: bool = True
) -> NumberedGame:
    """Duels of so many orders, unless they end before."""
    setup = draw(setups(scene, any_rulings=any_rulings))
    numbers = draw(st.binary(min_size=3 * length, max_size=3 * length))
    return NumberedGame(setup, numbers, draw(st.sampled_from(habits(setup))))


Check = Callable[[NumberedGame], None]


def holds_in_duels(
    *, length: int, few: int, many: int, any_rulings: bool = True
) -> Callable[[Check], Any]:
    """A check made into a test of a few duels of any scene and, slowly, of many of each scene."""
    slow = partial(pytest.param, marks=pytest.mark.slow)
    cases = [pytest.param(None, few, id="any")]
    cases += [slow(scene, many, id=f"{scene[0]}-{scene[1].value}-{scene[2]}") for scene in SCENES]

    def make(check: Check) -> Any:
        @pytest.mark.parametrize(("scene", "examples"), cases)
        def test(scene: BookModeSea | None, examples: int) -> None:
            played = duels(length, scene, any_rulings=any_rulings)
            settings(max_examples=examples)(given(played)(check))()

        return test

    return make
