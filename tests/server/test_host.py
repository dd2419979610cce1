"""The host keeps order at a table: hands it over, locks it, mutes, removes for good."""

from pathlib import Path

import pytest

from fathom.bots.phrases import PleaseCharge
from fathom.client import Client, Failed
from fathom.engine import orders as give
from fathom.server import wire
from fathom.words import Crew, System
from tests.server.postgres import Postgres
from tests.server.serving import Server, begun, duel_of, holds, run, serving
from tests.server.test_many import seated, two_servers

QUICK = wire.Settings(pace="at-once")


def you(client: Client) -> str:
    assert client.welcome is not None
    return client.welcome.you


def closed(client: Client) -> list[tuple[str, str]]:
    """The tables that are closed to a client from now on, and why."""
    found: list[tuple[str, str]] = []
    client.listeners.append(
        lambda news: (
            found.append((news.table, news.why)) if isinstance(news, wire.TableClosed) else None
        )
    )
    return found


async def gathered(server: Server, *names: str) -> tuple[str, list[Client]]:
    """A table with its host and others who have it open."""
    people = [await server.player(name) for name in names]
    code = await server.table(people[0])
    for other in people[1:]:
        await other.open(code)
    return code, people


def test_a_host_hands_the_table_over_to_somebody_with_a_post(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, (ann, bob) = await gathered(server, "Ann", "Bob")
            with pytest.raises(Failed, match="unknown-player"):
                await ann.do(wire.HandOver(table=code, who=you(bob)))
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            with pytest.raises(Failed, match="not-the-host"):
                await bob.do(wire.HandOver(table=code, who=you(bob)))
            await ann.do(wire.HandOver(table=code, who=you(bob)))
            await bob.until(lambda: bob.tables[code].host == you(bob))
            with pytest.raises(Failed, match="not-the-host"):
                await ann.do(wire.LockTable(table=code))
            await bob.do(wire.ChangeSettings(table=code, settings=QUICK))

    run(story())


def test_a_host_who_is_gone_is_host_no_longer(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, host_seconds=0.05) as server:
            code, (ann, bob, eve) = await gathered(server, "Ann", "Bob", "Eve")
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            assert bob.tables[code].host == you(ann)
            await ann.close()
            await bob.until(lambda: bob.tables[code].host == you(bob))
            await bob.close()
            await holds(lambda: len(server.harbour.connections) == 1)
            room = server.harbour.rooms[code]
            assert room.host_watch.timer is None, "nobody who holds a post is left"
            assert room.table.host == you(bob)
            assert eve.failure is None

    run(story())


def test_a_host_who_comes_back_in_time_stays_host(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, host_seconds=3600) as server:
            code, (ann, bob) = await gathered(server, "Ann", "Bob")
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            watch = server.harbour.rooms[code].host_watch

            def waits() -> bool:
                return watch.timer is not None

            assert not waits()
            await ann.do(wire.CloseTable(table=code))
            assert waits()
            await ann.open(code)
            assert not waits()
            assert bob.tables[code].host == you(ann)

    run(story())


def test_nobody_new_sits_down_at_a_locked_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, (ann, bob, eve) = await gathered(server, "Ann", "Bob", "Eve")
            await bob.do(wire.Sit(table=code, crew=Crew.B, posts=()))
            await ann.do(wire.LockTable(table=code))
            await eve.until(lambda: eve.tables[code].locked)
            with pytest.raises(Failed, match="table-locked"):
                await eve.do(wire.Sit(table=code, crew=Crew.A))
            await bob.do(wire.Sit(table=code, crew=Crew.A))
            await ann.do(wire.Sit(table=code, crew=Crew.B))
            lobby = await server.harbour.lobby()
            assert [card.code for card in lobby.tables] == []
            await ann.do(wire.LockTable(table=code, on=False))
            await ann.do(wire.Stand(table=code))
            await eve.do(wire.Sit(table=code, crew=Crew.B))

    run(story())


def test_whoever_is_muted_says_nothing_but_phrases(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, _, (ann, bob) = await duel_of(server)
            await ann.do(wire.MutePerson(table=code, who=you(bob)))
            await bob.until(lambda: bob.tables[code].muted == (you(bob),))
            line = wire.SayWords(table=code, channel="table", text="Boo")
            with pytest.raises(Failed, match="muted"):
                await bob.do(line)
            await bob.do(wire.SayPhrase(table=code, phrase=PleaseCharge(System.MINE)))
            await ann.do(line)
            for who in ("nobody-at-all", you(ann)):
                with pytest.raises(Failed):
                    await ann.do(wire.MutePerson(table=code, who=who))
            await ann.do(wire.MutePerson(table=code, who=you(bob), on=False))
            await bob.do(line)

    run(story())


def test_whoever_is_removed_can_never_come_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, (ann, bob) = await gathered(server, "Ann", "Bob")
            second = await server.tab(bob.token)
            await second.open(code)
            await bob.do(wire.Sit(table=code, crew=Crew.B))
            gone = [closed(client) for client in (bob, second)]
            with pytest.raises(Failed, match="not-the-host"):
                await bob.do(wire.RemovePerson(table=code, who=you(ann)))
            await ann.do(wire.MutePerson(table=code, who=you(bob)))
            # Who is muted is known for ever: a host can't fill the audit notes with them.
            for _ in range(3):
                await ann.do(wire.RemovePerson(table=code, who=you(bob)))
            await bob.until(lambda: gone[0] == [(code, "removed")])
            await second.until(lambda: gone[1] == [(code, "removed")])
            with pytest.raises(Failed, match="not-open"):
                await bob.do(wire.Sit(table=code, crew=Crew.B))
            with pytest.raises(Failed, match="removed"):
                await bob.open(code)
            berths = ann.tables[code].crews[Crew.B].berths
            assert all(berth.holder is None for berth in berths)
            (note,) = await server.harbour.log.moderation.notes()
            found = (note.by, note.action, note.target, note.detail)
            assert found == (you(ann), "host-remove", you(bob), code)
        async with serving(tmp_path) as server:
            again = await server.tab(bob.token)
            with pytest.raises(Failed, match="removed"):
                await again.open(code)

    run(story())


def test_a_bot_plays_on_for_whoever_is_removed_from_a_game(tmp_path: Path) -> None:
    async def story() -> None:
        settings = wire.Settings(pace="at-once", first=Crew.B)
        async with serving(tmp_path, bot_processes=1) as server:
            code, game, (ann, bob) = await duel_of(server, settings=settings)
            for client in (ann, bob):
                offered = client.games[game].offer.orders
                place = next(order for order in offered if isinstance(order, give.Place))
                await client.order(game, place)
            await ann.do(wire.RemovePerson(table=code, who=you(bob)))
            answer = await bob.order(game, give.RESIGN)
            assert isinstance(answer, wire.Problem)
            assert answer.error == "not-open"
            before = ann.games[game].position
            await ann.until(lambda: ann.games[game].position > before)
            holders = {str(b.holder) for b in ann.tables[code].crews[Crew.B].berths}
            assert len(holders) == 1
            assert "BotHand" in holders.pop()

    run(story())


def test_the_host_keeps_order_across_two_servers(postgres: Postgres, tmp_path: Path) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            code, (ann, bob) = await seated(one, two, QUICK)
            eve = await two.player("Eve")
            await eve.open(code)
            gone = closed(eve)
            await ann.do(wire.LockTable(table=code))
            await eve.until(lambda: eve.tables[code].locked)
            await ann.until(lambda: you(eve) in one.harbour.rooms[code].here())
            await ann.do(wire.RemovePerson(table=code, who=you(eve)))
            await eve.until(lambda: gone == [(code, "removed")])
            with pytest.raises(Failed, match="removed"):
                await eve.open(code)
            await ann.do(wire.Start(table=code))
            game = await begun([ann, bob], code)
            ends = closed(bob)
            await ann.do(wire.RemovePerson(table=code, who=you(bob)))
            await bob.until(lambda: ends == [(code, "removed")])
            answer = await bob.order(game, give.RESIGN)
            assert isinstance(answer, wire.Problem)

    run(story())


def test_a_host_who_is_gone_from_one_server_is_replaced_at_another(
    postgres: Postgres, tmp_path: Path
) -> None:
    async def story() -> None:
        async with two_servers(postgres, tmp_path) as (one, two):
            code, (ann, bob) = await seated(one, two, QUICK)
            await holds(lambda: you(ann) in two.harbour.rooms[code].here())
            two.harbour.rooms[code].host_watch.seconds = 0.01
            assert two.harbour.rooms[code].host_watch.timer is None
            await ann.close()
            await bob.until(lambda: bob.tables[code].host == you(bob))

    run(story())
