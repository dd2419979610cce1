"""Requests that are none, or strange: a short answer, and no line that a stranger wrote."""

import json
import os
import signal
from pathlib import Path

import aiohttp
import pytest

from fathom import client as fathom_client
from fathom.client import Client
from tests.server.attacks.raw import asked, connected
from tests.server.crashes import ServerProcess
from tests.server.serving import QUICK, begun, holds, run, serving

GET = "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
OPERATOR = "operator"
LONG = "/" + "a" * 5000
STRANGE_HOSTS = [
    "evil.example; script-src *",
    "[",
    "[::1",
    "a b",
    "user@evil.example",
    "evil.example/path",
    '"><svg/onload=alert(1)>',
    "x" * 300,
    "host:port",
    "",
]
MALFORMED = [
    b"SECRETWORD\r\n\r\n",
    b"GET / HTTP/9.9\r\nSECRETWORD\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: SECRETWORD\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nSECRETWORD\x00: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfcSECRETWORD\r\n\r\n",
    b"GET /" + b"SECRETWORD" * 1000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
    b"GET /SECRETWORD\xff\xfe%00%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    b"POST /api/identity HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nSECRETWORD\r\n",
]


@pytest.mark.parametrize("path", [LONG, LONG + ".js", "/assets/" + "b/" * 500, "/%00", "/\\..\\x"])
def test_a_strange_path_is_a_page_or_nothing(path: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            answer = await asked(server.url, GET.format(path=path, host="a").encode())
            assert answer.split(b" ")[1] in (b"200", b"404")
            assert server.harbour.metrics.faults == 0

    run(story())


@pytest.mark.parametrize("host", STRANGE_HOSTS)
def test_a_strange_host_is_refused_and_repeated_nowhere(host: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, host="0.0.0.0") as server:  # noqa: S104
            ann = await server.player("Ann")
            code = await server.table(ann, QUICK)
            for path in ("/", f"/api/tables/{code}/qr.svg", f"/api/tables/{code}/link"):
                answer = await asked(server.url, GET.format(path=path, host=host).encode())
                assert answer.split(b" ")[1] == b"400"
                assert b"'self';" in answer
                assert not host or host.encode() not in answer
            assert server.harbour.metrics.faults == 0

    run(story())


@pytest.mark.parametrize("host", ["localhost", "sonar.example:443", "[::1]:8470", "192.168.0.7:80"])
def test_a_host_that_is_one_may_be_connected_to(host: str, tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            answer = await asked(server.url, GET.format(path="/", host=host).encode())
            assert answer.split(b" ")[1] == b"200"
            assert f"connect-src 'self' ws://{host} wss://{host};".encode() in answer

    run(story())


STRANGE_HEADERS = [
    ("POST", b"Origin: http://[", 403, "bad-origin"),
    ("POST", "Origin: http://℀.com".encode(), 403, "bad-origin"),
    ("POST", b"Origin: \xff\xfe", 403, "bad-origin"),
    ("GET", b"Authorization: Bearer \xff\xfe0123456789abcdef", 401, "bad-token"),
    ("GET", "Authorization: Bearer ℀℀℀℀℀℀℀℀℀℀℀℀℀℀℀℀".encode(), 401, "bad-token"),
    ("GET", b"Expect: \xff", 400, "bad-message"),
    ("GET", b"X: " + b"SECRETWORD" * 2000, 400, "bad-message"),
    ("POST", b"Content-Length: 2\r\n\r\n{}" + b"\x00\xff" * 20_000, 400, "bad-message"),
]


@pytest.mark.parametrize(("method", "header", "status", "error"), STRANGE_HEADERS)
def test_a_strange_header_is_answered_briefly_and_noted_nowhere(
    *,
    method: str,
    header: bytes,
    status: int,
    error: str,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            head = f"{method} /api/identity HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
            answer = await asked(server.url, head.encode() + header + b"\r\n\r\n")
            assert int(answer.split(b" ")[1]) == status
            assert f'{{"error":"{error}"'.encode() in answer
            assert b"\r\nServer: Fathom\r\n" in answer
            assert b"SECRETWORD" not in answer
            assert len(answer) < 1000
            assert server.harbour.metrics.faults == 0

    run(story())
    assert not caplog.records


def test_who_goes_in_the_middle_of_a_request_is_noted_nowhere(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    request = b"POST /api/identity HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"

    async def story() -> None:
        async with serving(tmp_path) as server:
            for _ in range(5):
                async with connected(server.url) as (_, writer):
                    writer.write(request)
                    http = server.harbour.http
                    await holds(lambda: any(one.received for one in http.all))  # noqa: B023
                await holds(lambda: len(http) == 0)  # noqa: B023
            assert server.harbour.metrics.faults == 0

    run(story())
    assert not caplog.records


@pytest.mark.slow
def test_what_is_no_http_leaves_no_line(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path, FATHOM_METRICS_TOKEN=OPERATOR)
        server.options = ("--json-logs",)
        await server.start()
        for request in MALFORMED:
            answer = await asked(server.url, request)
            assert answer.split(b" ")[1] in (b"400", b"404", b"200"), answer
        numbers = await counted(server.url)
        await server.stop()
        assert "SECRETWORD" not in server.notes
        for line in server.notes.splitlines():
            if line.startswith("{"):
                assert "fault" not in json.loads(line)
            else:
                assert line == "Fathom goes down; games go on when it is there again."
        assert numbers >= 5

    run(story())


async def counted(url: str) -> int:
    """Requests that were none, as the server counts them."""
    headers = {"Authorization": f"Bearer {OPERATOR}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        text = await (await session.get(f"{url}/metrics")).text()
    return int(text.partition("\nfathom_bad_requests_total ")[2].split()[0])


@pytest.mark.slow
def test_ctrl_c_ends_it_without_a_traceback(tmp_path: Path) -> None:
    """A terminal sends it to the server and to all that the server has started."""

    async def story() -> None:
        server = ServerProcess(tmp_path)
        await server.start()
        ann = await fathom_client.register(server.url, "Ann")
        made = await fathom_client.new_table(server.url, ann.token, QUICK, solo=True)
        async with Client(server.url, ann.token) as client:
            await client.open(made.table)
            await begun([client], made.table)
        assert server.process is not None
        os.killpg(server.process.pid, signal.SIGINT)
        assert await server.ended() == 0
        assert "Traceback" not in server.notes
        assert "KeyboardInterrupt" not in server.notes

    run(story())
