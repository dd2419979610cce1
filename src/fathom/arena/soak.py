"""A soak: games of every kind, in which nothing but the rules decides. No bot may fail in any."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random
from typing import Any, Final, Literal, get_args, get_origin

from msgspec import Struct, structs

from fathom.arena.entrants import Entrant
from fathom.arena.match import Match
from fathom.arena.report import Rows
from fathom.arena.tournament import Played, Setting, TournamentGame
from fathom.bots.pace import PaceFactor
from fathom.rules import library
from fathom.rules.rulebook import Rulebook
from fathom.rules.setup import BadSetup, Choices, CrewPlan, House, SeatPlan, Setup, prepare
from fathom.words import ByCrew, Mode

COUNTS: Final[dict[str, tuple[int, ...]]] = {
    "torpedo_range": (1, 2, 3, 5),
    "silence_least": (0, 1),
    "silence_most": (1, 2, 4, 6),
    "surfacing_turns": (1, 2, 3),
    "blast_direct": (1, 2, 3),
    "blast_near": (0, 1),
}
"""Numbers that a table might agree on."""
OWN_RULES: Final = 0.5
"""How many tables play by rulings of their own."""
OTHERWISE: Final = 0.15
"""How many of their rulings those tables change."""


class Soak(Struct, frozen=True, tag="soak"):
    """So many games; each follows from its number."""

    entrants: tuple[Entrant, ...]
    games: int
    seed: int = 1

    def __len__(self) -> int:
        return self.games

    def game(self, number: int) -> TournamentGame:
        """The game of that number, in short."""
        dice = self.dice(number)
        setup = any_setup(dice)
        crews = ByCrew(dice.choice(self.entrants).name, dice.choice(self.entrants).name)
        players = sum(len(plan.seats) for plan in setup.crews)
        setting = Setting(
            setup.book.name, setup.mode, setup.chart.name, players, setup.house.stations
        )
        return TournamentGame(number, crews, setting, dice.getrandbits(32))

    def match(self, game: TournamentGame) -> Match:
        """The table of a game, ready to be played."""
        entrants = {entrant.name: entrant for entrant in self.entrants}
        setup = any_setup(self.dice(game.number))
        return Match(setup, game.crews.map(lambda name: entrants[name]), game.seed, PaceFactor())

    def dice(self, number: int) -> Random:
        return Random(f"{self.seed}/soak/{number}")


def any_setup(dice: Random) -> Setup:
    """A table that the rules allow, of any kind."""
    while True:
        try:
            return prepare(any_choices(dice))
        except BadSetup:
            continue


def any_choices(dice: Random) -> Choices:
    """What players might choose; not every combination can be played."""
    book = library.rulebook(dice.choice(library.rulebook_names()))
    mode = dice.choice(tuple(Mode))
    pace = book.real_time if mode is Mode.REAL_TIME else book.turn_by_turn
    return Choices(
        rulebook=book.name,
        mode=mode,
        scenario=dice.choice(library.scenario_names()),
        goal=dice.choice(book.goals).name,
        sheet=dice.choice(pace.sheets) if pace.sheets else None,
        rulings=dict(any_rulings(dice)) if dice.random() < OWN_RULES else {},
        house=House(
            radio_help=dice.choice(("paper", "tape", "computer")),
            stations=dice.choice(("open", "closed")),
            quick_ends=dice.random() < 0.5,
            trace_judge=dice.choice(("program", "enemy-engineer")),
            trace_redo=dice.choice(("all", "bad")),
            lift_crew_rules=True,
        ),
        crews=ByCrew(any_crew(dice, book), any_crew(dice, book)),
    )


def any_crew(dice: Random, book: Rulebook) -> CrewPlan:
    """One to four players, the posts shared out in any way."""
    size = dice.randint(1, len(book.posts))
    posts = dice.sample(book.posts, len(book.posts))
    cuts = [0, *sorted(dice.sample(range(1, len(posts)), size - 1)), len(posts)]
    shares = [tuple(posts[start:end]) for start, end in pairwise(cuts)]
    seats = tuple(SeatPlan(f"Sailor {number}", share) for number, share in enumerate(shares, 1))
    return CrewPlan("Boat", seats, shy_mate=book.shy_mate and dice.random() < 0.5)


def any_rulings(dice: Random) -> Iterator[tuple[str, Any]]:
    """Rulings of a table's own."""
    for field in structs.fields(Rulebook):
        values = COUNTS.get(field.name) or values_of(field.type)
        if not field.required and values and dice.random() < OTHERWISE:
            yield field.name, dice.choice(values)


def values_of(kind: Any) -> tuple[Any, ...]:
    """All values that a ruling of this type can have, if they are few."""
    if kind is bool:
        return (True, False)
    if get_origin(kind) is Literal:
        return get_args(kind)
    return ()


def soak_table(played: Iterable[Played]) -> Rows:
    """By rulebook and mode: how many games, how they ended, and what went wrong."""
    sums: dict[tuple[str, str], Counter[str]] = {}
    for each in played:
        setting = each.game.setting
        for key in ((setting.rulebook, setting.mode.value), ("all", "")):
            sums.setdefault(key, Counter()).update(signs(each))
    heading = ("rulebook", "mode", "games", "orders", "called off", *TROUBLES)
    rows = [
        (book, mode, *(str(found[name]) for name in heading[2:]))
        for (book, mode), found in sorted(sums.items(), key=lambda item: item[0][0] == "all")
    ]
    return [heading, *rows]


TROUBLES: Final = ("illegal orders", "exceptions", "no orders", "crashes")


def signs(played: Played) -> Counter[str]:
    """One game in numbers."""
    found = Counter({"games": 1})
    outcome = played.outcome
    if outcome is None:
        found["crashes"] += 1
        return found
    found["orders"] += outcome.orders
    found["called off"] += outcome.ending == "called-off"
    if outcome.fault is not None:
        found[f"{outcome.fault.kind.replace('-', ' ')}s"] += 1
    return found


def troubled(played: Iterable[Played]) -> list[Played]:
    """The games in which something went wrong."""
    return [each for each in played if each.outcome is None or each.outcome.fault is not None]
