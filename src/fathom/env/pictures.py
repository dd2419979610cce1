"""Pictures of a whole game: as text, or as an array of pixels."""

import sys
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from fathom.engine.game import DOCK, Game
from fathom.points import LETTERS, SECTOR_SIDE, Points, bits, name
from fathom.words import CREWS, SYSTEMS, Crew

Rendered = str | NDArray[np.uint8] | None
RENDER_MODES: Final = ("human", "ansi", "rgb_array")
"""``human`` writes to the terminal what ``ansi`` returns."""

CELL: Final = 32
NARROWEST: Final = 600
"""Room for the captions: all pictures of a game have the same size, so they make a film."""
PANEL: Final = 15
"""Height of a line of text below the chart."""
SEA, LAND, GRID, INK = "#0c1a25", "#57513d", "#1d2f3b", "#d8dee2"
OLD_MINE, LAVA = "#ff7a68", "#8c2f1f"
COLOURS: Final = {"yellow": "#f2b84b", "blue": "#7cb8ff", "red": "#ff8a7a", "green": "#63d6a8"}
LETTER_MINES: Final = "xo"


def render(game: Game, mode: str | None) -> Rendered:
    """Draw the game in a render mode; nothing without one."""
    if mode == "rgb_array":
        return pixels(game)
    if mode == "human":
        sys.stdout.write(text(game) + "\n")
        return None
    return text(game) if mode == "ansi" else None


def colour(game: Game, crew: Crew) -> str:
    """The crew's colour by name."""
    return game.ground.book.colours[CREWS.index(crew)]


def captions(game: Game) -> list[str]:
    """How the game stands, in lines."""
    public = game.public
    lines = []
    for crew in CREWS:
        boat = game.boats[crew]
        at = "in dock" if boat.helm.at == DOCK else name(boat.helm.at)
        surfaced = ", surfaced" if public.surfaced[crew] else ""
        if game.ground.energy:
            charged = f"energy {boat.gauges.energy}"
        else:
            charged = " ".join(
                f"{system.value} {boxes}/{most}"
                for system, boxes, most in zip(
                    SYSTEMS, boat.gauges.boxes, game.ground.boxes, strict=True
                )
                if most
            )
        broken = boat.engine.crossed.bit_count()
        lines.append(
            f"{colour(game, crew)}: {at}{surfaced}, damage {public.damage[crew]},"
            f" {charged}, crossed out {broken}"
        )
    if public.result is not None:
        won = public.result.winner
        lines.append("draw" if won is None else f"{colour(game, won)} has won")
    elif public.turn is not None:
        lines.append(f"{colour(game, public.turn.crew)} to act")
    else:
        lines.append(public.phase)
    return lines


def text(game: Game) -> str:
    """The chart in letters: submarines as A and B, routes as a and b, mines as x and o."""
    chart, public = game.ground.chart, game.public
    picture = {16 * y + x: mark for y, row in enumerate(chart.rows) for x, mark in enumerate(row)}
    picture |= dict.fromkeys(bits(game.ground.old_mines & ~public.old_mines), ".")
    picture |= dict.fromkeys(bits(public.lava), "#")
    for crew, letter in zip(CREWS, "ab", strict=True):
        picture |= dict.fromkeys(bits(game.boats[crew].helm.covered), letter)
    for crew, letter in zip(CREWS, LETTER_MINES, strict=True):
        picture |= dict.fromkeys(bits(game.boats[crew].helm.mines), letter)
    for crew, letter in zip(CREWS, "AB", strict=True):
        at = game.boats[crew].helm.at
        if at != DOCK:
            met = picture.get(at) == "A"
            picture[at] = "*" if met else letter
    rows = (
        f"{y + 1:>2} " + " ".join(picture[16 * y + x] for x in range(chart.across))
        for y in range(chart.down)
    )
    return "\n".join(["   " + " ".join(LETTERS[: chart.across]), *rows, *captions(game)])


def pixels(game: Game) -> NDArray[np.uint8]:
    """The chart as an array of pixels: rings are submarines, crosses mines."""
    chart, lines = game.ground.chart, captions(game)
    wide, high = max((chart.across + 1) * CELL, NARROWEST), (chart.down + 1) * CELL
    font = ImageFont.load_default(11)
    image = Image.new("RGB", (wide, high + 4 * PANEL), SEA)
    pen = ImageDraw.Draw(image)
    draw_chart(pen, game)
    for crew, beside in zip(CREWS, (-3, 3), strict=True):
        draw_boat(pen, game, crew, beside)
    for number, line in enumerate(lines):
        pen.text((CELL / 2, high + PANEL * number), line, fill=INK, font=font)
    return np.asarray(image, np.uint8).copy()


def middle(point: int) -> tuple[float, float]:
    """Where a point is in the picture."""
    return ((point & 15) + 1) * CELL, ((point >> 4) + 1) * CELL


def draw_chart(pen: ImageDraw.ImageDraw, game: Game) -> None:
    """Sea, land, sectors, and the names of points."""
    chart, public = game.ground.chart, game.public
    for across in range(0, chart.across + 1, SECTOR_SIDE):
        x = (across + 0.5) * CELL
        pen.line((x, CELL / 2, x, (chart.down + 0.5) * CELL), fill=GRID, width=2)
    for down in range(0, chart.down + 1, SECTOR_SIDE):
        y = (down + 0.5) * CELL
        pen.line((CELL / 2, y, (chart.across + 0.5) * CELL, y), fill=GRID, width=2)
    squares(pen, game.ground.chart_points & ~game.ground.water, LAND, 15)
    squares(pen, public.lava, LAVA, 15)
    squares(pen, game.ground.water & ~public.lava, GRID, 2)
    squares(pen, public.old_mines, OLD_MINE, 5)
    font = ImageFont.load_default(11)
    for x in range(chart.across):
        pen.text(((x + 1) * CELL, 8), LETTERS[x], fill=INK, font=font, anchor="mm")
    for y in range(chart.down):
        pen.text((8, (y + 1) * CELL), str(y + 1), fill=INK, font=font, anchor="mm")


def squares(pen: ImageDraw.ImageDraw, points: Points, fill: str, size: int) -> None:
    """A square on each of the points."""
    for point in bits(points):
        x, y = middle(point)
        pen.rectangle((x - size, y - size, x + size, y + size), fill=fill)


def draw_boat(pen: ImageDraw.ImageDraw, game: Game, crew: Crew, beside: int) -> None:
    """A route, the submarine at its end, and its mines."""
    helm = game.boats[crew].helm
    paint = COLOURS.get(colour(game, crew), INK)
    for point in bits(helm.mines):
        x, y = middle(point)
        pen.line((x - 6, y - 6, x + 6, y + 6), fill=paint, width=2)
        pen.line((x - 6, y + 6, x + 6, y - 6), fill=paint, width=2)
    if helm.at == DOCK:
        return
    line = [(x + beside, y + beside) for x, y in map(middle, helm.route)]
    if len(line) > 1:
        pen.line(line, fill=paint, width=3)
    x, y = middle(helm.at)
    pen.ellipse((x - 9, y - 9, x + 9, y + 9), fill=SEA, outline=paint, width=3)
