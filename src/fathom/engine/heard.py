"""All that can reach enemy and public: public events, and what is left of secret ones."""

from typing import TypeAlias

from fathom.engine.events import Event, PublicEvent
from fathom.words import Crew, Post


class SilenceHeard(Event, frozen=True, tag="silence"):
    """A submarine ran silent; nobody outside knows where to."""

    crew: Crew


class MineLaidHeard(Event, frozen=True, tag="mine-laid-somewhere"):
    """A mine was laid; nobody outside knows where."""

    crew: Crew


Announcement: TypeAlias = PublicEvent | SilenceHeard | MineLaidHeard
"""What everyone hears."""


class MarkAcknowledged(Event, frozen=True, tag="acknowledged"):
    """Within a crew of closed stations: first mate or engineer said "Aye!"."""

    crew: Crew
    post: Post
