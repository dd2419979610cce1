"""Under which addresses a server is found, and from which its clients come."""

import contextlib
import re
import socket
from collections.abc import Iterable
from functools import cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104
"""What a server listens on that is to be reached from other machines."""
HOST: Final = re.compile(
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,99})|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?"
)
"""A name or an address, and a port: all that a browser sends. Names may be longer, but none that
people use are, and a QR code of a long one takes long to make."""
SUBNET: Final = 64
"""Bits of an IPv6 address that are a household's; the others it chooses as it likes."""


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
    address = parsed(host)
    return address is not None and address.is_loopback


def is_host(host: str) -> bool:
    """Whether this can stand in an address, a header or a QR code as it is."""
    return HOST.fullmatch(host) is not None


def parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address as a number; one of IPv4 in the clothes of IPv6 is what it is."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found


def limit_name(address: str) -> str:
    """The name under which an address is counted: whoever has one of IPv6 has a whole subnet."""
    found = parsed(address)
    if found is None:
        return address[:60]
    if isinstance(found, IPv4Address) or found.is_loopback:
        return str(found)
    return str(ip_network((found, SUBNET), strict=False))


class Proxies:
    """Whom the server believes when they say for whom they ask."""

    def __init__(self, trusted: Iterable[str], *, anyone: bool = False) -> None:
        self.networks = tuple(ip_network(name.strip(), strict=False) for name in trusted)
        self.anyone = anyone and not self.networks
        """Whether whoever connects is a proxy, of which there is one."""

    def trusts(self, address: str) -> bool:
        """Whether this is one of them."""
        found = parsed(address)
        return self.anyone or (
            found is not None and any(found in network for network in self.networks)
        )

    def client(self, peer: str, forwarded: Iterable[str]) -> str:
        """From where a request really comes: the last address that is no proxy of ours.

        Each proxy adds the address that connected to it, so what ours have added is true.
        """
        chain = [hop.strip() for line in forwarded for hop in line.split(",") if hop.strip()]
        if self.anyone:
            return chain[-1][:60] if chain else peer
        client = peer
        while self.trusts(client) and chain:
            client = chain.pop()
        return client[:60]
