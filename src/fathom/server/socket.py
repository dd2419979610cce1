"""A client's websocket: whole messages in, whole frames out.

Messages are handed on as they are read and answered without a task of their own. One client can
send only so much, and only so much of that is looked at before the others have their turn.
"""

import asyncio
import base64
import binascii
import hashlib
import time
from collections.abc import Callable
from typing import Final

from aiohttp import web

from fathom.server.frames import (
    BINARY,
    CLOSE,
    KIND,
    LONGEST_CONTROL,
    NORMAL,
    PING,
    PONG,
    TEXT,
    TOO_BIG,
    TOO_MUCH,
    WHOLE,
    WHOLE_TEXT,
    WRONG,
    FrameReader,
    framed,
)
from fathom.server.limits import LONGEST_DRAWING, SMALL_FRAMES, Bucket, Rate
from fathom.server.operating_system import cut_off

GUID: Final = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
SLICE: Final = 2048
"""Bytes that are looked at in one go: at most 341 frames."""
MOST_PARTS: Final = 64
"""Parts of one message. A browser sends ours in one; a proxy may cut the longest into a few."""
MOST_WASTED: Final = 65_536
"""Bytes that a client may still send after it was told that it is left."""


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


class Socket(asyncio.Protocol):
    """A client's socket, taken over from the web server's protocol."""

    __slots__ = (
        *("deaf", "frames", "over", "parts", "paused", "pinged", "take", "transport", "unread"),
        *("before", "closed", "code", "ended", "gone", "kind", "left"),
        *("reading", "room", "size", "small_frames", "wasted"),
    )

    def __init__(
        self,
        before: asyncio.BaseProtocol,
        longest: int = LONGEST_DRAWING,
        small_frames: Rate = SMALL_FRAMES,
    ) -> None:
        self.before = before
        self.frames = FrameReader(longest)
        self.small_frames = Bucket(small_frames, time.monotonic())
        """What is left for frames that are no whole text: parts of messages, pings, pongs."""
        self.take: Callable[[bytes, bool], None] | None = None
        """Called with every message, and whether it is text."""
        self.unread = bytearray()
        """What has come and was not looked at yet."""
        self.reading = False
        """Whether a slice of it will be looked at in the loop's next turn."""
        self.paused = False
        """Whether whoever takes the messages wants no more for now."""
        self.parts: list[bytes] = []
        self.size, self.kind = 0, TEXT
        """Bytes and kind of the message whose parts these are."""
        self.code = NORMAL
        """With which the socket is closed."""
        self.pinged: bytes | None = None
        """The content of a ping that is to be answered."""
        self.closed = self.deaf = False
        self.over = False
        """Whether nothing more is looked at: the client goes, or is left for what it did."""
        self.wasted = 0
        self.ended = asyncio.Event()
        """Set when no more messages will come, or none are wanted any more."""
        self.left = asyncio.Event()
        """Set when the client has said that it goes, or is gone."""
        self.gone = asyncio.Event()
        self.room = asyncio.Event()
        """Set while the client reads as fast as it is written to."""
        self.room.set()

    def take_over(self, transport: asyncio.Transport, answer: bytes) -> None:
        """Be the transport's protocol from here on."""
        self.transport = transport
        transport.set_protocol(self)
        transport.write(answer)

    def end(self) -> None:
        """Take no more messages."""
        self.deaf = True
        self.ended.set()

    def close(self) -> None:
        """Say, once, that there will be no more, and why."""
        if self.closed or self.transport.is_closing():
            return
        self.closed = True
        self.transport.write(framed(self.code.to_bytes(2, "big"), CLOSE))
        if self.code != NORMAL and self.transport.can_write_eof():
            self.transport.write_eof()

    def pause(self) -> None:
        """Take no messages for now."""
        self.paused = True
        self.stop_reading()

    def resume(self) -> None:
        """Take messages again, first those that have come already."""
        self.paused = False
        self.read_on()

    def stop_reading(self) -> None:
        if not self.transport.is_closing():
            self.transport.pause_reading()

    # What the transport calls

    def connection_lost(self, error: Exception | None) -> None:
        """The client is gone; the web server wants to know, too."""
        self.end()
        self.unread.clear()
        for event in (self.left, self.gone, self.room):
            event.set()
        self.before.connection_lost(error)

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        self.room.clear()

    def resume_writing(self) -> None:
        """The client has caught up."""
        self.room.set()

    def data_received(self, data: bytes) -> None:
        """Look at what has come: at all of it if it is little, else at a slice in every turn."""
        if self.deaf:
            self.waste(len(data))
        if self.unread or self.paused or len(data) > SLICE:
            self.unread += data
            self.read_on()
        else:
            self.read(data)

    def waste(self, size: int) -> None:
        """Whoever goes on sending after the end is cut off."""
        self.wasted += size
        if self.wasted > MOST_WASTED:
            cut_off(self.transport)

    def read_on(self) -> None:
        """Have the rest looked at, slice by slice; meanwhile no more is read."""
        if self.reading or self.paused:
            return
        if self.unread:
            self.reading = True
            self.stop_reading()
            asyncio.get_running_loop().call_soon(self.read_slice)
        elif not self.transport.is_closing():
            self.transport.resume_reading()

    def read_slice(self) -> None:
        self.reading = False
        if self.paused:
            return
        data = bytes(self.unread[:SLICE])
        del self.unread[:SLICE]
        self.read(data)
        self.read_on()

    # Frames

    def read(self, data: bytes) -> None:
        """Take all frames that are complete."""
        if self.over:
            return
        for first, content in self.frames.read(data):
            if first == WHOLE_TEXT and not self.parts:
                self.hand_on(content, TEXT)
            elif not self.take_small_frame(first, content):
                return
        if self.frames.broken:
            self.fail(self.frames.broken)
        elif self.pinged is not None:
            self.answer_ping(self.pinged)

    def fail(self, code: int) -> bool:
        """Leave a client that does not keep to the protocol, or asks too much."""
        self.code, self.over, self.parts = code, True, []
        self.end()
        return False

    def take_small_frame(self, first: int, content: bytes) -> bool:
        """A frame that is no whole text; False if it was the last."""
        if not self.small_frames.take(time.monotonic()):
            return self.fail(TOO_MUCH)
        kind = first & KIND
        if kind >= CLOSE:
            return self.take_control(first, content)
        return self.take_part(first, content) if kind <= BINARY else self.fail(WRONG)

    def take_part(self, first: int, content: bytes) -> bool:
        """A message may come in parts (5.4): the first one tells its kind, the others none."""
        kind = first & KIND
        if bool(kind) == bool(self.parts):
            return self.fail(WRONG)
        if kind:
            self.kind, self.size = kind, 0
        self.size += len(content)
        self.parts.append(content)
        if self.size > self.frames.longest:
            return self.fail(TOO_BIG)
        if len(self.parts) > MOST_PARTS:
            return self.fail(TOO_MUCH)
        if first & WHOLE:
            message, self.parts = b"".join(self.parts), []
            self.hand_on(message, self.kind)
        return True

    def take_control(self, first: int, content: bytes) -> bool:
        """Frames about the connection itself (5.5)."""
        kind = first & KIND
        if not first & WHOLE or len(content) > LONGEST_CONTROL or kind > PONG:
            return self.fail(WRONG)
        if kind == CLOSE:
            self.over = True
            self.end()
            self.left.set()
            return False
        if kind == PING:
            self.pinged = content
        return True

    def answer_ping(self, content: bytes) -> None:
        """Answer the last ping; those before it need no answer of their own (5.5.3)."""
        self.pinged = None
        if self.room.is_set() and not self.closed and not self.deaf:
            self.transport.write(framed(content, PONG))

    def hand_on(self, message: bytes, kind: int) -> None:
        if self.take is not None and not self.deaf:
            self.take(message, kind == TEXT)


def socket_of(request: web.Request, small_frames: Rate = SMALL_FRAMES) -> Socket | None:
    """The request's socket, if it asks for a websocket in the right way."""
    answer, transport = handshake(request), request.transport
    if answer is None or transport is None:
        return None
    socket = Socket(transport.get_protocol(), small_frames=small_frames)
    socket.take_over(transport, answer)
    return socket
