"""What workers do: play one game, keep its logbook, and tell how it went in one line."""

import gc
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from fathom.arena.folder import keep_fault, keep_logbook
from fathom.arena.soak import Soak
from fathom.arena.table import Fault
from fathom.arena.tournament import Game, Played, Tournament
from fathom.engine.logbook import write


class Job(Struct, frozen=True):
    """What is played, and where it is kept."""

    event: Tournament | Soak
    folder: str


@lru_cache(1)
def read_job(job: bytes) -> Job:
    return msgspec.json.decode(job, type=Job)


def play_game(job: bytes, number: int) -> bytes:
    """The line of the game of that number."""
    chosen = read_job(job)
    game, folder = chosen.event.game(number), Path(chosen.folder)
    match = chosen.event.match(game)
    # Thinking is timed; the collector of garbage works between games.
    gc.collect()
    gc.disable()
    outcome = match.play()
    gc.enable()
    # Nobody looks at ten thousand games in which nothing went wrong.
    if outcome.fault is not None or isinstance(chosen.event, Tournament):
        keep_logbook(folder, number, write(match.logbook))
    if outcome.fault is not None:
        keep_fault(folder, number, tell_fault(game, outcome.fault))
    return msgspec.json.encode(Played(game, outcome))


def tell_fault(game: Game, fault: Fault) -> str:
    """What went wrong, for who wrote the bot."""
    who = f"{game.crews[fault.crew]}, crew {fault.crew.value}, seat {fault.seat}"
    where = f"{game.setting.rulebook}, {game.setting.scene}, {game.setting.mode.value}"
    return f"{who} ({where}, seed {game.seed})\n{fault.kind}: {fault.what}\n\n{fault.trace}"
