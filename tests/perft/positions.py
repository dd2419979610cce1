"""Reading positions and their counts from ``.perft`` files."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from fathom.engine.orders import AnyOrder
from fathom.engine.records import decode_order
from fathom.rules.rulebook import Boxes
from fathom.rules.setup import Setup
from fathom.words import REFEREE, Crew, Mode, Referee, Seat
from tests.stories import sea, table, with_pace

HERE = Path(__file__).parent


@dataclass
class PerftPosition:
    """A table, the orders that lead to a position, and how many sequences go on from it."""

    file: str
    name: str = ""
    note: str = ""
    table: dict[str, Any] = field(default_factory=dict)
    chart: dict[str, str] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    orders: list[tuple[Seat | Referee, AnyOrder]] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    by_both: set[int] = field(default_factory=set)
    """The depths that engine and twin have both counted."""

    def __str__(self) -> str:
        return f"{self.file}-{self.name}"

    def setup(self) -> Setup:
        """The table that the position is played at."""
        choices = dict(self.table)
        gauges, first = choices.pop("gauges", None), choices.pop("first", "a")
        mode = Mode(choices.pop("mode"))
        setup = table(mode=mode, chart=sea("\n".join(self.rows), **self.chart), **choices)
        if gauges is not None:
            setup = with_pace(setup, gauges=msgspec.convert(gauges, Boxes))
        return replace(setup, first=Crew(first) if first else None)

    def take(self, word: str, rest: str) -> None:
        """One line of the file."""
        match word:
            case "id":
                self.name = rest
            case "note":
                self.note = rest
            case "table":
                self.table = json.loads(rest)
            case "chart":
                key, _, value = rest.partition(" ")
                self.chart[key] = value
            case "sea":
                self.rows.append(rest)
            case "order":
                by, _, order = rest.partition(" ")
                self.orders.append((read_seat(by), decode_order(order)))
            case "perft":
                depth, count, counted_by = rest.split()
                self.counts[int(depth)] = int(count)
                if counted_by == "both":
                    self.by_both.add(int(depth))
            case _:
                raise ValueError(f"{self.file}: what is {word!r}?")


def read_seat(text: str) -> Seat | Referee:
    """``a.1`` is the first seat of crew a."""
    if text == "referee":
        return REFEREE
    crew, _, number = text.partition(".")
    return Seat(Crew(crew), int(number) - 1)


def read(file: Path) -> list[PerftPosition]:
    """The positions of one file; ``id`` begins a new one."""
    found: list[PerftPosition] = []
    for line in file.read_text("utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        word, _, rest = line.partition(" ")
        if word == "id":
            found.append(PerftPosition(file.stem))
        found[-1].take(word, rest)
    return found


def all_positions() -> list[PerftPosition]:
    """Every position of every file."""
    return [position for file in sorted(HERE.glob("*.perft")) for position in read(file)]
