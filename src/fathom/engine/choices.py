"""What may be chosen now, in one form for the legal list and for the judge.

Both read the same function of the moment, so an order is listed exactly if it is accepted.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, NamedTuple

from fathom.engine.base import Order, Orders
from fathom.engine.seat_now import SeatNow
from fathom.points import Point, Points, bits

NOTHING: Final[Orders] = ()


class ActionChoices(NamedTuple):
    """The orders that may be given now, if nothing hinders the action."""

    orders: Callable[[SeatNow], Orders]
    """All of them; none if they are endless."""
    admits: Callable[[SeatNow, Any], object]
    """Whether an order is one of them."""
    always: Orders = NOTHING
    """All of them, if these are always the same."""


def by_point(kind: type[Order], points: Callable[[SeatNow], Points]) -> ActionChoices:
    """An order for each point of a set. The point is the order's only field."""
    (field,) = kind.__struct_fields__

    @lru_cache(4096)
    def aimed(targets: Points) -> Orders:
        return tuple(kind(Point(point)) for point in bits(targets))

    def orders(now: SeatNow) -> Orders:
        targets = points(now)
        return aimed(targets) if targets else NOTHING

    return ActionChoices(orders, lambda now, order: points(now) >> getattr(order, field) & 1)


def by_number(
    make: Callable[[int], Order], number: Callable[[Any], int], count: Callable[[SeatNow], int]
) -> ActionChoices:
    """An order for each number from 1 to a count."""

    @lru_cache(64)
    def numbered(most: int) -> Orders:
        return tuple(make(n) for n in range(1, most + 1))

    return ActionChoices(
        lambda now: numbered(count(now)), lambda now, order: 1 <= number(order) <= count(now)
    )


def only(order: Order) -> ActionChoices:
    """The one order of its kind."""
    alone: Orders = (order,)
    return ActionChoices(lambda now: alone, lambda now, given: True, alone)


def listed(orders: Callable[[SeatNow], Orders]) -> ActionChoices:
    """The orders of a short list."""
    return ActionChoices(orders, lambda now, order: order in orders(now))


def endless(admits: Callable[[SeatNow, Any], object]) -> ActionChoices:
    """Orders that carry drawings or free words: judged, never listed."""
    return ActionChoices(lambda now: NOTHING, admits)
