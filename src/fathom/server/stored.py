"""Reads what is stored: unknown fields are ignored, unlike in what clients send.

Processes of two releases may share a database, and the newer one may have added a field. What is
read here is almost always of our own release, so it is first read as it is.
"""

import logging
from collections.abc import Iterable
from typing import Any, Final, Generic, TypeVar

import msgspec
from msgspec import inspect

from fathom.points import unspell
from fathom.server.metrics import Metrics

NOTES: Final = logging.getLogger("fathom.log")
T = TypeVar("T")
MOST_NOTED: Final = 1000
"""Rows of which it is remembered that they were noted."""


class Unreadable(Exception):
    """Something stored can't be read by this release."""


class Stored(Generic[T]):
    """How one kind of thing is read."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind
        self.strict: msgspec.json.Decoder[T] = msgspec.json.Decoder(kind, dec_hook=unspell)
        self.shape: inspect.Type | None = None

    def decode(self, text: bytes) -> T:
        """The thing; raises ``Unreadable``."""
        try:
            return self.strict.decode(text)
        except (msgspec.MsgspecError, UnicodeError):
            return self.decode_known(text)

    def decode_known(self, text: bytes) -> T:
        """The thing, from the fields that are known here."""
        if self.shape is None:
            self.shape = inspect.type_info(self.kind)
        try:
            values = known(msgspec.json.decode(text), self.shape)
            found: T = msgspec.convert(values, self.kind, dec_hook=unspell)
        except (msgspec.MsgspecError, UnicodeError, ValueError) as bad:
            raise Unreadable(str(bad)) from None
        return found


class StoredRows:
    """Reads rows one by one: one that can't be read is counted, noted once and left out."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics
        self.noted: set[str] = set()

    def read(self, kind: Stored[T], text: bytes, name: str) -> T | None:
        """The thing; None if it can't be read."""
        try:
            return kind.decode(text)
        except Unreadable as bad:
            self.metrics.unreadable += 1
            if name not in self.noted and len(self.noted) < MOST_NOTED:
                self.noted.add(name)
                NOTES.warning("%s can't be read by this release and is left out: %s", name, bad)
            return None


def known(value: Any, shape: inspect.Type) -> Any:
    """Plain values without the fields that a type does not have."""
    match shape:
        case inspect.StructType(array_like=True) if isinstance(value, list):
            fields = zip(value, shape.fields, strict=False)
            return [known(part, field.type) for part, field in fields]
        case inspect.StructType() if isinstance(value, dict):
            return known_fields(value, shape)
        case inspect.UnionType():
            return known(value, variant(value, shape.types))
        case inspect.VarTupleType() | inspect.ListType() if isinstance(value, list):
            return [known(item, shape.item_type) for item in value]
        case inspect.TupleType() if isinstance(value, list):
            items = zip(value, shape.item_types, strict=False)
            return [known(part, item) for part, item in items]
        case inspect.DictType() if isinstance(value, dict):
            return {name: known(item, shape.value_type) for name, item in value.items()}
    return value


def known_fields(value: dict[str, Any], shape: inspect.StructType) -> dict[str, Any]:
    """An object without the fields that its type does not have."""
    kept = {
        field.encode_name: known(value[field.encode_name], field.type)
        for field in shape.fields
        if field.encode_name in value
    }
    if shape.tag_field is not None and shape.tag_field in value:
        kept[shape.tag_field] = value[shape.tag_field]
    return kept


def variant(value: Any, types: Iterable[inspect.Type]) -> inspect.Type:
    """The one of several types that a value is of, as far as fields matter."""
    if isinstance(value, dict):
        for shape in types:
            if isinstance(shape, inspect.DictType):
                return shape
            if isinstance(shape, inspect.StructType) and not shape.array_like:
                tagged = shape.tag_field is None or value.get(shape.tag_field) == shape.tag
                if tagged:
                    return shape
    if isinstance(value, list):
        lists = (inspect.VarTupleType, inspect.ListType, inspect.TupleType)
        for shape in types:
            if isinstance(shape, lists) or getattr(shape, "array_like", False):
                return shape
    return inspect.AnyType()
