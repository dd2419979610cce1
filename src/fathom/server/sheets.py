"""What changed on the sheets, written once for all who may see it.

A fragment is the JSON of one sheet. Seats of a crew share fragments, and so do tabs of a player;
the engine keeps sheets that an event did not change, so ``is`` tells what is new.
"""

from collections.abc import Callable
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, Final

from msgspec import UNSET, Raw, UnsetType
from msgspec.structs import replace

from fathom.engine.compiled_setup import CompiledSetup
from fathom.engine.game import Boat, Film, Game, Public, Radio, Trace
from fathom.engine.knowledge.heard import Heard
from fathom.engine.knowledge.named_view import (
    portray_duty,
    portray_engine,
    portray_gauges,
    portray_helm,
    portray_public,
    systems,
)
from fathom.engine.knowledge.view import SHEETS, Watcher, drawing, holds, sees
from fathom.engine.registry import COLOURS
from fathom.engine.special_rule import SPECIAL_RULES
from fathom.points import members
from fathom.rules import library
from fathom.rules.chart import Chart
from fathom.rules.setup import Setup
from fathom.server.wire import Facts, RadioNews, Sea, encode
from fathom.words import ENGINEER, SYSTEMS, ByCrew, Crew, Seat

ALL_SHEETS: Final = attrgetter(*SHEETS)
NOTHING: Final = (None,) * len(SHEETS)
LABELS: Final = {name: b'"%b":' % name.encode() for name in (*SHEETS, "public", "enemy_hull")}
NULL: Final = b"null"
Fragment = bytes | UnsetType


def visible(ground: CompiledSetup, place: Seat | Watcher) -> tuple[str, ...]:
    """The sheets of its own crew that a seat sees."""
    if isinstance(place, Watcher):
        return ()
    return tuple(name for name in SHEETS if sees(ground, place, name))


def sees_enemy_hull(ground: CompiledSetup, place: Seat | Watcher) -> bool:
    """Whether a seat is shown the enemy's traced hull."""
    return isinstance(place, Seat) and holds(ground, place, ENGINEER)


class Fragments:
    """The sheets that differ between two moments of a game; all of them, without an earlier one."""

    def __init__(self, ground: CompiledSetup, old: Game | None, new: Game) -> None:
        self.ground, self.old, self.new = ground, old, new
        same = old is not None and old.public is new.public
        self.public: Raw | UnsetType = UNSET if same else written_public(new.public)
        """What everyone sees."""
        self.made: dict[Crew | None, CrewFragments] = {}

    def of(self, crew: Crew | None) -> "CrewFragments":
        """What is new for one crew or, without one, for the public."""
        made = self.made.get(crew)
        if made is None:
            made = self.aboard(crew) if crew else CrewFragments(self.public, {}, same_offers=True)
            self.made[crew] = made
        return made

    def aboard(self, crew: Crew) -> "CrewFragments":
        """What is new for a crew, its sheets written."""
        boat, enemy = self.new.boats.sides(crew)
        if self.old is None:
            sheets, hull = changed_sheets(self.ground, None, boat), changed_hull(None, enemy.trace)
            return CrewFragments(self.public, sheets, hull, same_offers=False)
        was, enemy_was = self.old.boats.sides(crew)
        sheets = changed_sheets(self.ground, was, boat)
        if enemy_was.trace is not enemy.trace:
            hull = changed_hull(enemy_was.trace, enemy.trace)
            return CrewFragments(self.public, sheets, hull, same_offers=False)
        same = self.public is UNSET and only_drawn(was, boat)
        return CrewFragments(self.public, sheets, same_offers=same)

    def seen_by_all(self) -> Raw:
        """What is new of what everyone sees, as JSON."""
        return self.of(None).view((), hull=False)

    def everything(self) -> ByCrew[Raw]:
        """All that is new on both crews' sheets, as JSON."""
        return ByCrew.of(lambda crew: object_of(self.of(crew).sheets))


class CrewFragments:
    """What is new for one crew, or for the public, which has no sheets."""

    __slots__ = ("enemy_hull", "news", "public", "same_offers", "sheets")

    def __init__(
        self,
        public: Fragment,
        sheets: dict[str, bytes],
        enemy_hull: Fragment = UNSET,
        *,
        same_offers: bool,
    ) -> None:
        self.public, self.sheets, self.enemy_hull = public, sheets, enemy_hull
        self.same_offers = same_offers
        """Whether nothing has changed on which a seat's choices could depend.

        They depend on all that is public, on its crew's sheets, and on whether there is a hull to
        judge; but not on what is drawn on the transparent sheets, which is what changes most often.
        """
        self.news: tuple[bytes, list[Heard], tuple[str, ...], bool] | None = None
        """What was last told of it, as JSON; and who heard and saw what then."""

    def told_before(
        self, heard: list[Heard], names: tuple[str, ...], *, hull: bool
    ) -> bytes | None:
        """What was told to others who heard and see the same."""
        if self.news is None:
            return None
        told, heard_before, names_before, hull_before = self.news
        same_hull = hull == hull_before or self.enemy_hull is UNSET
        return told if same_hull and names == names_before and heard == heard_before else None

    def view(self, names: tuple[str, ...], *, hull: bool) -> Raw:
        """What is new for a seat that sees the sheets called ``names``, as JSON."""
        found = {name: sheet for name, sheet in self.sheets.items() if name in names}
        if self.public is not UNSET:
            found["public"] = self.public
        if hull and self.enemy_hull is not UNSET:
            found["enemy_hull"] = self.enemy_hull
        return object_of(found)


def object_of(fragments: dict[str, bytes]) -> Raw:
    """Fragments by their names, as JSON."""
    return Raw(b"{%b}" % b",".join([LABELS[name] + json for name, json in fragments.items()]))


def only_drawn(old: Boat, new: Boat) -> bool:
    """Whether nothing but the transparent sheets has changed."""
    return (
        old.helm is new.helm
        and old.duty is new.duty
        and old.gauges is new.gauges
        and old.engine is new.engine
        and old.trace is new.trace
        and old.radio.locked == new.radio.locked
    )


def changed_sheets(ground: CompiledSetup, old: Boat | None, new: Boat) -> dict[str, bytes]:
    """The sheets that differ, or all that there are."""
    if old is new:
        return {}
    before = NOTHING if old is None else ALL_SHEETS(old)
    changed = compress(SHEETS, map(is_not, before, ALL_SHEETS(new)))
    return {name: written(ground, name, old, new) for name in changed}


def changed_hull(old: Trace | None, new: Trace | None) -> Fragment:
    """What the enemy's engineer sees of a hull."""
    was, now = drawing(old), drawing(new)
    # The sheet may go to another hand without anything new on it: the enemy must not see that.
    return UNSET if was == now else encode(now)


def written_public(public: Public) -> Raw:
    return Raw(encode(portray_public(public)))


def written(ground: CompiledSetup, name: str, old: Boat | None, new: Boat) -> bytes:
    """One sheet as JSON; the portraits are given that sheet and nothing else."""
    sheet = getattr(new, name)
    if name == "radio":
        return encode(radio_news(None if old is None else old.radio, sheet))
    if name == "trace":
        return NULL if sheet is None else encode(sheet)
    return encode(PORTRAITS[name](ground, sheet))


PORTRAITS: Final[dict[str, Callable[[CompiledSetup, Any], Any]]] = {
    "duty": portray_duty,
    "helm": portray_helm,
    "gauges": portray_gauges,
    "engine": portray_engine,
}


def radio_news(old: Radio | None, new: Radio) -> RadioNews:
    """What is new at the radio; lines are added much more often than anything else happens."""
    if old is None:
        return RadioNews(films=new.films, tape_from=0, tape=new.tape, locked=new.locked)
    news = film_news(old.films, new.films) if new.films is not old.films else {}
    if new.tape is not old.tape:
        kept = len(old.tape) if new.tape[: len(old.tape)] == old.tape else 0
        news |= {"tape_from": kept, "tape": new.tape[kept:]}
    if new.locked != old.locked:
        news["locked"] = new.locked
    return RadioNews(**news)


def film_news(old: tuple[Film, ...], new: tuple[Film, ...]) -> dict[str, Any]:
    """One thing more, one thing less, or the sheet slid; anything else is told whole."""
    was, now = old[-1], new[-1]
    if len(old) != len(new):
        return {"films": new}
    if was.items == now.items:
        return {"x": now.x, "y": now.y}
    if (was.x, was.y) != (now.x, now.y):
        return {"films": new}
    count = len(was.items)
    if len(now.items) == count + 1 and now.items[:count] == was.items:
        return {"items": now.items[count:]}
    if len(now.items) == count - 1:
        pairs = enumerate(zip(was.items, now.items, strict=False))
        place = next((n for n, (one, other) in pairs if one != other), count - 1)
        if was.items[place + 1 :] == now.items[place:]:
            return {"rubbed": place + 1}
    return {"films": new}


# What never changes


def facts(ground: CompiledSetup) -> Facts:
    """What a client would otherwise have to work out of the set-up."""
    setup, book = ground.setup, ground.book
    energy = {s.value: cost for s, cost in zip(SYSTEMS, ground.costs, strict=True) if cost}
    return Facts(
        colours=ByCrew(*book.colours),
        gauges={s.value: n for s, n in zip(SYSTEMS, ground.boxes, strict=True) if n},
        energy=ground.energy,
        costs=energy,
        systems=systems(ground.systems),
        kinds={s.value: COLOURS[s].value for s in systems(ground.systems)},
        sinks_at=ground.sinks_at,
        blast=(book.blast_direct, ground.near),
        volcano_gauge=ground.volcano_gauge,
        sea=sea(setup.chart),
        posts=book.posts,
    )


def sea(chart: Chart) -> Sea:
    """The chart's points by what they are."""
    count = chart.sector_count
    return Sea(
        across=chart.across,
        down=chart.down,
        sectors=chart.sectors or tuple(str(number) for number in range(1, count + 1)),
        land=members(chart.land),
        ice=members(chart.where(chart.terrain.ice)),
        finish=chart.finish,
        **SPECIAL_RULES[chart.special].drawn(chart),
    )


def shared(setup: Setup) -> Setup:
    """The set-up with the library's own rulebook, chart, sheet and hull where they are the same."""
    found: dict[str, Any] = {}
    if setup.hull == library.hull():
        found["hull"] = library.hull()
    if setup.chart.name in library.chart_names() and library.chart(setup.chart.name) == setup.chart:
        found["chart"] = library.chart(setup.chart.name)
    book = setup.book
    if book.name in library.rulebook_names() and library.rulebook(book.name) == book:
        found["book"] = library.rulebook(book.name)
    sheet = setup.sheet
    if sheet and sheet.name in library.sheet_names() and library.sheet(sheet.name) == sheet:
        found["sheet"] = library.sheet(sheet.name)
    return replace(setup, **found)


def seat_name(place: Seat) -> str:
    """How the log calls a seat."""
    return f"{place.crew.value}{place.number}"


def named_seat(name: str) -> Seat:
    """The seat that the log calls so."""
    return Seat(Crew(name[0]), int(name[1:]))
