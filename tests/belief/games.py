"""Many random games, played fast: each crew is one player, who only does what carries it on."""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from fathom.engine.apply import apply_all
from fathom.engine.game import Game, new_game
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.heard import Announcement
from fathom.engine.orders import RESUME, AnyOrder, Resign, TraceSection
from fathom.engine.referee import decide, legal, may_trace
from fathom.engine.tracing import ideal_stroke
from fathom.rules.setup import Setup
from fathom.words import CREWS, REFEREE, Crew, Seat
from tests.engine.duels import choose, habits, sparing, tempting
from tests.engine.tables import FLAGS, SEAS, BookModeSea, eventful
from tests.stories import OrderOption, table

GameAndNews = tuple[Game, list[Announcement]]

RULINGS: dict[str, tuple[object, ...]] = {
    "broken_system": ("refused", "radiation-mark"),
    "mine_armed": ("at-once", "next-turn"),
    "torpedo_range": (0, 1, 2, 4),
    "silence_least": (0, 1),
    "surfacing_turns": (1, 2, 3),
    **dict.fromkeys(FLAGS, (False, True)),
}


def setup_of(scene: BookModeSea, dice: Random) -> Setup:
    """A table by its rulebook or with any rulings; as usual, or with much going on."""
    book, mode, name = scene
    choices: dict[str, Any] = {}
    if dice.random() < 0.5:
        varied = dice.sample(sorted(RULINGS), dice.randint(1, 12))
        choices["rulings"] = {field: dice.choice(RULINGS[field]) for field in varied}
    if book == "captain-sonar-2":
        choices["goal"] = dice.choice(("hunt", "sudden-death"))
    setup = replace(table(book, mode, chart=SEAS[name], **choices), first=dice.choice(CREWS))
    return eventful(setup) if dice.random() < 0.7 else setup


def random_game(scene: BookModeSea, seed: int, most: int = 100) -> Iterator[GameAndNews]:
    """The game after each order, and what everyone heard of it."""
    dice = Random(seed)
    setup = setup_of(scene, dice)
    spared = frozenset(symbol.name for symbol in dice.choice(habits(setup)))
    game = new_game(setup)
    for _ in range(most):
        seat, order = any_order(game, dice, spared)
        events = decide(game, seat, order)
        game = apply_all(game, events)
        yield game, [said for event in events if (said := announce(event)) is not None]
        if game.public.phase == "over":
            return


def any_order(game: Game, dice: Random, spared: frozenset[str]) -> OrderOption:
    """What somebody may do now to carry the game on."""
    first = dice.choice(CREWS)
    for crew in (first, first.other):
        if orders := orders_of(game, crew):
            found: list[OrderOption] = [(Seat(crew, 0), order) for order in orders]
            found = tempting(game, sparing(spared, found))
            return choose(found, dice.randrange(256), dice.randrange(1 << 16))
    return REFEREE, RESUME


def orders_of(game: Game, crew: Crew) -> list[AnyOrder]:
    """What the crew can do to carry the game on."""
    seat = Seat(crew, 0)
    for section in may_trace(game, seat):
        return [TraceSection(section, ideal_stroke(game.ground.setup.hull, section), "AB")]
    return [order for order in legal(game, seat) if not isinstance(order, Resign)]
