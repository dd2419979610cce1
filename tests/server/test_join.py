"""``fathom join``: one of our bots, or a program in any language, at a networked table."""

import asyncio
import os
import sys
from pathlib import Path
from random import Random

import pytest

from fathom import client as fathom_client
from fathom.client import Seen
from fathom.engine import orders as give
from fathom.engine.events import CourseSet
from fathom.server import wire
from fathom.server.wire import Settings
from fathom.words import Crew
from tests.server.serving import STARTED, Server, begun, choose, play_on, run, serving

PROGRAM = """
import json, random, sys
dice = random.Random(1)
offer = {}
for line in sys.stdin:
    news = json.loads(line)
    if news["type"] == "told":
        offer = news.get("offer", offer)
        orders = [o for o in offer.get("orders", []) if o["order"] != "resign"]
        kinds = sorted({o["order"] for o in orders})
        if kinds:
            kind = dice.choice(kinds)
            print(json.dumps(dice.choice([o for o in orders if o["order"] == kind])), flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", ["rank", "program"])
def test_a_bot_joins_and_plays_to_the_end(tmp_path: Path, how: str) -> None:
    dice = Random(3)

    async def story() -> None:
        async with serving(tmp_path / "data") as server:
            ann = await server.player("Ann")
            code = await server.table(ann, Settings(rulebook="sonar", pace="at-once"))
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            link = f"{server.url}/t/{code}"
            process = await join(server, tmp_path, link, how)
            await ann.until(lambda: not wire_obstacle(ann.tables[code]), 30)
            await ann.do(wire.Start(table=code))
            game = await begun([ann], code)
            while not sailed(ann.games[game], Crew.B):
                await play_on([ann], game, dice, 1) if choose(ann.games[game], dice) else None
                await asyncio.sleep(0.01)
            await ann.order(game, give.RESIGN)
            out, _ = await asyncio.wait_for(process.communicate(), 20)
            assert b"The game is over" in out
            assert process.returncode == 0

    run(story())


def sailed(seen: Seen, crew: Crew) -> bool:
    """Whether a crew has set a course."""
    return any(isinstance(news, CourseSet) and news.crew is crew for news in seen.heard)


def wire_obstacle(table: wire.TableState) -> bool:
    return table.obstacle is not None


async def join(server: Server, folder: Path, link: str, how: str) -> asyncio.subprocess.Process:
    del server
    if how == "rank":
        with_what = ("--rank", "cadet")
    else:
        program = folder / "bot.py"
        await asyncio.to_thread(program.write_text, PROGRAM)
        with_what = ("--program", f"{sys.executable} {program}")
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "fathom.cli", "join", link, "--name", "Robot", "--crew", "b"),
        *with_what,
        stdout=asyncio.subprocess.PIPE,
    )


@pytest.mark.slow
def test_a_link_that_is_none_is_said_to_be_none() -> None:
    async def story() -> None:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "fathom.cli", "join", "http://127.0.0.1:1/x"),
            stderr=asyncio.subprocess.PIPE,
        )
        _, complaint = await process.communicate()
        assert process.returncode == 1
        assert b"no table's link" in complaint

    run(story())


@pytest.mark.slow
def test_a_bot_plays_for_its_player_until_its_token_is_ended(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token, Settings(listed=False))
            await ann.open(made.table)
            scope = wire.Scope(play=made.table)
            program = await fathom_client.new_program(server.url, ann.token, "Robot", scope)
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "fathom.cli", "join", made.link, "--crew", "b"),
                env={**os.environ, "FATHOM_TOKEN": program.token},
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
            STARTED.append(process)
            await ann.until(lambda: holder(ann.tables[made.table]) == "Ann", 30)
            await fathom_client.end_device(server.url, ann.token, program.id)
            out, complaint = await asyncio.wait_for(process.communicate(), 20)
            assert process.returncode == 1
            assert b"Ann sits at table" in out
            assert b"token-ended" in complaint

    run(story())


def holder(table: wire.TableState) -> str:
    """Who is ready to be the captain of crew b."""
    found = table.crews[Crew.B].berths[0].holder
    return found.name if isinstance(found, wire.Person) and found.ready else ""
