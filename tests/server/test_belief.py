"""What each crew of a finished game could have known, told with the truth beside it."""

from pathlib import Path
from random import Random

import pytest
from msgspec import UnsetType
from msgspec.structs import replace

from fathom.client import Failed, call
from fathom.engine import orders as give
from fathom.engine.knowledge.announce import announce
from fathom.points import Point
from fathom.server import wire
from fathom.words import CREWS, Crew
from tests.server.serving import QUICK, duel_of, play_on, run, serving, settled


def test_after_the_end_everyone_sees_what_each_crew_could_have_known(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = replace(QUICK, first=Crew.A)
            _, game, players = await duel_of(server, settings=settings)
            await play_on(players, game, Random(21), 60)
            path = f"/api/games/{game}/belief"
            if not players[0].games[game].over:
                with pytest.raises(Failed, match="game-not-over"):
                    await call(server.url, path, wire.RecordBelief)
                await players[1].order(game, give.RESIGN)
                await settled(players, game)
            record = await call(server.url, f"/api/games/{game}", wire.GameRecord)
            belief = await call(server.url, path, wire.RecordBelief)
            assert belief.game == game
            for crew in CREWS:
                check(record, belief.crews[crew], crew)

    run(story())


def check(record: wire.GameRecord, known: tuple[wire.Knowledge, ...], crew: Crew) -> None:
    """After every step that was heard: the truth is possible, and all adds up."""
    heard = [
        step.number
        for step in record.steps
        if any(announce(event) is not None for event in step.events)
    ]
    assert [knowledge.step for knowledge in known] == heard
    places = whereabouts(record, crew.other)
    for knowledge in known:
        assert knowledge.points == len(knowledge.likely)
        at = places[knowledge.step]
        assert at is None or at in knowledge.likely, knowledge.step
        assert 950 <= sum(knowledge.likely.values()) <= 1000 + knowledge.points
    # Sixty orders tell something: not every point is possible any more.
    assert known[-1].points < known[0].points


def whereabouts(record: wire.GameRecord, crew: Crew) -> dict[int, Point | None]:
    """For each step, where a crew was after it, once it had dived."""
    found: dict[int, Point | None] = {}
    at: Point | None = None
    for step in record.steps:
        helm = step.boats[crew].helm
        if not isinstance(helm, UnsetType):
            at = helm.at
        found[step.number] = at
    return found


def test_nobody_sees_the_belief_of_a_game_that_is_not_there(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            with pytest.raises(Failed, match="unknown-game"):
                await call(server.url, "/api/games/abcdefgh/belief", wire.RecordBelief)

    run(story())
