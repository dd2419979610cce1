"""The same seed and the same news, the same orders: also for a bot that begins anew."""

from functools import cache
from random import Random

import pytest

from fathom.bots.ranks import RANKS, Rank
from fathom.engine import orders as give
from fathom.words import Mode
from tests.bots.diaries import Diary, DiaryEntry, again, recorded
from tests.stories import MODES, table

USUAL = ("captain-sonar", Mode.TURN_BY_TURN)
COSTLY = (Rank.COMMANDER, Rank.COMMODORE, Rank.ADMIRAL)
PLANNED = (give.CrossOut,)
"""Orders that may follow a plan which was made with the course just before."""


def moments(diaries: list[Diary], each: int) -> list[tuple[Diary, DiaryEntry]]:
    """Some decisions of a game, anywhere in it; as many for each kind of order, and of waiting."""
    kinds: dict[type, list[tuple[Diary, DiaryEntry]]] = {}
    for diary in diaries:
        for entry in diary.entries:
            if not isinstance(entry.order, PLANNED):
                kinds.setdefault(type(entry.order), []).append((diary, entry))
    dice = Random(1)
    return [m for found in kinds.values() for m in dice.sample(found, min(each, len(found)))]


@cache
def played(rank: Rank, book: str, mode: Mode) -> list[Diary]:
    """The diaries of one game, played once for all tests."""
    return recorded(table(book, mode), rank, 3)


def check_restart(rank: Rank, book: str, mode: Mode, each: int) -> None:
    diaries = played(rank, book, mode)
    chosen = moments(diaries, each)
    kinds = {type(entry.order) for _, entry in chosen}
    assert len(kinds) >= 3, kinds
    for diary, entry in chosen:
        assert again(diary, entry, rank, diary.seed) == entry.order


@pytest.mark.parametrize(
    "rank", [pytest.param(rank, marks=pytest.mark.slow if rank in COSTLY else ()) for rank in RANKS]
)
def test_a_bot_that_is_told_everything_again_goes_on_where_it_was(rank: Rank) -> None:
    check_restart(rank, *USUAL, 3)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", ["captain-sonar-2", "sonar"])
def test_an_admiral_goes_on_where_it_was_in_other_rulebooks(book: str, mode: Mode) -> None:
    check_restart(Rank.ADMIRAL, book, mode, 4)


def test_bots_of_other_seeds_do_otherwise_somewhere() -> None:
    for rank in (Rank.CADET, Rank.ENSIGN, Rank.LIEUTENANT):
        diaries = played(rank, *USUAL)
        chosen = [(diary, diary.entries[0]) for diary in diaries] + moments(diaries, 1)
        others = [
            again(diary, entry, rank, diary.seed + other)
            for diary, entry in chosen
            for other in (1, 2)
        ]
        own = [entry.order for _, entry in chosen for _ in (1, 2)]
        assert others != own, rank


def orders_of(rank: Rank, seed: int) -> list[object]:
    return [entry.order for diary in recorded(table(), rank, seed) for entry in diary.entries]


def test_the_same_seed_plays_the_same_game_whatever_was_played_before() -> None:
    first, other, second = (orders_of(Rank.LIEUTENANT, seed) for seed in (4, 5, 4))
    assert first == second
    assert first != other
