"""Our clients: they come, take their posts, and play what their scripts say."""

import asyncio
import itertools
import time
from collections.abc import Sequence

import aiohttp
import msgspec
from msgspec import Struct

from bench.server.frames import ClientSocket
from bench.server.load import Driver
from bench.server.process import MeasuredProcess, Several
from bench.server.scripts import HOUSE, Format, Script
from fathom.server import wire
from fathom.words import CREW_A, CREW_B, Mode, Post

TOLD, DONE, REFUSED, PROBLEM = b"told", b"done", b"refu", b"prob"
KIND = slice(len(b'{"type":"'), len(b'{"type":"') + 4)
PING = b'{"type":"ping"}'
PING_SECONDS = 2.5
AT_ONCE = 40
"""Games that are set up at the same time."""
SETTINGS = wire.Settings(house=HOUSE, listed=False)


class SetupMessage(Struct):
    """What a client reads of messages while a game is set up."""

    type: str
    id: str | None = None
    game: str | None = None
    error: str = ""
    rule: str = ""


NAMED = msgspec.json.Decoder(SetupMessage)


class SeatClient(ClientSocket):
    """One seat of one game."""

    def __init__(self, server: MeasuredProcess, token: str, crew: int, seat: int) -> None:
        super().__init__(server.host, "/socket")
        self.token, self.crew, self.seat = token, crew, seat
        self.table = ""
        self.game: str | None = None
        self.match: ScriptedGame | None = None
        self.answer: asyncio.Future[SetupMessage] | None = None
        self.opened_game = asyncio.get_running_loop().create_future()

    def take(self, data: bytes, start: int, end: int, kind: int) -> None:
        """While playing only the kind of message is looked at."""
        del kind
        if self.match is None:
            self.take_setup(data[start:end])
            return
        what = data[start + 9 : start + 13]
        if what == TOLD:
            self.match.told(self.crew)
        elif what == DONE:
            self.match.done()
        elif what in (REFUSED, PROBLEM):
            self.match.driver.fail(data[start:end].decode())

    def connection_lost(self, error: Exception | None) -> None:
        """Nobody should be left alone while a game is on."""
        if self.match is not None and not self.lost:
            self.match.driver.fail("the server closed a connection")
        super().connection_lost(error)

    def take_setup(self, message: bytes) -> None:
        """Before the game begins, every answer counts."""
        news = NAMED.decode(message)
        if news.type == "game":
            self.game = news.game
        elif news.type == "told" and not self.opened_game.done():
            self.opened_game.set_result(None)
        elif news.type in ("done", "problem", "refused", "welcome") and self.answer is not None:
            answer, self.answer = self.answer, None
            answer.set_result(news)

    async def ask(self, request: wire.Request) -> None:
        """Send a message and wait for its answer."""
        self.answer = asyncio.get_running_loop().create_future()
        self.send(wire.encode(request))
        answer = await self.answer
        if answer.type in ("problem", "refused"):
            raise RuntimeError(f"{request}: {answer}")


class ScriptedGame:
    """One game, played by its script."""

    def __init__(self, clients: Sequence[SeatClient], script: Script) -> None:
        self.clients, self.script = clients, script
        self.place = 0
        self.waiting = 0
        self.number = 0
        self.ids = itertools.count(1)
        self.driver: Driver
        head = '{"type":"order","id":"%d","game":"' + str(clients[0].game) + '","order":%b}'
        self.form = head.encode()
        for client in clients:
            client.match = self

    def give(self) -> None:
        """Give the next order."""
        if self.place == len(self.script):
            self.driver.end_of_script()
            return
        cue = self.script[self.place]
        self.place += 1
        self.waiting = cue.told + 1
        client = self.clients[cue.seat]
        self.crew = client.crew
        client.send(self.form % (next(self.ids), cue.order))

    def told(self, crew: int) -> None:
        """Somebody heard something."""
        if crew != self.crew:
            self.driver.seen(self.number, time.perf_counter())
        self.done()

    def done(self) -> None:
        """The order is answered, or somebody has heard of it."""
        self.waiting -= 1
        if not self.waiting:
            self.driver.done(self.number)


class Fleet:
    """All clients and games of one measurement."""

    def __init__(self, server: MeasuredProcess | Several, form: Format) -> None:
        self.server, self.form = server, form
        self.empty = server.memory()
        """Bytes of the server before anyone has come."""
        self.clients: list[SeatClient] = []
        self.games: list[ScriptedGame] = []

    async def gather(self, games: int, scripts: Sequence[Script]) -> None:
        """Set so many games up, some at a time."""
        self.limit = asyncio.Semaphore(AT_ONCE)
        self.pinging = asyncio.create_task(self.ping())
        connector = aiohttp.TCPConnector(limit=AT_ONCE)
        async with aiohttp.ClientSession(f"http://{self.server.host}", connector=connector) as http:
            made = [self.new_game(http, scripts[n % len(scripts)]) for n in range(games)]
            self.games = await asyncio.gather(*made)

    async def new_game(self, http: aiohttp.ClientSession, script: Script) -> ScriptedGame:
        """Register, take all posts of a new table, and begin."""
        async with self.limit:
            clients = [await self.new_client(http, seat) for seat in range(self.form.seats)]
            code = await self.new_table(http, clients[0].token)
            for client in clients:
                await self.take_post(client, code)
            await clients[0].ask(wire.Start(id="start", table=code))
            await asyncio.gather(*(client.opened_game for client in clients))
        return ScriptedGame(clients, script)

    async def new_client(self, http: aiohttp.ClientSession, seat: int) -> SeatClient:
        async with http.post("/api/identity", data=b'{"name":"Ann"}') as response:
            token = msgspec.json.decode(await response.read(), type=wire.Identity).token
        # Those of one table sit at different processes, if there are several.
        client = await self.connect(self.server.at(len(self.clients)), token, seat)
        self.clients.append(client)
        return client

    async def connect(self, server: MeasuredProcess, token: str, seat: int) -> SeatClient:
        """A client that is known to the server."""
        _, client = await asyncio.get_running_loop().create_connection(
            lambda: SeatClient(server, token, seat // self.form.crew, seat),
            "127.0.0.1",
            server.port,
        )
        await client.opened
        await client.ask(wire.Hello(protocol=wire.PROTOCOL, token=token))
        return client

    async def look_in(self, server: MeasuredProcess) -> None:
        """Somebody comes to each game at another server, and goes: it has them all in memory."""
        for game in self.games:
            was = game.clients[0]
            client = await self.connect(server, was.token, was.seat)
            await client.ask(wire.OpenTable(id="open", table=was.table))
            client.close()

    async def new_table(self, http: aiohttp.ClientSession, token: str) -> str:
        first = CREW_A if self.form.mode is Mode.TURN_BY_TURN else None
        settings = msgspec.structs.replace(SETTINGS, mode=self.form.mode, first=first)
        body = wire.encode(wire.NewTable(settings))
        headers = {"Authorization": f"Bearer {token}"}
        async with http.post("/api/tables", data=body, headers=headers) as response:
            return msgspec.json.decode(await response.read(), type=wire.TableMade).table

    async def take_post(self, client: SeatClient, code: str) -> None:
        client.table = code
        await client.ask(wire.OpenTable(id="open", table=code))
        crew, number = divmod(client.seat, self.form.crew)
        posts = tuple(Post)[number :: self.form.crew]
        await client.ask(wire.Sit(id="sit", table=code, crew=(CREW_A, CREW_B)[crew], posts=posts))
        await client.ask(wire.GetReady(id="ready", table=code))

    async def ping(self) -> None:
        """Every client shows that it is there, as clients do; not all at once."""
        steps = 50
        for turn in itertools.count():
            for client in self.clients[turn % steps :: steps]:
                client.send(PING)
            await asyncio.sleep(PING_SECONDS / steps)

    def close(self) -> None:
        """Everyone goes."""
        self.pinging.cancel()
        for client in self.clients:
            client.close()
