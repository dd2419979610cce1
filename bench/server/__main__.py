"""``make bench-server``: the server under load, over real sockets, with its durable log.

A server runs in a process of its own on one core, the clients in this one on another. On a
PostgreSQL there may be several of it, and all share all cores.
"""

import argparse
import asyncio
import os
import platform
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from bench.peers_server.install import NotInstalled, install
from bench.server.figures import Figures
from bench.server.process import EMBEDDED, Deployment, allow_many_sockets, cores
from bench.server.scripts import EIGHT, TWO
from bench.server.stages import (
    Beside,
    ComparisonPlan,
    Measurement,
    beside,
    idle_memory,
    measure_ours,
)
from bench.table import print_lines
from tests.server.postgres import running

LOG_HELP = "sqlite; postgresql: one from the wheel, for the run; or postgresql://…, an empty one"
CLIENTS = (50, 500, 2000)
SECONDS = 8.0
SUSTAINED = 3000.0
ROUNDS = 3
"""Of what needs all of a core: others use the machine, too, now more and now less."""
HEADINGS = (
    "games",
    "clients",
    "orders/s",
    "p50 ms",
    "p99 ms",
    "µs CPU/order",
    "KB/game",
    "busy",
    "clients busy",
    "limit",
)
PEER_HEADINGS = ("server", "games", "orders/s", "p50 ms", "p99 ms", "µs CPU/order", "clients busy")
"""Busy: the part of the time that the server, or the clients' process, was computing."""
FULLY = 0.9
"""How busy a process is that can do no more."""
DURABLE = 5000
"""Orders a second on PostgreSQL that must be durable."""
DEARER = 1.5
"""How much more of the server's core an order may cost than with the embedded log."""
IDLE_GAMES, IDLE_ORDERS = 60, 200
"""Games that are left alone, and the orders that were given in each."""


class Requirement(NamedTuple):
    """What must hold, and what was found."""

    what: str
    found: str
    kept: bool


def main() -> None:
    """Measure and print."""
    options = parse()
    allow_many_sockets()
    os.sched_setaffinity(0, cores()[1] if options.log == "sqlite" else set.union(*cores()))
    run: Callable[..., None] = asyncio.run
    try:
        import uvloop  # noqa: PLC0415

        run = uvloop.run
    except ImportError:
        pass
    run(measure(options))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.server", description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each measurement")
    parser.add_argument("--clients", type=int, nargs="+", default=CLIENTS, help="how many at once")
    parser.add_argument("--rate", type=float, default=SUSTAINED, help="orders/s to be sustained")
    parser.add_argument("--games", type=int, default=1000, help="at one order a second each")
    parser.add_argument("--peer-games", type=int, default=500, help="beside the peers")
    parser.add_argument("--peers", action="store_true", help="boardgame.io and Colyseus, from npm")
    parser.add_argument("--log", default="sqlite", help=LOG_HELP)
    parser.add_argument("--processes", type=int, nargs="+", help="of the server, on PostgreSQL")
    parser.add_argument("--only", choices=("full", "pace", "idle", "peers"), help="one part")
    options = parser.parse_args()
    if options.log == "sqlite" and options.processes:
        parser.error("several processes need --log postgresql")
    return options


async def measure(options: argparse.Namespace) -> None:
    """All parts, or the one that is asked for; then, which bars are kept."""
    began = time.monotonic()
    print(conditions(), end="\n\n")
    parts = {"full": full_games, "pace": at_a_pace, "idle": idle_games, "peers": peers}
    bars: list[Requirement] = []
    if options.log != "sqlite":
        bars = await on_postgres(options)
        parts = {}
    for name, part in parts.items():
        if options.only == name or (options.only is None and (name != "peers" or options.peers)):
            bars += await part(options)
    print(f"\nAfter {time.monotonic() - began:.0f} s; {load()}. The bars:\n")
    for bar in bars:
        print(f"{bar.what}: {bar.found}: {'kept.' if bar.kept else 'NOT kept.'}")


def conditions() -> str:
    """On what it is measured."""
    build = f"Python {platform.python_version()} on {platform.machine()}"
    return f"{build}, {os.cpu_count()} cores, one for the server; {load()}."


def load() -> str:
    """How busy the machine is, whoever keeps it busy."""
    return "load average {:.1f}, {:.1f}, {:.1f}".format(*os.getloadavg())


async def on_postgres(options: argparse.Namespace) -> list[Requirement]:
    """The same on PostgreSQL: one from the wheel, or the one that is named."""
    bars: list[Requirement] = []
    with ExitStack() as stack:
        given = "://" in options.log
        own = None if given else stack.enter_context(running())
        if own is not None and own.process is not None:
            os.sched_setaffinity(own.process.pid, set.union(*cores()))
        for processes in options.processes or (1, 3):

            def site(processes: int = processes) -> Deployment:
                """An empty log each time, if the database is our own."""
                return Deployment(
                    options.log if own is None else own.fresh(), processes, spread=True
                )

            bars += await with_processes(options, site, f"{processes} x fathom on PostgreSQL")
    return bars


async def with_processes(
    options: argparse.Namespace, site: Callable[[], Deployment], who: str
) -> list[Requirement]:
    """Full games as fast as they go and at one order a second; and what an order costs."""
    print(f"{who}: full games, one order under way in each: as fast as they go.\n")
    stages: list[Measurement] = []
    for form in (EIGHT, TWO):
        for clients in options.clients:
            stages += await measure_ours(form, clients, options.seconds, (None,), site())
    print_lines([HEADINGS, *(cells(stage) for stage in stages)])
    largest = max(options.clients)
    (embedded,) = await measure_ours(TWO, largest, options.seconds, (None,), EMBEDDED)
    print("\nThe embedded log in the same run:\n")
    print_lines([HEADINGS, cells(embedded)])
    print(f"\n{who}: {options.games:,} two-seat games at one order a second each:\n")
    clients, rate = options.games * TWO.seats, float(options.games)
    (paced,) = await measure_ours(TWO, clients, options.seconds, (rate,), site())
    print_lines([HEADINGS, cells(paced)])
    print()
    fastest = max(stage.figures.per_second for stage in stages)
    ours = [stage for stage in stages if stage.form is TWO and stage.games == embedded.games]
    dearer = ours[0].figures.cpu_per_order / embedded.figures.cpu_per_order
    return [
        Requirement(
            f"{who}: {DURABLE:,} durable orders/s", f"{fastest:,.0f} at best", fastest >= DURABLE
        ),
        Requirement(
            f"{who}: CPU/order at most {DEARER} times", f"{dearer:.2f} times", dearer <= DEARER
        ),
        Requirement(
            f"{who}: {options.games:,} games at one order a second, p99 under 50 ms",
            found(paced.figures),
            keeps_up(paced, 50),
        ),
    ]


async def full_games(options: argparse.Namespace) -> list[Requirement]:
    """Full games as fast as they go, and with as many orders as must be sustained."""
    print("Full games, one order under way in each: as fast as they go.\n")
    stages: list[Measurement] = []
    for form in (EIGHT, TWO):
        for clients in options.clients:
            sustained = form is EIGHT and clients == max(options.clients)
            rates = ((options.rate,) * ROUNDS if sustained else ()) + (None,)
            stages += await measure_ours(form, clients, options.seconds, rates)
    print_lines([HEADINGS, *(cells(stage) for stage in stages if stage.rate is None)])
    paced = [stage for stage in stages if stage.rate is not None]
    print(f"\nThe same games, given {options.rate:,.0f} orders a second, {ROUNDS} times:\n")
    print_lines([HEADINGS, *(cells(stage) for stage in paced)])
    kept = [stage for stage in paced if keeps_up(stage, 100)]
    best = min(paced, key=lambda stage: stage.figures.quantile(0.99))
    what = f"{options.rate:,.0f} orders/s with p99 under 100 ms at {best.clients:,} clients"
    rounds = f"{found(best.figures)} at best, kept in {len(kept)} of {ROUNDS} rounds"
    return [Requirement(what, rounds, bool(kept))]


async def at_a_pace(options: argparse.Namespace) -> list[Requirement]:
    """Many games in which one order is given a second."""
    print(f"\n{options.games:,} two-seat games at one order a second each:\n")
    clients, rate = options.games * TWO.seats, float(options.games)
    (stage,) = await measure_ours(TWO, clients, options.seconds, (rate,))
    print_lines([HEADINGS, cells(stage)])
    what = f"{options.games:,} games at one order a second with p99 under 50 ms"
    return [Requirement(what, found(stage.figures), keeps_up(stage, 50))]


def keeps_up(stage: Measurement, most: float) -> bool:
    """Whether all orders that were to be given were served, nearly all of them in time."""
    figures = stage.figures
    in_time = figures.quantile(0.99) < most
    return in_time and stage.rate is not None and figures.per_second >= 0.98 * stage.rate


def found(figures: Figures) -> str:
    return f"{figures.per_second:,.0f} orders/s, p99 {figures.quantile(0.99):,.1f} ms"


async def idle_games(options: argparse.Namespace) -> list[Requirement]:
    """What a game costs while nobody is there."""
    games = min(IDLE_GAMES, options.games)
    print(f"\nMemory of an idle game after {IDLE_ORDERS} orders:\n")
    sizes = {form.name: await idle_memory(form, games, IDLE_ORDERS) for form in (EIGHT, TWO)}
    print_lines([("games", "KB"), *((name, f"{size / 1024:,.1f}") for name, size in sizes.items())])
    largest = max(sizes.values())
    what = "under 100 KB for an idle game"
    return [Requirement(what, f"{largest / 1024:,.1f} KB", largest < 100 * 1024)]


async def peers(options: argparse.Namespace) -> list[Requirement]:
    """Two-seat games beside those of other servers, which keep nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            await install(folder)
        except NotInstalled as why:
            return [Requirement("the peers", f"not installed: {why}", kept=False)]
        games, seconds = options.peer_games, options.seconds
        print("\nTwo-seat games as fast as they go, beside boardgame.io 0.50.2 in memory:\n")
        fast = await beside("boardgame", folder, ComparisonPlan(games, seconds, None))
        print_beside(fast, "boardgame.io", games)
        print("\nOne order a second in each game, beside Colyseus 0.18 as it is by default:\n")
        paced = await beside("colyseus", folder, ComparisonPlan(games, seconds, float(games)))
        print_beside(paced, "Colyseus", games)
    faster = mean(fast.ours, speed) / mean(fast.theirs, speed)
    sooner = mean(paced.theirs, slowest) / mean(paced.ours, slowest)
    return [
        Requirement("2.5 times the moves/s of boardgame.io", f"{faster:.2f} times", faster >= 2.5),
        Requirement("a lower p99 than Colyseus", f"theirs is {sooner:.2f} times ours", sooner > 1),
    ]


def cells(stage: Measurement) -> tuple[str, ...]:
    """One line of the table."""
    figures = stage.figures
    return (
        f"{stage.games:,} of {stage.form.name}",
        f"{stage.clients:,}",
        *timing(figures),
        f"{stage.per_game / 1024:,.0f}",
        f"{figures.server_cpu / figures.seconds:.0%}",
        f"{figures.clients_cpu / figures.seconds:.0%}",
        limit(figures),
    )


def limit(figures: Figures) -> str:
    """What kept it from being faster: one of the processes, or else others, the disk, the pace."""
    if figures.server_cpu > FULLY * figures.seconds:
        return "server"
    return "clients" if figures.clients_cpu > FULLY * figures.seconds else "-"


def timing(figures: Figures) -> tuple[str, ...]:
    return (
        f"{figures.per_second:,.0f}",
        f"{figures.quantile(0.5):,.1f}",
        f"{figures.quantile(0.99):,.1f}",
        f"{figures.cpu_per_order:,.0f}",
    )


def print_beside(found: Beside, name: str, games: int) -> None:
    """All rounds of both, in the order in which they were measured."""
    lines = [
        (server, f"{games:,}", *timing(figures), f"{figures.clients_cpu / figures.seconds:.0%}")
        for pair in zip(found.ours, found.theirs, strict=True)
        for server, figures in zip(("fathom", name), pair, strict=True)
    ]
    print_lines([PEER_HEADINGS, *lines])


def speed(figures: Figures) -> float:
    return figures.per_second


def slowest(figures: Figures) -> float:
    return figures.quantile(0.99)


def mean(rounds: Sequence[Figures], of: Callable[[Figures], float]) -> float:
    return sum(map(of, rounds)) / len(rounds)


if __name__ == "__main__":
    main()
