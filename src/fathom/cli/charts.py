"""``fathom charts``: list the charts, draw them, check one's own."""

from argparse import Namespace
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.text import Text

from fathom.cli.picture import ASCII, LINED, Picture, StyledGlyph, flow, legend
from fathom.cli.terminal import OK, Failure, draws_lines, open_console, printable
from fathom.points import name
from fathom.rules import library
from fathom.rules.chart import BadChart, Chart
from fathom.rules.scenario import Scenario
from fathom.words import CREWS


def run(options: Namespace) -> int:
    """List, draw or check."""
    console = open_console()
    if options.check:
        check(console, Path(options.check))
    elif options.all:
        draw_all(console, [library.chart(chart) for chart in library.chart_names()])
    elif options.name:
        draw_all(console, charts_called(options.name))
    else:
        list_charts(console)
    return OK


def list_charts(console: Console) -> None:
    """All scenarios by edition, with their charts."""
    for edition, group in groupby(map(library.scenario, library.scenario_names()), edition_of):
        console.print(Text().append(edition.capitalize(), "bold"))
        for scenario in group:
            line = Text("  ").append(f"{scenario.name:<13}", "cyan")
            sizes = "10x10, 15x15" if scenario.large else "10x10"
            console.print(line.append(f"{sizes:<14}").append(scenario.about))
    console.print()
    console.print("fathom charts alpha      draw both sizes of a scenario; alpha-15 for one")
    console.print("fathom charts --all      draw every chart")
    console.print("fathom charts --check F  check a chart of your own")


def edition_of(scenario: Scenario) -> str:
    return scenario.edition


def charts_of(scenario: Scenario) -> Iterator[str]:
    """The names of a scenario's charts, the small one first."""
    yield scenario.small
    if scenario.large:
        yield scenario.large


def charts_called(wanted: str) -> list[Chart]:
    """The chart of that name, or both charts of the scenario of that name."""
    plain = wanted.lower().replace(" ", "-")
    if plain in library.scenario_names():
        return [library.chart(chart) for chart in charts_of(library.scenario(plain))]
    try:
        return [library.chart(plain)]
    except library.Unknown:
        known = ", ".join(library.scenario_names())
        what = f"there is no chart or scenario called {wanted[:40]!r}; scenarios are {known}"
        raise Failure(what) from None


def draw_all(console: Console, charts: Iterable[Chart]) -> None:
    """Each chart with its title, its special points and a legend."""
    for number, chart in enumerate(charts):
        if number:
            console.print()
        draw(console, chart)


def draw(console: Console, chart: Chart) -> None:
    """One chart."""
    pens = LINED if draws_lines() else ASCII
    title = Text().append(printable(chart.title), "bold")
    title.append(f"  {chart.name}, {size(chart)}, {chart.sector_count} sectors", "dim")
    console.print(title)
    picture = Picture(chart, pens)
    if chart.starts:
        for crew, letter in zip(CREWS, "12", strict=True):
            picture.put(chart.starts[crew], StyledGlyph(letter, "bold reverse"))
    for point in chart.finish:
        picture.put(point, StyledGlyph("F", "bold reverse"))
    console.print(picture.draw())
    for line in flow(legend(chart, pens), console.width):
        console.print(line)
    for fact in facts(chart):
        console.print(Text(fact))


def size(chart: Chart) -> str:
    """``10 by 10``."""
    return f"{chart.across} by {chart.down}"


def facts(chart: Chart) -> Iterator[str]:
    """What else is to know about a chart."""
    if chart.terrain.about:
        yield f"Special: {chart.terrain.about}"
    if chart.starts:
        first, second = map(name, chart.starts)
        yield f"Starts: the first crew on {first} (1), the second on {second} (2)"
    if chart.finish:
        yield f"Goal: the first to reach {', '.join(map(name, chart.finish))} (F) wins"
    if chart.origin:
        yield f"Origin: {printable(chart.origin)}"
    if chart.note:
        yield f"Note: {printable(chart.note)}"


def check(console: Console, path: Path) -> None:
    """Read a user's own chart, say that it is good, and draw it."""
    try:
        chart = library.chart_from(path)
    except BadChart as bad:
        raise Failure(str(bad)) from None
    except OSError as error:
        raise Failure(f"{path} can't be read: {error.strerror}") from None
    draw(console, chart)
    sea = chart.water.bit_count()
    playable = {10: "turn by turn", 15: "in real time"}.get(chart.across)
    square = chart.across == chart.down
    console.print(f"\n{printable(str(path))} is a good chart, with {sea} points of sea.")
    if not (playable and square):
        console.print("It fits no rulebook's size: those want 10 by 10 or 15 by 15.")
    else:
        console.print(f"Its size is that of Captain Sonar {playable}.")
