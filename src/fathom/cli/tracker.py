"""Where a submarine can be, from what everyone hears of it: a set of points and no more.

It forgets the route before a silence, so after some silences it holds more points than need be;
the true one is always among them.
"""

from fathom.engine.events import (
    CourseSet,
    DroneLaunched,
    Exploded,
    SonarAnswered,
    Surfaced,
    TorpedoFired,
    VolcanoNamed,
)
from fathom.engine.ground import Ground
from fathom.engine.heard import Announcement, SilenceHeard
from fathom.points import LETTERS, Points, blast, reach, shift
from fathom.words import HEADINGS, Crew


def anywhere(ground: Ground, crew: Crew) -> Points:
    """Where the crew can start."""
    starts = ground.chart.starts
    return 1 << starts[crew] if starts else ground.water


def narrow(ground: Ground, crew: Crew, possible: Points, news: Announcement) -> Points:
    """Where ``crew`` can be after the news."""
    match news:
        case CourseSet(crew=by, heading=heading) if by is crew:
            return shift(possible, heading.step) & ground.water
        case SilenceHeard(crew=by) if by is crew:
            return spread(ground, possible)
        case Surfaced(crew=by, sector=sector, at=at) if by is crew:
            told = 1 << at if at is not None else ground.sector_points[sector or 0]
            return possible & told
        case TorpedoFired(crew=by, target=target) if by is crew:
            return possible & firing_points(ground, target)
        case DroneLaunched(crew=by, sector=sector, answer=answer) if by is not crew:
            return asked(possible, ground.sector_points[sector], answer)
        case SonarAnswered(crew=by) if by is crew:
            return possible & answered(ground, news)
        case Exploded():
            return possible & hit(ground, crew, news)
        case VolcanoNamed(volcano=volcano, effect="lava"):
            return possible & ~ground.lava[volcano - 1]
        case _:
            return possible


def spread(ground: Ground, possible: Points) -> Points:
    """Every straight line of water that a silence may have followed."""
    book = ground.book
    found = possible if book.silence_least == 0 else 0
    for heading in HEADINGS:
        at = possible
        for distance in range(1, min(book.silence_most, 15) + 1):
            at = shift(at, heading.step) & ground.water
            found |= at if distance >= book.silence_least else 0
    return found


def firing_points(ground: Ground, target: int) -> Points:
    """From where a torpedo reaches the target."""
    if ground.book.torpedo_reach == "sector":
        return ground.sector_points[ground.sectors[target]]
    way = ground.chart_points if ground.book.torpedo_over_islands else ground.water
    return reach(1 << target, min(ground.book.torpedo_range, 30), way)


def asked(possible: Points, sector: Points, answer: str) -> Points:
    """What a drone's answer leaves."""
    if answer == "toxic-smoke":
        return possible
    return possible & sector if answer == "yes" else possible & ~sector


def answered(ground: Ground, news: SonarAnswered) -> Points:
    """Where the facts of a sonar answer are true: the one given, or exactly one of two."""
    facts = [points for points in fact_points(ground, news) if points]
    return facts[0] if len(facts) == 1 else facts[0] ^ facts[1]


def fact_points(ground: Ground, news: SonarAnswered) -> tuple[Points, Points, Points]:
    """The points for which each of the facts is true; 0 for a fact that was not told."""
    row = 0x7FFF << 16 * (news.row - 1) if news.row else 0
    letter = LETTERS.index(news.column) if news.column else 0
    column = sum(1 << 16 * y + letter for y in range(15)) if news.column else 0
    sector = ground.sector_points[news.sector] if news.sector else 0
    return row, column, sector


def hit(ground: Ground, crew: Crew, news: Exploded) -> Points:
    """Where a submarine is that an explosion hits directly, indirectly or not at all."""
    if news.owner is crew and not ground.book.blast_self:
        return ground.chart_points
    here = 1 << news.at
    around = blast(here) if ground.near else here
    return {"direct": here, "indirect": around & ~here}.get(
        news.hits[crew], ground.chart_points & ~around
    )
