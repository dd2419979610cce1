"""This engine's own rows: complete games of uniformly random legal orders."""

import random
from collections.abc import Callable

from fathom.engine.apply import apply, apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.orders import DIVE, RESIGN, RESUME, AnyOrder, DrawFirst, TraceSection
from fathom.engine.referee import decide, legal, may_trace
from fathom.engine.tracing import ideal_stroke
from fathom.rules.setup import Choices, House, Setup, prepare
from fathom.words import CREW_A, CREW_B, CREWS, REFEREE, Mode, Seat

SEATS = (Seat(CREW_A, 0), Seat(CREW_B, 0))
ONLY_RESIGN = (RESIGN,)
LIFTED = House(lift_crew_rules=True)


def setup_of(rulebook: str, mode: Mode) -> Setup:
    """Two players, one for each crew, on the chart that is advised first."""
    return prepare(Choices(rulebook=rulebook, mode=mode, house=LIFTED))


def next_seat(game: Game, rng: random.Random) -> Seat:
    """Whose order is next: the captain who is asked, the crew in turn, or either in real time."""
    public = game.public
    if public.phase == "placing":
        return SEATS[public.dived.a]
    if public.awaited is not None:
        return SEATS[public.awaited.crew is CREW_B]
    if public.turn is not None:
        return SEATS[public.turn.crew is CREW_B]
    return SEATS[rng.random() < 0.5]


def random_game(setup: Setup, rng: random.Random, record: list[AnyEvent] | None = None) -> int:
    """Play one complete game; how many orders it took."""
    game, orders = new_game(setup), 0
    if setup.mode is Mode.TURN_BY_TURN:
        drawn = decide(game, REFEREE, DrawFirst(rng.choice(CREWS)))
        game = apply_all(game, drawn)
        if record is not None:
            record.extend(drawn)
    while game.public.phase != "over":
        seat = next_seat(game, rng)
        order = pick(game, seat, rng)
        events = decide(game, seat, order) if order else step_aside(game, seat)
        orders += 1 if events else 0
        for event in events:
            game = apply(game, event)
            if record is not None:
                record.append(event)
    return orders


def pick(game: Game, seat: Seat, rng: random.Random) -> AnyOrder | None:
    """Any legal order, but no resigning, and the start is marked only once."""
    choices = legal(game, seat)
    if game.public.phase == "placing" and DIVE in choices:
        return DIVE
    while choices and choices != ONLY_RESIGN:
        order = choices[int(rng.random() * len(choices))]
        if order is not RESIGN:
            return order
    return None


def step_aside(game: Game, seat: Seat) -> list[AnyEvent]:
    """What is not in a seat's list of legal orders: ending a stop, tracing the hull."""
    if RESUME in legal(game, REFEREE):
        return decide(game, REFEREE, RESUME)
    sections = may_trace(game, seat)
    if not sections:
        return []
    stroke = ideal_stroke(game.ground.setup.hull, sections[0])
    return decide(game, seat, TraceSection(sections[0], stroke, "AB"))


def row(rulebook: str, mode: Mode) -> Callable[[random.Random], int]:
    """A bench row: one random game of this kind at a time."""
    setup = setup_of(rulebook, mode)
    return lambda rng: random_game(setup, rng)


OURS = "Fathom captain-sonar, turn by turn"
ROWS: dict[str, Callable[[random.Random], int]] = {
    OURS: row("captain-sonar", Mode.TURN_BY_TURN),
    "Fathom captain-sonar-2, turn by turn": row("captain-sonar-2", Mode.TURN_BY_TURN),
    "Fathom captain-sonar, real time": row("captain-sonar", Mode.REAL_TIME),
    "Fathom sonar, turn by turn": row("sonar", Mode.TURN_BY_TURN),
}
