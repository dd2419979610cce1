"""From what a table agrees to a game's set-up; and what it could agree, and why not."""

from functools import lru_cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fathom.rules import library
from fathom.rules.chart import BadChart, Chart, read_chart
from fathom.rules.rulebook import Rulebook
from fathom.rules.setup import BadSetup, Choices, CrewPlan, House, SeatPlan, Setup, prepare
from fathom.server.table import Table, bots_for, find_book, free_posts, persons, plan
from fathom.server.troubles import Unplayable
from fathom.server.wire import Arguments, Obstacle, Option, Options, Settings, encode
from fathom.words import CREWS, ByCrew, Mode


def agree(settings: Settings, crews: ByCrew[CrewPlan]) -> Setup:
    """The set-up of these settings and crews; ``Unplayable`` names the rule that it breaks."""
    choices = Choices(
        rulebook=settings.rulebook,
        mode=settings.mode,
        scenario=None if settings.chart_text else settings.scenario,
        goal=settings.goal,
        sheet=settings.sheet,
        rulings=settings.rulings,
        house=settings.house,
        crews=crews,
        first=settings.first if settings.mode is Mode.TURN_BY_TURN else None,
    )
    try:
        return prepare(choices, own_chart(settings))
    except BadSetup as bad:
        raise Unplayable(Obstacle(bad.rule, about(bad, settings, crews))) from None


def own_chart(settings: Settings) -> Chart | None:
    """The table's own chart, if it has one."""
    if settings.chart_text is None:
        return None
    try:
        return chart_of(settings.chart_text)
    except BadChart as bad:
        arguments: Arguments = {"line": bad.line, "column": bad.column}
        raise Unplayable(Obstacle("bad-chart", arguments)) from None


@lru_cache(32)
def chart_of(text: str) -> Chart:
    """A chart that somebody has written; it is looked at once for every way to play on it."""
    return read_chart("own", "chart", text)


def about(bad: BadSetup, settings: Settings, crews: ByCrew[CrewPlan]) -> Arguments:
    """The numbers and names that a refused set-up is about."""
    sizes = [len(crew.seats) for crew in crews]
    if bad.rule == "crew.mode":
        book = library.rulebook(settings.rulebook)
        pace = book.real_time if settings.mode is Mode.REAL_TIME else book.turn_by_turn
        fewest, most = pace.players
        return {
            "mode": settings.mode.value,
            "players": sum(sizes),
            "fewest": fewest,
            "most": most,
        }
    if bad.rule == "crew.sizes":
        return {"a": sizes[0], "b": sizes[1]}
    if bad.rule == "chart.any":
        return {"scenario": settings.scenario or "", "mode": settings.mode.value}
    return {}


def obstacle(table: Table) -> Obstacle | None:
    """Why the game can't start now."""
    free = sum(len(free_posts(table, crew)) for crew in CREWS)
    if free:
        return Obstacle("seats-empty", {"free": free})
    waiting = [p.name for p in persons(table).values() if not p.ready and p.who != table.host]
    if waiting:
        return Obstacle("not-ready", {"name": waiting[0], "number": len(waiting)})
    try:
        agree(table.settings, plan(table)[0])
    except Unplayable as unplayable:
        return unplayable.obstacle
    return None


Sizes = tuple[int, int]
"""How many players the two crews have."""


class Seating(Struct, frozen=True):
    """Who plays at a table: how many hold posts, and how many posts are free, by crew."""

    held: Sizes
    free: Sizes

    def sizes(self, settings: Settings) -> tuple[Sizes, Sizes]:
        """The crews with somebody else on each free post, and with bots on all of them."""
        return self.with_more(self.free), self.with_more(
            tuple(bots_for(settings, free) for free in self.free)
        )

    def with_more(self, more: tuple[int, ...]) -> Sizes:
        a, b = (max(1, held + new) for held, new in zip(self.held, more, strict=True))
        return a, b


def options(table: Table) -> Options:
    """What could be agreed, with people or with bots on the posts that are free now."""
    held = [len({str(b.holder) for b in table.crews[crew].berths if b.holder}) for crew in CREWS]
    free = [len(free_posts(table, crew)) for crew in CREWS]
    return options_for(
        encode(deciding(table.settings)), Seating((held[0], held[1]), (free[0], free[1]))
    )


def deciding(settings: Settings) -> Settings:
    """The settings by which it is decided what is possible; the others are as usual."""
    return Settings(
        rulebook=settings.rulebook,
        mode=settings.mode,
        scenario=settings.scenario,
        chart_text=settings.chart_text,
        goal=settings.goal,
        sheet=settings.sheet,
        rulings=settings.rulings,
        house=House(lift_crew_rules=settings.house.lift_crew_rules),
    )


@lru_cache(256)
def options_for(settings_text: bytes, seating: Seating) -> Options:
    """The options for settings and players; every way is tried."""
    settings = msgspec.json.decode(settings_text, type=Settings)
    book = find_book(settings)
    pace = book.real_time if settings.mode is Mode.REAL_TIME else book.turn_by_turn

    def option(name: str, changed: Settings) -> Option:
        found = [tried(changed, a, b) for a, b in seating.sizes(changed)]
        return Option(name, None if None in found else found[0])

    return Options(
        modes=tuple(option(mode.value, replace(settings, mode=mode)) for mode in Mode),
        scenarios=tuple(
            option(name, replace(settings, scenario=name, chart_text=None))
            for name in library.scenario_names()
        ),
        goals=tuple(option(goal.name, replace(settings, goal=goal.name)) for goal in book.goals),
        sheets=tuple(option(name, replace(settings, sheet=name)) for name in pace.sheets),
        clocks=Option(
            "clocks",
            None if settings.mode is Mode.TURN_BY_TURN else Obstacle("turn.order"),
        ),
        shy_mate=Option("shy-mate", None if book.shy_mate else Obstacle("crew.shy-mate")),
    )


def tried(settings: Settings, a: int, b: int) -> Obstacle | None:
    """Why a game with these settings and crews of these sizes can't begin."""
    book = find_book(settings)
    try:
        agree(settings, ByCrew(*(sample_crew(settings, size, book) for size in (a, b))))
    except Unplayable as unplayable:
        return unplayable.obstacle
    return None


def sample_crew(settings: Settings, size: int, book: Rulebook) -> CrewPlan:
    """A crew of this size, the posts dealt out in turn."""
    size = min(size, len(book.posts))
    return CrewPlan(
        settings.rulebook,
        tuple(SeatPlan(f"{n + 1}", book.posts[n::size]) for n in range(size)),
    )
