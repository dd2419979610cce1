"""Websockets (RFC 6455) as far as the server needs them: whole messages in, whole frames out.

Messages are handed on as they are read and answered without a task of their own, and a frame is the
same for everybody, so it is made once. There are no extensions, so nothing is compressed.
"""

import asyncio
import base64
import binascii
import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from aiohttp import web

GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
WHOLE, KIND, RESERVED, MASKED = 0x80, 0x0F, 0x70, 0x80
WHOLE_TEXT: Final = WHOLE | TEXT
LONGEST_CONTROL: Final = 125
NORMAL, WRONG, TOO_BIG = 1000, 1002, 1009
"""Codes with which a socket is closed."""


def handshake(request: web.Request) -> bytes | None:
    """The answer to a client that asks for a websocket; None if it asks wrongly."""
    headers = request.headers
    key = headers.get("Sec-WebSocket-Key", "")
    if (
        headers.get("Upgrade", "").lower() != "websocket"
        or "upgrade" not in headers.get("Connection", "").lower()
        or headers.get("Sec-WebSocket-Version") != "13"
        or not is_key(key)
    ):
        return None
    accepted = base64.b64encode(hashlib.sha1(key.encode() + GUID).digest())  # noqa: S324 (RFC 6455)
    return (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Accept: " + accepted + b"\r\n\r\n"
    )


def is_key(key: str) -> bool:
    """Whether this is sixteen bytes in base 64."""
    try:
        return len(base64.b64decode(key, validate=True)) == 16
    except (binascii.Error, ValueError):
        return False


@lru_cache(4096)
def head(size: int, kind: int = TEXT) -> bytes:
    """What comes before a message of so many bytes, for one unmasked frame (5.2)."""
    if size < 126:
        return bytes((WHOLE | kind, size))
    if size < 65_536:
        return bytes((WHOLE | kind, 126)) + size.to_bytes(2, "big")
    return bytes((WHOLE | kind, 127)) + size.to_bytes(8, "big")


def frame(message: bytes, kind: int = TEXT) -> bytes:
    """The message as one frame."""
    return head(len(message), kind) + message


def unmasked(data: bytes, mask: bytes) -> bytes:
    """What the client masked (5.3)."""
    size = len(data)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


class Broken(Exception):
    """A client that does not keep to the protocol; ``code`` tells it why it is left."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Socket(asyncio.Protocol):
    """A client's socket, taken over from the web server's protocol."""

    __slots__ = (
        *("broken", "deaf", "longest", "parted", "parts", "rest", "take", "transport"),
        *("before", "closed", "ended", "gone", "kind", "left", "room"),
    )

    def __init__(self, before: asyncio.BaseProtocol, longest: int) -> None:
        self.before, self.longest = before, longest
        self.take: Callable[[bytes, bool], None] | None = None
        """Called with every message, and whether it is text."""
        self.rest = b""
        self.parts: list[bytes] = []
        self.kind = TEXT
        self.ended = asyncio.Event()
        """Set when no more messages will come, or none are wanted any more."""
        self.left = asyncio.Event()
        """Set when the client has said that it goes, or is gone."""
        self.gone = asyncio.Event()
        self.broken = self.closed = False
        self.deaf = self.parted = False
        """The same as ``ended`` and ``left``, for whoever looks at every frame."""
        self.room = asyncio.Event()
        """Set while the client reads as fast as it is written to."""
        self.room.set()

    def take_over(self, transport: asyncio.Transport, answer: bytes) -> None:
        """Be the transport's protocol from here on."""
        self.transport = transport
        transport.set_protocol(self)
        transport.write(answer)

    def close(self, code: int = NORMAL) -> None:
        """Say, once, that there will be no more."""
        if not self.closed and not self.transport.is_closing():
            self.closed = True
            self.transport.write(frame(code.to_bytes(2, "big"), CLOSE))

    # What the transport calls

    def connection_lost(self, error: Exception | None) -> None:
        """The client is gone; the web server wants to know, too."""
        self.end()
        self.part()
        for event in (self.gone, self.room):
            event.set()
        self.before.connection_lost(error)

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        self.room.clear()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self.room.set()

    def data_received(self, data: bytes) -> None:
        """Take all frames that are complete."""
        if self.broken:
            return
        try:
            self.rest = self.read(self.rest + data if self.rest else data)
        except Broken as broken:
            self.broken = True
            self.close(broken.code)
            self.end()

    def end(self) -> None:
        """Take no more messages."""
        self.deaf = True
        self.ended.set()

    def part(self) -> None:
        """The client has gone, or says that it goes."""
        self.parted = True
        self.left.set()

    # Frames

    def read(self, data: bytes) -> bytes:
        """Take frames one after another; what is left of the last one."""
        place, size = 0, len(data)
        while size - place >= 6 and not self.parted:
            first, start, length = data[place], place + 6, data[place + 1] - MASKED
            if length < 0 or first & RESERVED:
                raise Broken(WRONG)
            if length == 126:
                start, length = place + 8, int.from_bytes(data[place + 2 : place + 4], "big")
            elif length == 127:
                start, length = place + 14, int.from_bytes(data[place + 2 : place + 10], "big")
            if length > self.longest:
                raise Broken(TOO_BIG)
            end = start + length
            if end > size:
                break
            content, place = unmasked(data[start:end], data[start - 4 : start]), end
            if first == WHOLE_TEXT and not self.parts:
                self.hand_on(content, TEXT)
            else:
                self.take_frame(first, content)
        return data[place:]

    def take_frame(self, first: int, content: bytes) -> None:
        kind = first & KIND
        if kind >= CLOSE:
            self.take_control(first, content)
        elif kind <= BINARY:
            self.take_part(first, content)
        else:
            raise Broken(WRONG)

    def take_part(self, first: int, content: bytes) -> None:
        """A message may come in parts (5.4): the first one tells its kind, the others none."""
        kind = first & KIND
        if bool(kind) == bool(self.parts):
            raise Broken(WRONG)
        self.kind = kind or self.kind
        self.parts.append(content)
        if sum(map(len, self.parts)) > self.longest:
            raise Broken(TOO_BIG)
        if first & WHOLE:
            message, self.parts = b"".join(self.parts), []
            self.hand_on(message, self.kind)

    def take_control(self, first: int, content: bytes) -> None:
        """Frames about the connection itself (5.5)."""
        kind = first & KIND
        if not first & WHOLE or len(content) > LONGEST_CONTROL or kind > PONG:
            raise Broken(WRONG)
        if kind == CLOSE:
            self.close(NORMAL)
            self.end()
            self.part()
        elif kind == PING and self.room.is_set():
            self.transport.write(frame(content, PONG))

    def hand_on(self, message: bytes, kind: int) -> None:
        if self.take is not None and not self.deaf:
            self.take(message, kind == TEXT)


def socket_of(request: web.Request, longest: int) -> Socket | None:
    """The request's socket, if it asks for a websocket in the right way."""
    answer, transport = handshake(request), request.transport
    if answer is None or transport is None:
        return None
    socket = Socket(transport.get_protocol(), longest)
    socket.take_over(transport, answer)
    return socket
