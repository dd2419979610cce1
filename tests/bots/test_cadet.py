"""The cadet, against whom people learn the game, plays at random but does not surface early."""

import pytest

from fathom.bots.ranks import Rank
from fathom.bots.roster import enlist
from fathom.engine import orders as give
from fathom.engine.offer import offer
from fathom.words import Crew, Mode, Seat
from tests.stories import MODES, Story, table


@pytest.mark.parametrize("mode", MODES)
def test_a_cadet_does_not_surface_while_there_is_a_course_to_set(mode: Mode) -> None:
    game, seat = Story(table("captain-sonar", mode), "A1", "J10").game, Seat(Crew.A, 0)
    offered = offer(game, seat)
    assert give.SURFACE in offered.orders
    assert any(isinstance(order, give.SetCourse) for order in offered.orders)
    chosen = {enlist(Rank.CADET, game.ground, seat, seed).choose(offered) for seed in range(100)}
    assert give.SURFACE not in chosen
