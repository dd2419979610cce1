"""How likely the possible points are."""

import pytest

from fathom.belief.evidence import Belief
from fathom.belief.likelihood import DOUBT
from fathom.belief.merged import Merged
from fathom.engine.events import DroneLaunched, SilenceHeard, Surfaced
from fathom.points import name, parse
from tests.belief.ears import LONG, Ears, from_corner
from tests.stories import A, B, sea


def likely(ears: Ears, kind: type[Belief] = Belief) -> Ears:
    ears.belief = kind(ears.ground, A, likely=True)
    return ears


def by_name(ears: Ears) -> dict[str, float]:
    return {name(point): weight for point, weight in ears.belief.weights.items()}


def shared(share: float, points: int) -> object:
    """A share of what is not kept back for doubt."""
    return pytest.approx(share * (1 - DOUBT) + DOUBT / points)


def test_nothing_is_weighed_unless_asked_for() -> None:
    assert Ears(LONG).belief.weights == {}


def test_at_first_all_points_are_alike() -> None:
    assert by_name(likely(Ears(sea(". #\n. .")))) == dict.fromkeys(
        ("A1", "A2", "B2"), pytest.approx(1 / 3)
    )


def test_a_silence_leads_rather_far_than_near() -> None:
    ears = likely(Ears(from_corner(". . . .\n# # # #")))
    ears.hear(SilenceHeard(A))
    # 1 : 2 : 3 : 4
    assert by_name(ears) == {
        "A1": shared(0.1, 4),
        "B1": shared(0.2, 4),
        "C1": shared(0.3, 4),
        "D1": shared(0.4, 4),
    }


def test_a_course_tells_for_points_where_there_were_few_others() -> None:
    ears = likely(
        Ears(
            sea("""
        . # .
        . # .
        . . .""")
        )
    )
    ears.courses("S")
    # From A1 and C1 it was the only way, from A2 and C2 one of two.
    only, either = 1.0, 2**-0.5
    total = 2 * only + 2 * either
    assert by_name(ears) == {
        "A2": shared(only / total, 4),
        "C2": shared(only / total, 4),
        "A3": shared(either / total, 4),
        "C3": shared(either / total, 4),
    }


def test_what_is_not_possible_has_no_weight() -> None:
    ears = likely(Ears(LONG))
    ears.hear(DroneLaunched(B, 2, "yes"))
    assert by_name(ears) == dict.fromkeys(("F1", "G1", "F2", "G2"), pytest.approx(0.25))


def test_a_single_point_is_certain() -> None:
    ears = likely(Ears(LONG, "sonar"))
    ears.hear(Surfaced(A, at=parse("C1")))
    assert by_name(ears) == {"C1": pytest.approx(1)}


def test_merged_weighs_in_the_same_way() -> None:
    ears = likely(Ears(from_corner(". . . .\n# # # #")), Merged)
    ears.courses("E")
    ears.hear(SilenceHeard(A))
    assert set(by_name(ears)) == {"A1", "B1", "C1", "D1"}
    assert by_name(ears)["D1"] > by_name(ears)["B1"]
