"""A chart as a PNG, for links that are pasted into chats: the sea and, after a game, both routes.

It is drawn from a chart and from points that are given. Nothing here knows a game, and no text that
anybody has typed is in the picture.
"""

import io
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct
from PIL import Image, ImageDraw, ImageFont

from fathom.points import LETTERS, SECTOR_SIDE, bits
from fathom.rules.chart import Chart
from fathom.rules.terrain import ISLAND
from fathom.server.pictures import PICTURE_SIZE

WIDTH, HEIGHT = PICTURE_SIZE
TWICE: Final = 2
"""It is drawn larger and then made smaller, so that edges are smooth."""
MARGIN: Final = 28
COLOURS: Final = 64
"""A palette keeps the file small."""

ROOM, SEA, GRID, POINT = "#080d12", "#0c1a25", "#1d2f3b", "#6d8797"
LAND_FILL, COAST, SECTOR, INK, LAMP = "#57513d", "#c7b584", "#5b7485", "#b9c3c8", "#f7ebd2"
ICE, FIRE = "#9fc4d6", "#ff7a68"
CREWS: Final = {"yellow": "#f2b84b", "blue": "#7cb8ff", "red": "#ff8a7a", "green": "#63d6a8"}
MARKS: Final = {"o": ICE, "~": ICE, "m": FIRE, "r": FIRE}
"""Points of the sea with special rules, by the chart's letters."""

At = tuple[float, float]


class DrawnRoute(Struct, frozen=True):
    """Where a submarine has been, in order, and what became of it."""

    colour: str
    points: tuple[int, ...]
    sunk: bool = False


def draw_chart(chart: Chart, routes: tuple[DrawnRoute, ...] = ()) -> bytes:
    """The picture, as PNG."""
    image = Image.new("RGB", (WIDTH * TWICE, HEIGHT * TWICE), ROOM)
    pen = ImageDraw.Draw(image)
    frame = PointPlaces(chart)
    draw_title(pen, routes)
    draw_sea(pen, chart, frame)
    draw_land(pen, chart, frame)
    draw_names(pen, chart, frame)
    for number, route in enumerate(routes):
        draw_route(pen, route, frame, number - (len(routes) - 1) / 2)
    file = io.BytesIO()
    small = image.reduce(TWICE).quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(file, "PNG", optimize=True)
    return file.getvalue()


class PointPlaces:
    """Where the points are in the picture: a square on the right, with room for their names."""

    def __init__(self, chart: Chart) -> None:
        side = (HEIGHT - 2 * MARGIN) * TWICE
        self.cell = side / (max(chart.across, chart.down) + 1)
        self.left = (WIDTH - MARGIN) * TWICE - side + self.cell
        self.top = MARGIN * TWICE + self.cell
        self.right = self.left + (chart.across - 1) * self.cell
        self.bottom = self.top + (chart.down - 1) * self.cell

    def at(self, point: int, shift: float = 0) -> At:
        """The middle of a point, or beside it."""
        return (
            self.left + (point & 15) * self.cell + shift,
            self.top + (point >> 4) * self.cell + shift,
        )


def disc(pen: ImageDraw.ImageDraw, at: At, radius: float, **paint: str | int) -> None:
    x, y = at
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), **paint)  # type: ignore[arg-type]


def font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Pillow's own, which is on every machine."""
    return ImageFont.load_default(size)


def draw_title(pen: ImageDraw.ImageDraw, routes: tuple[DrawnRoute, ...]) -> None:
    """The game's name, and a ring for each crew whose route is shown."""
    x, middle = 60 * TWICE, HEIGHT / 2 * TWICE
    pen.text((x, middle), "Fathom", fill=LAMP, font=font(124 * TWICE), anchor="lm")
    for number, route in enumerate(routes):
        at = (x + (24 + 70 * number) * TWICE, middle + 110 * TWICE)
        draw_boat(pen, at, 20 * TWICE, route)


def draw_sea(pen: ImageDraw.ImageDraw, chart: Chart, frame: PointPlaces) -> None:
    """Water, lines through all points, and the borders of sectors."""
    half, thin = frame.cell / 2, TWICE
    pen.rectangle(
        (frame.left - half, frame.top - half, frame.right + half, frame.bottom + half),
        fill=SEA,
        outline=SECTOR,
        width=2 * TWICE,
    )
    for column in range(chart.across):
        x = frame.left + column * frame.cell
        pen.line((x, frame.top, x, frame.bottom), fill=GRID, width=thin)
        if column and not column % SECTOR_SIDE:
            border = x - half
            pen.line((border, frame.top - half, border, frame.bottom + half), SECTOR, 2 * thin)
    for row in range(chart.down):
        y = frame.top + row * frame.cell
        pen.line((frame.left, y, frame.right, y), fill=GRID, width=thin)
        if row and not row % SECTOR_SIDE:
            border = y - half
            pen.line((frame.left - half, border, frame.right + half, border), SECTOR, 2 * thin)
    for point in bits(chart.water):
        mark = MARKS.get(chart.rows[point >> 4][point & 15])
        disc(pen, frame.at(point), (5 if mark else 2.5) * TWICE, fill=mark or POINT)


def draw_land(pen: ImageDraw.ImageDraw, chart: Chart, frame: PointPlaces) -> None:
    """Islands: a disc for each point, joined with its neighbours; the coast is the rim."""
    land = chart.land
    for radius, colour in ((0.44, COAST), (0.44 - 3 * TWICE / frame.cell, LAND_FILL)):
        size = radius * frame.cell
        for point in bits(land):
            x, y = frame.at(point)
            disc(pen, (x, y), size, fill=colour)
            if land >> point + 1 & 1:
                pen.rectangle((x, y - size, x + frame.cell, y + size), fill=colour)
            if land >> point + 16 & 1:
                pen.rectangle((x - size, y, x + size, y + frame.cell), fill=colour)
    for point in bits(land & ~chart.where(frozenset(ISLAND))):
        disc(pen, frame.at(point), 7 * TWICE, fill=FIRE)


def draw_names(pen: ImageDraw.ImageDraw, chart: Chart, frame: PointPlaces) -> None:
    """Letters above, numbers on the left."""
    letters = font(min(frame.cell * 0.42, 20 * TWICE))
    away = frame.cell * 0.8
    for column in range(chart.across):
        at = (frame.left + column * frame.cell, frame.top - away)
        pen.text(at, LETTERS[column], fill=INK, font=letters, anchor="mm")
    for row in range(chart.down):
        at = (frame.left - away, frame.top + row * frame.cell)
        pen.text(at, str(row + 1), fill=INK, font=letters, anchor="mm")


def draw_route(
    pen: ImageDraw.ImageDraw, route: DrawnRoute, frame: PointPlaces, beside: float
) -> None:
    """A line from the start to the end, a little beside the other crew's."""
    if not route.points:
        return
    at: Callable[[int], At] = lambda point: frame.at(point, beside * 6 * TWICE)  # noqa: E731
    line = [at(point) for point in in_order(route.points)]
    colour = CREWS.get(route.colour, INK)
    if len(line) > 1:
        pen.line(line, fill=colour, width=4 * TWICE, joint="curve")
    disc(pen, line[0], 6 * TWICE, fill=colour)
    draw_boat(pen, line[-1], 13 * TWICE, route)


def draw_boat(pen: ImageDraw.ImageDraw, at: At, size: float, route: DrawnRoute) -> None:
    """A ring; a cross in it, if the submarine was sunk."""
    colour = CREWS.get(route.colour, INK)
    disc(pen, at, size, fill=SEA, outline=colour, width=4 * TWICE)
    if route.sunk:
        (x, y), arm = at, size * 0.45
        pen.line((x - arm, y - arm, x + arm, y + arm), fill=colour, width=4 * TWICE)
        pen.line((x - arm, y + arm, x + arm, y - arm), fill=colour, width=4 * TWICE)


def in_order(points: tuple[int, ...]) -> Iterator[int]:
    """The points without those where it stayed."""
    before = None
    for point in points:
        if point != before:
            yield point
        before = point
