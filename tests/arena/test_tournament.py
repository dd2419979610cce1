"""Who meets whom, where and how often: every game follows from its number."""

from collections import Counter

import msgspec
import pytest

from fathom.arena.bars import bars_tournament
from fathom.arena.entrants import BadEntrant, Entrant, read_entrant
from fathom.arena.playing import ArenaJob, read_job
from fathom.arena.soak import Soak, any_setup
from fathom.arena.tournament import Tournament, ladder, pairing_of, round_robin, settings
from fathom.bots.ranks import RANKS
from fathom.rules.setup import BadSetup
from fathom.words import Mode

NAMES = tuple(Entrant(name, "cadet") for name in ("a", "b", "c"))
PLACES = settings(("captain-sonar",), tuple(Mode), ("alpha", "bravo", "charlie"))


def tournament(games: int = 20) -> Tournament:
    return Tournament(NAMES, round_robin(NAMES), PLACES, games, 7)


def test_everyone_or_each_and_the_next() -> None:
    assert round_robin(NAMES) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert ladder(NAMES) == (("b", "a"), ("c", "b"))


def test_a_pairing_by_names_that_have_colons() -> None:
    entrants = [Entrant("x.py:Bot", ""), Entrant("y", "")]
    assert pairing_of("x.py:Bot:y", entrants) == ("x.py:Bot", "y")
    with pytest.raises(ValueError, match="'y:z' is no pairing ONE:OTHER of entrants"):
        pairing_of("y:z", entrants)
    with pytest.raises(ValueError, match="no pairing"):
        pairing_of("y:y", entrants)


def test_games_come_in_pairs_with_sides_swapped_and_the_same_dice() -> None:
    played = tournament()
    assert len(played) == 60
    for number in range(0, len(played), 2):
        one, other = played.game(number), played.game(number + 1)
        assert (one.crews.a, one.crews.b) == (other.crews.b, other.crews.a)
        assert (one.setting, one.seed) == (other.setting, other.seed)


def test_all_pairings_get_the_same_starts_and_different_pairs_different_dice() -> None:
    played = tournament()
    starts: dict[frozenset[str], list[tuple[object, int]]] = {}
    for number in range(len(played)):
        game = played.game(number)
        starts.setdefault(frozenset(game.crews), []).append((game.setting, game.seed))
    first, *others = starts.values()
    assert all(other == first for other in others)
    assert len({seed for _, seed in first}) == 10


def test_the_bars_are_400_games_shared_evenly_over_three_charts_and_both_modes() -> None:
    measured = bars_tournament(400, 1)
    assert len(measured) == 6 * 400
    assert measured.pairings[-1] == ("admiral", "lieutenant")
    assert len(measured.pairings) == len(RANKS)
    where: Counter[tuple[tuple[str, ...], str, Mode]] = Counter()
    for number in range(len(measured)):
        game = measured.game(number)
        where[tuple(sorted(game.crews)), game.setting.scene, game.setting.mode] += 1
    assert len(where) == 36
    assert set(where.values()) == {66, 68}


def test_an_odd_number_of_games_is_made_even() -> None:
    assert len(tournament(games=5)) == 18


def test_only_combinations_that_can_be_played_are() -> None:
    found = settings(("captain-sonar", "sonar"), tuple(Mode), ("alpha", "antarctica", "echo"))
    combinations = {(each.rulebook, each.mode.value, each.scene) for each in found}
    assert ("sonar", "turn-by-turn", "echo") not in combinations
    assert ("captain-sonar", "real-time", "antarctica") not in combinations
    assert len(combinations) == 9


def test_a_chart_by_its_own_name_and_eight_players() -> None:
    (found,) = settings(("captain-sonar",), (Mode.REAL_TIME,), ("bravo-15",), 8, "closed")
    setup = found.prepare()
    assert setup.chart.name == "bravo-15"
    assert [len(plan.seats) for plan in setup.crews] == [4, 4]
    assert setup.house.stations == "closed"


def test_what_can_not_be_played_at_all_says_why() -> None:
    with pytest.raises(BadSetup, match="no scenario or chart called 'atlantis'"):
        settings(("captain-sonar",), tuple(Mode), ("atlantis",))
    with pytest.raises(BadSetup, match="no gauges for it"):
        settings(("sonar",), (Mode.TURN_BY_TURN,), ("echo",))
    with pytest.raises(BadSetup, match="is for 2 to 8"):
        settings(("captain-sonar",), (Mode.TURN_BY_TURN,), ("alpha",), 9)


def test_a_job_is_small_and_is_read_as_it_was_written() -> None:
    job = ArenaJob(tournament(), "somewhere")
    line = msgspec.json.encode(job)
    assert read_job(line) == job
    assert len(line) < 2000
    soak = ArenaJob(Soak(NAMES, 5), "elsewhere")
    assert read_job(msgspec.json.encode(soak)) == soak


# Entrants


def test_an_entrant_is_called_as_it_was_described_or_as_one_likes() -> None:
    assert read_entrant("admiral") == Entrant("admiral", "admiral")
    assert read_entrant("best=admiral") == Entrant("best", "admiral")
    own = read_entrant("python:tests.arena.bots:RecordingCadet")
    assert own == Entrant(
        "tests.arena.bots:RecordingCadet", "python:tests.arena.bots:RecordingCadet"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("adnmiral", "no rank 'adnmiral'; there are cadet, ensign, lieutenant, commander,"),
        ("x=sergeant", "no rank 'sergeant'"),
        ("", "no rank ''"),
        ("python:nowhere", "it is python:MODULE:CALLABLE"),
        ("python:no.such.module:Bot", "no.such.module can't be imported: ModuleNotFoundError"),
        ("python:no_such_file.py:Bot", "no_such_file.py can't be imported: FileNotFoundError"),
        ("python:tests.arena.bots:Nobody", "has nothing called 'Nobody'"),
        ("python:tests.arena.bots:__doc__", "has nothing called '__doc__' that makes a bot"),
        ("program:no-such-program --fast", "there is no program 'no-such-program' that can be run"),
        ("program:", "there is no program ''"),
        ("program:'", "No closing quotation"),
        ("\x1b[2J", "describes nobody"),
    ],
)
def test_nobody_of_that_description(text: str, complaint: str) -> None:
    with pytest.raises(BadEntrant) as refused:
        read_entrant(text)
    assert complaint in str(refused.value)


# The soak


def test_a_soak_has_games_of_every_kind() -> None:
    soak = Soak(NAMES, 400, 1)
    games = [soak.game(number) for number in range(400)]
    assert {game.setting.rulebook for game in games} == {
        "captain-sonar",
        "captain-sonar-ru",
        "captain-sonar-2",
        "sonar",
    }
    assert {game.setting.mode for game in games} == set(Mode)
    assert {game.setting.players for game in games} == set(range(2, 9))
    assert {game.setting.stations for game in games} == {"open", "closed"}
    assert len({game.setting.scene for game in games}) == 24
    assert {name for game in games for name in game.crews} == {"a", "b", "c"}
    setups = [any_setup(soak.dice(number)) for number in range(100)]
    assert len({setup.book for setup in setups}) > 30, "tables have rulings of their own"
    assert {setup.house.trace_judge for setup in setups} == {"program", "enemy-engineer"}


def test_a_game_of_a_soak_follows_from_its_number() -> None:
    soak = Soak(NAMES, 10, 3)
    game = soak.game(4)
    assert soak.game(4) == game
    assert soak.match(game).table.setup == soak.match(game).table.setup
    assert soak.match(game).table.setup.chart.name == game.setting.scene
