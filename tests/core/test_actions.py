"""The action table, and what is generated from it."""

from typing import get_args

import pytest

from fathom.core import header
from fathom.core.actions import (
    BLOCKS,
    COUNT,
    CROOKED,
    HULL_SECTIONS,
    ORDERS,
    REFEREES,
    NoAction,
    action_of,
    order_of,
)
from fathom.engine import orders as say
from fathom.engine.tracing import ideal_stroke, stays_in_band
from fathom.points import Point
from tests.stories import table

SETUP = table()


def test_every_action_is_an_order_and_back() -> None:
    for action in range(COUNT):
        assert action_of(SETUP, order_of(SETUP, action)) == action


def test_blocks_follow_each_other() -> None:
    start = 0
    for block in BLOCKS.values():
        assert block.start == start
        start = block.stop
    assert start == COUNT == len(ORDERS)
    assert BLOCKS["judge"].stop == REFEREES


def test_every_kind_of_order_is_in_the_table_but_those_of_the_transparent_sheet() -> None:
    kinds = {type(order) for order in ORDERS if order is not None}
    assert set(get_args(say.AnyOrder)) - kinds == set(get_args(say.SheetOrder))


@pytest.mark.parametrize("action", [-1, COUNT, 100_000])
def test_there_is_no_other_action(action: int) -> None:
    with pytest.raises(NoAction, match=f"there is no action {action}; they go from 0 to"):
        order_of(SETUP, action)


@pytest.mark.parametrize("order", [say.WipeSheet(), say.Place(Point(15)), say.LaunchDrone(10)])
def test_an_order_that_is_not_in_the_table_is_named(order: say.AnyOrder) -> None:
    with pytest.raises(NoAction, match=type(order).__name__):
        action_of(SETUP, order)


def test_the_tables_strokes_are_good_and_bad() -> None:
    hull = SETUP.hull
    for section in range(1, HULL_SECTIONS + 1):
        assert stays_in_band(hull, section, ideal_stroke(hull, section))
        assert not stays_in_band(hull, section, CROOKED)


def test_generated_files_are_up_to_date() -> None:
    assert header.HEADER.read_text("utf-8") == header.header(), "run make generate"
    assert header.PAGE.read_text("utf-8") == header.page(), "run make generate"
