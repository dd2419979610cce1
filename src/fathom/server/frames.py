"""Websocket frames (RFC 6455) as far as a server needs them; no socket, no clock.

There are no extensions, so nothing is compressed. A library would do as well but for its price: the
sans-I/O protocol of ``websockets`` makes a two-seat order a tenth dearer (docs/server-speed.md).
"""

from functools import lru_cache
from typing import Final

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
WHOLE, KIND, RESERVED, MASKED = 0x80, 0x0F, 0x70, 0x80
WHOLE_TEXT: Final = WHOLE | TEXT
LONGEST_CONTROL: Final = 125
SHORTEST, LONGEST_HEAD = 6, 14
"""Bytes of the shortest masked frame, and of the longest head of one."""
NORMAL, WRONG, TOO_MUCH, TOO_BIG = 1000, 1002, 1008, 1009
"""Codes with which a socket is closed."""


@lru_cache(4096)
def head(size: int, kind: int = TEXT) -> bytes:
    """What comes before a message of so many bytes, for one unmasked frame (5.2)."""
    if size < 126:
        return bytes((WHOLE | kind, size))
    if size < 65_536:
        return bytes((WHOLE | kind, 126)) + size.to_bytes(2, "big")
    return bytes((WHOLE | kind, 127)) + size.to_bytes(8, "big")


def framed(message: bytes, kind: int = TEXT) -> bytes:
    """The message as one frame."""
    return head(len(message), kind) + message


def unmasked(data: bytes, mask: bytes) -> bytes:
    """What the client masked (5.3)."""
    size = len(data)
    key = (mask * (size // 4 + 1))[:size]
    return (int.from_bytes(data, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


class FrameReader:
    """Cuts a client's bytes into frames. Every byte is looked at once, however they come."""

    __slots__ = ("broken", "longest", "needed", "rest")

    def __init__(self, longest: int) -> None:
        self.longest = longest
        self.rest = bytearray()
        """The beginning of a frame that is not complete."""
        self.needed = 0
        """How many bytes there must be before it is worth while to look at it again."""
        self.broken = 0
        """The code for what comes after the last frame, if that is none."""

    def read(self, data: bytes) -> list[tuple[int, bytes]]:
        """The frames that are complete now: the first byte of each, and its content unmasked."""
        found: list[tuple[int, bytes]] = []
        if self.rest:
            self.rest += data
            if len(self.rest) < self.needed:
                return found
            data = bytes(self.rest)
            self.rest.clear()
        place, size, needed = 0, len(data), SHORTEST
        while size - place >= SHORTEST:
            first, start, length = data[place], place + 6, data[place + 1] - MASKED
            if length < 0 or first & RESERVED:
                self.broken = WRONG
                return found
            if length == 126:
                start, length = place + 8, int.from_bytes(data[place + 2 : place + 4], "big")
            elif length == 127:
                if size - place < LONGEST_HEAD:
                    needed = LONGEST_HEAD
                    break
                start, length = place + 14, int.from_bytes(data[place + 2 : place + 10], "big")
            if length > self.longest:
                self.broken = TOO_BIG
                return found
            end = start + length
            if end > size:
                needed = end - place
                break
            found.append((first, unmasked(data[start:end], data[start - 4 : start])))
            place = end
        if place < size:
            self.rest += data[place:]
            self.needed = needed
        return found
