"""Pictures of the screen made lighter: nearly the same colours, packed better."""

import struct
import zlib
from collections.abc import Iterator
from typing import Final

HEAD: Final = b"\x89PNG\r\n\x1a\n"
CHANNELS: Final = {2: 3, 6: 4}
ROUGHER: Final = bytes(min(255, 3 * round(value / 3)) for value in range(256))
"""Every third shade only: the eye can't tell, and soft gradients take half the room."""


def lighter(png: bytes) -> bytes:
    """A PNG of 8 bits a channel, without its transparency, in fewer shades."""
    width, height, size, rows = unpack(png)
    plain = [drop_alpha(row, size).translate(ROUGHER) for row in rows]
    body = b"".join(filtered(plain))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(body, 9)), (b"IEND", b""))
    return HEAD + b"".join(chunk(name, data) for name, data in chunks)


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def chunks_of(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(HEAD)
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def unpack(png: bytes) -> tuple[int, int, int, list[bytes]]:
    """Width, height, bytes of a pixel, and the rows as they are seen."""
    found = list(chunks_of(png))
    width, height, depth, kind, *_ = struct.unpack(">IIBBBBB", dict(found)[b"IHDR"])
    assert depth == 8, "a picture of the screen has 8 bits a channel"
    size = CHANNELS[kind]
    data = zlib.decompress(b"".join(part for name, part in found if name == b"IDAT"))
    long = width * size
    rows: list[bytes] = []
    before = bytes(long)
    for y in range(height):
        start = y * (long + 1)
        before = unfilter(data[start], data[start + 1 : start + 1 + long], before, size)
        rows.append(before)
    return width, height, size, rows


def unfilter(how: int, row: bytes, above: bytes, size: int) -> bytes:
    """A row as it is seen, from its differences to what is left of it and above it."""
    seen = bytearray(size) + bytearray(row)
    over = bytes(size) + above
    for i in range(size, len(seen)):
        left, up, corner = seen[i - size], over[i], over[i - size]
        seen[i] = (seen[i] + predicted(how, left, up, corner)) & 255
    return bytes(seen[size:])


def predicted(how: int, left: int, up: int, corner: int) -> int:
    """What PNG's filter of this number expects."""
    if how < 4:
        return (0, left, up, (left + up) // 2)[how]
    near = left + up - corner
    return min((left, up, corner), key=lambda one: abs(near - one))


def drop_alpha(row: bytes, size: int) -> bytes:
    if size == 3:
        return row
    plain = bytearray(len(row) // 4 * 3)
    for channel in range(3):
        plain[channel::3] = row[channel::4]
    return bytes(plain)


def filtered(rows: list[bytes]) -> Iterator[bytes]:
    """Each row by the filter that leaves least: none, the pixel to the left, or the one above."""
    above = bytes(len(rows[0]))
    for row in rows:
        left = bytes(3) + row[:-3]
        ways = (row, minus(row, left), minus(row, above))
        best = min(range(3), key=lambda way: len(zlib.compress(ways[way], 1)))
        yield bytes([best]) + ways[best]
        above = row


def minus(row: bytes, other: bytes) -> bytes:
    return bytes((a - b) & 255 for a, b in zip(row, other, strict=True))
