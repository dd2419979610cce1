"""Real time on a virtual clock: a human pace, and nobody acts through a stop."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest

from fathom.arena.hands import Hands
from fathom.arena.table import SeatedBot
from fathom.bots.pace import REACTION, SECONDS, SPREAD, PaceFactor
from fathom.bots.ranks import Rank
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.words import Heading, Mode, Seat
from tests.arena.tables import match


class LoggedHands(Hands):
    """Hands that write down who did what when, and whether there was a stop."""

    def __init__(self, table: Any, pace: PaceFactor) -> None:
        super().__init__(table, pace)
        self.acts: list[tuple[float, Seat, AnyOrder, bool]] = []
        self.resumed: list[float] = []
        self.stopped_at: list[float] = []

    def keep_busy(self, place: SeatedBot, order: AnyOrder) -> None:
        stop = self.table.game.public.stop
        self.acts.append((self.now, place.seat, order, self.held))
        if stop is not None and not self.held:
            self.stopped_at.append(self.now)
        super().keep_busy(place, order)

    def act(self, place: SeatedBot) -> bool:
        self.held = self.table.game.public.stop is not None
        return super().act(place)

    def resume(self, when: float) -> None:
        self.resumed.append(when)
        super().resume(when)


def watch(
    seed: int = 1, players: int = 2, factor: float = 1.0, book: str = "captain-sonar"
) -> LoggedHands:
    played = match(seed=seed, players=players, mode=Mode.REAL_TIME, book=book)
    hands = LoggedHands(played.table, PaceFactor(factor))
    played.hands = hands
    assert played.play().fault is None
    return hands


@pytest.fixture(scope="module")
def eight() -> LoggedHands:
    return watch(players=8)


def test_the_clock_never_goes_back(eight: LoggedHands) -> None:
    times = [when for when, *_ in eight.acts]
    assert times == sorted(times)
    assert times[0] > 0


def test_a_hand_is_busy_with_what_it_did(eight: LoggedHands) -> None:
    last: dict[Seat, tuple[float, AnyOrder]] = {}
    for when, seat, order, _ in eight.acts:
        if seat in last:
            before, done = last[seat]
            usual = SECONDS.get(type(done), 2.0)
            if not isinstance(done, give.TraceSection):
                assert when - before >= usual * (1 - SPREAD) - 1e-9
        last[seat] = when, order


def test_a_section_is_traced_for_some_seconds_before_it_is_handed_on(eight: LoggedHands) -> None:
    least = SECONDS[give.TraceSection] * (1 - SPREAD)
    traced = [
        (when, seat.crew)
        for when, seat, order, _ in eight.acts
        if isinstance(order, give.TraceSection)
    ]
    assert len(traced) >= 4
    for crew in {crew for _, crew in traced}:
        times = [when for when, whose in traced if whose is crew]
        assert all(later - one >= least - 1e-9 for one, later in pairwise(times))


def test_in_a_stop_nobody_acts_but_who_must(eight: LoggedHands) -> None:
    held = [order for _, _, order, held in eight.acts if held]
    allowed = give.AnswerSonar | give.Charge | give.CrossOut | give.NameVolcano
    assert all(isinstance(order, allowed) for order in held)


def test_a_stop_lasts_for_the_tables_pause(eight: LoggedHands) -> None:
    assert eight.resumed
    pause = eight.table.setup.house.pause_seconds
    for end in eight.resumed:
        begun = max(when for when in eight.stopped_at if when < end)
        assert end - begun >= pause - 1e-9


def test_the_captain_of_the_family_game_waits_before_giving_the_signal() -> None:
    hands = watch(book="sonar", seed=3)
    pause = hands.table.setup.house.pause_seconds
    signals = [when for when, _, order, _ in hands.acts if isinstance(order, give.ResumePlay)]
    assert signals
    for end in signals:
        begun = max(when for when in hands.stopped_at if when < end)
        assert end - begun >= pause - 1e-9


def test_a_slower_table_takes_longer_for_the_same() -> None:
    slow, fast = watch(factor=2.0), watch(factor=1.0)
    per_order = [hands.now / len(hands.acts) for hands in (slow, fast)]
    assert 1.6 < per_order[0] / per_order[1] < 2.4


# The pace itself


def test_times_spread_around_the_usual_one() -> None:
    dice, course = Random(1), give.SetCourse(Heading.N)
    times = [PaceFactor().seconds(course, None, dice) for _ in range(2000)]
    assert min(times) >= 3 * (1 - SPREAD)
    assert max(times) <= 3 * (1 + SPREAD)
    assert 2.95 < sum(times) / len(times) < 3.05
    assert len(set(times)) > 1900


def test_orders_that_are_not_named_take_as_long_as_a_system() -> None:
    times = [PaceFactor().seconds(give.USE_SONAR, None, Random(n)) for n in range(500)]
    assert 1.9 < sum(times) / len(times) < 2.1


def test_the_table_sets_the_pace_and_greenhorns_take_longer() -> None:
    order = give.Charge()
    usual = PaceFactor().seconds(order, None, Random(7))
    assert PaceFactor(2.5).seconds(order, None, Random(7)) == pytest.approx(2.5 * usual)
    assert PaceFactor().seconds(order, Rank.CADET, Random(7)) > usual
    assert PaceFactor().seconds(order, Rank.ADMIRAL, Random(7)) == usual
    assert PaceFactor().reaction(None, Random(7)) == pytest.approx(
        REACTION / SECONDS[give.Charge] * usual
    )
