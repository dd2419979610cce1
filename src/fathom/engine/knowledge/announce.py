"""What everyone hears of an event. What its module does not let out stays aboard."""

from fathom.engine.action import ABOARD, EVERYONE
from fathom.engine.base import Event
from fathom.engine.registry import AUDIENCES


def announce(event: Event) -> Event | None:
    """What enemy and public learn of ``event`` (secret.enemy)."""
    heard = AUDIENCES[type(event)]
    if heard is EVERYONE:
        return event
    return None if heard is ABOARD else heard(event)  # type: ignore[operator]
