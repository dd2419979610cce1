"""Whatever a client sends, the server answers, goes on, and tells nobody anything."""

import json
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest
from msgspec.structs import replace

from fathom.client import Client
from fathom.server import wire
from fathom.words import Crew
from tests.server.serving import QUICK, Server, duel_of, run, serving, settled, sheets

SAMPLES: list[dict[str, Any]] = [
    {"type": "ping", "number": 1},
    {"type": "follow-lobby"},
    {"type": "sit", "crew": "a", "posts": ["captain"]},
    {"type": "stand"},
    {"type": "swap", "crew": "b", "post": "engineer"},
    {"type": "place-bot", "crew": "a", "rank": "admiral"},
    {"type": "clear-post", "crew": "b", "post": "captain"},
    {"type": "get-ready", "ready": True},
    {"type": "start", "fill": True},
    {"type": "rematch"},
    {"type": "advise"},
    {"type": "chat", "channel": "crew", "text": "hello"},
    {"type": "say", "phrase": {"phrase": "yes"}},
    {"type": "name-boat", "crew": "a", "boat": "Nautilus"},
    {"type": "settings", "settings": {"rulebook": "sonar"}},
    {"type": "order", "id": "1", "order": {"order": "course", "heading": "N"}},
    {"type": "order", "id": "2", "order": {"order": "torpedo", "target": "H8"}},
    {
        "type": "order",
        "id": "3",
        "order": {"order": "trace", "section": 1, "stroke": [[0, 0]], "initials": "A"},
    },
    {"type": "order", "id": "4", "order": {"order": "lost", "crew": "a"}},
    {"type": "order", "id": "5", "order": {"order": "note", "x": 1, "y": 1, "text": "\u202e"}},
    {"type": "hello", "protocol": 1, "token": "x" * 20},
    {"type": "open", "position": 0},
    {"type": "close"},
]  # fmt: skip
VALUES: list[Any] = [
    None, True, -1, 0, 2**63, 1e308, "", "a" * 3000, "\ud800", "K7QMX", [], {}, [[[[]]]],
    {"order": "dive"}, "captain", "<script>", "\x00", "../..",
]  # fmt: skip


def hostile(dice: Random, code: str, game: str) -> str:
    """A message with something wrong: fields lost, doubled, exchanged; bytes cut or turned."""
    message = dict(dice.choice(SAMPLES))
    message.setdefault("id", f"f{dice.randrange(50)}")
    about_game = message["type"] in ("order", "advise")
    message |= {"game": game} if about_game else {"table": code}
    for _ in range(dice.randrange(3)):
        change(message, dice)
    text = json.dumps(message)
    for _ in range(dice.randrange(3)):
        text = torn(text, dice)
    return text


def change(message: dict[str, Any], dice: Random) -> None:
    key = dice.choice(list(message))
    match dice.randrange(4):
        case 0:
            del message[key]
            message["type"] = dice.choice(SAMPLES)["type"]
        case 1:
            message[key] = dice.choice(VALUES)
        case 2:
            message[dice.choice(["token", "seat", "extra", "game", "table"])] = dice.choice(VALUES)
        case _:
            inner = message.get("order")
            if isinstance(inner, dict) and inner:
                inner = message["order"] = dict(inner)
                inner[dice.choice(list(inner))] = dice.choice(VALUES)


def torn(text: str, dice: Random) -> str:
    if not text:
        return text
    place = dice.randrange(len(text))
    match dice.randrange(4):
        case 0:
            return text[:place]
        case 1:
            return text[:place] + dice.choice('{}[]":,\\x\u0000é') + text[place:]
        case 2:
            return text[:place] + text[place + 1 :]
        case _:
            return text + text[place:]


async def attack(server: Server, attacker: Client, names: tuple[str, str], count: int) -> int:
    """Send so many hostile messages, over as many connections as it takes; how many it took."""
    dice = Random(count)
    connections, sent = 0, 0
    hello = wire.encode(wire.Hello(protocol=wire.PROTOCOL, token=attacker.token)).decode()
    address = server.url.replace("http", "ws") + "/socket"
    async with aiohttp.ClientSession() as session:
        while sent < count:
            connections += 1
            async with session.ws_connect(address, max_msg_size=0) as socket:
                await socket.send_str(hello)
                while sent < count and not socket.closed:
                    sent += 1
                    await send_something(socket, hostile(dice, *names), dice)
                    if sent % 50 == 0:
                        await drain(socket)
    return connections


async def send_something(socket: aiohttp.ClientWebSocketResponse, text: str, dice: Random) -> None:
    try:
        if dice.random() < 0.02:
            await socket.send_bytes(dice.randbytes(40))
        else:
            await socket.send_str(text.encode("utf-8", "replace").decode())
    except ConnectionError:
        return


async def drain(socket: aiohttp.ClientWebSocketResponse) -> None:
    """Read what has come, up to the answer to a ping."""
    number = 4711
    try:
        await socket.send_str(json.dumps({"type": "ping", "number": number}))
    except ConnectionError:
        return
    while True:
        message = await socket.receive()
        if message.type is not aiohttp.WSMsgType.TEXT:
            return
        if json.loads(message.data) | {"now": 0} == {"type": "pong", "number": number, "now": 0}:
            return


@pytest.mark.slow
def test_hostile_messages_change_nothing_and_crash_nothing(tmp_path: Path) -> None:
    run(hostile_story(tmp_path, 3000))


async def hostile_story(folder: Path, count: int) -> None:
    """A stranger attacks a game of others, and a table of their own."""
    async with serving(folder) as server:
        code, game, players = await duel_of(server, settings=replace(QUICK, first=Crew.A))
        await settled(players, game)
        before = [sheets(player, game) for player in players]
        eve = await server.player("Eve")
        own = await server.table(eve, QUICK)
        await attack(server, eve, (code, game), count // 2)
        await attack(server, eve, (own, game), count // 2)
        assert server.harbour.metrics.faults == 0
        await settled(players, game)
        assert [sheets(player, game) for player in players] == before
        assert {p.games[game].opened.seat.crew for p in players} == set(Crew)  # type: ignore[union-attr]
