"""Two games that sound the same to one crew and to the public, while the enemy does otherwise."""

from random import Random

import msgspec
from msgspec import Struct

from fathom.engine import orders as give
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.view import WATCHER, overhear
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide, legal
from fathom.rules.setup import Setup
from fathom.words import REFEREE, Crew, Seat
from tests.engine.duels import kind_of, options
from tests.stories import refusal

SHEETS = ("helm", "gauges", "engine", "radio")
NOT_NOW = (give.Resign, give.JudgeTrace)
"""Orders that would end the comparison too soon."""


class Pair(Struct, frozen=True):
    """An order of one game, and of the other one that sounds the same."""

    seat: Seat
    order: AnyOrder
    other: AnyOrder


class Alike(Struct):
    """The two games so far."""

    one: Game
    other: Game
    differing: set[str] = msgspec.field(default_factory=set)
    """The enemy's sheets that were ever different."""


def sound_alike(setup: Setup, ours: Crew, dice: Random, length: int) -> tuple[list[Pair], Alike]:
    """The longest of a few tries; some games end soon, or leave the enemy no other way."""
    tries = (sounding_alike(setup, ours, dice, length) for _ in range(10))
    return max(tries, key=lambda found: (len(found[1].differing), len(found[0])))


def sounding_alike(setup: Setup, ours: Crew, dice: Random, length: int) -> tuple[list[Pair], Alike]:
    """So many pairs of orders; the enemy's differ wherever they can without being heard."""
    games = Alike(new_game(setup), new_game(setup))
    pairs: list[Pair] = []
    for _ in range(5 * length):
        if len(pairs) == length or games.one.public.result is not None:
            break
        found = [o for o in options(games.one) if isinstance(o[0], Seat)]
        found = [o for o in found if not isinstance(o[1], NOT_NOW)]
        if not found:
            break
        kinds = sorted({(str(s), kind_of(o).__name__) for s, o in found})
        kind = dice.choice(kinds)
        same = [(s, o) for s, o in found if (str(s), kind_of(o).__name__) == kind]
        seat, order = dice.choice(same)
        assert isinstance(seat, Seat)
        pair = matched(games, ours, Pair(seat, order, order), dice)
        if pair is not None:
            pairs.append(pair)
            boats = games.one.boats[ours.other], games.other.boats[ours.other]
            games.differing |= {s for s in SHEETS if getattr(boats[0], s) != getattr(boats[1], s)}
    return pairs, games


def matched(games: Alike, ours: Crew, pair: Pair, dice: Random) -> Pair | None:
    """The order with one for the other game that sounds the same, both done; None if none does."""
    likewise = [pair.order]
    if pair.seat.crew is not ours and not isinstance(pair.order, give.TraceSection):
        likewise = [
            order
            for seat, order in options(games.other)
            if seat == pair.seat and kind_of(order) is kind_of(pair.order)
        ]
        dice.shuffle(likewise)
        likewise.sort(key=lambda order: order == pair.order)
    one = done(games.one, pair.seat, pair.order)
    for order in likewise:
        if refusal(games.other, pair.seat, order):
            continue
        other = done(games.other, pair.seat, order)
        if said(one[1]) == said(other[1]):
            games.one, games.other = one[0], other[0]
            return Pair(pair.seat, pair.order, order)
    return None


def done(game: Game, seat: Seat, order: AnyOrder) -> tuple[Game, list[AnyEvent]]:
    """The game after the order, and after the stop's end if that is due: the server does so."""
    events = list(decide(game, seat, order))
    game = apply_all(game, events)
    if give.RESUME in legal(game, REFEREE):
        resumed = decide(game, REFEREE, give.RESUME)
        game, events = apply_all(game, resumed), events + list(resumed)
    return game, events


def said(events: list[AnyEvent]) -> list[object]:
    """What everyone hears."""
    return [news for event in events if (news := overhear(None, event, WATCHER)) is not None]  # type: ignore[arg-type]
