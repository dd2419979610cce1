"""`fathom serve --tls`: a certificate of this machine's own, and games over it."""

import asyncio
import ssl
import stat
import sys
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

import aiohttp
import pytest

from fathom import client as fathom_client
from fathom.bots.ranks import Rank
from fathom.cli.serve import own_names
from fathom.client import Client
from fathom.server import http_connections
from fathom.server.certificate import (
    FILE,
    CertificateUnusable,
    ensure_certificate,
    names_of,
    read_certificate,
    tls_context,
)
from fathom.server.operating_system import EventLoop
from fathom.server.wire import Settings
from fathom.words import Crew
from tests.server.attacks.raw import connected, ended
from tests.server.crashes import ServerProcess
from tests.server.serving import begun, holds, run, serving
from tests.server.test_bots import until_turns

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOME = ["localhost", "fathom.local", "127.0.0.1", "::1", "192.168.1.5"]


def names(place: Path) -> list[str]:
    certificate = read_certificate(place)
    assert certificate is not None
    return names_of(certificate)


def test_a_certificate_names_the_machine_and_is_its_owners_alone(tmp_path: Path) -> None:
    place = tmp_path / "data" / FILE
    ensure_certificate(place, HOME, NOON)
    certificate = read_certificate(place)
    assert certificate is not None
    assert names_of(certificate) == HOME
    assert certificate.not_valid_before_utc < NOON < certificate.not_valid_after_utc
    lasts = certificate.not_valid_after_utc - certificate.not_valid_before_utc
    assert lasts <= timedelta(days=398), "browsers refuse what is valid for longer"
    if sys.platform != "win32":
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700


def test_a_certificate_is_kept_while_it_will_do(tmp_path: Path) -> None:
    place = tmp_path / FILE
    ensure_certificate(place, HOME, NOON)
    first = place.read_bytes()
    ensure_certificate(place, HOME[:3], NOON + timedelta(days=300))
    assert place.read_bytes() == first
    ensure_certificate(place, HOME, NOON + timedelta(days=380))
    assert place.read_bytes() != first


def test_on_another_network_a_new_one_keeps_the_old_addresses(tmp_path: Path) -> None:
    place = tmp_path / FILE
    ensure_certificate(place, HOME, NOON)
    ensure_certificate(place, [*HOME[:4], "10.0.0.7"], NOON)
    assert set(names(place)) == {*HOME, "10.0.0.7"}
    second = place.read_bytes()
    ensure_certificate(place, HOME, NOON)
    assert place.read_bytes() == second, "back home it needs no other"


@pytest.mark.parametrize("machine", ["laptop", "Laptop.home.example", "Мой компьютер", ""])
def test_whatever_the_machine_is_called_it_gets_a_certificate(machine: str, tmp_path: Path) -> None:
    found = own_names(machine)
    assert ("laptop.local" in found) == machine.lower().startswith("laptop")
    ensure_certificate(tmp_path / FILE, found, NOON)
    assert set(names(tmp_path / FILE)) == set(found)


def test_a_file_that_is_no_certificate_is_named_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("nothing")
    with pytest.raises(CertificateUnusable, match=r"the certificate .*fathom\.pem can't be used"):
        tls_context(tmp_path, HOME)


@pytest.mark.slow
@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_a_game_over_tls(loop: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = ServerProcess(tmp_path / "data", FATHOM_EVENT_LOOP=loop)
    server.options = ("--tls",)
    server.url = f"https://localhost:{server.port}"

    async def story() -> None:
        await server.start()
        trust = ssl.create_default_context(cafile=tmp_path / "data" / FILE)
        monkeypatch.setattr(aiohttp.connector, "_SSL_CONTEXT_VERIFIED", trust)
        async with aiohttp.ClientSession() as session, session.get(server.url) as page:
            assert f"wss://localhost:{server.port}" in page.headers["Content-Security-Policy"]
        ann = await fathom_client.register(server.url, "Ann")
        settings = Settings(rulebook="sonar", rank=Rank.CADET, pace="at-once", first=Crew.A)
        made = await fathom_client.new_table(server.url, ann.token, settings, solo=True)
        assert made.link == f"{server.url}/t/{made.table}"
        async with Client(server.url, ann.token) as client:
            await client.open(made.table, position=0)
            game = await begun([client], made.table)
            await until_turns(client, game, Random(4), 1)
        assert await server.stop() == 0
        assert "Traceback" not in server.notes

    run(story())


HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
"""How a handshake begins."""


def trusting() -> ssl.SSLContext:
    """A client that asks for no certificate."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


async def answer_in_parts(url: str, size: int) -> bytes:
    """Ask over TLS, with everything sent in parts of this size."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls = trusting().wrap_bio(incoming, outgoing, server_hostname="localhost")
    request, answer = b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", b""
    async with connected(url) as (reader, writer):
        while b"}" not in answer:
            try:
                tls.do_handshake()
                if request:
                    request = request[tls.write(request) :]
                answer += tls.read(65_536)
            except ssl.SSLWantReadError:
                sent = outgoing.read()
                for place in range(0, len(sent), size):
                    writer.write(sent[place : place + size])
                    await asyncio.sleep(0)
                if not sent:
                    incoming.write(await reader.read(65_536))
    return answer


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
@pytest.mark.parametrize("said", [b"", HELLO], ids=["nothing", "half a handshake"])
def test_connections_that_never_shake_hands_are_counted_and_left(
    loop: EventLoop, said: bytes, tmp_path: Path
) -> None:
    async def story() -> None:
        async with (
            serving(tmp_path, tls_context(tmp_path, HOME), connections_per_address=5) as server,
            AsyncExitStack() as stack,
        ):
            http = server.harbour.http
            opened = []
            for _ in range(20):
                reader, writer = await stack.enter_async_context(connected(server.url))
                writer.write(said)
                opened.append(asyncio.create_task(ended(reader)))
            await holds(lambda: sum(task.done() for task in opened) == 15)
            assert len(http) == 5
            assert (await answer_in_parts(server.url, 1 << 16)).startswith(b"HTTP/1.1 200 ")
            http.check(server.harbour.now() + http_connections.REQUEST_SECONDS + 1)
            assert all(await asyncio.gather(*opened))
            await holds(lambda: len(http) == 0)
            assert server.harbour.metrics.faults == 0

    run(story(), loop)


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_a_handshake_may_come_in_parts_or_be_none(loop: EventLoop, tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, tls_context(tmp_path, HOME)) as server:
            for size in (1, 7, 300, 1 << 16):
                assert (await answer_in_parts(server.url, size)).startswith(b"HTTP/1.1 200 ")
            for junk in (b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", bytes(100_000), HELLO * 50):
                async with connected(server.url) as (reader, writer):
                    writer.write(junk)
                    await ended(reader)
            await holds(lambda: len(server.harbour.http) == 0)
            assert server.harbour.metrics.faults == 0

    run(story(), loop)
