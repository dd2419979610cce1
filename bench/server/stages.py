"""What is measured: full games as fast as they go, games at a pace, idle games, and the peers."""

import asyncio
import gc
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

import aiohttp

from bench.peers_server import boardgame, colyseus
from bench.peers_server.install import peer
from bench.server.figures import Figures, Stopwatch
from bench.server.fleet import Fleet
from bench.server.load import WARM_UP, DrivenGame, Driver
from bench.server.process import (
    EMBEDDED,
    METRICS_TOKEN,
    Deployment,
    MeasuredProcess,
    Several,
    fathom,
)
from bench.server.scripts import TWO, Format, Script, write_scripts

PLAYWRIGHTS = 30
"""Different games that are played; there may be many tables with the same one."""
FASTEST = 12_000
"""Orders a second that no server will surpass: scripts must be long enough."""
GATHERING = 300.0
"""Seconds in which all clients must have come."""


class Measurement(NamedTuple):
    """One measurement."""

    form: Format
    games: int
    rate: float | None
    """Orders a second, altogether; None: as fast as they go."""
    figures: Figures
    per_game: float
    """Bytes of the server's memory for each game, its connections included."""

    @property
    def clients(self) -> int:
        """Players, each with a connection."""
        return self.games * self.form.seats


def scripts_for(
    form: Format, games: int, seconds: float, rates: Sequence[float | None]
) -> list[Script]:
    """Scripts that last for measurements at these rates."""
    orders = sum((rate or FASTEST) * seconds * (1 + WARM_UP) / games + 20 for rate in rates)
    return write_scripts(form, min(games, PLAYWRIGHTS), int(orders))


@asynccontextmanager
async def gathered(
    form: Format, games: int, scripts: Sequence[Script], site: Deployment = EMBEDDED
) -> AsyncIterator[tuple[MeasuredProcess | Several, Fleet]]:
    """A new server with so many games, all their players connected."""
    with tempfile.TemporaryDirectory() as folder:
        async with fathom(Path(folder), site) as server:
            fleet = Fleet(server, form)
            try:
                async with asyncio.timeout(GATHERING):
                    await fleet.gather(games, scripts)
                yield server, fleet
            finally:
                fleet.close()


async def measure_ours(
    form: Format,
    clients: int,
    seconds: float,
    rates: Sequence[float | None] = (None,),
    site: Deployment = EMBEDDED,
) -> list[Measurement]:
    """So many clients in full games, at one rate after another."""
    games = max(1, clients // form.seats)
    scripts = scripts_for(form, games, seconds, rates)
    stages = []
    async with gathered(form, games, scripts, site) as (server, fleet):
        for rate in rates:
            figures = await drive(fleet.games, server, seconds, rate)
            per_game = (figures.memory - fleet.empty) / games
            stages.append(Measurement(form, games, rate, figures, per_game))
    return stages


async def drive(
    matches: Sequence[DrivenGame],
    server: MeasuredProcess | Several,
    seconds: float,
    rate: float | None,
) -> Figures:
    """One measurement; what is left of those before does not disturb it."""
    gc.collect()
    return await Driver(matches, Stopwatch(server), rate).run(seconds)


async def idle_memory(form: Format, games: int, orders: int) -> float:
    """Bytes that a game needs in which nobody is, after so many orders.

    They are taken from a server that was started anew and to whose games somebody has come and
    gone, less what it needs without any: memory that a process once had it rarely gives back. Games
    to which nobody comes are not even read.
    """
    scripts = write_scripts(form, min(games, PLAYWRIGHTS), orders)
    with tempfile.TemporaryDirectory() as folder:
        async with fathom(Path(folder)) as server:
            empty = server.memory()
            fleet = Fleet(server, form)
            await fleet.gather(games, scripts)
            await Driver(fleet.games, Stopwatch(server), None).play_out()
            fleet.close()
        async with fathom(Path(folder)) as server:
            await fleet.look_in(server.at(0))
            await all_games(server, games)
            return (server.memory() - empty) / games


async def all_games(server: MeasuredProcess | Several, games: int) -> None:
    """Wait until the server has taken up so many games."""
    async with asyncio.timeout(60), aiohttp.ClientSession(f"http://{server.host}") as http:
        # Another process knows: it can only be asked.
        while f"\nfathom_games {games}\n" not in await metrics(http):  # noqa: ASYNC110
            await asyncio.sleep(0.2)


async def metrics(http: aiohttp.ClientSession) -> str:
    headers = {"Authorization": f"Bearer {METRICS_TOKEN}"}
    async with http.get("/metrics", headers=headers) as response:
        return await response.text()


class Beside(NamedTuple):
    """Ours and a peer, measured alternately."""

    ours: list[Figures]
    theirs: list[Figures]


class ComparisonPlan(NamedTuple):
    """How ours and a peer are measured."""

    games: int
    seconds: float
    rate: float | None
    rounds: int = 2


async def beside(name: str, folder: Path, plan: ComparisonPlan) -> Beside:
    """Our two-seat games beside a peer's, both servers running, one driven after the other."""
    games, seconds, rate, rounds = plan
    gather = {"boardgame": boardgame.gather, "colyseus": colyseus.gather}[name]
    scripts = scripts_for(TWO, games, seconds, (rate,) * rounds)
    found = Beside([], [])
    async with gathered(TWO, games, scripts) as (server, fleet), peer(folder, name) as other:
        async with asyncio.timeout(GATHERING):
            matches = await gather(other, games)
        for _ in range(rounds):
            found.ours.append(await drive(fleet.games, server, seconds, rate))
            found.theirs.append(await drive(matches, other, seconds, rate))
    return found
