"""What workers do: play one game, keep its logbook, and tell how it went in one line."""

import gc
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fathom.arena.folder import keep_fault, keep_logbook
from fathom.arena.match import Match, MatchOutcome
from fathom.arena.soak import Soak
from fathom.arena.table import Fault
from fathom.arena.thinking import LIMITS
from fathom.arena.tournament import Played, Tournament, TournamentGame
from fathom.engine.logbook import write
from fathom.words import CREWS

PLAYS: Final = 4
"""How often a game is played at most in which somebody thought for too long."""


class ArenaJob(Struct, frozen=True):
    """What is played, and where it is kept."""

    event: Tournament | Soak
    folder: str


@lru_cache(1)
def read_job(job: bytes) -> ArenaJob:
    return msgspec.json.decode(job, type=ArenaJob)


def play_game(job: bytes, number: int) -> bytes:
    """The line of the game of that number."""
    chosen = read_job(job)
    game, folder = chosen.event.game(number), Path(chosen.folder)
    match = chosen.event.match(game)
    outcome = timed(match)
    if isinstance(chosen.event, Tournament):
        outcome = timed_again(chosen.event, game, match, outcome)
    # Nobody looks at ten thousand games in which nothing went wrong.
    if outcome.fault is not None or isinstance(chosen.event, Tournament):
        keep_logbook(folder, number, write(match.logbook))
    if outcome.fault is not None:
        keep_fault(folder, number, tell_fault(game, outcome.fault))
    return msgspec.json.encode(Played(game, outcome))


def timed(match: Match) -> MatchOutcome:
    """Play it; thinking is timed, so the collector of garbage works between games."""
    gc.collect()
    gc.disable()
    try:
        return match.play()
    finally:
        gc.enable()


def timed_again(
    event: Tournament, game: TournamentGame, match: Match, first: MatchOutcome
) -> MatchOutcome:
    """Play it again while somebody thought for too long: the machine may have been held up.

    The same seed is the same game, decision for decision. What one costs is the shortest that it
    took; all else took the machine.
    """
    outcome, plays = first, 1
    while excess(match, outcome) > 1 and plays < PLAYS:
        again = timed(event.match(game))
        outcome, plays = min(outcome, again, key=lambda each: excess(match, each)), plays + 1
    return replace(outcome, plays=plays)


def excess(match: Match, outcome: MatchOutcome) -> float:
    """The longest thought, as a share of what its rank is allowed; 0 where there is no limit."""
    entrants = match.table.crews
    return max(
        outcome.tallies[crew].choosing.longest / LIMITS[entrants[crew].what]
        if entrants[crew].what in LIMITS
        else 0.0
        for crew in CREWS
    )


def tell_fault(game: TournamentGame, fault: Fault) -> str:
    """What went wrong, for who wrote the bot."""
    who = f"{game.crews[fault.crew]}, crew {fault.crew.value}, seat {fault.seat}"
    where = f"{game.setting.rulebook}, {game.setting.scene}, {game.setting.mode.value}"
    return f"{who} ({where}, seed {game.seed})\n{fault.kind}: {fault.what}\n\n{fault.trace}"
