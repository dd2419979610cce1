"""A moment of a game, drawn: the chart, both crews' instruments, and what was said aloud."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, zip_longest
from typing import Final

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.text import Text

from fathom.cli.picture import LegendEntry, Pens, Picture, RouteLine, StyledGlyph, flow, legend
from fathom.cli.terminal import printable
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import DOCK, Boat, Public
from fathom.points import Points, bits, name
from fathom.words import CREWS, SYSTEMS, Crew, Kind, Mode

COLOURS: Final = {"yellow": "#d19a00", "blue": "#4a90e2", "red": "#e0564a", "green": "#2fa86f"}
"""Readable on dark and on light terminals."""
KINDS: Final = {Kind.RED: "weapons", Kind.GREEN: "detection", Kind.YELLOW: "silence"}
BESIDE: Final = 36
"""How wide the column beside the chart must be; else it stands below."""
BURST: Final = "bold white on red"


class Scene(Struct, frozen=True):
    """What is to be drawn. A boat that is absent is not to be seen."""

    ground: CompiledSetup
    public: Public
    boats: tuple[tuple[Crew, Boat], ...]
    said: tuple[str, ...] = ()
    """What was said aloud, the latest last."""
    bursts: Points = 0
    """What has just exploded."""
    hunted: tuple[tuple[Crew, Points], ...] = ()
    """Where a crew knows that its enemy can be."""
    shade: bool = False
    """Whether those points are drawn, too."""
    caption: str = ""


def colour(ground: CompiledSetup, crew: Crew) -> str:
    """The crew's colour by name."""
    return ground.book.colours[CREWS.index(crew)]


def style(ground: CompiledSetup, crew: Crew) -> str:
    """The crew's colour as it is drawn."""
    return COLOURS.get(colour(ground, crew), "bold")


def initial(ground: CompiledSetup, crew: Crew) -> str:
    """The letter that stands for the crew's submarine."""
    return colour(ground, crew)[0].upper()


# The whole


def draw_scene(scene: Scene, pens: Pens, width: int, height: int, note: str = "") -> RenderableType:
    """Everything side by side, in at most ``height`` lines if the chart lets it."""
    picture = draw_chart(scene, pens)
    keys = list(flow(legend_of(scene, pens), width))
    caption = scene.caption
    if note and len(picture.split()) + len(keys) + 2 < height:
        keys.append(Text().append(note, "dim"))
    elif note:
        caption = note
    chart_width = max(line.cell_len for line in picture.split())
    body_height = max(len(picture.split()), height - 2 - len(keys))
    narrow = width < chart_width + 3 + BESIDE
    beside = width if narrow else width - chart_width - 3
    panels = instruments(scene, pens, beside)
    room = max(4, body_height - len(panels) - 1)
    aloud = said_aloud(scene, beside, 4 if narrow else room)
    columns = picture.split(), [*panels, *aloud]
    body = chain(*columns) if narrow else side_by_side(*columns, chart_width + 3)
    return Group(title(scene.ground), Text(caption, no_wrap=True), *body, *keys)


def side_by_side(left: Iterable[Text], right: Iterable[Text], width: int) -> Iterator[Text]:
    """Two columns, the left one so many letters wide."""
    for one, other in zip_longest(left, right, fillvalue=Text()):
        line = one + Text(" " * (width - one.cell_len)) + other
        line.rstrip()
        yield line


def title(ground: CompiledSetup) -> Text:
    """What is played where."""
    mode = "in real time" if ground.setup.mode is Mode.REAL_TIME else "turn by turn"
    line = Text().append(" FATHOM ", "bold reverse")
    line.append("  a submarine duel", "bold")
    names = printable(f"{ground.book.title}, {ground.chart.title}")
    return line.append(f"   {names}, {mode}")


def said_aloud(scene: Scene, width: int, room: int) -> list[Text]:
    """The latest announcements, as many as there is room for."""
    lines: list[str] = []
    for said in reversed(scene.said):
        folded = list(fold(said, width))
        if len(folded) + len(lines) > room:
            break
        lines = [*folded, *lines]
    tinted = [tint(scene.ground, line) for line in lines]
    return [Text().append("Said aloud", "bold"), *tinted] if lines else []


def fold(words: str, width: int) -> Iterator[str]:
    """A sentence in lines of this width; further lines are indented."""
    line = ""
    for word in words.split():
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = " "
        line = f"{line} {word}" if line else word
    yield line


def tint(ground: CompiledSetup, words: str) -> Text:
    """The crews' names in their colours."""
    text = Text(words)
    for crew in CREWS:
        text.highlight_words([colour(ground, crew)], style(ground, crew), case_sensitive=False)
    text.highlight_words(["hit", "sunk", "damage"], "bold")
    return text


# The chart


def draw_chart(scene: Scene, pens: Pens) -> Text:
    """The chart with routes, mines, submarines and what has just exploded."""
    ground, public = scene.ground, scene.public
    picture = Picture(ground.chart, pens)
    for point in bits(ground.old_mines & ~public.old_mines):
        picture.put(point, pens.marks["."])
    for point in bits(public.lava):
        picture.put(point, pens.marks["#"])
    if scene.shade:
        put_shade(picture, scene)
    for crew, boat in scene.boats:
        put_boat(picture, scene, crew, boat)
    for point in bits(scene.bursts):
        picture.put(point, StyledGlyph(pens.burst, BURST))
    for crew, boat in scene.boats:
        if boat.helm.at != DOCK and not scene.bursts >> boat.helm.at & 1:
            picture.put(boat.helm.at, boat_mark(ground, crew))
    return picture.draw()


def put_shade(picture: Picture, scene: Scene) -> None:
    """A question mark wherever the enemy can be."""
    for crew, points in scene.hunted:
        for point in bits(points):
            picture.put(point, StyledGlyph("?", style(scene.ground, crew.other)))


def put_boat(picture: Picture, scene: Scene, crew: Crew, boat: Boat) -> None:
    """Its route and its mines."""
    helm, tone = boat.helm, style(scene.ground, crew)
    which = CREWS.index(crew)
    picture.put_line(RouteLine(helm.route, helm.silent, picture.pens.routes[which], tone))
    for point in bits(helm.mines):
        picture.put(point, StyledGlyph(picture.pens.mines[which], f"bold {tone}"))


def boat_mark(ground: CompiledSetup, crew: Crew) -> StyledGlyph:
    """A submarine."""
    return StyledGlyph(initial(ground, crew), f"bold reverse {style(ground, crew)}")


def legend_of(scene: Scene, pens: Pens) -> list[LegendEntry]:
    """What every mark means."""
    ground = scene.ground
    keys: list[LegendEntry] = []
    for crew, _ in scene.boats:
        which, tone = CREWS.index(crew), style(ground, crew)
        keys.append((boat_mark(ground, crew), colour(ground, crew)))
        keys.append((StyledGlyph(pens.routes[which][0] * 2, tone), "its route"))
        if ground.boxes[0]:
            keys.append((StyledGlyph(pens.mines[which], tone), "its mine"))
    keys.append((StyledGlyph(pens.dot), "silence"))
    keys.append((StyledGlyph(pens.burst, BURST), "explosion"))
    if scene.shade:
        keys.append((StyledGlyph("?"), "where the enemy can be"))
    return keys + legend(ground.chart, pens)


# The crews' instruments


def instruments(scene: Scene, pens: Pens, width: int) -> list[Text]:
    """Both crews, as far as they are to be seen."""
    boats = dict(scene.boats)
    lines = [crew_lines(scene, crew, boats.get(crew), pens, width) for crew in CREWS]
    return [line for crew in lines for line in [*crew, Text()]]


def crew_lines(scene: Scene, crew: Crew, boat: Boat | None, pens: Pens, width: int) -> list[Text]:
    """One crew: hull, gauges, breakdowns, and how well it knows where the enemy is."""
    lines = [heading(scene, crew, boat, pens)]
    if boat is not None:
        lines += gauge_lines(scene, crew, boat, pens, width)
        if broken := breakdowns(scene.ground, boat):
            lines.append(labelled("broken", Text().append(broken, "red")))
    for hunter, points in scene.hunted:
        if hunter is crew:
            lines.append(labelled("hunts", Text(spots(points))))
    return lines


def heading(scene: Scene, crew: Crew, boat: Boat | None, pens: Pens) -> Text:
    """The crew's colour, its submarine's name, its hull, and where it is."""
    ground, called = scene.ground, scene.ground.setup.crews[crew].boat
    tone = f"bold reverse {style(ground, crew)}"
    line = Text().append(f" {colour(ground, crew).upper()} ", tone)
    if called.lower() != colour(ground, crew):
        line.append(f" {called}", "bold")
    line.append("  hull ").append_text(hull(scene, crew, pens))
    if boat is not None and boat.helm.at != DOCK:
        line.append(f"  on {name(boat.helm.at)}")
    return line.append(state_of(scene.public, crew), "bold")


def state_of(public: Public, crew: Crew) -> str:
    """What is special about a crew just now."""
    if public.result is not None:
        won = public.result.winner
        return "  wins" if won is crew else "" if won is None else "  loses"
    if public.surfaced[crew]:
        return "  surfaced"
    return "  to act" if public.turn is not None and public.turn.crew is crew else ""


def hull(scene: Scene, crew: Crew, pens: Pens) -> Text:
    """What is left of the hull."""
    whole = scene.ground.sinks_at
    damage = min(whole, scene.public.damage[crew])
    full, empty = pens.boxes
    return Text().append(full * (whole - damage), "green").append(empty * damage, "bold red")


def gauge_lines(scene: Scene, crew: Crew, boat: Boat, pens: Pens, width: int) -> list[Text]:
    """How far each system is charged."""
    ground = scene.ground
    if ground.energy:
        return [labelled("energy", bar(boat.gauges.energy, ground.energy, pens))]
    service = scene.public.in_service[crew]
    gauges = [
        Text(f"{system.value} ").append_text(bar(filled, boxes, pens, bool(service & system.bit)))
        for system, filled, boxes in zip(SYSTEMS, boat.gauges.boxes, ground.boxes, strict=True)
        if boxes
    ]
    if ground.volcano_gauge:
        marks = scene.public.volcano_marks[crew]
        gauges.append(Text("volcanoes ").append_text(bar(marks, ground.volcano_gauge, pens)))
    return list(packed(gauges, width))


def packed(parts: Sequence[Text], width: int) -> Iterator[Text]:
    """The parts side by side, in as many lines as they need."""
    line = Text(" ")
    for part in parts:
        if line.cell_len + 2 + part.cell_len > width and line.cell_len > 1:
            yield line
            line = Text(" ")
        line = line + Text(" " if line.cell_len == 1 else "  ") + part
    yield line


def bar(filled: int, boxes: int, pens: Pens, in_service: bool = True) -> Text:
    """Boxes, lit when all are full."""
    if not in_service:
        return Text().append("out of service", "dim")
    full, empty = pens.boxes
    tone = "bold green" if filled >= boxes else ""
    return Text().append(full * filled + empty * (boxes - filled), tone)


def breakdowns(ground: CompiledSetup, boat: Boat) -> str:
    """The kinds of system that are out of order."""
    symbols = ground.setup.sheet.symbols if ground.setup.sheet else ()
    crossed = {s.kind for place, s in enumerate(symbols) if boat.engine.crossed >> place & 1}
    return ", ".join(words for kind, words in KINDS.items() if kind in crossed)


def spots(points: Points) -> str:
    """How much there is to search."""
    count = points.bit_count()
    if count == 1:
        return f"the enemy on {name(points.bit_length() - 1)}"
    return f"the enemy on one of {count} points"


def labelled(label: str, value: Text) -> Text:
    """A line of instruments."""
    return Text().append(f"  {label:<7}", "dim").append_text(value)
