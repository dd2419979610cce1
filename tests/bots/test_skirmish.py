"""The end duel, in positions drawn by hand."""

from fathom.bots.gunnery import KILL
from fathom.bots.skirmish import LATER, LOADING, TRAPPED, Side, Skirmish
from fathom.bots.waters import Waters
from fathom.engine.game import new_game
from fathom.points import parse
from fathom.words import HEADINGS, TORPEDO, Heading
from tests.stories import OPEN_SEA, sea, table

GROUND = new_game(table(chart=sea(OPEN_SEA))).ground
BOXES = GROUND.boxes[TORPEDO.index]
DUEL = Skirmish(Waters(GROUND), BOXES)
"""On an open sea: a torpedo reaches four points, and is loaded again after three courses."""
HIT = 2.0
SPENT = -LATER * LOADING * BOXES
"""At the search's end, what is missing of our next torpedo counts a little."""


def side(at: str, load: int, hit: float = HIT, graze: float = 0.0, left: float = 4.0) -> Side:
    here = 1 << parse(at)
    return Side(parse(at), GROUND.water & ~here, load, hit, graze, left)


def best(us: Side, them: Side, turns: int = 4, free: int = 0) -> Heading:
    courses = DUEL.courses(us, them, turns, free)
    return HEADINGS[max(courses, key=lambda heading: courses[heading])]


def test_the_side_that_can_fire_first_does() -> None:
    # Five points apart, both loaded: whoever closes in fires first.
    us, them = side("C5", 0), side("H5", 0)
    assert best(us, them) is Heading.E
    courses = DUEL.courses(us, them, 1)
    assert courses[Heading.E.index] == HIT + SPENT
    assert courses[Heading.W.index] == 0


def test_with_a_torpedo_ready_and_them_in_reach_every_course_fires() -> None:
    us, them = side("D5", 0), side("G5", BOXES)
    courses = DUEL.courses(us, them, 1)
    # A course east leaves two points between: near enough, and not too near.
    assert set(courses.values()) == {HIT + SPENT - SPENT}


def test_nobody_fires_at_a_neighbour_and_into_the_own_blast() -> None:
    us, them = side("D5", 0), side("F5", 0)
    courses = DUEL.courses(us, them, 1)
    assert courses[Heading.E.index] == 0
    assert courses[Heading.W.index] == HIT + SPENT


def test_a_near_hit_is_taken_where_a_direct_one_is_out_of_reach() -> None:
    # Six points apart, after a course east five: the torpedo explodes next to them.
    us, them = side("B5", 0, graze=1.0), side("H5", 0)
    courses = DUEL.courses(us, them, 1)
    assert courses[Heading.E.index] == 1.0 + SPENT
    assert courses[Heading.W.index] == 0


def test_sinking_them_ends_the_duel_and_is_worth_more_than_any_hit() -> None:
    us, them = side("C5", 0), side("H5", 0, left=2.0)
    assert DUEL.courses(us, them, 4)[Heading.E.index] == HIT + KILL


def test_an_empty_side_retreats_out_of_reach_of_a_loaded_one() -> None:
    # They reach four points after one course: at five points they hit us, at six they don't.
    us, them = side("D5", 3), side("I5", 0)
    courses = DUEL.courses(us, them, 2)
    for away in (Heading.N, Heading.S, Heading.W):
        assert courses[away.index] > courses[Heading.E.index] + HIT / 2
    assert best(side("D5", 3), side("H5", 0), turns=2) in {Heading.N, Heading.S, Heading.W}


def test_nobody_runs_who_is_not_in_danger() -> None:
    us, them = side("D5", 3), side("I5", 3)
    courses = DUEL.courses(us, them, 2)
    assert max(courses.values()) - min(courses.values()) < 0.01


def test_free_turns_are_used_to_close_in_and_fire() -> None:
    # Eight points apart: in four turns of our own we get there and fire; in one we don't.
    us, them = side("A5", 0), side("I5", 0)
    assert best(us, them, turns=5, free=3) is Heading.E
    assert max(DUEL.courses(us, them, 4, 3).values()) > 1
    assert max(DUEL.courses(us, them, 1).values()) <= 0


def test_in_free_turns_a_torpedo_is_loaded_again_and_fired_twice() -> None:
    us, them = side("D5", 0), side("G5", 3)
    once = max(DUEL.courses(us, them, 1).values())
    again = max(DUEL.courses(us, them, BOXES + 1, BOXES).values())
    assert again > once + HIT / 2


def test_a_side_without_a_way_is_trapped() -> None:
    here = side("A1", 0)._replace(open=0)
    assert DUEL.courses(here, side("I9", 3), 4) == {}
    assert DUEL.after(side("I9", 3), here, 1) == -LATER * TRAPPED


def test_what_is_worth_something_to_one_side_costs_the_other_as_much() -> None:
    us, them = side("C5", 0), side("H5", 0)
    assert DUEL.after(us, them, 3) == -LATER * DUEL.value(them, us, 3)


def test_the_route_is_not_crossed_in_the_duel() -> None:
    us = side("E5", 0)
    walled = us._replace(open=us.open & ~(1 << parse("F5")))
    assert Heading.E.index not in DUEL.courses(walled, side("J5", 0), 3)


class CountingSkirmish(Skirmish):
    """Counts the turns that it looks at."""

    seen = 0

    def turn(self, us: Side, them: Side, ahead: int, turns: int, free: int) -> float:
        self.seen += 1
        return super().turn(us, them, ahead, turns, free)


def test_what_is_looked_at_in_a_duel_is_bounded() -> None:
    # A turn is one of four courses, with a torpedo or without: after each there are eight ways on
    # at most, wherever both are.
    for turns in range(1, 6):
        duel = CountingSkirmish(DUEL.waters, BOXES)
        duel.courses(side("D5", 0, graze=1.0), side("G6", 0, graze=1.0), turns)
        most = sum(4 * 8**turn for turn in range(turns))
        assert 0 < duel.seen <= most
