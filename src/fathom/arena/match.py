"""One game between two crews of bots, from the lots to its end. The same seed, the same game."""

import traceback
from typing import Final, Literal

from msgspec import Struct

from fathom.arena.entrants import Entrant
from fathom.arena.hands import Hands
from fathom.arena.table import BotTable, CalledOff, Fault, Lost
from fathom.arena.tally import Tallies
from fathom.arena.turns import play_in_turns
from fathom.bots.pace import PaceFactor
from fathom.engine import orders as give
from fathom.engine.logbook import Logbook, Step
from fathom.engine.referee import decide
from fathom.rules.setup import Setup
from fathom.words import CREWS, REFEREE, ByCrew, Crew, Seat

MatchEnding = Literal["sunk", "draw", "goal", "resign", "abandon", "time", "called-off", "forfeit"]
ENDINGS: Final[dict[str, MatchEnding]] = {
    "end.sunk": "sunk",
    "end.draw": "draw",
    "end.goal": "goal",
    "end.resign": "resign",
    "end.abandon": "abandon",
    "end.time": "time",
}


class MatchOutcome(Struct, frozen=True, omit_defaults=True):
    """How a game went."""

    winner: Crew | None
    ending: MatchEnding
    orders: int
    seconds: float
    """On the virtual clock; 0 turn by turn."""
    damage: ByCrew[int]
    tallies: Tallies
    fault: Fault | None = None
    plays: int = 1
    """How often it was played, because somebody thought for too long in it."""


class Match:
    """A game that is played to its end."""

    def __init__(
        self, setup: Setup, crews: ByCrew[Entrant], seed: int, pace: PaceFactor | None = None
    ) -> None:
        self.table = BotTable(setup, crews, seed)
        self.hands = (
            Hands(self.table, pace or PaceFactor()) if self.table.game.ground.real_time else None
        )

    @property
    def logbook(self) -> Logbook:
        """The game so far."""
        table = self.table
        names = table.crews.map(lambda entrant: entrant.name)
        info = (("crew-a", names.a), ("crew-b", names.b), ("seed", str(table.seed)))
        return Logbook(table.setup, tuple(table.steps), info)

    def play(self) -> MatchOutcome:
        """The whole game. Whatever a bot does, there is an outcome."""
        table = self.table
        try:
            table.take_seats()
            if self.hands is not None:
                self.hands.play()
            else:
                play_in_turns(table)
            return self.by_the_rules()
        except CalledOff:
            return self.called_off()
        except Lost as lost:
            return self.forfeit(lost.fault)
        except (Exception, SystemExit) as fault:
            if table.acting is None:
                raise
            return self.forfeit(failure(table.acting, fault))
        finally:
            table.leave()

    def by_the_rules(self) -> MatchOutcome:
        """The game is over."""
        result = self.table.game.public.result
        assert result is not None  # noqa: S101 - it is over
        return self.ended(result.winner, ENDINGS[result.why])

    def called_off(self) -> MatchOutcome:
        """The crew with less damage wins."""
        a, b = self.table.game.public.damage
        loser = None if a == b else CREWS[a < b]
        return self.ended(self.declare_lost(loser), "called-off")

    def forfeit(self, fault: Fault) -> MatchOutcome:
        """The other crew wins."""
        return self.ended(self.declare_lost(fault.crew), "forfeit", fault)

    def declare_lost(self, loser: Crew | None) -> Crew | None:
        """Enter it into the logbook; the winner. No bot hears of it: one of them may be broken."""
        if loser is None:
            return None
        if self.table.game.public.result is None:
            events = decide(self.table.game, REFEREE, give.DeclareLost(loser))
            self.table.steps.append(Step(REFEREE, tuple(events)))
        return loser.other

    def ended(
        self, winner: Crew | None, ending: MatchEnding, fault: Fault | None = None
    ) -> MatchOutcome:
        table = self.table
        return MatchOutcome(
            winner=winner,
            ending=ending,
            orders=table.orders,
            seconds=round(self.hands.now, 3) if self.hands else 0.0,
            damage=table.game.public.damage,
            tallies=table.tallies,
            fault=fault,
        )


def failure(seat: Seat, fault: BaseException) -> Fault:
    """An exception of a bot."""
    what = f"{type(fault).__name__}: {fault}"[:2000]
    trace = "".join(traceback.format_exception(fault))[-20_000:]
    return Fault(seat.crew, seat.number, "exception", what, trace)
