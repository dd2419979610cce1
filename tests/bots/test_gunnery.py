"""What explosions promise, computed by hand; and nobody is sunk by an own torpedo."""

import pytest
from msgspec.structs import replace

from fathom.bots.gunnery import KILL, LOST, OWN, Gunnery, HullsLeft, surroundings, worth
from fathom.bots.phrases import Probably
from fathom.bots.ranks import RANKS, Rank
from fathom.bots.waters import Waters
from fathom.engine.game import new_game
from fathom.engine.orders import FireTorpedo, TriggerMine
from fathom.points import blast, collect, parse
from fathom.rules.setup import Setup
from fathom.words import TORPEDO, ByCrew, Post
from tests.bots.voyages import Voyage
from tests.stories import OPEN_SEA, A, B, sea, table

OPEN = table(chart=sea(OPEN_SEA))
E5, E6, F7, A1 = (int(parse(name)) for name in ("E5", "E6", "F7", "A1"))
F6 = parse("F6")
TRACKERS = [rank for rank in RANKS if rank.level >= 2]
MINERS = [rank for rank in RANKS if rank.level >= 4]


def gunnery(setup: Setup = OPEN) -> Gunnery:
    return Gunnery(Waters(new_game(setup).ground))


def hull(ours: int = 4, theirs: int = 4, at: int = A1, *, hurts_us: bool = True) -> HullsLeft:
    return HullsLeft(ours, theirs, at, hurts_us)


def test_a_direct_hit_promises_two_and_a_near_one_one() -> None:
    guns = gunnery()
    assert guns.expected(E5, {E5: 1.0}, hull()) == 2
    assert guns.expected(E5, {F6: 1.0}, hull()) == 1
    assert guns.expected(E5, {F7: 1.0}, hull()) == 0


def test_what_is_uncertain_counts_as_likely_as_it_is() -> None:
    # Half a direct hit, a quarter of a near one, and a quarter out of reach.
    weights = {E5: 0.5, E6: 0.25, F7: 0.25}
    assert gunnery().expected(E5, weights, hull()) == pytest.approx(1.25)
    # Between two points a near hit on either is as good.
    assert gunnery().expected(F6, {E5: 0.5, F7: 0.5}, hull()) == pytest.approx(1.0)


def test_sinking_them_is_worth_more_than_the_damage_but_no_more_than_they_have() -> None:
    assert worth(2, 4) == 2
    assert worth(2, 2) == 2 + KILL
    assert worth(2, 1) == worth(1, 1) == 1 + KILL
    assert gunnery().expected(E5, {E5: 1.0}, hull(theirs=2)) == 2 + KILL
    assert gunnery().expected(E5, {F6: 0.5}, hull(theirs=1)) == pytest.approx(0.5 * (1 + KILL))


def test_our_own_damage_is_subtracted() -> None:
    guns = gunnery()
    assert guns.expected(E5, {E5: 1.0}, hull(at=E6)) == 2 - OWN
    assert guns.expected(E5, {}, hull(at=E5)) == -2 * OWN
    assert guns.expected(E5, {E5: 1.0}, hull(at=F7)) == 2
    assert guns.expected(E5, {E5: 1.0}, hull(at=E6, hurts_us=False)) == 2


def test_sinking_ourselves_is_worth_nothing_that_it_brings() -> None:
    guns = gunnery()
    assert guns.expected(E5, {E5: 1.0}, hull(ours=1, theirs=1, at=E6)) == pytest.approx(
        1 + KILL + LOST
    )
    assert guns.expected(E5, {E5: 1.0}, hull(ours=2, at=E5)) < 0
    assert LOST + 4 + KILL < 0


def test_where_near_hits_do_nothing_only_direct_ones_count() -> None:
    sudden = table(
        "captain-sonar-2",
        goal="sudden-death",
        chart=sea(OPEN_SEA),
        rulings={"sudden_death_indirect": False},
    )
    ground = new_game(sudden).ground
    assert ground.near == 0
    guns = gunnery(sudden)
    assert guns.expected(E5, {F6: 1.0}, hull()) == 0
    assert guns.expected(E5, {E5: 1.0}, hull(at=E6)) > 0


def test_the_best_target_is_the_one_that_promises_most() -> None:
    gain, at = gunnery().best([E5, E6, F7], {E6: 0.6, F7: 0.4}, hull())
    # E6: a direct hit at 0.6 and a near one at 0.4.
    assert at == E6
    assert gain == pytest.approx(1.6)
    assert gunnery().best([], {E5: 1.0}, hull()) == (0.0, -1)


@pytest.mark.parametrize("name", ["A1", "E5", "J1", "B1", "C9"])
def test_targets_that_can_hit_anyone_are_all_looked_at(name: str) -> None:
    point = parse(name)
    chart = new_game(OPEN).ground.chart_points
    assert surroundings({point: 1.0}) & chart == blast(1 << point) & chart


# What captains do with it


def aware(voyage: Voyage, *names: str) -> None:
    """The bot knows that they are on one of these points."""
    voyage.listen()
    theirs = voyage.bot.mind.theirs
    theirs.tracker.see(collect(map(parse, names)))
    theirs.weigh()


def armed(rank: Rank, a: str, b: str, setup: Setup = OPEN) -> Voyage:
    voyage = Voyage(setup, Post.CAPTAIN, rank=rank, a=a, b=b)
    voyage.ready(A, TORPEDO)
    voyage.sailed(A)
    aware(voyage, b)
    return voyage


@pytest.mark.parametrize("rank", TRACKERS)
def test_a_torpedo_is_fired_at_those_who_are_surely_there(rank: Rank) -> None:
    assert armed(rank, "C5", "F5").ask() == FireTorpedo(parse("F5"))


@pytest.mark.parametrize("rank", TRACKERS)
def test_nobody_fires_what_would_sink_themselves(rank: Rank) -> None:
    for b in ("E6", "F6", "E5", "E7"):
        voyage = armed(rank, "E5", b)
        voyage.public(damage=ByCrew(3, 3))
        order = voyage.ask()
        near = blast(1 << E5)
        assert not (isinstance(order, FireTorpedo) and near >> order.target & 1), b


@pytest.mark.parametrize("rank", TRACKERS)
def test_a_neighbour_is_hit_from_behind_so_that_we_are_not(rank: Rank) -> None:
    voyage = armed(rank, "E5", "F5")
    voyage.public(damage=ByCrew(3, 3))
    order = voyage.ask()
    assert isinstance(order, FireTorpedo)
    # One damage is enough: they are hit by the blast, and we are two points away from it.
    assert order.target in {parse("G4"), parse("G5"), parse("G6")}


@pytest.mark.parametrize("rank", TRACKERS)
def test_where_own_explosions_do_no_harm_they_are_no_reason_to_wait(rank: Rank) -> None:
    harmless = replace(OPEN, book=replace(OPEN.book, blast_self=False))
    voyage = armed(rank, "E5", "F5", harmless)
    voyage.public(damage=ByCrew(3, 2))
    assert voyage.ask() == FireTorpedo(parse("F5"))


@pytest.mark.parametrize("rank", TRACKERS)
def test_an_ensign_fires_blindly_and_those_above_wait(rank: Rank) -> None:
    blind = Voyage(OPEN, Post.CAPTAIN, rank=Rank.ENSIGN, a="E5", b="J10")
    blind.ready(A, TORPEDO)
    blind.sailed(A)
    shot = blind.ask()
    assert isinstance(shot, FireTorpedo)
    assert not blast(1 << E5) >> shot.target & 1
    waiting = Voyage(OPEN, Post.CAPTAIN, rank=rank, a="E5", b="J10")
    waiting.ready(A, TORPEDO)
    waiting.sailed(A)
    assert not isinstance(waiting.ask(), FireTorpedo)


@pytest.mark.parametrize("rank", MINERS)
def test_a_mine_is_set_off_when_they_are_surely_on_it(rank: Rank) -> None:
    voyage = Voyage(OPEN, Post.CAPTAIN, rank=rank, a="A1", b="F6")
    voyage.mine(A, "F6", "C9")
    aware(voyage, "F6")
    assert voyage.ask() == TriggerMine(F6)


@pytest.mark.parametrize("rank", MINERS)
def test_a_mine_is_set_off_in_the_enemys_turn_too(rank: Rank) -> None:
    voyage = Voyage(OPEN, Post.CAPTAIN, rank=rank, a="A1", b="F6")
    voyage.mine(A, "F6")
    voyage.sailed(B)
    aware(voyage, "F6")
    assert voyage.ask() == TriggerMine(F6)


@pytest.mark.parametrize("rank", MINERS)
def test_a_mine_is_left_alone_that_would_sink_ourselves_or_hit_nobody(rank: Rank) -> None:
    voyage = Voyage(OPEN, Post.CAPTAIN, rank=rank, a="E6", b="F6")
    voyage.mine(A, "F6")
    voyage.public(damage=ByCrew(3, 0))
    aware(voyage, "F6")
    assert not isinstance(voyage.ask(), TriggerMine)
    far = Voyage(OPEN, Post.CAPTAIN, rank=rank, a="A1", b="F6")
    far.mine(A, "C9")
    aware(far, "F6")
    assert not isinstance(far.ask(), TriggerMine)


@pytest.mark.parametrize("rank", [rank for rank in RANKS if 1 <= rank.level < 4])
def test_those_below_a_commodore_leave_mines_alone(rank: Rank) -> None:
    voyage = Voyage(OPEN, Post.CAPTAIN, rank=rank, a="A1", b="F6")
    voyage.mine(A, "F6")
    if rank in TRACKERS:
        aware(voyage, "F6")
    assert not isinstance(voyage.ask(), TriggerMine)


def test_a_report_of_another_seat_is_enough_to_set_off_a_mine() -> None:
    crews = table(players=4, chart=sea(OPEN_SEA))
    voyage = Voyage(crews, Post.CAPTAIN, rank=Rank.COMMODORE, a="A1", b="F6")
    voyage.mine(A, "F6")
    assert not isinstance(voyage.ask(), TriggerMine)
    voyage.say(Post.RADIO_OPERATOR, Probably((F6,), 95))
    assert voyage.ask() == TriggerMine(F6)
