"""The twin: one table, its two boats, and whose order counts now."""

from typing import Any

from fathom.engine.events import GameEnded, TurnEnded
from fathom.engine.orders import AnyOrder
from fathom.rules.setup import Setup
from fathom.words import ByCrew, Crew, Mode, Referee, Seat
from tests.slow import allowed, done
from tests.slow.boat import SlowBoat
from tests.slow.sea import ColumnRow, SlowSea, place_of


class Twin:
    """A game, to be played by ``do``.

    What everyone hears of an order is collected in ``said``, and in ``told`` what only a crew is
    told beyond its own orders: a gauge that is full, a circuit mended, a mine destroyed.
    """

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.book = setup.book
        self.real_time = setup.mode is Mode.REAL_TIME
        self.sea = SlowSea(setup.chart)
        self.boats = {crew: SlowBoat(setup, crew) for crew in Crew}
        self.place_given_starts()
        self.phase = "placing"
        self.said: list[Any] = []
        self.told: list[Any] = []
        # Turn by turn
        self.first = setup.first
        self.turn_of: Crew | None = None
        self.more_turns = 0
        """Turns that the crew takes after this one, before the other's (surface.turns)."""
        self.sailed = False
        """Whether this turn's course has been set."""
        self.turn_used_up = False
        """Whether nothing but marks and answers is left of this turn."""
        self.announced = False
        """Whether the crew has announced anything in this turn (mine.trigger)."""
        # Real time
        self.stopped_by: Crew | None = None
        self.stopped_for_marks = False
        # In both
        self.answer_from: Crew | None = None
        """Whose captain must answer a sonar."""
        self.naming_by: Crew | None = None
        """Whose captain must name a volcano."""
        # The scenario
        self.old_mines: set[ColumnRow] = set(self.sea.marked("m"))
        self.volcano_marks = dict.fromkeys(Crew, 0)
        self.volcano_events = 0
        self.smoking: int | None = None
        """The volcano under toxic smoke, from 1."""

    def place_given_starts(self) -> None:
        """Some scenarios name the starts (scenario.corners)."""
        if self.setup.chart.starts is not None:
            for crew in Crew:
                self.boats[crew].start_at(place_of(self.setup.chart.starts[crew]))

    def copy(self) -> "Twin":
        """The same position, to play on from."""
        twin = Twin.__new__(Twin)
        vars(twin).update(vars(self))
        twin.boats = {crew: boat.copy() for crew, boat in self.boats.items()}
        twin.sea = self.sea.copy()
        twin.old_mines = set(self.old_mines)
        twin.volcano_marks = dict(self.volcano_marks)
        twin.said, twin.told = list(self.said), list(self.told)
        return twin

    # The two questions

    def legal_orders(self, seat: Seat | Referee) -> set[AnyOrder]:
        """All orders that the seat may give now, but for tracing, judging and writing."""
        if isinstance(seat, Referee):
            return set(allowed.referees(self))
        return set(allowed.of_seat(self, seat))

    def may_trace(self, seat: Seat) -> set[int]:
        """The sections of the hull that the seat may trace now."""
        return allowed.sections_to_trace(self, seat)

    def may_judge(self, seat: Seat) -> bool:
        """Whether the seat may judge the enemy's traced hull."""
        return allowed.may_judge(self, seat)

    def do(self, seat: Seat | Referee, order: AnyOrder) -> None:
        """Carry out a legal order."""
        self.said, self.told = [], []
        done.carry_out(self, seat, order)
        if self.turn_of is not None and self.turn_is_over():
            self.end_turn()

    # Who may act

    def at_play(self) -> bool:
        """Whether play goes on: no stop, no answer and no naming is open."""
        return (
            self.phase == "playing"
            and self.stopped_by is None
            and self.answer_from is None
            and self.naming_by is None
        )

    def may_act(self, crew: Crew) -> bool:
        """Whether the crew is at liberty to play (turn.yours, system.stop, surface.idle)."""
        if not self.at_play():
            return False
        if self.real_time:
            return not self.boats[crew].surfaced
        return self.turn_of is crew

    # Turns

    def begin_turn(self, crew: Crew, more: int) -> None:
        """A turn begins: the crew is under water again, its mines are armed (mine.armed)."""
        self.turn_of = crew
        self.more_turns = more
        self.sailed = self.announced = self.turn_used_up = False
        self.boats[crew].surfaced = False
        self.boats[crew].unarmed.clear()

    def turn_is_over(self) -> bool:
        """Whether the turn ends by itself (turn.order)."""
        assert self.turn_of is not None
        if not self.at_play() or self.boats[self.turn_of].marks_due():
            return False
        if self.turn_used_up:
            return True
        return self.setup.house.quick_ends and self.sailed and self.no_system_left(self.turn_of)

    def no_system_left(self, crew: Crew) -> bool:
        """Whether nobody of the crew could activate anything now."""
        posts = set(self.book.posts)
        return not any(allowed.activations(self, crew, posts))

    def end_turn(self) -> None:
        """The next of several turns, or the other crew's."""
        assert self.turn_of is not None
        if self.more_turns:
            self.pass_turn(self.turn_of, self.more_turns)
        else:
            self.pass_turn(self.turn_of.other, 1)

    def pass_turn(self, crew: Crew, turns: int) -> None:
        """So many turns for this crew."""
        assert self.turn_of is not None
        self.said.append(TurnEnded(self.turn_of, crew, turns))
        self.begin_turn(crew, turns - 1)

    def stop(self, crew: Crew, *, for_marks: bool = False) -> None:
        """Real time: all pens are up (system.stop)."""
        if self.real_time:
            self.stopped_by = crew
            self.stopped_for_marks = for_marks

    # The end

    def sink_the_damaged(self) -> None:
        """After every step: who has taken enough damage is sunk (end.sunk, end.sudden-death)."""
        hull = self.setup.goal.hull
        self.sink({crew for crew, boat in self.boats.items() if boat.damage >= hull})

    def sink(self, sunk: set[Crew]) -> None:
        """These are destroyed; both in the same step is a draw (end.draw)."""
        if len(sunk) == 2:
            self.over(None, "end.draw")
        for crew in sunk:
            if len(sunk) == 1:
                self.over(crew.other, "end.sunk")

    def over(self, winner: Crew | None, why: Any) -> None:
        """The game is over."""
        self.phase = "over"
        self.said.append(GameEnded(winner, why))

    def damages(self) -> ByCrew[int]:
        """What each crew has taken."""
        return ByCrew(self.boats[Crew.A].damage, self.boats[Crew.B].damage)
