"""The captain: begins, answers, shoots, searches, hides and steers, in that order."""

from collections.abc import Callable, Iterator
from typing import Final

from fathom.bots.answers import Answerer
from fathom.bots.desk import NEVER, Desk
from fathom.bots.duellist import Duellist
from fathom.bots.engine_room import EngineRoom
from fathom.bots.exposure import Exposure
from fathom.bots.gunner import Gunner
from fathom.bots.phrases import (
    AnyPhrase,
    PleaseCharge,
    PleaseSpare,
    SurfacingSoon,
    WhereAreThey,
    WhichWay,
)
from fathom.bots.scout import Scout
from fathom.bots.skirmish import Skirmish
from fathom.bots.steersman import Steersman
from fathom.bots.traits import Traits
from fathom.bots.waters import Waters
from fathom.engine import orders as give
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.orders import AnyOrder
from fathom.points import reach
from fathom.words import (
    ENGINEER,
    FIRST_MATE,
    RADIO_OPERATOR,
    SILENCE,
    SONAR,
    TORPEDO,
    Kind,
    System,
)

ROOMY: Final = 20
"""A start should have so many points within four courses."""
LOST: Final = 20
"""With more points than these to search, the radio operator is asked."""


class Captain:
    """Decides what the captain orders, and what the captain says."""

    def __init__(
        self, ground: CompiledSetup, traits: Traits, waters: Waters, room: EngineRoom
    ) -> None:
        self.ground, self.traits, self.waters = ground, traits, waters
        exposure = Exposure(waters)
        skirmish = Skirmish(waters, ground.boxes[TORPEDO.index] or ground.costs[TORPEDO.index])
        self.gunner = Gunner(traits, exposure)
        self.duellist = Duellist(traits, exposure, self.gunner, skirmish)
        self.steersman = Steersman(traits, exposure, room, self.duellist)
        self.answers, self.scout = Answerer(traits), Scout(traits)
        self.said: dict[type, tuple[int, AnyPhrase]] = {}
        """What was said last, and after which course."""

    def choose(self, desk: Desk) -> AnyOrder | None:
        """The captain's order; nothing while the crew or the enemy is at work."""
        if desk.out_of_turn:
            return self.gunner.trigger(desk)
        if desk.public.turn is None:
            # In real time nobody waits for the first mate.
            self.scout.send(desk)
        plans: tuple[Callable[[Desk], AnyOrder | None], ...] = (
            self.begin,
            self.answers.choose,
            self.gunner.trigger,
            self.act,
            self.steersman.sail,
        )
        for plan in plans:
            if (order := plan(desk)) is not None:
                return order
        return None if self.scout.send(desk) else self.carry_on(desk)

    def begin(self, desk: Desk) -> AnyOrder | None:
        """Start somewhere with room around it."""
        places = desk.of(give.Place)
        if not places or (desk.view.helm and desk.view.helm.route):
            return None
        water = self.waters.water
        roomy = [p for p in places if reach(1 << p.at, 4, water).bit_count() >= ROOMY]
        return desk.dice.choice(roomy or places)

    def act(self, desk: Desk) -> AnyOrder | None:
        """Use a system, if one is worth it now."""
        if not desk.systems_offered:
            return None
        if repairs := desk.working(give.RepairSystem):
            return repairs[0]
        if self.traits.duel and (foes := self.duellist.foes(desk)):
            order = self.duellist.act(desk, foes)
            return order or self.gunner.old_mine(desk) or self.gunner.lay(desk)
        plans = (
            self.gunner.fire,
            self.gunner.old_mine,
            self.steersman.hide,
            self.scout.choose,
            self.gunner.lay,
        )
        return next((order for plan in plans if (order := plan(desk)) is not None), None)

    @staticmethod
    def carry_on(desk: Desk) -> AnyOrder | None:
        """End the turn, a stop or a surfacing."""
        for kind in (give.EndTurn, give.ResumePlay, give.Dive):
            if offered := desk.orders.get(kind):
                return offered[0]
        return None

    # What the captain says

    def wishes(self, desk: Desk, posts: int) -> Iterator[AnyPhrase]:
        """What the captain wants from others of the crew, when it has changed."""
        if not posts & FIRST_MATE.bit and FIRST_MATE in self.ground.book.posts:
            wish = PleaseCharge(self.first_wish(desk))
            if self.said.get(PleaseCharge, (0, None))[1] != wish:
                yield self.say(desk, wish)
        if self.ground.symbols and not posts & ENGINEER.bit:
            yield from self.questions(desk)
        if self.steersman.warned_at == desk.mind.courses and self.not_yet(desk, SurfacingSoon):
            yield self.say(desk, SurfacingSoon())
        lost = not posts & RADIO_OPERATOR.bit and desk.mind.where.bit_count() > LOST
        if lost and self.not_yet(desk, WhereAreThey):
            yield self.say(desk, WhereAreThey())
        if self.scout.errand is not None:
            yield self.scout.errand
            self.scout.errand = None

    def questions(self, desk: Desk) -> Iterator[AnyPhrase]:
        """What the engineer is asked: which way, and to spare the weapons when they are loaded."""
        if desk.view.engine is None and self.not_yet(desk, WhichWay):
            yield self.say(desk, WhichWay())
        if desk.armed_in <= 1 and PleaseSpare not in self.said:
            yield self.say(desk, PleaseSpare(Kind.RED))

    def first_wish(self, desk: Desk) -> System:
        """What should be charged next."""
        if 0 < desk.armed_in < NEVER:
            return TORPEDO
        known = desk.mind.known.bit_count()
        return SILENCE if 0 < known <= 2 * self.traits.hide_at else SONAR

    def not_yet(self, desk: Desk, kind: type) -> bool:
        """Whether nothing of the kind was said since the last course."""
        return self.said.get(kind, (-1, None))[0] != desk.mind.courses

    def say(self, desk: Desk, phrase: AnyPhrase) -> AnyPhrase:
        """Say something, and remember it."""
        self.said[type(phrase)] = desk.mind.courses, phrase
        return phrase
