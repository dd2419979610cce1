"""Tables of a tournament, for a terminal or in Markdown."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from fathom.arena.ratings import wilson
from fathom.arena.standings import Score, Standing, cross, finished, grouped, where
from fathom.arena.tally import per_hundred_courses
from fathom.arena.tournament import Pairing, Played

Rows = Sequence[Sequence[str]]
"""The first one is the heading."""
Render = Callable[[Rows], str]

HEADING: Final = (
    "entrant",
    "rating",
    "+/-",
    "games",
    "won",
    "drawn",
    "lost",
    "off",
    "forfeits",
    "self",
    "shots",
    "mean",
    "p99",
    "max",
)
MEANING: Final = """\
rating: Bradley-Terry on the Elo scale, +/- with 95 % confidence; with a *, somebody won or lost all
off: games called off, won by less damage; they are among the others, too
forfeits: games lost by an illegal order, an exception or a program's fault
self: damage to oneself (breakdowns, ice, own explosions) for every 100 courses
shots: torpedoes and mines for each hit
mean, p99, max: CPU milliseconds of a decision; of a program, by the clock on the wall"""


def standings_table(standings: Iterable[Standing]) -> Rows:
    """Everyone, the strongest first."""
    return [HEADING, *(standing_row(standing) for standing in standings)]


def standing_row(standing: Standing) -> list[str]:
    rating, score, tally = standing.rating, standing.score, standing.tally
    choosing = tally.choosing
    return [
        rating.name,
        f"{rating.elo:.0f}{'*' if rating.bounded else ''}",
        f"{rating.margin:.0f}",
        *map(str, (score.games, score.wins, score.draws, score.losses)),
        str(standing.called_off),
        str(standing.forfeits),
        f"{per_hundred_courses(tally, tally.self_damage):.2f}",
        f"{tally.shots / tally.hits:.1f}" if tally.hits else "-",
        *(milliseconds(t) for t in (choosing.mean, choosing.percentile(0.99), choosing.longest)),
    ]


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.2f}" if seconds < 0.1 else f"{1000 * seconds:.0f}"


def share(score: Score) -> str:
    """A share of points with its interval: ``62 % (57-67)``."""
    low, high = wilson(score.points, score.games)
    return f"{100 * score.share:.1f} % ({100 * low:.0f}-{100 * high:.0f})"


def cross_table(played: Iterable[Played], pairings: Sequence[Pairing]) -> Rows:
    """For every pairing, what the first scored: everywhere, and in each place."""
    games = finished(played)
    places = {"everywhere": games, **grouped(games, where)}
    scores = {place: cross(there) for place, there in places.items()}
    return [
        ("pairing", "where", "games", "score of the first"),
        *(
            (f"{one} : {other}", place, str(found[one, other].games), share(found[one, other]))
            for one, other in pairings
            for place, found in scores.items()
            if (one, other) in found
        ),
    ]


def as_text(rows: Rows) -> str:
    """Columns under each other; the first to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        first, *rest = (cell for cell in row)
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def as_markdown(rows: Rows) -> str:
    """The same in Markdown."""
    heading, *rest = [f"| {' | '.join(row)} |" for row in rows]
    rule = "| --- |" + " ---: |" * (len(rows[0]) - 1)
    return "\n".join([heading, rule, *rest])
