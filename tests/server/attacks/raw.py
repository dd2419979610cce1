"""Clients that keep to no protocol: bare sockets."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
UPGRADE = (
    "GET /socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@asynccontextmanager
async def connected(url: str, own: str | None = None) -> AsyncIterator[Streams]:
    """A connection on which nothing has been said; at the end it goes without a word.

    ``own`` is the address from which it comes: all of 127.0.0.0/8 are this machine's, on Linux.
    """
    parts = urlsplit(url)
    local = (own, 0) if own else None
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, local_addr=local)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


@asynccontextmanager
async def upgraded(url: str) -> AsyncIterator[Streams]:
    """A websocket that has not said hello."""
    async with connected(url) as (reader, writer):
        writer.write(UPGRADE.format(host=urlsplit(url).netloc).encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(b"HTTP/1.1 101 "), answer
        yield reader, writer


async def ended(reader: asyncio.StreamReader) -> bool:
    """Wait for the end; whether there was nothing before it."""
    try:
        return await reader.read() == b""
    except ConnectionError:
        return True


async def asked(url: str, request: bytes, own: str | None = None) -> bytes:
    """Whatever the server answers to these bytes, until it closes the connection."""
    async with connected(url, own) as (reader, writer):
        writer.write(request)
        return await reader.read()
