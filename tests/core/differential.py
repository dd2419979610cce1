"""Python engine and core play the same random games and agree on everything after every order."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
from msgspec.structs import replace

from fathom.core import actions
from fathom.core.actions import action_of
from fathom.core.events import decode, encode
from fathom.core.native import Core, actor_of
from fathom.engine import orders as say
from fathom.engine.apply import apply_all
from fathom.engine.events import AnyEvent
from fathom.engine.game import Game, new_game
from fathom.engine.referee import decide, legal, may_judge, may_trace
from fathom.rules import library
from fathom.rules.setup import BadSetup, CrewPlan, Setup, possible_rulings
from fathom.words import CREWS, ByCrew, Mode, Post, Referee, Seat
from tests.engine.tables import FLAGS, SCENES, SEAS, eventful, seats_and_referee, shared_out
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, table

Actor = Seat | Referee
CoreOption = tuple[Actor, int]

LIKELY = {
    "course": 240, "dive": 240, "end-turn": 40, "surface": 20, "place": 20, "trace-badly": 20,
    "judge": 40, "resign": 0.2, "lost": 0.2,
}  # fmt: skip
"""How likely kinds of order are; all others 80."""
USUAL = 80
BLOCK_OF = [name for name, block in actions.BLOCKS.items() for _ in block.orders]

RULINGS: dict[str, tuple[object, ...]] = {
    "broken_system": ("refused", "radiation-mark"),
    "mine_armed": ("at-once", "next-turn"),
    "activations": ("between-courses", "whole-turn"),
    "resume": ("by-itself", "captain"),
    "surfacing_tells": ("sector", "point"),
    "sonar_answer": ("one-false", "one-true"),
    "torpedo_reach": ("steps", "sector"),
    "torpedo_range": (0, 1, 2, 3, 4, 5, 14),
    "silence_least": (0, 1, 2),
    "silence_most": (2, 3, 4, 14),
    "blast_direct": (0, 1, 2, 3),
    "blast_near": (0, 1, 2),
    "surfacing_turns": (1, 2, 3),
    **dict.fromkeys((*FLAGS, "blackout"), (False, True)),
}
"""Every ruling that a table may make, and some values of each."""

HOUSE: dict[str, tuple[object, ...]] = {
    "radio_help": ("paper", "tape", "computer"),
    "stations": ("open", "closed"),
    "quick_ends": (False, True),
    "trace_judge": ("program", "enemy-engineer"),
    "trace_redo": ("all", "bad"),
}


def any_setup(dice: Random) -> Setup:
    """Any rulebook, mode, sea, crews, house rules and, in half of the games, rulings."""
    book, mode = dice.choice(ALL_BOOKS), dice.choice(MODES)
    chosen: dict[str, Any] = {"crews": any_crews(book, dice)}
    chosen["house"] = {name: dice.choice(values) for name, values in HOUSE.items()}
    if dice.random() < 0.5:
        varied = dice.sample(sorted(RULINGS), dice.randint(1, 12))
        chosen["rulings"] = {field: dice.choice(RULINGS[field]) for field in varied}
    if book == "captain-sonar-2":
        chosen["goal"] = dice.choice(("hunt", "sudden-death"))
        if mode is Mode.TURN_BY_TURN:
            chosen["sheet"] = dice.choice(("24-symbols", "20-symbols"))
    try:
        setup = at_sea(book, mode, chosen, dice)
    except BadSetup:
        return any_setup(dice)
    setup = replace(setup, first=dice.choice((*CREWS, None)))
    if dice.random() < 0.1:
        water = [point for point in actions.POINTS if setup.chart.water >> point & 1]
        setup = replace(setup, chart=replace(setup.chart, finish=tuple(dice.sample(water, 2))))
    return eventful(setup) if dice.random() < 0.5 else setup


def at_sea(book: str, mode: Mode, chosen: dict[str, Any], dice: Random) -> Setup:
    """On a small sea, so that things happen, or in a scenario that ships."""
    if dice.random() < 0.7:
        seas = [name for of_book, _, name in SCENES if of_book == book]
        return table(book, mode, chart=SEAS[dice.choice(seas)], **chosen)
    return table(book, mode, scenario=dice.choice(library.scenario_names()), **chosen)


def any_crews(book: str, dice: Random) -> ByCrew[CrewPlan]:
    """Two crews, the posts shared out in any way."""
    posts = tuple(Post) if book in CAPTAIN_BOOKS else (Post.CAPTAIN, Post.RADIO_OPERATOR)

    def crew() -> CrewPlan:
        holders = [dice.randrange(len(posts)) for _ in posts]
        shy = book == "captain-sonar-2" and dice.random() < 0.3
        return CrewPlan("Boat", shared_out(posts, holders), shy_mate=shy)

    return ByCrew(crew(), crew())


def rulings_not_varied() -> set[str]:
    """Fields of a rulebook that a table may rule on and that no game here varies."""
    return set(possible_rulings()) - set(RULINGS) - {"energy", "shy_mate"}


class BothEngines:
    """One game in both engines."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.core = Core(setup)
        self.game = new_game(setup)
        self.states = self.core.new_states(1)
        self.everyone = seats_and_referee(setup)
        self.actors = np.array([*map(actor_of, (*self.everyone, *CREWS))], np.int32)
        self.said: list[Any] = []
        """Everything that everyone has heard."""
        self.compare_states()

    def options(self) -> dict[Actor, list[int]]:
        """Everyone's legal actions, which must be the same in both."""
        rows = np.repeat(self.states, len(self.actors))
        found = [row.nonzero()[0].tolist() for row in self.core.masks(rows, self.actors)]
        theirs = dict(zip(self.everyone, found, strict=False))
        for seat, listed in theirs.items():
            assert listed == sorted(self.legal(seat)), seat
        for crew, listed in zip(CREWS, found[-2:], strict=True):
            union = {a for s in theirs if isinstance(s, Seat) and s.crew is crew for a in theirs[s]}
            assert set(listed) == union, crew
        return theirs

    def legal(self, seat: Actor) -> list[int]:
        """The actions that the Python engine allows."""
        found = [action_of(self.setup, order) for order in legal(self.game, seat)]
        if isinstance(seat, Referee):
            return found
        for section in may_trace(self.game, seat):
            found += [actions.BLOCKS[name].start + section - 1 for name in ("trace", "trace-badly")]
        if may_judge(self.game, seat):
            found += range(actions.BLOCKS["judge"].start, actions.BLOCKS["judge"].stop)
        return found

    def perform(self, seat: Actor, action: int) -> list[AnyEvent]:
        """Give the order in both; the same must happen."""
        order = actions.order_of(self.setup, action)
        assert order is not None
        events = decide(self.game, seat, order)
        rows = self.core.perform(self.states, 0, seat, action).tolist()
        assert [tuple(row) for row in rows] == [encode(self.setup, event) for event in events]
        assert [decode(self.setup, row) for row in rows] == events
        self.game = apply_all(self.game, events)
        self.compare_states()
        return events

    def compare_states(self) -> None:
        """The same on every sheet."""
        expected = self.core.states_of([self.game])
        if expected.tobytes() != self.states.tobytes():
            raise AssertionError("\n".join(differences(expected[0], self.states[0])))


def differences(expected: Any, found: Any, where: str = "") -> Iterator[str]:
    """The fields in which two records differ."""
    for name in expected.dtype.names:
        one, other = expected[name], found[name]
        if one.tobytes() == other.tobytes():
            continue
        if expected.dtype[name].base.names:
            for place, pair in enumerate(zip(one, other, strict=True)):
                yield from differences(*pair, f"{where}{name}[{place}].")
        else:
            yield f"{where}{name}: {one} in Python, {other} in the core"


def choose(
    options: dict[Actor, list[int]], dice: Random, spared: set[int], tempting: set[int]
) -> CoreOption | None:
    """Any order: first a kind, then one of that kind."""
    kinds: dict[str, list[CoreOption]] = {}
    for seat, listed in options.items():
        for action in listed:
            times = 9 if action in tempting else 1
            kinds.setdefault(BLOCK_OF[action], []).extend([(seat, action)] * times)
    crossings = kinds.get("cross-out")
    if crossings:
        kinds["cross-out"] = [o for o in crossings if o[1] not in spared] or crossings
    weights = [LIKELY.get(kind, USUAL) for kind in kinds]
    if not kinds:
        return None
    return dice.choice(kinds[dice.choices(list(kinds), weights)[0]])


def at_mines(game: Game) -> set[int]:
    """Torpedoes and mines that aim at a mine, so that more of them meet."""
    mines = game.boats.a.helm.mines | game.boats.b.helm.mines | game.public.old_mines
    points = [place for place, point in enumerate(actions.POINTS) if mines >> point & 1]
    return {actions.BLOCKS[name].start + place for name in ("mine", "torpedo") for place in points}


def spared_symbols(setup: Setup, dice: Random) -> set[int]:
    """Symbols that the engineers of this game spare as long as they can."""
    kinds = {s.kind for s in setup.sheet.symbols} if setup.sheet else set()
    kept = dice.sample(sorted(kinds, key=str), dice.randint(0, 2)) if kinds else []
    names = {s.name for s in setup.sheet.symbols if s.kind in kept} if setup.sheet else set()
    return {action_of(setup, say.CrossOut(name)) for name in names}


def play_game(seed: int, most: int = 150) -> int:
    """Play one game of any kind in both engines; how many orders it had."""
    dice = Random(seed)
    both, given = BothEngines(any_setup(dice)), 0
    spared = spared_symbols(both.setup, dice)
    try:
        for given in range(most):  # noqa: B007 (it is returned)
            chosen = choose(both.options(), dice, spared, at_mines(both.game))
            if chosen is None:
                break
            both.perform(*chosen)
    except Exception as failure:
        failure.add_note(f"in game {seed}, after {given} orders: play_game({seed})")
        raise
    both.options()
    return given


def play_games(seeds: range) -> int:
    """Play these games; how many orders they had."""
    return sum(map(play_game, seeds))
