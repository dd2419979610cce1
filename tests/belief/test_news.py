"""What each kind of news tells of where a submarine can be."""

import pytest

from fathom.belief.merged import Merged
from fathom.engine.events import (
    Damaged,
    DroneLaunched,
    GameEnded,
    Hit,
    MineLaidHeard,
    MineTriggered,
    SilenceHeard,
    SonarAnswered,
    SonarUsed,
    Surfaced,
    SystemFailed,
    SystemRepaired,
    TorpedoFired,
    TurnEnded,
    VolcanoNamed,
    VolcanoStirred,
)
from fathom.points import parse
from fathom.words import MINE, SCENARIO, SILENCE, Mode
from tests.belief.ears import LONG, OPEN, Ears, blown, from_corner
from tests.engine.tables import SEAS
from tests.stories import A, B, sea

EVERYWHERE = "A1 B1 C1 D1 E1 A2 B2 C2 D2 E2 A3 B3 C3 D3 E3"
CORNER = from_corner("""
    . . . . .
    . . . . .
    . . . . .""")


def test_before_anything_is_heard_it_may_be_on_any_sea_point() -> None:
    ears = Ears(sea(". # .\n. . ."))
    assert ears.where == "A1 C1 A2 B2 C2"
    assert ears.belief.exact


def test_a_given_start_is_known() -> None:
    assert Ears(CORNER).where == "A1"


def test_where_old_mines_block_the_way_nobody_starts_on_one() -> None:
    chart = sea(". m .\n# # #", special="old-mines")
    assert Ears(chart).where == "A1 B1 C1"
    assert Ears(chart, {"old_mine_blocks": True}).where == "A1 C1"


# Courses and silence


def test_courses_fit_between_the_islands() -> None:
    ears = Ears(
        sea("""
        . . .
        . # .
        . . .""")
    )
    assert ears.courses("N") == "A1 C1 A2 C2"
    assert ears.courses("E") == "B1"


def test_the_other_crews_courses_tell_nothing() -> None:
    ears = Ears(CORNER)
    assert ears.hear(SilenceHeard(B), TurnEnded(B, A)) == "A1"


def test_a_silence_goes_up_to_four_points_along_open_water() -> None:
    ears = Ears(
        from_corner("""
        . . . # . .
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .
        . . . . . .""")
    )
    assert ears.hear(SilenceHeard(A)) == "A1 B1 C1 A2 A3 A4 A5"


def test_a_silence_of_the_family_game_is_exactly_one_point() -> None:
    assert Ears(CORNER, "sonar").hear(SilenceHeard(A)) == "B1 A2"


def test_the_route_is_not_crossed_even_if_a_silence_hides_a_part_of_it() -> None:
    exact, merged = Ears(CORNER), Ears(CORNER, kind=Merged)
    for ears in (exact, merged):
        ears.courses("E E")
        ears.hear(SilenceHeard(A))
    assert exact.where == "C1 D1 E1 C2 C3"
    assert merged.where == "A1 B1 C1 D1 E1 C2 C3"
    assert exact.courses("S W") == "B2 C2 D2 B3"
    # Only C1, silently to C2, C3, B3, B2 leaves A1, B1 and C1 alone.
    assert exact.courses("N") == "B2"
    assert merged.courses("S W N") == "A1 B1 C1 D1 B2"
    assert exact.belief.exact
    assert not merged.belief.exact


# Surfacing


def test_a_surfacing_tells_the_sector() -> None:
    assert Ears(LONG).hear(Surfaced(A, sector=2)) == "F1 G1 F2 G2"


def test_a_surfacing_of_the_family_game_tells_the_point() -> None:
    assert Ears(LONG, "sonar").hear(Surfaced(A, at=parse("F2"))) == "F2"


def test_a_surfacing_erases_the_route() -> None:
    ears = Ears(CORNER)
    ears.courses("E")
    assert ears.hear(Surfaced(A, sector=1)) == "B1"
    assert ears.courses("W") == "A1"


def test_without_a_surfacing_nobody_goes_back() -> None:
    ears = Ears(CORNER)
    ears.courses("E")
    ears.hear(SilenceHeard(A))
    assert ears.where == "B1 C1 D1 E1 B2 B3"
    assert ears.courses("W") == "A2 A3"


def test_ice_breaks_anywhere_but_in_a_hole() -> None:
    chart = sea(
        """
        . o .
        . . .""",
        special="ice",
    )
    assert Ears(chart).hear(Surfaced(A, sector=1)) == "B1"
    assert Ears(chart).hear(Damaged(A, 1, "ice"), Surfaced(A, sector=1)) == "A1 C1 A2 B2 C2"


def test_an_ice_field_breaks_only_within_it() -> None:
    field = SEAS["ice-field"]
    struck = Ears(field, "captain-sonar-2").hear(Damaged(A, 1, "ice"), Surfaced(A, sector=1))
    assert struck == "C1 D1 E1 D2 E2 C3 D3 E3"
    free = Ears(field, "captain-sonar-2").hear(Surfaced(A, sector=1))
    assert free == "A1 B1 A2 B2 C2 A3 A4 B4 C4 D4 E4"


def test_ice_of_one_surfacing_is_not_that_of_the_next() -> None:
    ears = Ears(sea(". o .\n# # #", special="ice"))
    ears.hear(Damaged(A, 1, "ice"), Surfaced(A, sector=1))
    ears.courses("W")
    assert ears.where == "B1"
    assert ears.hear(Surfaced(A, sector=1)) == "B1"


# Torpedoes, hits and misses


def test_a_torpedo_tells_that_its_target_was_in_reach() -> None:
    fired = TorpedoFired(A, parse("A1"))
    assert Ears(LONG).hear(fired) == "A1 B1 C1 D1 E1 A2 B2 C2 D2"
    assert Ears(LONG, {"torpedo_range": 1}).hear(fired) == "A1 B1 A2"
    assert Ears(LONG, {"torpedo_range": 1, "torpedo_own_point": False}).hear(fired) == "B1 A2"


def test_an_island_stops_a_torpedo_unless_the_table_lets_it_fly() -> None:
    chart = sea("""
        . . # . .
        . . # . .
        . . . . .""")
    fired = TorpedoFired(A, parse("A1"))
    assert Ears(chart).hear(fired) == "A1 B1 A2 B2 A3 B3 C3"
    flying = Ears(chart, {"torpedo_over_islands": True}).hear(fired)
    assert flying == "A1 B1 D1 E1 A2 B2 D2 A3 B3 C3"


def test_a_torpedo_of_the_family_game_tells_the_sector() -> None:
    assert Ears(LONG, "sonar").hear(TorpedoFired(A, parse("G2"))) == "F1 G1 F2 G2"


@pytest.mark.parametrize(
    ("hit", "where"),
    [
        ("direct", "B2"),
        ("indirect", "A1 B1 C1 A2 C2 A3 B3 C3"),
        ("miss", "D1 E1 D2 E2 D3 E3"),
    ],
)
def test_our_torpedo_tells_whether_it_hit(hit: Hit, where: str) -> None:
    told = Ears(OPEN).hear(TorpedoFired(B, parse("B2")), blown("B2", "torpedo", B, hit))
    assert told == where


def test_a_torpedo_of_the_family_game_only_hits_its_point() -> None:
    told = Ears(OPEN, "sonar").hear(TorpedoFired(B, parse("B2")), blown("B2", "torpedo", B, "miss"))
    assert told == EVERYWHERE.replace("B2 ", "")


def test_their_own_torpedo_tells_whether_it_hit_themselves() -> None:
    news = (TorpedoFired(A, parse("B2")), blown("B2", "torpedo", A, "indirect"))
    assert Ears(OPEN).hear(*news) == "A1 B1 C1 A2 C2 A3 B3 C3"


def test_where_nobody_suffers_from_own_weapons_a_miss_of_theirs_tells_nothing() -> None:
    news = (TorpedoFired(A, parse("B2")), blown("B2", "torpedo", A, "miss"))
    assert Ears(OPEN).hear(*news) == "D1 E1 D2 E2 D3 E3"
    assert Ears(OPEN, {"blast_self": False}).hear(*news) == EVERYWHERE


# Mines


def test_a_mine_lies_next_to_where_it_was_laid_and_off_the_route() -> None:
    ears = Ears(CORNER)
    ears.hear(MineLaidHeard(A))
    assert ears.mines() == ["B1 A2 B2"]
    ears.courses("E")
    assert ears.mines() == ["A2 B2"]


def test_nobody_sails_onto_their_own_mine() -> None:
    ears = Ears(from_corner(". . .\n# # #"))
    ears.hear(MineLaidHeard(A))
    assert ears.courses("E") == ""


def test_a_mine_that_goes_off_tells_where_its_layer_was() -> None:
    ears = Ears(OPEN)
    ears.hear(MineLaidHeard(A))
    ears.courses("E E")
    assert ears.where == "C1 D1 E1 C2 D2 E2 C3 D3 E3"
    # Laid from one of the eight points around C2; from B2 the mine would have been in the way.
    told = ears.hear(MineTriggered(A, parse("C2")), blown("C2", "mine", A, "miss"))
    assert told == "E1 E3"
    assert ears.mines() == []


def test_a_mine_tells_of_its_layer_even_after_a_silence_and_a_surfacing() -> None:
    ears = Ears(LONG)
    ears.hear(MineLaidHeard(A))
    ears.hear(SilenceHeard(A))
    ears.hear(Surfaced(A, sector=2))
    assert ears.where == "F1 G1 F2 G2"
    told = ears.hear(MineTriggered(A, parse("A1")), blown("A1", "mine", A, "miss"))
    # From B1 or B2, next to A1, four points along; A2 is too far from the second sector.
    assert told == "F1 F2"


def test_one_of_two_mines_goes_off_and_the_other_stays_on_the_map() -> None:
    ears = Ears(CORNER)
    ears.hear(MineLaidHeard(A))
    ears.courses("E")
    ears.hear(MineLaidHeard(A))
    assert ears.mines() == ["A2 B2", "C1 A2 B2 C2"]
    ears.hear(MineTriggered(A, parse("C2")), blown("C2", "mine", A, "indirect"))
    assert ears.mines() == ["A2 B2"]


def test_a_mine_is_armed_only_when_the_rulebook_says_so() -> None:
    ears = Ears(CORNER, "captain-sonar-ru")
    ears.hear(MineLaidHeard(A))
    ears.hear(TurnEnded(A, B), TurnEnded(B, A))
    ears.courses("E")
    ears.hear(MineLaidHeard(A))
    assert ears.mines() == ["A2 B2", "C1 A2 B2 C2"]
    # Both may have lain on A2, but the second is not armed yet: it is the first that is gone.
    ears.hear(MineTriggered(A, parse("A2")), blown("A2", "mine", A, "indirect"))
    assert ears.mines() == ["C1 B2 C2"]


def test_a_mine_near_an_explosion_would_have_gone_off_in_the_second_edition() -> None:
    for book, left in (("captain-sonar-2", []), ("captain-sonar", ["B1 A2"])):
        ears = Ears(CORNER, book)
        ears.hear(MineLaidHeard(A))
        ears.hear(TorpedoFired(B, parse("B2")), blown("B2", "torpedo", B, "indirect"))
        assert ears.mines() == left


# Drone and sonar


def test_a_drone_tells_whether_it_is_in_the_sector() -> None:
    assert Ears(LONG).hear(DroneLaunched(B, 2, "yes")) == "F1 G1 F2 G2"
    assert Ears(LONG).hear(DroneLaunched(B, 2, "no")) == "A1 B1 C1 D1 E1 A2 B2 C2 D2 E2"


def test_their_own_drone_tells_nothing_of_them() -> None:
    assert Ears(OPEN).hear(DroneLaunched(A, 1, "no")) == EVERYWHERE


def test_one_of_two_sonar_facts_is_true_and_one_is_false() -> None:
    asked = SonarUsed(B)
    by_row = Ears(LONG).hear(asked, SonarAnswered(A, row=1, sector=2))
    assert by_row == "A1 B1 C1 D1 E1 F2 G2"
    by_column = Ears(LONG).hear(asked, SonarAnswered(A, row=2, column="B"))
    assert by_column == "B1 A2 C2 D2 E2 F2 G2"
    by_both = Ears(LONG).hear(asked, SonarAnswered(A, column="G", sector=1))
    assert by_both == "A1 B1 C1 D1 E1 G1 A2 B2 C2 D2 E2 G2"


def test_the_family_sonar_tells_one_true_fact() -> None:
    assert Ears(LONG, "sonar").hear(SonarAnswered(A, row=2)) == "A2 B2 C2 D2 E2 F2 G2"
    assert Ears(LONG, "sonar").hear(SonarAnswered(A, column="C")) == "C1 C2"


# Volcanoes


def test_an_eruption_hits_whoever_is_next_to_a_volcano() -> None:
    missed = Ears(SEAS["volcanoes"], "captain-sonar-2").hear(
        VolcanoStirred(B, 1),
        blown("C2", "volcano", None, "miss"),
        blown("F4", "volcano", None, "miss"),
    )
    assert missed == "A1 E1 F1 G1 A2 E2 F2 G2 A3 A4 B4 C4 D4 A5 B5 C5 D5"
    hit = Ears(SEAS["volcanoes"], "captain-sonar-2").hear(
        VolcanoStirred(B, 1),
        blown("C2", "volcano", None, "indirect"),
        blown("F4", "volcano", None, "miss"),
    )
    assert hit == "B1 C1 D1 B2 D2 B3 C3 D3"


def test_a_drone_sees_nothing_through_toxic_smoke() -> None:
    ears = Ears(SEAS["volcanoes"], "captain-sonar-2")
    before = ears.where
    ears.hear(VolcanoStirred(B, 2), VolcanoNamed(B, 1, "smoke"))
    assert ears.hear(DroneLaunched(B, 1, "toxic-smoke")) == before


def test_nobody_is_on_lava_and_nobody_sails_there_again() -> None:
    ears = Ears(SEAS["volcanoes"], "captain-sonar-2")
    told = ears.hear(VolcanoStirred(B, 3), VolcanoNamed(B, 1, "lava"))
    assert told == "A1 E1 F1 G1 A2 E2 F2 G2 A3 E3 F3 G3 A4 B4 C4 D4 E4 G4 A5 B5 C5 D5 E5 F5 G5"
    assert ears.courses("W") == "E1 F1 E2 F2 E3 F3 A4 B4 C4 D4 A5 B5 C5 D5 E5 F5"
    assert ears.courses("N") == "E1 F1 E2 F2 A3 A4 B4 C4 D4 E4"


def test_mines_under_lava_are_gone() -> None:
    ears = Ears(SEAS["volcanoes"], "captain-sonar-2")
    ears.hear(SonarAnswered(A, row=2, column="C"))
    assert ears.hear(Surfaced(A, sector=2)) == "F2 G2"
    ears.hear(MineLaidHeard(A))
    assert ears.mines() == ["E1 F1 G1 E2 F2 G2 E3 F3 G3"]
    ears.hear(VolcanoStirred(B, 3), VolcanoNamed(B, 2, "lava"))
    assert ears.mines() == ["E1 F1 G1 E2 F2 G2"]


def test_who_is_lost_on_lava_was_there() -> None:
    ears = Ears(SEAS["volcanoes"], "captain-sonar-2")
    before = ears.where
    lost = VolcanoNamed(B, 1, "lava"), GameEnded(B, "end.sunk")
    assert ears.hear(VolcanoStirred(B, 3), *lost) == before


# Repairs, broken systems and blackouts


def test_a_repair_is_made_next_to_the_systems_island() -> None:
    ears = Ears(SEAS["damaged"], "captain-sonar-2")
    assert ears.hear(SystemRepaired(A, MINE)) == "A1 B1 C1 A2 C2 A3 B3"


def test_a_repair_along_rows_and_columns_only_where_the_table_plays_so() -> None:
    ears = Ears(SEAS["damaged"], "captain-sonar-2", {"repair_diagonal": False})
    assert ears.hear(SystemRepaired(A, MINE)) == "B1 A2 C2 B3"


def test_a_repair_that_failed_was_ordered_next_to_an_island_still_to_be_repaired() -> None:
    ears = Ears(SEAS["damaged"], "captain-sonar-2")
    assert ears.hear(SystemRepaired(A, MINE)) == "A1 B1 C1 A2 C2 A3 B3"
    assert ears.hear(SystemFailed(A, SCENARIO)) == "C1 C2 A3 B3"


def test_a_mine_that_failed_had_room() -> None:
    ears = Ears(sea(". . .\n# # #"), "captain-sonar-2")
    assert ears.courses("E") == "B1 C1"
    # On C1, come from B1, there is no point left for a mine.
    assert ears.hear(SystemFailed(A, MINE)) == "B1"
    assert ears.mines() == []


def test_a_silence_that_failed_had_a_way_where_it_must_move() -> None:
    rulings = {"silence_least": 1, "broken_system": "radiation-mark"}
    ears = Ears(sea(". . .\n# # #"), rulings)
    ears.courses("E")
    assert ears.hear(SystemFailed(A, SILENCE)) == "B1"
    unmoved = Ears(sea(". . .\n# # #"), {"broken_system": "radiation-mark"})
    unmoved.courses("E")
    assert unmoved.hear(SystemFailed(A, SILENCE)) == "B1 C1"


def test_damage_by_breakdowns_tells_nothing_of_the_place() -> None:
    assert Ears(OPEN).hear(Damaged(A, 1, "breakdown")) == EVERYWHERE


def test_a_blacked_out_crew_may_still_use_systems_unless_the_table_forbids_it() -> None:
    chart = sea("""
        . # .
        . . .
        . . .""")
    usual, strict = Ears(chart), Ears(chart, {"blackout_systems": False})
    for ears in (usual, strict):
        assert ears.courses("N") == "A1 C1 A2 B2 C2"
        ears.hear(DroneLaunched(A, 1, "no"))
    assert usual.where == "A1 C1 A2 B2 C2"
    assert strict.where == "A2 B2 C2"


def test_a_blacked_out_crew_surfaces_and_sails_on() -> None:
    ears = Ears(from_corner(". . .\n# # #"))
    ears.courses("E E")
    assert ears.hear(Surfaced(A, sector=1)) == "C1"
    assert ears.courses("W W") == "A1"


# Real time


def test_in_real_time_a_course_arms_the_mines() -> None:
    ears = Ears(CORNER, "captain-sonar-2", Mode.REAL_TIME)
    ears.hear(MineLaidHeard(A))
    ears.courses("E")
    ears.hear(MineLaidHeard(A))
    ears.hear(MineTriggered(A, parse("A2")), blown("A2", "mine", A, "indirect"))
    assert ears.mines() == ["C1 C2"]
