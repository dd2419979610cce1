"""Spectators see what is public, or everything when it is old enough: never earlier."""

import time
from pathlib import Path
from random import Random

import pytest
from msgspec import UnsetType
from msgspec.structs import replace

from fathom.client import Client
from fathom.engine import orders as give
from fathom.points import parse
from fathom.server import duel as duel_module
from fathom.server import wire
from fathom.server.config import BadConfig, read_config
from fathom.server.spectators import MOVES_LATER, Gallery
from fathom.words import Crew
from tests.server.serving import QUICK, FakeTime, Server, duel_of, play_on, run, serving, settled

OPEN_SEA = "title: Open sea\n\n" + "..........\n" * 10
LATE = replace(
    QUICK,
    rulebook="sonar",
    chart_text=OPEN_SEA,
    first=Crew.A,
    watching="everything",
    watch_delay=10,
)
"""In the family game a turn is a course, so that many are soon made."""
DELAY = 120.0
MOVES = MOVES_LATER + 3


async def watch(server: Server, code: str) -> tuple[Client, list[wire.Told]]:
    """A spectator, and what they are told of the game."""
    told: list[wire.Told] = []
    watcher = await server.player("Watcher")
    watcher.listeners.append(lambda n: told.append(n) if isinstance(n, wire.Told) else None)
    await watcher.open(code)
    return watcher, told


def gallery_of(server: Server, code: str) -> Gallery:
    gallery = server.harbour.rooms[code].gallery
    assert gallery is not None
    return gallery


def comes_again(gallery: Gallery) -> bool:
    """Whether the next step only waits for its time."""
    return gallery.timer is not None


async def sail(players: list[Client], game: str, moves: int) -> None:
    """So many courses of each crew."""
    for client in players * moves:
        await settled(players, game)
        orders = client.games[game].offer.orders
        course = next(order for order in orders if isinstance(order, give.SetCourse))
        assert isinstance(await client.order(game, course), wire.Done)


async def dive(players: list[Client], game: str) -> None:
    for client, start in zip(players, ("A10", "J10"), strict=True):
        for order in (give.Place(parse(start)), give.DIVE):
            assert isinstance(await client.order(game, order), wire.Done)


def shown_moves(told: list[wire.Told]) -> list[int]:
    """How many moves of each crew a spectator has been shown."""
    found = [0, 0]
    for news in told:
        if isinstance(news.boats, UnsetType):
            continue
        for side, boat in enumerate(news.boats):
            if not isinstance(boat.helm, UnsetType):
                found[side] = len(boat.helm.route) - 1
    return found


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    clock = FakeTime(1_000_000.0)
    monkeypatch.setattr(duel_module, "time", clock)
    return clock


def keep_time(server: Server, clock: FakeTime) -> None:
    server.harbour.now = clock.monotonic  # type: ignore[method-assign]


def test_spectators_see_what_is_public(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, players = await duel_of(server)
            watcher, _ = await watch(server, code)
            await play_on(players, game, Random(2), 12)
            await settled([*players, watcher], game)
            seen = watcher.games[game]
            assert set(seen.sheets) == {"public"}
            assert seen.offer == wire.Offered()
            assert seen.opened.seat is None

    run(story())


def test_everything_is_shown_when_it_is_old_enough_and_crews_have_moved_on(
    tmp_path: Path, clock: FakeTime
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            keep_time(server, clock)
            code, game, players = await duel_of(server, settings=LATE)
            assert players[0].tables[code].settings.watch_delay == DELAY, "no second tab is a radar"
            watcher, told = await watch(server, code)
            await dive(players, game)
            await sail(players, game, MOVES)
            gallery = gallery_of(server, code)
            clock.now += DELAY - 0.001
            gallery.show_due()
            await settled([watcher], game)
            assert [news.position for news in told] == [0]
            assert comes_again(gallery)
            clock.now += 0.002
            gallery.show_due()
            await settled([watcher], game)
            assert shown_moves(told) == [MOVES - MOVES_LATER] * 2
            # Who waits is shown nothing more, or waiting would be a radar.
            clock.now += 1e6
            gallery.show_due()
            _, later = await watch(server, code)
            await settled([watcher], game)
            assert shown_moves(told) == shown_moves(later) == [MOVES - MOVES_LATER] * 2
            assert not comes_again(gallery)
            await sail(players, game, 1)
            await settled([watcher], game)
            assert shown_moves(told) == [MOVES - MOVES_LATER + 1] * 2
            # After the end there are no secrets.
            assert isinstance(await players[0].order(game, give.RESIGN), wire.Done)
            await settled([watcher], game)
            assert shown_moves(told) == [MOVES + 1] * 2

    run(story())


@pytest.mark.parametrize("hours", [-5, 5])
def test_whatever_clocks_do_nothing_is_shown_early(
    tmp_path: Path, clock: FakeTime, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """The wall clock is set forward or back; after a restart the other begins from nought."""
    true_time = time.time_ns

    async def story() -> None:
        async with serving(tmp_path) as server:
            keep_time(server, clock)
            code, game, players = await duel_of(server, settings=LATE)
            _, told = await watch(server, code)
            await dive(players, game)
            await sail(players, game, MOVES // 2)
            monkeypatch.setattr(time, "time_ns", lambda: true_time() + hours * 3600 * 10**9)
            await sail(players, game, MOVES - MOVES // 2)
            gallery_of(server, code).show_due()
            _, later = await watch(server, code)
            tokens = [player.token for player in players]
        clock.now = 5.0
        async with serving(tmp_path) as server:
            keep_time(server, clock)
            players = [await server.tab(token) for token in tokens]
            for player in players:
                await player.open(code)
            watcher, restarted = await watch(server, code)
            assert [n.position for n in (*told, *later, *restarted)] == [0, 0, 0]
            # From then on it is shown after its time, and not before.
            clock.now += DELAY - 0.001
            gallery_of(server, code).show_due()
            await settled([watcher], game)
            assert [news.position for news in restarted] == [0]
            clock.now += 0.002
            gallery_of(server, code).show_due()
            await settled([watcher], game)
            assert shown_moves(restarted) == [MOVES - MOVES_LATER] * 2

    run(story())


def test_after_a_restart_what_is_old_enough_by_the_games_own_time_is_shown_at_once(
    tmp_path: Path, clock: FakeTime
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            keep_time(server, clock)
            code, game, players = await duel_of(server, settings=LATE)
            await dive(players, game)
            await sail(players, game, 2)
            clock.now += DELAY
            await sail(players, game, MOVES_LATER)
            tokens = [player.token for player in players]
        clock.now = 5.0
        async with serving(tmp_path) as server:
            keep_time(server, clock)
            for token in tokens:
                await (await server.tab(token)).open(code)
            _, told = await watch(server, code)
            assert shown_moves(told) == [2, 2]

    run(story())


def test_no_operator_can_make_a_second_tab_a_radar() -> None:
    with pytest.raises(BadConfig, match="shortest_watch_delay is 120 seconds or more"):
        read_config(shortest_watch_delay=119)
    assert read_config(shortest_watch_delay=120).shortest_watch_delay == 120
