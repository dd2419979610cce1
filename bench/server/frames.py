"""A websocket client's side of the wire, as small as it can be: it must not be what is measured.

A client's frames must be masked (RFC 6455, 5.3); a mask of zeros leaves the bytes as they are.
"""

import asyncio
from typing import cast

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ZmF0aG9tIG1lYXN1cmVzIQ==\r\n\r\n"
)


def frame(payload: bytes, kind: int = TEXT) -> bytes:
    """A whole message in one frame."""
    size = len(payload)
    if size < 126:
        return bytes((0x80 | kind, 0x80 | size, 0, 0, 0, 0)) + payload
    if size < 65_536:
        return bytes((0x80 | kind, 0xFE)) + size.to_bytes(2, "big") + b"\0\0\0\0" + payload
    return bytes((0x80 | kind, 0xFF)) + size.to_bytes(8, "big") + b"\0\0\0\0" + payload


class ClientSocket(asyncio.Protocol):
    """One client's socket; whoever inherits from it takes the messages."""

    def __init__(self, host: str, path: str) -> None:
        self.request = UPGRADE.format(host=host, path=path).encode()
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.rest = b""
        self.lost = False

    def take(self, data: bytes, start: int, end: int, kind: int) -> None:
        """A message: the bytes of ``data`` from ``start`` to ``end``."""
        raise NotImplementedError

    def send(self, payload: bytes, kind: int = TEXT) -> None:
        """Send a message."""
        self.transport.write(frame(payload, kind))

    def close(self) -> None:
        """Go, without a word."""
        self.lost = True
        self.transport.abort()

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The socket is there; ask for a websocket."""
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(self.request)

    def connection_lost(self, error: Exception | None) -> None:
        """The socket is gone."""
        if not self.opened.done():
            self.opened.set_exception(error or ConnectionError("the server closed the socket"))
        self.lost = True

    def data_received(self, data: bytes) -> None:
        """Take all frames that are complete."""
        if self.rest:
            data = self.rest + data
        place = 0 if self.opened.done() else self.upgraded(data)
        size = len(data)
        while size - place >= 2:
            start, length = place + 2, data[place + 1]
            if length == 126:
                start, length = place + 4, int.from_bytes(data[place + 2 : place + 4], "big")
            elif length == 127:
                start, length = place + 10, int.from_bytes(data[place + 2 : place + 10], "big")
            end = start + length
            if end > size:
                break
            self.take_frame(data, place, start, end)
            place = end
        self.rest = data[place:] if place < size else b""

    def take_frame(self, data: bytes, place: int, start: int, end: int) -> None:
        kind = data[place] & 15
        if kind == PING:
            self.send(data[start:end], PONG)
        elif kind != CLOSE:
            self.take(data, start, end, kind)

    def upgraded(self, data: bytes) -> int:
        """Where the frames begin; nothing has begun before the answer is complete."""
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return len(data) + 1
        if not data.startswith(b"HTTP/1.1 101"):
            self.opened.set_exception(ConnectionError(data[:60].decode(errors="replace")))
            self.transport.abort()
            return len(data)
        self.opened.set_result(None)
        return end + 4
