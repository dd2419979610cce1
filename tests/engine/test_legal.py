"""The legal orders are exactly those that are accepted, by trying every order there is."""

from collections.abc import Iterable

from fathom.engine.game import Game
from fathom.engine.orders import AnyOrder, Surface, TraceSection
from fathom.engine.referee import legal, may_judge, may_trace, may_write
from fathom.engine.tracing import ideal_stroke
from fathom.words import REFEREE, Mode, Referee, Seat
from tests.engine.duels import CROOKED, GivenOrder, NumberedGame, holds_in_duels
from tests.engine.every_order import (
    BAD_JUDGEMENTS,
    BAD_RUBBING,
    GOOD_JUDGEMENTS,
    WRITING,
    badly_signed,
    every_order,
)
from tests.engine.tables import seats, seats_and_referee
from tests.stories import A, B, Story, refusal, table

SECTIONS = range(6)


def accepted(game: Game, seat: Seat | Referee, orders: Iterable[AnyOrder]) -> set[AnyOrder]:
    """Those of the orders that the engine accepts."""
    return {order for order in orders if not refusal(game, seat, order)}


def some_positions(duel: NumberedGame, every: int) -> list[Game]:
    """A few positions of the duel, the last one among them."""
    steps: list[GivenOrder] = list(duel.steps())
    return [step.before for step in steps[::every]] + [step.after for step in steps[-1:]]


@holds_in_duels(length=60, few=20, many=3)
def test_legal_orders_are_those_that_are_accepted(duel: NumberedGame) -> None:
    orders = every_order(duel.setup)
    for game in some_positions(duel, every=9):
        for seat in seats_and_referee(duel.setup):
            found = legal(game, seat)
            assert len(set(found)) == len(found)
            assert set(found) == accepted(game, seat, orders), seat


@holds_in_duels(length=60, few=12, many=3)
def test_who_may_trace_may_trace_each_open_section(duel: NumberedGame) -> None:
    hull = duel.setup.hull
    for step in duel.steps():
        for seat in seats(duel.setup):
            sections = {n for n in SECTIONS if not refusal(step.before, seat, traced(duel, n))}
            assert sections == set(may_trace(step.before, seat))
            for section in sections:
                stroke = ideal_stroke(hull, section)
                assert not refusal(step.before, seat, TraceSection(section, CROOKED, "AB"))
                assert not accepted(step.before, seat, badly_signed(section, stroke))


def traced(duel: NumberedGame, section: int) -> TraceSection:
    """The section traced well, or what stands for it where there is no such section."""
    lines = duel.setup.hull.sections
    known = 1 <= section <= len(lines)
    return TraceSection(section, ideal_stroke(duel.setup.hull, section if known else 1), "AB")


@holds_in_duels(length=60, few=12, many=3)
def test_who_may_judge_may_judge_as_they_like(duel: NumberedGame) -> None:
    for step in duel.steps():
        for seat in seats(duel.setup):
            judgements = set(GOOD_JUDGEMENTS) if may_judge(step.before, seat) else set()
            assert accepted(step.before, seat, GOOD_JUDGEMENTS + BAD_JUDGEMENTS) == judgements


def test_a_traced_hull_is_judged_by_the_enemy_engineer_as_they_like() -> None:
    house = {"trace_judge": "enemy-engineer"}
    story = Story(table(mode=Mode.REAL_TIME, house=house, players=8), "A1", "O15")
    story.order(A, Surface())
    for section in range(1, 5):
        assert not any(may_judge(story.game, seat) for seat in seats(story.setup))
        story.order(A, TraceSection(section, CROOKED, "AB"))
    judge = Seat(B, 2)
    assert [seat for seat in seats(story.setup) if may_judge(story.game, seat)] == [judge]
    judgements = (*GOOD_JUDGEMENTS, *BAD_JUDGEMENTS)
    assert accepted(story.game, judge, judgements) == set(GOOD_JUDGEMENTS)


@holds_in_duels(length=60, few=12, many=3)
def test_who_may_write_may_write_anything_sensible(duel: NumberedGame) -> None:
    for step in duel.steps():
        for seat in seats(duel.setup):
            sensible = set(WRITING) if may_write(step.before, seat) else set()
            assert accepted(step.before, seat, WRITING) == sensible
            assert not accepted(step.before, seat, BAD_RUBBING)
        assert not accepted(step.before, REFEREE, WRITING)
