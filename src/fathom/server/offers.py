"""What a seat may do now, and what that rests on: most steps leave most seats' choices alone.

What it rests on is either the parts of the game themselves or, where little of them matters, just
that little: it is brief then, and seats of other games come to the same. So their offer is kept.
"""

from collections import defaultdict
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, TypeAlias, get_args

from fathom.engine import orders as give
from fathom.engine.game import Boat, Game
from fathom.engine.ground import Ground
from fathom.engine.hindered import hindered_in
from fathom.engine.legal import may_judge, may_trace, may_write, orders_in, ready_report, signals
from fathom.engine.moment import moment
from fathom.engine.outcomes import outcomes_in
from fathom.engine.systems import broken, moment_hindrance
from fathom.engine.tempo import hindrance, mark_hindrance, owes_marks
from fathom.engine.weapons import trigger_hindrance
from fathom.rules.setup import Setup
from fathom.server.wire import Offered
from fathom.words import (
    CAPTAIN,
    DRONE,
    ENGINEER,
    FIRST_MATE,
    RADIO_OPERATOR,
    SONAR,
    Seat,
)

DRAWN: Final = frozenset((*get_args(give.SheetOrder), give.TraceSection))
"""The kinds of orders that are not listed, because they are endless."""
MATE_BIT: Final = FIRST_MATE.bit
ENGINEER_BIT: Final = ENGINEER.bit
RADIO_BIT: Final = RADIO_OPERATOR.bit
FORE: Final = CAPTAIN.bit | MATE_BIT
AFT: Final = ENGINEER_BIT | RADIO_BIT
"""Posts whose choices rest on different things; who holds some of both looks at everything."""

DETECTION: Final = DRONE.bit | SONAR.bit
"""Systems that are not aimed from where the submarine is."""
BRIEF: Final = "brief"
"""What a seat's choices rest on begins with this if it is brief."""
MOST_KEPT: Final = 1024
"""How many offers are kept for a seat of all games with the same set-up."""

Grounds: TypeAlias = tuple[Any, ...]
Basis: TypeAlias = Callable[[Game, Seat], Grounds]


@lru_cache(64)
def kept_offers(setup: Setup) -> defaultdict[Seat, dict[Grounds, bytes]]:
    """Offers as JSON by what they rest on, for each seat of all games with the same set-up."""
    del setup
    return defaultdict(dict)


def offer_to(game: Game, seat: Seat) -> Offered:
    """What a seat may do now; nobody is asked for what their posts never do."""
    now = moment(game, seat)
    posts = now.posts
    engineer = posts & ENGINEER_BIT
    return Offered(
        orders_in(now),
        may_trace(game, seat) if now.boat.trace is not None else (),
        bool(engineer) and may_judge(game, seat),
        bool(posts & RADIO_BIT) and may_write(game, seat),
        hindered_in(now) if posts & FORE else {},
        outcomes_in(now) if engineer else {},
    )


def offer_to_writer(game: Game, seat: Seat) -> Offered:
    """The same for a seat that has nothing to order: it may only write and trace."""
    return Offered(sections=may_trace(game, seat), writing=may_write(game, seat))


def commands(ground: Ground, seat: Seat) -> bool:
    """Whether a seat ever has something to order, beside drawings and notes."""
    return bool(ground.orders_of[seat.crew][seat.number] - DRAWN)


def basis_of(ground: Ground, seat: Seat) -> Basis:
    """What to look at to know whether a seat's choices can have changed."""
    basis = basis_in_action(ground, seat)
    return basis if ground.real_time else lambda game, seat: lull(game, seat) or basis(game, seat)


def lull(game: Game, seat: Seat) -> Grounds | None:
    """Turn by turn, a crew is at rest half of the time."""
    crew, public, turn = seat.crew, game.public, game.public.turn
    if turn is None or turn.crew is crew or public.phase != "playing":
        return None
    boat = game.boats[crew]
    if public.stop is not None or public.awaited is not None or owes_marks(boat):
        return None
    helm, intact = boat.helm, not boat.engine.crossed & game.ground.weapon_symbols
    # Without a mine there is none to be set off, whatever the enemy has said.
    announced = turn.announced and bool(helm.mines or not intact)
    surfaced, locked = public.surfaced[crew], boat.radio.locked
    return (BRIEF, announced, helm.mines, helm.unarmed, intact, surfaced, locked)


def basis_in_action(ground: Ground, seat: Seat) -> Basis:
    """What to look at while anything can happen."""
    posts, systems = ground.held[seat.crew][seat.number]
    if not posts & AFT:
        if posts == MATE_BIT and not systems & ~DETECTION:
            return gauge_board
        return bridge if posts & MATE_BIT else helm
    if posts & FORE or give.UseSonar in ground.orders_of[seat.crew][seat.number]:
        return whole_boat
    if not posts & ENGINEER_BIT:
        return radio_room
    return engine_room if posts & RADIO_BIT else panel


def whole_boat(game: Game, seat: Seat) -> Grounds:
    """All that is public and on the crew's sheets, but for what is drawn on the transparent ones.

    And whether there is a hull of the enemy to judge.
    """
    boat, enemy = game.boats.sides(seat.crew)
    return (
        game.public,
        boat.helm,
        boat.duty,
        boat.gauges,
        boat.engine,
        boat.trace,
        boat.radio.locked,
        enemy.trace,
    )


def helm(game: Game, seat: Seat) -> Grounds:
    """What a captain's choices rest on: little of the helm, while there is no sailing."""
    crew, public = seat.crew, game.public
    boat, awaited = game.boats[crew], public.awaited
    if goes_on(game, boat, seat) and (awaited is None or awaited.crew is not crew):
        due, rule = owes_marks(boat), hindrance(game, crew)
        bar = rule or (moment_hindrance(game, crew, boat) if due else "")
        if bar:
            return (
                BRIEF,
                rule,
                bar,
                due,
                public.turn is not None and public.turn.sailed,
                public.stop is not None and signals(game, crew),
                boat.trace and boat.trace.ready,
                trigger_hindrance(game, crew, boat),
                boat.helm.mines,
                boat.helm.unarmed,
            )
    return whole_helm(game, boat)


def goes_on(game: Game, boat: Boat, seat: Seat) -> bool:
    """Whether the game goes on, and the seat has no hull in hand to be traced."""
    trace = boat.trace
    return game.public.phase == "playing" and (trace is None or trace.holder != seat.number)


def whole_helm(game: Game, boat: Boat) -> Grounds:
    """Of the marks, whether any is due and what they broke."""
    ground, duty = game.ground, boat.duty
    return (
        game.public,
        boat.helm,
        boat.trace,
        owes_marks(boat),
        duty.ready,
        duty.barred,
        boat.gauges.energy,
        broken(ground, boat),
        not boat.engine.crossed & ground.weapon_symbols,
    )


def bridge(game: Game, seat: Seat) -> Grounds:
    """What the choices of a first mate rest on who is the captain, too, or shoots."""
    boat = game.boats[seat.crew]
    return (*whole_helm(game, boat), boat.duty.charge)


def gauge_board(game: Game, seat: Seat) -> Grounds:
    """What a first mate's choices rest on: gauges, and drone and sonar."""
    crew = seat.crew
    boat = game.boats[crew]
    if not goes_on(game, boat, seat):
        return bridge(game, seat)
    duty = boat.duty
    rule = hindrance(game, crew)
    return (
        BRIEF,
        rule,
        rule or moment_hindrance(game, crew, boat),
        mark_hindrance(game, crew),
        duty.charge,
        duty.ready,
        boat.gauges.energy,
        game.public.in_service[crew],
        broken(game.ground, boat),
        owes_marks(boat),
    )


def panel(game: Game, seat: Seat) -> Grounds:
    """What an engineer's choices rest on: of the sheet, nothing while no mark is due."""
    boat, enemy = game.boats.sides(seat.crew)
    if boat.duty.cross != "none" or not goes_on(game, boat, seat):
        return engine_room(game, seat)
    trace = boat.trace
    reporting = trace is not None and bool(ready_report(game, trace))
    return (BRIEF, reporting, enemy.trace is not None and may_judge(game, seat))


def engine_room(game: Game, seat: Seat) -> Grounds:
    """What the choices of an engineer rest on who has marks to make, or is the radio operator."""
    boat, enemy = game.boats.sides(seat.crew)
    traced = enemy.trace if game.ground.house.trace_judge != "program" else None
    return (game.public, boat.duty.cross, boat.engine, boat.trace, boat.radio.locked, traced)


def radio_room(game: Game, seat: Seat) -> Grounds:
    """What a radio operator's choices rest on."""
    boat = game.boats[seat.crew]
    return (game.public, boat.trace, boat.radio.locked)
