"""The bars: what the ranks must reach, measured and judged."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from fathom.arena.entrants import Entrant
from fathom.arena.report import Rows, milliseconds, share
from fathom.arena.standings import Score, Standing, cross, finished, standings
from fathom.arena.tally import per_hundred_courses
from fathom.arena.thinking import LIMITS
from fathom.arena.tournament import Pairing, Played, Tournament, ladder, settings
from fathom.bots.ranks import RANKS, Rank
from fathom.rules.setup import USUAL_RULEBOOK
from fathom.words import Mode

SCENES: Final = ("alpha", "bravo", "charlie")
GAMES: Final = 400
BEATS_BELOW: Final = 0.60
"""What each rank scores against the one below."""
BEST_BEATS: Final = 0.85
"""What the admiral scores against the lieutenant."""
SELF_DAMAGE: Final = 0.2
"""Less than this for every 100 courses, from the commander up."""
SAFE_FROM: Final = Rank.COMMANDER


class Bar(Struct, frozen=True):
    """One demand, what was measured, and whether that is enough."""

    what: str
    wanted: str
    measured: str
    games: int
    passed: bool


def bars_tournament(games: int, seed: int) -> Tournament:
    """Each rank against the one below, and the admiral against the lieutenant."""
    entrants = tuple(Entrant(rank.value, rank.value) for rank in RANKS)
    top = (Rank.ADMIRAL.value, Rank.LIEUTENANT.value)
    where = settings((USUAL_RULEBOOK,), tuple(Mode), SCENES)
    return Tournament(entrants, (*ladder(entrants), top), where, games, seed)


def judge(tournament: Tournament, played: Iterable[Played]) -> list[Bar]:
    """Every bar."""
    games = list(played)
    names = [entrant.name for entrant in tournament.entrants]
    found = {standing.rating.name: standing for standing in standings(names, games)}
    scores = cross(finished(games))
    return [
        *(beating(pairing, scores.get(pairing, Score())) for pairing in tournament.pairings),
        *safety(found),
        *thinking(found, games),
        fairness(list(found.values()), games),
    ]


def beating(pairing: Pairing, score: Score) -> Bar:
    """One rank against another."""
    one, other = pairing
    neighbours = Rank(one).level - Rank(other).level == 1
    wanted = BEATS_BELOW if neighbours else BEST_BEATS
    passed = score.games > 0 and score.share >= wanted
    return Bar(
        f"{one} beats {other}", f">= {100 * wanted:.0f} %", share(score), score.games, passed
    )


def safety(found: dict[str, Standing]) -> Iterator[Bar]:
    """Self-damage of those who know better."""
    for rank in RANKS[SAFE_FROM.level :]:
        standing = found[rank.value]
        tally = standing.tally
        parts = {
            "breakdowns": tally.breakdown,
            "ice": tally.ice,
            "own explosions": tally.own_blasts,
        }
        by = ", ".join(f"{k} {per_hundred_courses(tally, v):.3f}" for k, v in parts.items())
        damage = per_hundred_courses(tally, tally.self_damage)
        yield Bar(
            f"{rank.value}: self-damage per 100 courses",
            f"< {SELF_DAMAGE}",
            f"{damage:.3f} ({by}; {tally.forced} of {tally.surfacings} surfacings forced)",
            standing.score.games,
            damage < SELF_DAMAGE,
        )


def thinking(found: dict[str, Standing], games: Sequence[Played]) -> Iterator[Bar]:
    """Time for a decision."""
    for name, most in LIMITS.items():
        standing = found[name]
        took = standing.tally.choosing
        times = (took.mean, took.percentile(0.99), took.longest)
        mean, p99, longest = map(milliseconds, times)
        again = sum(outcome.plays > 1 for game, outcome in finished(games) if name in game.crews)
        yield Bar(
            f"{name}: CPU of a decision",
            f"<= {1000 * most:.0f} ms",
            f"longest {longest} ms (mean {mean}, p99 {p99}; {again} games timed again)",
            standing.score.games,
            took.longest <= most,
        )


def fairness(found: Sequence[Standing], games: Sequence[Played]) -> Bar:
    """No illegal order, no exception, no crash."""
    lost = sum(standing.forfeits for standing in found)
    lost += sum(played.outcome is None for played in games)
    return Bar("illegal orders, exceptions, crashes", "0", str(lost), len(games), lost == 0)


def bars_table(bars: Iterable[Bar]) -> Rows:
    """All bars, with verdicts."""
    rows = [
        (bar.what, bar.wanted, bar.measured, str(bar.games), "pass" if bar.passed else "FAIL")
        for bar in bars
    ]
    return [("bar", "wanted", "measured", "games", "verdict"), *rows]
