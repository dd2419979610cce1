"""Ratings as a picture: in text for a terminal, and as an SVG file."""

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor

from fathom.arena.ratings import Rating

TEXT_WIDTH = 60
ROW, LEFT, WIDTH, TOP = 34, 190, 560, 56


def span(ratings: Sequence[Rating]) -> tuple[int, int]:
    """From which round number to which the scale goes."""
    low = min(rating.elo - rating.margin for rating in ratings)
    high = max(rating.elo + rating.margin for rating in ratings)
    return floor(low / 100) * 100, ceil(high / 100) * 100


def step(low: int, high: int) -> int:
    """How far apart the marks of the scale are."""
    return next((gap for gap in (100, 200, 500) if (high - low) / gap <= 8), 1000)


def text_plot(ratings: Sequence[Rating], width: int = TEXT_WIDTH) -> str:
    """A line for everyone: the rating, with its interval around it."""
    if not ratings:
        return ""
    low, high = span(ratings)
    margin = max(len(rating.name) for rating in ratings)

    def place(elo: float) -> int:
        return round((elo - low) / (high - low) * (width - 1))

    lines = []
    for rating in ratings:
        cells = [" "] * width
        first, last = place(rating.elo - rating.margin), place(rating.elo + rating.margin)
        cells[first : last + 1] = "-" * (last + 1 - first)
        cells[first], cells[last] = "|", "|"
        cells[place(rating.elo)] = "o"
        lines.append(f"{rating.name.ljust(margin)}  {''.join(cells).rstrip()}")
    scale = [" "] * (width + 6)
    for mark in range(low, high + 1, step(low, high)):
        scale[place(mark) : place(mark) + len(str(mark))] = str(mark)
    return "\n".join([*lines, " " * (margin + 2) + "".join(scale).rstrip()])


def svg_plot(ratings: Sequence[Rating], title: str) -> str:
    """The same as a drawing that stands by itself, for light and dark pages."""
    low, high = span(ratings)
    height = TOP + ROW * len(ratings) + 40
    wide = LEFT + WIDTH + 40

    def x(elo: float) -> float:
        return round(LEFT + (elo - low) / (high - low) * WIDTH, 1)

    bottom = TOP + ROW * len(ratings)
    marks = "".join(
        f'<line class="grid" x1="{x(mark)}" x2="{x(mark)}" y1="{TOP - 8}" y2="{bottom}"/>'
        f'<text class="mark" x="{x(mark)}" y="{bottom + 20}">{mark}</text>\n'
        for mark in range(low, high + 1, step(low, high))
    )
    rows = "".join(svg_row(rating, TOP + ROW * n + ROW // 2, x) for n, rating in enumerate(ratings))
    words = ", ".join(f"{r.name} {r.elo:.0f} ± {r.margin:.0f}" for r in ratings)
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {height}" role="img">
<title>{escape(title)}</title>
<desc>{escape(words)}</desc>
<style>
text {{ font: 14px sans-serif; fill: #1d2b36 }}
.title {{ font-weight: bold }} .mark {{ text-anchor: middle; font-size: 12px }}
.name {{ text-anchor: end }} .value {{ font-size: 12px; text-anchor: middle }}
.grid {{ stroke: #1d2b36; stroke-opacity: .15 }} .whisker {{ stroke: #1f6f8b; stroke-width: 3 }}
circle {{ fill: #1f6f8b }} .sheet {{ fill: #f7f9fa }}
</style>
<rect class="sheet" width="{wide}" height="{height}"/>
<text class="title" x="20" y="28">{escape(title)}</text>
{marks}{rows}</svg>
"""


def svg_row(rating: Rating, y: int, x: Callable[[float], float]) -> str:
    """One rating."""
    first, here, last = (x(rating.elo + side * rating.margin) for side in (-1, 0, 1))
    value = f"{rating.elo:.0f} ± {rating.margin:.0f}"
    return (
        f'<text class="name" x="{LEFT - 16}" y="{y + 5}">{escape(rating.name)}</text>'
        f'<line class="whisker" x1="{first}" x2="{last}" y1="{y}" y2="{y}"/>'
        f'<circle cx="{here}" cy="{y}" r="6"/>'
        f'<text class="value" x="{here}" y="{y - 10}">{value}</text>\n'
    )
