"""Clients of boardgame.io: its messages of socket.io, written by hand so that they cost little."""

import asyncio
import json
import re

from bench.peers_server.match import PeerMatch, PeerSocket
from bench.server.process import MeasuredProcess

PATH = "/socket.io/?EIO=4&transport=websocket"
UPDATE = b'42/duel,["update"'
SYNC = b'42/duel,["sync"'
STATE = re.compile(rb'"_stateID":(\d+)')


class BoardgamePlayer(PeerSocket):
    """One player of a match."""

    def __init__(self, server: MeasuredProcess, name: str, number: int) -> None:
        super().__init__(server.host, PATH, number)
        self.name = name
        self.state = 0
        self.synced: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def take(self, data: bytes, start: int, end: int, kind: int) -> None:
        """Open, join the game, answer pings; after that only updates are of interest."""
        del kind
        if data.startswith(UPDATE, start):
            found = STATE.search(data, start, end)
            assert found is not None
            self.state = int(found[1])
            self.told()
        elif data[start : start + 1] == b"2":
            self.send(b"3")
        elif data[start : start + 1] == b"0":
            self.send(b"40/duel,")
        elif data.startswith(b"40/duel", start):
            self.emit("sync", self.name, str(self.number), None, 2)
        elif data.startswith(SYNC, start) and not self.synced.done():
            self.synced.set_result(None)

    def emit(self, *event: object) -> None:
        self.send(b"42/duel," + json.dumps(event).encode())

    def move(self, order: str, what: str) -> None:
        """Make a move on the state that was last seen."""
        payload = {"type": order, "args": [what], "playerID": str(self.number)}
        action = {"type": "MAKE_MOVE", "payload": payload}
        self.emit("update", action, self.state, self.name, str(self.number))


async def gather(server: MeasuredProcess, games: int) -> list[PeerMatch]:
    """So many matches, with both players connected."""
    return [
        PeerMatch([await join(server, f"match-{game}", number) for number in range(2)])
        for game in range(games)
    ]


async def join(server: MeasuredProcess, name: str, number: int) -> BoardgamePlayer:
    _, boat = await asyncio.get_running_loop().create_connection(
        lambda: BoardgamePlayer(server, name, number), "127.0.0.1", server.port
    )
    await boat.synced
    return boat
