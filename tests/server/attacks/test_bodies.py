"""Bodies that nobody asked for: none is inflated, and only so much is parsed."""

import asyncio
import gzip
import json
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import web_protocol
from aiohttp.compression_utils import ZLibDecompressor

from fathom.server.http_connections import MOST_WASTED
from fathom.server.limits import LONGEST_DRAWING
from tests.server.attacks.raw import asked, connected
from tests.server.serving import run, serving

BOMB = gzip.compress(bytes(10_000_000), 9)
HEAD = "{method} {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{header}\r\n\r\n"
TINY_CHUNKS = b"1\r\nx\r\n" * 10_000
PLACES = [("POST", "/api/identity"), ("POST", "/nowhere"), ("GET", "/health"), ("GET", "/")]


def head(place: tuple[str, str], header: str) -> bytes:
    return HEAD.format(method=place[0], path=place[1], header=header).encode()


def answer_of(said: bytes) -> tuple[int, dict[str, object]]:
    """Status and error of an answer."""
    headers, _, body = said.partition(b"\r\n\r\n")
    assert b"\r\nServer: Fathom" in headers
    return int(said.split(b" ")[1]), json.loads(body)


@pytest.fixture
def inflated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Bytes that were inflated."""
    found: list[int] = []
    real = ZLibDecompressor.decompress_sync

    def counted(self: ZLibDecompressor, data: bytes, *rest: int) -> bytes:
        text = real(self, data, *rest)
        found.append(len(text))
        return text

    monkeypatch.setattr(ZLibDecompressor, "decompress_sync", counted)
    return found


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Bytes that the web server's own protocol was given."""
    found: list[int] = []
    real = web_protocol.RequestHandler.data_received

    def counted(self: web_protocol.RequestHandler, data: bytes) -> None:
        found.append(len(data))
        real(self, data)

    monkeypatch.setattr(web_protocol.RequestHandler, "data_received", counted)
    return found


@pytest.mark.parametrize("place", PLACES, ids=str)
def test_a_compressed_body_is_refused_and_not_inflated(
    place: tuple[str, str], tmp_path: Path, inflated: list[int]
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            request = head(place, f"Content-Encoding: gzip\r\nContent-Length: {len(BOMB)}") + BOMB
            status, error = answer_of(await asked(server.url, request))
            assert status == 400
            assert error["arguments"] == {"where": "Content-Encoding"}
            assert inflated == []

    run(story())


@pytest.mark.parametrize("place", PLACES[:2], ids=str)
def test_a_body_in_chunks_is_refused(place: tuple[str, str], tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            request = head(place, "Transfer-Encoding: chunked") + b"1\r\nx\r\n"
            status, error = answer_of(await asked(server.url, request))
            assert status == 400
            assert error["arguments"] == {"where": "Transfer-Encoding"}

    run(story())


@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize(
    "header", ["Transfer-Encoding: chunked", "Content-Length: 9999999999"], ids=["chunks", "long"]
)
def test_of_an_endless_body_little_is_parsed(
    place: tuple[str, str], header: str, tmp_path: Path, parsed: list[int]
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, connected(server.url) as (_, writer):
            writer.write(head(place, header))
            with suppress(ConnectionError):
                while not writer.transport.is_closing():
                    writer.write(TINY_CHUNKS)
                    await writer.drain()
                    await asyncio.sleep(0)
            assert sum(parsed) < LONGEST_DRAWING < MOST_WASTED
            assert server.harbour.metrics.faults == 0

    run(story())


@pytest.mark.parametrize("path", ["/health", "/socket"])
def test_a_body_where_none_is_read_is_refused(path: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            request = head(("GET", path), "Content-Length: 5") + b"x"
            status, error = answer_of(await asked(server.url, request))
            assert status == 400
            assert error["arguments"] == {"where": "Content-Length"}

    run(story())


def test_a_body_that_will_be_too_long_is_not_waited_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            request = head(("POST", "/api/identity"), "Content-Length: 1000000")
            # Even with much of it on the way, the client reads why.
            status, error = answer_of(await asked(server.url, request + bytes(500_000)))
            assert status == 413
            assert error["arguments"] == {"most": LONGEST_DRAWING}

    run(story())
