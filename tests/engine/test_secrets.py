"""No seat's view, news or legal orders depend on what it may not know."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from fathom.engine.actions.cross_out import outcomes
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Boat, Game, Trace, new_game
from fathom.engine.knowledge.named_view import portray
from fathom.engine.knowledge.view import HOLDERS, WATCHER, Watcher, overhear, view
from fathom.engine.orders import AnyOrder, JudgeTrace, TraceSection
from fathom.engine.records import encode
from fathom.engine.referee import decide, legal, may_judge, may_trace, may_write, why_not
from fathom.engine.seat_now import seat_now
from fathom.engine.seaway import blacked_out
from fathom.engine.systems import broken
from fathom.rules.setup import Setup
from fathom.words import CAPTAIN, CREWS, Crew, Mode, Referee, Seat
from tests.engine.duels import NumberedGame, choose, holds_in_duels, kind_of, options
from tests.engine.every_order import BAD_RUBBING, GOOD_JUDGEMENTS, WRITING, every_order
from tests.engine.tables import SEAS, eventful, seats
from tests.stories import MODES, OrderOption, refusal, table


def seen(game: Game, seat: Seat | Watcher) -> bytes:
    """What the seat is shown, to the byte."""
    return encode(portray(game.ground, view(game, seat)))


def asked(game: Game, seat: Seat | Watcher) -> bytes:
    """What the seat is offered to order, to the byte; who watches orders nothing."""
    if isinstance(seat, Watcher):
        return b""
    offers = (may_trace(game, seat), may_judge(game, seat), may_write(game, seat))
    hints = (why_not(game, seat), outcomes(game, seat))
    return encode((legal(game, seat), offers, hints))


def heard(game: Game, events: list[AnyEvent], seat: Seat | Watcher) -> bytes:
    """What the seat is told of these events, to the byte."""
    news = (overhear(game.ground, event, seat) for event in events)
    return encode([said for said in news if said is not None])


# The enemy's sheets exchanged for those of another duel


@holds_in_duels(length=60, few=20, many=3)
def test_nothing_shown_or_offered_depends_on_the_enemys_sheets(duel: NumberedGame) -> None:
    others = NumberedGame(duel.setup, duel.numbers[::-1])
    strangers = [new_game(duel.setup), *(step.after for step in others.steps())]
    for step, stranger in zip(duel.steps(), strangers, strict=False):
        for crew in CREWS:
            other = with_sheets(step.after, crew.other, stranger.boats[crew.other])
            for seat in our_listeners(duel.setup, crew):
                assert seen(other, seat) == seen(step.after, seat)
                assert asked(other, seat) == asked(step.after, seat)


SOME = 19
"""Every 19th order is tried after a step, and others after the next."""


@holds_in_duels(length=40, few=20, many=2)
def test_no_answer_to_an_order_depends_on_the_enemys_sheets(duel: NumberedGame) -> None:
    """Also to orders that are not offered: the rule that refuses them must tell nothing."""
    others = NumberedGame(duel.setup, duel.numbers[::-1])
    strangers = [new_game(duel.setup), *(step.after for step in others.steps())]
    orders = [*every_order(duel.setup), *WRITING, *GOOD_JUDGEMENTS, *BAD_RUBBING]
    pairs = zip(duel.steps(), strangers, strict=False)
    for number, (step, stranger) in enumerate(pairs):
        for seat in seats(duel.setup):
            enemy = seat.crew.other
            other = with_sheets(step.after, enemy, stranger.boats[enemy])
            for order in orders[number % SOME :: SOME]:
                assert refusal(other, seat, order) == refusal(step.after, seat, order)


def with_sheets(game: Game, crew: Crew, stranger: Boat) -> Game:
    """The game with other sheets for a crew; only what its engineer has traced is kept."""
    trace = game.boats[crew].trace
    shown = Trace(0, trace.sections, trace.good, not trace.ready) if trace else None
    return replace(game, boats=game.boats.put(crew, replace(stranger, trace=shown)))


@holds_in_duels(length=40, few=20, many=3)
def test_closed_stations_show_no_other_posts_sheet(duel: NumberedGame) -> None:
    house = replace(duel.setup.house, stations="closed")
    closed = NumberedGame(replace(duel.setup, house=house), duel.numbers)
    others = NumberedGame(closed.setup, duel.numbers[::-1])
    for step, other in zip(closed.steps(), others.steps(), strict=False):
        for seat in seats(closed.setup):
            mixed = with_hidden(step.after, seat, other.after.boats[seat.crew])
            assert seen(mixed, seat) == seen(step.after, seat)


def with_hidden(game: Game, seat: Seat, stranger: Boat) -> Game:
    """The game with the sheets of its own crew exchanged that belong to the seat's crewmates."""
    posts = game.ground.setup.crews[seat.crew].seats[seat.number].posts
    held = game.ground.setup.book.posts
    sheets = {
        sheet: getattr(stranger, sheet)
        for sheet, post in HOLDERS.items()
        if (post if post in held else CAPTAIN) not in posts
    }
    boat = replace(game.boats[seat.crew], **sheets)
    return replace(game, boats=game.boats.put(seat.crew, boat))


@holds_in_duels(length=40, few=20, many=2)
def test_with_closed_stations_an_offer_tells_what_the_crew_would_answer_and_no_more(
    duel: NumberedGame,
) -> None:
    """Which systems are broken and whether there is a way on, but not which symbol or point."""
    house = replace(duel.setup.house, stations="closed")
    closed = NumberedGame(replace(duel.setup, house=house), duel.numbers)
    others = [step.after for step in NumberedGame(closed.setup, duel.numbers[::-1]).steps()]
    for step in closed.steps():
        for crew in CREWS:
            boat = step.after.boats[crew]
            would_answer = crew_answers(step.after, crew, boat)
            strangers = (other.boats[crew] for other in others)
            for stranger in strangers:
                if crew_answers(step.after, crew, with_sheets_of(boat, stranger)) != would_answer:
                    continue
                for seat in seats(closed.setup):
                    if seat.crew is crew:
                        mixed = with_hidden(step.after, seat, stranger)
                        assert asked(mixed, seat) == asked(step.after, seat)


def crew_answers(game: Game, crew: Crew, boat: Boat) -> tuple[int, bool]:
    """What engineer and captain would answer if they were asked (secret.crew)."""
    mixed = replace(game, boats=game.boats.put(crew, boat))
    return broken(game.ground, boat), blacked_out(seat_now(mixed, Seat(crew, 0)))


def with_sheets_of(boat: Boat, other: Boat) -> Boat:
    return replace(boat, **sheets_of(other))


def sheets_of(boat: Boat) -> dict[str, Any]:
    return {sheet: getattr(boat, sheet) for sheet in HOLDERS}


# Two enemies with other secrets who sound the same


class TwoGames(NamedTuple):
    """Two games after an order each, and what came of it."""

    one: Game
    other: Game
    events: list[AnyEvent]
    other_events: list[AnyEvent]


def sounding_alike(setup: Setup, ours: Crew, numbers: bytes) -> Iterator[TwoGames]:
    """Two games, order by order, in which everyone hears the same and the enemy does otherwise."""
    one = other = new_game(setup)
    for place in range(0, len(numbers) - 3, 4):
        kind, high, low, wish = numbers[place : place + 4]
        found = options(one)
        if not found:
            return
        option = choose(found, kind, 256 * high + low)
        pair = played_alike(one, other, ours, option, wish)
        if pair is not None:
            events, other_events = pair
            for seat in our_listeners(setup, ours):
                assert heard(one, events, seat) == heard(other, other_events, seat)
            one, other = apply_all(one, events), apply_all(other, other_events)
            yield TwoGames(one, other, events, other_events)


def our_listeners(setup: Setup, ours: Crew) -> list[Seat | Watcher]:
    """A crew and the public."""
    return [WATCHER, *(seat for seat in seats(setup) if seat.crew is ours)]


def played_alike(
    one: Game, other: Game, ours: Crew, option: OrderOption, wish: int
) -> tuple[list[AnyEvent], list[AnyEvent]] | None:
    """What the order does in one game, and in the other an order that sounds the same."""
    seat, order = option
    events = decide(one, seat, order)
    # The referee, who may answer for a captain, knows the enemy's secrets too.
    open_to_us = isinstance(seat, Seat) and seat.crew is ours
    likewise = [order] if open_to_us else same_kind(other, seat, order)
    for place in range(len(likewise)):
        chosen = likewise[(wish + place) % len(likewise)]
        other_events = decide(other, seat, chosen)
        if heard(one, events, WATCHER) == heard(other, other_events, WATCHER):
            return events, other_events
    return None


def same_kind(game: Game, seat: Seat | Referee, order: AnyOrder) -> list[AnyOrder]:
    """Orders of the same kind that the seat may give in this game."""
    if isinstance(order, TraceSection | JudgeTrace):
        # A traced hull is shown to the enemy engineer, so it is no secret.
        return [order]
    return [o for by, o in options(game) if by == seat and kind_of(o) is kind_of(order)]


def check_alike(setup: Setup, ours: Crew, numbers: bytes) -> None:
    for one, other, *_ in sounding_alike(setup, ours, numbers):
        for seat in our_listeners(setup, ours):
            assert seen(one, seat) == seen(other, seat)
            assert asked(one, seat) == asked(other, seat)


@holds_in_duels(length=60, few=20, many=3)
def test_what_sounds_the_same_looks_the_same(duel: NumberedGame) -> None:
    for crew in CREWS:
        check_alike(duel.setup, crew, duel.numbers)


@pytest.mark.parametrize("mode", MODES)
def test_enemies_who_sound_the_same_do_differ(mode: Mode) -> None:
    setup = eventful(table("captain-sonar-2", mode, chart=SEAS["islands"]))
    numbers = random.Random(1).randbytes(800)
    alike = [(one, other) for one, other, *_ in sounding_alike(setup, Crew.A, numbers)]
    assert len(alike) > 40
    assert all(one.boats.a == other.boats.a for one, other in alike)
    differing = {
        sheet
        for one, other in alike
        for sheet in ("helm", "gauges", "engine", "radio")
        if getattr(one.boats.b, sheet) != getattr(other.boats.b, sheet)
    }
    assert differing == {"helm", "gauges", "engine", "radio"}
    last, other_last = alike[-1]
    assert last.boats.b.helm.at != other_last.boats.b.helm.at
    assert last.boats.b.helm.route != other_last.boats.b.helm.route
