"""The collector of circular garbage: out of the way of a busy server, and yet nothing stays."""

import gc
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest

from fathom.server import collector as collectors
from fathom.server import operating_system
from fathom.server.collector import LEAST, Collector


class Ring:
    """Something that refers to itself."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    thresholds = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*thresholds)


def opened(monkeypatch: pytest.MonkeyPatch, sizes: list[int]) -> Collector:
    """A collector that sees the process grow."""
    left = iter(sizes)
    monkeypatch.setattr(collectors, "resident", lambda: next(left))
    collector = Collector()
    collector.open()
    return collector


def test_circles_stay_while_the_process_does_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    collector = opened(monkeypatch, [LEAST] * 3)
    ring = weakref.ref(Ring())
    collector.look(quiet=True)
    gc.collect()
    assert ring() is not None


def test_circles_go_in_a_quiet_moment_when_it_has_grown(monkeypatch: pytest.MonkeyPatch) -> None:
    collector = opened(monkeypatch, [LEAST, LEAST, 2 * LEAST + 1, LEAST])
    ring = weakref.ref(Ring())
    collector.look(quiet=True)
    assert ring() is not None
    collector.look(quiet=True)
    assert ring() is None


def test_a_busy_server_waits_until_it_has_doubled(monkeypatch: pytest.MonkeyPatch) -> None:
    start = 8 * LEAST
    collector = opened(monkeypatch, [start, start * 2, start * 2 + 1, start])
    ring = weakref.ref(Ring())
    collector.look(quiet=False)
    assert ring() is not None
    collector.look(quiet=False)
    assert ring() is None


def test_where_its_size_is_unknown_the_collector_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(operating_system, "STATM", tmp_path / "missing")
    thresholds, frozen = gc.get_threshold(), gc.get_freeze_count()
    collector = Collector()
    collector.open()
    collector.look(quiet=True)
    assert (gc.get_threshold(), gc.get_freeze_count()) == (thresholds, frozen)
