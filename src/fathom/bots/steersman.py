"""Which course, when to run silent and where to, when to surface."""

from typing import Final

from fathom.bots.counsel import ADVICE
from fathom.bots.desk import Desk
from fathom.bots.duellist import Duellist
from fathom.bots.engine_room import EngineRoom
from fathom.bots.exposure import Exposure
from fathom.bots.pilot import MOST_COURSES, Outlook, Pilot, RoutePlan, start_at
from fathom.bots.traits import Traits
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.points import Points, bits, blast, cross, reach
from fathom.words import HEADINGS, SYSTEMS, TORPEDO

SHORTEST_ROUTE: Final = 4
"""With a shorter one, nobody surfaces who needn't."""
WARNING_HOLDS: Final = 3
"""For so many courses after it was announced, a surfacing surprises nobody."""
ICE: Final = 1.4
"""What breaking through ice costs."""
SUNK: Final = 50.0
CONTENT: Final = 1.2
"""A plan that promises so much more than surfacing costs is good enough."""
SHOTS: Final = 1.3
"""How many torpedoes a surfaced submarine has to fear."""
ANYWHERE: Final = 40
"""A mine that may lie on more points than these is no reason to turn."""
DRAWN: Final = 0.06
"""What each step nearer to the scenario's goal counts."""
RESTLESS: Final = 0.3
"""How often those hide who don't know what the enemy knows."""


class Steersman:
    """Chooses where to go."""

    def __init__(
        self, traits: Traits, exposure: Exposure, room: EngineRoom, duellist: Duellist
    ) -> None:
        self.traits, self.exposure, self.duellist = traits, exposure, duellist
        self.waters = exposure.waters
        self.pilot = Pilot(self.waters, room)
        self.symbol: int | None = None
        """The symbol that the plan wants crossed out for the course just set."""
        self.warned_at = -WARNING_HOLDS - 1
        """The course after which the crew was told that we mean to surface."""

    # Courses

    def sail(self, desk: Desk) -> AnyOrder | None:
        """The best course, or surfacing if that is better."""
        courses, surface = desk.of(give.SetCourse), desk.of(give.Surface)
        if not courses:
            return surface[0] if surface and desk.marks_made else None
        outlook = self.outlook(desk)
        plan = self.best_plan(desk, outlook)
        if surface and self.better_to_surface(desk, outlook, plan) and self.announced(desk):
            return surface[0]
        chosen = give.SetCourse(HEADINGS[plan.heading])
        if plan.heading < 0 or chosen not in courses:
            return desk.dice.choice(courses)
        self.symbol = plan.symbol
        return chosen

    def best_plan(self, desk: Desk, outlook: Outlook) -> RoutePlan:
        """The best way on from here, with the duel and the engineer's warnings in mind."""
        sea = desk.open
        for danger in desk.counsel.dangers:
            sea &= ~(1 << max(0, desk.at + danger.step))
        if not sea & cross(1 << desk.at):
            sea = desk.open
        start = start_at(desk.at, sea, desk.crossed, desk.mind.known)
        lots = [desk.dice.random() for _ in HEADINGS]
        traits = self.traits
        plan, values = self.pilot.plan(start, outlook, traits.depth, traits.width, lots)
        extra = self.duellist.courses(desk) if traits.duel else {}
        for danger in desk.counsel.dangers:
            extra[danger.index] = extra.get(danger.index, 0.0) - ADVICE
        if not extra or not values:
            return plan
        best = max(
            values, key=lambda heading: (values[heading] + extra.get(heading, 0.0), lots[heading])
        )
        if best != plan.heading:
            plan = self.plan_with(desk, outlook, best)
        return plan._replace(score=plan.score + extra.get(plan.heading, 0.0))

    def plan_with(self, desk: Desk, outlook: Outlook, heading: int) -> RoutePlan:
        """The best plan that begins with this course."""
        here = 1 << desk.at
        sea = desk.open & ~cross(here) | 1 << desk.at + HEADINGS[heading].step
        start = start_at(desk.at, sea, desk.crossed, desk.mind.known)
        return self.pilot.plan(start, outlook, 3, 10)[0]

    def outlook(self, desk: Desk) -> Outlook:
        """What the search needs to know of the world."""
        traits, mind = self.traits, desk.mind
        fear = traits.stealth * desk.patience
        return Outlook(
            theirs=mind.where,
            shot=self.exposure.our_hit(desk) if mind.where else 0.0,
            armed_in=desk.armed_in,
            hunt=traits.hunt,
            threat=tuple(
                fear * mind.readiness(ply + 1) if fear else 0.0 for ply in range(MOST_COURSES)
            ),
            secrecy=traits.secrecy,
            exposed=self.exposure.damages(desk),
            sea=desk.sea,
            danger=self.danger(desk),
            pull=self.pull(desk),
        )

    def danger(self, desk: Desk) -> dict[int, float]:
        """What their mines may do to us."""
        if not self.traits.retaliation or desk.at < 0:
            return {}
        mines = [where for where in desk.mind.theirs.mines() if where.bit_count() <= ANYWHERE]
        risk: dict[int, float] = {}
        near = reach(1 << desk.at, self.traits.depth, desk.open) if mines else 0
        for where in mines:
            share = self.traits.mine_fear / where.bit_count()
            for point in bits(near & blast(where)):
                hits = (where & self.waters.blasts[point]).bit_count()
                risk[point] = risk.get(point, 0.0) + share * hits
        return risk

    def pull(self, desk: Desk) -> dict[int, float]:
        """Where the scenario draws us: to islands with parts, or to the finish."""
        if desk.at < 0:
            return {}
        if goal := desk.ground.finish or self.repairs_wanted(desk):
            return self.slope(goal & self.waters.water, DRAWN)
        return {}

    def slope(self, goal: Points, step: float) -> dict[int, float]:
        """What being at each point counts, the less the farther it is from the goal."""
        pulled: dict[int, float] = {}
        ring = reached = goal
        loss = 0.0
        while ring:
            pulled.update(dict.fromkeys(bits(ring), -loss))
            ring = cross(reached) & self.waters.water & ~reached
            reached |= ring
            loss += step
        return pulled

    @staticmethod
    def repairs_wanted(desk: Desk) -> Points:
        """Where a system can be put into service that is not yet, weapons first."""
        service = desk.public.in_service[desk.crew]
        for system in (TORPEDO, *SYSTEMS):
            if desk.ground.repair_at[system.index] and not service & system.bit:
                return desk.ground.repair_at[system.index]
        return 0

    # Surfacing

    def better_to_surface(self, desk: Desk, outlook: Outlook, plan: RoutePlan) -> bool:
        """Whether a fresh route and a clean sheet are worth their price."""
        helm = desk.view.helm
        if helm is None or len(helm.route) < SHORTEST_ROUTE or desk.counsel.objections:
            return False
        price = self.price_of_surfacing(desk)
        if plan.score > CONTENT - price:
            return False
        width = max(8, self.traits.width // 4)
        start = start_at(desk.at, desk.fresh & ~(1 << desk.at), 0, self.told(desk))
        fresh, _ = self.pilot.plan(start, outlook, self.traits.depth, width)
        return fresh.score - price > plan.score

    def announced(self, desk: Desk) -> bool:
        """Whether nobody is left to be warned: a crew hears of it a course before, and may object.

        Who was warned long ago is warned again.
        """
        courses, dangers = desk.mind.courses, desk.counsel.dangers
        ways = [order.heading for order in desk.of(give.SetCourse)]
        if desk.alone or dangers.issuperset(ways) or courses - self.warned_at <= WARNING_HOLDS:
            return courses != self.warned_at
        self.warned_at = courses
        return False

    @staticmethod
    def told(desk: Desk) -> Points:
        """Where they will think that we can be once we have surfaced."""
        sectors = desk.ground.sectors
        return desk.mind.known & desk.ground.sector_points[sectors[desk.at]]

    def price_of_surfacing(self, desk: Desk) -> float:
        """Time, what they learn, and ice."""
        price = self.traits.surfacing
        if desk.ground.thin_ice >> desk.at & 1:
            price += ICE if desk.hull.ours > 1 else SUNK
        where = desk.mind.where
        if self.traits.duel and (lost := self.duellist.price_of_surfacing(desk)) is not None:
            price += lost - self.traits.surfacing / 2
        elif where and self.traits.stealth:
            close = (where & self.waters.threats[2][desk.at]).bit_count() / where.bit_count()
            known = self.told(desk)
            price += SHOTS * desk.mind.readiness(3) * close * self.exposure.hit(desk, known)
        return price

    # Silence

    def hide(self, desk: Desk) -> AnyOrder | None:
        """Run silent when they have nearly found us."""
        ways = desk.working(give.RunSilent)
        if not ways or not self.must_hide(desk):
            return None
        known, outlook = self.exposure.after_silence(desk), self.outlook(desk)
        return max(
            ways,
            key=lambda way: (self.value_of_silence(desk, way, known, outlook), desk.dice.random()),
        )

    def must_hide(self, desk: Desk) -> bool:
        """Whether a silence is worth its boxes now."""
        known = desk.mind.known
        if not known:
            return desk.dice.random() < RESTLESS
        if desk.ground.energy and desk.mind.where.bit_count() > 2 * known.bit_count():
            return False
        if not self.traits.retaliation:
            return known.bit_count() <= self.traits.hide_at
        after = self.exposure.threat(desk, self.exposure.after_silence(desk))
        return self.exposure.threat(desk, known) - after >= self.traits.hide_gain

    def value_of_silence(
        self, desk: Desk, way: give.RunSilent, known: Points, outlook: Outlook
    ) -> float:
        """What the plans from there promise."""
        at, sea = desk.after_silence(way)
        node = start_at(at, sea, desk.crossed, known)
        calm, _ = self.pilot.worth(at, known, outlook, 0)
        plan, _ = self.pilot.plan(node, outlook, 2, 4)
        return calm + plan.score
