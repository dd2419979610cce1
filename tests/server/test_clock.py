"""Clocks run for whoever play waits for, on the time that steps took."""

from fathom.engine.game import Awaited, Public, Turn
from fathom.server.clock import Clock, new_clock
from fathom.server.wire import Clocks
from fathom.words import ByCrew, Crew

OURS = Public(phase="playing", turn=Turn(Crew.A, sailed=True))
ASKED = Public(
    phase="playing",
    turn=Turn(Crew.A, sailed=True, announced=True),
    awaited=Awaited("sonar-answer", Crew.B),
)
ANSWERED = Public(phase="playing", turn=Turn(Crew.A, sailed=True, announced=True))
THEIRS = Public(phase="playing", turn=Turn(Crew.B))


def clock(**limits: int) -> Clock:
    found = new_clock(Clocks(**limits))
    assert found is not None
    return found.follow(Public(), OURS)


def test_a_crew_has_the_same_left_after_the_others_answer_as_before_the_question() -> None:
    asked = clock(turn_seconds=30).spend(25_000).follow(OURS, ASKED)
    # The other crew has a whole turn's time to answer, however slow the one that asks was.
    assert (asked.running, asked.turn, asked.left()) == (Crew.B, 30_000, 30_000)
    answered = asked.spend(12_000).follow(ASKED, ANSWERED)
    assert (answered.running, answered.turn, answered.held) == (Crew.A, 5_000, None)


def test_a_new_turn_has_all_its_time_whatever_was_held() -> None:
    asked = clock(turn_seconds=30).spend(25_000).follow(OURS, ASKED)
    after = asked.spend(12_000).follow(ASKED, THEIRS)
    assert (after.running, after.turn, after.held) == (Crew.B, 30_000, None)


def test_an_answer_costs_its_own_crews_time_of_the_game() -> None:
    asked = clock(game_seconds=60).spend(25_000).follow(OURS, ASKED)
    answered = asked.spend(12_000).follow(ASKED, ANSWERED)
    assert answered.game == ByCrew(35_000, 48_000)
    assert (answered.running, answered.turn, answered.left()) == (Crew.A, None, 35_000)
