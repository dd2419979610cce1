"""A game between two players at another server: one has a turn, then the other."""

import time
from collections.abc import Sequence

from bench.server.frames import ClientSocket
from bench.server.load import Driver

TURN = (("course", "N"), ("charge", "torpedo"), ("crossOut", "west-1"), ("endTurn", ""))
"""The orders of one turn, over and over again."""


class PeerSocket(ClientSocket):
    """One player's socket."""

    match: "PeerMatch | None" = None

    def __init__(self, host: str, path: str, number: int) -> None:
        super().__init__(host, path)
        self.number = number

    def move(self, order: str, what: str) -> None:
        """Give an order."""
        raise NotImplementedError

    def told(self) -> None:
        """The player was sent something about the game."""
        if self.match is not None:
            self.match.told(self.number)


class PeerMatch:
    """One game; a move is done when both players have been sent what came of it."""

    driver: Driver

    def __init__(self, seats: Sequence[PeerSocket]) -> None:
        self.seats = seats
        self.moves = 0
        self.number = 0
        self.waiting: set[int] = set()
        for seat in seats:
            seat.match = self

    def give(self) -> None:
        """The next move."""
        turn, number = divmod(self.moves, len(TURN))
        self.mover = turn % 2
        self.waiting = {0, 1}
        self.moves += 1
        self.seats[self.mover].move(*TURN[number])

    def told(self, seat: int) -> None:
        """A player was sent something about the game."""
        if seat not in self.waiting:
            return
        self.waiting.discard(seat)
        if seat != self.mover:
            self.driver.seen(self.number, time.perf_counter())
        if not self.waiting:
            self.driver.done(self.number)
