"""What a crew's engineer must have crossed out."""

from fathom.belief.breakdowns import Breakdowns
from fathom.engine.events import CourseSet, Damaged, SilenceHeard, Surfaced, TorpedoFired, TurnEnded
from fathom.engine.game import new_game
from fathom.engine.knowledge.heard import Announcement
from fathom.points import Point
from fathom.words import DRONE, MINE, SILENCE, TORPEDO, Heading
from tests.stories import A, B, table

FIRED = TorpedoFired(A, Point(0))


def sheet(*news: Announcement, book: str = "captain-sonar") -> Breakdowns:
    found = Breakdowns(new_game(table(book)).ground, A)
    for said in news:
        found.hear(said)
    return found


def turns(headings: str) -> list[Announcement]:
    """Turns in which crew A sails so."""
    return [
        said
        for heading in headings.split()
        for said in (CourseSet(A, Heading(heading)), TurnEnded(A, B))
    ]


def test_a_course_crosses_out_one_symbol_of_its_panel() -> None:
    after = sheet(*turns("N"))
    ground = after.ground
    singles = {1 << place for place in range(24) if ground.panels["N"] >> place & 1}
    assert after.panels["N"] == singles
    assert after.panels["S"] == {0}


def test_after_one_course_nothing_is_surely_broken() -> None:
    after = sheet(*turns("N"))
    assert not any(after.surely_broken(system) for system in (MINE, DRONE, SILENCE))


def test_after_five_marks_on_one_panel_a_colour_with_two_symbols_there_is_broken() -> None:
    after = sheet(*turns("W W W W W"))
    west = after.ground.panels["W"]
    twice = {
        system
        for system in (TORPEDO, DRONE, SILENCE)
        if (after.symbols_of(system) & west).bit_count() >= 2
    }
    assert twice
    assert {s for s in (TORPEDO, DRONE, SILENCE) if after.surely_broken(s)} == twice


def test_a_mark_that_is_still_due_is_waited_for() -> None:
    after = sheet(*turns("W W W W"), CourseSet(A, Heading.W))
    assert not any(after.surely_broken(system) for system in (TORPEDO, DRONE, SILENCE))


def test_a_system_that_worked_was_whole() -> None:
    after = sheet(*turns("N"), CourseSet(A, Heading.N), FIRED, TurnEnded(A, B))
    red = after.symbols_of(TORPEDO)
    assert after.panels["N"]
    assert not any(crossed & red for crossed in after.panels["N"])


def test_damage_by_breakdowns_and_surfacing_erase_the_sheet() -> None:
    for erased in (Damaged(A, 1, "breakdown"), Surfaced(A, sector=1)):
        after = sheet(*turns("W W W W W"), erased)
        assert set(after.panels.values()) == {frozenset({0})}
        assert not after.surely_broken(TORPEDO)


def test_other_damage_erases_nothing() -> None:
    after = sheet(*turns("W W W W W"), Damaged(A, 1, "ice"))
    assert len(after.panels["W"]) == 6


def test_a_silence_may_have_crossed_out_on_any_panel_or_none() -> None:
    after = sheet(SilenceHeard(A), TurnEnded(A, B))
    for panel, mask in after.ground.panels.items():
        assert len(after.panels[panel]) == 1 + mask.bit_count()


def test_the_family_game_has_no_engineer() -> None:
    after = sheet(*turns("N N"), book="sonar")
    assert not after.surely_broken(TORPEDO)
