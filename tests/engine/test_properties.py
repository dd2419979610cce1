"""What holds in every duel, whoever plays it."""

import random
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from fathom.engine.apply import apply, apply_all
from fathom.engine.events import AnyEvent, GameEnded
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.view import WATCHER, Watcher, follow, overhear, view
from fathom.engine.orders import AnyOrder, DeclareLost, Resign
from fathom.engine.records import decode_event, decode_order, encode
from fathom.engine.referee import legal
from fathom.engine.registry import EVENTS
from fathom.points import unspell
from fathom.rules import library
from fathom.rules.setup import Setup
from fathom.words import CREWS, Crew, Seat
from tests.engine.duels import GivenOrder, NumberedGame, habits, holds_in_duels, moving
from tests.engine.every_order import BAD_JUDGEMENTS, BAD_RUBBING, badly_signed, every_order
from tests.engine.tables import SCENES, SEAS, eventful, seats, seats_and_referee
from tests.stories import refusal, table

RULES = frozenset(library.rule_text().names)
SETUPS: msgspec.json.Decoder[Setup] = msgspec.json.Decoder(Setup, dec_hook=unspell)


@holds_in_duels(length=100, few=20, many=3)
def test_play_goes_on_until_the_game_is_over(duel: NumberedGame) -> None:
    for step in duel.steps():
        over = step.after.public.result is not None
        # Nobody wins by stalemate: somebody, or the referee, can always carry the game on.
        assert bool(moving(step.after)) is not over
        assert over is any(isinstance(event, GameEnded) for event in step.events)
        if over:
            ends_properly(step)


def ends_properly(step: GivenOrder) -> None:
    """The end is the last thing told, nothing is legal after it, and the loser is sunk."""
    public, setup = step.after.public, step.after.ground.setup
    assert isinstance(step.events[-1], GameEnded)
    assert (public.phase, public.stop, public.awaited) == ("over", None, None)
    assert not any(legal(step.after, seat) for seat in seats_and_referee(setup))
    sunk = {crew for crew in CREWS if is_sunk(step.after, crew)}
    assert public.result is not None
    if public.result.winner is None:
        assert sunk == set(CREWS)
    else:
        assert public.result.winner.other in sunk


def is_sunk(game: Game, crew: Crew) -> bool:
    """Whether damage or lava has destroyed the submarine."""
    lava = game.public.lava >> game.boats[crew].helm.at & 1
    return game.public.damage[crew] >= game.ground.setup.goal.hull or bool(lava)


@holds_in_duels(length=100, few=20, many=3)
def test_a_duel_replays_from_its_record(duel: NumberedGame) -> None:
    steps = list(duel.steps())
    record = [encode(event) for step in steps for event in step.events]
    again = apply_all(new_game(SETUPS.decode(encode(duel.setup))), map(decode_event, record))
    assert again == (steps[-1].after if steps else new_game(duel.setup))


@holds_in_duels(length=50, few=15, many=3)
def test_a_refused_order_names_a_rule_and_changes_nothing(duel: NumberedGame) -> None:
    orders = [*every_order(duel.setup), *BAD_JUDGEMENTS, *BAD_RUBBING, *badly_signed(1, ((0, 0),))]
    for step in list(duel.steps())[::12]:
        sheets = repr((step.before.public, step.before.boats))
        for seat in seats_and_referee(duel.setup):
            listed = set(legal(step.before, seat))
            refused = {
                refusal(step.before, seat, o) or f"accepted: {o}" for o in orders if o not in listed
            }
            assert refused <= RULES
        assert repr((step.before.public, step.before.boats)) == sheets


@holds_in_duels(length=80, few=20, many=3)
def test_what_is_written_is_read_back(duel: NumberedGame) -> None:
    assert SETUPS.decode(encode(duel.setup)) == duel.setup
    for step in duel.steps():
        assert decode_order(encode(step.order)) == step.order
        for event in step.events:
            assert decode_event(encode(event)) == event


@pytest.mark.parametrize("name", SEAS)
def test_every_order_is_read_back(name: str) -> None:
    for order in every_order(table(chart=SEAS[name])):
        assert decode_order(encode(order)) == order


@holds_in_duels(length=80, few=20, many=3)
def test_who_follows_what_they_hear_sees_what_the_server_sees(duel: NumberedGame) -> None:
    listeners: list[Seat | Watcher] = [WATCHER, *seats(duel.setup)]
    for step in duel.steps():
        game = step.before
        for event in step.events:
            after = apply(game, event)
            for seat in listeners:
                heard = overhear(game.ground, event, seat)
                assert follow(game.ground, view(game, seat), heard) == view(after, seat), seat
            game = after


@pytest.mark.slow
def test_such_duels_meet_every_order_and_every_event() -> None:
    dice = random.Random(1)
    orders, events = set[type](), set[type]()
    for book, mode, name in SCENES * 4:
        house = {"trace_judge": dice.choice(("program", "enemy-engineer"))}
        setup = eventful(table(book, mode, chart=SEAS[name], house=house))
        lot = replace(setup, first=dice.choice((*CREWS, None)))
        for step in NumberedGame(lot, dice.randbytes(450), dice.choice(habits(lot))).steps():
            orders.add(type(step.order))
            events.update(map(type, step.events))
    assert orders == set(get_args(AnyOrder)) - {Resign, DeclareLost}
    assert events == set(get_args(AnyEvent))


def test_what_is_heard_can_be_any_event_that_a_module_brings() -> None:
    assert set(get_args(Heard)) == set(EVENTS)
