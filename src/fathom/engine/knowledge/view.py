"""Who may know what. A view is built up from an allow-list, never stripped down from the state."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from fathom.engine.base import Event
from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Duty, Engine, Game, Gauges, Helm, Public, Radio, Trace, TracedSection
from fathom.engine.knowledge.announce import announce
from fathom.engine.knowledge.heard import Announcement, Heard
from fathom.engine.registry import EITHER, EVENTS, OWN, PRIVATE, SHOWN
from fathom.words import CAPTAIN, ENGINEER, FIRST_MATE, RADIO_OPERATOR, Crew, Post, Seat


class Watcher(Struct, frozen=True, gc=False):
    """A spectator, who knows what both crews know in public (secret.spectators)."""


WATCHER = Watcher()


class Drawing(Struct, frozen=True, gc=False):
    """A surfaced enemy's traced hull, as far as it is shown."""

    sections: tuple[TracedSection | None, ...]
    good: bool


class View(Struct, frozen=True, gc=False):
    """What one seat sees: the table, and those sheets that it may look at."""

    public: Public
    seat: Seat | None = None
    duty: Duty | None = None
    helm: Helm | None = None
    gauges: Gauges | None = None
    engine: Engine | None = None
    radio: Radio | None = None
    trace: Trace | None = None
    enemy_hull: Drawing | None = None
    """The enemy's traced hull, for the engineer."""


SHEETS = ("duty", "helm", "gauges", "engine", "radio", "trace")
HOLDERS: dict[str, Post] = {
    "helm": CAPTAIN,
    "gauges": FIRST_MATE,
    "engine": ENGINEER,
    "radio": RADIO_OPERATOR,
}


def view(game: Game, seat: Seat | Watcher) -> View:
    """What ``seat`` sees now."""
    if isinstance(seat, Watcher):
        return View(game.public)
    boat = game.boats[seat.crew]
    sheets = {name: getattr(boat, name) for name in SHEETS if sees(game.ground, seat, name)}
    if holds(game.ground, seat, ENGINEER):
        sheets["enemy_hull"] = drawing(game.boats[seat.crew.other].trace)
    return View(game.public, seat, **sheets)


def holds(ground: CompiledSetup, seat: Seat, post: Post) -> bool:
    """Whether the seat holds the post."""
    return bool(ground.posts[seat.crew][seat.number] & post.bit)


def sees(ground: CompiledSetup, seat: Seat, sheet: str) -> bool:
    """Whether the seat may look at a sheet of its own crew (secret.crew)."""
    holder = HOLDERS.get(sheet)
    if holder is None or ground.open_stations:
        return True
    if holder not in ground.book.posts:
        # The family game's energy gauge is on the captain's sheet.
        holder = CAPTAIN
    return holds(ground, seat, holder)


def overhear(ground: CompiledSetup, event: Event, seat: Seat | Watcher) -> Heard | None:
    """What ``seat`` learns of ``event`` as it happens."""
    return share(ground, event, announce(event), seat)


def share(
    ground: CompiledSetup, event: Event, said: Announcement | None, seat: Seat | Watcher
) -> Heard | None:
    """What ``seat`` learns of ``event``, of which everyone hears what is ``said``."""
    if isinstance(seat, Watcher):
        return said
    if getattr(event, "crew", None) is seat.crew:
        return event if ground.open_stations else within_crew(ground, event, seat)
    if type(event) in SHOWN and holds(ground, seat, ENGINEER):
        return event
    return said


def kept_by(event: Event, said: Announcement | None) -> Crew | None:
    """The crew that alone learns of ``event``, if only one does."""
    if said is not None or type(event) in SHOWN:
        return None
    return getattr(event, "crew", None)


def within_crew(ground: CompiledSetup, event: Event, seat: Seat) -> Heard | None:
    """Within a crew with closed stations: one's own post's, and what is said."""
    post = PRIVATE.get(type(event))
    if post is None or holds(ground, seat, post):
        return event
    left = EVENTS[type(event)].aboard
    return None if left is None else left(event)


def follow(ground: CompiledSetup, view: View, heard: Heard | None) -> View:
    """The view after what was heard: where the server's view is, too."""
    if heard is None:
        return view
    changes = follow_sheets(ground, view, heard, view.seat) if view.seat else {}
    said = announce(heard)
    if said is not None:
        changes["public"] = ground.public_changes[type(said)](view.public, said, ground)
        radio = changes.get("radio", view.radio)
        if ground.taped and radio is not None and not radio.locked:
            changes["radio"] = replace(radio, tape=(*radio.tape, said))
    return replace(view, **changes)


def follow_sheets(ground: CompiledSetup, view: View, heard: Heard, seat: Seat) -> dict[str, Any]:
    """What was heard, carried over to the sheets that the seat sees."""
    crew: Crew | None = getattr(heard, "crew", None)
    own = OWN.get(type(heard), ()) if crew is seat.crew else ()
    changes = {
        sheet: change(getattr(view, sheet), heard, ground, seat.crew)
        for sheet, change in (*own, *EITHER.get(type(heard), ()))
        if sees(ground, seat, sheet)
    }
    if crew is seat.crew.other and holds(ground, seat, ENGINEER):
        changes["enemy_hull"] = follow_drawing(ground, view.enemy_hull, heard, crew)
    return changes


def follow_drawing(
    ground: CompiledSetup, seen: Drawing | None, heard: Heard, enemy: Crew
) -> Drawing | None:
    """The enemy's traced hull after what was heard."""
    change = dict(OWN.get(type(heard), ())).get("trace")
    if change is None:
        return seen
    trace = Trace(0, seen.sections, seen.good) if seen else None
    return drawing(change(trace, heard, ground, enemy))


def drawing(trace: Trace | None) -> Drawing | None:
    """What the enemy engineer sees of a traced hull."""
    return Drawing(trace.sections, trace.good) if trace else None
