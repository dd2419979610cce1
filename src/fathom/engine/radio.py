"""The radio operator's transparent sheets: drawing, erasing, sliding."""

from typing import assert_never

from fathom.engine.events import (
    AnyEvent,
    LineDrawn,
    MarkPut,
    NoteWritten,
    Rubbed,
    SheetSlid,
    SheetTaken,
    SheetWiped,
)
from fathom.engine.game import Game, Radio
from fathom.engine.orders import (
    DrawLine,
    NewSheet,
    PutMark,
    Rub,
    SheetOrder,
    SlideSheet,
    WipeSheet,
    WriteNote,
)
from fathom.engine.refusals import Refused, heed
from fathom.engine.tempo import Events
from fathom.words import Crew

FARTHEST = 300
"""How far from its middle a sheet can be written on, in tenths of a point."""
MOST_ITEMS, MOST_FILMS, MOST_SPOTS, LONGEST_NOTE = 400, 40, 200, 40


def write(game: Game, crew: Crew, order: SheetOrder) -> Events:
    """Do something to the sheet, unless it is locked (radio.plot, surface.idle)."""
    heed(writing_hindrance(game, crew))
    if not has_room(game.boats[crew].radio, order):
        raise Refused("radio.erase" if isinstance(order, Rub) else "radio.plot")
    return [written(crew, order)]


def writing_hindrance(game: Game, crew: Crew) -> str:
    """The rule that keeps the radio operator from writing."""
    public = game.public
    if public.result is not None:
        return public.result.why
    if public.stop is not None:
        return "system.stop"
    if game.boats[crew].radio.locked:
        return "surface.idle"
    locked = public.surfaced[crew] and game.ground.book.radio_locked_surfaced
    return "surface.turns" if locked else ""


def has_room(radio: Radio, order: SheetOrder) -> bool:
    """Whether the order fits on the sheet."""
    items = len(radio.films[-1].items)
    match order:
        case DrawLine(line):
            spots_fit = all(on_sheet(x, y) for x, y in line)
            return items < MOST_ITEMS and 2 <= len(line) <= MOST_SPOTS and spots_fit
        case PutMark(x, y):
            return items < MOST_ITEMS and on_sheet(x, y)
        case WriteNote(x, y, text):
            fits = 1 <= len(text) <= LONGEST_NOTE and text.isprintable()
            return items < MOST_ITEMS and on_sheet(x, y) and fits
        case Rub(number):
            return 1 <= number <= items
        case SlideSheet(x, y):
            return abs(x) <= 30 and abs(y) <= 30
        case NewSheet():
            return len(radio.films) < MOST_FILMS
        case WipeSheet():
            return True
    assert_never(order)


def on_sheet(x: int, y: int) -> bool:
    """Whether the spot is on the sheet."""
    return abs(x) <= FARTHEST and abs(y) <= FARTHEST


def written(crew: Crew, order: SheetOrder) -> AnyEvent:
    """What the order does, as an event."""
    match order:
        case DrawLine(line):
            return LineDrawn(crew, line)
        case PutMark(x, y, shape):
            return MarkPut(crew, x, y, shape)
        case WriteNote(x, y, text):
            return NoteWritten(crew, x, y, text)
        case Rub(number):
            return Rubbed(crew, number)
        case WipeSheet():
            return SheetWiped(crew)
        case SlideSheet(x, y):
            return SheetSlid(crew, x, y)
        case NewSheet():
            return SheetTaken(crew)
    assert_never(order)
