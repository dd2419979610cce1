"""Engine and slow twin play the same duels and agree on everything."""

import random
from collections.abc import Iterable
from typing import Any

import pytest

from fathom.engine.apply import apply_all
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import AnyEvent, CircuitMended, MineDestroyed, SystemReady
from fathom.engine.game import Boat, Game
from fathom.engine.knowledge.view import WATCHER, overhear
from fathom.engine.orders import DeclareLost, Place, Resign
from fathom.engine.referee import decide, legal, may_judge, may_trace
from fathom.points import Point, Points, bits, parse
from fathom.rules import library
from fathom.rules.setup import BadSetup
from fathom.words import CREWS, REFEREE, Crew, Mode, Seat, System
from tests.engine.duels import WRITING, NumberedGame, habits, holds_in_duels
from tests.engine.tables import SEAS, eventful, seats, seats_and_referee
from tests.slow.boat import SlowBoat
from tests.slow.sea import ColumnRow, place_of
from tests.slow.twin import Twin
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OrderOption, table


def playable(book: str, mode: Mode, name: str) -> bool:
    """Whether the scenario has a chart of the size, and the rulebook gauges for it (chart.any)."""
    try:
        table(book, mode, scenario=name)
    except BadSetup as bad:
        return bad.rule != "chart.any"
    return True


@holds_in_duels(length=70, few=70, many=15, any_rulings=False)
def test_engine_and_twin_agree(duel: NumberedGame) -> None:
    play_together(duel)


def play_together(duel: NumberedGame) -> None:
    """Play a duel on both, and compare at every step."""
    twin = Twin(duel.setup)
    for step in duel.steps():
        if step.order in WRITING:
            continue
        agree_on_orders(twin, step.before)
        twin.do(step.seat, step.order)
        assert said(step.after, step.events) == twin.said
        assert told(step.events) == set(twin.told)
        agree_on_sheets(twin, step.after)


SHIPPED = [
    pytest.param(book, mode, name, id=f"{book}-{mode.value}-{name}")
    for book in ALL_BOOKS
    for mode in MODES
    for name in library.scenario_names()
    if playable(book, mode, name)
]


@pytest.mark.slow
@pytest.mark.parametrize(("book", "mode", "name"), SHIPPED)
def test_they_agree_on_every_scenario_that_ships(book: str, mode: Mode, name: str) -> None:
    setup = table(book, mode, scenario=name, players=4)
    dice = random.Random(f"{book} {mode} {name}")
    for agreed in (setup, eventful(setup)):
        play_together(NumberedGame(agreed, dice.randbytes(900), dice.choice(habits(setup))))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_they_agree_where_an_activation_is_a_whole_turn(book: str, mode: Mode) -> None:
    alone = {"activations": "whole-turn"}
    for seed in range(6):
        dice = random.Random(f"{book} {mode} {seed}")
        setup = table(book, mode, chart=SEAS["islands"], rulings=alone, players=4)
        play_together(
            NumberedGame(eventful(setup), dice.randbytes(600), dice.choice(habits(setup)))
        )


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "last", [(Seat(Crew.A, 0), Resign()), (REFEREE, DeclareLost(Crew.B))], ids=["resign", "lost"]
)
def test_engine_and_twin_agree_on_giving_up(mode: Mode, last: OrderOption) -> None:
    duel = NumberedGame(table(mode=mode, chart=SEAS["islands"]), bytes(90))
    twin = Twin(duel.setup)
    for step in duel.steps():
        twin.do(step.seat, step.order)
        lost, other = decide(step.after, *last), twin.copy()
        other.do(*last)
        assert said(step.after, lost) == other.said
        agree_on_orders(other, apply_all(step.after, lost))


def test_a_twins_copy_goes_its_own_way() -> None:
    setup = table(chart=SEAS["volcanoes"])
    twin = Twin(setup)
    twin.do(Seat(Crew.A, 0), Place(parse("A1")))
    other = twin.copy()
    other.do(Seat(Crew.A, 0), Place(parse("B1")))
    assert twin.boats[Crew.A].place == (0, 0)
    assert other.boats[Crew.A].place == (1, 0)


def agree_on_orders(twin: Twin, game: Game) -> None:
    """The same legal orders, tracing and judging, for everyone."""
    for seat in seats_and_referee(game.ground.setup):
        assert set(legal(game, seat)) == twin.legal_orders(seat), seat
    for player in seats(game.ground.setup):
        assert set(may_trace(game, player)) == twin.may_trace(player), player
        assert may_judge(game, player) == twin.may_judge(player), player


def said(game: Game, events: Iterable[AnyEvent]) -> list[Any]:
    """What everyone hears of these events."""
    heard = (overhear(game.ground, event, WATCHER) for event in events)
    return [news for news in heard if news is not None]


def told(events: Iterable[AnyEvent]) -> set[AnyEvent]:
    """What only a crew is told beyond its own orders."""
    return {e for e in events if isinstance(e, SystemReady | CircuitMended | MineDestroyed)}


def agree_on_sheets(twin: Twin, game: Game) -> None:
    """The same damage, and the same on every sheet of both crews."""
    assert game.public.damage == twin.damages()
    assert places(game.public.old_mines) == twin.old_mines
    for crew in CREWS:
        if twin.boats[crew].at is not None:
            assert sheets(game.ground, game.boats[crew]) == twin_sheets(twin.boats[crew])


def sheets(ground: CompiledSetup, boat: Boat) -> dict[str, Any]:
    """What stands on the sheets of a crew of the engine."""
    crossed = boat.engine.crossed
    return {
        "route": [place_of(Point(point)) for point in boat.helm.route],
        "mines": places(boat.helm.mines),
        "unarmed": places(boat.helm.unarmed),
        "boxes": {s: n for s, n in zip(System, boat.gauges.boxes, strict=True) if n},
        "energy": boat.gauges.energy,
        "crossed": {name for name, place in ground.symbols.items() if crossed >> place & 1},
    }


def twin_sheets(boat: SlowBoat) -> dict[str, Any]:
    """What stands on the sheets of a crew of the twin."""
    return {
        "route": boat.route,
        "mines": boat.mines,
        "unarmed": boat.unarmed,
        "boxes": {system: filled for system, filled in boat.filled.items() if filled},
        "energy": boat.energy,
        "crossed": boat.crossed,
    }


def places(points: Points) -> set[ColumnRow]:
    return {place_of(Point(point)) for point in bits(points)}
