"""How games are timed: a game in which somebody thought for too long is played again."""

import pytest

from fathom.arena import playing, thinking
from fathom.arena.bars import bars_tournament
from fathom.arena.match import Match, MatchOutcome
from fathom.arena.playing import PLAYS, timed, timed_again
from fathom.arena.tournament import TournamentGame
from fathom.words import CREW_A, CREW_B

BARS = bars_tournament(12, 5)


def game_of(*names: str) -> TournamentGame:
    """The first game between these two."""
    games = (BARS.game(number) for number in range(len(BARS)))
    return next(game for game in games if set(game.crews) == set(names))


def test_a_game_with_short_thoughts_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("ensign", "cadet")
    monkeypatch.setitem(thinking.LIMITS, "commander", 0.0)
    match = BARS.match(game)
    first = timed(match)
    assert timed_again(BARS, game, match, first) == first
    assert first.plays == 1


def test_the_same_game_is_played_again_and_its_shortest_time_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = game_of("commander", "lieutenant")
    monkeypatch.setitem(thinking.LIMITS, "commander", 1e-9)
    plays: list[MatchOutcome] = []

    def kept(match: Match) -> MatchOutcome:
        plays.append(timed(match))
        return plays[-1]

    monkeypatch.setattr(playing, "timed", kept)
    match = BARS.match(game)
    first = kept(match)
    chosen = timed_again(BARS, game, match, first)
    assert chosen.plays == len(plays) == PLAYS
    assert {(play.winner, play.orders, play.damage, play.ending) for play in plays} == {
        (first.winner, first.orders, first.damage, first.ending)
    }
    crew = CREW_A if game.crews.a == "commander" else CREW_B
    times = [play.tallies[crew].choosing.longest for play in plays]
    assert chosen.tallies[crew].choosing.longest == min(times)
