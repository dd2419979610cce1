"""Clients of Colyseus: its binary messages, written by hand so that they cost little."""

import asyncio

import aiohttp
import msgspec
from msgspec import Struct

from bench.peers_server.match import PeerMatch, PeerSocket
from bench.server.frames import BINARY
from bench.server.process import MeasuredProcess

JOIN_ROOM, ROOM_DATA, ROOM_STATE, ROOM_STATE_PATCH, CODE = 10, 13, 14, 15, 0x1F


class Reservation(Struct):
    """A place in a room."""

    sessionId: str  # noqa: N815 (its name there)
    roomId: str  # noqa: N815
    processId: str  # noqa: N815


class ColyseusPlayer(PeerSocket):
    """One player of a room."""

    def __init__(self, server: MeasuredProcess, place: Reservation, number: int) -> None:
        path = f"/{place.processId}/{place.roomId}?sessionId={place.sessionId}"
        super().__init__(server.host, path, number)
        self.joined: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def take(self, data: bytes, start: int, end: int, kind: int) -> None:
        """Join; then only changes of the room's state are of interest."""
        del end, kind
        code = data[start] & CODE
        if code == ROOM_STATE_PATCH:
            self.told()
        elif code == JOIN_ROOM:
            self.send(bytes((JOIN_ROOM,)), BINARY)
        elif code == ROOM_STATE and not self.joined.done():
            self.joined.set_result(None)

    def move(self, order: str, what: str) -> None:
        """Send a message; to the room all are the same, and all change its state."""
        words = msgspec.msgpack.encode("order") + msgspec.msgpack.encode(f"{order} {what}")
        self.send(bytes((ROOM_DATA,)) + words, BINARY)


async def gather(server: MeasuredProcess, games: int) -> list[PeerMatch]:
    """So many rooms, with both players in them."""
    async with aiohttp.ClientSession(f"http://{server.host}") as http:
        return [await new_match(server, http) for _ in range(games)]


async def new_match(server: MeasuredProcess, http: aiohttp.ClientSession) -> PeerMatch:
    first = await reserve(http, "create/duel")
    one = await join(server, first, 0)
    other = await join(server, await reserve(http, f"joinById/{first.roomId}"), 1)
    return PeerMatch((one, other))


async def reserve(http: aiohttp.ClientSession, how: str) -> Reservation:
    async with http.post(f"/matchmake/{how}", json={}) as response:
        return msgspec.json.decode(await response.read(), type=Reservation)


async def join(server: MeasuredProcess, place: Reservation, number: int) -> ColyseusPlayer:
    _, boat = await asyncio.get_running_loop().create_connection(
        lambda: ColyseusPlayer(server, place, number), "127.0.0.1", server.port
    )
    await boat.joined
    return boat
