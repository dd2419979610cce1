"""What a module says about its orders and events. All else is derived from it.

Each module of ``actions`` and ``scenarios`` has a tuple ``ACTIONS`` and a tuple ``EVENTS``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fathom.engine.base import Event, Events, Order
from fathom.words import Crew, Kind, Post, System

if TYPE_CHECKING:
    from fathom.engine.choices import ActionChoices
    from fathom.engine.compiled_setup import CompiledSetup
    from fathom.engine.game import Duty, Game, Public
    from fathom.engine.seat_now import SeatNow

Gate: TypeAlias = "Callable[[SeatNow], str]"
"""The rule that keeps a seat from something now, or nothing."""

EndsTurn: TypeAlias = "Callable[[CompiledSetup, Duty], bool]"
"""Whether a turn is over with an order, by what the crew in turn owed before it."""
SheetChange: TypeAlias = "Callable[[Any, Any, CompiledSetup, Crew], Any]"
"""A sheet, an event, the set-up and the crew whose sheet it is: the new sheet."""
PublicChange: TypeAlias = "Callable[[Public, Any, CompiledSetup], Public]"


def marks_made(setup: CompiledSetup, duty: Duty) -> bool:
    """The turn is over with this order if no mark of the crew in turn is due."""
    return duty.charge == "none" and duty.cross == "none"


WAITING: Final = 1
"""The crew may not act: it is not its turn, play is stopped, or it is afloat."""
MARKING: Final = 2
"""It may act, and a mark of first mate or engineer is due."""
SAILING: Final = 4
"""It may act, and a course is to come; in real time, whenever no mark is due."""
SAILED: Final = 8
"""It may act, the turn's course is set, and its marks are made."""
STAGES: Final = (WAITING, MARKING, SAILING, SAILED)
ANY_STAGE: Final = WAITING | MARKING | SAILING | SAILED
NO_STAGE: Final = 0


def at(stages: int) -> Callable[[CompiledSetup], int]:
    """The same stages in every game."""
    return lambda setup: stages


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Listed:
    """Where an action's orders stand in the lists that are made of all actions."""

    placing: int | None = None
    """Among the legal orders of a seat before play begins."""
    playing: int | None = None
    """Among the legal orders of a seat during play."""
    referee: int | None = None
    """Among the referee's legal orders; without it, the referee may not give them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Key:
    """What a seat presses to give an order, by name: why it may not is told under that name."""

    place: int
    """Where it stands among all keys."""
    names: Callable[[SeatNow], Iterable[tuple[str, Order]]]
    """The names, each with an order that is tried for it."""
    each: bool = False
    """Whether each name stands for its one order; else the one name stands for all choices."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Action:
    """Everything about one kind of order."""

    order: type[Order]
    posts: Callable[[CompiledSetup, Crew], int]
    """The posts that may give it (crew.orders, system.who)."""
    when: Gate
    """The moment: what keeps a whole group of actions from coming now."""
    hindrance: Gate | None = None
    """What keeps just this one from coming now, whatever it is aimed at."""
    choices: ActionChoices
    """What may be chosen now, if nothing hinders it."""
    otherwise: Callable[[SeatNow, Any], str]
    """The rule that forbids what is not among the choices."""
    happens: Callable[[SeatNow, Any], Events]
    """What an order among the choices brings about."""
    listed: Listed = Listed()
    system: System | None = None
    """The system that it uses: it must be in service, charged and intact."""
    colour: Kind | None = None
    """The colour of the symbols that break that system (breakdown.kinds)."""
    in_play: Callable[[CompiledSetup], bool] = lambda setup: True
    """Whether a game has such orders at all."""
    stages: Callable[[CompiledSetup], int] = lambda setup: ANY_STAGE
    """The stages of play outside which it is never legal in such a game: lists leave it out."""
    free_at: int = NO_STAGE
    """Stages at which its own hindrance never holds, by what they mean: lists need not ask."""
    ends_turn: EndsTurn | None = None
    """Whether the turn is over with it; none if never."""
    keys: tuple[Key, ...] = ()
    begins_with: tuple[type[Event], ...] = ()
    """The events that may be the first that it brings about."""
    may_begin: Callable[[Any], bool] = lambda event: True
    """Whether it can have brought about such an event, by what that tells."""
    crew_behind: Callable[[Any], Crew | None] = lambda event: event.crew
    """The crew whose order began with an event; none if it was the referee's."""
    behind: Callable[[Game, Any], Order | None] | None = None
    """The order by its first event, where their fields differ."""
    awaited: tuple[str, Callable[[CompiledSetup], str]] | None = None
    """What play waits for until such an order comes, and the rule that says so."""
    on_behalf: Callable[[Game], Crew] | None = None
    """The crew for which the referee gives it, if the referee does."""

    def hindered(self, now: SeatNow) -> str:
        """The rule that keeps the action from coming now, whatever it is aimed at."""
        return self.when(now) or (self.hindrance(now) if self.hindrance else "")


HeardBy: TypeAlias = Callable[[Any], Event] | Literal["by everyone", "aboard"]
EVERYONE: Final = "by everyone"
"""Enemy and public hear of the event as it stands."""
ABOARD: Final = "aboard"
"""Nobody outside the crew hears of it."""

Line: TypeAlias = tuple[str, dict[str, Any]]


def line(template: str, **fixed: Any) -> Line:
    """How an event is told in a logbook; what the template does not name has these values."""
    return template, fixed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EventRules:
    """Everything about one kind of event."""

    event: type[Event]
    heard: HeardBy
    """What enemy and public hear: the event as it stands, nothing, or what this makes of it."""
    lines: tuple[Line, ...]
    """How it is told in a logbook: in the first of these that tells all."""
    own: dict[str, SheetChange] = field(default_factory=dict)
    """What it does to the sheets of its own crew."""
    either: dict[str, SheetChange] = field(default_factory=dict)
    """What it does to the sheets of both crews."""
    public: PublicChange | None = None
    """What it does to what everyone knows; needed by all that is heard."""
    post: Post | None = None
    """With closed stations, the only post of the crew that sees it (secret.crew)."""
    aboard: Callable[[Any], Event] | None = None
    """With closed stations, what is left of it for the others of the crew."""
    enemy_engineer: bool = False
    """Whether the enemy's engineer sees it."""
    awaits: bool = False
    """Whether the turn goes on after it: somebody is awaited, or there are no more turns."""
    remnant: bool = False
    """Whether it is what is left of a secret event for those who hear a part; never recorded."""
