"""What each announcement tells about where a submarine is."""

from collections.abc import Callable
from typing import Any

from fathom.belief.follower import Follower
from fathom.belief.likelihood import Odds, Weights
from fathom.belief.minefield import Lay
from fathom.belief.patience import BUDGET, Patience
from fathom.belief.stores import USES
from fathom.belief.tracker import Tracker
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import (
    CourseSet,
    Damaged,
    Dived,
    DroneLaunched,
    Exploded,
    GameEnded,
    MineLaidHeard,
    MineTriggered,
    OldMineDestroyed,
    SilenceHeard,
    SonarAnswered,
    Surfaced,
    SystemFailed,
    SystemRepaired,
    TorpedoFired,
    TurnEnded,
    VolcanoNamed,
)
from fathom.engine.knowledge.heard import Announcement
from fathom.points import LETTERS, Points, bits, blast, collect, reach
from fathom.words import MINE, SCENARIO, SILENCE, SYSTEMS, TORPEDO, Crew


class Belief:
    """Where one crew's submarine can be, for anyone who hears what everyone hears.

    ``settle`` once all announcements of an order have been heard: only then is it known that no
    more explosions follow.
    """

    def __init__(
        self, ground: CompiledSetup, target: Crew, *, likely: bool = False, budget: int = BUDGET
    ) -> None:
        self.ground, self.target = ground, target
        self.patience = Patience(budget)
        self.silences = ground.book.silence_least, ground.book.silence_most
        self.lava: Points = 0
        self.old_mines = ground.old_mines
        starts = ground.chart.starts
        self.tracker = self.follower(1 << starts[target] if starts else self.way)
        self.odds = Odds(self.tracker.possible, self.silences) if likely else None
        self.in_service = ground.in_service
        self.struck_ice = False
        self.triggered: int | None = None
        self.blasts: list[Exploded] = []
        """The explosions of one order, until it is known that there are no more."""
        self.flowing: Points = 0
        """Lava that whoever is on it will not survive."""

    def follower(self, starts: Points) -> Follower:
        """Who follows the submarine."""
        blocks = self.ground.book.own_mine_blocks
        return Tracker(starts, self.silences, blocks=blocks, patience=self.patience)

    @property
    def possible(self) -> Points:
        """The points where the submarine can be."""
        return self.tracker.possible

    @property
    def exact(self) -> bool:
        """Whether that is exact, or too many: a search was cut short, or there is more to hear."""
        return self.tracker.exact and not self.blasts and not self.flowing

    @property
    def weights(self) -> Weights:
        """How likely each possible point is, if that was asked for."""
        return self.odds.weights if self.odds else {}

    @property
    def way(self) -> Points:
        """Where there is nothing in a submarine's way but its own route and mines."""
        blocks = self.ground.book.old_mine_blocks
        return self.ground.water & ~self.lava & ~(self.old_mines if blocks else 0)

    @property
    def water(self) -> Points:
        """Where a submarine can sail and the game go on (end.goal)."""
        return self.way & ~self.ground.finish

    def mines(self) -> list[Points]:
        """For each mine that may still lie somewhere, all points where it may lie."""
        tracker = self.tracker
        return [where for lay in tracker.lays if (where := tracker.may_lie(lay))]

    def hear(self, news: Announcement) -> None:
        """Take an announcement in."""
        self.patience.renew()
        if isinstance(news, GameEnded):
            # What would have followed the last blow is not known any more.
            self.blasts, self.flowing = [], 0
            return
        if not isinstance(news, Exploded | OldMineDestroyed):
            self.conclude()
        self.could_sail(news)
        learn = LEARN.get(type(news))
        if learn is not None:
            learn(self, news)
        self.weigh(news)

    def weigh(self, news: Announcement | None = None) -> None:
        """Carry the likelihoods on."""
        if self.odds is None:
            return
        moved = getattr(news, "crew", None) is self.target
        if moved and isinstance(news, CourseSet):
            self.odds.sail(news.heading, self.water)
        elif moved and isinstance(news, SilenceHeard):
            self.odds.slip(self.water)
        elif moved and isinstance(news, Surfaced):
            self.odds.surface()
        possible = self.possible
        moved = moved and isinstance(news, CourseSet | SilenceHeard)
        if moved or len(self.odds.weights) != possible.bit_count():
            self.odds.keep(possible)

    # Moving

    def course(self, news: CourseSet) -> None:
        """The submarine sailed one point."""
        if news.crew is not self.target:
            return
        self.tracker.sail(news.heading, self.water)
        if self.ground.real_time:
            self.arm()

    def silence(self, news: SilenceHeard) -> None:
        """The submarine moved unheard."""
        if news.crew is self.target:
            self.tracker.run_silent(self.water)

    def surfaced(self, news: Surfaced) -> None:
        """The submarine told its sector or point, and its route is erased."""
        if news.crew is not self.target:
            return
        if news.at is not None:
            self.tracker.see(1 << news.at)
        if news.sector is not None:
            self.tracker.see(self.ground.sector_points[news.sector])
        thin = self.ground.thin_ice
        self.tracker.see(thin if self.struck_ice else ~thin)
        self.struck_ice = False
        self.tracker.surface()

    def damaged(self, news: Damaged) -> None:
        """Damage by ice comes before the surfacing is announced."""
        if news.crew is self.target and news.cause == "ice":
            self.struck_ice = True
            self.tracker.see(self.ground.thin_ice)

    # Mines

    def arm(self) -> None:
        """All mines laid so far can be triggered from now on (mine.armed)."""
        for lay in self.tracker.lays:
            lay.armed = True

    def turn_ended(self, news: TurnEnded) -> None:
        """Mines are armed from their crew's next turn."""
        if news.next is self.target:
            self.arm()

    def dived(self, news: Dived) -> None:
        """Or, in real time, when it dives."""
        if news.crew is self.target:
            self.arm()

    def mine_laid(self, news: MineLaidHeard) -> None:
        """A mine lies next to where the submarine is."""
        if news.crew is self.target:
            lay = self.tracker.lay(self.mine_room())
            lay.armed = self.ground.book.mine_armed == "at-once"

    def mine_room(self) -> Points:
        """Where a mine may be laid, whoever lays it."""
        return self.ground.water & ~self.lava & ~self.old_mines

    def mine_triggered(self, news: MineTriggered) -> None:
        """The next explosion is that of an armed mine."""
        if news.crew is self.target:
            self.triggered = news.at

    # Explosions

    def exploded(self, news: Exploded) -> None:
        """How an explosion hit the submarine, and where its mine had lain."""
        self.blasts.append(news)
        self.see_hit(news)
        if news.source == "mine" and news.owner is self.target:
            self.tracker.burst(news.at, self.suspects(news.at))
        if news.source == "old-mine":
            self.old_mines &= ~(1 << news.at)

    def see_hit(self, news: Exploded) -> None:
        """A hit or a miss tells where the submarine is (blast.direct, blast.near, blast.miss)."""
        if news.owner is self.target and not self.ground.book.blast_self:
            return
        point = 1 << news.at
        around = blast(point) if self.ground.near else point
        match news.hits[self.target]:
            case "direct":
                self.tracker.see(point)
            case "indirect":
                self.tracker.see(around & ~point)
            case "miss":
                self.tracker.see(~around)

    def suspects(self, at: int) -> tuple[Lay, ...]:
        """The mines that may have exploded here; a triggered one was armed."""
        triggered, self.triggered = self.triggered == at, None
        return tuple(
            lay
            for lay in self.tracker.lays
            if (lay.armed or not triggered) and self.tracker.may_lie(lay) >> at & 1
        )

    def settle(self) -> None:
        """All announcements of an order have been heard, and the game goes on."""
        self.patience.renew()
        self.conclude()

    def conclude(self) -> None:
        """Draw the conclusions that had to wait."""
        if self.blasts:
            self.last_wave()
            self.weigh()
        if self.flowing:
            lava, self.flowing = self.flowing, 0
            self.tracker.see(~lava)
            self.tracker.buried(lava)
            self.weigh()

    def last_wave(self) -> None:
        """Mines that were not heard do not lie near what exploded."""
        points = [news.at for news in self.blasts]
        together = len(self.ground.volcanoes) if self.blasts[0].source == "volcano" else 1
        self.blasts = []
        self.tracker.exploded(
            collect(points[:together]), collect(points), chain=self.ground.book.blast_chain
        )

    def old_mine_destroyed(self, news: OldMineDestroyed) -> None:
        """An old mine is gone."""
        self.old_mines &= ~(1 << news.at)

    # Systems

    def torpedo(self, news: TorpedoFired) -> None:
        """The target was in the firer's reach."""
        if news.crew is not self.target:
            return
        self.tracker.see(self.reached(news.target))

    def reached(self, at: int) -> Points:
        """What a torpedo reaches from here; and from where it reaches here."""
        ground, book = self.ground, self.ground.book
        if book.torpedo_reach == "sector":
            inside = ground.sector_points[ground.sectors[at]]
        else:
            sea = ground.water & ~self.lava
            way = ground.chart_points if book.torpedo_over_islands else sea
            inside = reach(1 << at, book.torpedo_range, way)
        return inside if book.torpedo_own_point else inside & ~(1 << at)

    def drone(self, news: DroneLaunched) -> None:
        """Whether the submarine is in a sector."""
        if news.crew is self.target or news.answer == "toxic-smoke":
            return
        inside = self.ground.sector_points[news.sector]
        self.tracker.see(inside if news.answer == "yes" else ~inside)

    def sonar(self, news: SonarAnswered) -> None:
        """Two facts of which one is true, or one that is."""
        if news.crew is not self.target:
            return
        facts = self.facts(news)
        if len(facts) == 1:
            self.tracker.see(facts[0])
        else:
            self.tracker.see(facts[0] ^ facts[1])

    def facts(self, news: SonarAnswered) -> list[Points]:
        """Each fact as the points for which it holds."""
        told = []
        if news.row is not None:
            told.append(0xFFFF << 16 * (news.row - 1))
        if news.column is not None:
            column = LETTERS.index(news.column)
            told.append(sum(1 << 16 * row + column for row in range(16)))
        if news.sector is not None:
            told.append(self.ground.sector_points[news.sector])
        return told

    def failed(self, news: SystemFailed) -> None:
        """An order to a broken system would otherwise have been in order (breakdown.misuse)."""
        if news.crew is not self.target:
            return
        if news.system is MINE:
            self.tracker.had_room(self.mine_room(), to_sail=False)
        if news.system is SILENCE and self.silences[0] > 0:
            self.tracker.had_room(self.way, to_sail=True)
        if news.system is TORPEDO and not self.ground.book.torpedo_own_point:
            sea = self.ground.water & ~self.lava
            self.tracker.see(collect(at for at in bits(self.possible) if self.reached(at) & sea))
        if news.system is SCENARIO and any(self.ground.repair_at):
            self.tracker.see(self.shores(self.ground.systems & ~self.in_service))

    def could_sail(self, news: Announcement) -> None:
        """Where a blacked out crew may use no system, whoever uses one could sail on."""
        book = self.ground.book
        if book.blackout_systems or book.activations == "whole-turn":
            return
        if getattr(news, "crew", None) is self.target and type(news) in ACTIVATIONS:
            self.tracker.had_room(self.way, to_sail=True)

    def repaired(self, news: SystemRepaired) -> None:
        """The submarine is next to the system's island."""
        if news.crew is self.target:
            self.tracker.see(self.shores(news.system.bit))
            self.in_service |= news.system.bit

    def shores(self, systems: int) -> Points:
        """The points next to the islands of these systems."""
        mask = 0
        for system in SYSTEMS:
            if systems & system.bit:
                mask |= self.ground.repair_at[system.index]
        return mask

    def volcano(self, news: VolcanoNamed) -> None:
        """Lava is land from now on, and whoever is on it is lost."""
        if news.effect == "lava":
            self.flowing = self.ground.lava[news.volcano - 1]
            self.lava |= self.flowing
            self.old_mines &= ~self.flowing


ACTIVATIONS = frozenset({*USES, SystemFailed})
LEARN: dict[type, Callable[[Belief, Any], None]] = {
    CourseSet: Belief.course,
    SilenceHeard: Belief.silence,
    Surfaced: Belief.surfaced,
    Damaged: Belief.damaged,
    TurnEnded: Belief.turn_ended,
    Dived: Belief.dived,
    MineLaidHeard: Belief.mine_laid,
    MineTriggered: Belief.mine_triggered,
    Exploded: Belief.exploded,
    OldMineDestroyed: Belief.old_mine_destroyed,
    TorpedoFired: Belief.torpedo,
    DroneLaunched: Belief.drone,
    SonarAnswered: Belief.sonar,
    SystemFailed: Belief.failed,
    SystemRepaired: Belief.repaired,
    VolcanoNamed: Belief.volcano,
}
