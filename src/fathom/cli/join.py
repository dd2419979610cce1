"""``fathom join``: plays an external program, or one of our bots, at a networked table."""

import asyncio
import os
import shlex
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import SystemRandom
from typing import Final
from urllib.parse import urlsplit

import aiohttp
import msgspec

from fathom.bots.phrases import AnyPhrase
from fathom.bots.ranks import Rank
from fathom.bots.roster import enlist
from fathom.cli.terminal import OK, Failure, printable
from fathom.client import Client, Failed, register
from fathom.engine.orders import AnyOrder
from fathom.points import unspell
from fathom.server import wire
from fathom.server.crewman import Crewman
from fathom.words import Crew, Post, Seat

ORDERS: Final[msgspec.json.Decoder[AnyOrder]] = msgspec.json.Decoder(AnyOrder, dec_hook=unspell)
PHRASES: Final[msgspec.json.Decoder[AnyPhrase]] = msgspec.json.Decoder(AnyPhrase, dec_hook=unspell)
LONGEST_LINE: Final = 4_000_000
TOKEN_VARIABLE: Final = "FATHOM_TOKEN"  # noqa: S105
"""With a token that a player made for a program, it plays that player's posts."""


def run(options: Namespace) -> int:
    """Sit down at the table and play until the game is over."""
    try:
        return asyncio.run(join(options))
    except Failed as failed:
        raise Failure(f"the server says no: {failed.error}") from None
    except (aiohttp.ClientError, OSError) as away:
        raise Failure(f"the server can't be reached: {away}") from None


def parse_address(address: str) -> tuple[str, str, str | None]:
    """Server, code and key of a table's link, such as ``http://host:8470/t/K7QMX``."""
    parts = urlsplit(address)
    place, _, code = parts.path.rpartition("/")
    if parts.scheme not in ("http", "https") or not place.endswith("/t") or not code:
        raise Failure(f"{address[:80]!r} is no table's link, such as http://host:8470/t/K7QMX")
    server = f"{parts.scheme}://{parts.netloc}{place.removesuffix('/t')}"
    return server, code.upper(), parts.fragment or None


async def join(options: Namespace) -> int:
    """Come, sit, be ready, play."""
    url, code, key = parse_address(options.url)
    token = os.environ.get(TOKEN_VARIABLE)
    if not token:
        token = (await register(url, options.name, "fathom join")).token
    async with Client(url, token) as client:
        await client.open(code, position=0, key=key)
        posts = tuple(Post(post) for post in options.post or ())
        await client.do(wire.Sit(table=code, crew=Crew(options.crew), posts=posts))
        await client.do(wire.GetReady(table=code))
        name = client.welcome.name if client.welcome is not None else options.name
        print(f"{name} sits at table {code}; waiting for the game to begin.", flush=True)
        await client.until(lambda: client.tables[code].phase == "playing", 3600)
        game = client.tables[code].game or ""
        await client.until(lambda: game in client.games, 60)
        if options.program:
            async with program(options.program) as (write, read):
                await Bridge(client, code, game, write).play(read)
        else:
            await NetworkBot(client, code, game, Rank(options.rank)).play()
        result = client.games[game].sheets["public"].result
        winner = result.winner.value if result and result.winner else "nobody"
        print(f"The game is over: {winner} wins ({result.why if result else '?'}).", flush=True)
    return OK


class NetworkBot:
    """One of our bots, over the network."""

    def __init__(self, client: Client, code: str, game: str, rank: Rank) -> None:
        self.client, self.code, self.game = client, code, game
        seed = SystemRandom().getrandbits(128)
        self.mind = Crewman(lambda ground, seat: enlist(rank, ground, seat, seed))
        self.fresh = asyncio.Event()

    def hear(self, news: wire.AnyNews) -> None:
        """Hand on what concerns the game."""
        if isinstance(news, wire.Told) and news.game == self.game:
            self.mind.hear(news)
            self.fresh.set()
        elif isinstance(news, wire.ChatLine) and news.phrase and news.seat is not None:
            crew = self.mind.seat.crew
            if news.crew is crew:
                self.mind.heed(Seat(crew, news.seat), news.phrase)

    async def play(self) -> None:
        """Choose and order until the game is over."""
        seen = self.client.games[self.game]
        self.mind.open(seen.opened)
        # All that was heard before the bot was there.
        self.mind.hear(
            wire.Told(
                game=self.game,
                position=seen.position,
                events=tuple(seen.heard),
                view=wire.Sheets(),
                offer=seen.offer,
            )
        )
        self.client.listeners.append(self.hear)
        while not seen.over:
            self.fresh.clear()
            order = await asyncio.to_thread(self.mind.choose)
            for phrase in self.mind.speak():
                await self.client.send(wire.SayPhrase(table=self.code, phrase=phrase))
            if order is not None and not self.fresh.is_set():
                await self.client.order(self.game, order)
            await self.wait(1.0 if order is None else 0.0)

    async def wait(self, seconds: float) -> None:
        """Until there is news, or it is time to look again."""
        if seconds:
            try:
                await asyncio.wait_for(self.fresh.wait(), seconds)
            except TimeoutError:
                return


class Bridge:
    """An external program: it reads the server's messages and writes orders, a line each."""

    def __init__(
        self, client: Client, code: str, game: str, write: Callable[[bytes], Awaitable[None]]
    ) -> None:
        self.client, self.code, self.game, self.write = client, code, game, write

    async def play(self, read: Callable[[], Awaitable[bytes]]) -> None:
        """Hand messages there and orders back, until the game or the program ends."""
        seen = self.client.games[self.game]
        await self.write(wire.encode(seen.opened))
        first = wire.Told(
            game=self.game,
            position=seen.position,
            whole=True,
            events=tuple(seen.heard),
            view=wire.Sheets(**seen.sheets),
            offer=seen.offer,
        )
        await self.write(wire.encode(first))
        reader = asyncio.create_task(self.obey(read))
        async for news in self.client.news():
            if self.concerns(news):
                await self.write(wire.encode(news))
            if seen.over or reader.done():
                break
        reader.cancel()

    def concerns(self, news: wire.AnyNews) -> bool:
        """Whether the program should see it."""
        return isinstance(news, wire.Told | wire.ChatLine | wire.Heat | wire.Pause | wire.Refused)

    async def obey(self, read: Callable[[], Awaitable[bytes]]) -> None:
        """Every line of the program is an order or a phrase."""
        while line := await read():
            try:
                if b'"phrase"' in line:
                    phrase = PHRASES.decode(line)
                    await self.client.send(wire.SayPhrase(table=self.code, phrase=phrase))
                else:
                    await self.client.order(self.game, ORDERS.decode(line))
            except msgspec.DecodeError as bad:
                print(f"not understood: {printable(str(bad))}", file=sys.stderr, flush=True)


@asynccontextmanager
async def program(
    command: str,
) -> AsyncIterator[tuple[Callable[[bytes], Awaitable[None]], Callable[[], Awaitable[bytes]]]]:
    """A program with pipes to write to and read from."""
    try:
        process = await asyncio.create_subprocess_exec(
            *shlex.split(command),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST_LINE,
        )
    except (OSError, ValueError) as bad:
        raise Failure(f"the program can't be started: {bad}") from None
    into, out = process.stdin, process.stdout
    assert into is not None  # noqa: S101  (it was started with pipes)
    assert out is not None  # noqa: S101

    async def write(line: bytes) -> None:
        if not into.is_closing():
            into.write(line + b"\n")
            await into.drain()

    try:
        yield write, out.readline
    finally:
        into.close()
        try:
            await asyncio.wait_for(process.wait(), 2)
        except TimeoutError:
            process.kill()
            await process.wait()
