"""Websockets, frame by frame: what RFC 6455 asks of a server."""

import asyncio
import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from fathom import client as fathom_client
from fathom.server.frames import CLOSE, PING, PONG, TEXT, framed, unmasked
from fathom.server.limits import LONGEST_DRAWING
from tests.server.serving import Server, run, serving

MASK = b"\x12\x34\x56\x78"
PING_7 = b'{"type":"ping","number":7}'


def masked(message: bytes, first: int) -> bytes:
    """A client's frame; ``first`` is its first byte."""
    size = len(message)
    length = bytes((0x80 | size,)) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    if size >= 65_536:
        length = b"\xff" + size.to_bytes(8, "big")
    return bytes((first,)) + length + MASK + unmasked(message, MASK)


class Wire:
    """A client that speaks in bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, *frames: bytes) -> None:
        self.writer.write(b"".join(frames))

    async def frame(self) -> tuple[int, bytes]:
        """The next frame: its first byte without the mark of being whole, and what it says."""
        first, length = await self.reader.readexactly(2)
        if length == 126:
            length = int.from_bytes(await self.reader.readexactly(2), "big")
        assert first & 0xF0 == 0x80
        return first & 0x0F, await self.reader.readexactly(length)

    async def said(self) -> Any:
        kind, message = await self.frame()
        assert kind == TEXT
        return json.loads(message)

    async def closed_with(self, *, answering: bool = True) -> int:
        """The code with which the server closes, and the end after it."""
        kind, message = await self.frame()
        assert kind == CLOSE
        if answering:
            self.writer.write(masked(message[:2], 0x80 | CLOSE))
        assert await self.reader.read() == b""
        return int.from_bytes(message[:2], "big")


@asynccontextmanager
async def wired(server: Server, **headers: str) -> AsyncIterator[Wire]:
    """A connection that has been upgraded."""
    port = int(server.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    key = base64.b64encode(b"the sample nonce").decode()
    asked = {
        "Host": "127.0.0.1",
        "Upgrade": "websocket",
        "Connection": "keep-alive, Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key,
        **headers,
    }
    lines = [f"{name}: {value}\r\n" for name, value in asked.items()]
    writer.write(f"GET /socket HTTP/1.1\r\n{''.join(lines)}\r\n".encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101 ")
    # The accept value that RFC 6455, 1.3, works out for this key.
    assert b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in answer
    try:
        yield Wire(reader, writer)
    finally:
        writer.close()


def story(tell: Any, folder: Path) -> None:
    async def told() -> None:
        async with serving(folder) as server, wired(server) as wire:
            await tell(wire)
            assert server.harbour.metrics.faults == 0

    run(told())


def test_a_message_in_parts_with_a_ping_between_is_one_message(tmp_path: Path) -> None:
    async def tell(wire: Wire) -> None:
        wire.send(masked(PING_7[:5], TEXT), masked(b"are you there", 0x80 | PING))
        wire.send(masked(PING_7[5:9], 0), masked(PING_7[9:], 0x80))
        assert await wire.frame() == (PONG, b"are you there")
        assert (await wire.said())["number"] == 7

    story(tell, tmp_path)


def test_frames_may_be_torn_anywhere(tmp_path: Path) -> None:
    async def tell(wire: Wire) -> None:
        for byte in masked(PING_7, 0x80 | TEXT) * 2:
            wire.send(bytes((byte,)))
            await wire.writer.drain()
            await asyncio.sleep(0)
        assert [(await wire.said()).get("number", 0) for _ in range(2)] == [7, 7]

    story(tell, tmp_path)


def test_many_messages_in_one_go_are_answered_in_order(tmp_path: Path) -> None:
    async def tell(wire: Wire) -> None:
        asked = [f'{{"type":"ping","number":{n}}}'.encode() for n in range(500)]
        wire.send(*(masked(message, 0x80 | TEXT) for message in asked))
        assert [(await wire.said()).get("number", 0) for _ in asked] == list(range(500))

    story(tell, tmp_path)


def test_what_comes_while_a_message_takes_its_time_waits_its_turn(tmp_path: Path) -> None:
    async def told() -> None:
        async with serving(tmp_path) as server, wired(server) as wire:
            ann = await fathom_client.register(server.url, "Ann")
            hello = f'{{"type":"hello","protocol":1,"token":"{ann.token}"}}'
            pings = [f'{{"type":"ping","number":{n}}}' for n in range(300)]
            wire.send(*(masked(text.encode(), 0x80 | TEXT) for text in (hello, *pings)))
            assert (await wire.said())["type"] == "welcome"
            assert [(await wire.said()).get("number", 0) for _ in pings] == list(range(300))

    run(told())


@pytest.mark.parametrize(
    ("bytes_sent", "code"),
    [
        (framed(PING_7), 1002),
        (masked(PING_7, 0xC0 | TEXT), 1002),
        (masked(PING_7, 0x83), 1002),
        (masked(PING_7, 0x80), 1002),
        (masked(b"a", TEXT) + masked(b"b", TEXT), 1002),
        (masked(b"x" * 126, 0x80 | PING), 1002),
        (masked(b"x", PING), 1002),
        (masked(b"x" * (LONGEST_DRAWING + 1), 0x80 | TEXT), 1009),
        (b"\x81\xff" + (2**62).to_bytes(8, "big") + MASK, 1009),
        (masked(b"x" * 20_000, TEXT) + masked(b"x" * 20_000, 0), 1009),
        (masked((1001).to_bytes(2, "big"), 0x80 | CLOSE), 1000),
    ],
    ids=[
        "not masked",
        "reserved bit",
        "unknown kind",
        "a part of nothing",
        "a message within a message",
        "a long ping",
        "a ping in parts",
        "too long",
        "much too long",
        "too long in parts",
        "going away",
    ],
)
def test_who_breaks_the_protocol_is_told_why_and_left(
    tmp_path: Path, bytes_sent: bytes, code: int
) -> None:
    async def tell(wire: Wire) -> None:
        wire.send(bytes_sent)
        # Who closes first says so once.
        assert await wire.closed_with(answering=code != 1000) == code

    story(tell, tmp_path)


def test_text_that_is_none_is_a_bad_message(tmp_path: Path) -> None:
    async def tell(wire: Wire) -> None:
        wire.send(masked(b'{"type":"ping","id":"\xff"}', 0x80 | TEXT), masked(b"\0", 0x82))
        assert [(await wire.said())["error"] for _ in range(2)] == ["bad-message"] * 2

    story(tell, tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"Sec-WebSocket-Version": "8"},
        {"Sec-WebSocket-Key": "too short"},
        {"Upgrade": "h2c"},
        {"Connection": "close"},
    ],
)
def test_who_asks_wrongly_gets_no_socket(tmp_path: Path, wrong: dict[str, str]) -> None:
    async def asked() -> None:
        async with serving(tmp_path) as server, aiohttp.ClientSession() as session:
            right = {
                "Upgrade": "websocket",
                "Connection": "Upgrade",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": base64.b64encode(b"the sample nonce").decode(),
            }
            async with session.get(f"{server.url}/socket", headers={**right, **wrong}) as answer:
                assert answer.status == 400
                assert (await answer.json())["error"] == "bad-message"

    run(asked())
