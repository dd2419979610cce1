"""The number of sequences of legal orders is the one in the files, by the engine and its twin."""

from collections import Counter

import pytest

from tests.perft.counting import count_by_engine, count_by_twin, engine_at, twin_at
from tests.perft.positions import PerftPosition, all_positions
from tests.stories import ALL_BOOKS, MODES

POSITIONS = all_positions()
FAST_BY_ENGINE, FAST_BY_TWIN = 2_500, 800


def at_depths(fast: int, *, both: bool) -> list[object]:
    """Every position and depth; larger counts than ``fast`` are slow."""
    return [
        pytest.param(
            position,
            depth,
            id=f"{position}-{depth}",
            marks=[pytest.mark.slow] if count > fast else [],
        )
        for position in POSITIONS
        for depth, count in position.counts.items()
        if not both or depth in position.by_both
    ]


@pytest.mark.parametrize(("position", "depth"), at_depths(FAST_BY_ENGINE, both=False))
def test_the_engine_counts_what_the_file_says(position: PerftPosition, depth: int) -> None:
    assert count_by_engine(engine_at(position), depth) == position.counts[depth]


@pytest.mark.parametrize(("position", "depth"), at_depths(FAST_BY_TWIN, both=True))
def test_the_twin_counts_what_the_file_says(position: PerftPosition, depth: int) -> None:
    assert count_by_twin(twin_at(position), depth) == position.counts[depth]


def test_every_rulebook_and_mode_has_two_positions() -> None:
    tables = Counter((p.table["rulebook"], p.table["mode"]) for p in POSITIONS)
    assert all(tables[book, mode.value] >= 2 for book in ALL_BOOKS for mode in MODES)


def test_every_scenario_is_counted() -> None:
    special = {position.chart.get("special", "none") for position in POSITIONS}
    assert special == {"none", "ice", "ice-field", "old-mines", "volcanoes", "damaged"}
    assert any("starts" in position.chart for position in POSITIONS)


def test_every_position_is_counted_by_both() -> None:
    for position in POSITIONS:
        assert position.by_both == set(sorted(position.counts)[: len(position.by_both)]), position
        assert max(position.by_both) >= 2, position
