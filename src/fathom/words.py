"""The vocabulary: crews, posts, seats, headings, systems, and things that come in pairs."""

import enum
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

from msgspec import Struct

JOINERS: Final = "\u200c\u200d"
"""They show nothing, but Persian words and many emoji are written with them."""

T = TypeVar("T")
U = TypeVar("U")


def is_printable(text: str) -> bool:
    """Whether all of it can be shown, or joins what is shown."""
    return all(letter.isprintable() or letter in JOINERS for letter in text)


class Crew(enum.Enum):
    """One of the two crews. Its colour is the rulebook's; records call them a and b."""

    A = "a"
    B = "b"

    other: "Crew"

    # Each crew is there once; seats, which have one, are looked up all the time.
    __hash__ = object.__hash__


Crew.A.other = Crew.B
Crew.B.other = Crew.A

# Looking a member up on an Enum class costs more than a whole mask operation.
CREW_A: Final = Crew.A
CREW_B: Final = Crew.B
CREWS: Final = (CREW_A, CREW_B)


class ByCrew(Struct, Generic[T], frozen=True, array_like=True, gc=False):
    """A pair: one thing for each crew."""

    a: T
    b: T

    def __getitem__(self, crew: Crew) -> T:
        return self.a if crew is CREW_A else self.b

    def __iter__(self) -> Iterator[T]:
        yield self.a
        yield self.b

    def sides(self, crew: Crew) -> tuple[T, T]:
        """``crew``'s half, and the other crew's."""
        return (self.a, self.b) if crew is CREW_A else (self.b, self.a)

    def put(self, crew: Crew, value: T) -> "ByCrew[T]":
        """The pair with ``crew``'s half replaced."""
        return ByCrew(value, self.b) if crew is CREW_A else ByCrew(self.a, value)

    def map(self, change: Callable[[T], U]) -> "ByCrew[U]":
        """The pair of what ``change`` makes of each half."""
        return ByCrew(change(self.a), change(self.b))

    @staticmethod
    def of(make: Callable[[Crew], U]) -> "ByCrew[U]":
        """The pair of what ``make`` makes for each crew."""
        return ByCrew(make(CREW_A), make(CREW_B))


class Post(enum.Enum):
    """A job in a crew (crew.posts). ``bit`` is its place in a set of posts."""

    CAPTAIN = "captain"
    FIRST_MATE = "first-mate"
    ENGINEER = "engineer"
    RADIO_OPERATOR = "radio-operator"

    bit: int


for _place, _post in enumerate(Post):
    _post.bit = 1 << _place

CAPTAIN: Final = Post.CAPTAIN
FIRST_MATE: Final = Post.FIRST_MATE
ENGINEER: Final = Post.ENGINEER
RADIO_OPERATOR: Final = Post.RADIO_OPERATOR


class Seat(Struct, frozen=True, gc=False):
    """One player's place in a crew; which posts it holds is said at set-up."""

    crew: Crew
    number: int


class Referee(Struct, frozen=True, gc=False):
    """Who brings time and chance into the game; the engine has neither."""


REFEREE: Final = Referee()


class Heading(enum.Enum):
    """A course's direction. ``step`` is what it adds to a point."""

    N = "N"
    S = "S"
    E = "E"
    W = "W"

    step: int
    index: int


for _index, (_heading, _step) in enumerate(zip(Heading, (-16, 16, 1, -1), strict=True)):
    _heading.index = _index
    _heading.step = _step

HEADINGS: Final = tuple(Heading)


class System(enum.Enum):
    """What the first mate charges. ``index`` is its gauge, ``bit`` its place in a set."""

    MINE = "mine"
    TORPEDO = "torpedo"
    DRONE = "drone"
    SONAR = "sonar"
    SILENCE = "silence"
    SCENARIO = "scenario"

    index: int
    bit: int


for _index, _system in enumerate(System):
    _system.index = _index
    _system.bit = 1 << _index

SYSTEMS: Final = tuple(System)
MINE: Final = System.MINE
TORPEDO: Final = System.TORPEDO
DRONE: Final = System.DRONE
SONAR: Final = System.SONAR
SILENCE: Final = System.SILENCE
SCENARIO: Final = System.SCENARIO


class Kind(enum.Enum):
    """What a symbol on the engineer's sheet stands for (breakdown.kinds)."""

    RED = "red"
    GREEN = "green"
    YELLOW = "yellow"
    RADIATION = "radiation"


class Mode(enum.Enum):
    """How the game is paced."""

    TURN_BY_TURN = "turn-by-turn"
    REAL_TIME = "real-time"
