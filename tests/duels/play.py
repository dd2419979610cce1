"""Playing games by dice: legal orders, with a taste for those that make a duel worth reading."""

import random
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from fathom.engine import orders as say
from fathom.engine.apply import apply_all
from fathom.engine.game import DOCK, Game, new_game
from fathom.engine.logbook import Logbook, Step
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide, legal, may_judge, may_trace, may_write
from fathom.engine.registry import ACTIONS
from fathom.engine.seat_now import SeatNow, seat_now
from fathom.engine.tracing import ideal_stroke
from fathom.points import blast
from fathom.rules.setup import Setup
from fathom.words import CREWS, REFEREE, Referee, Seat, System
from tests.stories import OrderOption

Taste = Mapping[type | System, float]

USUAL: Taste = {
    say.Place: 1,
    say.Dive: 6,
    say.SetCourse: 6,
    say.Surface: 0.3,
    say.EndTurn: 1,
    say.LayMine: 3,
    say.TriggerMine: 1,
    say.FireTorpedo: 6,
    say.RunSilent: 4,
    say.LaunchDrone: 4,
    say.UseSonar: 4,
    say.DetonateOldMine: 4,
    say.RepairSystem: 8,
    say.Resign: 0,
    say.DeclareLost: 0,
    say.DrawLine: 0.1,
    say.PutMark: 0.03,
    say.WriteNote: 0.05,
    say.Rub: 0.03,
    say.WipeSheet: 0.02,
    say.SlideSheet: 0.05,
    say.NewSheet: 0.02,
    System.TORPEDO: 15,
}
"""How likely a kind of order is; what isn't named has 5. Systems: how likely they are charged."""

NOTES = ("here?", 'a "mine"', "Тут", "C4 \\ C5", "silence")


def play(setup: Setup, seed: int, most: int = 150, taste: Taste | None = None) -> Logbook:
    """A game that the dice play; when it has about ``most`` events, somebody resigns."""
    dice = random.Random(seed)
    game, steps, told = new_game(setup), [], 0
    while game.public.phase != "over":
        by, order = choose(game, dice, {**USUAL, **(taste or {})})
        if told >= most - 8:
            by, order = Seat(dice.choice(CREWS), 0), say.RESIGN
        events = decide(game, by, order)
        steps.append(Step(by, tuple(events)))
        game, told = apply_all(game, events), told + len(events)
    return Logbook(setup, tuple(steps), (("dice", str(seed)),))


def choose(game: Game, dice: random.Random, taste: Taste) -> OrderOption:
    """First a kind of order, then one of that kind."""
    kinds = {
        kind: list(options)
        for kind, options in groupby(sorted(possible(game, dice), key=kind_name), key=kind_name)
    }
    weights = [taste.get(type(options[0][1]), 5) for options in kinds.values()]
    options = dice.choices(list(kinds.values()), weights)[0]
    hunger = [appetite(game, *option, taste) for option in options]
    return dice.choices(options, hunger)[0]


def kind_name(option: OrderOption) -> str:
    return type(option[1]).__name__


def possible(game: Game, dice: random.Random) -> list[OrderOption]:
    """All orders of all seats, and some drawings."""
    found: list[OrderOption] = [(REFEREE, order) for order in legal(game, REFEREE)]
    for crew in CREWS:
        for number in range(len(game.ground.posts[crew])):
            seat = Seat(crew, number)
            found += [(seat, order) for order in legal(game, seat)]
            found += [(seat, order) for order in drawings(game, seat, dice)]
    return found


def drawings(game: Game, seat: Seat, dice: random.Random) -> list[AnyOrder]:
    """Orders that carry drawings or free words."""
    hull = game.ground.setup.hull
    found: list[AnyOrder] = []
    for section in may_trace(game, seat):
        good = ideal_stroke(hull, section)
        stroke = good if dice.random() < 0.9 else ((0, 0), *good[1:])
        found.append(say.TraceSection(section, stroke, dice.choice(("JV", "Жю"))))
    if may_judge(game, seat):
        found.append(say.JudgeTrace(dice.choice(((), (), (2,), (1, 4)))))
    if may_write(game, seat):
        found += scribbles(seat_now(game, seat), dice)
    return found


def scribbles(now: SeatNow, dice: random.Random) -> list[AnyOrder]:
    """What the radio operator may do to the sheet."""
    x, y = dice.randint(-60, 60), dice.randint(-60, 60)
    radio = now.boat.radio
    sheet: list[Any] = [
        say.DrawLine(((x, y), (x + 10, y), (x + 10, y - 10))),
        say.PutMark(x, y, dice.choice(("dot", "ring", "cross", "question", "mine"))),
        say.WriteNote(x, y, dice.choice(NOTES)),
        say.Rub(len(radio.films[-1].items)),
        say.WipeSheet(),
        say.SlideSheet(x // 10, y // 10),
        say.NewSheet(),
    ]
    return [o for o in sheet if ACTIONS[type(o)].choices.admits(now, o)]


def appetite(game: Game, by: Seat | Referee, order: AnyOrder, taste: Taste) -> float:
    """How likely an order is among those of its kind: the dice hunt, and spare themselves."""
    if isinstance(by, Referee):
        # It answers for a captain now and then.
        return 0.02 if isinstance(order, say.AnswerSonar | say.AnswerTruly) else 1.0
    own, enemy = (game.boats[crew].helm.at for crew in (by.crew, by.crew.other))
    match order:
        case say.Charge(System() as system):
            return taste.get(system, 5)
        case say.CrossOut(str() as symbol):
            weapons = game.ground.weapon_symbols >> game.ground.symbols[symbol] & 1
            return 0.2 if weapons else 1.0
        case say.SetCourse(heading):
            return 3.0 if far(own + heading.step, enemy) < far(own, enemy) else 1.0
        case say.Place(at):
            return 20.0 if enemy != DOCK and far(at, enemy) < 5 else 1.0
        case say.LayMine(at) | say.TriggerMine(at) | say.FireTorpedo(at) | say.DetonateOldMine(at):
            near = blast(1 << at)
            return (20.0 if near >> enemy & 1 else 1.0) * (0.1 if near >> own & 1 else 1.0)
        case _:
            return 1.0


def far(one: int, two: int) -> int:
    """Steps along rows and columns."""
    return abs((one >> 4) - (two >> 4)) + abs((one & 15) - (two & 15))
