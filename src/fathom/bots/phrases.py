"""What is said on a crew's channel: keys with arguments, for each language to put into words.

People say the same phrases with one touch, so bots and people understand each other.
"""

from typing import TypeAlias

from msgspec import Struct

from fathom.points import Point
from fathom.words import Heading, Kind, System


class Phrase(Struct, frozen=True, forbid_unknown_fields=True, gc=False, tag_field="phrase"):
    """What all phrases share."""


# The captain


class PleaseCharge(Phrase, frozen=True, tag="please-charge"):
    """The captain wants a system charged next."""

    system: System


class PleaseUse(Phrase, frozen=True, tag="please-use"):
    """The captain wants the first mate to use drone or sonar."""

    system: System
    sector: int | None = None


class PleaseSpare(Phrase, frozen=True, tag="please-spare"):
    """The captain wants symbols of a colour left alone."""

    kind: Kind


class WhichWay(Phrase, frozen=True, tag="which-way"):
    """The captain asks the engineer which courses are bad."""


class WhereAreThey(Phrase, frozen=True, tag="where-are-they"):
    """The captain asks the radio operator."""


class SurfacingSoon(Phrase, frozen=True, tag="surfacing-soon"):
    """The captain means to surface."""


# The first mate


class Ready(Phrase, frozen=True, tag="ready"):
    """A gauge is full."""

    system: System


class NotReady(Phrase, frozen=True, tag="not-ready"):
    """A gauge still needs so many boxes."""

    system: System
    boxes: int


# The engineer


class Danger(Phrase, frozen=True, tag="danger"):
    """A course this way would cost damage, or the system that is wanted."""

    heading: Heading


class Safe(Phrase, frozen=True, tag="safe"):
    """A course this way does no harm, or even mends a circuit."""

    heading: Heading


class Broken(Phrase, frozen=True, tag="broken"):
    """Systems of this colour don't work."""

    kind: Kind


class Mended(Phrase, frozen=True, tag="mended"):
    """Systems of this colour work again."""

    kind: Kind


class SurfaceSoon(Phrase, frozen=True, tag="surface-soon"):
    """The engineer runs out of harmless symbols."""


# The radio operator


class Probably(Phrase, frozen=True, tag="probably"):
    """Where they most likely are, and how likely that is, in percent."""

    points: tuple[Point, ...]
    percent: int


class InSector(Phrase, frozen=True, tag="in-sector"):
    """They are in a sector, most likely."""

    sector: int
    percent: int


class NoIdea(Phrase, frozen=True, tag="no-idea"):
    """They can be on so many points."""

    points: int


class TheyKnow(Phrase, frozen=True, tag="they-know"):
    """For all that they heard, we can be on so few points only."""

    points: int


class HeatMap(Phrase, frozen=True, tag="heat-map"):
    """How likely they are on each point, in thousandths; points left out are impossible."""

    likely: dict[Point, int]


# Anyone


class Yes(Phrase, frozen=True, tag="yes"):
    """Agreed."""


class No(Phrase, frozen=True, tag="no"):
    """Not agreed."""


AnyPhrase: TypeAlias = (
    PleaseCharge
    | PleaseUse
    | PleaseSpare
    | WhichWay
    | WhereAreThey
    | SurfacingSoon
    | Ready
    | NotReady
    | Danger
    | Safe
    | Broken
    | Mended
    | SurfaceSoon
    | Probably
    | InSector
    | NoIdea
    | TheyKnow
    | HeatMap
    | Yes
    | No
)
