"""Finished games: the record for a replay, and the logbook."""

from collections.abc import Sequence

import msgspec

from fathom.engine.apply import apply_all
from fathom.engine.game import Result, new_game
from fathom.engine.logbook import Logbook
from fathom.engine.logbook import write as write_logbook
from fathom.engine.logbook.steps import Step
from fathom.server.duel import EVENTS, HEADERS, named
from fathom.server.log import StoredGame, StoredStep
from fathom.server.sheets import Fragments, facts, shared
from fathom.server.wire import GameRecord, RecordStep, encode
from fathom.words import ByCrew, Seat


def record(stored: StoredGame, steps: Sequence[StoredStep]) -> bytes:
    """The whole game for a replay, as JSON: what every step changed, for both crews."""
    header = HEADERS.decode(stored.header)
    setup = shared(header.setup)
    game = new_game(setup)
    first = Fragments(game.ground, None, game)
    told: list[RecordStep] = []
    for number, step in enumerate(steps, 1):
        events = EVENTS.decode(step.events)
        before, game = game, apply_all(game, events)
        changed = Fragments(game.ground, before, game)
        by = named(step.by)
        told.append(
            RecordStep(
                number=number,
                by=by if isinstance(by, Seat) else None,
                at=step.at,
                events=events,
                public=changed.public,  # type: ignore[arg-type]
                boats=changed.everything(),  # type: ignore[arg-type]
            )
        )
    return encode(
        GameRecord(
            game=stored.game,
            table=stored.table,
            setup=setup,
            facts=facts(game.ground),
            players=ByCrew(*header.names),
            began=stored.began,
            result=result_of(stored),
            public=first.public,  # type: ignore[arg-type]
            boats=first.everything(),  # type: ignore[arg-type]
            steps=tuple(told),
        )
    )


def result_of(stored: StoredGame) -> Result | None:
    """How a game ended."""
    return None if stored.result is None else msgspec.json.decode(stored.result, type=Result)


def logbook(stored: StoredGame, steps: Sequence[StoredStep]) -> bytes:
    """The game as text, for ``fathom replay``."""
    setup = HEADERS.decode(stored.header).setup
    entries = tuple(Step(named(step.by), EVENTS.decode(step.events)) for step in steps)
    return write_logbook(Logbook(setup, entries)).encode()
