"""A search that is cut short leaves too many points, never too few, and says so."""

from random import Random

import pytest

from fathom.belief.evidence import Belief
from fathom.belief.patience import BUDGET
from fathom.belief.tracker import LONGEST, Tracker
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.events import CourseSet, MineLaidHeard, MineTriggered, SilenceHeard
from fathom.engine.game import new_game
from fathom.engine.knowledge.heard import Announcement
from fathom.points import Point, Points, bits, cross
from fathom.words import HEADINGS
from tests.belief.ears import OPEN, Ears, blown
from tests.stories import OPEN_SEA, A, sea, table

SCARCE = 40


def open_sea() -> CompiledSetup:
    return new_game(table(chart=sea(OPEN_SEA))).ground


class Wanderer:
    """A submarine that sails at random and runs silent often; nobody is told where it is."""

    def __init__(self, ground: CompiledSetup, seed: int) -> None:
        self.dice, self.water = Random(seed), ground.water
        self.at = 16 * self.dice.randrange(10) + self.dice.randrange(10)
        self.covered = 1 << self.at

    def news(self, courses: int) -> list[tuple[Announcement, int]]:
        """What is heard of it, and where it then is; shorter if there is no way on."""
        told: list[tuple[Announcement, int]] = []
        for number in range(courses):
            if number % 4 == 3:
                self.slip()
                told.append((SilenceHeard(A), self.at))
            open_ways = [h for h in HEADINGS if self.free(self.at + h.step)]
            if not open_ways:
                break
            heading = max(
                open_ways, key=lambda h: (self.room(self.at + h.step), self.dice.random())
            )
            self.enter(self.at + heading.step)
            told.append((CourseSet(A, heading), self.at))
        return told

    def slip(self) -> None:
        step = self.dice.choice(HEADINGS).step
        for _ in range(self.dice.randrange(5)):
            if self.free(self.at + step):
                self.enter(self.at + step)

    def enter(self, point: int) -> None:
        self.at = point
        self.covered |= 1 << point

    def free(self, point: int) -> bool:
        return point >= 0 and bool((self.water & ~self.covered) >> point & 1)

    def room(self, point: int) -> int:
        return (cross(1 << point) & self.water & ~self.covered).bit_count()


@pytest.mark.parametrize("seed", range(4))
def test_a_cut_search_leaves_too_many_points_and_says_so(seed: int) -> None:
    ground = open_sea()
    whole, cut = Belief(ground, A, budget=1 << 30), Belief(ground, A, budget=SCARCE)
    admitted = 0
    for said, at in Wanderer(ground, seed).news(30):
        whole.hear(said)
        cut.hear(said)
        assert whole.exact
        assert whole.possible >> at & 1
        assert not whole.possible & ~cut.possible
        assert not cut.exact or cut.possible == whole.possible
        admitted += not cut.exact
    assert admitted > 0


def test_the_usual_budget_is_enough_for_five_silences_in_the_open_sea() -> None:
    ground = open_sea()
    belief = Belief(ground, A)
    for said, _ in Wanderer(ground, 1).news(23):
        belief.hear(said)
        assert belief.exact


def test_without_any_budget_it_still_follows() -> None:
    ground = open_sea()
    belief = Belief(ground, A, budget=0)
    for said, at in Wanderer(ground, 7).news(30):
        belief.hear(said)
        assert belief.possible >> at & 1
    assert not belief.exact


def test_counting_steps_replays() -> None:
    ground = open_sea()
    one, other = (Belief(ground, A, likely=True, budget=SCARCE) for _ in range(2))
    for said, _ in Wanderer(ground, 3).news(30):
        one.hear(said)
        other.hear(said)
        assert (one.possible, one.exact) == (other.possible, other.exact)
        assert one.weights == other.weights


def test_no_more_steps_are_taken_than_there_are() -> None:
    """Whatever comes: when the last step is taken, what is left open stays open."""
    ground = open_sea()
    belief = Belief(ground, A, budget=SCARCE)
    for said, _ in Wanderer(ground, 5).news(30):
        belief.hear(said)
        tracker = belief.tracker
        assert isinstance(tracker, Tracker)
        if belief.patience.left < 0:
            assert tracker.undecided or tracker.blurred


def test_a_cut_search_for_mines_leaves_too_many_points_and_says_so() -> None:
    whole, cut = Ears(OPEN), Ears(OPEN)
    cut.belief.patience.budget = 5
    for ears in (whole, cut):
        for _ in range(3):
            ears.hear(MineLaidHeard(A))
            ears.courses("E")
        ears.hear(MineTriggered(A, Point(0x12)), blown("C2", "mine", A, "miss"))
    assert whole.belief.exact
    assert not cut.belief.exact
    assert not whole.belief.possible & ~cut.belief.possible
    assert not union(whole) & ~union(cut)


def union(ears: Ears) -> Points:
    points = 0
    for where in ears.belief.mines():
        points |= where
    return points


def test_too_long_a_story_is_forgotten_and_that_is_said() -> None:
    ears = Ears(OPEN)
    ears.hear(MineLaidHeard(A))
    for _ in range(LONGEST - 1):
        ears.hear(SilenceHeard(A))
    assert ears.knows()
    lies = ears.mines()
    for _ in range(5):
        ears.hear(SilenceHeard(A))
    assert not ears.knows()
    assert ears.where == " ".join(f"{'ABCDE'[p & 15]}{(p >> 4) + 1}" for p in bits(OPEN.water))
    assert ears.mines() == lies
    # A forgotten mine may still go off, and is off the map then.
    ears.hear(MineTriggered(A, Point(0x12)), blown("C2", "mine", A, "indirect"))
    assert ears.where == "B1 C1 D1 B2 D2 B3 C3 D3"
    assert ears.mines() == []


def test_the_budget_is_a_number_of_steps() -> None:
    assert Belief(open_sea(), A).patience.budget == BUDGET
