"""Who may give which orders (crew.orders, system.who), each as a set of posts."""

from fathom.engine.compiled_setup import CompiledSetup
from fathom.words import CAPTAIN, ENGINEER, FIRST_MATE, RADIO_OPERATOR, Crew, Post


def captains(setup: CompiledSetup, crew: Crew) -> int:
    """The captain."""
    return CAPTAIN.bit


def first_mates(setup: CompiledSetup, crew: Crew) -> int:
    """The first mate."""
    return FIRST_MATE.bit


def engineers(setup: CompiledSetup, crew: Crew) -> int:
    """The engineer."""
    return ENGINEER.bit


def radio_operators(setup: CompiledSetup, crew: Crew) -> int:
    """The radio operator."""
    return RADIO_OPERATOR.bit


def detectors(setup: CompiledSetup, crew: Crew) -> int:
    """Who activates drone and sonar: the captain alone, if the first mate is shy."""
    if setup.setup.crews[crew].shy_mate:
        return CAPTAIN.bit
    return sum(post.bit for post in setup.book.detection_by)


def everyone(setup: CompiledSetup, crew: Crew) -> int:
    """Any post."""
    return sum(post.bit for post in Post)


def nobody(setup: CompiledSetup, crew: Crew) -> int:
    """No post: only the referee."""
    return 0
