"""Three servers on one database, games under way at all of them, and everything that can die."""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import aiohttp

from fathom import client as fathom_client
from fathom.bots.ranks import Rank
from fathom.client import Client
from fathom.rules.setup import House
from fathom.server import wire
from fathom.server.leases import SECONDS
from fathom.server.log import Log, StoredStep
from fathom.server.postgres_log import PostgresLog
from fathom.server.wire import Clocks, Settings
from fathom.words import Crew, Post
from tests.server.crashes import Player, ServerProcess, compare
from tests.server.logs import postgres_at
from tests.server.postgres import Postgres
from tests.server.serving import begun

SETTINGS = Settings(
    house=House(leaving="wait"),
    pace="at-once",
    first=Crew.A,
    clocks=Clocks(game_seconds=36_000),
)
PROCESSES = 3
PATIENCE = 60.0
"""Seconds in which every game must go on; however busy the machine is."""
AWAY = 1.5
"""Seconds for which the database stays away after every server has noticed."""
SLACK = 500.0
"""Milliseconds by which clocks may be wrong; the database is away for much longer."""
BELLS = """select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'fathom' and query like '%pg_snapshot_xmin%'
    and query like '%pg_notify%'"""


class Roamer(Client):
    """A client behind a load balancer: it may land at any of the servers."""

    def __init__(self, urls: Sequence[str], token: str) -> None:
        super().__init__(urls[0], token)
        self.urls = urls
        self.unsaved = 0
        """How often it was told that an order was not saved."""
        self.listeners.append(self.count)

    async def connect(self) -> None:
        self.url = self.dice.choice(self.urls)
        await super().connect()

    def count(self, news: wire.AnyNews) -> None:
        self.unsaved += isinstance(news, wire.Problem) and news.error == "not-saved"


class ClusterUnderFaults:
    """The servers, the players, and how the games go."""

    def __init__(self, folder: Path, address: str, rest: float) -> None:
        self.servers = [ServerProcess(folder / str(n), address) for n in range(PROCESSES)]
        self.urls = [server.url for server in self.servers]
        self.rest = rest
        self.dice = Random(7)
        self.players: list[Player] = []
        self.finished: list[Player] = []
        """Those whose game was over before the end of the story."""
        self.tasks: list[asyncio.Task[None]] = []
        self.begun = 0
        """How many games there were so far."""
        self.outages: list[tuple[float, float]] = []
        """When the database was away, in milliseconds since 1970."""

    async def start(self) -> None:
        await asyncio.gather(*(server.start() for server in self.servers))

    # Games

    async def begin(self, games: int) -> None:
        """Games under way: against bots, one against one, and with crews of two."""
        groups = [(1, True), (1, False), (1, True), (2, False), (1, True)]
        gate = asyncio.Semaphore(4)

        async def one(number: int) -> list[Player]:
            async with gate:
                return await self.new_game(number, *groups[number % len(groups)])

        made = await asyncio.gather(*(one(self.begun + number) for number in range(games)))
        self.begun += games
        for player in [player for players in made for player in players]:
            player.rest = self.rest
            self.players.append(player)
            self.tasks.append(asyncio.create_task(player.play()))

    async def replace_finished(self) -> None:
        """Begin a game for each that is over: there must be somebody who notices a fault."""
        over = [player for player in self.players if player.client.games[player.game].over]
        self.finished += over
        self.players = [player for player in self.players if player not in over]
        for player in over:
            player.ending = True
        await self.begin(len({player.game for player in over}))

    async def new_game(self, number: int, size: int, bots: bool) -> list[Player]:
        """One game: people in crews of a size, or against a bot."""
        clients: list[Client] = []
        for n in range(size if bots else 2 * size):
            url = self.urls[(number + n) % PROCESSES]
            identity = await fathom_client.register(url, f"Player {number} {n}")
            roamer = Roamer(self.urls, identity.token)
            await roamer.__aenter__()
            clients.append(roamer)
        made = await fathom_client.new_table(self.urls[0], clients[0].token, SETTINGS)
        code = made.table
        for n, client in enumerate(clients):
            await client.open(code)
            posts = tuple(Post)[n % size :: size]
            crew = Crew.A if n < size else Crew.B
            await client.do(wire.Sit(table=code, crew=crew, posts=posts))
            await client.do(wire.GetReady(table=code))
        if bots:
            await clients[0].do(wire.PlaceBot(table=code, crew=Crew.B, rank=Rank.CADET))
        await clients[0].do(wire.Start(table=code))
        game = await begun(clients, code)
        return [Player(client, game, f"{number}/{n}") for n, client in enumerate(clients)]

    def heard(self) -> list[int]:
        """How much each player has heard."""
        return [player.client.games[player.game].position for player in self.players]

    async def go_on(self) -> None:
        """Every player has an order acknowledged and hears more, or their game is over."""
        before = [
            (player, len(player.acknowledged), heard)
            for player, heard in zip(self.players, self.heard(), strict=True)
        ]
        until = time.monotonic() + PATIENCE
        while waiting := [player for player, *mark in before if not went_on(player, *mark)]:
            assert time.monotonic() < until, f"{len(waiting)} stand still: {describe(waiting)}"
            await asyncio.sleep(0.05)

    # Faults

    async def kill_one(self) -> None:
        """A server dies, and another is started in its place."""
        victim = self.dice.choice(self.servers)
        await victim.kill()
        await self.go_on()
        await victim.start()

    async def stop_one(self, seconds: float, address: str) -> None:
        """A server stands still, at least until all that it looked after is another's."""
        victim = self.dice.choice(self.servers)
        assert victim.process is not None
        async with postgres_at(address) as log:
            victim.process.send_signal(signal.SIGSTOP)
            await asyncio.sleep(max(seconds, SECONDS))
            async with asyncio.timeout(PATIENCE):
                await taken_over(log)
        victim.process.send_signal(signal.SIGCONT)

    async def restart(self, postgres: Postgres, seconds: float) -> None:
        """The database is stopped hard, and comes back."""
        unsaved = self.unsaved()
        await asyncio.to_thread(postgres.stop_hard)
        gone = time.time()
        while not all([await is_away(url) for url in self.urls]):  # noqa: ASYNC110
            await asyncio.sleep(0.1)
        shown = self.heard()
        await asyncio.sleep(seconds)
        assert self.unsaved() > unsaved, "whoever gave an order was told that it was not saved"
        assert self.heard() == shown, "nobody is shown what is not saved"
        self.outages.append((1000 * gone, 1000 * time.time()))
        await asyncio.to_thread(postgres.start)

    def unsaved(self) -> int:
        clients = (player.client for player in self.everyone)
        return sum(client.unsaved for client in clients if isinstance(client, Roamer))

    @property
    def everyone(self) -> list[Player]:
        """Who plays, and who has played."""
        return [*self.finished, *self.players]

    # The end

    async def finish(self, log: Log) -> dict[str, int]:
        """Stop; then what everyone saw is in the log, once, and those of a crew agree."""
        for player in self.players:
            player.ending = True
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*self.tasks)
        await self.settle(log)
        everyone = self.everyone
        heard = [(player, list(player.client.games[player.game].heard)) for player in everyone]
        found = await compare(log, everyone, heard)
        self.compare_crews()
        for game in {player.game for player in everyone}:
            self.check_clock(await log.read(game))
        await asyncio.gather(*(player.client.close() for player in everyone))
        assert [await server.stop() for server in self.servers] == [0] * PROCESSES
        return {**found, "unsaved": self.unsaved(), "games": self.begun}

    def check_clock(self, steps: list[StoredStep]) -> None:
        """While the database was away, clocks stood still."""
        first, last = steps[0].at, steps[-1].at
        away = sum(max(0, min(end, last) - max(start, first)) for start, end in self.outages)
        assert sum(step.spent for step in steps[1:]) <= last - first - away + SLACK

    async def settle(self, log: Log) -> None:
        """Wait until nothing is written any more, and everybody has heard of it."""
        before: list[int] = []
        games = sorted({player.game for player in self.players})
        while True:
            now = [len(await log.read(game)) for game in games] + self.heard()
            if now == before:
                return
            before = now
            await asyncio.sleep(1.0)

    def compare_crews(self) -> None:
        """Two of a crew see the same of what both see."""
        seen: dict[tuple[str, Crew], dict[str, object]] = {}
        for player in self.everyone:
            game = player.client.games[player.game]
            assert game.opened.seat is not None
            known = seen.setdefault((player.game, game.opened.seat.crew), {})
            for name, sheet in game.sheets.items():
                assert known.setdefault(name, sheet) == sheet, name


def went_on(player: Player, acknowledged: int, heard: int) -> bool:
    seen = player.client.games[player.game]
    return seen.over or (len(player.acknowledged) > acknowledged and seen.position > heard)


def describe(players: list[Player]) -> list[tuple[object, ...]]:
    return [
        (p.game, p.client.url, p.client.comings, list(p.client.pending), p.choose())
        for p in players[:5]
    ]


async def taken_over(log: PostgresLog) -> None:
    """Wait until no table's lease is with one who has not renewed it."""
    orphans = """select 1 from leases join holders using (holder)
        where name ^@ 'table/' and holders.until < clock_timestamp()"""
    while await log.ask(orphans):  # noqa: ASYNC110  (nobody could tell us)
        await asyncio.sleep(0.05)


async def is_away(url: str) -> bool:
    """Whether a server says that its log is away."""
    async with aiohttp.ClientSession() as session, session.get(f"{url}/health") as answer:
        return answer.status == 503


@asynccontextmanager
async def fleet_at(
    folder: Path, address: str, games: int, rest: float
) -> AsyncIterator[ClusterUnderFaults]:
    """Servers with games under way; whatever happens, no process is left behind."""
    fleet = ClusterUnderFaults(folder, address, rest)
    try:
        await fleet.start()
        await fleet.begin(games)
        await fleet.go_on()
        yield fleet
    finally:
        for task in fleet.tasks:
            task.cancel()
        await asyncio.gather(*(player.client.close() for player in fleet.everyone))
        for server in fleet.servers:
            if server.process is not None and server.process.returncode is None:
                os.kill(server.process.pid, signal.SIGCONT)
                await server.kill()


async def standby_story(
    folder: Path, primary: Postgres, standby: Postgres, *, games: int, rest: float
) -> dict[str, int]:
    """The primary dies, and a standby that has everything is promoted."""
    address = primary.fresh()
    here, there = f"127.0.0.1:{primary.port}", f"127.0.0.1:{standby.port}"
    async with fleet_at(folder, address.replace(here, f"{here},{there}"), games, rest) as fleet:
        await asyncio.to_thread(primary.stop_hard)
        await asyncio.to_thread(standby.promote)
        await fleet.go_on()
        async with postgres_at(address.replace(here, there)) as log:
            return await fleet.finish(log)


async def fault_story(
    folder: Path,
    postgres: Postgres,
    *,
    games: int,
    rounds: int,
    stopped: float,
    rest: float,
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, int]:
    """One fault after another; after each, every game goes on."""
    address = postgres.fresh()
    async with fleet_at(folder, address, games, rest) as fleet:
        say(f"{games} games are under way")
        for number in range(rounds):
            await fleet.replace_finished()
            await fleet.kill_one()
            await fleet.go_on()
            say(f"round {number + 1}: a server was killed")
            await fleet.stop_one(stopped, address)
            await fleet.go_on()
            say(f"round {number + 1}: a server stood still")
            await asyncio.to_thread(postgres.psql, "postgres", BELLS)
            await fleet.go_on()
            say(f"round {number + 1}: the bells were cut")
            await fleet.replace_finished()
            await fleet.restart(postgres, AWAY)
            await fleet.go_on()
            say(f"round {number + 1}: the database was stopped hard")
        async with postgres_at(address) as log:
            return await fleet.finish(log)
