"""One module for each special rule of a chart. They are found by themselves."""

from pkgutil import iter_modules

NAMES = tuple(sorted(found.name for found in iter_modules(__path__)))
