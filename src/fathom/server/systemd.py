"""Tells systemd how the service is (``Type=notify``), and that it is alive (``WatchdogSec=``).

Without systemd, which names its socket in the environment, nothing is told to anyone.
"""

import asyncio
import contextlib
import os
import socket
from typing import Final

MICROSECONDS: Final = 1_000_000


def notify(*lines: str) -> None:
    """Tell systemd something, such as ``READY=1``."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place.startswith(("/", "@")) or not hasattr(socket, "AF_UNIX"):
        return
    # A socket without a file has a zero byte where its name has an @.
    address = f"\0{place[1:]}" if place[0] == "@" else place
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as teller,
    ):
        teller.sendto("\n".join(lines).encode(), address)


def watchdog_seconds() -> float | None:
    """How often systemd wants to hear of this process: twice in the time that it waits."""
    wanted, who = os.environ.get("WATCHDOG_USEC", ""), os.environ.get("WATCHDOG_PID")
    if not wanted.isdigit() or who not in (None, str(os.getpid())):
        return None
    return int(wanted) / MICROSECONDS / 2


async def keep_alive() -> None:
    """Tell systemd again and again that the event loop runs."""
    pause = watchdog_seconds()
    while pause is not None:
        notify("WATCHDOG=1")
        await asyncio.sleep(pause)
