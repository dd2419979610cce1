"""The core counts as many sequences of legal orders as the files of tests/perft say."""

import pytest

from fathom.core.native import Core
from tests.perft.positions import PerftPosition, all_positions


@pytest.mark.parametrize("position", all_positions(), ids=str)
def test_the_core_counts_what_the_file_says(position: PerftPosition) -> None:
    core = Core(position.setup())
    states = core.new_states(1)
    for seat, order in position.orders:
        core.perform(states, 0, seat, order)
    found = {depth: core.perft(states, 0, depth) for depth in position.counts}
    assert found == position.counts
