"""While the log is away nothing is saved, and everyone is told so; then everything resumes."""

import asyncio
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from fathom import client as fathom_client
from fathom.client import Client, Failed
from fathom.rules.setup import House
from fathom.server import wire
from fathom.words import Crew
from tests.server.faults import is_away
from tests.server.postgres import running
from tests.server.serving import (
    QUICK,
    Server,
    choose,
    duel_of,
    holds,
    play_on,
    run,
    serving,
    settled,
    sheets,
)

SETTINGS = replace(QUICK, house=House(leaving="wait"), first=Crew.A)


def refusals(client: Client) -> Counter[str]:
    """How often each of a client's messages was not saved, from now on."""
    told: Counter[str] = Counter()

    def note(news: wire.AnyNews) -> None:
        if isinstance(news, wire.Problem) and news.error == "not-saved":
            told[news.id or ""] += 1

    client.listeners.append(note)
    return told


@pytest.mark.slow
def test_whoever_opens_a_table_or_comes_while_the_log_is_away_is_there_when_it_is_back(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        with running() as postgres:
            async with serving(tmp_path, log=postgres.fresh(), bot_processes=1) as server:
                code, game, players = await duel_of(server, settings=SETTINGS)
                # At the first turn the referee has nothing to do that could come in between.
                (ann, bob), dice = players, Random(4)
                while not has_begun(ann, game):
                    await play_on(players, game, dice, 1)
                before = len(await server.harbour.log.read(game))
                await asyncio.to_thread(postgres.stop_hard)
                async with asyncio.timeout(60):
                    while not await is_away(server.url):  # noqa: ASYNC110
                        await asyncio.sleep(0.05)

                told, name = refusals(ann), ann.new_id()
                waiting = [
                    begin(ann.ask(some_order(ann, game, name))),
                    begin(ann.open(code)),
                    begin(ann.do(wire.SayWords(table=code, channel="table", text="Anybody?"))),
                    begin(another_tab(server, ann, code)),
                ]
                assert bob.socket is not None
                await bob.socket.close()
                with pytest.raises(Failed, match="not-saved"):
                    await fathom_client.register(server.url, "Eve")
                # Each of the three is tried again, and refused again.
                await holds(lambda: len(told) == 3 and min(told.values()) >= 2)
                assert not any(task.done() for task in waiting)
                await asyncio.to_thread(postgres.start)

                async with asyncio.timeout(60):
                    answer, *_, tab = await asyncio.gather(*waiting)
                assert isinstance(answer, wire.Done)
                await bob.until(lambda: bob.comings > 1 and bob.connected.is_set(), 60)
                steps = await server.harbour.log.read(game)
                assert ann.welcome is not None
                keys = [step.key for step in steps[before:]]
                assert keys == [f"{ann.welcome.you}/{name}"], "it took effect, once"
                await play_on([ann, bob], game, dice, 10)
                await settled([tab, ann, bob], game)
                assert sheets(tab, game) == sheets(ann, game)
                # A line may be said twice, if its first saying was saved and that was not heard of.
                assert tab.chat[code] == bob.chat[code] == ann.chat[code] >= 1

    run(story())


def has_begun(player: Client, game: str) -> bool:
    """Whether both boats have dived; then it is the first crew's turn."""
    dived = player.games[game].sheets["public"].dived
    return bool(dived.a and dived.b)


def some_order(player: Client, game: str, name: str) -> wire.GiveOrder:
    """Any order that the player may give."""
    order = choose(player.games[game], Random(6))
    assert order is not None
    return wire.GiveOrder(id=name, game=game, order=order)


async def another_tab(server: Server, player: Client, code: str) -> Client:
    tab = await server.tab(player.token)
    await tab.open(code)
    return tab


def begin(work: "Coroutine[Any, Any, Any]") -> "asyncio.Task[Any]":
    return asyncio.create_task(work)
