"""Under which addresses a server is found."""

import contextlib
import socket
from functools import cache
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104
"""What a server listens on that is to be reached from other machines."""


@cache
def own_address() -> str | None:
    """This machine's address in its network; nothing is sent to find it out."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return None


def for_friends(page: str, host: str) -> str:
    """The address that a friend's machine can use, for a page that is open on this one.

    Whoever plays on the machine that serves came to it by an address that leads everyone else to
    their own.
    """
    parts = urlsplit(page)
    own = own_address()
    if host not in EVERYWHERE or own is None or not is_loopback(parts.hostname or ""):
        return page
    return f"{parts.scheme}://{own}{'' if parts.port is None else f':{parts.port}'}"


def is_loopback(host: str) -> bool:
    """Whether a name leads to the machine that uses it."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
