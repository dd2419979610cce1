"""Tells the duels in this folder anew, and the table of lines in docs/logbook.md.

``python -m tests.duels`` keeps every game and only renews how it is told; ``python -m tests.duels
draw misuse`` plays these anew.
"""

import sys

from tests.duels.files import path, renew
from tests.duels.recipes import RECIPES
from tests.duels.samples import DOCS, renewed_docs

for name in sys.argv[1:]:
    path(name).unlink(missing_ok=True)
for recipe in RECIPES:
    path(recipe.name).write_bytes(renew(recipe).encode())
    sys.stdout.write(f"{recipe.name}\n")
DOCS.write_text(renewed_docs(), encoding="utf-8", newline="\n")
