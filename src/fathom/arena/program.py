"""A bot that is another program, spoken with by JSON lines on its stdin and stdout."""

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import IO, ClassVar, Final

import msgspec

from fathom.arena import forms
from fathom.bots.phrases import AnyPhrase
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import GameEnded
from fathom.engine.game import Result
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.named_view import portray
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.server.operating_system import kill_group, own_group
from fathom.words import CREWS, SYSTEMS, Seat

ANSWER_SECONDS: Final = 10.0
"""Usually, how long a program may take for an answer, by the clock on the wall."""
GOODBYE_SECONDS: Final = 1.0
"""How long it may take to end by itself, once the game is over."""
MOST_COMPLAINTS: Final = 2000
"""Bytes of its stderr that are kept."""
MOST_LINES: Final = 16
"""Lines that it may write before anyone reads them."""
END: Final = b""


class ProgramFault(Exception):
    """What a program did wrong; it loses the game for it."""


class Program:
    """One seat, played by a process of its own."""

    meter: ClassVar[Callable[[], float]] = time.perf_counter
    """Its thinking is not this process's, so it is measured by the clock on the wall."""

    def __init__(
        self, command: Sequence[str], ground: CompiledSetup, seat: Seat, seed: int
    ) -> None:
        self.ground, self.seat = ground, seat
        self.heard: list[Heard] = []
        self.said: list[forms.Said] = []
        self.sayings: tuple[AnyPhrase, ...] = ()
        self.seed, self.seconds = seed, ANSWER_SECONDS
        self.line = ProgramProcess(command)

    def begin(self, seconds: float) -> None:
        """Tell it what is agreed, and how long it may take for an answer."""
        self.seconds = seconds
        self.line.send(forms.ENCODER.encode(self.welcome()))

    def welcome(self) -> forms.SetupLine:
        """The first line."""
        ground, setup = self.ground, self.ground.setup
        seats = (
            forms.SeatTold(seat_name(ground, Seat(crew, number)), plan.name, plan.posts)
            for crew in CREWS
            for number, plan in enumerate(setup.crews[crew].seats)
        )
        return forms.SetupLine(
            protocol=forms.PROTOCOL,
            seat=seat_name(ground, self.seat),
            crew=self.seat.crew.value,
            seed=self.seed,
            seconds=self.seconds,
            seats=tuple(seats),
            colours=dict(zip((crew.value for crew in CREWS), setup.book.colours, strict=True)),
            gauges={s.value: n for s, n in zip(SYSTEMS, ground.boxes, strict=True) if n},
            energy=ground.energy,
            sinks_at=ground.sinks_at,
            setup=setup,
        )

    def hear(self, news: Heard) -> None:
        """Kept until the program is asked."""
        self.heard.append(news)

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        """Kept until the program is asked."""
        self.said.append(forms.Said(seat_name(self.ground, speaker), phrase))

    def choose(self, offer: Offer) -> AnyOrder | None:
        """Ask the program."""
        ask = forms.asking(offer, portray(self.ground, offer.view), self.heard, self.said)
        self.heard, self.said = [], []
        self.line.send(forms.ENCODER.encode(ask))
        reply = understand(self.line.answer(self.seconds))
        self.sayings += reply.say
        return reply.order

    def speak(self) -> Sequence[AnyPhrase]:
        """What came with its answers."""
        said, self.sayings = self.sayings, ()
        return said

    def close(self) -> None:
        """Tell it that the game is over, and see to it that it ends."""
        ended = [news for news in self.heard if isinstance(news, GameEnded)]
        result = Result(ended[-1].winner, ended[-1].why) if ended else None
        self.line.send(forms.ENCODER.encode(forms.OverLine(heard=tuple(self.heard), result=result)))
        self.line.close()


def understand(line: bytes) -> forms.ProgramReply:
    """The answer in the line."""
    if len(line) > forms.LONGEST_LINE:
        raise ProgramFault(f"it answered with more than {forms.LONGEST_LINE} bytes in a line")
    try:
        return forms.DECODER.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as bad:
        answered = line[:80].decode("utf-8", "replace").strip()
        raise ProgramFault(f"its answer can't be understood: {bad}; it was {answered!r}") from None


def seat_name(ground: CompiledSetup, seat: Seat) -> str:
    """``yellow/0``, as the referee calls it."""
    return f"{ground.book.colours[CREWS.index(seat.crew)]}/{seat.number}"


class ProgramProcess:
    """A process and its pipes. Threads do the waiting, so nothing it does can hang the arena."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self.process = subprocess.Popen(  # noqa: S603 - to run it is what was asked for
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # What it starts ends with it.
                **own_group(),
            )
        except OSError as bad:
            raise ProgramFault(f"it can't be started: {bad.strerror}") from None
        self.outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.inbox: queue.Queue[bytes] = queue.Queue(MOST_LINES)
        self.closed = False
        self.complaints = b""
        work = (self.write, self.read, self.overhear)
        self.threads = [threading.Thread(target=each, daemon=True) for each in work]
        for thread in self.threads:
            thread.start()

    def send(self, line: bytes) -> None:
        """Give it a line, whether or not it reads."""
        self.outbox.put(line + b"\n")

    def answer(self, seconds: float) -> bytes:
        """Its next line."""
        try:
            line = self.inbox.get(timeout=seconds)
        except queue.Empty:
            raise ProgramFault(f"it gave no answer within {seconds:g} seconds") from None
        if line == END:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(GOODBYE_SECONDS)
            code = self.process.poll()
            ended = "closed its output" if code is None else f"ended with code {code}"
            raise ProgramFault(f"it {ended}{self.complaint()}")
        return line

    def complaint(self) -> str:
        """What it last wrote to stderr."""
        self.threads[2].join(GOODBYE_SECONDS)
        words = self.complaints.decode("utf-8", "replace").strip()
        return f", and had written: {words[-500:]}" if words else ""

    def close(self) -> None:
        """End the process, gently at first."""
        self.closed = True
        self.outbox.put(END)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GOODBYE_SECONDS)
        with contextlib.suppress(OSError):
            kill_group(self.process)
        self.process.wait()
        for thread in self.threads:
            thread.join(GOODBYE_SECONDS)

    # What the threads do

    def write(self) -> None:
        pipe = self.pipe(self.process.stdin)
        with contextlib.suppress(OSError, ValueError):
            while line := self.outbox.get():
                pipe.write(line)
                pipe.flush()
        with contextlib.suppress(OSError, ValueError):
            pipe.close()

    def read(self) -> None:
        """Lines, cut off where they are too long."""
        pipe = self.pipe(self.process.stdout)
        with contextlib.suppress(OSError, ValueError), pipe:
            while line := pipe.readline(forms.LONGEST_LINE + 2):
                self.keep(line)
        self.keep(END)

    def keep(self, line: bytes) -> None:
        """Put the line into the inbox; while that is full, the program has to wait."""
        while not self.closed:
            with contextlib.suppress(queue.Full):
                self.inbox.put(line, timeout=0.1)
                return

    def overhear(self) -> None:
        """The last words on stderr."""
        pipe = self.pipe(self.process.stderr)
        with contextlib.suppress(OSError, ValueError), pipe:
            while words := os.read(pipe.fileno(), 4096):
                self.complaints = (self.complaints + words)[-MOST_COMPLAINTS:]

    @staticmethod
    def pipe(stream: IO[bytes] | None) -> IO[bytes]:
        assert stream is not None  # noqa: S101 - all three are pipes
        return stream
