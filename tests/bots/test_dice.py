"""No two bots roll the same dice, and equal courses are chosen by lot."""

from collections import Counter
from itertools import product
from random import Random

import pytest

from fathom.arena.entrants import Entrant
from fathom.arena.match import Match
from fathom.bots.dice import derive_seed
from fathom.bots.ranks import Rank
from fathom.bots.roster import enlist
from fathom.engine import orders as give
from fathom.engine.events import CourseSet, Placed
from fathom.engine.game import new_game
from fathom.engine.offer import offer
from fathom.words import CREWS, ByCrew, Crew, Seat
from tests.stories import table

SECRETS = [f"{Random(number).getrandbits(256):064x}" for number in range(300)]
SEA = table()


def test_every_purpose_has_a_seed_of_its_own_and_always_the_same() -> None:
    purposes = list(product(("game-one", "game-two"), "ab", range(4), Rank, ("orders", "pace")))
    seeds = [derive_seed(SECRETS[0], g, c, n, r.value, p) for g, c, n, r, p in purposes]
    assert len(set(seeds)) == len(seeds)
    assert seeds == [derive_seed(SECRETS[0], g, c, n, r.value, p) for g, c, n, r, p in purposes]
    assert derive_seed(SECRETS[1], "game-one", "a") != derive_seed(SECRETS[0], "game-one", "a")
    # What is told apart is told apart, however it is written side by side.
    assert derive_seed(SECRETS[0], "a", "bc") != derive_seed(SECRETS[0], "ab", "c")
    assert min(seed.bit_length() for seed in seeds) > 100


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="too short"):
        derive_seed("", "game", "a")


def start_of(secret: str, crew: Crew, game: str = "game-one") -> int:
    """Where a bot captain of a table begins."""
    start, seat = new_game(SEA), Seat(crew, 0)
    seed = derive_seed(secret, game, crew.value, 0, Rank.ENSIGN.value, "orders")
    placed = enlist(Rank.ENSIGN, start.ground, seat, seed).choose(offer(start, seat))
    assert isinstance(placed, give.Place)
    return placed.at


def test_both_captains_begin_on_the_same_point_as_seldom_as_chance_has_it() -> None:
    pairs = [(start_of(secret, Crew.A), start_of(secret, Crew.B)) for secret in SECRETS]
    points = {point for pair in pairs for point in pair}
    assert len(points) > 60
    # 300 tables and 77 points: four are to be expected.
    assert sum(a == b for a, b in pairs) <= 10


def test_another_game_at_the_same_table_begins_elsewhere() -> None:
    pairs = [(start_of(s, Crew.A), start_of(s, Crew.A, "game-two")) for s in SECRETS[:100]]
    assert sum(one == two for one, two in pairs) <= 6


def opening(seed: int) -> dict[Crew, str]:
    """The first three courses of both ensigns of a game."""
    match = Match(SEA, ByCrew(*(Entrant("ensign", "ensign") for _ in CREWS)), seed)
    match.play()
    sailed = [e for step in match.logbook.steps for e in step.events if isinstance(e, CourseSet)]
    return {crew: "".join(e.heading.value for e in sailed if e.crew is crew)[:3] for crew in CREWS}


def test_ensigns_open_in_every_direction() -> None:
    openings = [opening(seed) for seed in range(40)]
    both = Counter(courses for game in openings for courses in game.values())
    first = Counter(courses[0] for courses in both.elements())
    assert min(first[heading] for heading in "NSEW") >= 10, first
    assert max(both.values()) <= 20, both
    same = sum(game[Crew.A] == game[Crew.B] for game in openings)
    assert same <= 14, openings


def test_the_crews_of_an_arena_game_share_no_dice() -> None:
    starts = []
    for seed in range(60):
        match = Match(SEA, ByCrew(*(Entrant("cadet", "cadet") for _ in CREWS)), seed)
        match.play()
        events = [e for step in match.logbook.steps for e in step.events]
        placed = {e.crew: e.at for e in events if isinstance(e, Placed)}
        starts.append((placed[Crew.A], placed[Crew.B]))
    assert sum(a == b for a, b in starts) <= 4
