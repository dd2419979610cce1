"""The first mate: charges what is wanted, says what is ready, and searches when asked."""

from collections.abc import Iterator

from fathom.bots.desk import Desk
from fathom.bots.phrases import AnyPhrase, NotReady, PleaseCharge, PleaseUse, Ready
from fathom.bots.traits import Traits
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.words import DRONE, MINE, SCENARIO, SILENCE, SONAR, SYSTEMS, TORPEDO, System


class Mate:
    """Decides what is charged."""

    def __init__(self, traits: Traits) -> None:
        self.traits = traits
        self.asked: System | None = None
        """What the captain asked to have charged."""
        self.errand: AnyOrder | None = None
        """What the captain asked to have used."""
        self.ready = 0
        """The systems that were said to be ready."""

    def heed(self, phrase: AnyPhrase) -> None:
        """The captain's wishes."""
        match phrase:
            case PleaseCharge(system=system):
                self.asked = system
            case PleaseUse(system=System.SONAR):
                self.errand = give.USE_SONAR
            case PleaseUse(system=System.DRONE, sector=int(sector)):
                self.errand = give.LaunchDrone(sector)
            case _:
                pass

    def remarks(self, desk: Desk) -> Iterator[AnyPhrase]:
        """What became ready; and how much is missing of what was asked for in vain."""
        duty = desk.view.duty
        ready = duty.ready if duty else 0
        for system in SYSTEMS:
            if ready & ~self.ready & system.bit:
                yield Ready(system)
        self.ready = ready
        if self.errand is not None and (missing := desk.missing(used_by(self.errand))):
            yield NotReady(used_by(self.errand), min(missing, 14))
            self.errand = None

    def choose(self, desk: Desk) -> AnyOrder | None:
        """Charge, or use what the captain asked for."""
        if charges := desk.of(give.Charge):
            systems = [charge.system for charge in charges]
            wishes = (self.asked, *self.wishes(desk)) if self.asked else self.wishes(desk)
            return next((give.Charge(wish) for wish in wishes if wish in systems), charges[0])
        return self.run_errand(desk)

    def run_errand(self, desk: Desk) -> AnyOrder | None:
        """Use what the captain asked for, if it is ready and not broken."""
        errand = self.errand
        if errand is None or errand not in desk.offer.orders or not desk.works(used_by(errand)):
            return None
        self.errand = None
        return errand

    def wishes(self, desk: Desk) -> tuple[System, ...]:
        """What to charge, the dearest wish first."""
        if not desk.mind.tracks:
            return TORPEDO, SILENCE, SONAR, DRONE, MINE, SCENARIO
        ours, theirs = desk.mind.known.bit_count(), desk.mind.where.bit_count()
        if self.traits.mines:
            return self.armed_wishes(desk, theirs)
        if ours <= 2 * self.traits.hide_at:
            return TORPEDO, SILENCE, SONAR, DRONE, SCENARIO, MINE
        if theirs > self.traits.scout_at:
            return TORPEDO, SONAR, DRONE, SILENCE, SCENARIO, MINE
        return TORPEDO, SILENCE, SCENARIO, SONAR, DRONE, MINE

    def armed_wishes(self, desk: Desk, theirs: int) -> tuple[System, ...]:
        """The same for those who use mines: some early, and silence before more of them."""
        laid = desk.view.helm.mines.bit_count() if desk.view.helm else 0
        if theirs > self.traits.lost_at and desk.mind.courses > self.traits.lost_at:
            return TORPEDO, SONAR, SILENCE, MINE, DRONE, SCENARIO
        if laid < self.traits.lay_first:
            return TORPEDO, MINE, SILENCE, SONAR, DRONE, SCENARIO
        return TORPEDO, SILENCE, MINE, SONAR, DRONE, SCENARIO


def used_by(errand: AnyOrder) -> System:
    """The system that an errand needs."""
    return SONAR if isinstance(errand, give.UseSonar) else DRONE
