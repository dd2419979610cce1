"""All that can reach enemy and public: public events, and what is left of secret ones."""

from typing import TYPE_CHECKING, TypeAlias, Union

from fathom.engine.action import EVERYONE
from fathom.engine.base import Event
from fathom.engine.registry import EVENTS, events, remnants

if TYPE_CHECKING:
    Announcement: TypeAlias = Event
    Heard: TypeAlias = Event
else:
    Announcement = Union[(*events(secret=False), *remnants(EVERYONE))]
    Heard = Union[tuple(EVENTS)]  # noqa: UP007

# What everyone hears; and what can reach a seat: the enemy's share of it is an announcement and,
# for the engineer, a traced hull.
