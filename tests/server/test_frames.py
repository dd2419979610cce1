"""Frames against the slow and obvious reading of them: any cut, any order, any size."""

import asyncio
import sys
from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.server.frames import CLOSE, PONG, framed, unmasked
from fathom.server.limits import Rate
from fathom.server.socket import MOST_PARTS, MOST_WASTED, SLICE, Socket
from tests.slow import websocket

LONGEST = 600
ENDLESS = Rate(1e12, 1e12)


class Tape(asyncio.Transport):
    """Keeps what is written to it; there is nobody at the other end."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.reading = True
        self.cut = False

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return self.cut

    def abort(self) -> None:
        self.cut = True

    def pause_reading(self) -> None:
        self.reading = False

    def resume_reading(self) -> None:
        self.reading = True

    def can_write_eof(self) -> bool:
        return False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        del protocol


class FedSocket:
    """A socket, and all that comes of what it is fed with."""

    def __init__(self, longest: int = LONGEST, rate: Rate = ENDLESS) -> None:
        self.tape = Tape()
        self.socket = Socket(asyncio.Protocol(), longest, rate)
        self.socket.take_over(self.tape, b"")
        self.socket.take = self.take
        self.events: list[websocket.FrameEvent] = []

    def take(self, message: bytes, text: bool) -> None:
        self.events.append(("text" if text else "binary", message))

    async def feed(self, chunks: Iterable[bytes]) -> None:
        for chunk in chunks:
            if self.socket.deaf:
                break
            self.socket.data_received(chunk)
            await self.read_out()

    async def read_out(self) -> None:
        """Until all is looked at that has come."""
        while self.socket.reading:  # noqa: ASYNC110  (it tells nobody)
            await asyncio.sleep(0)

    def result(self) -> list[websocket.FrameEvent]:
        """Messages, and the end if there is one."""
        end: list[websocket.FrameEvent] = [("end", self.socket.code)] if self.socket.deaf else []
        return [*self.events, *end]

    def pongs(self) -> list[bytes]:
        pongs = [data for data in self.tape.written if data]
        assert {data[0] for data in pongs} <= {0x80 | PONG}
        return [data[2:] for data in pongs]


async def compare(stream: bytes, cuts: Iterable[int]) -> None:
    """Read the stream in pieces, and as the obvious way reads it."""
    one = FedSocket()
    await one.feed(chunks(stream, cuts))
    truth = websocket.events(stream, LONGEST, MOST_PARTS)
    assert one.result() == [event for event in truth if event[0] != "ping"]
    # Of pings that come together only the last need be answered (RFC 6455, 5.5.3).
    pings = [content for kind, content in truth if kind == "ping"]
    left = iter(pings)
    assert all(pong in left for pong in one.pongs())
    if pings and not one.socket.deaf:
        assert one.pongs()[-1] == pings[-1]


def chunks(stream: bytes, cuts: Iterable[int]) -> Iterator[bytes]:
    places = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    for start, end in pairwise(places):
        yield stream[start:end]


def client_frame(first: int, content: bytes, mask: bytes, form: int = 0) -> bytes:
    """A masked frame; ``form`` writes its length longer than it need be."""
    size = len(content)
    if size < 126 and not form:
        length = bytes((0x80 | size,))
    elif size < 65_536 and form < 2:
        length = b"\xfe" + size.to_bytes(2, "big")
    else:
        length = b"\xff" + size.to_bytes(8, "big")
    return bytes((first,)) + length + mask + unmasked(content, mask)


FIRST = st.one_of(
    st.sampled_from([0x81, 0x01, 0x00, 0x80, 0x82, 0x02, 0x89, 0x8A]),
    st.sampled_from([0x81, 0x01, 0x00, 0x80]),
    st.sampled_from([0x88, 0x09, 0x83, 0x8B, 0xC1, 0x91]),
)
CONTENT = st.one_of(
    st.binary(max_size=20), st.sampled_from([b"", b"x" * 125, b"y" * 126, b"z" * 300, b"w" * 601])
)
FRAMES = st.builds(client_frame, FIRST, CONTENT, st.binary(min_size=4, max_size=4), st.just(0))
LONGER = st.builds(
    client_frame, FIRST, CONTENT, st.binary(min_size=4, max_size=4), st.integers(0, 2)
)
NOISE = st.binary(max_size=30)
STREAMS = st.lists(st.one_of(FRAMES, FRAMES, LONGER, NOISE), max_size=30).map(b"".join)


@given(STREAMS, st.lists(st.integers(0, 10_000), max_size=40))
def test_any_bytes_in_any_pieces_are_read_as_the_obvious_way_reads_them(
    stream: bytes, cuts: list[int]
) -> None:
    asyncio.run(compare(stream, cuts))


def random_stream(dice: Random, frames: int) -> bytes:
    """Mostly what clients send, so that a connection lives for a while."""
    made, open_message = [], False
    for _ in range(frames):
        content = dice.randbytes(dice.choice((0, 0, 1, 7, 90, 125, 126, 200)))
        chance = dice.random()
        if chance < 0.25:
            first = dice.choice((0x89, 0x8A))
            content = content[:125]
        elif open_message:
            content = content[:8]
            first = dice.choice((0x00, 0x00, 0x80))
            open_message = not first
        else:
            first = dice.choice((0x81, 0x82, 0x01, 0x02))
            open_message = not first & 0x80
        if dice.random() < 0.001:
            first = dice.randrange(256)
        made.append(client_frame(first, content, dice.randbytes(4)))
    return b"".join(made)


async def fuzz(frames: int, seed: int) -> int:
    """Random connections with so many frames altogether; how many connections there were."""
    dice = Random(seed)
    connections = 0
    while frames > 0:
        count = dice.randrange(1, 400)
        stream = random_stream(dice, count)
        cuts = [dice.randrange(len(stream) + 1) for _ in range(dice.randrange(60))]
        await compare(stream, cuts)
        frames -= count
        connections += 1
    return connections


def test_three_thousand_random_frames() -> None:
    assert asyncio.run(fuzz(3000, seed=1))


FLOODS = {
    "empty parts": client_frame(0x01, b"a", b"abcd") + client_frame(0x00, b"", b"abcd") * 4000,
    "pings": client_frame(0x89, b"", b"abcd") * 4000,
    "pongs": client_frame(0x8A, b"x" * 125, b"abcd") * 4000,
    "messages": client_frame(0x81, b"{}", b"abcd") * 4000,
    "one long message": client_frame(0x81, b"x" * 40_000, b"abcd"),
    "small parts": b"".join(
        client_frame(0x01, b"a", b"abcd")
        + client_frame(0x00, b"b", b"abcd") * 40
        + client_frame(0x80, b"", b"abcd")
        for _ in range(100)
    ),
}


async def steps(stream: bytes, piece: int) -> int:
    """Calls that a stream takes in pieces of so many bytes; no more is ever kept than must be."""
    one = FedSocket(longest=50_000)
    count = 0

    def step(*_: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(step)
    try:
        await one.feed(stream[start : start + piece] for start in range(0, len(stream), piece))
    finally:
        sys.setprofile(before)
    assert len(one.socket.parts) <= MOST_PARTS + 1
    assert len(one.socket.frames.rest) <= 50_000 + SLICE
    return count


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("piece", [7, 1500, 1 << 20])
def test_twice_as_many_bytes_take_twice_as_many_steps(flood: str, piece: int) -> None:
    once = asyncio.run(steps(FLOODS[flood], piece))
    twice = asyncio.run(steps(FLOODS[flood] * 2, piece))
    assert twice <= 2.1 * once + 200


def test_a_large_read_is_looked_at_in_slices() -> None:
    async def story() -> None:
        one = FedSocket()
        one.socket.data_received(client_frame(0x81, b"{}", b"abcd") * 10_000)
        most = before = 0
        while one.socket.reading:
            assert not one.tape.reading
            await asyncio.sleep(0)
            most, before = max(most, len(one.events) - before), len(one.events)
        assert len(one.events) == 10_000
        assert most <= SLICE // 6 + 1
        assert one.tape.reading

    asyncio.run(story())


def test_what_comes_while_a_socket_is_paused_is_read_afterwards() -> None:
    async def story() -> None:
        one = FedSocket()
        one.socket.pause()
        await one.feed([client_frame(0x81, b"one", b"abcd"), client_frame(0x81, b"two", b"abcd")])
        assert (one.events, one.tape.reading) == ([], False)
        one.socket.resume()
        await one.read_out()
        assert one.events == [("text", b"one"), ("text", b"two")]
        assert one.tape.reading

    asyncio.run(story())


@pytest.mark.parametrize("first", [0x00, 0x89, 0x8A])
def test_frames_that_are_no_message_are_counted(first: int) -> None:
    async def story() -> None:
        one = FedSocket(rate=Rate(50, 0))
        await one.feed([client_frame(0x01, b"", b"abcd"), client_frame(first, b"", b"abcd") * 60])
        assert one.result()[-1] == ("end", 1008)

    asyncio.run(story())


def test_who_goes_on_after_the_end_is_cut_off() -> None:
    async def story() -> None:
        one = FedSocket(rate=Rate(1, 0))
        sent = 0
        while not one.tape.cut:
            one.socket.data_received(client_frame(0x89, b"", b"abcd") * 1000)
            await one.read_out()
            sent += 1
        assert sent <= MOST_WASTED // 6000 + 3

    asyncio.run(story())


def test_the_end_is_told_once_and_with_its_reason() -> None:
    async def story() -> None:
        one = FedSocket(rate=Rate(1, 0))
        await one.feed([client_frame(0x8A, b"", b"abcd") * 3])
        for _ in range(2):
            one.socket.close()
        assert one.tape.written[1:] == [framed((1008).to_bytes(2, "big"), CLOSE)]

    asyncio.run(story())
