"""The obvious tracker: every hidden state that could have led to what was heard, one by one."""

from collections.abc import Iterator
from typing import NamedTuple

from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import (
    CourseSet,
    Damaged,
    Dived,
    DroneLaunched,
    Exploded,
    MineLaidHeard,
    MineTriggered,
    OldMineDestroyed,
    OldMineDetonated,
    SilenceHeard,
    SonarAnswered,
    SonarUsed,
    Surfaced,
    SystemFailed,
    SystemRepaired,
    TorpedoFired,
    TurnEnded,
    VolcanoNamed,
)
from fathom.engine.knowledge.heard import Announcement
from fathom.points import LETTERS, Points, bits
from fathom.words import HEADINGS, MINE, SCENARIO, SILENCE, SYSTEMS, TORPEDO, Crew, System

ACTIVATIONS = (
    MineLaidHeard,
    TorpedoFired,
    DroneLaunched,
    SonarUsed,
    SilenceHeard,
    OldMineDetonated,
    SystemRepaired,
    SystemFailed,
)


class Hidden(NamedTuple):
    """What a captain knows and nobody hears."""

    at: int
    covered: frozenset[int]
    mines: frozenset[int]
    unarmed: frozenset[int]


def around(point: int) -> set[int]:
    """The eight neighbours, on the chart or not."""
    return {point + dy + dx for dy in (-16, 0, 16) for dx in (-1, 0, 1)} - {point}


class Enumerator:
    """All hidden states of one crew that fit what was heard."""

    def __init__(self, ground: CompiledSetup, target: Crew) -> None:
        self.ground, self.target = ground, target
        self.land_risen: set[int] = set()
        self.old_mines = set(bits(ground.old_mines))
        self.in_service = ground.in_service
        starts = ground.chart.starts
        points = [starts[target]] if starts else list(bits(ground.water))
        none: frozenset[int] = frozenset()
        if ground.book.old_mine_blocks and not starts:
            points = [at for at in points if at not in self.old_mines]
        self.states = {Hidden(at, frozenset({at}), none, none) for at in points}
        self.broke_ice = False
        self.batch: list[Exploded] = []
        self.by_trigger = False

    @property
    def possible(self) -> Points:
        return sum(1 << at for at in {state.at for state in self.states})

    def sea(self) -> set[int]:
        """Where there is water now."""
        return set(bits(self.ground.water)) - self.land_risen

    def keep(self, points: set[int]) -> None:
        self.states = {state for state in self.states if state.at in points}

    def hear(self, news: Announcement) -> None:
        if not isinstance(news, Exploded | OldMineDestroyed):
            self.settle()
        mine = getattr(news, "crew", None) is self.target
        if mine and type(news) in ACTIVATIONS:
            self.activate()
        match news:
            case CourseSet(heading=heading) if mine:
                self.states = {
                    self.entered(state, state.at + heading.step)
                    for state in self.states
                    if self.can_enter(state, state.at + heading.step)
                }
                if self.ground.real_time:
                    self.arm()
            case SilenceHeard() if mine:
                self.states = {after for state in self.states for after in self.silences(state)}
            case Surfaced(sector=sector, at=at) if mine:
                self.surface(sector, at)
            case Damaged(cause="ice") if mine:
                self.broke_ice = True
            case TurnEnded(next=crew) if crew is self.target:
                self.arm()
            case Dived() if mine:
                self.arm()
            case MineLaidHeard() if mine:
                self.states = {after for state in self.states for after in self.lays(state)}
            case SystemFailed(system=system) if mine:
                self.states = {state for state in self.states if self.had_use_of(state, system)}
            case SystemRepaired(system=system) if mine:
                self.keep(self.shores(system.bit))
                self.in_service |= system.bit
            case MineTriggered() if mine:
                self.by_trigger = True
            case Exploded():
                self.batch.append(news)
            case OldMineDestroyed(at=at):
                self.old_mines.discard(at)
            case TorpedoFired(target=target) if mine:
                self.states = {s for s in self.states if target in self.torpedo_reach(s.at)}
            case DroneLaunched(sector=sector, answer=answer) if not mine:
                if answer != "toxic-smoke":
                    self.states = {
                        s for s in self.states if (self.sector(s.at) == sector) == (answer == "yes")
                    }
            case SonarAnswered() if mine:
                self.states = {s for s in self.states if self.fits(s.at, news)}
            case VolcanoNamed(volcano=volcano, effect="lava"):
                self.flow(set(bits(self.ground.lava[volcano - 1])))
            case _:
                pass

    def sector(self, at: int) -> int:
        return self.ground.sectors[at]

    def can_enter(self, state: Hidden, point: int) -> bool:
        book = self.ground.book
        if point not in self.sea() or point in state.covered:
            return False
        if book.old_mine_blocks and point in self.old_mines:
            return False
        return not (book.own_mine_blocks and point in state.mines)

    def can_sail(self, state: Hidden) -> bool:
        return any(self.can_enter(state, state.at + heading.step) for heading in HEADINGS)

    def activate(self) -> None:
        """At some tables a crew may not use systems when blacked out."""
        book = self.ground.book
        if not book.blackout_systems and book.activations != "whole-turn":
            self.states = {state for state in self.states if self.can_sail(state)}

    def had_use_of(self, state: Hidden, system: System) -> bool:
        """Whether a system that failed could have been used, had it been whole."""
        if system is MINE:
            return bool(self.mine_points(state))
        if system is SILENCE:
            return any(self.silences(state))
        if system is TORPEDO:
            return bool(self.torpedo_reach(state.at))
        if system is SCENARIO and self.ground.chart.special == "damaged":
            return state.at in self.shores(self.ground.systems & ~self.in_service)
        return True

    @staticmethod
    def entered(state: Hidden, point: int) -> Hidden:
        return state._replace(at=point, covered=state.covered | {point})

    def silences(self, state: Hidden) -> Iterator[Hidden]:
        least, most = self.ground.book.silence_least, self.ground.book.silence_most
        if least == 0:
            yield state
        for heading in HEADINGS:
            moved = state
            for distance in range(1, most + 1):
                if not self.can_enter(moved, moved.at + heading.step):
                    break
                moved = self.entered(moved, moved.at + heading.step)
                if distance >= least:
                    yield moved

    def surface(self, sector: int | None, at: int | None) -> None:
        ice = set(bits(self.ground.thin_ice))
        self.states = {
            state._replace(covered=frozenset({state.at}))
            for state in self.states
            if (sector is None or self.sector(state.at) == sector)
            and (at is None or state.at == at)
            and (state.at in ice) == self.broke_ice
        }
        self.broke_ice = False

    def arm(self) -> None:
        self.states = {state._replace(unarmed=frozenset()) for state in self.states}

    def mine_points(self, state: Hidden) -> set[int]:
        taken = state.covered | state.mines | self.old_mines
        return (around(state.at) & self.sea()) - taken

    def lays(self, state: Hidden) -> Iterator[Hidden]:
        later = self.ground.book.mine_armed == "next-turn"
        for point in self.mine_points(state):
            unarmed = state.unarmed | {point} if later else state.unarmed
            yield state._replace(mines=state.mines | {point}, unarmed=unarmed)

    def shores(self, systems: int) -> set[int]:
        near: set[int] = set()
        for system in SYSTEMS:
            if systems & system.bit:
                near |= set(bits(self.ground.repair_at[system.index]))
        return near

    def torpedo_reach(self, at: int) -> set[int]:
        book = self.ground.book
        if book.torpedo_reach == "sector":
            return {point for point in self.sea() if self.sector(point) == self.sector(at)}
        way = set(bits(self.ground.chart_points)) if book.torpedo_over_islands else self.sea()
        reached = {at}
        for _ in range(book.torpedo_range):
            reached |= {p + h.step for p in reached for h in HEADINGS} & way
        return (reached & self.sea()) - (set() if book.torpedo_own_point else {at})

    def fits(self, at: int, news: SonarAnswered) -> bool:
        told = []
        if news.row is not None:
            told.append(news.row == (at >> 4) + 1)
        if news.column is not None:
            told.append(news.column == LETTERS[at & 15])
        if news.sector is not None:
            told.append(news.sector == self.sector(at))
        return sum(told) == 1

    def flow(self, lava: set[int]) -> None:
        self.land_risen |= lava
        self.old_mines -= lava
        self.states = {
            state._replace(mines=state.mines - lava, unarmed=state.unarmed - lava)
            for state in self.states
            if state.at not in lava
        }

    # Explosions

    def settle(self) -> None:
        """After the last wave: only states in which everything would have gone just so."""
        if not self.batch:
            return
        waves = self.waves()
        triggered, self.by_trigger, self.batch = self.by_trigger, False, []
        states = (self.after(state, waves, triggered) for state in self.states)
        self.states = {state for state in states if state is not None}
        self.old_mines -= {e.at for wave in waves for e in wave if e.source == "old-mine"}

    def waves(self) -> list[list[Exploded]]:
        """The explosions of a batch, wave by wave: what is next to a wave is the next one."""
        count = 2 if self.batch[0].source == "volcano" else 1
        waves, rest = [self.batch[:count]], self.batch[count:]
        while rest:
            near = {point for e in waves[-1] for point in around(e.at)}
            waves.append([e for e in rest if e.at in near])
            rest = [e for e in rest if e.at not in near]
        return waves

    def after(self, state: Hidden, waves: list[list[Exploded]], triggered: bool) -> Hidden | None:
        """The state after the explosions, if they would have gone just so."""
        mines, set_off = state.mines, set[int]()
        for number, wave in enumerate(waves):
            if not all(self.hit_as_told(state.at, e) for e in wave):
                return None
            heard = {e.at for e in wave if e.source == "mine" and e.owner is self.target}
            if number == 0 and not heard <= (mines - state.unarmed if triggered else mines):
                return None
            if number > 0 and heard != set_off:
                return None
            mines -= {e.at for e in wave}
            near = {point for e in wave for point in around(e.at)}
            set_off = set(mines & near) if self.ground.book.blast_chain else set()
        if set_off:
            return None
        return state._replace(mines=frozenset(mines), unarmed=state.unarmed & mines)

    def hit_as_told(self, at: int, news: Exploded) -> bool:
        if news.owner is self.target and not self.ground.book.blast_self:
            return True
        if at == news.at:
            told = "direct"
        else:
            told = "indirect" if at in around(news.at) and self.ground.near else "miss"
        return told == news.hits[self.target]
