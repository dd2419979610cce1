"""The six levels, named like ranks."""

import enum


class Rank(enum.Enum):
    """How well a bot plays. ``level`` counts from 0."""

    CADET = "cadet"
    ENSIGN = "ensign"
    LIEUTENANT = "lieutenant"
    COMMANDER = "commander"
    COMMODORE = "commodore"
    ADMIRAL = "admiral"

    level: int


for _level, _rank in enumerate(Rank):
    _rank.level = _level

RANKS = tuple(Rank)
