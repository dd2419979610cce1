"""Which orders' keys a game has, kept in memory: for each a hash of a few bytes.

An index of them would be written to at another page for almost every order, and that was about a
twelfth of what an order costs. A game's keys are read from the log when it is first written to.
"""

import sqlite3
from collections.abc import Iterable
from typing import Final

MOST_GAMES: Final = 4096
"""Games whose keys are kept: those that were written to first are forgotten first."""
SIZE: Final = 8
"""Bytes of a hash."""


class Keys:
    """Keys by games, for one process that writes: it knows of each that it has written."""

    def __init__(self) -> None:
        self.games: dict[str, bytearray] = {}

    def note(self, database: sqlite3.Connection, orders: Iterable[tuple[str, str]]) -> bool:
        """Note games' new keys; not, if one of them may be there already: then look for it."""
        for game, key in orders:
            known = self.games.get(game)
            if known is None:
                known = self.load(database, game)
            if key:
                short = hashed(key)
                if short in known:
                    return False
                known += short
        return True

    def load(self, database: sqlite3.Connection, game: str) -> bytearray:
        """The keys that a game has by now."""
        if len(self.games) == MOST_GAMES:
            del self.games[next(iter(self.games))]
        rows = database.execute("select key from steps where game = ? and key != ''", (game,))
        known = self.games[game] = bytearray().join([hashed(key) for (key,) in rows])
        return known

    def forget(self, game: str) -> None:
        """What was noted may not have been saved: read the keys again when they are needed."""
        self.games.pop(game, None)


def hashed(key: str) -> bytes:
    """A few bytes for a key, always the same in this process."""
    return hash(key).to_bytes(SIZE, "little", signed=True)
