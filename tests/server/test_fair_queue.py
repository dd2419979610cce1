"""Fair shares: who asks much waits for themselves."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from fathom.server.fair_queue import FairQueue


def test_one_share_is_served_in_order() -> None:
    queue: FairQueue[int] = FairQueue()
    for item in range(3):
        queue.add("ann", item)
    assert [queue.take() for _ in range(4)] == [("ann", 0), ("ann", 1), ("ann", 2), None]


def test_who_asks_little_is_served_next() -> None:
    queue: FairQueue[str] = FairQueue()
    for _ in range(100):
        queue.add("much", "much")
    for _ in range(20):
        assert queue.take() == ("much", "much")
        queue.charge("much", 1.0)
    queue.add("little", "little")
    assert queue.take() == ("little", "little")


def test_shares_are_equal_in_cost_and_not_in_number() -> None:
    queue: FairQueue[str] = FairQueue()
    served: Counter[str] = Counter()
    for _ in range(1000):
        queue.add("dear", "dear")
        queue.add("cheap", "cheap")
    for _ in range(300):
        share, _ = queue.take() or ("", "")
        served[share] += 1
        queue.charge(share, 5.0 if share == "dear" else 1.0)
    assert abs(served["dear"] * 5 - served["cheap"]) <= 5


def test_who_was_idle_has_saved_nothing_up() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("late", "late")
    queue.take()
    for _ in range(100):
        queue.add("busy", "busy")
        queue.take()
        queue.charge("busy", 1.0)
    for _ in range(10):
        queue.add("late", "late")
        queue.add("busy", "busy")
    order = []
    for _ in range(20):
        share, _ = queue.take() or ("", "")
        order.append(share)
        queue.charge(share, 1.0)
    assert order[:10].count("late") <= 6


def test_what_is_withdrawn_is_not_served() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.add("ann", "one")
    queue.add("ann", "two")
    assert queue.withdraw("ann", "one")
    assert not queue.withdraw("ann", "one")
    assert not queue.withdraw("bob", "two")
    assert queue.take() == ("ann", "two")
    assert len(queue) == 0


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0.1, 3)), max_size=200))
def test_all_are_served_once_and_nothing_is_kept(items: list[tuple[str, float]]) -> None:
    queue: FairQueue[int] = FairQueue()
    for number, (share, _) in enumerate(items):
        queue.add(share, number)
    taken = []
    while (due := queue.take()) is not None:
        share, number = due
        taken.append(number)
        queue.charge(share, items[number][1])
    assert sorted(taken) == list(range(len(items)))
    queue.add("last", -1)
    queue.take()
    assert len(queue.served) <= 5
