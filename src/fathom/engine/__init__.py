"""The rules as pure functions. No clock, no dice, no names of people, no I/O."""

from pkgutil import resolve_name

from fathom.engine import actions, blasts, ending, registry, scenarios, sheet_changes, systems

for _shared in (sheet_changes, systems, ending, blasts):
    registry.learn(_shared)
for _package in (actions, scenarios):
    for _name in _package.NAMES:
        registry.learn(resolve_name(f"{_package.__name__}.{_name}"))
