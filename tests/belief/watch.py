"""A whole game followed by all that belief has, beside the enumerator and the truth."""

from collections.abc import Iterable
from copy import copy

from fathom.belief.breakdowns import Breakdowns
from fathom.belief.evidence import Belief
from fathom.belief.merged import Merged
from fathom.belief.stores import Stores
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Boat, Game
from fathom.engine.knowledge.heard import Announcement
from fathom.points import Points, bits
from fathom.words import SYSTEMS, Crew
from tests.belief.enumerator import Enumerator

MOST_STATES = 3_000
"""With more hidden states than these, the enumerator gives up: it takes too long."""


class BeliefWatch:
    """Everything that can be believed of one crew, checked after each order."""

    def __init__(self, ground: CompiledSetup, crew: Crew) -> None:
        self.crew = crew
        self.belief = Belief(ground, crew, likely=True)
        self.merged = Merged(ground, crew, likely=True)
        self.stores, self.breakdowns = Stores(ground, crew), Breakdowns(ground, crew)
        self.twin: Enumerator | None = Enumerator(ground, crew)
        self.boat: Boat | None = None
        """Its sheets when they were last checked."""
        self.compared = 0
        """After how many orders the enumerator agreed."""

    def hear(self, news: Iterable[Announcement]) -> None:
        for said in news:
            for listener in (self.belief, self.merged, self.stores, self.breakdowns):
                listener.hear(said)
            if self.twin is not None:
                self.twin.hear(said)

    def check(self, game: Game, news: list[Announcement]) -> None:
        """All that must hold while the game goes on, after some news or after none."""
        if game.public.phase != "playing":
            return
        if news:
            for belief in (self.belief, self.merged):
                self.check_place(game, belief)
            assert not self.belief.possible & ~self.merged.possible
            self.check_twin()
        if news or game.boats[self.crew] is not self.boat:
            self.boat = game.boats[self.crew]
            self.check_gauges(game)
            self.check_breakdowns(game)

    def check_place(self, game: Game, belief: Belief) -> None:
        """The truth is possible before and after the last conclusions, and so are the mines."""
        helm = game.boats[self.crew].helm
        assert belief.possible >> helm.at & 1
        belief.settle()
        assert belief.possible >> helm.at & 1
        assert belief.weights.keys() == set(bits(belief.possible))
        assert belief.weights[helm.at] > 0
        assert abs(sum(belief.weights.values()) - 1) < 1e-9
        assert told_apart(list(bits(helm.mines)), belief.mines())

    def check_twin(self) -> None:
        """Exactly the points that some history explains; more of them only if it says so."""
        if self.twin is None:
            return
        self.twin.settle()
        if len(self.twin.states) > MOST_STATES:
            self.twin = None
            return
        if self.belief.exact:
            assert self.belief.possible == self.twin.possible
            self.compared += 1
        else:
            assert not self.twin.possible & ~self.belief.possible

    def check_gauges(self, game: Game) -> None:
        boat, stores = game.boats[self.crew], self.stores
        if game.ground.energy:
            assert stores.energy == boat.gauges.energy
            return
        for system, filled in zip(SYSTEMS, boat.gauges.boxes, strict=True):
            fewest, most = stores.filled(system)
            assert filled <= most
            # A mark that is still due is counted already.
            assert fewest <= filled or boat.duty.charge != "none"
            if boat.duty.ready & system.bit:
                assert stores.may_be_ready(system)

    def check_breakdowns(self, game: Game) -> None:
        engine, duty = game.boats[self.crew].engine, game.boats[self.crew].duty
        if not game.ground.symbols or game.public.surfaced[self.crew]:
            return
        for symbols, systems in game.ground.colours:
            for system in SYSTEMS:
                if systems & system.bit and self.breakdowns.surely_broken(system):
                    assert symbols & engine.crossed
        if duty.cross == "none":
            after = settled(self.breakdowns)
            for panel, mask in game.ground.panels.items():
                assert engine.crossed & mask in after[panel]


def settled(breakdowns: Breakdowns) -> dict[str, frozenset[int]]:
    """What may be crossed out on each panel once the mark that is due has been made."""
    after = copy(breakdowns)
    after.panels = dict(after.panels)
    after.settle()
    return after.panels


def told_apart(mines: list[int], maps: list[Points]) -> bool:
    """Whether each of the mines may be a different one of those believed in."""
    if not mines:
        return True
    first, *rest = mines
    return any(
        told_apart(rest, maps[:n] + maps[n + 1 :])
        for n, where in enumerate(maps)
        if where >> first & 1
    )
