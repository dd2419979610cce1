"""Bots at networked tables: what they are told and say, and what if their process dies."""

import os
import signal
import sys
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from fathom import client as fathom_client
from fathom.bots.ranks import Rank
from fathom.client import Client
from fathom.rules.setup import House
from fathom.server import barracks, wire
from fathom.server.barracks import Barracks
from fathom.server.bot_tasks import AnyTask
from fathom.server.duel import Duel, Ear, Viewer
from fathom.server.hands import BotPlayer
from fathom.server.wire import Settings
from fathom.words import Crew, Post
from tests.server.crashes import ServerProcess
from tests.server.serving import (
    QUICK,
    Server,
    begun,
    choose,
    duel_of,
    holds,
    play_on,
    run,
    serving,
    settled,
)


def test_with_the_computers_help_a_crew_sees_where_they_can_be(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            house = House(radio_help="computer", pause_seconds=0.0)
            settings = replace(QUICK, house=house, first=Crew.A)
            _, game, (ann, bob) = await duel_of(server, settings=settings)
            heats: list[wire.Heat] = []
            listen(bob, heats)
            await play_on([ann, bob], game, Random(11), 30)
            await settled([ann, bob], game)
            position = bob.games[game].position
            await bob.until(lambda: bool(heats) and heats[-1].position == position, 60)
            heat = heats[-1]
            at = ann.games[game].sheets["helm"].at
            assert heat.by == "computer"
            assert at in heat.them
            assert bob.games[game].sheets["helm"].at in heat.us
            assert 900 <= sum(heat.them.values()) <= 1300

    run(story())


def test_a_bot_at_the_radio_shows_its_captain_where_they_can_be_and_nobody_else(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, bob, eve = [await server.player(name) for name in ("Ann", "Bob", "Eve")]
            code = await server.table(ann, replace(QUICK, first=Crew.A))
            await ann.do(wire.Sit(table=code, crew=Crew.A, posts=(Post.CAPTAIN,)))
            await ann.do(wire.PlaceBot(table=code, crew=Crew.A, rank=Rank.COMMANDER))
            for guest in (bob, eve):
                await guest.open(code)
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            await bob.do(wire.GetReady(table=code))
            heats: dict[str, list[wire.Heat]] = {}
            for client in (ann, bob, eve):
                assert client.welcome is not None
                listen(client, heats.setdefault(client.welcome.name, []))
            await ann.do(wire.Start(table=code))
            game = await begun([ann, bob, eve], code)
            await until_turns(bob, game, Random(5), 2, ann)
            await settled([ann, bob, eve], game)
            # Bots' words come when they have been thought of.
            at = bob.games[game].sheets["helm"].at
            shown = heats["Ann"]
            await ann.until(lambda: bool(shown) and len(shown[-1].them) < len(shown[0].them), 60)
            assert at in shown[-1].them
            assert {heat.by for heat in shown} == {"radio-operator"}
            await settled([bob, eve], game)
            assert (heats["Bob"], heats["Eve"]) == ([], [])

    run(story())


def listen(client: Client, heats: list[wire.Heat]) -> None:
    """Keep every heat map that the client is sent."""
    client.listeners.append(lambda n: heats.append(n) if isinstance(n, wire.Heat) else None)


def test_on_paper_nobody_gets_a_heat_map(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, players = await duel_of(server)
            await play_on(players, game, Random(11), 10)
            assert not server.harbour.rooms[code].plotters

    run(story())


async def against_a_cadet(server: Server) -> tuple[Client, str]:
    """Somebody who has begun a game against the computer, and the game."""
    ann = await server.player("Ann")
    settings = Settings(rulebook="sonar", rank=Rank.CADET, pace="at-once", first=Crew.A)
    made = await fathom_client.new_table(server.url, ann.token, settings, solo=True)
    await ann.open(made.table, position=0)
    return ann, await begun([ann], made.table)


async def play_past_a_signal(
    server: Server, ann: Client, game: str, sent: signal.Signals, after: int
) -> None:
    """Signal the bots' process after so many turns, and play two more with the one that follows."""
    dice = Random(4)
    await until_turns(ann, game, dice, after)
    (mess,) = server.harbour.barracks.messes
    assert mess.process is not None
    first = mess.process.pid
    os.kill(first, sent)
    await until_turns(ann, game, dice, after + 2)
    assert mess.process is not None
    assert mess.process.pid != first


def test_a_bot_process_that_dies_is_replaced_and_the_game_goes_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, game = await against_a_cadet(server)
            await play_past_a_signal(server, ann, game, signal.SIGKILL, after=2)
            assert server.harbour.metrics.faults == 0

    run(story())


def test_a_bot_process_that_hangs_is_replaced_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(barracks, "LOOK", 0.5)
    monkeypatch.setattr(barracks, "MOST_LOOKS", 4)

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, game = await against_a_cadet(server)
            await play_past_a_signal(server, ann, game, signal.SIGSTOP, after=1)
            assert server.harbour.barracks.hung() >= 1
            assert "fathom_hung_bot_processes" in server.harbour.metrics.text()

    run(story())


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="children are looked up in /proc")
def test_a_bot_process_that_hangs_does_not_outlive_the_server(tmp_path: Path) -> None:
    async def story() -> None:
        server = ServerProcess(tmp_path)
        await server.start()
        ann = await fathom_client.register(server.url, "Ann")
        made = await fathom_client.new_table(server.url, ann.token, solo=True)
        async with Client(server.url, ann.token) as client:
            await client.open(made.table)
            assert server.process is not None
            pid = server.process.pid
            await holds(lambda: children(pid))
            (worker,) = children(pid)
            os.kill(worker, signal.SIGSTOP)
        assert await server.stop() == 0
        with pytest.raises(ProcessLookupError):
            os.kill(worker, 0)

    run(story())


def test_nobody_asks_a_bot_that_has_not_heard_of_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks: list[tuple[str, str]] = []
    attach, send = Duel.attach, Barracks.send

    async def slowly(
        duel: Duel, ear: Ear, place: Viewer, position: int | None, *, complete: bool = False
    ) -> None:
        if isinstance(ear, BotPlayer):
            # Somebody comes or goes meanwhile, and bots are woken.
            ear.ask()
        await attach(duel, ear, place, position, complete=complete)

    def noted(given: Barracks, task: AnyTask) -> None:
        tasks.append((task.bot, type(task).__name__))
        send(given, task)

    monkeypatch.setattr(Duel, "attach", slowly)
    monkeypatch.setattr(Barracks, "send", noted)

    async def story() -> None:
        async with serving(tmp_path) as server:
            ann, game = await against_a_cadet(server)
            await until_turns(ann, game, Random(4), 1)
            for bot in {bot for bot, _ in tasks}:
                done = [what for name, what in tasks if name == bot]
                assert done[:4] == ["Enlist", "Tell", "Tell", "Ask"]

    run(story())


async def until_turns(ann: Client, game: str, dice: Random, turns: int, *others: Client) -> None:
    """Play until crew b has ended so many turns, or the game is over; bots play for the rest."""
    seen = ann.games[game]

    def ended() -> int:
        news = (getattr(event, "crew", None) for event in seen.heard if is_turn(event))
        return sum(crew is Crew.B for crew in news)

    while ended() < turns and not seen.over:
        position, acted = seen.position, False
        for client in (ann, *others):
            order = choose(client.games[game], dice)
            if order is not None:
                acted = isinstance(await client.order(game, order), wire.Done) or acted
        await settled([ann, *others], game)
        if not acted:
            await ann.until(lambda at=position: seen.position > at or seen.over, 60)  # type: ignore[misc]


def is_turn(event: object) -> bool:
    return type(event).__name__ == "TurnEnded"


def test_a_crew_of_bots_and_people_shares_the_posts(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            code = await server.table(ann, replace(QUICK, rank=Rank.CADET))
            await ann.do(wire.Sit(table=code, crew=Crew.A, posts=(Post.CAPTAIN,)))
            await ann.do(wire.Start(table=code, fill=True))
            game = await begun([ann], code)
            seen = ann.games[game]
            assert seen.opened.posts == (Post.CAPTAIN,)
            dice = Random(9)
            # The bots of the crew make their marks after every course of the captain's.
            for _ in range(200):
                if seen.over or len(seen.sheets["helm"].route) > 3:
                    break
                order = choose(seen, dice)
                if order is None:
                    position = seen.position
                    await ann.until(lambda at=position: seen.position > at or seen.over, 30)  # type: ignore[misc]
                else:
                    await ann.order(game, order)
                    await settled([ann], game)
            boxes = seen.sheets["gauges"].boxes
            assert seen.over or sum(boxes.values()) > 0

    run(story())
