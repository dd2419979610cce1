"""The time of day, in milliseconds since 1970."""

import time
from typing import Final

DAY: Final = 86_400_000
"""Milliseconds of a day."""


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
