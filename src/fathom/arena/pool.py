"""All cores play. Each worker is a process that is given numbers of games and answers with lines.

A worker that dies takes only its own game with it: that is played once more, and if it kills
another worker it is put down as crashed.
"""

import contextlib
import multiprocessing
import signal
import time
import traceback
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from math import inf
from multiprocessing.connection import Connection, wait
from typing import Final

Play = Callable[[bytes, int], bytes]
"""Plays the game of a number, given the job; a module's function, so that workers can import it."""

GAME_SECONDS: Final = 1800.0
"""After so long a worker is taken for hanging."""
PLAYED, FAILED = b"+", b"-"
"""What stands before a worker's answer."""
POLL_SECONDS: Final = 2.0
GRACE_SECONDS: Final = 8.0
"""How long games that were begun in time may still last."""


class Crashed(str):
    """Why a game has no line."""

    __slots__ = ()


class ArenaWorker:
    """One process, playing one game at a time."""

    def __init__(self, play: Play, job: bytes) -> None:
        spawn = multiprocessing.get_context("spawn")
        self.line, theirs = spawn.Pipe()
        self.process = spawn.Process(target=work, args=(theirs, play, job))
        self.process.start()
        theirs.close()
        self.number = -1
        self.since = 0.0

    def begin(self, number: int) -> None:
        """Play this one."""
        self.number, self.since = number, time.monotonic()
        with contextlib.suppress(OSError):  # it has died: that is seen when its answer is awaited
            self.line.send_bytes(str(number).encode())

    def answer(self) -> bytes | Crashed:
        """Its line, or how it died."""
        try:
            sign, line = self.line.recv_bytes(1), self.line.recv_bytes()
        except (EOFError, OSError):
            self.process.join()
            return Crashed(f"its process ended with code {self.process.exitcode}")
        return line if sign == PLAYED else Crashed(line.decode())

    def overdue(self) -> bool:
        """Whether it seems to hang."""
        return time.monotonic() - self.since > GAME_SECONDS

    def end(self) -> None:
        """Let the process end, whatever it is doing."""
        self.line.close()
        self.process.kill()
        self.process.join()


def work(line: Connection, play: Play, job: bytes) -> None:
    """What a worker does until nobody asks any more."""
    # Ctrl-C is for the one who asks; a worker ends when its line is closed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(EOFError, OSError):
        while True:
            for part in attempt(play, job, int(line.recv_bytes())):
                line.send_bytes(part)


def attempt(play: Play, job: bytes, number: int) -> tuple[bytes, bytes]:
    """The game's line, or why there is none: a fault of ours must not end the tournament."""
    try:
        return PLAYED, play(job, number)
    except Exception:  # noqa: BLE001 - it is kept with the game
        return FAILED, traceback.format_exc()[-4000:].encode()


class Pool:
    """So many workers, and the games that wait for them."""

    def __init__(self, play: Play, job: bytes, workers: int) -> None:
        self.play, self.job, self.workers = play, job, workers
        self.busy: list[ArenaWorker] = []
        self.idle: list[ArenaWorker] = []
        self.waiting: deque[int] = deque()
        self.tried: set[int] = set()
        """Games that have cost a worker."""

    def run(
        self, numbers: Iterable[int], seconds: float | None = None
    ) -> Generator[tuple[int, bytes | Crashed], None, None]:
        """Every game's number and line, as they come in; after so long no game is begun."""
        self.waiting.extend(numbers)
        end = inf if seconds is None else time.monotonic() + seconds
        try:
            while self.waiting or self.busy:
                if time.monotonic() > end:
                    self.waiting.clear()
                if time.monotonic() > end + GRACE_SECONDS:
                    return
                self.hand_out()
                for worker in self.answering():
                    yield from self.take(worker)
        finally:
            for worker in (*self.busy, *self.idle):
                worker.end()

    def hand_out(self) -> None:
        """Nobody is idle while a game waits."""
        while self.waiting and len(self.busy) < self.workers:
            worker = self.idle.pop() if self.idle else ArenaWorker(self.play, self.job)
            worker.begin(self.waiting.popleft())
            self.busy.append(worker)

    def answering(self) -> list[ArenaWorker]:
        """Those who have a line, or have died, or seem to hang."""
        if not self.busy:
            return []
        ready = wait([worker.line for worker in self.busy], POLL_SECONDS)
        return [worker for worker in self.busy if worker.line in ready or worker.overdue()]

    def take(self, worker: ArenaWorker) -> Iterator[tuple[int, bytes | Crashed]]:
        """What a worker answers; a game that cost it is tried once more."""
        self.busy.remove(worker)
        hangs = worker.overdue() and not worker.line.poll()
        line = Crashed("it did not end in time") if hangs else worker.answer()
        if not isinstance(line, Crashed):
            self.idle.append(worker)
            yield worker.number, line
            return
        worker.end()
        if hangs or worker.number in self.tried:
            yield worker.number, line
            return
        self.tried.add(worker.number)
        self.waiting.append(worker.number)
