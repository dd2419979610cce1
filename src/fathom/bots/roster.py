"""Who can be enlisted: a bot of any rank for any seat of any table."""

from fathom.bots.cadet import Cadet
from fathom.bots.officer import Officer
from fathom.bots.protocol import Bot
from fathom.bots.ranks import Rank
from fathom.bots.traits import TRAITS
from fathom.engine.compiled_setup import CompiledSetup
from fathom.words import Seat


def enlist(rank: Rank, ground: CompiledSetup, seat: Seat, seed: int) -> Bot:
    """A bot of this rank for this seat."""
    traits = TRAITS.get(rank)
    return Officer(ground, seat, seed, traits) if traits else Cadet(ground, seat, seed)
