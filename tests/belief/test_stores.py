"""What a crew may have charged, from its courses and what it used."""

from typing import Any

import pytest

from fathom.belief.stores import Stores
from fathom.engine.events import (
    CourseSet,
    MineLaidHeard,
    SilenceHeard,
    SonarUsed,
    Surfaced,
    SystemFailed,
    SystemRepaired,
    TorpedoFired,
)
from fathom.engine.game import new_game
from fathom.engine.knowledge.heard import Announcement
from fathom.points import Point
from fathom.words import DRONE, MINE, SCENARIO, SILENCE, SONAR, SYSTEMS, TORPEDO, Heading
from tests.engine.tables import SEAS
from tests.stories import A, B, table

SAILED = CourseSet(A, Heading.N)
FIRED = TorpedoFired(A, Point(0))


def stores(book: str = "captain-sonar", *news: Announcement, **choices: Any) -> Stores:
    """Turn by turn: mine 2, torpedo 3, drone 3, sonar 2, silence 5."""
    found = Stores(new_game(table(book, **choices)).ground, A)
    for said in news:
        found.hear(said)
    return found


def test_a_course_fills_one_box_of_some_gauge() -> None:
    after = stores("captain-sonar", SAILED, SAILED, SAILED)
    assert [after.filled(system) for system in SYSTEMS] == [
        (0, 2), (0, 3), (0, 3), (0, 2), (0, 3), (0, 0),
    ]  # fmt: skip
    assert [system for system in SYSTEMS if after.may_be_ready(system)] == [
        MINE, TORPEDO, DRONE, SONAR,
    ]  # fmt: skip


def test_the_other_crews_courses_fill_nothing() -> None:
    after = stores("captain-sonar", CourseSet(B, Heading.N))
    assert after.filled(TORPEDO) == (0, 0)


def test_what_was_used_is_empty_and_has_taken_its_boxes() -> None:
    after = stores("captain-sonar", *[SAILED] * 4, FIRED)
    assert after.filled(TORPEDO) == (0, 0)
    assert after.filled(MINE) == (0, 1)
    assert not after.may_be_ready(MINE)


def test_after_enough_courses_everything_is_full() -> None:
    nearly, full = stores("captain-sonar", *[SAILED] * 14), stores("captain-sonar", *[SAILED] * 20)
    assert [nearly.filled(s) for s in SYSTEMS] == [(1, 2), (2, 3), (2, 3), (1, 2), (4, 5), (0, 0)]
    assert [full.filled(s) for s in SYSTEMS] == [(2, 2), (3, 3), (3, 3), (2, 2), (5, 5), (0, 0)]


def test_a_full_gauge_stays_full_when_its_system_fails() -> None:
    after = stores("captain-sonar-2", *[SAILED] * 4, SystemFailed(A, DRONE))
    assert after.filled(DRONE) == (3, 3)
    assert after.filled(MINE) == (0, 1)


@pytest.mark.parametrize(
    ("rulings", "sonar"),
    [
        ({}, (0, 1)),
        ({"silence_charges": False}, (0, 0)),
        ({"silence_charges": False, "silence_zero_charges": True}, (0, 1)),
    ],
)
def test_a_silence_may_charge_a_box(rulings: dict[str, bool], sonar: tuple[int, int]) -> None:
    after = stores("captain-sonar", *[SAILED] * 5, SilenceHeard(A), rulings=rulings)
    assert after.filled(SONAR) == sonar


def test_a_silence_that_always_charges_is_counted() -> None:
    charging = {"silence_zero_charges": True}
    after = stores("captain-sonar", *[SAILED] * 15, SilenceHeard(A), rulings=charging)
    assert after.filled(SILENCE) == (1, 1)


def test_a_mark_that_a_surfacing_made_void_is_not_counted_on() -> None:
    late = {"acknowledge_systems": False}
    after = stores("captain-sonar", *[SAILED] * 14, Surfaced(A, sector=1), rulings=late)
    assert after.filled(TORPEDO) == (1, 3)


def test_systems_out_of_service_are_not_charged() -> None:
    damaged = SEAS["damaged"]
    before = stores("captain-sonar-2", SAILED, SAILED, chart=damaged)
    assert before.filled(MINE) == (0, 0)
    assert before.filled(SCENARIO) == (2, 2)
    after = stores("captain-sonar-2", *[SAILED] * 3, SystemRepaired(A, MINE), SAILED, chart=damaged)
    assert after.filled(MINE) == (0, 1)
    assert after.filled(SCENARIO) == (0, 1)


def test_the_energy_of_the_family_game_is_known() -> None:
    after = stores("sonar", *[SAILED] * 6)
    assert after.energy == 4
    assert after.may_be_ready(TORPEDO)
    after.hear(SonarUsed(A))
    assert after.energy == 2
    assert not after.may_be_ready(SILENCE)
    assert after.may_be_ready(SONAR)


def test_mines_are_counted_too() -> None:
    after = stores("captain-sonar", SAILED, SAILED, MineLaidHeard(A), SAILED)
    assert after.filled(MINE) == (0, 1)
    assert after.filled(TORPEDO) == (0, 1)
