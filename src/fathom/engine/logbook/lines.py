"""The forms of logbook lines: how each kind of event is told in plain English."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeAlias, get_args

from fathom.engine.base import Event
from fathom.engine.game import Ending
from fathom.engine.registry import lines
from fathom.words import Heading, Post, System


class Slot(NamedTuple):
    """How a value is written in a line."""

    expected: str
    pattern: re.Pattern[str]
    read: Callable[[str], Any]
    write: Callable[[Any], str]


def slot(expected: str, pattern: str, read: Callable[[str], Any], write: Any = str) -> Slot:
    return Slot(expected, re.compile(pattern), read, write)


def words(meaning: Mapping[Any, str]) -> Slot:
    """A slot for one of a few values, each called by a word."""
    value_of = {word: value for value, word in meaning.items()}
    longest_first = sorted(value_of, key=len, reverse=True)
    expected = "one of " + ", ".join(value_of)
    return slot(
        expected, "|".join(map(re.escape, longest_first)), value_of.__getitem__, meaning.__getitem__
    )


def plain(values: Iterable[Any]) -> dict[Any, str]:
    """Values that are called by their own names, in which a hyphen reads as a space."""
    return {value: str(getattr(value, "value", value)).replace("-", " ") for value in values}


NUMBER: Final = "-?(?:0|[1-9][0-9]{0,18})"
SPOT: Final = f"{NUMBER},{NUMBER}"
HITS: Final = {"direct": "direct hit", "indirect": "indirect hit", "miss": "miss"}
ENDINGS: Final = {why: why for why in get_args(Ending)}
STIRRINGS: Final = {1: "eruption", 2: "toxic smoke", 3: "lava"}


def read_spots(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(number) for number in spot.split(",")) for spot in text.split(" "))


def write_spots(spots: Iterable[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in spots)


SLOTS: Final[dict[str, Slot]] = {
    "number": slot("a number", NUMBER, int),
    # People count seats from 1, the engine from 0.
    "seat": slot("a seat's number", "[1-4]", lambda n: int(n) - 1, lambda n: str(n + 1)),
    "column": slot("a column's letter", "[A-O]", str),
    "symbol": slot("a symbol such as N2", "[A-Z][0-9]+", str),
    "circuit": slot("a circuit's name", "[a-z]+", str),
    "text": slot(
        "a JSON string",
        r'"(?:[^"\\]|\\.)*"',
        json.loads,
        lambda text: json.dumps(text, ensure_ascii=False),
    ),
    "spots": slot("spots such as 190,90 276,90", f"{SPOT}(?: {SPOT})*", read_spots, write_spots),
    "sections": slot(
        "sections such as 1, 3",
        "[1-4](?:, [1-4])*",
        lambda text: tuple(int(section) for section in text.split(", ")),
        lambda sections: ", ".join(str(section) for section in sections),
    ),
    "heading": words(plain(Heading)),
    "system": words(plain(System)),
    "post": words(plain(Post)),
    "answer": words(plain(("yes", "no", "toxic-smoke"))),
    "cause": words(plain(("breakdown", "ice"))),
    "effect": words(plain(("smoke", "lava"))),
    "shape": words({**plain(("dot", "ring", "cross", "mine")), "question": "question mark"}),
    "stirring": words(STIRRINGS),
    "why": words(ENDINGS),
}


Piece: TypeAlias = str | tuple[str, str]
"""Words of a form, or a field and the slot that it is written in."""


class Form(NamedTuple):
    """How events of one kind are told. Fields that it doesn't mention have ``fixed`` values."""

    kind: type[Event]
    template: str
    pieces: tuple[Piece, ...]
    fixed: dict[str, Any]

    def tells(self, event: Any) -> bool:
        """Whether the event can be told in this form."""
        fields = (piece[0] for piece in self.pieces if isinstance(piece, tuple))
        told = all(getattr(event, field, "") is not None for field in fields)
        return told and all(getattr(event, field) == value for field, value in self.fixed.items())

    @property
    def key(self) -> tuple[bool, str]:
        """Whether a crew comes first, and the first word (after it)."""
        first, *more = self.pieces
        by_crew = isinstance(first, tuple)
        text = more[0] if by_crew else first
        return by_crew, str(text).split()[0]


def form(kind: type[Event], template: str, **fixed: Any) -> Form:
    """The form that ``template`` describes: ``{at:point}`` is the field ``at``, told as a point."""
    pieces: list[Piece] = []
    for place, text in enumerate(re.split(r"\{(.*?)\}", template)):
        field, _, kind_of_slot = text.partition(":")
        if place % 2:
            pieces.append((field, kind_of_slot or field))
        elif text:
            pieces.append(text)
    return Form(kind, template, tuple(pieces), fixed)


FORMS: Final = tuple(
    form(kind, template, **fixed) for kind, (template, fixed), recorded in lines() if recorded
)
"""Every line that a logbook may hold; an event is told in the first of its forms that tells all."""

HEARD: Final = tuple(
    form(kind, template, **fixed) for kind, (template, fixed), recorded in lines() if not recorded
)
"""What is left of secret events for those who hear only a part; never in a logbook."""

BY_KIND: Final[dict[type, list[Form]]] = {}
for _form in (*FORMS, *HEARD):
    BY_KIND.setdefault(_form.kind, []).append(_form)

BY_KEY: Final[dict[tuple[bool, str], list[Form]]] = {}
for _form in FORMS:
    BY_KEY.setdefault(_form.key, []).append(_form)
