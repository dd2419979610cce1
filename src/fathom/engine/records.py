"""Orders, events and views as JSON: points by their names, no mask ever leaves."""

from typing import Any, Final, TypeVar

import msgspec

from fathom.engine.events import AnyEvent
from fathom.engine.orders import AnyOrder
from fathom.points import spell, unspell

T = TypeVar("T")

ENCODER: Final = msgspec.json.Encoder(enc_hook=spell)
ORDERS: Final[msgspec.json.Decoder[AnyOrder]] = msgspec.json.Decoder(AnyOrder, dec_hook=unspell)
EVENTS: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent, dec_hook=unspell)


def encode(record: Any) -> bytes:
    """The record as JSON."""
    return ENCODER.encode(record)


def decode_order(text: bytes | str) -> AnyOrder:
    """The order written in ``text``; ``msgspec.ValidationError`` says what is wrong where."""
    return ORDERS.decode(text)


def decode_event(text: bytes | str) -> AnyEvent:
    """The event written in ``text``."""
    return EVENTS.decode(text)


def builtins(record: Any) -> Any:
    """The record as plain dicts, lists, strings and numbers."""
    return msgspec.to_builtins(record, enc_hook=spell)


def build(values: Any, kind: type[T]) -> T:
    """The record of this kind with these plain values."""
    return msgspec.convert(values, kind, dec_hook=unspell)
