"""The server is found as `fathom.local`. Everything here stays on the loopback interface."""

import asyncio
import os

import pytest
from zeroconf import (  # type: ignore[attr-defined]  # __all__ lacks the resolver
    AddressResolverIPv4,
    IPVersion,
)
from zeroconf.asyncio import AsyncServiceInfo, AsyncZeroconf

from fathom.server.local_name import announce
from tests.server.serving import run

HERE = ["127.0.0.1"]
NAME = f"fathom-{os.getpid()}"
"""Somebody may be playing on this machine, as `fathom.local`."""


async def ask(zeroconf: AsyncZeroconf, name: str) -> list[str]:
    asked = AddressResolverIPv4(f"{name}.")
    await asked.async_request(zeroconf.zeroconf, 3000)
    return list(asked.parsed_addresses(IPVersion.V4Only))


@pytest.mark.slow
def test_a_server_is_found_by_its_name_and_a_second_machine_takes_the_next() -> None:
    async def story() -> None:
        first = await announce("127.0.0.1", 8470, name=NAME, interfaces=HERE)
        assert first is not None
        assert first.host == f"{NAME}.local"
        friend = AsyncZeroconf(interfaces=HERE, ip_version=IPVersion.V4Only)
        try:
            assert await ask(friend, f"{NAME}.local") == ["127.0.0.1"]
            told = AsyncServiceInfo("_http._tcp.local.", f"{NAME.capitalize()}._http._tcp.local.")
            assert await told.async_request(friend.zeroconf, 3000)
            assert (told.port, told.server) == (8470, f"{NAME}.local.")
            second = await announce("127.0.0.2", 8470, name=NAME, interfaces=HERE)
            assert second is not None
            assert second.host == f"{NAME}-2.local"
            assert await ask(friend, f"{NAME}-2.local") == ["127.0.0.2"]
            await asyncio.gather(first.close(), second.close())
        finally:
            await friend.async_close()

    run(story())
