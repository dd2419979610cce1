"""Environments for learning and search: PettingZoo, OpenSpiel, and batches on the fast core.

Importing this package registers an id with PettingZoo for every rulebook, mode and level
(``fathom.env.ids``). It needs the extra ``lab``.
"""

try:
    import gymnasium  # noqa: F401 (here it is only asked whether they are there)
    import numpy as np  # noqa: F401
    import pettingzoo  # noqa: F401
except ImportError as missing:
    raise ImportError(
        "fathom.env needs packages that are not installed: run `pip install 'fathom-sonar[lab]'`"
    ) from missing

from fathom.env.ids import IDS, register

__all__ = ["IDS"]

register()
