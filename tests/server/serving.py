"""A real server on a real port, and clients that play at it."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import msgspec

from fathom import client as fathom_client
from fathom.bots.strokes import stroke
from fathom.client import Client, Seen
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.server import wire
from fathom.server.api import HARBOUR
from fathom.server.app import listen, make_app, make_runner
from fathom.server.config import Config, read_config
from fathom.server.harbour import Harbour
from fathom.server.operating_system import EventLoop, loop_factory
from fathom.server.wire import Settings
from fathom.words import Crew, Post

LOOP: EventLoop = read_config().event_loop
"""``FATHOM_EVENT_LOOP=asyncio`` runs all of this as on a system without uvloop."""


def run(story: Coroutine[Any, Any, None], loop: EventLoop = LOOP) -> None:
    """Play a story that takes no longer than it may."""

    async def limited() -> None:
        try:
            async with asyncio.timeout(120):
                await story
        finally:
            await end_processes()

    with asyncio.Runner(loop_factory=loop_factory(loop)) as runner:
        runner.run(limited())


STARTED: list[asyncio.subprocess.Process] = []
"""Processes of the story that is played."""


async def end_processes() -> None:
    """End what a story that failed has left behind: uvloop would wait for it for ever."""
    while STARTED:
        process = STARTED.pop()
        if process.returncode is None:
            process.kill()
            await process.wait()


GENEROUS = {
    "tables_per_hour": 10_000,
    "connections_per_address": 5_000,
    "rate_factor": 1000.0,
    "bot_processes": 1,
}
"""Tests hurry; what limits do has tests of its own."""


class Server:
    """A server under test."""

    def __init__(self, url: str, harbour: Harbour) -> None:
        self.url, self.harbour = url, harbour
        self.clients: list[Client] = []

    async def player(self, name: str = "Ann") -> Client:
        """A new player, connected."""
        identity = await fathom_client.register(self.url, name)
        return await self.tab(identity.token)

    async def tab(self, token: str, *, resumes: bool = True) -> Client:
        """One more connection of a player."""
        client = Client(self.url, token, resumes=resumes)
        await client.__aenter__()
        self.clients.append(client)
        return client

    async def table(self, host: Client, settings: Settings | None = None) -> str:
        """A new table, open at its host."""
        made = await fathom_client.new_table(self.url, host.token, settings)
        await host.open(made.table)
        return made.table

    async def close_clients(self) -> None:
        await asyncio.gather(*(client.close() for client in self.clients))


@asynccontextmanager
async def serving(
    folder: Path, tls: ssl.SSLContext | None = None, /, **config: Any
) -> AsyncIterator[Server]:
    """A server with its log in ``folder``, on a port of its own."""
    given = {
        "tables_per_hour": 10_000,
        "connections_per_address": 5_000,
        "rate_factor": 1000.0,
        **config,
    }
    app = make_app(Config(data=str(folder), port=0, **given))
    runner = make_runner(app, shutdown_timeout=0.5)
    await runner.setup()
    await listen(runner, "127.0.0.1", 0, tls)
    server = Server(f"http{'s' if tls else ''}://127.0.0.1:{runner.addresses[0][1]}", app[HARBOUR])
    try:
        yield server
    finally:
        await server.close_clients()
        await runner.cleanup()


POSTS = tuple(Post)
QUICK = Settings(pace="at-once")


class FakeTime:
    """A clock that only tests move, in place of the module ``time``."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def monotonic(self) -> float:
        return self.now


async def holds(condition: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110  (servers tell tests nothing)
            await asyncio.sleep(0.02)


async def duel_of(
    server: Server, size: int = 1, settings: Settings = QUICK
) -> tuple[str, str, list[Client]]:
    """A game between two crews of people: table, game, and the players, crew a first."""
    players = [await server.player(f"Player {n + 1}") for n in range(2 * size)]
    code = await server.table(players[0], settings)
    for number, player in enumerate(players):
        if number:
            await player.open(code)
        side = Crew.A if number < size else Crew.B
        posts = posts_of(settings.rulebook)[number % size :: size]
        await player.do(wire.Sit(table=code, crew=side, posts=posts))
        await player.do(wire.GetReady(table=code))
    await players[0].do(wire.Start(table=code))
    game = await begun(players, code)
    return code, game, players


def posts_of(rulebook: str) -> tuple[Post, ...]:
    return (Post.CAPTAIN, Post.RADIO_OPERATOR) if rulebook == "sonar" else POSTS


async def started(players: list[Client], code: str) -> str:
    """Each player takes a whole boat at the table, and the first one starts the game."""
    for player, crew in zip(players, Crew, strict=True):
        await player.open(code)
        await player.do(wire.Sit(table=code, crew=crew))
        await player.do(wire.GetReady(table=code))
    await players[0].do(wire.Start(table=code))
    return await begun(players, code)


async def begun(players: list[Client], code: str) -> str:
    """Wait until everyone sees the game."""
    for player in players:
        await player.until(partial(sees_game, player, code))
    return players[0].tables[code].game or ""


def sees_game(player: Client, code: str) -> bool:
    table = player.tables.get(code)
    return table is not None and bool(table.game) and table.game in player.games


def choose(seen: Seen, dice: Random) -> AnyOrder | None:
    """Any order that is offered, but for resigning; a stroke if the sheet is in hand."""
    if seen.offer.sections:
        section = seen.offer.sections[0]
        return give.TraceSection(section, stroke(seen.opened.setup.hull, section, dice), "X")
    orders = [order for order in seen.offer.orders if not isinstance(order, give.Resign)]
    if not orders:
        return None
    kinds = sorted({type(order).__name__ for order in orders})
    kind = dice.choice(kinds)
    return dice.choice([order for order in orders if type(order).__name__ == kind])


async def play_on(
    players: list[Client], game: str, dice: Random, orders: int = 10_000
) -> list[tuple[Client, AnyOrder]]:
    """Let players give random orders, one after another, until the end or so many orders."""
    given: list[tuple[Client, AnyOrder]] = []
    idle = 0
    while len(given) < orders and not players[0].games[game].over:
        player = dice.choice(players)
        order = choose(player.games[game], dice)
        if order is None:
            idle += 1
            if idle % 50 == 0:
                await asyncio.sleep(0.01)
            continue
        idle = 0
        answer = await player.order(game, order)
        if isinstance(answer, wire.Done):
            given.append((player, order))
            await settled(players, game)
    return given


async def settled(players: list[Client], game: str) -> None:
    """Everyone has heard what there was to hear: answers come after it, on the same socket."""
    del game
    await asyncio.gather(*(player.do(wire.FollowLobby(on=False)) for player in players))


async def health(url: str) -> tuple[int, str]:
    """What a server says of itself."""
    async with aiohttp.ClientSession() as session, session.get(f"{url}/health") as answer:
        return answer.status, (await answer.json())["status"]


async def becomes_well(url: str) -> None:
    """Wait until a server says that it is well."""
    async with asyncio.timeout(60):
        while await health(url) != (200, "ok"):  # noqa: ASYNC110  (servers tell tests nothing)
            await asyncio.sleep(0.05)


def sheets(client: Client, game: str) -> Any:
    """All that a client shows of a game, in plain values."""
    seen = client.games[game]
    return msgspec.to_builtins((seen.position, seen.sheets, seen.radio, seen.offer), enc_hook=str)
