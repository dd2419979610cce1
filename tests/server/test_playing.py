"""A game over the network: resuming, two tabs, orders that take effect once, watching, the end."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import aiohttp
import pytest
from msgspec.structs import replace

from fathom.bots.ranks import Rank
from fathom.client import Client, Failed, call
from fathom.engine import orders as give
from fathom.engine.actions.answer import column_of, row_of
from fathom.engine.base import Events
from fathom.engine.events import SonarAnswered
from fathom.engine.game import Game, ground_for
from fathom.engine.knowledge.view import overhear
from fathom.engine.logbook import read as read_logbook
from fathom.engine.orders import AnyOrder
from fathom.engine.referee import decide
from fathom.points import parse
from fathom.rules.setup import House
from fathom.server import duel as duels
from fathom.server import wire
from fathom.server.duel import EVENTS
from fathom.server.offers import offer_to
from fathom.server.room import Room
from fathom.server.wire import Clocks, Settings
from fathom.words import CREWS, Crew, Heading, Kind, Mode, Referee, Seat, System
from tests.server.serving import (
    QUICK,
    Server,
    choose,
    duel_of,
    play_on,
    run,
    serving,
    settled,
    sheets,
)


def test_a_whole_game_is_played_recorded_and_read_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, players = await duel_of(server, settings=replace(QUICK, first=Crew.A))
            with pytest.raises(Failed, match="game-not-over"):
                await call(server.url, f"/api/games/{game}", wire.GameRecord)
            given = await play_on(players, game, Random(3), 150)
            assert len(given) == 150 or players[0].games[game].over
            if not players[0].games[game].over:
                await players[1].order(game, give.RESIGN)
                await settled(players, game)
            record = await call(server.url, f"/api/games/{game}", wire.GameRecord)
            assert record.result == players[0].games[game].sheets["public"].result
            assert list(record.players) == [("Player 1",), ("Player 2",)]
            assert len(record.steps) >= len(given)
            mine = await call(server.url, "/api/games", wire.MyGames, token=players[1].token)
            assert [(card.game, card.crew) for card in mine.games] == [(game, Crew.B)]
            assert mine.games[0].result == record.result
            text = await fetch(server, f"/api/games/{game}/logbook")
            events = [event for step in record.steps for event in step.events]
            assert list(read_logbook(text).events) == events
            assert code in {card.table for card in mine.games}

    run(story())


async def fetch(server: Server, path: str) -> str:
    """A file from the server."""
    async with aiohttp.ClientSession() as session, session.get(server.url + path) as answer:
        assert answer.status == 200
        return await answer.text()


@pytest.mark.parametrize("size", [1, 4])
def test_a_client_that_follows_sees_what_one_that_comes_sees(tmp_path: Path, size: int) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = Settings(
                rulebook="captain-sonar-2",
                mode=Mode.REAL_TIME if size == 4 else Mode.TURN_BY_TURN,
                house=House(pause_seconds=0.0, radio_help="tape"),
            )
            code, game, players = await duel_of(server, size, settings)
            for _ in range(8):
                await play_on(players, game, Random(5), 15)
                for player in players:
                    tab = await server.tab(player.token)
                    await tab.open(code)
                    await settled([*players, tab], game)
                    assert sheets(tab, game) == sheets(player, game)
                    await tab.close()

    run(story())


@pytest.mark.parametrize("size", [1, 4])
def test_everyone_is_always_offered_what_they_may_do(tmp_path: Path, size: int) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = Settings(
                mode=Mode.REAL_TIME if size == 4 else Mode.TURN_BY_TURN,
                house=House(pause_seconds=0.0),
            )
            code, game, players = await duel_of(server, size, settings)
            room, dice = server.harbour.rooms[code], Random(11)
            duel = room.duel
            assert duel is not None
            for _ in range(60):
                await play_on(players, game, dice, 1)
                await scribble(players, game)
                await quiet(room)
                await settled(players, game)
                for player in players:
                    seen = player.games[game]
                    assert seen.opened.seat is not None
                    assert seen.offer == offer_to(duel.game, seen.opened.seat)

    run(story())


async def scribble(players: list[Client], game: str) -> None:
    """Whoever may write puts a mark on the transparent sheet."""
    for player in players:
        if player.games[game].offer.writing:
            await player.order(game, give.PutMark(10, 10, "ring"))


async def quiet(room: Room) -> None:
    """Nothing is under way, and the referee waits for nothing."""
    assert room.duel is not None
    assert room.watch is not None
    while room.duel.working is not None or room.watch.pauses:  # noqa: ASYNC110
        await asyncio.sleep(0.001)


def test_two_tabs_stay_in_step(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, (ann, bob) = await duel_of(server)
            tab = await server.tab(ann.token)
            await tab.open(code)
            for _ in range(40):
                await play_on([ann, tab, bob], game, Random(6), 1)
                await settled([ann, tab, bob], game)
                assert sheets(ann, game) == sheets(tab, game)

    run(story())


def test_who_comes_back_misses_nothing_and_hears_nothing_twice(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, (ann, bob) = await duel_of(server)
            dice = Random(7)
            comings: list[int] = []
            for _ in range(10):
                await play_on([ann, bob], game, dice, 4)
                assert ann.socket is not None
                comings.append(ann.comings)
                await ann.socket.close()
                await play_on([bob], game, dice, 1) if bob_may(bob, game) else None
                await ann.until(lambda: ann.comings > comings[-1])
                await settled([ann, bob], game)
            seen = ann.games[game]
            duel, seat = server.harbour.rooms[code].duel, seen.opened.seat
            assert duel is not None
            assert seat is not None
            steps = await server.harbour.log.read(game)
            truth = [
                news
                for step in steps
                for event in EVENTS.decode(step.events)
                if (news := overhear(duel.ground, event, seat)) is not None
            ]
            assert seen.heard == truth
            assert seen.position == len(truth)

    run(story())


def bob_may(bob: Client, game: str) -> bool:
    return choose(bob.games[game], Random(1)) is not None


def test_an_order_takes_effect_once_however_often_it_is_sent(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = replace(QUICK, first=Crew.A)
            code, game, (ann, bob) = await duel_of(server, settings=settings)
            await dive(ann, bob, game)
            course = next(o for o in ann.games[game].offer.orders if isinstance(o, give.SetCourse))
            order = wire.GiveOrder(id="my-course", game=game, order=course)
            first = await ann.ask(order)
            assert isinstance(first, wire.Done)
            assert not first.again
            again = await ann.ask(order)
            assert isinstance(again, wire.Done)
            assert again.again
            tab = await server.tab(ann.token)
            await tab.open(code)
            elsewhere = await tab.ask(order)
            assert isinstance(elsewhere, wire.Done)
            assert elsewhere.again
            # Nor after the server has forgotten what it did, and the game has gone on.
            server.harbour.rooms[code].duel.keys.clear()  # type: ignore[union-attr]
            late = await tab.ask(order)
            assert isinstance(late, wire.Done)
            assert late.again
            assert len(ann.games[game].sheets["helm"].route) == 2
            # The same words from another player are another order.
            other = await bob.ask(order)
            assert isinstance(other, wire.Refused)
            assert other.rule == "turn.yours"

    run(story())


def test_a_fault_in_one_game_is_told_to_who_met_it_and_ends_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours, while two games have an order each."""
    judge = decide

    def faulty(game: Game, by: Seat | Referee, order: AnyOrder) -> Events:
        if order == give.Place(parse("A2")):
            raise ZeroDivisionError
        return judge(game, by, order)

    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, _) = await duel_of(server)
            _, other, (eve, _) = await duel_of(server)
            monkeypatch.setattr(duels, "decide", faulty)
            orders = (
                ann.ask(wire.GiveOrder(id="1", game=game, order=give.Place(parse("A2")))),
                eve.ask(wire.GiveOrder(id="1", game=other, order=give.Place(parse("A1")))),
            )
            failed, done = await asyncio.gather(*orders)
            assert isinstance(failed, wire.Problem)
            assert failed.error == "internal"
            assert isinstance(done, wire.Done)
            assert server.harbour.metrics.faults == 1
            await ann.order(game, give.Place(parse("A1")))

    run(story())


def test_many_copies_at_once_take_effect_once(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, (ann, bob) = await duel_of(server, settings=replace(QUICK, first=Crew.A))
            await dive(ann, bob, game)
            tabs = [await server.tab(ann.token) for _ in range(5)]
            for tab in tabs:
                await tab.open(code)
            course = next(o for o in ann.games[game].offer.orders if isinstance(o, give.SetCourse))
            order = wire.GiveOrder(id="once", game=game, order=course)
            answers = await asyncio.gather(*(tab.ask(order) for tab in tabs))
            assert all(isinstance(answer, wire.Done) for answer in answers)
            assert sum(not answer.again for answer in answers) == 1  # type: ignore[union-attr]
            await settled([ann], game)
            assert len(ann.games[game].sheets["helm"].route) == 2

    run(story())


async def dive(ann: Client, bob: Client, game: str) -> None:
    """Both captains mark a start and dive."""
    for client in (ann, bob):
        orders = client.games[game].offer.orders
        place = next(order for order in orders if isinstance(order, give.Place))
        assert isinstance(await client.order(game, place), wire.Done)
        assert isinstance(await client.order(game, give.DIVE), wire.Done)
    await settled([ann, bob], game)


def test_a_refused_order_names_its_rule_and_changes_nothing(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, bob) = await duel_of(server, settings=replace(QUICK, first=Crew.A))
            await dive(ann, bob, game)
            before = sheets(ann, game), sheets(bob, game)
            answer = await bob.order(game, give.SetCourse(Heading.N))
            assert isinstance(answer, wire.Refused)
            assert (answer.rule, answer.game) == ("turn.yours", game)
            await settled([ann, bob], game)
            assert (sheets(ann, game), sheets(bob, game)) == before

    run(story())


def test_only_the_seats_player_acts_for_it(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, (ann, _) = await duel_of(server)
            eve = await server.player("Eve")
            stranger = await eve.order(game, give.RESIGN)
            assert isinstance(stranger, wire.Problem)
            assert stranger.error == "not-open"
            await eve.open(code)
            watcher = await eve.order(game, give.RESIGN)
            assert isinstance(watcher, wire.Problem)
            assert watcher.error == "not-your-seat"
            for order in (give.DeclareLost(Crew.A), give.DrawFirst(Crew.B)):
                answer = await ann.order(game, order)
                assert isinstance(answer, wire.Refused)
                assert answer.rule == "crew.orders"

    run(story())


# Spectators


def test_where_nobody_may_watch_nobody_does(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, _, _ = await duel_of(server, settings=replace(QUICK, watching="nobody"))
            watcher = await server.player("Watcher")
            with pytest.raises(Failed, match="watching-not-allowed"):
                await watcher.open(code)

    run(story())


# Clocks, pauses, leaving


def clocks_shown(client: Client) -> list[wire.ClockFace]:
    """All clocks that a client is shown from now on."""
    shown: list[wire.ClockFace] = []
    client.listeners.append(
        lambda n: shown.append(n.clock) if isinstance(n, wire.Told) and n.clock else None
    )
    return shown


def test_a_crew_whose_time_is_up_has_lost(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = replace(QUICK, first=Crew.B, clocks=Clocks(turn_seconds=5))
            code, game, (ann, bob) = await duel_of(server, settings=settings)
            clocks = clocks_shown(ann)
            await dive(ann, bob, game)
            assert clocks[-1].running is Crew.B
            assert 4000 < (clocks[-1].turn or 0) <= 5000
            # Nobody waits five seconds for a test: the last step was made five seconds ago.
            room = server.harbour.rooms[code]
            assert room.duel is not None
            assert room.watch is not None
            room.duel.since -= 5.0
            room.watch.look()
            await ann.until(lambda: ann.games[game].over)
            result = ann.games[game].sheets["public"].result
            assert (result.winner, result.why) == (Crew.A, "end.time")

    run(story())


def sonar_house(seconds: float) -> Settings:
    """A table at which a captain has so long to answer a sonar."""
    return replace(QUICK, first=Crew.A, house=House(answer_seconds=seconds))


async def to_a_sonar(
    ann: Client, bob: Client, game: str, then: Callable[[], None] = lambda: None
) -> None:
    """Both sail; Ann's crew charges its sonar until it is full, spares it, and then uses it."""
    await dive(ann, bob, game)
    boxes = ann.games[game].opened.facts.gauges["sonar"]
    for turn in range(boxes):
        for client in (ann, bob):
            await sail(client, game)
            if client is ann and turn == boxes - 1:
                await settled([ann, bob], game)
                then()
                assert isinstance(await ann.order(game, give.USE_SONAR), wire.Done)
                return
            assert isinstance(await client.order(game, give.END_TURN), wire.Done)
            await settled([ann, bob], game)


async def sail(client: Client, game: str) -> None:
    """A course and its marks: the sonar's gauge, and a symbol that breaks no sonar."""
    seen = client.games[game]
    course = next(order for order in seen.offer.orders if isinstance(order, give.SetCourse))
    assert isinstance(await client.order(game, course), wire.Done)
    await settled([client], game)
    spared = [symbol for symbol, mark in seen.offer.marks.items() if mark.kind is not Kind.GREEN]
    for order in (give.Charge(System.SONAR), give.CrossOut(spared[0])):
        assert isinstance(await client.order(game, order), wire.Done)
    await settled([client], game)


def test_an_answer_takes_no_time_of_the_turn_in_which_it_is_asked_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = replace(QUICK, first=Crew.A, clocks=Clocks(turn_seconds=3600))
            code, game, (ann, bob) = await duel_of(server, settings=settings)
            faces = clocks_shown(ann)
            duel = server.harbour.rooms[code].duel
            assert duel is not None

            def pass_time(seconds: float) -> None:
                # Nobody waits for a test: the last step was made so much earlier.
                duel.since -= seconds

            await to_a_sonar(ann, bob, game, lambda: pass_time(3000))
            # Ann has used 3000 of 3600 seconds; Bob has a whole turn's time for his answer.
            assert_clock(faces[-1], Crew.B, 3_590_000, 3_600_000)
            pass_time(2000)
            answer = next(
                o for o in bob.games[game].offer.orders if isinstance(o, give.AnswerSonar)
            )
            held = duel.clock.held if duel.clock is not None else None
            assert held is not None
            assert 500_000 < held <= 600_000
            assert isinstance(await bob.order(game, answer), wire.Done)
            await settled([ann, bob], game)
            # The sonar was Ann's turn: now it is Bob's, with all its time.
            assert_clock(faces[-1], Crew.B, 3_590_000, 3_600_000)

    run(story())


def assert_clock(face: wire.ClockFace, running: Crew, least: int, most: int) -> None:
    assert face.running is running
    assert face.turn is not None
    assert least < face.turn <= most


def test_a_timer_that_rings_too_early_ends_no_game(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = replace(QUICK, first=Crew.B, clocks=Clocks(turn_seconds=3600))
            code, game, (ann, bob) = await duel_of(server, settings=settings)
            await dive(ann, bob, game)
            room = server.harbour.rooms[code]
            assert room.duel is not None
            assert room.watch is not None
            for early in (3600.0, 5.0):
                room.duel.since = time.monotonic() - 3600 + early
                timer = room.watch.clock
                assert timer is not None
                # Ring now.
                room.watch.watch_clock()
                await settled([ann, bob], game)
                assert not ann.games[game].over
            room.duel.since = time.monotonic() - 3600
            room.watch.watch_clock()
            await ann.until(lambda: ann.games[game].over)
            assert ann.games[game].sheets["public"].result.why == "end.time"

    run(story())


def test_a_captain_who_does_not_answer_in_time_is_answered_for(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, bob) = await duel_of(server, settings=sonar_house(0.05))
            pauses: list[wire.Pause] = []
            for client in (ann, bob):
                client.listeners.append(
                    lambda n: pauses.append(n) if isinstance(n, wire.Pause) else None
                )
            await to_a_sonar(ann, bob, game)
            await ann.until(lambda: bool(answers(ann, game)))
            (answer,) = answers(ann, game)
            assert answer.crew is Crew.B
            at = bob.games[game].sheets["helm"].at
            truth = {"row": row_of(at), "column": column_of(at)}
            truth["sector"] = ground_for(bob.games[game].opened.setup).sectors[at]
            told = {name: getattr(answer, name) for name in truth}
            said = {name: value for name, value in told.items() if value is not None}
            assert len(said) == 2
            assert sum(value == truth[name] for name, value in said.items()) == 1
            assert [(pause.what, pause.left) for pause in pauses] == [("sonar-answer", 50)] * 2

    run(story())


def answers(client: Client, game: str) -> list[SonarAnswered]:
    return [event for event in client.games[game].heard if isinstance(event, SonarAnswered)]


def test_a_captain_who_answers_in_time_answers_alone(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, (ann, bob) = await duel_of(server, settings=sonar_house(300.0))
            await to_a_sonar(ann, bob, game)
            await settled([ann, bob], game)
            watch = server.harbour.rooms[code].watch
            assert watch is not None
            assert list(watch.pauses) == ["sonar-answer"]
            offered = bob.games[game].offer.orders
            answer = next(order for order in offered if isinstance(order, give.AnswerSonar))
            assert isinstance(await bob.order(game, answer), wire.Done)
            await settled([ann, bob], game)
            (told,) = answers(ann, game)
            assert (told.row, told.column, told.sector) == (
                answer.row,
                answer.column,
                answer.sector,
            )
            assert watch.pauses == {}

    run(story())


def test_whoever_leaves_is_replaced_and_gets_the_post_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            house = House(leaving="bot", leaving_seconds=0.05)
            settings = replace(QUICK, house=house, first=Crew.B)
            code, game, (ann, bob) = await duel_of(server, settings=settings)
            token = bob.token
            await bob.close()
            await ann.until(lambda: stand_in(ann, code, Crew.B) is not None)
            await ann.until(lambda: ann.games[game].sheets["public"].dived.b)
            back = await server.tab(token)
            await back.open(code, position=0, game=game)
            assert stand_in(back, code, Crew.B) is None
            assert back.games[game].sheets["public"].dived.b
            assert not server.harbour.rooms[code].hands

    run(story())


def stand_in(client: Client, code: str, crew: Crew) -> object:
    holder = client.tables[code].crews[crew].berths[0].holder
    assert isinstance(holder, wire.Person)
    return holder.stand_in


def test_a_crew_that_leaves_for_too_long_loses_where_the_table_says_so(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            house = House(leaving="lose", leaving_seconds=0.05)
            _, game, (ann, bob) = await duel_of(server, settings=replace(QUICK, house=house))
            await bob.close()
            await ann.until(lambda: ann.games[game].over)
            result = ann.games[game].sheets["public"].result
            assert (result.winner, result.why) == (Crew.A, "end.abandon")

    run(story())


def test_while_nobody_is_there_nothing_happens(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            house = House(leaving="lose", leaving_seconds=60.0)
            settings = replace(QUICK, house=house, first=Crew.A)
            code, game, (ann, bob) = await duel_of(server, settings=settings)
            tokens = ann.token, bob.token
            await asyncio.gather(ann.close(), bob.close())
            room = server.harbour.rooms[code]
            while room.guests:  # noqa: ASYNC110  (the server tells nobody that all have left)
                await asyncio.sleep(0.01)
            # Nobody waits a minute for a test: the time of both is up.
            assert len(room.leaving) == 2
            for who in tuple(room.leaving):
                room.leaving[who].cancel()
                room.give_up_on(who)
            duel = room.duel
            assert duel is not None
            assert duel.working is None
            assert not duel.over
            assert duel.stopped is not None
            for token in tokens:
                back = await server.tab(token)
                await back.open(code)
                assert not back.games[game].over

    run(story())


# After a restart


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, players = await duel_of(server)
            await play_on(players, game, Random(4), 30)
            before = [sheets(player, game) for player in players]
            tokens = [player.token for player in players]
        async with serving(tmp_path) as server:
            for token, was in zip(tokens, before, strict=True):
                player = await server.tab(token)
                assert player.welcome is not None
                assert player.welcome.tables == (code,)
                await player.open(code)
                assert sheets(player, game) == was

    run(story())


def test_bots_play_a_whole_game_and_survive_a_restart(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            settings = replace(QUICK, rank=Rank.CADET)
            code = await server.table(ann, settings)
            for crew in CREWS:
                await ann.do(wire.PlaceBot(table=code, crew=crew))
            await ann.do(wire.Start(table=code))
            await ann.until(lambda: bool(ann.games) and heard_of(ann) > 20, 60)
            game = ann.tables[code].game or ""
            token = ann.token
        async with serving(tmp_path) as server:
            ann = await server.tab(token)
            await ann.open(code)
            reached = ann.games[game].position
            await ann.until(
                lambda: ann.games[game].over or ann.games[game].position > reached + 20, 60
            )

    run(story())


def heard_of(client: Client) -> int:
    return max(seen.position for seen in client.games.values())
