"""The radio operator's transparent sheets: drawing, erasing, sliding (radio.plot, radio.erase)."""

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from msgspec.structs import replace

from fathom.engine.action import ABOARD, Action, EventRules, SheetChange, line
from fathom.engine.base import Event, Order
from fathom.engine.choices import endless
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import CHANGE, START_FILM, Film, Game, Item, Radio
from fathom.engine.posts import radio_operators
from fathom.engine.seat_now import SeatNow, seat_now
from fathom.rules.sheet import Spot
from fathom.words import RADIO_OPERATOR, Crew, Seat

Shape: TypeAlias = Literal["dot", "ring", "cross", "question", "mine"]


class DrawLine(Order, frozen=True, tag="line"):
    """Draw on the transparent sheet: a line in tenths of a point, from the sheet's middle."""

    line: tuple[tuple[int, int], ...]


class PutMark(Order, frozen=True, tag="mark"):
    """Put a mark on the transparent sheet."""

    x: int
    y: int
    shape: Shape = "dot"


class WriteNote(Order, frozen=True, tag="note"):
    """Write a few words on the transparent sheet."""

    x: int
    y: int
    text: str


class Rub(Order, frozen=True, tag="rub"):
    """Erase one thing from the transparent sheet, by its number; the last one undoes."""

    number: int


class WipeSheet(Order, frozen=True, tag="wipe"):
    """Erase everything and begin again (radio.erase)."""


class SlideSheet(Order, frozen=True, tag="slide"):
    """Move the sheet over the chart, in whole points from the chart's middle."""

    x: int
    y: int


class NewSheet(Order, frozen=True, tag="new-sheet"):
    """Pin the sheet where it lies and take a new one, as after a silence."""


class LineDrawn(Event, frozen=True, tag="line-drawn"):
    """A line was drawn on the transparent sheet."""

    crew: Crew
    line: tuple[Spot, ...]


class MarkPut(Event, frozen=True, tag="mark-put"):
    """A mark was put on the transparent sheet."""

    crew: Crew
    x: int
    y: int
    shape: Shape


class NoteWritten(Event, frozen=True, tag="note-written"):
    """A note was written on the transparent sheet."""

    crew: Crew
    x: int
    y: int
    text: str


class Rubbed(Event, frozen=True, tag="rubbed"):
    """One thing was erased from the transparent sheet."""

    crew: Crew
    number: int


class SheetWiped(Event, frozen=True, tag="sheet-wiped"):
    """The transparent sheets were erased."""

    crew: Crew


class SheetSlid(Event, frozen=True, tag="sheet-slid"):
    """The sheet was moved over the chart."""

    crew: Crew
    x: int
    y: int


class SheetTaken(Event, frozen=True, tag="sheet-taken"):
    """A new sheet was taken."""

    crew: Crew


# Who may write, and how much

FARTHEST = 300
"""How far from its middle a sheet can be written on, in tenths of a point."""
FARTHEST_SLID = 30
"""How far a sheet can be moved, in points."""
MOST_ITEMS, MOST_FILMS, MOST_SPOTS, LONGEST_NOTE = 400, 40, 200, 40
MOST_DRAWN = 12_000
"""Room on all sheets together, in units of ``Item.cost``: a thousand lines of a few points.

All of it is shown to whoever comes to the table. Wiping makes room."""
MOST_INK = 100_000
"""The same for all that happens on the sheets in one game, for all of it is kept: more than 10,000
changes. A crew that writes down every course of a long game needs about a twentieth of that."""


def may_write(game: Game, seat: Seat) -> bool:
    """Whether this seat's radio operator may write on the transparent sheet."""
    holds = game.ground.posts[seat.crew][seat.number] & RADIO_OPERATOR.bit
    return bool(holds) and not writing(seat_now(game, seat))


def writing(now: SeatNow) -> str:
    """The rule that keeps the radio operator from writing."""
    public = now.public
    if public.result is not None:
        return public.result.why
    if public.stop is not None:
        return "system.stop"
    if now.boat.radio.locked:
        return "surface.idle"
    locked = public.surfaced[now.crew] and now.ground.book.radio_locked_surfaced
    return "surface.turns" if locked else ""


def adds(item: Callable[[Any], Item]) -> Callable[[SeatNow, Any], bool]:
    """There is room for one thing more, and it is on the sheet."""

    def fits(now: SeatNow, order: Any) -> bool:
        radio, new = now.boat.radio, item(order)
        if len(radio.films[-1].items) >= MOST_ITEMS or not on_sheet(new):
            return False
        return radio.drawn + new.cost <= MOST_DRAWN and radio.ink + new.cost <= MOST_INK

    return fits


def on_sheet(item: Item) -> bool:
    """Whether the whole of it is on the sheet."""
    spots = item.line or ((item.x, item.y),)
    return all(abs(x) <= FARTHEST and abs(y) <= FARTHEST for x, y in spots)


def changes(fits: Callable[[Radio, Any], bool]) -> Callable[[SeatNow, Any], bool]:
    """There is something to change, and the record has room for it."""

    def allowed(now: SeatNow, order: Any) -> bool:
        radio = now.boat.radio
        return fits(radio, order) and radio.ink + CHANGE <= MOST_INK

    return allowed


def drawn(order: DrawLine | LineDrawn) -> Item:
    return Item(line=order.line)


def marked(order: PutMark | MarkPut) -> Item:
    return Item(x=order.x, y=order.y, shape=order.shape)


def noted(order: WriteNote | NoteWritten) -> Item:
    return Item(x=order.x, y=order.y, text=order.text)


def line_fits(now: SeatNow, order: DrawLine) -> bool:
    return 2 <= len(order.line) <= MOST_SPOTS and adds(drawn)(now, order)


def note_fits(now: SeatNow, order: WriteNote) -> bool:
    readable = 1 <= len(order.text) <= LONGEST_NOTE and order.text.isprintable()
    return readable and adds(noted)(now, order)


def is_there(radio: Radio, order: Rub) -> bool:
    return 1 <= order.number <= len(radio.films[-1].items)


def over_chart(radio: Radio, order: SlideSheet) -> bool:
    return abs(order.x) <= FARTHEST_SLID and abs(order.y) <= FARTHEST_SLID


# What it does


def on_top(radio: Radio, film: Film, drawn: int = 0) -> Radio:
    """The sheet in use is changed; so much more is drawn on it."""
    films, ink = (*radio.films[:-1], film), radio.ink + max(drawn, CHANGE)
    return replace(radio, films=films, drawn=radio.drawn + drawn, ink=ink)


def adding(item: Callable[[Any], Item]) -> SheetChange:
    """One thing more on the sheet in use."""

    def add(radio: Radio, event: Any, ground: CompiledSetup, crew: Crew) -> Radio:
        film, new = radio.films[-1], item(event)
        return on_top(radio, replace(film, items=(*film.items, new)), new.cost)

    return add


def rub(radio: Radio, event: Rubbed, ground: CompiledSetup, crew: Crew) -> Radio:
    film = radio.films[-1]
    gone = film.items[event.number - 1 : event.number]
    items = film.items[: event.number - 1] + film.items[event.number :]
    return on_top(radio, replace(film, items=items), -sum(item.cost for item in gone))


def wipe(radio: Radio, event: SheetWiped, ground: CompiledSetup, crew: Crew) -> Radio:
    return replace(radio, films=(START_FILM,), drawn=CHANGE, ink=radio.ink + CHANGE)


def slide(radio: Radio, event: SheetSlid, ground: CompiledSetup, crew: Crew) -> Radio:
    return on_top(radio, replace(radio.films[-1], x=event.x, y=event.y))


def take_sheet(radio: Radio, event: SheetTaken, ground: CompiledSetup, crew: Crew) -> Radio:
    return replace(radio, films=(*radio.films, Film()), ink=radio.ink + CHANGE)


def on_the_sheet(
    order: type[Order],
    event: type[Event],
    admits: Callable[[SeatNow, Any], bool],
    rule: str = "radio.plot",
) -> Action:
    """An order of the radio operator; the event has the order's fields."""
    fields = order.__struct_fields__
    return Action(
        order=order,
        posts=radio_operators,
        when=writing,
        choices=endless(admits),
        otherwise=lambda now, order: rule,
        happens=lambda now, order: [event(now.crew, *(getattr(order, f) for f in fields))],
        begins_with=(event,),
    )


def seen_by_operator(event: type[Event], change: SheetChange, template: str) -> EventRules:
    """An event that only the radio operator sees, where stations are closed."""
    return EventRules(
        event=event,
        heard=ABOARD,
        own={"radio": change},
        post=RADIO_OPERATOR,
        lines=(line(template),),
    )


ACTIONS = (
    on_the_sheet(DrawLine, LineDrawn, line_fits),
    on_the_sheet(PutMark, MarkPut, adds(marked)),
    on_the_sheet(WriteNote, NoteWritten, note_fits),
    on_the_sheet(Rub, Rubbed, changes(is_there), rule="radio.erase"),
    on_the_sheet(WipeSheet, SheetWiped, changes(lambda radio, order: True)),
    on_the_sheet(SlideSheet, SheetSlid, changes(over_chart)),
    on_the_sheet(NewSheet, SheetTaken, changes(lambda radio, order: len(radio.films) < MOST_FILMS)),
)

EVENTS = (
    seen_by_operator(LineDrawn, adding(drawn), "{crew} draws a line: {line:spots}"),
    seen_by_operator(MarkPut, adding(marked), "{crew} puts a {shape} at {x:number},{y:number}"),
    seen_by_operator(NoteWritten, adding(noted), "{crew} writes {text} at {x:number},{y:number}"),
    seen_by_operator(Rubbed, rub, "{crew} rubs out item {number}"),
    seen_by_operator(SheetWiped, wipe, "{crew} wipes the sheet"),
    seen_by_operator(SheetSlid, slide, "{crew} slides the sheet to {x:number},{y:number}"),
    seen_by_operator(SheetTaken, take_sheet, "{crew} takes a new sheet"),
)
