"""A curious enemy asks for whatever the server may tell by mistake."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import pytest
from msgspec.structs import replace

from fathom import client as fathom_client
from fathom.engine import orders as give
from fathom.engine.orders import AnyOrder
from fathom.points import parse
from fathom.server import duel as duel_module
from fathom.server import wire
from fathom.server.bot_tasks import Reply
from fathom.server.duel import KEYS, Duel, Judged, Letter, Outcome
from fathom.server.wire import Clocks, Settings
from fathom.words import REFEREE, ByCrew, Crew, Heading, Seat
from tests.server.serving import QUICK, FakeTime, begun, duel_of, holds, run, serving, settled
from tests.server.test_advice import refusal
from tests.server.test_playing import dive, sail, to_a_sonar

MARK = give.PutMark(10, 10, "ring")


def test_nobody_is_advised_for_the_seat_that_they_had_before_the_rematch(tmp_path: Path) -> None:
    """A seat is remembered with its game: in the next game it is the enemy's."""

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            settings = replace(QUICK, first=Crew.A)
            code, first, (ann, bob) = await duel_of(server, settings=settings)
            assert isinstance(await bob.order(first, give.RESIGN), wire.Done)
            await ann.until(lambda: ann.tables[code].phase == "over")
            await ann.do(wire.Rematch(table=code))
            for client in (ann, bob):
                await client.do(wire.GetReady(table=code))
            await ann.do(wire.Start(table=code))
            for client in (ann, bob):
                await client.until(lambda: client.tables[code].game != first)  # noqa: B023
            game = await begun([ann, bob], code)
            await to_a_sonar(bob, ann, game)
            assert await refusal(bob, first) == "not-open"
            assert await refusal(bob, game) == "sonar.answer"
            answer = await bob.order(first, give.RESIGN)
            assert isinstance(answer, wire.Problem)

    run(story())


COMMIT = 0.0073
"""Seconds that the disk takes for a step."""


@pytest.mark.parametrize("marks", [0, 40])
def test_clocks_do_not_show_how_many_secret_marks_the_enemy_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, marks: int
) -> None:
    clock, append = FakeTime(), Duel.append
    monkeypatch.setattr(duel_module, "time", clock)

    def slowly(duel: Duel, letters: list[Letter], steps: list[Judged]) -> "asyncio.Future[None]":
        clock.now += COMMIT
        return append(duel, letters, steps)

    monkeypatch.setattr(Duel, "append", slowly)
    settings = replace(QUICK, first=Crew.A, clocks=Clocks(turn_seconds=60, game_seconds=600))

    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, bob) = await duel_of(server, settings=settings)
            await dive(ann, bob, game)
            began = clock.now
            shown: list[wire.ClockFace | None] = []
            bob.listeners.append(
                lambda n: shown.append(n.clock) if isinstance(n, wire.Told) else None
            )
            for number in range(marks):
                clock.now = began + 0.1 * number + 0.0009
                assert isinstance(await ann.order(game, MARK), wire.Done)
            clock.now = began + 10.0005
            await sail(ann, game)
            clock.now = began + 20.0005
            assert isinstance(await ann.order(game, give.END_TURN), wire.Done)
            await settled([ann, bob], game)
            # The commit of the last step is no crew's time.
            left = ByCrew(580_000, 600_000)
            assert shown[-1] == wire.ClockFace(Crew.B, 60_000, left)
            # What the public announcement shows: ten seconds, and the commit that it waited for.
            assert shown[0] == wire.ClockFace(Crew.A, 49_993, ByCrew(589_993, 600_000))

    run(story())


@pytest.mark.parametrize(("order", "stale"), [(MARK, False), (give.DIVE, True)])
def test_no_order_of_the_referee_waits_because_of_a_secret_mark(
    tmp_path: Path, order: AnyOrder, stale: bool
) -> None:
    """If it did, a stop that ends later than usual would tell that somebody has drawn."""

    async def story() -> None:
        async with serving(tmp_path) as server:
            settings = replace(QUICK, first=Crew.A)
            code, game, (ann, _) = await duel_of(server, settings=settings)
            assert isinstance(await ann.order(game, give.Place(parse("A1"))), wire.Done)
            duel = server.harbour.duels[game]
            outcomes: list[Outcome] = []
            seen, under = duel.seen(REFEREE), server.harbour.rooms[code].mandate()
            lost = give.DeclareLost(Crew.B)
            duel.post(Letter(Seat(Crew.A, 0), order, under=under))
            duel.post(Letter(REFEREE, lost, answer=outcomes.append, under=under, seen=seen))
            await holds(lambda: outcomes)
            assert outcomes[0].stale is stale

    run(story())


def test_how_long_a_bot_thinks_does_not_show(tmp_path: Path) -> None:
    """It depends on what its crew has charged, so it is part of the time that a hand takes."""

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.player("Ann")
            made = await fathom_client.new_table(server.url, ann.token, Settings(), solo=True)
            await ann.open(made.table)
            await begun([ann], made.table)
            hands = server.harbour.rooms[made.table].hands
            await holds(lambda: hands and all(hand.asked_at for hand in hands.values()))
            (hand,) = hands.values()
            given: list[float] = []
            loop = asyncio.get_running_loop()
            for thought in (0.0, 0.5, 1.0):
                hand.cancel()
                hand.dice, hand.busy_until = Random(1), 0.0
                # Far in the future, so that no machine is too slow for this.
                hand.asked_at = loop.time() + 1000.0 - thought
                order = give.SetCourse(Heading.N)
                hand.use(Reply(bot=hand.name, number=hand.news, order=order))
                assert hand.timer is not None
                given.append(hand.timer.when() - hand.asked_at)
            assert given == pytest.approx([given[0]] * 3, abs=0.4)

    run(story())


def test_no_answer_tells_which_versions_serve(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server, aiohttp.ClientSession(server.url) as session:
            for path in ("/", "/health", "/metrics", "/api/lobby", "/api/tables/AAAAA"):
                async with session.get(path) as answer:
                    assert answer.headers["Server"] == "Fathom"

    run(story())


def test_how_soon_an_old_order_is_answered_does_not_count_the_enemys(tmp_path: Path) -> None:
    """An order that is remembered is answered sooner than one that must be looked up."""

    async def story() -> None:
        async with serving(tmp_path) as server:
            _, game, (ann, bob) = await duel_of(server, settings=replace(QUICK, first=Crew.A))
            mine = wire.GiveOrder(id="mine", game=game, order=MARK)
            assert isinstance(await ann.ask(mine), wire.Done)
            for _ in range(3 * KEYS):
                assert isinstance(await bob.order(game, give.SlideSheet(1, 1)), wire.Done)
            log, asked = server.harbour.log, list[str]()
            for name in ("append", "position_of", "read"):
                monkeypatch.setattr(log, name, counted(getattr(log, name), name, asked))
            again = await ann.ask(mine)
            assert isinstance(again, wire.Done)
            assert again.again
            assert asked == []

    def counted(call: Callable[..., Any], name: str, asked: list[str]) -> Callable[..., Any]:
        def ask(*about: Any, **more: Any) -> Any:
            asked.append(name)
            return call(*about, **more)

        return ask

    with pytest.MonkeyPatch.context() as monkeypatch:
        run(story())
