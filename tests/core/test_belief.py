"""The core's belief and Python's hear the same games and say the same, patient or not."""

from random import Random

import pytest

from fathom.belief.evidence import Belief
from fathom.belief.patience import BUDGET
from fathom.core.belief import CoreBelief
from fathom.engine.game import ground_for
from fathom.engine.knowledge.announce import announce
from fathom.points import bits
from fathom.rules.setup import Setup
from fathom.words import CREW_A, CREWS, Crew
from tests.core.differential import BothEngines, any_setup, at_mines, choose, spared_symbols
from tests.stories import table

BUDGETS = (0, 10, 60, 400, BUDGET)


class Listeners:
    """Both beliefs about one crew."""

    def __init__(self, setup: Setup, target: Crew, budget: int) -> None:
        self.plain = Belief(ground_for(setup), target, likely=True, budget=budget)
        self.core = CoreBelief(setup, target, likely=True, budget=budget)

    def compare(self) -> None:
        plain, core = self.plain, self.core
        assert core.possible == plain.possible
        assert core.exact == plain.exact
        assert core.mines() == plain.mines()
        assert core.weights == pytest.approx(plain.weights, abs=1e-12)


def follow(seed: int, most: int = 150) -> int:
    """Hear a game of any kind; how often a belief was not exact."""
    dice = Random(seed)
    both = BothEngines(any_setup(dice))
    spared = spared_symbols(both.setup, dice)
    budget = dice.choice(BUDGETS)
    listeners = [Listeners(both.setup, crew, budget) for crew in CREWS]
    cut_short = 0
    try:
        for _ in range(most):
            chosen = choose(both.options(), dice, spared, at_mines(both.game))
            if chosen is None:
                break
            for event in both.perform(*chosen):
                news = announce(event)
                for each in listeners:
                    if news is not None:
                        each.plain.hear(news)
                    each.core.hear(event)
                    each.compare()
            for each in listeners:
                each.plain.settle()
                each.core.settle()
                each.compare()
                cut_short += not each.core.exact
    except Exception as failure:
        failure.add_note(f"in game {seed}, with a budget of {budget}: follow({seed})")
        raise
    return cut_short


@pytest.mark.parametrize("seed", range(5))
def test_both_believe_the_same(seed: int) -> None:
    follow(seed, 80)


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(1, 5))
def test_both_believe_the_same_in_many_games(batch: int) -> None:
    assert sum(map(follow, range(1000 * batch, 1000 * batch + 60))) > 50


def test_a_copy_hears_for_itself() -> None:
    setup = table()
    both, belief = BothEngines(setup), CoreBelief(setup, CREW_A)
    other = belief.copy()
    dice = Random(1)
    for _ in range(40):
        chosen = choose(both.options(), dice, set(), set())
        assert chosen is not None
        for event in both.perform(*chosen):
            other.hear(event)
    assert belief.possible == setup.chart.water
    assert other.possible != belief.possible
    assert other.possible >> both.game.boats.a.helm.at & 1
    assert set(bits(other.possible)) == set(bits(other.copy().possible))
