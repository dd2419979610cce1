"""The core itself, where it is installed. Importing this module fails where it is not.

States are numpy records: ``states["damage"]`` reads them, ``states.copy()`` clones them.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import chain
from struct import Struct
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fathom.core import actions
from fathom.core.events import decode
from fathom.core.flat_setup import SEATS, flat_setup
from fathom.core.flat_state import flat_state, game_of
from fathom.core.header import fingerprint
from fathom.engine.game import Game
from fathom.engine.orders import AnyOrder
from fathom.rules.setup import Setup
from fathom.words import CREWS, Crew, Referee, Seat

try:
    from fathom_core import SHARED_HASH, NativeBatch, NativeBelief, NativeCore, layouts
except ImportError as missing:
    raise ImportError(
        "the fast core is not installed, or another version of it: "
        "run `make core`, or `pip install fathom-core`"
    ) from missing

if fingerprint() != SHARED_HASH:
    raise ImportError("fathom-core was built for another version of fathom: run `make core` again")

__all__ = [
    "STATE",
    "Core",
    "Masks",
    "NativeBatch",
    "NativeBelief",
    "Numbers",
    "Seeds",
    "States",
    "actor_of",
    "core_for",
    "raw",
]

States: TypeAlias = NDArray[Any]
"""An array of states, of the type ``STATE``."""
Masks: TypeAlias = NDArray[np.uint8]
Numbers: TypeAlias = NDArray[np.int32]
Seeds: TypeAlias = NDArray[np.uint64]

REFEREE_ACTOR: Final = 2 * SEATS


def _dtype(layout: tuple[list[Any], int]) -> np.dtype[Any]:
    """The numpy type of a record that C++ describes."""
    fields, size = layout
    formats = [
        (_dtype(form) if isinstance(form, tuple) else np.dtype(form), shape)
        for _, form, shape, _ in fields
    ]
    names, offsets = [field[0] for field in fields], [field[3] for field in fields]
    spec = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size}
    return np.dtype(spec)  # type: ignore[call-overload,no-any-return]


FORMATS: Final = {"u1": "B", "i1": "b", "u2": "H", "i2": "h", "u4": "I", "u8": "Q"}
"""The formats of numpy, as Python's ``struct`` calls them."""


class Packer:
    """Writes records of one type; numpy, field by field, takes several times as long."""

    def __init__(self, dtype: np.dtype[Any]) -> None:
        fields: Mapping[str, Any] = dtype.fields or {}
        self.names = tuple(fields)
        self.parts: dict[str, Packer] = {}
        """Writers of the fields that are lists of records."""
        formats, end = [], 0
        for name in self.names:
            kind, offset = fields[name][:2]
            formats.append(f"{offset - end}x{self.format_of(name, kind)}")
            end = offset + kind.itemsize
        self.layout = Struct(f"<{''.join(formats)}{dtype.itemsize - end}x")

    def format_of(self, name: str, kind: np.dtype[Any]) -> str:
        """A field's format."""
        if kind.base.names:
            self.parts[name] = Packer(kind.base)
            return f"{kind.itemsize}s"
        return f"{kind.itemsize // kind.base.itemsize}{FORMATS[kind.base.str[1:]]}"

    def pack(self, values: Mapping[str, Any]) -> bytes:
        """The record with these values; every field must be given, and no other."""
        if len(values) != len(self.names) or any(name not in values for name in self.names):
            odd = ", ".join(sorted(set(self.names) ^ set(values)))
            raise ValueError(f"fathom-core was built for another version of fathom: {odd}")
        flat: list[Any] = []
        for name in self.names:
            value = values[name]
            if part := self.parts.get(name):
                flat.append(b"".join(map(part.pack, value)))
            elif isinstance(value, list | tuple):
                flat.extend(
                    chain(*value) if value and isinstance(value[0], list | tuple) else value
                )
            else:
                flat.append(value)
        return self.layout.pack(*flat)


_RULES: Final = Packer(_dtype(layouts()["rules"]))
STATE: Final = _dtype(layouts()["state"])
_STATES: Final = Packer(STATE)


def actor_of(seat: Seat | Referee | Crew) -> int:
    """The number by which the core knows a seat, the referee, or a crew as one player."""
    if isinstance(seat, Referee):
        return REFEREE_ACTOR
    if isinstance(seat, Crew):
        return REFEREE_ACTOR + 1 + CREWS.index(seat)
    return CREWS.index(seat.crew) * SEATS + seat.number


class Core:
    """The rules of one set-up, for any number of games."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.native = NativeCore(np.frombuffer(_RULES.pack(flat_setup(setup)), np.uint8))

    def new_states(self, count: int) -> States:
        """So many games at their beginning."""
        states = np.zeros(count, STATE)
        self.begin(states)
        return states

    def begin(self, states: States) -> None:
        """Begin all these games again."""
        self.native.begin(raw(states))

    def states_of(self, games: Iterable[Game]) -> States:
        """The states of games of this set-up."""
        packed = b"".join(_STATES.pack(flat_state(game)) for game in games)
        return np.frombuffer(bytearray(packed), STATE)

    def game(self, state: Any) -> Game:
        """The game of one state."""
        return game_of(self.setup, state)

    def masks(self, states: States, actors: Numbers, out: Masks | None = None) -> Masks:
        """Of each state's actor the legal actions, as 1."""
        if out is None:
            out = np.zeros((len(states), actions.COUNT), np.uint8)
        self.native.masks(raw(states), actors, out)
        return out

    def legal(self, states: States, row: int, seat: Seat | Referee | Crew) -> list[int]:
        """The legal actions of a seat in one state."""
        actors = np.array([actor_of(seat)], np.int32)
        found: list[int] = self.masks(states[row : row + 1], actors)[0].nonzero()[0].tolist()
        return found

    def perform(
        self, states: States, row: int, seat: Seat | Referee | Crew, order: AnyOrder | int
    ) -> NDArray[np.int16]:
        """Carry out an order in one state; what happened, as rows."""
        action = order if isinstance(order, int) else actions.action_of(self.setup, order)
        return self.native.perform(raw(states), row, actor_of(seat), action)

    def perform_all(self, states: States, actors: Numbers, chosen: Numbers) -> None:
        """Carry out one order in every state; none if one of them is illegal."""
        self.native.perform_all(raw(states), actors, chosen)

    def playouts(
        self, states: States, seeds: Seeds, *, most: int = 10_000, weights: Mapping[str, int] = {}
    ) -> Numbers:
        """Play the games on at random, in place; how many orders each took.

        Every crew is one player, who neither resigns nor traces badly. All orders are equally
        likely; or ``weights`` tells how likely each kind is, by the name of its block in the action
        table, and one that is not named never comes while another may. ``seeds`` are the dice, and
        are written back. ``states["phase"]`` tells which games are over.
        """
        given = np.zeros(len(states), np.int32)
        table = np.zeros(actions.COUNT if weights else 0, np.uint32)
        for name, weight in weights.items():
            table[actions.BLOCKS[name].start] = weight
        self.native.playouts(raw(states), seeds, most, table, given)
        return given

    def perft(self, states: States, row: int, depth: int) -> int:
        """How many sequences of so many orders go on from a state (tests/perft)."""
        return self.native.perft(raw(states), row, depth)

    def events(self, rows: NDArray[np.int16]) -> list[Any]:
        """The events that rows stand for."""
        return [decode(self.setup, row) for row in rows.tolist()]


@lru_cache(64)
def core_for(setup: Setup) -> Core:
    """The core of a set-up; made once."""
    return Core(setup)


def raw(states: States) -> NDArray[np.uint8]:
    """The states as bytes, which share their memory."""
    if states.dtype != STATE or not states.flags.c_contiguous:
        raise ValueError("expected one contiguous array of states")
    return states.view(np.uint8).reshape(len(states), STATE.itemsize)
