"""Ratings against cases that can be worked out by hand, and against strengths that are known."""

from itertools import combinations
from math import log, log10, sqrt
from random import Random

import pytest

from fathom.arena.ratings import MIDDLE, Scores, rate, wilson

Z = 1.959963984540054


def test_three_quarters_of_the_points_are_190_8_elo() -> None:
    strong, weak = rate(["strong", "weak"], {("strong", "weak"): (300.0, 100.0)})
    assert strong.elo - weak.elo == pytest.approx(400 * log10(3), abs=1e-6)
    assert strong.elo - weak.elo == pytest.approx(190.8485, abs=1e-4)
    assert (strong.elo + weak.elo) / 2 == pytest.approx(MIDDLE)


def test_equal_points_are_equal_ratings_and_a_draw_is_half_a_win() -> None:
    one, other = rate(["one", "other"], {("one", "other"): (10.5, 10.5)})
    assert one.elo == other.elo == MIDDLE


def test_the_interval_of_two_is_that_of_a_share_of_points() -> None:
    # The log-odds of a share p of n games vary by 1 / (n p (1 - p)); each rating by half of that.
    one, other = rate(["one", "other"], {("one", "other"): (200.0, 200.0)})
    expected = Z * (400 / log(10)) * sqrt(1 / (400 * 0.25)) / 2
    assert one.margin == pytest.approx(expected)
    assert other.margin == pytest.approx(expected)
    assert expected == pytest.approx(17.02, abs=0.01)


def test_strengths_add_up_along_a_ladder() -> None:
    scores: Scores = {("b", "a"): (75.0, 25.0), ("c", "b"): (75.0, 25.0)}
    a, b, c = rate(["a", "b", "c"], scores)
    assert b.elo - a.elo == pytest.approx(190.8485, abs=1e-4)
    assert c.elo - a.elo == pytest.approx(2 * 190.8485, abs=1e-3)
    # The middle one has played twice as many games.
    assert b.margin < a.margin == pytest.approx(c.margin)


def test_three_in_a_circle_are_equal() -> None:
    scores: Scores = {("a", "b"): (7.0, 3.0), ("b", "c"): (7.0, 3.0), ("c", "a"): (7.0, 3.0)}
    assert [rating.elo for rating in rate(["a", "b", "c"], scores)] == pytest.approx([MIDDLE] * 3)


def test_the_fit_is_where_everyone_scores_what_is_expected_of_them() -> None:
    dice = Random(3)
    names = list("abcdef")
    scores = {
        pair: (float(dice.randint(1, 30)), float(dice.randint(1, 30)))
        for pair in combinations(names, 2)
    }
    elo = {rating.name: rating.elo for rating in rate(names, scores)}
    for name in names:
        scored = expected = 0.0
        for pair, points in scores.items():
            if name in pair:
                other = pair[1 - pair.index(name)]
                scored += points[pair.index(name)]
                expected += sum(points) / (1 + 10 ** ((elo[other] - elo[name]) / 400))
        assert scored == pytest.approx(expected)


def test_who_wins_everything_gets_a_bound_and_not_infinity() -> None:
    best, worst = rate(["best", "worst"], {("best", "worst"): (20.0, 0.0)})
    assert best.bounded
    assert worst.bounded
    assert best.elo - worst.elo == pytest.approx(400 * log10(20.5 / 0.5))


def test_who_never_met_anyone_of_the_others_is_rated_all_the_same() -> None:
    ratings = rate(["a", "b", "c", "d"], {("a", "b"): (6.0, 4.0), ("c", "d"): (4.0, 6.0)})
    assert all(rating.bounded for rating in ratings)
    assert all(abs(rating.elo - MIDDLE) < 200 for rating in ratings)


def test_one_alone_and_nobody_who_played() -> None:
    assert [rating.elo for rating in rate(["alone"], {})] == [MIDDLE]
    assert [rating.elo for rating in rate(["a", "b"], {})] == [MIDDLE, MIDDLE]


def test_a_simulated_tournament_gives_the_strengths_back_within_the_intervals() -> None:
    true = {"cadet": 1000.0, "ensign": 1200.0, "mate": 1500.0, "captain": 1620.0, "admiral": 1700.0}
    middle = sum(true.values()) / len(true)
    inside = total = 0
    for seed in range(40):
        dice = Random(seed)
        scores = {}
        for one, other in combinations(true, 2):
            chance = 1 / (1 + 10 ** ((true[other] - true[one]) / 400))
            won = sum(dice.random() < chance for _ in range(200))
            scores[one, other] = (float(won), float(200 - won))
        for rating in rate(list(true), scores):
            off = rating.elo - MIDDLE - (true[rating.name] - middle)
            assert abs(off) < 120
            inside += abs(off) <= rating.margin
            total += 1
    assert 0.90 < inside / total < 0.99


def test_wilsons_interval() -> None:
    # Newcombe (1998): 81 of 263 gives 0.2553 to 0.3662.
    low, high = wilson(81, 263)
    assert low == pytest.approx(0.2553, abs=5e-5)
    assert high == pytest.approx(0.3662, abs=5e-5)
    # And 0 of 20 gives 0 to 0.1611.
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)
