"""The server is found as `fathom.local`. Everything here stays on the loopback interface."""

import os
from contextlib import AsyncExitStack

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
PATIENCE = 30
"""Seconds to wait for an answer. It comes at once, unless the machine is busy."""


async def ask(zeroconf: AsyncZeroconf, name: str) -> list[str]:
    asked = AddressResolverIPv4(f"{name}.")
    await asked.async_request(zeroconf.zeroconf, PATIENCE * 1000)
    return list(asked.parsed_addresses(IPVersion.V4Only))


@pytest.mark.slow
def test_a_server_is_found_by_its_name_and_a_second_machine_takes_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("fathom.server.local_name.ASK_SECONDS", 4)

    async def story() -> None:
        # uvloop waits for open sockets when its loop closes, so a failed story closes them, too.
        async with AsyncExitStack() as opened:
            first = await announce("127.0.0.1", 8470, name=NAME, interfaces=HERE)
            assert first is not None
            opened.push_async_callback(first.close)
            assert first.host == f"{NAME}.local"
            friend = AsyncZeroconf(interfaces=HERE, ip_version=IPVersion.V4Only)
            opened.push_async_callback(friend.async_close)
            assert await ask(friend, f"{NAME}.local") == ["127.0.0.1"]
            told = AsyncServiceInfo("_http._tcp.local.", f"{NAME.capitalize()}._http._tcp.local.")
            assert await told.async_request(friend.zeroconf, PATIENCE * 1000)
            assert (told.port, told.server) == (8470, f"{NAME}.local.")
            # The first machine answers `NAME.local`, and nobody `NAME-2.local`.
            second = await announce("127.0.0.2", 8470, name=NAME, interfaces=HERE)
            assert second is not None
            opened.push_async_callback(second.close)
            assert second.host == f"{NAME}-2.local"
            assert await ask(friend, f"{NAME}-2.local") == ["127.0.0.2"]

    run(story())
