"""The server's name on its own network, `fathom.local`, told by multicast DNS."""

import logging
import socket
from collections.abc import Sequence
from typing import Final

from zeroconf import (  # type: ignore[attr-defined]  # __all__ lacks the resolver
    AddressResolverIPv4,
    Error,
    InterfaceChoice,
    IPVersion,
    ServiceInfo,
)
from zeroconf.asyncio import AsyncZeroconf

NOTES: Final = logging.getLogger("fathom.server")
NAME: Final = "fathom"
ASK_SECONDS: Final = 1.0
"""How long another machine may take to say that the name is its own."""
MOST_TRIED: Final = 9


class LocalName:
    """Answers those who ask for the name, until it is closed."""

    def __init__(self, zeroconf: AsyncZeroconf, host: str) -> None:
        self.zeroconf = zeroconf
        self.host = host

    async def close(self) -> None:
        """Say goodbye, so that nobody keeps the name in mind."""
        await self.zeroconf.async_unregister_all_services()
        await self.zeroconf.async_close()


async def announce(
    address: str,
    port: int,
    *,
    name: str = NAME,
    tls: bool = False,
    interfaces: Sequence[str] | InterfaceChoice = InterfaceChoice.All,
) -> LocalName | None:
    """Take the name, or the next that is free; None, and a note, if the network won't have it."""
    try:
        zeroconf = AsyncZeroconf(interfaces=interfaces, ip_version=IPVersion.V4Only)
    except OSError as bad:
        NOTES.warning("the server can't be found as %s.local: %s", name, bad.strerror)
        return None
    try:
        host = await free_name(zeroconf, name, address)
        kind = f"_{'https' if tls else 'http'}._tcp.local."
        info = ServiceInfo(
            kind,
            f"{name.capitalize()}.{kind}",
            port,
            properties={"path": "/"},
            server=f"{host}.",
            parsed_addresses=[address],
        )
        # First nobody must object, then everybody is told.
        await (await zeroconf.async_register_service(info, allow_name_change=True))
    except (OSError, Error) as bad:
        NOTES.warning("the server can't be found as %s.local: %s", name, bad)
        await zeroconf.async_close()
        return None
    return LocalName(zeroconf, host)


async def free_name(zeroconf: AsyncZeroconf, name: str, address: str) -> str:
    """`fathom.local`, unless another machine answers to it; then `fathom-2.local`, and so on."""
    for number in range(1, MOST_TRIED + 1):
        host = f"{name}.local" if number == 1 else f"{name}-{number}.local"
        asked = AddressResolverIPv4(f"{host}.")
        found = await asked.async_request(zeroconf.zeroconf, ASK_SECONDS * 1000)
        if not found or address in asked.parsed_addresses(IPVersion.V4Only):
            return host
    return f"{name}-{socket.gethostname()}.local"
