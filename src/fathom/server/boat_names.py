"""What a submarine is called until its crew names it."""

from random import Random
from typing import Final

BOAT_NAMES: Final = (
    "Albacore", "Aldebaran", "Altair", "Amberjack", "Anglerfish", "Antares", "Argonaut",
    "Barracuda", "Bellatrix", "Beluga", "Bonito", "Capella", "Coelacanth", "Conger", "Cuttlefish",
    "Deneb", "Dorado", "Grampus", "Gurnard", "Halcyon", "Hammerhead", "Kingfisher", "Kraken",
    "Lamprey", "Leviathan", "Lionfish", "Manatee", "Manta", "Marlin", "Mirfak", "Moray", "Narwhal",
    "Octopus", "Orca", "Petrel", "Pollux", "Porpoise", "Procyon", "Remora", "Rigel", "Rorqual",
    "Sawfish", "Seahorse", "Sirius", "Sturgeon", "Swordfish", "Tarpon", "Thresher", "Vega",
    "Wolffish",
)  # fmt: skip
"""Creatures of the sea, and stars to steer by."""


def two_names(dice: Random) -> tuple[str, str]:
    """Names for both submarines of a table."""
    first, second = dice.sample(BOAT_NAMES, 2)
    return first, second
