"""What a crew did in a game, counted from the events."""

from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field

from fathom.arena.thinking import ThinkingTimes, together
from fathom.engine import events as told
from fathom.engine.events import AnyEvent
from fathom.words import ByCrew, Crew


class Tally(Struct):
    """One crew's game in numbers."""

    orders: int = 0
    courses: int = 0
    silences: int = 0
    surfacings: int = 0
    forced: int = 0
    """Surfacings with no course left."""
    breakdown: int = 0
    """Damage by breakdowns."""
    ice: int = 0
    """Damage by ice."""
    own_blasts: int = 0
    """Damage by the crew's own explosions."""
    dealt: int = 0
    """Damage to the enemy by the crew's explosions."""
    torpedoes: int = 0
    torpedo_hits: int = 0
    mines: int = 0
    """Mines set off, old ones too."""
    mine_hits: int = 0
    detections: int = 0
    """Drones and sonars."""
    choosing: ThinkingTimes = field(default_factory=ThinkingTimes)
    """For each decision, what choosing took."""
    hearing: ThinkingTimes = field(default_factory=ThinkingTimes)
    """For each order at the table, what taking its news in took."""

    @property
    def self_damage(self) -> int:
        """Damage that the crew did to itself."""
        return self.breakdown + self.ice + self.own_blasts

    @property
    def shots(self) -> int:
        """Torpedoes fired and mines set off."""
        return self.torpedoes + self.mines

    @property
    def hits(self) -> int:
        """Those that hurt the enemy."""
        return self.torpedo_hits + self.mine_hits


TIMES: Final = ("choosing", "hearing")
COUNTS: Final = tuple(name for name in Tally.__struct_fields__ if name not in TIMES)


def sum_up(tallies: Iterable[Tally]) -> Tally:
    """Several games as one."""
    every = list(tallies)
    counts = {name: sum(getattr(tally, name) for tally in every) for name in COUNTS}
    return Tally(
        **counts,
        choosing=together(tally.choosing for tally in every),
        hearing=together(tally.hearing for tally in every),
    )


Tallies = ByCrew[Tally]

COUNTED: Final[dict[type, str]] = {
    told.CourseSet: "courses",
    told.RanSilent: "silences",
    told.Surfaced: "surfacings",
    told.TorpedoFired: "torpedoes",
    told.MineTriggered: "mines",
    told.OldMineDetonated: "mines",
    told.DroneLaunched: "detections",
    told.SonarUsed: "detections",
}
"""Events of a crew, and under what they are counted."""


def count(tallies: Tallies, by: Crew, events: Iterable[AnyEvent]) -> None:
    """Take what an order of ``by`` brought about into account."""
    blasts = []
    for event in events:
        kind = type(event)
        if kind in COUNTED:
            tally, name = tallies[event.crew], COUNTED[kind]  # type: ignore[attr-defined]
            setattr(tally, name, getattr(tally, name) + 1)
        elif isinstance(event, told.Damaged):
            tally = tallies[event.crew]
            name = "ice" if event.cause == "ice" else "breakdown"
            setattr(tally, name, getattr(tally, name) + event.amount)
        elif isinstance(event, told.Exploded):
            blasts.append(event)
    if blasts:
        count_blasts(tallies[by], by, blasts, torpedo=blasts[0].source == "torpedo")


def count_blasts(tally: Tally, by: Crew, blasts: list[told.Exploded], *, torpedo: bool) -> None:
    """All explosions that an order set off are its crew's, whoever laid the mines."""
    dealt = sum(blast.damage[by.other] for blast in blasts)
    tally.own_blasts += sum(blast.damage[by] for blast in blasts)
    tally.dealt += dealt
    if blasts[0].source == "volcano" or not dealt:
        return
    if torpedo:
        tally.torpedo_hits += 1
    else:
        tally.mine_hits += 1


def per_hundred_courses(tally: Tally, damage: int) -> float:
    """Damage for every hundred courses."""
    return 100.0 * damage / tally.courses if tally.courses else 0.0


def fresh() -> Tallies:
    """Both crews before the game."""
    return ByCrew(Tally(), Tally())
