"""Websocket frames the slow and obvious way: the judge of ``fathom.server.socket``.

It is given everything at once, and takes one byte after another from the front.
"""

from collections.abc import Iterator

FrameEvent = tuple[str, object]
"""``text`` or ``binary`` with a message, ``ping`` with its content, ``end`` with a code."""


class Ends(Exception):
    """The connection ends, with a code."""


class Dry(Exception):
    """There are no more bytes."""


def events(stream: bytes, longest: int, most_parts: int) -> list[FrameEvent]:
    """All that comes of these bytes."""
    found: list[FrameEvent] = []
    try:
        for event in read(list(stream), longest, most_parts):
            found.append(event)  # noqa: PERF402  (those before the end count, too)
    except Ends as ends:
        found.append(("end", ends.args[0]))
    except Dry:
        pass
    return found


def read(left: list[int], longest: int, most_parts: int) -> Iterator[FrameEvent]:
    message: list[list[int]] = []
    kind = ""
    while True:
        last, opcode, content = one_frame(left, longest)
        if opcode in (8, 9, 10):
            yield from control(last, opcode, content)
            continue
        if opcode > 2 or (opcode == 0) != bool(message):
            raise Ends(1002)
        kind = {0: kind, 1: "text", 2: "binary"}[opcode]
        message.append(content)
        if sum(len(part) for part in message) > longest:
            raise Ends(1009)
        if len(message) > most_parts:
            raise Ends(1008)
        if last:
            yield kind, bytes(byte for part in message for byte in part)
            message = []


def control(last: bool, opcode: int, content: list[int]) -> Iterator[FrameEvent]:
    if not last or len(content) > 125:
        raise Ends(1002)
    if opcode == 8:
        raise Ends(1000)
    if opcode == 9:
        yield "ping", bytes(content)


def one_frame(left: list[int], longest: int) -> tuple[bool, int, list[int]]:
    """The frame at the front: whether it is its message's last, its opcode, its content."""
    if len(left) < 6:
        raise Dry
    first, second = take(left, 1)[0], take(left, 1)[0]
    if second < 128 or (first // 16) % 8:
        raise Ends(1002)
    length = second - 128
    if length >= 126:
        length = number(take(left, 2 if length == 126 else 8))
    mask: list[int] = []
    if length <= longest:
        mask = take(left, 4)
    elif len(left) < 4 and second - 128 == 127:
        raise Dry
    if length > longest:
        raise Ends(1009)
    content = take(left, length)
    return first >= 128, first % 16, [byte ^ mask[n % 4] for n, byte in enumerate(content)]


def take(left: list[int], count: int) -> list[int]:
    if len(left) < count:
        raise Dry
    taken = left[:count]
    del left[:count]
    return taken


def number(digits: list[int]) -> int:
    return sum(digit * 256**place for place, digit in enumerate(reversed(digits)))
