"""One module for each order: all that there is to say about it. They are found by themselves."""

from pkgutil import iter_modules

NAMES = tuple(sorted(found.name for found in iter_modules(__path__)))
