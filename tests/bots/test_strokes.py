"""Hulls traced by bots: in the band, closed, never alike; and whoever surfaced dives again."""

from random import Random

import pytest

from fathom.arena.match import Match
from fathom.bots.ranks import Rank
from fathom.bots.strokes import stroke, wobble
from fathom.engine.events import Dived, GameEnded, SectionTraced, Surfaced, TraceJudged
from fathom.engine.tracing import ideal_stroke, stays_in_band
from fathom.rules.library import hull
from fathom.words import CREWS, ByCrew, Mode
from tests.bots.diaries import ranked
from tests.stories import table

SECTIONS = range(1, len(hull().sections) + 1)
SEEDS = range(150)


@pytest.mark.parametrize("section", SECTIONS)
def test_strokes_stay_in_the_band_are_closed_and_differ(section: int) -> None:
    drawn = [stroke(hull(), section, Random(seed)) for seed in SEEDS]
    for line in drawn:
        assert stays_in_band(hull(), section, line)
        assert line[0] == line[-1]
        assert len(line) <= hull().longest
    assert len(set(drawn)) > 0.75 * len(drawn)


@pytest.mark.parametrize("section", SECTIONS)
def test_strokes_wobble_and_are_not_the_ideal(section: int) -> None:
    ideal = ideal_stroke(hull(), section)
    drawn = [stroke(hull(), section, Random(seed)) for seed in SEEDS]
    assert sum(line == ideal for line in drawn) < 0.1 * len(drawn)


def test_a_hand_that_shakes_too_much_is_steadied() -> None:
    ideal = ideal_stroke(hull(), 1)
    wild = wobble(ideal, 10 * hull().band, Random(1))
    assert not stays_in_band(hull(), 1, wild)
    assert wild[0] == wild[-1]


def trouble_with_tracing(rank: Rank, judge: str, seed: int) -> tuple[int, int]:
    """How often crews surfaced, and how often they had not dived again when the game went on."""
    setup = table(mode=Mode.REAL_TIME, house={"trace_judge": judge}, players=8)
    match = Match(setup, ByCrew(ranked(rank), ranked(rank)), seed)
    outcome = match.play()
    assert outcome.fault is None
    assert outcome.ending != "called-off"
    surfaced = stranded = 0
    for crew in CREWS:
        up = False
        for event in match.logbook.events:
            if isinstance(event, Surfaced) and event.crew is crew:
                assert not up
                surfaced, up = surfaced + 1, True
            if isinstance(event, Dived) and event.crew is crew:
                up = False
            if isinstance(event, TraceJudged) and event.crew is crew:
                assert not event.bad, event
        over = isinstance(match.logbook.events[-1], GameEnded)
        stranded += up and not over
    traced = sum(isinstance(event, SectionTraced) for event in match.logbook.events)
    assert traced >= 4 * (surfaced - 2)
    return surfaced, stranded


@pytest.mark.parametrize(
    ("rank", "judge"),
    [
        (Rank.CADET, "program"),
        (Rank.CADET, "enemy-engineer"),
    ],
)
def test_bots_that_surface_in_real_time_dive_again(rank: Rank, judge: str) -> None:
    for seed in range(5, 15):
        surfaced, stranded = trouble_with_tracing(rank, judge, seed)
        assert stranded == 0
        if surfaced:
            return
    pytest.fail("nobody ever surfaced")


@pytest.mark.slow
@pytest.mark.parametrize("rank", [Rank.ENSIGN, Rank.LIEUTENANT, Rank.COMMANDER, Rank.COMMODORE])
def test_every_rank_dives_again_in_real_time(rank: Rank) -> None:
    judge = ("program", "enemy-engineer")[rank.level % 2]
    assert trouble_with_tracing(rank, judge, 3)[1] == 0
