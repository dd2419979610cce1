"""Counting sequences of orders: by the engine, and by the slow twin. README.md defines them."""

from collections.abc import Iterable, Iterator

from fathom.engine.apply import apply_all
from fathom.engine.game import Game, new_game
from fathom.engine.orders import AnyOrder, DeclareLost, Resign, TraceSection
from fathom.engine.referee import decide, legal, may_trace
from fathom.rules.setup import Setup
from fathom.words import CREWS, REFEREE, Referee, Seat
from tests.perft.positions import PerftPosition
from tests.slow.twin import Twin
from tests.stories import OrderOption


def everyone(setup: Setup) -> list[Seat | Referee]:
    """All seats and the referee."""
    players = [Seat(crew, n) for crew in CREWS for n in range(len(setup.crews[crew].seats))]
    return [*players, REFEREE]


def counted(orders: Iterable[AnyOrder]) -> Iterator[AnyOrder]:
    """The orders that count: nobody gives up."""
    return (order for order in orders if not isinstance(order, Resign | DeclareLost))


def good_stroke(setup: Setup, section: int) -> TraceSection:
    """The one way of tracing a section that counts."""
    line = setup.hull.sections[section - 1]
    return TraceSection(section, (*line, line[0]), "X")


# By the engine


def engine_at(position: PerftPosition) -> Game:
    """The engine's game in this position."""
    game = new_game(position.setup())
    for seat, order in position.orders:
        game = apply_all(game, decide(game, seat, order))
    return game


def engine_options(game: Game) -> Iterator[OrderOption]:
    setup = game.ground.setup
    for seat in everyone(setup):
        yield from ((seat, order) for order in counted(legal(game, seat)))
        if isinstance(seat, Seat):
            yield from ((seat, good_stroke(setup, n)) for n in may_trace(game, seat))


def count_by_engine(game: Game, depth: int) -> int:
    """How many sequences of so many orders go on from here."""
    if depth == 1:
        return sum(1 for _ in engine_options(game))
    return sum(
        count_by_engine(apply_all(game, decide(game, seat, order)), depth - 1)
        for seat, order in engine_options(game)
    )


# By the twin


def twin_at(position: PerftPosition) -> Twin:
    """The twin in this position."""
    twin = Twin(position.setup())
    for seat, order in position.orders:
        twin.do(seat, order)
    return twin


def twin_options(twin: Twin) -> Iterator[OrderOption]:
    for seat in everyone(twin.setup):
        yield from ((seat, order) for order in counted(twin.legal_orders(seat)))
        if isinstance(seat, Seat):
            yield from ((seat, good_stroke(twin.setup, n)) for n in twin.may_trace(seat))


def count_by_twin(twin: Twin, depth: int) -> int:
    """How many sequences of so many orders go on from here."""
    if depth == 1:
        return sum(1 for _ in twin_options(twin))
    total = 0
    for seat, order in twin_options(twin):
        other = twin.copy()
        other.do(seat, order)
        total += count_by_twin(other, depth - 1)
    return total
