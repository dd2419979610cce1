"""Two servers on one database: players of one table sit at different ones, and notice nothing."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from fathom.bots.phrases import HeatMap, InSector
from fathom.bots.ranks import Rank
from fathom.client import Client
from fathom.engine import orders as give
from fathom.points import Point
from fathom.rules.setup import House
from fathom.server import harbour, wire
from fathom.server.duel import Letter, Outcome
from fathom.server.leases import SECONDS
from fathom.server.postgres_log import PostgresLog
from fathom.server.room import Plot
from fathom.server.wire import Clocks
from fathom.words import REFEREE, Crew, Post, Seat
from tests.server.postgres import Postgres
from tests.server.serving import QUICK, Server, begun, choose, duel_of, holds, run, serving


@asynccontextmanager
async def two_servers(
    postgres: Postgres, folder: Path, **config: str
) -> AsyncIterator[tuple[Server, Server]]:
    """Two servers that share nothing but a database."""
    address = postgres.fresh()
    async with (
        serving(folder / "one", log=address, bot_processes=1, **config) as one,
        serving(folder / "two", log=address, bot_processes=1, **config) as two,
    ):
        yield one, two


async def seated(
    one: Server, two: Server, settings: wire.Settings
) -> tuple[str, tuple[Client, Client]]:
    """A table with a player at each server, both ready."""
    ann, bob = await one.player("Ann"), await two.player("Bob")
    code = await one.table(ann, settings)
    await bob.open(code)
    for client, crew in ((ann, Crew.A), (bob, Crew.B)):
        await client.do(wire.Sit(table=code, crew=crew))
        await client.do(wire.GetReady(table=code))
    return code, (ann, bob)


async def played(
    one: Server, two: Server, settings: wire.Settings
) -> tuple[str, str, tuple[Client, Client]]:
    code, players = await seated(one, two, settings)
    await players[0].do(wire.Start(table=code))
    return code, await begun(list(players), code), players


def person(client: Client, code: str, crew: Crew) -> wire.Person:
    holder = client.tables[code].crews[crew].berths[0].holder
    assert isinstance(holder, wire.Person)
    return holder


def lines(client: Client) -> list[str]:
    """What a client reads of the chat, from now on."""
    read: list[str] = []
    client.listeners.append(
        lambda news: read.append(news.text) if isinstance(news, wire.ChatLine) else None
    )
    return read


def test_a_game_its_chat_and_its_rematch_across_two_servers(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            code, game, (ann, bob) = await played(one, two, replace(QUICK, first=Crew.A))
            dice = Random(5)
            for _ in range(30):
                for player, other in ((ann, bob), (bob, ann)):
                    order = choose(player.games[game], dice)
                    if order is None:
                        continue
                    assert isinstance(await player.order(game, order), wire.Done)
                    public = player.games[game].sheets["public"]
                    await other.until(lambda: other.games[game].sheets["public"] == public)  # noqa: B023
            at_one, at_two = one.harbour.duels[game], two.harbour.duels[game]
            await holds(lambda: at_one.position == at_two.position)
            assert at_one.game == at_two.game
            assert at_one.position > 20

            anns, bobs = lines(ann), lines(bob)
            for number in range(5):
                await ann.do(wire.SayWords(table=code, channel="table", text=f"a{number}"))
                await bob.do(wire.SayWords(table=code, channel="table", text=f"b{number}"))
            await ann.until(lambda: len(anns) == 10)
            await bob.until(lambda: len(bobs) == 10)
            assert anns == bobs
            assert sorted(anns) == sorted(f"{who}{n}" for who in "ab" for n in range(5))

            assert isinstance(await bob.order(game, give.RESIGN), wire.Done)
            for client in (ann, bob):
                await client.until(partial(is_over, client, code))
            await bob.do(wire.Rematch(table=code))
            await ann.until(lambda: ann.tables[code].phase == "gathering")
            await holds(lambda: game not in one.harbour.duels)
            for client in (ann, bob):
                await client.do(wire.GetReady(table=code))
            await ann.do(wire.Start(table=code))
            await bob.until(lambda: bob.tables[code].game not in (None, game))
            again = await begun([ann, bob], code)
            assert again != game
            await holds(lambda: again in two.harbour.duels)

    run(story())


def test_readers_at_two_servers_count_their_own_lines(postgres: Postgres, tmp_path: Path) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            code, _, (ann, bob) = await played(one, two, replace(QUICK, first=Crew.A))
            read: dict[Client, list[tuple[int, str]]] = {ann: [], bob: []}
            for client, found in read.items():
                client.listeners.append(partial(note_numbers, found))

            async def talk(client: Client, name: str) -> None:
                for number in range(10):
                    for channel in ("crew", "table"):
                        text = f"{name} {channel} {number}"
                        await client.do(wire.SayWords(table=code, channel=channel, text=text))

            await asyncio.gather(talk(ann, "ann"), talk(bob, "bob"))
            for client, found in read.items():
                await client.until(lambda: len(found) == 30)  # noqa: B023
                assert [number for number, _ in found] == list(range(1, 31))
            # Whoever comes to the other server goes on with the same numbers.
            late = await two.tab(ann.token)
            again: list[tuple[int, str]] = []
            late.listeners.append(partial(note_numbers, again))
            await late.do(wire.OpenTable(table=code, chat=12))
            assert again == read[ann][12:]

    run(story())


def note_numbers(found: list[tuple[int, str]], news: wire.AnyNews) -> None:
    if isinstance(news, wire.ChatLine):
        found.append((news.number, news.text))


def is_over(client: Client, code: str) -> bool:
    return client.tables[code].phase == "over"


def test_who_leaves_one_server_is_missed_at_the_other_and_gets_the_post_back_there(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            house = House(leaving="bot", leaving_seconds=0.2)
            settings = replace(QUICK, house=house, first=Crew.B)
            code, game, (ann, bob) = await played(one, two, settings)
            await ann.until(lambda: person(ann, code, Crew.B).here)
            token = bob.token
            await bob.close()
            await ann.until(lambda: not person(ann, code, Crew.B).here)
            await ann.until(lambda: person(ann, code, Crew.B).stand_in is not None)
            await ann.until(lambda: ann.games[game].sheets["public"].dived.b)
            assert one.harbour.rooms[code].hands
            assert not two.harbour.rooms[code].hands
            back = await two.tab(token)
            await back.open(code, position=0, game=game)
            await ann.until(lambda: person(ann, code, Crew.B).here)
            await ann.until(lambda: person(ann, code, Crew.B).stand_in is None)
            await holds(lambda: not one.harbour.rooms[code].hands)
            assert back.games[game].sheets["public"].dived.b

    run(story())


def test_bots_heed_and_play_at_the_server_that_holds_the_lease_and_move_when_it_stops(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        address = postgres.fresh()
        async with serving(tmp_path / "two", log=address, bot_processes=1) as two:
            async with serving(tmp_path / "one", log=address, bot_processes=1) as one:
                ann = await one.player("Ann")
                code = await one.table(ann, replace(QUICK, house=House(leaving="wait")))
                await ann.do(wire.Sit(table=code, crew=Crew.A))
                await ann.do(wire.PlaceBot(table=code, crew=Crew.B, rank=Rank.CADET))
                await ann.do(wire.GetReady(table=code))
                await ann.do(wire.Start(table=code))
                game = await begun([ann], code)
                lease = f"table/{code}"
                await holds(lambda: one.harbour.leases.holds(lease))
                tab = await two.tab(ann.token)
                await tab.open(code)
                await holds(lambda: game in two.harbour.duels)
                assert not two.harbour.rooms[code].hands
                await holds(lambda: one.harbour.rooms[code].hands)
            await holds(lambda: two.harbour.leases.holds(lease))
            await holds(lambda: two.harbour.rooms[code].hands)
            # Ann dives; then it is the bot's turn to do so, at the other server.
            dice = Random(1)
            while not tab.games[game].sheets["public"].dived.b:
                order = choose(tab.games[game], dice)
                if order is not None:
                    await tab.order(game, order)
                await asyncio.sleep(0.02)

    run(story())


def test_what_rests_on_a_lost_lease_or_on_the_past_is_not_written(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            settings = replace(QUICK, clocks=Clocks(game_seconds=3600), house=House(leaving="wait"))
            code, game, _ = await played(one, two, settings)
            room, duel = one.harbour.rooms[code], one.harbour.duels[game]
            await holds(lambda: room.charged)
            mine = room.mandate()
            assert mine is not None
            outcomes: list[Outcome] = []

            def declare(seen: int) -> None:
                lost = give.DeclareLost(Crew.A)
                duel.post(Letter(REFEREE, lost, answer=outcomes.append, under=mine, seen=seen))

            await holds(lambda: duel.working is None)
            declare(duel.seen(REFEREE) + 1)
            await holds(lambda: len(outcomes) == 1)
            # The lease is another's now, and this server does not know it yet.
            await one.harbour.log.release(mine.holder, [mine.name])
            assert await two.harbour.log.hold("another", [mine.name], 60) == {mine.name}
            before = await one.harbour.log.read(game)
            declare(duel.seen(REFEREE))
            await holds(lambda: len(outcomes) == 2)
            assert [outcome.stale for outcome in outcomes] == [True, True]
            assert await one.harbour.log.read(game) == before
            await holds(lambda: not room.charged)
            assert room.mandate() is None
            assert not duel.over

    run(story())


def test_a_clock_runs_out_though_the_server_that_watched_it_has_stopped(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        address = postgres.fresh()
        async with serving(tmp_path / "two", log=address) as two:
            async with serving(tmp_path / "one", log=address) as one:
                settings = replace(
                    QUICK, clocks=Clocks(turn_seconds=10), house=House(leaving="wait")
                )
                code, game, (ann, bob) = await played(one, two, settings)
                dice = Random(2)
                while two.harbour.duels[game].clock.running is None:  # type: ignore[union-attr]
                    for player in (ann, bob):
                        order = choose(player.games[game], dice)
                        if order is not None:
                            await player.order(game, order)
                    await asyncio.sleep(0.02)
                assert one.harbour.rooms[code].charged
            await bob.until(lambda: bob.games[game].over, 10 + 2 * SECONDS + 30)
            # Nobody is given up on at this table, so that was the clock.
            assert bob.games[game].sheets["public"].result.why == "end.time"

    run(story())


def test_what_is_said_and_drawn_reaches_the_crew_at_the_other_server_and_nobody_else(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            bob, ann = await one.player("Bob"), await two.player("Ann")
            code = await one.table(bob, replace(QUICK, house=House(leaving="wait")))
            await ann.open(code)
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            others = (Post.FIRST_MATE, Post.ENGINEER, Post.RADIO_OPERATOR)
            await ann.do(wire.Sit(table=code, crew=Crew.A, posts=(Post.CAPTAIN,)))
            await bob.do(wire.PlaceBot(table=code, crew=Crew.A, posts=others, rank=Rank.CADET))
            for client in (ann, bob):
                await client.do(wire.GetReady(table=code))
            await bob.do(wire.Start(table=code))
            await begun([ann, bob], code)
            room = one.harbour.rooms[code]
            await holds(lambda: room.hands and room.elsewhere)
            (seat,) = room.hands
            heeded: list[object] = []
            room.hands[seat].heed = lambda _, phrase: heeded.append(phrase)  # type: ignore[assignment,method-assign]
            phrase = InSector(3, 60)
            await ann.do(wire.SayPhrase(table=code, phrase=phrase))
            await holds(lambda: heeded)
            assert heeded == [phrase]

            drawn: dict[str, list[wire.Heat]] = {"ann": [], "bob": []}
            for name, client in (("ann", ann), ("bob", bob)):
                client.listeners.append(partial(note_heat, drawn[name]))
            # The enemy's plots, drawn just before, are not in the way.
            room.drawn = {Crew.B: asyncio.get_running_loop().time() + 600}
            await room.draw(Plot(room.table.game or "", Seat(Crew.B, 0), 0, {}))
            likely = {Point(0x22): 700, Point(0x35): 300}
            room.share_heat(seat, HeatMap(likely))
            await ann.until(lambda: any(heat.them == likely for heat in drawn["ann"]))
            assert drawn["ann"][-1].by == "radio-operator"
            await bob.do(wire.FollowLobby(on=False))
            assert drawn["bob"] == []
            noted = " ".join(row[0] for row in await log_of(one).ask("select names from changes"))
            assert f"chat:{code}/plot-a:0" in noted
            assert "700" not in noted

    run(story())


def log_of(server: Server) -> PostgresLog:
    log = server.harbour.log
    assert isinstance(log, PostgresLog)
    return log


def note_heat(heats: list[wire.Heat], news: wire.AnyNews) -> None:
    if isinstance(news, wire.Heat):
        heats.append(news)


def test_a_game_that_was_left_goes_on_wherever_somebody_comes_back(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            ann = await one.player("Ann")
            code = await one.table(ann, replace(QUICK, house=House(leaving="wait")))
            await ann.do(wire.Sit(table=code, crew=Crew.A))
            await ann.do(wire.PlaceBot(table=code, crew=Crew.B, rank=Rank.CADET))
            await ann.do(wire.GetReady(table=code))
            await ann.do(wire.Start(table=code))
            game = await begun([ann], code)
            await holds(lambda: one.harbour.leases.holds(f"table/{code}"))
            await ann.close()
            monkeypatch.setattr(harbour, "FORGOTTEN", 0.1)
            await holds(lambda: code not in one.harbour.rooms)
            assert one.harbour.leases.holds(f"table/{code}")
            back = await two.tab(ann.token)
            await back.open(code)
            await back.until(lambda: game in back.games)
            dice = Random(1)
            async with asyncio.timeout(30):
                while not back.games[game].sheets["public"].dived.b:
                    order = choose(back.games[game], dice)
                    if order is not None:
                        await back.order(game, order)
                    await asyncio.sleep(0.02)
            assert one.harbour.rooms[code].hands

    run(story())


def test_games_that_were_left_are_not_read_when_a_server_starts(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        address = postgres.fresh()
        async with serving(tmp_path / "one", log=address) as one:
            code, game, players = await duel_of(one, settings=QUICK)
        async with serving(tmp_path / "two", log=address) as two:
            await holds(lambda: two.harbour.leases.holds(f"table/{code}"))
            await holds(lambda: not two.harbour.taking.locked())
            assert not two.harbour.rooms
            ann = await two.tab(players[0].token)
            await ann.open(code)
            await holds(lambda: two.harbour.rooms[code].charged)
            assert game in two.harbour.duels

    run(story())


def test_who_comes_from_a_server_that_knew_more_is_told_nothing_twice(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            settings = replace(QUICK, first=Crew.A, house=House(leaving="wait"))
            code, game, (ann, _) = await played(one, two, settings)
            await holds(lambda: game in two.harbour.duels)
            # The second server hears of nothing for a while.
            monkeypatch.setattr(two.harbour.duels[game], "ring", lambda *_: None)
            before = two.harbour.duels[game].position
            for number in range(5):
                assert isinstance(await ann.order(game, give.SlideSheet(1, number)), wire.Done)
            assert two.harbour.duels[game].position == before
            position = ann.games[game].position
            told: list[wire.Told] = []
            tab = await two.tab(ann.token)
            tab.listeners.append(lambda n: told.append(n) if isinstance(n, wire.Told) else None)
            await tab.open(code, position, game)
            assert [news.position for news in told] == [position]
            assert isinstance(await tab.order(game, give.SlideSheet(2, 2)), wire.Done)
            assert [news.position for news in told] == [position, position + 1]

    run(story())
