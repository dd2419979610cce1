"""What never changes during a game, worked out once from its set-up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import reduce
from itertools import groupby
from operator import or_
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from fathom.engine.action import STAGES, WAITING, Action, Gate, Key, PublicChange
from fathom.engine.base import Order, Orders
from fathom.engine.registry import ACTIONS, COLOURS, PUBLIC
from fathom.engine.special_rule import SPECIAL_RULES, brought_by_scenarios
from fathom.engine.who_may_act import acting, at_any_time, marking, once_over, pens_up
from fathom.points import Point, Points, sector_of
from fathom.rules.rulebook import Boxes
from fathom.rules.setup import Setup
from fathom.words import (
    CREWS,
    ENGINEER,
    HEADINGS,
    SCENARIO,
    SYSTEMS,
    ByCrew,
    Crew,
    Kind,
    Mode,
    Post,
    Referee,
    Seat,
)

if TYPE_CHECKING:
    from fathom.engine.seat_now import SeatNow

T = TypeVar("T")
NO_BOXES = (0,) * len(SYSTEMS)


Entry: TypeAlias = tuple[int, "Callable[[SeatNow], Orders]"]
"""An action in a seat's list: the system that it uses, as a set, and its choices."""
Group: TypeAlias = "tuple[Gate | None, Gate | None, int, tuple[Entry, ...], Orders]"
"""Actions that stand together in a seat's list: their moment and their hindrance, if these have to
be asked; the systems that they use, or 0; and they themselves, or simply their orders if these are
always the same. Plain tuples: they unpack faster."""
Plan: TypeAlias = "tuple[Group, ...]"
"""All that a seat may ever do in a game, in the order of its list."""


class CompiledSetup:
    """The set-up, compiled: masks, tables and who may give which order."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.book = setup.book
        self.pace = setup.pace
        self.chart = setup.chart
        self.house = setup.house
        self.real_time = setup.mode is Mode.REAL_TIME
        self.tracing = self.pace.surfacing == "trace"
        self.taped = setup.house.radio_help != "paper"
        self.open_stations = setup.house.stations == "open"
        self.whole_turn = self.book.activations == "whole-turn"
        self.own_mine_blocks = self.book.own_mine_blocks
        self.old_mine_blocks = self.book.old_mine_blocks
        self.special_rule = SPECIAL_RULES[setup.chart.special]
        self.sinks_at = setup.goal.hull
        self.near = (
            0 if setup.goal.sudden and not self.book.sudden_death_indirect else self.book.blast_near
        )
        self.compile_sea()
        self.compile_sheet()
        self.compile_gauges()
        self.special_rule.compile(self)
        in_service = self.special_rule.in_service
        self.in_service = self.systems if in_service is None else in_service(self)
        self.public_changes = {
            kind: then(change, self.special_rule.announced.get(kind))
            for kind, change in PUBLIC.items()
        }
        """What announcements do to what everyone knows."""
        self.posts = setup.crews.map(
            lambda plan: tuple(sum(post.bit for post in seat.posts) for seat in plan.seats)
        )
        self.engineer_seat = ByCrew.of(lambda crew: self.seat_of(crew, ENGINEER))
        self.allowed = ByCrew.of(self.orders_by_post)
        self.orders_of = ByCrew.of(
            lambda crew: tuple(
                frozenset(kind for kind, allowed in self.allowed[crew].items() if allowed & held)
                for held in self.posts[crew]
            )
        )
        """For each seat, the kinds of order that it may give."""
        played = self.actions_in_play()
        self.activations = tuple(action for action in played.values() if action.system)
        """The actions that use a system."""
        self.referees = referees(played.values())
        """The actions of the referee, in the order of their list."""
        self.actions_of = {
            Seat(crew, number): {kind: played[kind] for kind in played if kind in kinds}
            for crew in CREWS
            for number, kinds in enumerate(self.orders_of[crew])
        }
        """For each seat, its actions by the kind of order; only those that the game has."""
        self.plans: dict[Seat | Referee, dict[str | int, Plan]] = {
            seat: plans_of(self, actions.values()) for seat, actions in self.actions_of.items()
        }
        """For each seat, what it may ever do, before play and at each stage of it."""
        self.pressed = {
            seat: pressed_in(self.systems, actions.values())
            for seat, actions in self.actions_of.items()
        }
        """For each seat, the actions of which it is told why not."""
        self.held = ByCrew.of(
            lambda crew: tuple(
                (posts, self.systems_by(kinds))
                for posts, kinds in zip(self.posts[crew], self.orders_of[crew], strict=True)
            )
        )
        """For each seat its posts, and the systems of this game that it could use."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, CompiledSetup) and self.setup == other.setup

    __hash__ = None  # type: ignore[assignment]

    def named(self, setup: Setup) -> CompiledSetup:
        """The same for a set-up that differs only in names; what was worked out is shared."""
        ground = copy(self)
        ground.setup = setup
        return ground

    def compile_sea(self) -> None:
        """Water, special points and sectors."""
        chart = self.chart
        self.chart_points = chart.all_points
        self.water = chart.water
        self.old_mines: Points = 0
        """Where old mines lie at the start."""
        self.thin_ice: Points = 0
        """Where surfacing costs damage."""
        self.volcanoes: tuple[Point, ...] = ()
        self.lava: tuple[Points, ...] = ()
        """For each volcano, what becomes land when its lava flows."""
        self.volcano_gauge = 0
        """How many weapons wake the volcanoes."""
        self.repair_at: tuple[Points, ...] = NO_BOXES
        """For each system, where it can be repaired."""
        self.finish = sum(1 << point for point in chart.finish)
        self.sectors = tuple(sector_of(point, chart.sectors_across) for point in range(16 * 16))
        self.sector_points = tuple(
            self.points_of(sector) for sector in range(chart.sector_count + 1)
        )

    def points_of(self, sector: int) -> Points:
        """All points of a sector, land included."""
        inside = self.chart.all_points
        return sum(1 << p for p in range(256) if inside >> p & 1 and self.sectors[p] == sector)

    def compile_sheet(self) -> None:
        """The engineer's sheet as masks of symbols."""
        symbols = self.setup.sheet.symbols if self.setup.sheet else ()
        self.symbols = {symbol.name: place for place, symbol in enumerate(symbols)}
        self.symbol_names = tuple(self.symbols)
        self.panels = {
            heading.value: sum(1 << i for i, s in enumerate(symbols) if s.panel is heading)
            for heading in HEADINGS
        }
        circuits = self.setup.sheet.circuits if self.setup.sheet else ()
        self.circuits = {
            name: sum(1 << i for i, s in enumerate(symbols) if s.circuit == name)
            for name in circuits
        }
        of_kind = {
            kind: sum(1 << i for i, s in enumerate(symbols) if s.kind is kind) for kind in Kind
        }
        self.radiation = of_kind[Kind.RADIATION]
        self.circuit_of = tuple(symbol.circuit for symbol in symbols)
        self.panel_of = tuple(self.panels[symbol.panel.value] for symbol in symbols)
        self.kind_of = tuple((of_kind[symbol.kind], symbol.kind) for symbol in symbols)
        """For each symbol all that are of its kind, and the kind."""
        self.weapon_symbols = of_kind[Kind.RED]
        self.colours = tuple(
            (of_kind[kind], sum(system.bit for system, colour in COLOURS.items() if colour is kind))
            for kind in (Kind.RED, Kind.GREEN, Kind.YELLOW)
        )
        """For each colour its symbols, and the systems that they break (breakdown.kinds)."""
        self.all_symbols = (1 << len(symbols)) - 1
        self.broken: dict[int, int] = {}
        """By the symbols crossed out, the systems that they break; kept as they come up."""
        self.crossings: dict[int, Orders] = {}
        """By the symbols that are free, the orders to cross one out; kept as they come up."""

    def compile_gauges(self) -> None:
        """How many boxes each gauge has, what may be charged, and what systems cost."""
        gauges: Boxes = self.pace.gauges
        scenario = self.chart.gauge if self.special_rule.has_system else 0
        self.boxes = tuple(
            scenario if system is SCENARIO else getattr(gauges, system.value) for system in SYSTEMS
        )
        self.gauged = sum(1 << place for place, boxes in enumerate(self.boxes) if boxes)
        energy = self.book.energy
        self.energy = energy.boxes if energy else 0
        self.costs = tuple(getattr(energy, system.value, 0) for system in SYSTEMS)
        self.affordable = tuple(
            sum(s.bit for s in self.book.systems if self.costs[s.index] <= level)
            for level in range(self.energy + 1)
        )
        """For each level of energy, the systems that it pays for (energy.gauge)."""
        self.systems = sum(system.bit for system in self.book.systems) | (
            SCENARIO.bit if scenario else 0
        )

    def orders_by_post(self, crew: Crew) -> dict[type[Order], int]:
        """For each kind of order, the posts that may give it (crew.orders, system.who)."""
        by_posts = {kind: action.posts(self, crew) for kind, action in ACTIONS.items()}
        return {kind: posts for kind, posts in by_posts.items() if posts}

    def actions_in_play(self) -> dict[type[Order], Action]:
        """The actions that this game has: not those of other scenarios."""
        elsewhere = frozenset(brought_by_scenarios())
        return {
            kind: action
            for kind, action in ACTIONS.items()
            if action.in_play(self) and (kind not in elsewhere or kind in self.special_rule.orders)
        }

    def systems_by(self, kinds: frozenset[type]) -> int:
        """The systems that can be used by giving these kinds of order."""
        systems = (ACTIONS[kind].system for kind in kinds)
        return reduce(or_, (system.bit for system in systems if system), 0) & self.systems

    def seat_of(self, crew: Crew, post: Post) -> int:
        """The number of the seat that holds ``post``, or 0 where nobody does."""
        return next((n for n, posts in enumerate(self.posts[crew]) if posts & post.bit), 0)


def then(change: PublicChange, more: PublicChange | None) -> PublicChange:
    """A change, and another one after it."""
    if more is None:
        return change
    return lambda public, event, ground: more(change(public, event, ground), event, ground)


def plans_of(setup: CompiledSetup, actions: Iterable[Action]) -> dict[str | int, Plan]:
    """What a seat with these actions may do before play, and at each stage of play."""
    had = [a for a in actions if a.system is None or a.system.bit & setup.systems]
    plans: dict[str | int, Plan] = {
        "placing": plan([(a.listed.placing, a) for a in had], OPEN),
        "over": (),
    }
    for stage in STAGES:
        may_come = [a for a in had if a.stages(setup) & stage and not closed_at(stage, a.when)]
        ranked = [(a.listed.playing, a) for a in may_come]
        plans[stage] = plan(ranked, OPEN if stage == WAITING else OPEN_TO_ACT, stage)
    return plans


OPEN = (at_any_time, once_over)
"""Gates that are open while a game lasts."""
OPEN_TO_ACT = (*OPEN, acting, marking, pens_up)
"""Gates that are open to a crew that may act."""


def closed_at(stage: int, when: Gate) -> bool:
    """Whether the stage itself says that a gate is closed."""
    return stage == WAITING and when is acting


def plan(
    ranked: Iterable[tuple[int | None, Action]], open_now: tuple[Gate, ...], stage: int = 0
) -> Plan:
    """The actions by their ranks, those together that the same keeps from coming."""
    gates = [
        (
            None if action.when in open_now else action.when,
            None if action.free_at & stage else action.hindrance,
            action,
        )
        for action in by_rank(ranked)
    ]
    groups = groupby(
        gates,
        key=lambda entry: (*entry[:2], entry[2].system is None, bool(entry[2].choices.always)),
    )
    return tuple(
        group(when, hindrance, [action for _, _, action in entries])
        for (when, hindrance, *_), entries in groups
    )


def by_rank(ranked: Iterable[tuple[int | None, Action]]) -> list[Action]:
    """The actions that have a rank, in that order."""
    found = [(rank, action) for rank, action in ranked if rank is not None]
    return [action for _, action in sorted(found, key=lambda pair: pair[0])]


def group(when: Gate | None, hindrance: Gate | None, actions: Sequence[Action]) -> Group:
    """Actions that the same keeps from coming."""
    systems = reduce(or_, (action.system.bit for action in actions if action.system), 0)
    if not systems and actions[0].choices.always:
        always = tuple(order for action in actions for order in action.choices.always)
        return when, hindrance, 0, (), always
    entries = tuple(
        (action.system.bit if action.system else 0, action.choices.orders) for action in actions
    )
    return when, hindrance, systems, entries, ()


def referees(actions: Iterable[Action]) -> tuple[Action, ...]:
    """The actions that the referee may take, in the order of their list."""
    return tuple(by_rank((action.listed.referee, action) for action in actions))


def pressed_in(systems: int, actions: Iterable[Action]) -> tuple[tuple[Key, Action], ...]:
    """The actions that have keys, in the order in which these are told."""
    keyed = [
        (key, action)
        for action in actions
        for key in action.keys
        if action.system is None or action.system.bit & systems
    ]
    return tuple(sorted(keyed, key=lambda pair: pair[0].place))


MOST_KEPT = 4096


def keep(kept: dict[int, T], key: int, value: T) -> None:
    """Keep what was worked out, but not without end."""
    if len(kept) >= MOST_KEPT:
        kept.clear()
    kept[key] = value
