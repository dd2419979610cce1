"""Explosions: direct and indirect hits, one's own weapons, mines destroyed or set off."""

from collections.abc import Iterable
from typing import Any

import pytest

from fathom.engine.events import (
    AnyEvent,
    Exploded,
    GameEnded,
    Hit,
    MineDestroyed,
    MineTriggered,
    OldMineDestroyed,
    TorpedoFired,
    VolcanoStirred,
)
from fathom.engine.orders import DetonateOldMine, FireTorpedo, LayMine, TriggerMine
from fathom.points import collect, parse
from fathom.rules.chart import Chart
from fathom.words import ByCrew, Crew, Mode, Post, System
from tests.stories import ALL_BOOKS, CAPTAIN_BOOKS, MODES, OPEN_SEA, A, B, Story, sea, table

WIDE_SEA = "\n".join(["." * 15] * 15)
AROUND_E5 = "D4 E4 F4 D5 F5 D6 E6 F6".split()


def duel(
    book: str = "captain-sonar",
    mode: Mode = Mode.TURN_BY_TURN,
    *,
    a: str = "A5",
    b: str = "J10",
    chart: Chart | None = None,
    **choices: Any,
) -> Story:
    """A has sailed, made its marks and has a torpedo ready."""
    story = Story(table(book, mode, chart=chart or sea(OPEN_SEA), **choices), a, b)
    story.sailed(A)
    story.ready(A, System.TORPEDO)
    return story


def fire(story: Story, at: str) -> list[AnyEvent]:
    """A's torpedo on a point."""
    return story.order(A, FireTorpedo(parse(at)))


def trigger(story: Story, at: str) -> list[AnyEvent]:
    """A's mine on a point goes off."""
    story.mine(A, at)
    return story.order(A, TriggerMine(parse(at)))


def explosions(events: Iterable[AnyEvent]) -> list[Exploded]:
    return [event for event in events if isinstance(event, Exploded)]


def hits(events: Iterable[AnyEvent]) -> list[tuple[Hit, Hit]]:
    """What each explosion did to A and to B."""
    return [(event.hits.a, event.hits.b) for event in explosions(events)]


def points(events: Iterable[AnyEvent]) -> list[str]:
    """Where it exploded, in order."""
    return [repr(event.at) for event in explosions(events)]


def mines(story: Story, crew: Crew) -> int:
    return story.boat(crew).helm.mines


# Direct hit


@pytest.mark.rule("blast.direct", *ALL_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("book", "damage"),
    [("captain-sonar", 2), ("captain-sonar-ru", 2), ("captain-sonar-2", 2), ("sonar", 1)],
)
def test_a_torpedo_on_the_enemys_point_is_a_direct_hit(book: str, damage: int, mode: Mode) -> None:
    story = duel(book, mode, a="B2", b="D4")
    events = fire(story, "D4")
    told = Exploded(
        parse("D4"), "torpedo", A, hits=ByCrew("miss", "direct"), damage=ByCrew(0, damage)
    )
    assert events[:2] == [TorpedoFired(A, parse("D4")), told]
    assert story.game.public.damage == ByCrew(0, damage)


@pytest.mark.rule("blast.direct", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_mine_under_the_enemy_is_a_direct_hit_like_a_torpedo(book: str) -> None:
    story = duel(book, b="E5")
    assert trigger(story, "E5") == [
        MineTriggered(A, parse("E5")),
        Exploded(parse("E5"), "mine", A, ByCrew("miss", "direct"), ByCrew(0, 2)),
    ]
    assert story.game.public.damage == ByCrew(0, 2)


@pytest.mark.rule("blast.direct", *ALL_BOOKS)
@pytest.mark.parametrize("book", ALL_BOOKS)
def test_the_program_announces_the_hit_to_both_crews(book: str) -> None:
    story = duel(book, a="B2", b="D4")
    told = explosions(fire(story, "D4"))
    assert story.heard_by(A, told) == story.heard_by(B, told) == told
    assert told[0].hits == ByCrew("miss", "direct")


@pytest.mark.rule("blast.direct", "captain-sonar")
def test_a_table_may_rule_how_much_a_direct_hit_does() -> None:
    story = duel(b="C5", rulings={"blast_direct": 3})
    fire(story, "C5")
    assert story.game.public.damage == ByCrew(0, 3)


# Indirect hit


@pytest.mark.rule("blast.near", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_torpedo_next_to_the_enemy_is_an_indirect_hit(book: str, mode: Mode) -> None:
    story = duel(book, mode, b="D6")
    events = fire(story, "C5")
    assert hits(events) == [("miss", "indirect")]
    assert story.game.public.damage == ByCrew(0, 1)
    assert story.heard_by(B, explosions(events)) == explosions(events)


@pytest.mark.rule("blast.near", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("at", AROUND_E5)
def test_all_eight_points_around_are_near(book: str, at: str) -> None:
    story = duel(book, b="E5")
    assert hits(trigger(story, at)) == [("miss", "indirect")]
    assert story.game.public.damage == ByCrew(0, 1)


@pytest.mark.rule("blast.near", "sonar")
@pytest.mark.parametrize("at", ["C3", "D3", "E3", "C4", "E4", "C5", "D5", "E5"])
def test_in_the_family_game_next_to_the_point_is_a_miss(at: str) -> None:
    story = duel("sonar", a="A1", b="D4")
    assert hits(fire(story, at)) == [("miss", "miss")]
    assert story.game.public.damage == ByCrew(0, 0)


@pytest.mark.rule("blast.near", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_an_island_is_no_shelter(book: str) -> None:
    chart = sea("""
        . . . . .
        . . # . .
        . # . . .
        . . . . .
        . . . . .
    """)
    story = duel(book, a="E5", b="B2", chart=chart)
    assert hits(fire(story, "C3")) == [("miss", "indirect")]


@pytest.mark.rule("blast.near", "captain-sonar")
@pytest.mark.parametrize(("b", "at"), [("O5", "A6"), ("O5", "A5"), ("A6", "O5"), ("A6", "O6")])
def test_the_edges_of_the_chart_do_not_touch(b: str, at: str) -> None:
    story = duel(a="H12", b=b, chart=sea(WIDE_SEA))
    assert hits(trigger(story, at)) == [("miss", "miss")]


@pytest.mark.rule("blast.near", "captain-sonar")
@pytest.mark.parametrize(("damage", "hit"), [(0, "miss"), (2, "indirect")])
def test_a_table_may_rule_how_much_an_indirect_hit_does(damage: int, hit: Hit) -> None:
    story = duel(b="D6", rulings={"blast_near": damage})
    assert hits(fire(story, "C5")) == [("miss", hit)]
    assert story.game.public.damage == ByCrew(0, damage)


# Miss


@pytest.mark.rule("blast.miss", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("b", ["E5", "E3", "C7", "C3", "J10"])
def test_two_points_away_is_a_miss(book: str, b: str, mode: Mode) -> None:
    story = duel(book, mode, b=b)
    events = fire(story, "C5")
    assert explosions(events) == [
        Exploded(parse("C5"), "torpedo", A, ByCrew("miss", "miss"), ByCrew(0, 0))
    ]
    assert story.heard_by(B, explosions(events)) == explosions(events)
    assert story.game.public.damage == ByCrew(0, 0)


@pytest.mark.rule("blast.miss", "sonar")
def test_in_the_family_game_only_the_exact_point_counts() -> None:
    story = duel("sonar", a="A1", b="D4")
    assert hits(fire(story, "C4")) == [("miss", "miss")]
    story.ready(A, System.TORPEDO)
    story.sailed(A)
    assert hits(fire(story, "D4")) == [("miss", "direct")]


# One's own weapon


@pytest.mark.rule("blast.self", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("at", "hit", "damage"), [("A5", "direct", 2), ("B4", "indirect", 1), ("C5", "miss", 0)]
)
def test_ones_own_torpedo_hurts_like_the_enemys(
    book: str, mode: Mode, at: str, hit: Hit, damage: int
) -> None:
    story = duel(book, mode)
    assert hits(fire(story, at)) == [(hit, "miss")]
    assert story.game.public.damage == ByCrew(damage, 0)


@pytest.mark.rule("blast.self", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_ones_own_mine_hurts_too(book: str) -> None:
    story = duel(book)
    assert hits(trigger(story, "B6")) == [("indirect", "miss")]
    assert story.game.public.damage == ByCrew(1, 0)


@pytest.mark.rule("blast.self", "sonar")
@pytest.mark.parametrize(("at", "hit", "damage"), [("B2", "direct", 1), ("B3", "miss", 0)])
def test_in_the_family_game_only_a_torpedo_on_ones_own_point_hurts(
    at: str, hit: Hit, damage: int
) -> None:
    story = duel("sonar", a="B2")
    assert hits(fire(story, at)) == [(hit, "miss")]
    assert story.game.public.damage == ByCrew(damage, 0)


@pytest.mark.rule("blast.self", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_one_explosion_may_hit_both(book: str) -> None:
    story = duel(book, b="C6")
    assert hits(fire(story, "B5")) == [("indirect", "indirect")]
    assert story.game.public.damage == ByCrew(1, 1)


@pytest.mark.rule("blast.self", "captain-sonar")
def test_the_enemy_hears_of_an_own_hit() -> None:
    story = duel()
    told = explosions(fire(story, "B5"))
    assert story.heard_by(B, told) == told
    assert told[0].damage == ByCrew(1, 0)


@pytest.mark.rule("blast.self", "captain-sonar")
def test_a_table_may_spare_the_firer() -> None:
    story = duel(b="C6", rulings={"blast_self": False})
    assert hits(fire(story, "B5")) == [("miss", "indirect")]
    story.ready(A, System.TORPEDO)
    story.sailed(A)
    assert hits(fire(story, "A5")) == [("miss", "miss")]
    assert story.game.public.damage == ByCrew(0, 1)


# Mines on the point of an explosion


@pytest.mark.rule("blast.mine-destroyed", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
@pytest.mark.parametrize("owner", [A, B])
def test_a_torpedo_destroys_the_mine_on_its_point(book: str, mode: Mode, owner: Crew) -> None:
    story = duel(book, mode, b="E5")
    story.mine(owner, "C5", "H8")
    events = fire(story, "C5")
    assert points(events) == ["C5"]
    assert hits(events) == [("miss", "miss")]
    assert MineDestroyed(owner, parse("C5")) in events
    assert mines(story, owner) == collect([parse("H8")])


@pytest.mark.rule("blast.mine-destroyed", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_both_crews_mines_on_the_point_are_destroyed(book: str) -> None:
    story = duel(book)
    story.mine(A, "C5")
    story.mine(B, "C5")
    events = fire(story, "C5")
    destroyed = [event for event in events if isinstance(event, MineDestroyed)]
    assert destroyed == [MineDestroyed(A, parse("C5")), MineDestroyed(B, parse("C5"))]
    assert mines(story, A) == mines(story, B) == 0


@pytest.mark.rule("blast.mine-destroyed", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_a_triggered_mine_destroys_the_enemys_mine_on_its_point(book: str) -> None:
    story = duel(book)
    story.mine(B, "E5")
    events = trigger(story, "E5")
    assert events[0] == MineTriggered(A, parse("E5"))
    assert points(events) == ["E5"]
    assert events[-1] == MineDestroyed(B, parse("E5"))
    assert mines(story, A) == mines(story, B) == 0


@pytest.mark.rule("blast.mine-destroyed", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_only_the_owner_is_told(book: str) -> None:
    story = duel(book)
    story.mine(B, "C5")
    events = fire(story, "C5")
    lost = MineDestroyed(B, parse("C5"))
    assert lost in story.heard_by(B, events, Post.CAPTAIN)
    assert lost not in story.heard_by(A, events, Post.CAPTAIN)


@pytest.mark.rule("blast.mine-destroyed", "captain-sonar-2")
def test_a_mine_that_is_not_armed_yet_is_destroyed_too() -> None:
    story = duel("captain-sonar-2")
    story.ready(A, System.MINE)
    story.order(A, LayMine(parse("B5")))
    assert story.boat(A).helm.unarmed == collect([parse("B5")])
    story.sailed(A)
    assert MineDestroyed(A, parse("B5")) in fire(story, "B5")
    assert story.boat(A).helm.unarmed == mines(story, A) == 0


@pytest.mark.rule("blast.mine-destroyed", *CAPTAIN_BOOKS)
@pytest.mark.parametrize("book", CAPTAIN_BOOKS)
def test_everyone_is_told_of_an_old_mines_end(book: str) -> None:
    chart = sea(OPEN_SEA.replace(".", "m", 1), special="old-mines")
    story = duel(book, a="A4", chart=chart)
    events = fire(story, "A1")
    lost = OldMineDestroyed(parse("A1"))
    assert points(events) == ["A1"]
    assert lost in story.heard_by(A, events)
    assert lost in story.heard_by(B, events)
    assert story.game.public.old_mines == 0


@pytest.mark.rule("blast.mine-destroyed", "captain-sonar")
def test_a_mine_next_to_the_point_stays() -> None:
    story = duel()
    story.mine(B, "D5", "C4")
    events = fire(story, "C5")
    assert not any(isinstance(event, MineDestroyed) for event in events)
    assert mines(story, B) == collect([parse("D5"), parse("C4")])


# Chain reaction


@pytest.mark.rule("blast.chain", "captain-sonar-2")
@pytest.mark.parametrize("mode", MODES)
def test_mines_go_off_in_waves(mode: Mode) -> None:
    story = duel("captain-sonar-2", mode)
    story.mine(B, "D4", "F3", "H8")
    story.mine(A, "E4")
    events = explosions(fire(story, "C5"))
    assert [(repr(event.at), event.source, event.owner) for event in events] == [
        ("C5", "torpedo", A),
        ("D4", "mine", B),
        ("E4", "mine", A),
        ("F3", "mine", B),
    ]
    assert mines(story, A) == 0
    assert mines(story, B) == collect([parse("H8")])


@pytest.mark.rule("blast.chain", "captain-sonar", "captain-sonar-ru")
@pytest.mark.parametrize("book", ["captain-sonar", "captain-sonar-ru"])
def test_in_the_first_edition_nothing_else_goes_off(book: str) -> None:
    story = duel(book)
    story.mine(B, "D4")
    story.mine(A, "C4")
    assert points(fire(story, "C5")) == ["C5"]
    assert mines(story, A) == collect([parse("C4")])
    assert mines(story, B) == collect([parse("D4")])


@pytest.mark.rule("blast.chain", "sonar")
def test_in_the_family_game_there_is_nothing_to_set_off() -> None:
    story = duel("sonar", a="A1")
    assert story.refusal(A, LayMine(parse("B2"))) == "system.disabled"
    assert points(fire(story, "C3")) == ["C3"]


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_a_triggered_mine_begins_a_chain() -> None:
    story = duel("captain-sonar-2")
    story.mine(B, "F6")
    story.mine(A, "G7")
    assert points(trigger(story, "E5")) == ["E5", "F6", "G7"]
    assert mines(story, A) == mines(story, B) == 0


@pytest.mark.rule("blast.chain", "captain-sonar-2")
@pytest.mark.parametrize("at", AROUND_E5)
def test_all_eight_points_around_an_explosion_count(at: str) -> None:
    story = duel("captain-sonar-2", a="E8")
    story.mine(B, at)
    assert points(trigger(story, "E5")) == ["E5", at]


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_each_mine_explodes_once() -> None:
    story = duel("captain-sonar-2")
    story.mine(B, "D4", "D5", "D6", "E5")
    events = fire(story, "C5")
    assert sorted(points(events)) == ["C5", "D4", "D5", "D6", "E5"]
    assert points(events)[0] == "C5"
    assert points(events)[-1] == "E5"


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_mines_of_both_crews_on_one_point_both_explode() -> None:
    story = duel("captain-sonar-2", b="E3")
    story.mine(A, "D4")
    story.mine(B, "D4")
    events = explosions(fire(story, "C5"))
    assert [(repr(event.at), event.owner) for event in events[1:]] == [("D4", A), ("D4", B)]
    assert story.game.public.damage == ByCrew(0, 2)
    assert mines(story, A) == mines(story, B) == 0


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_a_mine_on_the_point_itself_does_not_explode() -> None:
    story = duel("captain-sonar-2")
    story.mine(B, "C5")
    events = fire(story, "C5")
    assert points(events) == ["C5"]
    assert MineDestroyed(B, parse("C5")) in events


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_a_mine_that_is_not_armed_yet_is_set_off_too() -> None:
    story = duel("captain-sonar-2")
    story.ready(A, System.MINE)
    story.order(A, LayMine(parse("B5")))
    story.sailed(A)
    assert points(fire(story, "C4")) == ["C4", "B5"]
    assert story.boat(A).helm.unarmed == mines(story, A) == 0


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_explosions_of_one_wave_add_up() -> None:
    story = duel("captain-sonar-2", b="E5")
    story.mine(A, "D4", "D6")
    events = fire(story, "C5")
    assert hits(events) == [("miss", "miss"), ("miss", "indirect"), ("miss", "indirect")]
    assert story.game.public.damage == ByCrew(0, 2)


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_the_torpedos_damage_comes_before_that_of_the_mine() -> None:
    story = duel("captain-sonar-2", b="D5")
    story.mine(B, "D4")
    events = explosions(fire(story, "C5"))
    assert [(event.source, event.damage.b) for event in events] == [("torpedo", 1), ("mine", 1)]


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_a_wave_is_settled_whole_though_its_first_explosion_sinks() -> None:
    story = duel("captain-sonar-2", b="E5")
    story.public(damage=ByCrew(0, 3))
    story.mine(A, "D4", "D6")
    story.mine(B, "D7")
    events = fire(story, "C5")
    assert points(events) == ["C5", "D4", "D6"]
    assert events[-1] == GameEnded(A, "end.sunk")
    assert story.game.public.damage == ByCrew(0, 5)
    assert mines(story, B) == collect([parse("D7")])


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_after_the_wave_that_sinks_nothing_more_goes_off() -> None:
    story = duel("captain-sonar-2", b="D6")
    story.public(damage=ByCrew(3, 3))
    story.mine(B, "B4")
    events = fire(story, "C5")
    assert points(events) == ["C5"]
    assert events[-1] == GameEnded(A, "end.sunk")
    assert story.game.public.damage == ByCrew(3, 4)
    assert mines(story, B) == collect([parse("B4")])


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_everyone_hears_where_it_exploded_and_whose_mine_it_was() -> None:
    story = duel("captain-sonar-2")
    story.mine(B, "D4")
    told = explosions(fire(story, "C5"))
    assert told[1] == Exploded(parse("D4"), "mine", B, ByCrew("miss", "miss"), ByCrew(0, 0))
    assert story.heard_by(A, told) == story.heard_by(B, told) == told


@pytest.mark.rule("blast.chain", "captain-sonar-2")
def test_old_mines_join_in() -> None:
    picture = """
        . . . . .
        . m m . .
        . . . . .
        . . . . .
        . . . . m
    """
    story = duel("captain-sonar-2", a="A5", b="E2", chart=sea(picture, special="old-mines"))
    story.mine(B, "D2")
    events = explosions(fire(story, "A3"))
    assert [(repr(event.at), event.source, event.owner) for event in events] == [
        ("A3", "torpedo", A),
        ("B2", "old-mine", None),
        ("C2", "old-mine", None),
        ("D2", "mine", B),
    ]
    assert story.game.public.old_mines == collect([parse("E5")])
    assert story.game.public.damage == ByCrew(0, 1)


@pytest.mark.rule("blast.chain", *CAPTAIN_BOOKS)
@pytest.mark.parametrize(
    ("book", "exploded"),
    [
        ("captain-sonar", ["C3"]),
        ("captain-sonar-ru", ["C3"]),
        ("captain-sonar-2", ["C3", "C4", "C5"]),
    ],
)
def test_a_detonated_old_mine_sets_mines_off_where_chains_happen(
    book: str, exploded: list[str]
) -> None:
    chart = sea(
        """
        . . . . . . .
        . . . . . . .
        . . m . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """,
        special="old-mines",
    )
    story = duel(book, a="G1", b="G7", chart=chart)
    story.mine(A, "C4")
    story.mine(B, "C5")
    story.ready(A, System.SCENARIO)
    assert points(story.order(A, DetonateOldMine(parse("C3")))) == exploded


@pytest.mark.rule("blast.chain", "captain-sonar", "captain-sonar-2")
@pytest.mark.parametrize(
    ("book", "exploded"),
    [("captain-sonar", ["B3", "I9"]), ("captain-sonar-2", ["B3", "I9", "C4", "D5"])],
)
def test_an_eruption_sets_mines_off_where_chains_happen(book: str, exploded: list[str]) -> None:
    chart = sea(
        """
        . . . . . . . . . .
        . r r . . . . . . .
        . V . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . . .
        . . . . . . . . r .
        . . . . . . . . V .
        . . . . . . . . . .
        """,
        special="volcanoes",
    )
    story = duel(book, a="J1", b="A10", chart=chart)
    story.public(volcano_marks=ByCrew(2, 0))
    story.mine(B, "C4")
    story.mine(A, "D5")
    events = fire(story, "H1")
    assert VolcanoStirred(A, 1) in events
    assert points(events) == ["H1", *exploded]


@pytest.mark.rule("blast.chain", "captain-sonar", "captain-sonar-2")
@pytest.mark.parametrize(("book", "chain"), [("captain-sonar", True), ("captain-sonar-2", False)])
def test_a_table_may_rule_on_chains(book: str, chain: bool) -> None:
    story = duel(book, rulings={"blast_chain": chain})
    story.mine(B, "D4")
    assert points(fire(story, "C5")) == (["C5", "D4"] if chain else ["C5"])
