"""What all orders share, and what all events share."""

from typing import TypeAlias

from msgspec import Struct


class Order(Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag_field="order"):
    """Asks, in the imperative; whether it is allowed is judged by its action."""


class Event(Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag_field="event"):
    """Tells, in the past; it is applied without being judged again."""


Orders: TypeAlias = tuple[Order, ...]
Events: TypeAlias = list[Event]
