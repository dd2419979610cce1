"""Tournaments: who meets whom, where, how often. Every game follows from its number."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from random import Random
from typing import Literal

from msgspec import Struct

from fathom.arena.entrants import Entrant
from fathom.arena.match import Match, MatchOutcome
from fathom.bots.pace import PaceFactor
from fathom.rules import library
from fathom.rules.setup import BadSetup, Choices, House, Setup, prepare
from fathom.words import ByCrew, Mode

Pairing = tuple[str, str]
"""The names of two entrants."""


class Setting(Struct, frozen=True):
    """Where and by which rules a game is played."""

    rulebook: str
    mode: Mode
    scene: str
    """A scenario, or a chart by its own name."""
    players: int = 2
    stations: Literal["open", "closed"] = "open"

    def prepare(self) -> Setup:
        """The set-up; bots need no even crews."""
        charted = self.scene not in library.scenario_names()
        choices = Choices(
            rulebook=self.rulebook,
            mode=self.mode,
            scenario=None if charted else self.scene,
            chart=self.scene if charted else None,
            players=self.players,
            house=House(lift_crew_rules=True, stations=self.stations),
        )
        return prepare(choices)


class TournamentGame(Struct, frozen=True):
    """One game of a tournament."""

    number: int
    crews: ByCrew[str]
    """The entrants' names."""
    setting: Setting
    seed: int


class Played(Struct, frozen=True, omit_defaults=True):
    """A game that was played, or that could not be played to its end."""

    game: TournamentGame
    outcome: MatchOutcome | None = None
    crash: str = ""
    """Why there is no outcome: the process that played it died."""


class Tournament(Struct, frozen=True, tag="tournament"):
    """All that decides which games are played."""

    entrants: tuple[Entrant, ...]
    pairings: tuple[Pairing, ...]
    settings: tuple[Setting, ...]
    games: int
    """Of each pairing, shared out evenly over the settings."""
    seed: int = 1
    pace: PaceFactor = PaceFactor()

    def __len__(self) -> int:
        return self.pairs * len(self.pairings) * 2

    @property
    def pairs(self) -> int:
        """Pairs of games with sides swapped, for each pairing."""
        return -(-self.games // 2)

    def game(self, number: int) -> TournamentGame:
        """The game of that number: neighbours are a pair, and every pairing comes in turn."""
        rest, swapped = divmod(number, 2)
        pair, pairing = divmod(rest, len(self.pairings))
        first, second = self.pairings[pairing]
        crews = ByCrew(second, first) if swapped else ByCrew(first, second)
        setting = self.settings[pair % len(self.settings)]
        return TournamentGame(number, crews, setting, seed_of(self.seed, pair))

    def match(self, game: TournamentGame) -> Match:
        """The table of a game, ready to be played."""
        entrants = {entrant.name: entrant for entrant in self.entrants}
        crews = game.crews.map(lambda name: entrants[name])
        return Match(game.setting.prepare(), crews, game.seed, self.pace)


def seed_of(seed: int, pair: int) -> int:
    """Both games of a pair have the same dice, and so have the same pairs of all pairings."""
    return Random(f"{seed}/{pair}").getrandbits(32)


def round_robin(entrants: Sequence[Entrant]) -> tuple[Pairing, ...]:
    """Everyone against everyone."""
    return tuple(combinations([entrant.name for entrant in entrants], 2))


def ladder(entrants: Sequence[Entrant]) -> tuple[Pairing, ...]:
    """Each against the next."""
    return tuple((above, below) for below, above in pairwise(entrant.name for entrant in entrants))


def pairing_of(text: str, entrants: Sequence[Entrant]) -> Pairing:
    """The pairing ``one:other``; names may have colons themselves."""
    names = [entrant.name for entrant in entrants]
    for one in names:
        for other in names:
            if text == f"{one}:{other}" and one != other:
                return one, other
    known = ", ".join(names)
    raise ValueError(f"{text[:80]!r} is no pairing ONE:OTHER of entrants; those are {known}")


def settings(
    rulebooks: Sequence[str],
    modes: Sequence[Mode],
    scenes: Sequence[str],
    players: int = 2,
    stations: Literal["open", "closed"] = "open",
) -> tuple[Setting, ...]:
    """All combinations that can be played, the modes changing fastest; at least one."""
    found = list(playable(rulebooks, modes, scenes, players, stations))
    good = tuple(setting for setting, bad in found if bad is None)
    if not good:
        raise next(bad for _, bad in found if bad is not None)
    return good


def playable(
    rulebooks: Sequence[str],
    modes: Sequence[Mode],
    scenes: Sequence[str],
    players: int,
    stations: Literal["open", "closed"],
) -> Iterator[tuple[Setting, BadSetup | None]]:
    """Each combination, and why it can't be played, if it can't."""
    for scene in scenes:
        if scene not in (*library.scenario_names(), *library.chart_names()):
            known = ", ".join(library.scenario_names())
            what = f"there is no scenario or chart called {scene[:40]!r}; known: {known}"
            raise BadSetup("start.choices", what)
        for rulebook in rulebooks:
            for mode in modes:
                setting = Setting(rulebook, mode, scene, players, stations)
                try:
                    setting.prepare()
                except BadSetup as bad:
                    yield setting, bad
                else:
                    yield setting, None
