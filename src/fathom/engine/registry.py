"""All actions, events and scenarios, learnt from their modules: tables that name none of them."""

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Final

from fathom.engine.action import (
    ABOARD,
    EVERYONE,
    Action,
    EventRules,
    HeardBy,
    Line,
    PublicChange,
    SheetChange,
)
from fathom.engine.base import Event, Order
from fathom.engine.special_rule import SPECIAL_RULES, SpecialRule
from fathom.rules.terrain import TERRAINS
from fathom.words import Kind, Post, System

Changes = tuple[tuple[str, SheetChange], ...]

ACTIONS: Final[dict[type[Order], Action]] = {}
"""By the kind of order."""
EVENTS: Final[dict[type[Event], EventRules]] = {}
"""By the kind of event, what is left of secret ones included."""

OWN: Final[dict[type, Changes]] = {}
"""What a crew's own events do to its sheets."""
EITHER: Final[dict[type, Changes]] = {}
"""What anybody's events do to the sheets of both crews."""
PUBLIC: Final[dict[type, PublicChange]] = {}
"""What announcements do to what everyone knows."""
AUDIENCES: Final[dict[type, HeardBy]] = {}
"""Who hears what of each kind of event."""
PRIVATE: Final[dict[type, Post]] = {}
"""With closed stations, events that only one post of the crew sees (secret.crew)."""
SHOWN: Final[set[type]] = set()
"""Events that the enemy's engineer sees."""
AWAITING: Final[set[type]] = set()
"""Events after which a turn does not end by itself."""
COLOURS: Final[dict[System, Kind]] = {}
"""The colour of the symbols that break each system (breakdown.kinds)."""
AWAITED: Final[dict[str, Callable[[Any], str]]] = {}
"""By what play waits for, the rule that says so."""


def learn(module: ModuleType) -> None:
    """Take in the actions and events of a module."""
    for action in getattr(module, "ACTIONS", ()):
        learn_action(action)
    for rules in getattr(module, "EVENTS", ()):
        learn_event(rules)
    scenario: SpecialRule | None = getattr(module, "SPECIAL_RULE", None)
    if scenario is not None:
        name = scenario.terrain.name
        SPECIAL_RULES[name], TERRAINS[name] = scenario, scenario.terrain


def learn_action(action: Action) -> None:
    """Take in one action."""
    ACTIONS[action.order] = action
    if action.system is not None and action.colour is not None:
        COLOURS[action.system] = action.colour
    if action.awaited is not None:
        what, rule = action.awaited
        AWAITED[what] = rule


def learn_event(rules: EventRules) -> None:
    """Take in one kind of event."""
    kind = rules.event
    if rules.heard != ABOARD and rules.heard == EVERYONE and rules.public is None:
        raise TypeError(f"{kind.__name__} is heard by everyone: say what it does in public")
    EVENTS[kind], AUDIENCES[kind] = rules, rules.heard
    for table, changes in ((OWN, rules.own), (EITHER, rules.either)):
        if changes:
            table[kind] = tuple(changes.items())
    if rules.public is not None:
        PUBLIC[kind] = rules.public
    if rules.post is not None:
        PRIVATE[kind] = rules.post
    if rules.enemy_engineer:
        SHOWN.add(kind)
    if rules.awaits:
        AWAITING.add(kind)


def orders() -> Iterable[type[Order]]:
    """Every kind of order."""
    return tuple(ACTIONS)


def events(*, public: bool = True, secret: bool = True) -> tuple[type[Event], ...]:
    """Every kind of event: those that everyone hears as they stand, and those that are secret."""
    return tuple(
        kind
        for kind, rules in EVENTS.items()
        if not rules.remnant and (public if rules.heard == EVERYONE else secret)
    )


def remnants(audience: HeardBy) -> tuple[type[Event], ...]:
    """What is left of secret events for those who hear a part."""
    return tuple(k for k, rules in EVENTS.items() if rules.remnant and rules.heard == audience)


def lines() -> Iterable[tuple[type[Event], Line, bool]]:
    """How every kind of event is told, and whether a logbook may hold it."""
    return [
        (kind, told, not rules.remnant) for kind, rules in EVENTS.items() for told in rules.lines
    ]
