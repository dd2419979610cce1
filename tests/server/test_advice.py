"""Advice for a captain who must answer a sonar: for that seat alone, and it holds up nothing."""

import asyncio
import os
import signal
from pathlib import Path

from msgspec.structs import replace

from fathom.belief.evidence import Belief
from fathom.bots.lies import on_line, remaining
from fathom.client import Client
from fathom.engine import orders as give
from fathom.engine.knowledge.announce import announce
from fathom.engine.orders import AnyOrder
from fathom.rules.setup import House
from fathom.server import wire
from fathom.server.duel import EVENTS
from fathom.server.limits import Buckets, Rate
from fathom.words import Crew, Mode, Post
from tests.server.serving import QUICK, Server, begun, duel_of, run, serving, settled
from tests.server.test_playing import dive, sail, to_a_sonar

FIRST = replace(QUICK, first=Crew.A)


async def advice(client: Client, game: str) -> AnyOrder:
    """The advice that a client gets."""
    answer = await client.ask(wire.Advise(id=client.new_id(), game=game))
    assert isinstance(answer, wire.Done), answer
    assert answer.advice is not None
    return answer.advice


async def refusal(client: Client, game: str) -> str:
    """The rule or error with which advice is refused."""
    answer = await client.ask(wire.Advise(id=client.new_id(), game=game))
    assert not isinstance(answer, wire.Done), answer
    return answer.rule if isinstance(answer, wire.Refused) else answer.error


async def known_of(server: Server, game: str, crew: Crew) -> Belief:
    """Where a crew can be, for all that everyone heard."""
    duel = server.harbour.duels[game]
    belief = Belief(duel.ground, crew)
    for step in await server.harbour.log.read(game):
        for event in EVENTS.decode(step.events):
            if (said := announce(event)) is not None:
                belief.hear(said)
    belief.settle()
    return belief


def test_a_captain_is_advised_the_answer_that_tells_least_and_nobody_else_hears_it(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            _, game, (ann, bob) = await duel_of(server, settings=FIRST)
            assert await refusal(bob, game) == "sonar.answer"
            raw: list[str] = []
            ann.raw.append(raw.append)
            await to_a_sonar(ann, bob, game)
            await settled([ann, bob], game)
            offered = bob.games[game].offer.orders
            answers = [order for order in offered if isinstance(order, give.AnswerSonar)]
            advised = await advice(bob, game)
            assert advised in answers
            assert await advice(bob, game) == advised
            belief = await known_of(server, game, Crew.B)
            left = {a: remaining(belief.ground, belief.possible, a) for a in answers}
            assert left[advised] == max(left.values()) > min(left.values())
            # To ask gives nothing away, and changes nothing.
            assert await refusal(ann, game) == "sonar.answer"
            await settled([ann, bob], game)
            assert not [message for message in raw if "advice" in message]
            assert bob.games[game].offer.orders == offered
            assert isinstance(await bob.order(game, advised), wire.Done)
            assert await refusal(bob, game) == "sonar.answer"

    run(story())


def test_in_the_family_game_row_or_column_is_advised(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            settings = replace(FIRST, rulebook="sonar")
            _, game, (ann, bob) = await duel_of(server, settings=settings)
            # Where submarines start is printed on its chart.
            for client in (ann, bob):
                assert isinstance(await client.order(game, give.DIVE), wire.Done)
            await settled([ann, bob], game)
            for client in (ann, bob, ann, bob):
                orders = client.games[game].offer.orders
                course = next(order for order in orders if isinstance(order, give.SetCourse))
                assert isinstance(await client.order(game, course), wire.Done)
                await settled([ann, bob], game)
            assert await refusal(bob, game) == "sonar.answer-true"
            assert isinstance(await ann.order(game, give.USE_SONAR), wire.Done)
            await settled([ann, bob], game)
            advised = await advice(bob, game)
            assert isinstance(advised, give.AnswerTruly)
            belief, at = await known_of(server, game, Crew.B), bob.games[game].sheets["helm"].at
            lines = [give.AnswerTruly("row"), give.AnswerTruly("column")]
            left = {line: on_line(belief.possible, at, line) for line in lines}
            assert left[advised] == max(left.values())
            assert isinstance(await bob.order(game, advised), wire.Done)

    run(story())


def test_only_the_captain_who_is_asked_gets_advice(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann, bob, eve, dan = [await server.player(n) for n in ("Ann", "Bob", "Eve", "Dan")]
            settings = replace(FIRST, house=House(lift_crew_rules=True))
            code = await server.table(ann, settings)
            others = tuple(post for post in Post if post is not Post.CAPTAIN)
            seats = ((ann, Crew.A, ()), (bob, Crew.B, (Post.CAPTAIN,)), (eve, Crew.B, others))
            for client, crew, posts in seats:
                await client.open(code)
                await client.do(wire.Sit(table=code, crew=crew, posts=posts))
                await client.do(wire.GetReady(table=code))
            await dan.open(code)
            await ann.do(wire.Start(table=code))
            game = await begun([ann, bob, eve, dan], code)
            await dive(ann, bob, game)
            await sail(ann, game)
            await ann.order(game, give.END_TURN)
            await settled([ann, bob, eve], game)
            orders = bob.games[game].offer.orders
            await bob.order(game, next(o for o in orders if isinstance(o, give.SetCourse)))
            for kind in (give.Charge, give.CrossOut):
                await settled([bob, eve], game)
                orders = eve.games[game].offer.orders
                await eve.order(game, next(o for o in orders if isinstance(o, kind)))
            await bob.order(game, give.END_TURN)
            await settled([ann, bob, eve], game)
            await sail(ann, game)
            assert isinstance(await ann.order(game, give.USE_SONAR), wire.Done)
            await settled([ann, bob, eve], game)
            assert await refusal(eve, game) == "crew.orders"
            assert await refusal(dan, game) == "not-your-seat"
            assert await refusal(ann, game) == "sonar.answer"
            assert isinstance(await advice(bob, game), give.AnswerSonar)

    run(story())


async def asked_with_the_process_stopped(server: Server) -> tuple[str, Client, Client, int]:
    """A captain who must answer, while the process that would advise them stands still."""
    _, game, (ann, bob) = await duel_of(server, settings=FIRST)
    await to_a_sonar(ann, bob, game)
    await advice(bob, game)
    process = server.harbour.barracks.messes[0].process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)
    return game, ann, bob, process.pid


def test_a_captain_whose_adviser_dies_is_told_so_and_may_ask_again(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            game, _, bob, process = await asked_with_the_process_stopped(server)
            asked = [wire.Advise(id=bob.new_id(), game=game) for _ in range(2)]
            answers = [asyncio.create_task(bob.ask(each)) for each in asked]
            # On one connection, whatever is asked later is answered later.
            await settled([bob], game)
            os.kill(process, signal.SIGKILL)
            for answer in answers:
                told = await answer
                assert isinstance(told, wire.Problem)
                assert told.error == "internal"
            assert isinstance(await advice(bob, game), give.AnswerSonar)

    run(story())


def test_the_game_waits_for_no_advice(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            game, ann, bob, process = await asked_with_the_process_stopped(server)
            try:
                pending = asyncio.create_task(bob.ask(wire.Advise(id=bob.new_id(), game=game)))
                await settled([bob], game)
                offered = bob.games[game].offer.orders
                own = next(order for order in offered if isinstance(order, give.AnswerSonar))
                assert isinstance(await bob.order(game, own), wire.Done)
                # Nothing is left to be advised on.
                told = await pending
                assert isinstance(told, wire.Refused)
                assert told.rule == "sonar.answer"
                await settled([ann, bob], game)
                assert ann.games[game].sheets["public"].awaited is None
            finally:
                os.kill(process, signal.SIGCONT)

    run(story())


def test_advice_has_a_rate(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            server.harbour.advice = Buckets(Rate(2, 1 / 3600))
            _, game, (ann, bob) = await duel_of(server, settings=FIRST)
            await to_a_sonar(ann, bob, game)
            found = [await bob.ask(wire.Advise(id=bob.new_id(), game=game)) for _ in range(4)]
            problems = [answer for answer in found if isinstance(answer, wire.Problem)]
            assert [isinstance(answer, wire.Done) for answer in found[:2]] == [True] * 2
            assert len(problems) == 2
            assert {problem.error for problem in problems} == {"too-many-messages"}

    run(story())


def test_in_real_time_a_captain_is_advised_too(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            settings = replace(QUICK, mode=Mode.REAL_TIME, house=House(lift_crew_rules=True))
            _, game, (ann, bob) = await duel_of(server, settings=settings)
            await dive(ann, bob, game)
            boxes = ann.games[game].opened.facts.gauges["sonar"]
            for _ in range(boxes):
                await sail(ann, game)
            assert isinstance(await ann.order(game, give.USE_SONAR), wire.Done)
            await settled([ann, bob], game)
            advised = await advice(bob, game)
            assert isinstance(await bob.order(game, advised), wire.Done)

    run(story())
