"""However much somebody draws: what is kept of a game and shown of it stays small."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from fathom.client import Client
from fathom.engine import orders as give
from fathom.engine.events import SheetSlid
from fathom.server import duel as duels
from fathom.server import wire
from fathom.server.log import StoredStep
from fathom.server.wire import encode
from fathom.words import Crew
from tests.server.serving import QUICK, Server, duel_of, play_on, run, serving, settled

LARGEST_VIEW = 250_000
"""Bytes of all that is sent to somebody who opens a table."""
LARGEST_GAME = 3_000_000
"""Bytes of events that one crew can fill by drawing."""
LONG = 12_002
WILD = tuple((n % 290, -(n * 7 % 290)) for n in range(200))
"""A line that is as long as may be, and takes as many letters as may be."""


async def opening(server: Server, player: Client, code: str) -> int:
    """How many bytes come when a table is opened."""
    tab = await server.tab(player.token)
    sizes: list[int] = []
    tab.raw.append(lambda text: sizes.append(len(text.encode())))
    await tab.open(code)
    await tab.close()
    return sum(sizes)


@pytest.mark.slow
def test_whoever_draws_without_end_fills_neither_the_disk_nor_others_screens(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            code, game, (ann, bob) = await duel_of(server)
            usual = await opening(server, ann, code)
            largest, wiped = 0, 0
            while wiped < 2:
                wiped = 0
                while isinstance(answer := await ann.order(game, give.DrawLine(WILD)), wire.Done):
                    continue
                assert isinstance(answer, wire.Refused)
                assert answer.rule == "radio.plot"
                largest = max(largest, await opening(server, ann, code))
                for order in (give.WipeSheet(), give.DrawLine(WILD)):
                    wiped += isinstance(await ann.order(game, order), wire.Refused)
            assert usual < largest < LARGEST_VIEW
            steps = await server.harbour.log.read(game)
            assert sum(len(step.events) for step in steps) < LARGEST_GAME
            assert await opening(server, bob, code) < usual + 1000
            assert await play_on([ann, bob], game, Random(1), 5), "and the game goes on"

    run(story())


def test_of_a_crew_that_orders_too_much_nothing_is_kept_but_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the enemy can't tell: a budget for both crews together would show how much one drew."""
    monkeypatch.setattr(duels, "MOST_STEPS", 30)

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            _, game, (ann, bob) = await duel_of(server)
            await settled([ann, bob], game)
            answers = [await ann.order(game, give.SlideSheet(1, n % 5)) for n in range(40)]
            refused = [answer for answer in answers if isinstance(answer, wire.Problem)]
            assert {problem.error for problem in refused} == {"game-too-long"}
            steps = await server.harbour.log.read(game)
            assert sum(step.by == "a0" for step in steps) == 30
            theirs = [await bob.order(game, give.SlideSheet(1, n % 5)) for n in range(31)]
            assert [type(answer) for answer in theirs] == [wire.Done] * 30 + [wire.Problem]
            assert isinstance(await bob.order(game, give.Resign()), wire.Done)
            await ann.until(lambda: ann.games[game].over)

    run(story())


def test_a_game_of_many_steps_goes_on_where_it_was_and_is_told_whole(tmp_path: Path) -> None:
    found: list[str] = []

    async def begin() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            code, game, players = await duel_of(server, settings=replace(QUICK, first=Crew.A))
            await settled(players, game)
            log = server.harbour.log
            have = len(await log.read(game))
            steps = [
                StoredStep("a0", "", 0, 0, encode((SheetSlid(Crew.A, n % 9, n % 7),)))
                for n in range(have, LONG)
            ]
            for start in range(0, len(steps), 200):
                await log.append(game, have + start, steps[start : start + 200])
            found.extend((code, game, players[0].token))

    async def go_on() -> None:
        code, game, token = found
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.tab(token)
            await ann.open(code, 0, game)
            room = server.harbour.rooms[code]
            assert room.duel is not None
            assert room.duel.position == LONG
            slid = [news for news in ann.games[game].heard if isinstance(news, SheetSlid)]
            assert len(slid) > LONG - 20
            assert len(ann.games[game].heard) == ann.games[game].position
            answer = await ann.order(game, give.SlideSheet(2, 2))
            assert isinstance(answer, wire.Done)
            assert answer.position == ann.games[game].position
            assert len(await server.harbour.log.read(game)) == LONG + 1

    run(begin())
    run(go_on())
