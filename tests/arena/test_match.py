"""One game: it ends, by the rules, the same for the same seed; and whoever fails loses it."""

import pytest

from fathom.arena import table
from fathom.arena.entrants import Entrant
from fathom.arena.match import Match
from fathom.engine.apply import apply
from fathom.engine.events import GameEnded, MineTriggered, TurnEnded
from fathom.engine.game import new_game
from fathom.engine.knowledge.view import overhear, view
from fathom.engine.logbook import verify, write
from fathom.engine.orders import RESIGN
from fathom.words import CREW_A, CREW_B, CREWS, ByCrew, Mode, Seat
from tests.arena.bots import RecordingCadet, Talker
from tests.arena.tables import BOOKS, CADET, bot, match, setup

MODES = tuple(Mode)
FAULTS = {
    "FailsToBegin": ("exception", "RuntimeError: no fuel"),
    "FailsToHear": ("exception", "ValueError: what did they say?"),
    "FailsToChoose": ("exception", "KeyError: 'which one'"),
    "FailsToSpeak": ("exception", "ValueError: tongue-tied"),
    "Leaves": ("exception", "SystemExit: 3"),
    "BreaksRules": ("illegal-order", "the rule start.place forbids this order: SetCourse"),
    "TalksNonsense": ("illegal-order", "this is no order: 'full steam ahead'"),
    "WrongType": ("illegal-order", "Invalid enum value 'up'"),
}


@pytest.fixture(autouse=True)
def _no_diaries() -> None:
    RecordingCadet.every.clear()


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> int:
    """Games are called off early."""
    monkeypatch.setattr(table, "MOST_ORDERS", 400)
    return 400


def ends_by_the_rules(book: str, mode: Mode, players: int) -> None:
    played = match(book=book, mode=mode, players=players)
    outcome = played.play()
    assert outcome.ending in {"sunk", "draw", "called-off"}
    assert outcome.fault is None
    game = verify(played.logbook)
    assert game.public.damage == outcome.damage
    if outcome.ending != "called-off":
        assert game.public.result is not None
        assert game.public.result.winner is outcome.winner


@pytest.mark.parametrize("book", BOOKS)
def test_a_game_turn_by_turn_ends_and_was_played_by_the_rules(book: str, short: int) -> None:
    ends_by_the_rules(book, Mode.TURN_BY_TURN, 2)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("book", BOOKS)
def test_every_game_ends_and_was_played_by_the_rules(book: str, mode: Mode, players: int) -> None:
    ends_by_the_rules(book, mode, players)


@pytest.mark.parametrize("mode", MODES)
def test_the_same_seed_gives_the_same_game(mode: Mode, short: int) -> None:
    texts = []
    for seed in (5, 5, 6):
        played = match(seed=seed, mode=mode)
        played.play()
        texts.append(write(played.logbook).replace('seed = "6"', 'seed = "5"'))
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_a_loser_by_forfeit_is_told_apart_from_one_who_was_sunk() -> None:
    for name, (kind, what) in FAULTS.items():
        for crew in CREWS:
            crews = ByCrew(bot(name), CADET) if crew is CREW_A else ByCrew(CADET, bot(name))
            played = Match(setup(), crews, 1)
            outcome = played.play()
            assert outcome.ending == "forfeit", name
            assert outcome.winner is crew.other
            assert outcome.fault is not None
            assert outcome.fault.crew is crew
            assert outcome.fault.kind == kind
            assert what in outcome.fault.what
            assert ("Traceback" in outcome.fault.trace) == (kind == "exception")
            last = played.logbook.events[-1]
            assert last == GameEnded(crew.other, "end.abandon")


def test_a_bot_that_fails_to_heed_its_mate_loses() -> None:
    outcome = match(bot("FailsToHeed"), players=4).play()
    assert outcome.fault is not None
    assert outcome.fault.crew is CREW_A
    assert outcome.fault.what == "ValueError: not listening"


def test_a_fault_of_the_arena_itself_is_no_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(table, "count", fail)
    with pytest.raises(ZeroDivisionError):
        match().play()


def test_who_orders_nothing_in_its_turn_loses() -> None:
    outcome = match(bot("Sleeps")).play()
    assert outcome.fault is not None
    assert (outcome.fault.crew, outcome.fault.kind) == (CREW_A, "no-order")


def test_in_real_time_a_game_in_which_nobody_does_anything_is_called_off() -> None:
    outcome = match(bot("Sleeps"), bot("Sleeps"), mode=Mode.REAL_TIME).play()
    assert (outcome.ending, outcome.winner, outcome.orders) == ("called-off", None, 0)
    assert 300 < outcome.seconds < 320


def test_resigning_loses_by_the_rules() -> None:
    outcome = match(CADET, bot("GivesUp")).play()
    assert (outcome.winner, outcome.ending, outcome.fault) == (CREW_A, "resign", None)


def test_a_game_without_an_end_is_called_off_and_less_damage_wins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table, "MOST_ORDERS", 60)
    ended = []
    for seed in range(30):
        played = match(seed=seed)
        outcome = played.play()
        if outcome.ending == "called-off":
            assert outcome.orders == 60
            a, b = outcome.damage
            assert outcome.winner is (None if a == b else CREW_A if a < b else CREW_B)
            verify(played.logbook)
            ended.append(outcome.winner)
    assert {CREW_A, CREW_B, None} == set(ended)


def test_a_game_between_peaceful_bots_has_an_end(short: int) -> None:
    for mode in MODES:
        both = bot("Peaceful")
        outcome = match(both, both, book="sonar", mode=mode).play()
        assert (outcome.ending, outcome.winner, outcome.orders) == ("called-off", None, short)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("stations", ["open", "closed"])
def test_every_seat_hears_its_share_once_and_in_order(
    mode: Mode, stations: str, short: int
) -> None:
    cadet = bot("RecordingCadet")
    played = match(cadet, cadet, mode=mode, players=8, house={"stations": stations})
    outcome = played.play()
    ground = played.table.game.ground
    assert [cadet.seat for cadet in RecordingCadet.every] == [
        Seat(c, n) for c in CREWS for n in range(4)
    ]
    for each in RecordingCadet.every:
        told = [e for e in played.logbook.events if e != GameEnded(outcome.winner, "end.abandon")]
        shares = (overhear(ground, event, each.seat) for event in told)
        assert each.news == [share for share in shares if share is not None]
        assert all(offered.view.seat == each.seat for offered in each.offers)


def test_a_bot_is_offered_what_its_seat_sees_and_may_do() -> None:
    cadet = bot("RecordingCadet")
    played = match(cadet, CADET)
    played.play()
    game = new_game(played.table.setup)
    seen = {view(game, Seat(CREW_A, 0))}
    for event in played.logbook.events:
        game = apply(game, event)
        seen.add(view(game, Seat(CREW_A, 0)))
    offers = RecordingCadet.every[0].offers
    assert all(offered.view in seen for offered in offers)
    assert all(offered.orders != (RESIGN,) for offered in offers)
    assert len(offers) > 20


def test_phrases_reach_the_mates_and_nobody_else() -> None:
    talker = bot("Talker")
    match(talker, talker, players=4).play()
    talkers = [each for each in RecordingCadet.every if isinstance(each, Talker)]
    assert len(talkers) == 4
    for each in talkers:
        mates = {speaker for speaker, _ in each.told}
        assert mates == {Seat(each.seat.crew, 1 - each.seat.number)}


def test_who_always_talks_stops_nobody_from_playing() -> None:
    outcome = match(bot("Chatterbox"), CADET, players=8).play()
    assert outcome.ending in {"sunk", "draw"}


def test_a_mine_is_set_off_in_the_enemys_turn() -> None:
    entrant = Entrant("Vengeful", "python:tests.arena.bots:Vengeful")
    found = 0
    for seed in range(6):
        played = match(entrant, entrant, seed=seed)
        played.play()
        turn = None
        for event in played.logbook.events:
            if isinstance(event, TurnEnded):
                turn = event.next
            if isinstance(event, MineTriggered) and turn is not None:
                found += event.crew is not turn
    assert found > 0


def test_points_given_as_numbers_are_written_as_points() -> None:
    played = match(bot("PlainNumberCadet"), bot("PlainNumberCadet"))
    assert played.play().fault is None
    verify(played.logbook)


def test_the_tallies_are_those_of_the_logbook(short: int) -> None:
    for mode in MODES:
        for seed in range(2):
            played = match(seed=seed, mode=mode)
            outcome = played.play()
            steps = played.logbook.steps
            for crew in CREWS:
                own = [s for s in steps if isinstance(s.by, Seat) and s.by.crew is crew]
                tally = outcome.tallies[crew]
                names = [
                    event.__class__.__name__
                    for step in steps
                    for event in step.events
                    if getattr(event, "crew", None) is crew
                ]
                assert tally.orders == len(own)
                assert tally.courses == names.count("CourseSet")
                assert tally.surfacings == names.count("Surfaced")
                assert tally.torpedoes == names.count("TorpedoFired")
                assert tally.mines == names.count("MineTriggered")
                assert tally.choosing.count >= tally.orders
                other = outcome.tallies[crew.other]
                taken = tally.self_damage + other.dealt
                assert taken == outcome.damage[crew]
