"""All connections in use: whoever has most makes room, and health checks are answered."""

import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.server.attacks.raw import asked, connected
from tests.server.serving import holds, run, serving

if sys.platform != "linux":
    pytest.skip("only Linux has many addresses of its own", allow_module_level=True)

GET = b"GET %s HTTP/1.1\r\nHost: a\r\n\r\n"
CLOSING = b"GET %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
NO_BODY = b"POST /api/identity HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"


def test_who_waits_to_be_sent_a_body_makes_room(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, AsyncExitStack() as stack:
            http = server.harbour.http
            http.most = 40
            # Somebody's browser, which keeps its only connection.
            reader, writer = await stack.enter_async_context(connected(server.url, "127.0.0.2"))
            writer.write(GET % b"/health")
            await reader.readuntil(b"}")
            for number in range(80):
                own = f"127.0.1.{1 + number % 4}"
                _, other = await stack.enter_async_context(connected(server.url, own))
                other.write(NO_BODY)
            await holds(lambda: len(http) == 40)
            await holds(lambda: all(not one.busy and one.received for one in list(http.all)[1:]))
            for number in range(30):
                answer = await asked(server.url, CLOSING % b"/", f"127.0.2.{1 + number}")
                assert answer.startswith(b"HTTP/1.1 200 ")
            assert http.metrics.limited == 0
            writer.write(GET % b"/health")
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
            # The four have given up as many as each other, as near as can be.
            counts = [len(http.by_name.get(f"127.0.1.{1 + number}", {})) for number in range(4)]
            assert max(counts) - min(counts) <= 1

    run(story())


def test_while_all_are_busy_health_is_answered_and_nothing_else(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, AsyncExitStack() as stack:
            http = server.harbour.http
            http.most = 10
            async with server.harbour.lobby_cache.reading:
                streams = []
                for number in range(10):
                    one = connected(server.url, f"127.0.1.{1 + number}")
                    streams.append(await stack.enter_async_context(one))
                    streams[-1][1].write(GET % b"/api/lobby")
                await holds(lambda: len(http) == 10 and all(one.busy for one in http.all))
                for _ in range(20):
                    answer = await asked(server.url, CLOSING % b"/health/ready")
                    assert answer.startswith(b"HTTP/1.1 200 ")
                answer = await asked(server.url, GET % b"/api/library")
                assert answer.startswith(b"HTTP/1.1 503 ")
                assert b"too-many-connections" in answer
            for reader, _ in streams:
                assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
            answer = await asked(server.url, CLOSING % b"/api/library")
            assert answer.startswith(b"HTTP/1.1 200 ")

    run(story())
