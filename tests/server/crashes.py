"""A server that is killed again and again while games are played."""

import asyncio
import os
import signal
import socket
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fathom import client as fathom_client
from fathom.client import Client
from fathom.engine import orders as give
from fathom.engine.events import AnyEvent
from fathom.engine.game import new_game
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.view import overhear
from fathom.engine.orders import AnyOrder
from fathom.rules.setup import House
from fathom.server import wire
from fathom.server.duel import EVENTS, HEADERS
from fathom.server.log import Log, StoredStep
from fathom.server.wire import Settings
from fathom.words import Crew
from tests.server.logs import sqlite
from tests.server.serving import STARTED, choose, started

SETTINGS = Settings(house=House(leaving="wait"), pace="at-once", first=Crew.A)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class ServerProcess:
    """A server in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, log: str = "sqlite", **settings: str) -> None:
        self.folder, self.port, self.log = folder, free_port(), log
        self.settings = settings
        """What an operator would say by the environment."""
        self.url = f"http://127.0.0.1:{self.port}"
        self.options: tuple[str, ...] = ()
        """What an operator would say on the command line."""
        self.before: tuple[str, ...] = ()
        """A command that starts the command that follows it."""
        self.process: asyncio.subprocess.Process | None = None
        self.notes = ""
        """What it wrote to stderr."""
        self.reading: asyncio.Task[None] | None = None

    async def start(self) -> None:
        environment = {
            "FATHOM_RATE_FACTOR": "1000",
            "FATHOM_TABLES_PER_HOUR": "100000",
            "FATHOM_CONNECTIONS_PER_ADDRESS": "10000",
            "FATHOM_BOT_PROCESSES": "1",
            "FATHOM_LOG": self.log,
            **self.settings,
        }
        self.process = await asyncio.create_subprocess_exec(
            *self.before,
            *(sys.executable, "-m", "fathom.cli", "serve"),
            *("--port", str(self.port), "--data", str(self.folder)),
            *self.options,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, **environment},
            # A group of its own: a test can send it what a terminal would send.
            start_new_session=True,
        )
        STARTED.append(self.process)
        self.reading = asyncio.create_task(self.read_notes(self.process))
        assert self.process.stdout is not None
        assert b"Fathom is at" in await self.process.stdout.readline()

    async def read_notes(self, process: asyncio.subprocess.Process) -> None:
        """Take in what it writes to stderr, and show it if the test fails."""
        assert process.stderr is not None
        async for line in process.stderr:
            self.notes += line.decode()
            sys.stderr.write(line.decode())

    async def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        await self.ended()

    async def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def ended(self) -> int:
        """Wait for its end and for that of the processes that it started; how it ended."""
        assert self.process is not None
        assert self.process.stdout is not None
        assert self.reading is not None
        await self.reading
        await self.process.stdout.read()
        return await self.process.wait()


class Player:
    """Gives random orders, and notes what was acknowledged."""

    def __init__(self, client: Client, game: str, seed: str) -> None:
        self.client, self.game, self.dice = client, game, Random(seed)
        self.acknowledged: list[str] = []
        self.ending = False
        self.rest = 0.05
        """Seconds between two orders, at most."""

    async def play(self) -> None:
        seen = self.client.games[self.game]
        while not self.ending:
            order = self.choose()
            if order is None or seen.over:
                await asyncio.sleep(0.02)
                continue
            name = self.client.new_id()
            answer = await self.client.ask(wire.GiveOrder(id=name, game=self.game, order=order))
            if isinstance(answer, wire.Done):
                assert self.client.welcome is not None
                self.acknowledged.append(f"{self.client.welcome.you}/{name}")
            await asyncio.sleep(self.dice.random() * self.rest)

    async def came_again(self, times: int) -> None:
        """Wait until the client has connected so many times."""
        await self.client.until(lambda: self.client.comings >= times, 60)

    def choose(self) -> AnyOrder | None:
        """Mostly what carries the game on; a mark on the sheet when it is the other's turn."""
        seen = self.client.games[self.game]
        order = choose(seen, self.dice)
        if order is not None and not isinstance(order, give.Surface):
            return order
        if seen.offer.writing and self.dice.random() < 0.3:
            return give.PutMark(self.dice.randrange(50), 0)
        return order


async def crash_story(folder: Path, games: int, kills: int, orders: int) -> dict[str, int]:
    """Play, kill, start, play on; then everything that was acknowledged is there, once.

    Between two kills at least so many orders are acknowledged, and everybody has come again.
    """
    dice = Random(kills)
    server = ServerProcess(folder)
    await server.start()
    players = [player for n in range(games) for player in await new_duel(server, n)]
    tasks = [asyncio.create_task(player.play()) for player in players]
    for number in range(kills):
        await more_orders(players, orders)
        await asyncio.sleep(dice.random() * 0.05)
        await server.kill()
        await server.start()
        for player in players:
            await player.came_again(number + 2)
    await more_orders(players, orders)
    for player in players:
        player.ending = True
    await asyncio.gather(*tasks)
    heard = [(player, list(player.client.games[player.game].heard)) for player in players]
    await asyncio.gather(*(player.client.close() for player in players))
    assert await server.stop() == 0
    async with sqlite(folder) as log:
        found = await compare(log, players, heard)
    found["comings"] = min(player.client.comings for player in players)
    return found


async def more_orders(players: list[Player], orders: int) -> None:
    """Wait until so many more orders have been acknowledged."""
    target = sum(len(player.acknowledged) for player in players) + orders
    # Nobody could be told of it: the players are asked.
    while sum(len(player.acknowledged) for player in players) < target:  # noqa: ASYNC110
        await asyncio.sleep(0.005)


async def new_duel(server: ServerProcess, number: int) -> list[Player]:
    """Two players and a game between them."""
    clients = []
    for side in ("Ann", "Bob"):
        identity = await fathom_client.register(server.url, f"{side} {number}")
        client = Client(server.url, identity.token)
        await client.__aenter__()
        clients.append(client)
    made = await fathom_client.new_table(server.url, clients[0].token, SETTINGS)
    game = await started(clients, made.table)
    return [Player(client, game, f"{number}/{n}") for n, client in enumerate(clients)]


async def compare(
    log: Log, players: list[Player], heard: list[tuple[Player, list[Heard]]]
) -> dict[str, int]:
    """What the players saw against what the log has."""
    steps = {player.game: await log.read(player.game) for player in players}
    for player in players:
        keys = Counter(step.key for step in steps[player.game] if step.key)
        assert all(keys[key] == 1 for key in player.acknowledged)
        assert max(keys.values(), default=0) <= 1
    for player, news in heard:
        stored = await log.game(player.game)
        assert stored is not None
        ground = new_game(HEADERS.decode(stored.header).setup).ground
        seat = player.client.games[player.game].opened.seat
        assert seat is not None
        told = [overhear(ground, event, seat) for event in events_of(steps[player.game])]
        truth = [said for said in told if said is not None]
        wrong = next(
            (n for n, pair in enumerate(zip(news, truth, strict=False)) if pair[0] != pair[1]), None
        )
        assert news == truth[: len(news)], (
            f"{seat} of {player.game}, come {player.client.comings} times, heard {len(news)} of "
            f"{len(truth)}: from {wrong} on {news[wrong : (wrong or 0) + 5]} and not "
            f"{truth[wrong : (wrong or 0) + 5]}"
        )
    return {
        "acknowledged": sum(len(player.acknowledged) for player in players),
        "steps": sum(map(len, steps.values())),
    }


def events_of(steps: list[StoredStep]) -> Iterator[AnyEvent]:
    for step in steps:
        yield from EVENTS.decode(step.events)
