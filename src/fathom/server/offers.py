"""What a seat may do now, and what that rests on: most steps leave most seats' choices alone."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, get_args

from msgspec import Struct

from fathom.engine import orders as give
from fathom.engine.game import Game
from fathom.engine.ground import Ground
from fathom.engine.hindered import hindered_in
from fathom.engine.legal import may_judge, may_trace, may_write, orders_in
from fathom.engine.moment import moment
from fathom.engine.outcomes import outcomes_in
from fathom.engine.systems import broken
from fathom.engine.tempo import owes_marks
from fathom.server.wire import Offered
from fathom.words import CAPTAIN, ENGINEER, FIRST_MATE, RADIO_OPERATOR, Crew, Seat

DRAWN: Final = frozenset((*get_args(give.SheetOrder), give.TraceSection))
"""The kinds of orders that are not listed, because they are endless."""
ENGINEER_BIT: Final = ENGINEER.bit
RADIO_BIT: Final = RADIO_OPERATOR.bit
FORE: Final = CAPTAIN.bit | FIRST_MATE.bit
AFT: Final = ENGINEER_BIT | RADIO_BIT
"""Posts whose choices rest on different things; who holds some of both looks at everything."""

Grounds: TypeAlias = "tuple[Any, ...] | Lull"
Basis: TypeAlias = Callable[[Game, Crew], Grounds]


class Lull(Struct, frozen=True, gc=False):
    """What little a crew's choices rest on while the enemy has its turn and no mark is due."""

    announced: bool
    mines: int
    unarmed: int
    weapons_intact: bool
    surfaced: bool
    locked: bool


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
    return basis if ground.real_time else lambda game, crew: lull(game, crew) or basis(game, crew)


def lull(game: Game, crew: Crew) -> Lull | None:
    """Turn by turn, a crew is at rest half of the time."""
    public, turn = game.public, game.public.turn
    if turn is None or turn.crew is crew or public.phase != "playing":
        return None
    boat = game.boats[crew]
    if public.stop is not None or public.awaited is not None or owes_marks(boat):
        return None
    helm, intact = boat.helm, not boat.engine.crossed & game.ground.weapon_symbols
    # Without a mine there is none to be set off, whatever the enemy has said.
    announced = turn.announced and bool(helm.mines or not intact)
    surfaced, locked = public.surfaced[crew], boat.radio.locked
    return Lull(announced, helm.mines, helm.unarmed, intact, surfaced, locked)


def basis_in_action(ground: Ground, seat: Seat) -> Basis:
    """What to look at while anything can happen."""
    posts = ground.posts[seat.crew][seat.number]
    if not posts & AFT:
        return bridge if posts & FIRST_MATE.bit else helm
    if posts & FORE or give.UseSonar in ground.orders_of[seat.crew][seat.number]:
        return whole_boat
    return engine_room if posts & ENGINEER.bit else radio_room


def whole_boat(game: Game, crew: Crew) -> tuple[Any, ...]:
    """All that is public and on the crew's sheets, but for what is drawn on the transparent ones.

    And whether there is a hull of the enemy to judge.
    """
    boat, enemy = game.boats.sides(crew)
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


def helm(game: Game, crew: Crew) -> tuple[Any, ...]:
    """What a captain's choices rest on: of the marks, whether any is due and what they broke."""
    boat, ground = game.boats[crew], game.ground
    duty = boat.duty
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


def bridge(game: Game, crew: Crew) -> tuple[Any, ...]:
    """What a first mate's choices rest on, who may be the captain, too."""
    return (game.boats[crew].duty.charge, *helm(game, crew))


def engine_room(game: Game, crew: Crew) -> tuple[Any, ...]:
    """What an engineer's choices rest on, who may be the radio operator, too."""
    boat = game.boats[crew]
    judging = game.ground.house.trace_judge != "program"
    traced = game.boats[crew.other].trace if judging else None
    return (game.public, boat.duty.cross, boat.engine, boat.trace, boat.radio.locked, traced)


def radio_room(game: Game, crew: Crew) -> tuple[Any, ...]:
    """What a radio operator's choices rest on."""
    boat = game.boats[crew]
    return (game.public, boat.trace, boat.radio.locked)
