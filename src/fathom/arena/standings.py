"""What came of a tournament: everyone's standing, and who scored how much against whom."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from fathom.arena.match import MatchOutcome
from fathom.arena.ratings import Rating, rate
from fathom.arena.tally import Tally, sum_up
from fathom.arena.tournament import Played, TournamentGame
from fathom.rules.setup import USUAL_RULEBOOK
from fathom.words import CREWS, Crew


class Score(Struct):
    """Wins, draws and losses."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """Of the points that could be won."""
        return self.points / self.games if self.games else 0.0

    def add(self, winner: Crew | None, crew: Crew) -> None:
        """One more game of this crew."""
        if winner is None:
            self.draws += 1
        elif winner is crew:
            self.wins += 1
        else:
            self.losses += 1


class Standing(Struct, frozen=True):
    """One entrant's tournament."""

    rating: Rating
    score: Score
    called_off: int
    forfeits: int
    tally: Tally


def finished(played: Iterable[Played]) -> list[tuple[TournamentGame, MatchOutcome]]:
    """The games that have an outcome."""
    return [(each.game, each.outcome) for each in played if each.outcome is not None]


def standings(names: Sequence[str], played: Iterable[Played]) -> list[Standing]:
    """Everyone's, the strongest first."""
    games = finished(played)
    sums = {name: EntrantTotals() for name in names}
    for game, outcome in games:
        for crew in CREWS:
            sums[game.crews[crew]].add(outcome, crew)
    scores = {(one, other): points for one, other, points in met(cross(games))}
    ratings = rate(names, scores)
    found = [sums[rating.name].standing(rating) for rating in ratings]
    return sorted(found, key=lambda standing: -standing.rating.elo)


class EntrantTotals:
    """What one entrant did, game after game."""

    def __init__(self) -> None:
        self.score = Score()
        self.called_off = self.forfeits = 0
        self.tallies: list[Tally] = []

    def add(self, outcome: MatchOutcome, crew: Crew) -> None:
        self.score.add(outcome.winner, crew)
        self.called_off += outcome.ending == "called-off"
        self.forfeits += outcome.fault is not None and outcome.fault.crew is crew
        self.tallies.append(outcome.tallies[crew])

    def standing(self, rating: Rating) -> Standing:
        total = sum_up(self.tallies)
        return Standing(rating, self.score, self.called_off, self.forfeits, total)


Cross = dict[tuple[str, str], Score]


def cross(games: Iterable[tuple[TournamentGame, MatchOutcome]]) -> Cross:
    """For everyone against everyone they met, what they scored."""
    found: Cross = defaultdict(Score)
    for game, outcome in games:
        for crew in CREWS:
            pair = game.crews[crew], game.crews[crew.other]
            found[pair].add(outcome.winner, crew)
    return dict(found)


def met(table: Cross) -> list[tuple[str, str, tuple[float, float]]]:
    """Each pair once, with the points of both."""
    return [
        (one, other, (score.points, table[other, one].points))
        for (one, other), score in table.items()
        if one < other
    ]


def grouped(
    games: Iterable[tuple[TournamentGame, MatchOutcome]], key: Callable[[TournamentGame], str]
) -> dict[str, list[tuple[TournamentGame, MatchOutcome]]]:
    """The games by something of theirs, such as chart and mode."""
    found: dict[str, list[tuple[TournamentGame, MatchOutcome]]] = defaultdict(list)
    for game, outcome in games:
        found[key(game)].append((game, outcome))
    return dict(found)


def where(game: TournamentGame) -> str:
    """Chart and mode; the rulebook and the crews if they are not the usual ones."""
    setting = game.setting
    parts = [setting.scene, setting.mode.value]
    if setting.rulebook != USUAL_RULEBOOK:
        parts.append(setting.rulebook)
    if setting.players != 2:
        parts.append(f"{setting.players} players")
    if setting.stations != "open":
        parts.append("closed stations")
    return ", ".join(parts)
