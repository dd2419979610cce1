"""Applying events: the game changes, and nothing is judged."""

from collections.abc import Iterable

from msgspec.structs import replace

from fathom.engine.action import ABOARD, EVERYONE
from fathom.engine.base import Event
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Boat, Game
from fathom.engine.registry import AUDIENCES, EITHER, OWN, Changes
from fathom.words import CREW_A, CREW_B, ByCrew, Crew


def apply(game: Game, event: Event) -> Game:
    """The game after ``event``."""
    kind = type(event)
    ground, public, boats = game.ground, game.public, game.boats
    own = OWN.get(kind)
    if own is not None:
        crew: Crew = event.crew  # type: ignore[attr-defined]
        boats = boats.put(crew, changed(boats[crew], own, event, ground, crew))
    either = EITHER.get(kind)
    if either is not None:
        boats = ByCrew(
            changed(boats.a, either, event, ground, CREW_A),
            changed(boats.b, either, event, ground, CREW_B),
        )
    heard = AUDIENCES[kind]
    if heard is not ABOARD:
        said: Event = event if heard is EVERYONE else heard(event)  # type: ignore[operator]
        public = ground.public_changes[type(said)](public, said, ground)
        if ground.taped:
            boats = ByCrew(taped(boats.a, said), taped(boats.b, said))
    return Game(ground, public, boats)


def changed(boat: Boat, changes: Changes, event: Event, ground: CompiledSetup, crew: Crew) -> Boat:
    """The boat after what the event does to its sheets; the same boat if that is nothing."""
    new = {}
    for sheet, change in changes:
        was = getattr(boat, sheet)
        now = change(was, event, ground, crew)
        if now is not was:
            new[sheet] = now
    return replace(boat, **new) if new else boat


def taped(boat: Boat, said: Event) -> Boat:
    """The boat with one more announcement on the radio operator's tape, unless it is locked."""
    radio = boat.radio
    if radio.locked:
        return boat
    return replace(boat, radio=replace(radio, tape=(*radio.tape, said)))


def apply_all(game: Game, events: Iterable[Event]) -> Game:
    """The game after ``events``."""
    for event in events:
        game = apply(game, event)
    return game
