"""What operators are given in ``deploy/`` does what ``docs/operating.md`` says of it."""

import asyncio
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest
from msgspec.structs import replace

from fathom import client as fathom_client
from fathom.client import Client
from fathom.rules.setup import House
from fathom.server import wire
from fathom.server.config import Config
from fathom.words import Crew
from tests.server.crashes import ServerProcess
from tests.server.postgres import Postgres
from tests.server.proxies import DEPLOY, PROXIES, Proxy, running
from tests.server.serving import QUICK, choose, run, started

SETTINGS = replace(QUICK, house=House(leaving="wait"), first=Crew.A)
PAGE = "docs/operating.md"
OPERATOR = "for the operator"
TABLES = 3
"""That one address may make in an hour, at each process."""


@pytest.mark.slow
@pytest.mark.parametrize("name", PROXIES)
def test_a_game_behind_a_proxy_with_tls(
    name: str, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.fresh()
    servers = [ServerProcess(tmp_path / str(n), address) for n in range(2)]
    proxy = PROXIES[name](tmp_path, (servers[0].port, servers[1].port))
    for server in servers:
        server.settings = {
            "FATHOM_TRUSTED_PROXIES": "127.0.0.1,::1",
            "FATHOM_METRICS_TOKEN": OPERATOR,
            "FATHOM_PUBLIC": f"{proxy.url}/",
            "FATHOM_TABLES_PER_HOUR": str(TABLES),
        }

    async def story() -> None:
        try:
            await asyncio.gather(*(server.start() for server in servers))
            with running(proxy):
                # Clients trust whom they usually do; now that is whoever signed this certificate.
                trust = proxy.context()
                monkeypatch.setattr(aiohttp.connector, "_SSL_CONTEXT_VERIFIED", trust)
                await check_pages(proxy, servers)
                await check_limits(proxy)
                await play(proxy, servers)
        finally:
            for server in servers:
                if server.process is not None and server.process.returncode is None:
                    await server.kill()

    run(story())


async def check_pages(proxy: Proxy, servers: list[ServerProcess]) -> None:
    """Pages and health are for everybody, numbers for those within, and other sites' for nobody."""
    async with aiohttp.ClientSession() as session:
        page = await session.get(proxy.url)
        assert (page.status, page.content_type) == (200, "text/html")
        assert f"wss://{proxy.host}" in page.headers["Content-Security-Policy"]
        for path in ("/health", "/health/ready", "/health/live"):
            assert (await session.get(f"{proxy.url}{path}")).status == 200
        assert (await session.get(f"{proxy.url}/metrics")).status == 403
        for server in servers:
            assert (await session.get(f"{server.url}/metrics")).status == 401
            operator = {"Authorization": f"Bearer {OPERATOR}"}
            numbers = await (await session.get(f"{server.url}/metrics", headers=operator)).text()
            assert "fathom_orders_total" in numbers
        own, other = {"Origin": proxy.url}, {"Origin": "https://elsewhere.example"}
        async with session.ws_connect(f"{proxy.url}/socket", headers=own) as socket:
            await socket.send_str('{"type":"ping","number":1}')
            assert (await socket.receive()).type is aiohttp.WSMsgType.TEXT
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await session.ws_connect(f"{proxy.url}/socket", headers=other)
        assert refused.value.status == 403


async def check_limits(proxy: Proxy) -> None:
    """Limits are counted by the client's own address, whatever it says of itself."""
    token = (await fathom_client.register(proxy.url, "Eve")).token

    async def new_table(local: str, said: str) -> int:
        connector = aiohttp.TCPConnector(local_addr=(local, 0))
        headers = {"Authorization": f"Bearer {token}", "X-Forwarded-For": said}
        async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
            return (await session.post(f"{proxy.url}/api/tables", data=b"{}")).status

    statuses = [await new_table("127.0.0.2", f"192.0.2.{n}") for n in range(2 * TABLES + 1)]
    assert statuses[:TABLES] == [201] * TABLES
    assert 429 in statuses, "each process counts for itself, and together they allow twice as many"
    assert await new_table("127.0.0.3", "127.0.0.2") == 201


async def play(proxy: Proxy, servers: list[ServerProcess]) -> None:
    """Two play, each at another process; one of these dies, and they play on."""
    players = [await player(proxy, name) for name in ("Ann", "Bob")]
    try:
        made = await fathom_client.new_table(proxy.url, players[0].token, SETTINGS)
        assert made.link == f"{proxy.url}/t/{made.table}"
        game = await started(players, made.table)
        assert [await connections(server) for server in servers] == [1, 1]
        dice = Random(3)
        await take_turns(players, game, dice)
        await servers[0].kill()
        for client in players:
            await client.until(lambda: sum(one.comings for one in players) >= 3, 60)
        await take_turns(players, game, dice)
        assert await connections(servers[1]) == 2
        public = [client.games[game].sheets["public"] for client in players]
        assert public[0] == public[1]
    finally:
        await asyncio.gather(*(client.close() for client in players))


async def player(proxy: Proxy, name: str) -> Client:
    identity = await fathom_client.register(proxy.url, name)
    client = Client(proxy.url, identity.token)
    await client.__aenter__()
    return client


async def connections(server: ServerProcess) -> Any:
    """How many clients a process has, as it says itself."""
    async with aiohttp.ClientSession() as session:
        return (await (await session.get(f"{server.url}/health")).json())["connections"]


async def take_turns(players: list[Client], game: str, dice: Random) -> None:
    """Twenty orders, each of which the other hears of."""
    given = 0
    async with asyncio.timeout(60):
        while given < 20:
            for client, other in (players, players[::-1]):
                order = choose(client.games[game], dice)
                if order is None:
                    continue
                assert isinstance(await client.order(game, order), wire.Done)
                given += 1
                seen = client.games[game].sheets["public"]
                await other.until(lambda: other.games[game].sheets["public"] == seen)  # noqa: B023
            await asyncio.sleep(0)


def systemd_analyze(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run ``systemd-analyze``; without it the test is skipped."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed (Debian, Ubuntu: apt install systemd)")
    command = [program, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)  # noqa: S603


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["fathom.service", "fathom@.service"])
def test_systemd_understands_the_units(unit: str, tmp_path: Path) -> None:
    text = (DEPLOY / unit).read_text()
    assert text.count("ExecStart=/opt/fathom/bin/fathom serve") == 1
    # It looks whether the program is there; where it is installed is the operator's choice.
    own = str(Path(sys.executable).with_name("fathom"))
    place = tmp_path / unit.replace("@", "@8470")
    place.write_text(text.replace("/opt/fathom/bin/fathom", own))
    done = systemd_analyze("verify", "--man=no", str(place))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["deploy/Containerfile", "deploy/fathom@.service", PAGE])
def test_every_setting_that_operators_are_told_of_is_one(name: str) -> None:
    text = (DEPLOY.parent / name).read_text()
    told = set(re.findall(r"FATHOM_([A-Z_]+)", text))
    assert told
    assert told <= {"CONFIG", *(field.upper() for field in Config.__struct_fields__)}


def test_every_file_for_operators_is_on_their_page() -> None:
    text = (DEPLOY.parent / PAGE).read_text()
    missing = [place.name for place in DEPLOY.iterdir() if f"deploy/{place.name}" not in text]
    assert missing == []


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["fathom.service", "fathom@.service"])
def test_the_units_leave_little_open(unit: str, tmp_path: Path) -> None:
    place = tmp_path / unit.replace("@", "@8470")
    place.write_text((DEPLOY / unit).read_text())
    # Tenths of the exposure that systemd works out: 100 is a service that may do everything.
    done = systemd_analyze("security", "--offline=yes", "--threshold=15", str(place))
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="systemd's socket is a Unix socket")
def test_systemd_hears_when_the_server_is_ready_alive_and_going_down(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "data")
    place = str(tmp_path / "notify")
    server.settings = {"NOTIFY_SOCKET": place, "WATCHDOG_USEC": "100000"}

    async def story(ears: socket.socket) -> None:
        await server.start()
        heard = [await hear(ears) for _ in range(4)]
        assert heard == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
        assert await server.stop() == 0
        while (said := await hear(ears)) == "WATCHDOG=1":
            continue
        assert said == "STOPPING=1"

    async def hear(ears: socket.socket) -> str:
        return (await asyncio.get_running_loop().sock_recv(ears, 100)).decode()

    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ears:
        ears.bind(place)
        ears.setblocking(False)
        run(story(ears))
