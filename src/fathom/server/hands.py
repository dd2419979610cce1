"""A bot's hand at the table: hears what its seat hears, has it thought about, gives the order."""

import asyncio
import logging
from collections.abc import Callable
from random import Random
from typing import ClassVar, Final, Protocol

from msgspec import Raw, Struct

from fathom.bots.dice import derive_seed
from fathom.bots.pace import PaceFactor
from fathom.bots.phrases import AnyPhrase
from fathom.bots.ranks import Rank
from fathom.engine.orders import AnyOrder, TraceSection
from fathom.server.barracks import Barracks
from fathom.server.bot_tasks import Ask, Dismiss, Enlist, Job, Reply, Say, Tell
from fathom.server.duel import Duel, Letter, Outcome
from fathom.server.log import Lease, LogAway
from fathom.server.wire import BotPace
from fathom.words import Seat

NOTES: Final = logging.getLogger("fathom.bots")
FACTORS: Final = {"at-once": 0.0, "brisk": 0.5, "human": 1.0}
TURN_BY_TURN: Final = 0.3
"""Turn by turn nobody hurries, and nobody wants to wait either."""
MOST_FAULTS: Final = 2
SECOND_LOOK: Final = 2.0
"""Seconds after which a bot that chose to wait in real time is asked again."""


class Ship(Protocol):
    """What a hand needs to know of its table."""

    def awake(self) -> bool:
        """Whether the game goes on: somebody is there."""

    def mandate(self) -> Lease | None:
        """The lease under which bots play, while this process holds it."""

    def phrase_said(self, seat: Seat, phrase: AnyPhrase) -> None:
        """A bot spoke."""


class Billet(Struct, frozen=True):
    """Who is to play which seat, and how fast."""

    seat: Seat
    rank: Rank | None = None
    """None: nobody plays."""
    pace: BotPace = "human"
    secret: str = ""
    """The table's; the seeds of a bot's dice are derived from it."""
    stands_in: bool = False
    """Whether it plays for a person who is away."""
    share: str = ""
    """On whose account it thinks; its table's own, if empty."""


class Hand:
    """Plays a seat, plots or advises for it: everything it knows comes through ``push``."""

    job: ClassVar[Job] = "play"

    def __init__(self, barracks: Barracks, duel: Duel, billet: Billet, name: str) -> None:
        self.barracks, self.duel = barracks, duel
        self.seat, self.rank = billet.seat, billet.rank
        self.name, self.share = name, billet.share or duel.table
        self.news = 0
        """Counts what came; an order is given only if nothing has come since it was thought of."""
        self.asked = -1
        self.asked_at = 0.0
        """When it was last asked, by the event loop's clock."""
        self.faults = 0
        self.gone = False
        self.absent = True
        """Whether it is on its way to the seat: then there is nobody to ask."""
        self.timer: asyncio.TimerHandle | None = None
        self.arrival: asyncio.Task[None] | None = None
        self.replayed: tuple[tuple[Seat, AnyPhrase], ...] = ()

    # Coming and going

    def arrive(self) -> None:
        """Take the seat: hear all that it has heard so far."""
        self.barracks.admit(self.name, self.take, self.share)
        self.arrival = asyncio.create_task(self.settle_in(0))

    async def settle_in(self, rest: float) -> None:
        """Begin afresh: whatever was asked or told before is forgotten with the process."""
        self.duel.detach(self)
        await asyncio.sleep(rest)
        await self.barracks.ready(self.name)
        self.asked = -1
        seed = f"{self.seed():x}"
        self.barracks.send(Enlist(bot=self.name, job=self.job, rank=self.rank, seed=seed))
        try:
            await self.duel.attach(self, self.seat, 0, complete=True)
        except Exception as failed:  # noqa: BLE001  (whatever it is: a seat must not stay empty)
            if not isinstance(failed, LogAway):
                NOTES.exception("a bot could not take its seat")
            self.arrival = asyncio.create_task(self.settle_in(SECOND_LOOK))
            return
        for speaker, phrase in self.replayed:
            self.heed(speaker, phrase)
        # Only now it knows the game: whoever asked it before would get an answer about nothing.
        self.absent = False
        self.ask()

    def seed(self) -> int:
        """Of the dice with which it decides."""
        return 0

    def begin_again(self, *, fault: bool) -> None:
        """Take the seat anew; a bot that fails again and again is relieved by a cadet."""
        self.faults += fault
        if self.faults > MOST_FAULTS and self.rank is not None:
            self.rank = Rank.CADET
        self.cancel()
        self.absent = True
        if self.arrival is not None:
            self.arrival.cancel()
        self.arrival = asyncio.create_task(self.settle_in(SECOND_LOOK if fault else 0))

    def leave(self) -> None:
        """Give the seat up."""
        self.gone = True
        self.cancel()
        if self.arrival is not None:
            self.arrival.cancel()
        self.duel.detach(self)
        self.barracks.send(Dismiss(bot=self.name))
        self.barracks.discharge(self.name)

    def cancel(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    # Hearing

    def push(self, message: bytes) -> None:
        """What a client of this seat would be sent."""
        self.news += 1
        self.barracks.send(Tell(bot=self.name, message=Raw(message)))
        if self.barracks.withdraw(self.name):
            # It would be thought about what is no longer so.
            self.asked = -1
        self.ask()

    def hint(self, message: bytes) -> None:
        """Only people need it."""

    def heed(self, speaker: Seat, phrase: AnyPhrase) -> None:
        """What somebody of the crew said."""
        self.barracks.send(Say(bot=self.name, speaker=speaker, phrase=phrase))

    def ask(self) -> None:
        """Have it thought about, unless it is being thought about."""
        self.cancel()
        if self.asked < 0 and not self.absent and not self.gone and self.wanted():
            self.asked = self.news
            self.asked_at = asyncio.get_running_loop().time()
            self.barracks.send(Ask(bot=self.name, number=self.news))

    def wanted(self) -> bool:
        """Whether there is anything to think about."""
        return not self.duel.over

    def take(self, reply: Reply | None) -> None:
        """An answer; None if the process has died and another is there."""
        if self.gone:
            return
        if reply is None or reply.what == "fault":
            self.begin_again(fault=reply is not None)
            return
        asked, self.asked = self.asked, -1
        self.use(reply)
        if asked != self.news:
            self.ask()

    def use(self, reply: Reply) -> None:
        """Do something with an answer."""


class BotPlayer(Hand):
    """Plays a seat."""

    def __init__(self, barracks: Barracks, duel: Duel, billet: Billet, ship: Ship) -> None:
        seat = billet.seat
        name = f"{duel.id}/{seat.crew.value}{seat.number}"
        super().__init__(barracks, duel, billet, name)
        mode = 1.0 if duel.ground.real_time else TURN_BY_TURN
        self.pace = PaceFactor(FACTORS[billet.pace] * mode)
        self.ship, self.billet = ship, billet
        self.dice = Random(self.seed_for("pace"))
        self.busy_until = 0.0

    def seed(self) -> int:
        return self.seed_for("stand-in" if self.billet.stands_in else "orders")

    def seed_for(self, purpose: str) -> int:
        """A seed of its own for every game, seat, rank and purpose; the same after a restart."""
        crew, number = self.seat.crew.value, self.seat.number
        rank = self.rank.value if self.rank is not None else ""
        return derive_seed(self.billet.secret, self.duel.id, crew, number, rank, purpose)

    def wanted(self) -> bool:
        return not self.duel.over and self.ship.awake()

    def use(self, reply: Reply) -> None:
        """Say what there is to say, and give the order when a hand could have done it."""
        for phrase in reply.phrases:
            self.ship.phrase_said(self.seat, phrase)
        if reply.number != self.news:
            return
        loop = asyncio.get_running_loop()
        if reply.order is None:
            if self.duel.ground.real_time and not self.duel.over:
                self.timer = loop.call_later(SECOND_LOOK, self.ask)
            return
        wait = self.due(reply.order) - loop.time()
        if wait <= 0:
            self.give(reply.order, reply.number)
        else:
            self.timer = loop.call_later(wait, self.give, reply.order, reply.number)

    def due(self, order: AnyOrder) -> float:
        """When the order is to be given, by the event loop's clock.

        Thinking is part of the reaction: how long a bot thinks depends on what its crew hides.
        """
        return max(self.busy_until, self.asked_at) + self.delay(order)

    def delay(self, order: AnyOrder) -> float:
        """How long until the order is given: a reaction, or a traced section."""
        if isinstance(order, TraceSection):
            return self.pace.tracing(self.rank, self.dice)
        return self.pace.reaction(self.rank, self.dice)

    def give(self, order: AnyOrder, number: int) -> None:
        """Give the order, unless something has come in between."""
        self.timer = None
        if self.gone or number != self.news or not self.wanted():
            return
        loop = asyncio.get_running_loop()
        under = self.ship.mandate()
        if under is None:
            self.timer = loop.call_later(SECOND_LOOK, self.ask)
            return
        if not isinstance(order, TraceSection):
            self.busy_until = loop.time() + self.pace.seconds(order, self.rank, self.dice)
        self.duel.metrics.bot_orders += 1
        seen = self.duel.seen(self.seat)
        letter = Letter(self.seat, order, answer=self.judged, under=under, seen=seen)
        self.duel.post(letter)

    def judged(self, outcome: Outcome) -> None:
        """A lost order is tried again; after a refusal there will be news, or another look."""
        if outcome.undone or outcome.rule:
            loop = asyncio.get_running_loop()
            self.cancel()
            self.timer = loop.call_later(SECOND_LOOK, self.ask)


class PlotterHand(Hand):
    """Works out where they can be, for a radio operator with the computer's help."""

    job = "plot"

    def __init__(
        self, barracks: Barracks, duel: Duel, seat: Seat, plotted: Callable[[Seat, Reply], None]
    ) -> None:
        name = f"{duel.id}/{seat.crew.value}{seat.number}/plot"
        super().__init__(barracks, duel, Billet(seat), name)
        self.plotted = plotted

    def use(self, reply: Reply) -> None:
        """Hand the plot on."""
        self.plotted(self.seat, reply)
