"""From what a table agrees to a game's set-up; and what it could agree, and why not."""

from functools import lru_cache

import msgspec
from msgspec.structs import replace

from fathom.rules import library
from fathom.rules.chart import BadChart, Chart, read_chart
from fathom.rules.rulebook import Rulebook
from fathom.rules.setup import BadSetup, Choices, CrewPlan, SeatPlan, Setup, prepare
from fathom.server.table import Table, find_book, free_posts, persons, plan
from fathom.server.troubles import Unplayable
from fathom.server.wire import Arguments, Obstacle, Option, Options, Settings, encode
from fathom.words import CREWS, ByCrew, Crew, Mode


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
        return read_chart("own", "chart", settings.chart_text)
    except BadChart as bad:
        arguments: Arguments = {"line": bad.line, "column": bad.column}
        raise Unplayable(Obstacle("bad-chart", arguments)) from None


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


def options(table: Table) -> Options:
    """What could be agreed, with as many players as there could be now."""
    sizes = [likely_size(table, crew) for crew in CREWS]
    return options_for(encode(table.settings), sizes[0], sizes[1])


def likely_size(table: Table, crew: Crew) -> int:
    """How many players a crew has if a different one sits down on each free post."""
    held = {str(berth.holder) for berth in table.crews[crew].berths if berth.holder}
    return max(1, len(held) + len(free_posts(table, crew)))


@lru_cache(256)
def options_for(settings_text: bytes, a: int, b: int) -> Options:
    """The options for settings and crews of these sizes; every way is tried."""
    settings = msgspec.json.decode(settings_text, type=Settings)
    book = find_book(settings)
    pace = book.real_time if settings.mode is Mode.REAL_TIME else book.turn_by_turn

    def option(name: str, changed: Settings) -> Option:
        return Option(name, tried(changed, a, b))

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
