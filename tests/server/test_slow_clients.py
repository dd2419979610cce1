"""A client that stops reading holds nobody up, is not buffered without end, and may come back."""

import asyncio
import time
from pathlib import Path

import aiohttp
import pytest

from fathom.client import Client
from fathom.engine import orders as give
from fathom.engine.actions import transparent_sheet as radio_sheets
from fathom.rules.setup import House
from fathom.server import connection as server_connection
from fathom.server import wire
from fathom.server.connection import LARGEST_WAITING, MOST_WAITING
from fathom.server.wire import Settings, encode
from fathom.words import Mode
from tests.server.serving import Server, duel_of, holds, run, serving, sheets

REAL_TIME = Settings(mode=Mode.REAL_TIME, house=House(pause_seconds=0.0))


class Frozen:
    """A connection that says hello and opens a table, and from then on reads nothing."""

    def __init__(self, server: Server, token: str) -> None:
        self.server, self.token = server, token

    async def open(self, code: str) -> None:
        self.session = aiohttp.ClientSession(read_bufsize=1024)
        self.socket = await self.session.ws_connect(
            self.server.url.replace("http", "ws") + "/socket", max_msg_size=0
        )
        for message in (
            wire.Hello(protocol=wire.PROTOCOL, token=self.token),
            wire.OpenTable(table=code),
        ):
            await self.socket.send_str(encode(message).decode())
        while True:
            news = wire.NEWS.decode((await self.socket.receive()).data)
            if isinstance(news, wire.Told):
                break
        reader = self.socket._response.connection
        assert reader is not None
        self.transport = reader.transport
        self.transport.pause_reading()  # type: ignore[union-attr]

    async def close(self) -> None:
        await self.session.close()


@pytest.fixture(autouse=True)
def much_ink(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only who draws more than anybody may fills what the system itself keeps of a connection."""
    monkeypatch.setattr(radio_sheets, "MOST_DRAWN", 10**9)
    monkeypatch.setattr(radio_sheets, "MOST_INK", 10**9)


@pytest.mark.slow
def test_one_of_eight_freezes_and_nobody_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_connection, "SILENT_SECONDS", 600.0)
    monkeypatch.setattr(server_connection, "SEND_SECONDS", 600.0)

    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, players = await duel_of(server, 4, REAL_TIME)
            _, usual_game, usual_players = await duel_of(server, 4, REAL_TIME)
            radio = operator_of(players, game)
            frozen = Frozen(server, radio.token)
            await frozen.open(code)
            connections = list(server.harbour.connections)
            (stuck,) = [c for c in connections if c.who == radio.welcome.you][1:]  # type: ignore[union-attr]
            largest = 0
            while not server.harbour.metrics.resyncs:
                await draw(radio, game, 50)
                await take_sheets(radio, game)
                largest = max(largest, stuck.waiting)
            assert stuck.sending is not None
            assert largest <= LARGEST_WAITING
            assert len(stuck.outbox) <= MOST_WAITING
            # Not by a millisecond, and the others hear all of it. What else the machine does makes
            # both games slower: so they take turns.
            times, usual = list[float](), list[float]()
            for _ in range(20):
                times += await draw(radio, game, 10)
                usual += await draw(operator_of(usual_players, usual_game), usual_game, 10)
            assert quick(times) - quick(usual) < 0.001
            mate = players[players.index(radio) - 1]
            await mate.until(lambda: positions(mate, game) == positions(radio, game))
            # When it reads again it gets the whole view, and is in step.
            frozen.transport.resume_reading()  # type: ignore[union-attr]
            assert await caught_up(frozen, radio.games[game].position)
            await frozen.close()

    run(story())


class Deaf(Frozen):
    """A connection that reads nothing from the beginning."""

    async def come(self) -> None:
        self.session = aiohttp.ClientSession(read_bufsize=1024)
        self.socket = await self.session.ws_connect(
            self.server.url.replace("http", "ws") + "/socket", max_msg_size=0
        )
        reader = self.socket._response.connection
        assert reader is not None
        self.transport = reader.transport
        self.transport.pause_reading()  # type: ignore[union-attr]
        await self.say(wire.Hello(protocol=wire.PROTOCOL, token=self.token))

    async def say(self, message: wire.AnyRequest) -> None:
        await self.socket.send_str(encode(message).decode())


@pytest.mark.slow
def test_who_read_nothing_from_the_beginning_gets_the_game_and_the_chat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_connection, "SILENT_SECONDS", 600.0)
    monkeypatch.setattr(server_connection, "SEND_SECONDS", 600.0)

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            other, _, _ = await duel_of(server)
            code, game, players = await duel_of(server)
            words = [f"Line {n}" for n in range(6)]
            await speak(players[0], code, words[:2])
            deaf = Deaf(server, players[1].token)
            await deaf.come()
            while not server.harbour.metrics.resyncs:
                await deaf.say(wire.OpenTable(table=other))
                await asyncio.sleep(0)
            await deaf.say(wire.OpenTable(table=code))
            room = server.harbour.rooms[code]
            before = len(room.guests)
            await holds(lambda: len(room.guests) > before)
            await speak(players[0], code, words[2:4])
            deaf.transport.resume_reading()  # type: ignore[union-attr]
            heard = await until_line(deaf, code, words[3])
            await speak(players[0], code, words[4:])
            heard += await until_line(deaf, code, words[5])
            mine = [news for news in heard if getattr(news, "game", None) == game]
            assert isinstance(mine[0], wire.GameOpened)
            assert any(isinstance(news, wire.Told) for news in mine)
            said = [news for news in heard if isinstance(news, wire.ChatLine)]
            assert [line.text for line in said if line.table == code] == words
            await deaf.close()

    run(story())


async def speak(player: Client, code: str, words: list[str]) -> None:
    for text in words:
        await player.do(wire.SayWords(table=code, channel="table", text=text))


async def until_line(deaf: Deaf, code: str, text: str) -> list[wire.AnyNews]:
    """What comes until a line of chat has come."""
    heard: list[wire.AnyNews] = []
    async with asyncio.timeout(60):
        while True:
            news = wire.NEWS.decode((await deaf.socket.receive()).data)
            heard.append(news)
            if isinstance(news, wire.ChatLine) and (news.table, news.text) == (code, text):
                return heard


async def caught_up(frozen: Frozen, position: int) -> bool:
    """Whether a whole view comes that is up to date."""
    async with asyncio.timeout(20):
        while True:
            news = wire.NEWS.decode((await frozen.socket.receive()).data)
            if isinstance(news, wire.Told) and news.whole and news.position == position:
                return True


async def draw(radio: Client, game: str, count: int) -> list[float]:
    """Draw lines on the radio operator's sheet; how long each took to be acknowledged."""
    times = []
    line = tuple((n % 250, n * 7 % 250) for n in range(180))
    for number in range(count):
        began = time.perf_counter()
        order = give.WipeSheet() if number % 50 == 0 else give.DrawLine(line)
        answer = await radio.order(game, order)
        times.append(time.perf_counter() - began)
        assert isinstance(answer, wire.Done), answer
    return times


async def take_sheets(radio: Client, game: str) -> None:
    """Take many new sheets: each time, all of them are told, and they are full of lines."""
    for _ in range(30):
        assert isinstance(await radio.order(game, give.NewSheet()), wire.Done)


def operator_of(players: list[Client], game: str) -> Client:
    """A player who may write on a transparent sheet."""
    return next(player for player in players if player.games[game].offer.writing)


def positions(client: Client, game: str) -> int:
    return client.games[game].position


def quick(times: list[float]) -> float:
    """What the quicker tenth took: other work on the machine only makes the others slower."""
    return sorted(times)[len(times) // 10]


def test_a_connection_that_never_reads_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_connection, "SEND_SECONDS", 0.2)
    monkeypatch.setattr(server_connection, "SILENT_SECONDS", 600.0)

    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, players = await duel_of(server, 4, REAL_TIME)
            radio = next(p for p in players if p.games[game].offer.writing)
            frozen = Frozen(server, radio.token)
            await frozen.open(code)
            before = len(server.harbour.connections)
            while not server.harbour.metrics.too_slow:
                await draw(radio, game, 50)
                await take_sheets(radio, game)
            await radio.until(lambda: len(server.harbour.connections) < before)
            await frozen.close()

    run(story())


def test_a_client_that_says_nothing_is_told_to_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_connection, "SILENT_SECONDS", -1.0)

    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, players = await duel_of(server)
            comings = players[0].comings
            before = sheets(players[0], game)
            await players[0].until(lambda: players[0].comings > comings)
            monkeypatch.setattr(server_connection, "SILENT_SECONDS", 9.0)
            comings = players[0].comings
            answer = await players[0].order(game, give.SlideSheet(1, 1))
            assert isinstance(answer, wire.Done)
            assert before != sheets(players[0], game)

    run(story())
