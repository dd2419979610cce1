"""A bot of any rank above cadet: the stations of its posts, sharing one mind."""

from collections.abc import Sequence
from random import Random

from fathom.bots.cadet import Cadet
from fathom.bots.captain import Captain
from fathom.bots.counsel import Counsel
from fathom.bots.desk import Desk
from fathom.bots.engine_room import engine_room_of
from fathom.bots.engineer import Engineer
from fathom.bots.mate import Mate
from fathom.bots.mind import Mind
from fathom.bots.phrases import AnyPhrase
from fathom.bots.radio import RadioOperator
from fathom.bots.traits import Traits
from fathom.bots.waters import waters_of
from fathom.engine import orders as give
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.knowledge.heard import Heard
from fathom.engine.offer import Offer
from fathom.engine.orders import AnyOrder
from fathom.words import CAPTAIN, ENGINEER, FIRST_MATE, RADIO_OPERATOR, Post, Seat


class Officer(Cadet):
    """Plays the posts of its seat."""

    def __init__(self, ground: CompiledSetup, seat: Seat, seed: int, traits: Traits) -> None:
        super().__init__(ground, seat, seed)
        crew = seat.crew
        self.posts = ground.posts[crew][seat.number]
        self.mates = [number for number in range(len(ground.posts[crew])) if number != seat.number]
        """The other seats of the crew."""
        self.mind, self.counsel = Mind(ground, crew, traits), Counsel(ground, crew)
        waters, room = waters_of(ground.setup), engine_room_of(ground.setup)
        self.captain = Captain(ground, traits, waters, room)
        self.mate = Mate(traits)
        self.engineer = Engineer(ground, traits, room, self.captain.steersman.pilot)
        self.radio = RadioOperator(ground)
        self.sayings: list[AnyPhrase] = []

    def holds(self, post: Post) -> bool:
        """Whether the seat holds the post."""
        return bool(self.posts & post.bit)

    def hear(self, news: Heard) -> None:
        """Draw conclusions."""
        super().hear(news)
        self.mind.hear(news)
        self.counsel.hear(news)

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        """Listen to the crew: wishes of the captain, warnings and reports of the others."""
        if self.ground.posts[speaker.crew][speaker.number] & CAPTAIN.bit:
            self.mate.heed(phrase)
            self.engineer.heed(phrase)
        self.counsel.heed(phrase)

    def choose(self, offer: Offer) -> AnyOrder | None:
        """What one of the posts has to do: the sheet first, then marks, then the captain."""
        dice = self.dice()
        if offer.view.public.phase == "playing":
            self.mind.settle()
        desk = Desk(self.mind, self.counsel, offer, dice)
        order = self.decide(desk, dice)
        if self.mates:
            self.remark(desk, order)
        return order

    def decide(self, desk: Desk, dice: Random) -> AnyOrder | None:
        """The order of the first post that has one to give."""
        if desk.offer.sections:
            return self.trace(desk.offer, dice)
        if self.holds(FIRST_MATE) and (order := self.mate.choose(desk)) is not None:
            return order
        if self.holds(ENGINEER) and (order := self.engineers(desk)) is not None:
            return order
        return self.captains(desk) if self.holds(CAPTAIN) else None

    def captains(self, desk: Desk) -> AnyOrder | None:
        """The captain's order, and what the captain says to the crew."""
        order = self.captain.choose(desk)
        if self.mates:
            self.sayings += self.captain.wishes(desk, self.posts)
        return order

    def engineers(self, desk: Desk) -> AnyOrder | None:
        """The engineer's order; the plan is the captain's, if both are one."""
        if not desk.offer.judging and not desk.offers(give.ReportReady, give.CrossOut):
            return None
        steersman = self.captain.steersman
        planned, steersman.symbol = steersman.symbol, None
        return self.engineer.choose(desk, planned, steersman.outlook(desk))

    def remark(self, desk: Desk, order: AnyOrder | None) -> None:
        """What the posts have to say to the crew."""
        if self.holds(FIRST_MATE):
            self.sayings += self.mate.remarks(desk)
        if self.holds(ENGINEER):
            self.sayings += self.engineer.remarks(desk, order)
        if self.holds(RADIO_OPERATOR) and not self.holds(CAPTAIN):
            self.sayings += self.radio.report(self.mind)

    def speak(self) -> Sequence[AnyPhrase]:
        """What has been said since the last time."""
        said, self.sayings = self.sayings, []
        return said
