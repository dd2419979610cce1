"""What distinguishes the ranks: abilities that are there or not, and weights that were tuned.

Everything is counted in one currency: damage to expect.
"""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from fathom.bots.ranks import Rank


class Traits(Struct, frozen=True):
    """One rank's abilities and weights."""

    tracking: Literal["none", "merged", "exact"] = "exact"
    """Whether the enemy is tracked, and whether the covered points are taken into account."""
    mirror: bool = True
    """Whether it is followed what the enemy knows of us."""
    likely: bool = False
    """Whether some of the possible points count as likelier than others."""
    depth: int = 6
    """How many courses ahead."""
    width: int = 40
    """How many plans are kept at each of them."""
    retaliation: bool = False
    """Whether it is asked what the enemy will do about it."""
    mines: bool = False
    """Whether mines are laid and set off."""
    gauges: bool = False
    """Whether the enemy's gauges are worked out."""
    lies: Literal["random", "largest", "least"] = "largest"
    """How sonar is answered: at random, so that most remains possible, so that least is told."""
    duel: bool = False
    """Whether the last phase is played as a game of mixed strategies."""

    duel_at: int = 4
    """With no more points than these left to search, the duel begins."""
    turns: int = 4
    """How many turns of both sides it is searched ahead."""

    hold: float = 0.1
    """In the duel: what keeping the torpedo is worth."""
    silence_price: float = 0.1
    """In the duel: what keeping the silence is worth."""

    stealth: float = 1.0
    """What their next shot at us counts."""
    secrecy: float = 0.12
    """What each bit that they don't know of our position counts, for each course."""
    hunt: float = 0.3
    """What a shot at them counts that a course makes possible."""
    surfacing: float = 2.5
    """What surfacing costs in time."""
    fire_at: float = 0.8
    """The damage that a shot must promise."""
    scout_at: float = 4.0
    """With more points than these left to search, drone and sonar are used."""
    hide_at: float = 5.0
    """With no more points than these left to the enemy, it is time for silence."""
    hide_gain: float = 0.35
    """With retaliation in mind: the damage that a silence must spare us."""
    lost_at: int = 12
    """After so many courses, not knowing them on so few points calls for a sonar."""
    lay_first: int = 6
    """So many mines are laid before silence is charged."""
    lay_at: int = 6
    """So many mines are enough."""
    trigger_at: float = 0.8
    """The damage that setting off a mine must promise."""
    mine_fear: float = 0.4
    """What a mine next to us counts."""


UNAWARE = Traits(mirror=False, depth=2, width=8, lies="random", stealth=0.0, secrecy=0.0, hunt=0.0)
"""Who does not ask what the enemy knows, and looks two courses ahead."""
KNOWING = Traits(retaliation=True, mines=True, gauges=True, lies="least")
"""Who thinks of what the enemy has and does."""

TRAITS: dict[Rank, Traits] = {
    Rank.ENSIGN: replace(UNAWARE, tracking="none"),
    Rank.LIEUTENANT: replace(UNAWARE, tracking="merged", fire_at=1.2),
    Rank.COMMANDER: Traits(width=8, depth=5),
    Rank.COMMODORE: KNOWING,
    Rank.ADMIRAL: replace(
        KNOWING,
        likely=True,
        duel=True,
        width=60,
        stealth=0.4,
        secrecy=0.3,
        hunt=0.5,
        surfacing=3.0,
        fire_at=0.6,
        trigger_at=0.55,
        hide_gain=0.2,
        lay_first=2,
    ),
}
