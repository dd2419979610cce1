"""Whatever a store does, every message is answered once, and the log has what clients saw."""

import asyncio
import itertools
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from fathom.bots.phrases import WhichWay
from fathom.client import Client
from fathom.engine import orders as give
from fathom.rules.setup import House
from fathom.server import wire
from fathom.words import Crew
from tests.server.crashes import Player as Sailor
from tests.server.crashes import compare
from tests.server.logs import LOGS
from tests.server.postgres import Postgres
from tests.server.serving import QUICK, Server, becomes_well, choose, duel_of, holds, run, serving
from tests.server.store_faults import KINDS, Faults, in_postgres, in_sqlite

SETTINGS = replace(QUICK, house=House(leaving="wait"), first=Crew.A)
STATEMENTS = 7
"""Statements of which each goes wrong once, in every way: more than an order needs."""
ANSWERS = (wire.Done, wire.Refused, wire.Problem)


class CountedClient:
    """Counts what a client sent, and what it was answered."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.sent: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.acknowledged: list[str] = []
        self.problems: Counter[str] = Counter()
        client.listeners.append(self.hear)
        send = client.send

        async def count(request: wire.AnyRequest) -> None:
            if request.id is not None and client.socket is not None and not client.socket.closed:
                self.sent[request.id] += 1
            await send(request)

        client.send = count  # type: ignore[method-assign]

    def hear(self, news: wire.AnyNews) -> None:
        if not isinstance(news, ANSWERS) or news.id is None:
            return
        self.answered[news.id] += 1
        if isinstance(news, wire.Problem):
            self.problems[news.error] += 1
        if isinstance(news, wire.Done) and news.game is not None:
            assert self.client.welcome is not None
            self.acknowledged.append(f"{self.client.welcome.you}/{news.id}")


@pytest.mark.slow
@pytest.mark.parametrize("store", LOGS)
def test_whatever_the_store_does_every_message_is_answered_once(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    faults = Faults()
    if store == "sqlite":
        address = "sqlite"
        in_sqlite(faults, monkeypatch)
    else:
        postgres: Postgres = request.getfixturevalue("postgres")
        address = postgres.fresh()
        in_postgres(faults, monkeypatch)

    async def story() -> None:
        async with serving(tmp_path, log=address, bot_processes=1) as server:
            code, game, clients = await duel_of(server, settings=SETTINGS)
            players, dice = [CountedClient(client) for client in clients], Random(8)
            for kind, number in itertools.product(KINDS, range(STATEMENTS)):
                faults.arm(kind, number)
                asked = asyncio.gather(
                    *(some_orders(client, game, dice) for client in clients),
                    clients[0].ask(wire.SayWords(table=code, channel="table", text="Aye")),
                    clients[1].ask(wire.SayPhrase(table=code, phrase=WhichWay())),
                    clients[1].ask(wire.FollowLobby()),
                )
                if kind == "hang":
                    await refused_or_done(asked, faults, players)
                    faults.disarm()
                async with asyncio.timeout(60):
                    await asked
                faults.disarm()
                await becomes_well(server.url)
            assert faults.happened >= len(KINDS) * STATEMENTS / 2
            await settle(server, game, clients)
            for player in players:
                assert player.sent == player.answered
                assert set(player.problems) <= {"not-saved", "internal"}
            assert problems(players) > 0
            await check(server, game, players)

    run(story())


async def refused_or_done(
    asked: "asyncio.Future[Any]", faults: Faults, players: list[CountedClient]
) -> None:
    """Wait until somebody is told that the store does not answer, or nobody needed it to."""
    told = problems(players)
    await holds(lambda: asked.done() or (faults.kind is None and problems(players) > told))


def problems(players: list[CountedClient]) -> int:
    return sum(player.problems.total() for player in players)


async def some_orders(client: Client, game: str, dice: Random) -> None:
    """An order of the game, if there is one to give, something on the sheet, and what can't be."""
    order = choose(client.games[game], dice)
    if order is not None:
        await client.order(game, order)
    await client.order(game, give.SlideSheet(dice.randrange(9), dice.randrange(9)))
    await client.order(game, give.Rub(400))


async def settle(server: Server, game: str, clients: list[Client]) -> None:
    """Everyone has heard all that there is."""
    for client in clients:
        answer = await client.order(game, give.SlideSheet(0, 0))
        assert isinstance(answer, wire.Done)
    await asyncio.gather(*(client.do(wire.FollowLobby(on=False)) for client in clients))


async def check(server: Server, game: str, players: list[CountedClient]) -> None:
    """What was acknowledged is in the log once, and what was heard is what is there."""
    sailors = []
    for player in players:
        sailor = Sailor(player.client, game, "")
        sailor.acknowledged = player.acknowledged
        sailors.append(sailor)
    heard = [(sailor, list(sailor.client.games[game].heard)) for sailor in sailors]
    found = await compare(server.harbour.log, sailors, heard)
    assert found["acknowledged"] > 50
