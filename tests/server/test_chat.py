"""The numbers of chat lines tell a reader nothing of lines that are not for them."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fathom.bots.phrases import PleaseCharge
from fathom.client import Client
from fathom.engine import orders as give
from fathom.server import wire
from fathom.server.chat_lines import LINES, Counts, StoredChat
from fathom.server.log import Log, StoredLine
from fathom.server.metrics import Metrics
from fathom.server.stored import StoredRows
from fathom.server.wire import encode
from fathom.words import Crew, System
from tests.server.logs import LOGS, OpenLog, opener
from tests.server.serving import QUICK, Server, duel_of, run, serving, settled

NumberedLines = list[tuple[int, str]]


def listen(client: Client) -> NumberedLines:
    """The numbers and texts that a client reads from now on."""
    read: NumberedLines = []

    def note(news: wire.AnyNews) -> None:
        if isinstance(news, wire.ChatLine):
            read.append((news.number, news.text))

    client.listeners.append(note)
    return read


async def say(client: Client, code: str, text: str, channel: wire.Channel = "crew") -> None:
    await client.do(wire.SayWords(table=code, channel=channel, text=text))


def test_every_reader_counts_their_own_lines_without_gaps(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, _, players = await duel_of(server, size=2)
            eve = await server.player("Eve")
            await eve.open(code)
            read = [listen(client) for client in (*players, eve)]
            for number in range(3):
                await say(players[0], code, f"a{number}")
                await say(players[2], code, f"b{number}")
                await say(players[2], code, f"c{number}")
                await say(players[1], code, f"all {number}", "table")
            await settled([*players, eve], "")
            ours = ["a0", "all 0", "a1", "all 1", "a2", "all 2"]
            theirs = ["b0", "c0", "all 0", "b1", "c1", "all 1", "b2", "c2", "all 2"]
            public = ["all 0", "all 1", "all 2"]
            expected = [ours, ours, theirs, theirs, public]
            assert read == [list(enumerate(texts, 1)) for texts in expected]

    run(story())


def test_who_resumes_gets_what_they_missed_and_nothing_twice(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, _, players = await duel_of(server, size=2)
            for number in range(4):
                await say(players[0], code, f"a{number}")
                await say(players[2], code, f"b{number}")
            for known in range(5):
                late = await server.tab(players[1].token)
                read = listen(late)
                await late.do(wire.OpenTable(table=code, chat=known))
                assert read == [(n + 1, f"a{n}") for n in range(known, 4)]
                await late.close()
            # Who has a number that is not theirs has nothing to catch up on.
            late = await server.tab(players[1].token)
            read = listen(late)
            await late.do(wire.OpenTable(table=code, chat=1000))
            await say(players[0], code, "a4")
            await late.until(lambda: bool(read))
            assert read == [(5, "a4")]

    run(story())


def test_numbers_go_on_after_a_restart_and_on_the_other_side(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, game, players = await duel_of(server)
            tokens = [player.token for player in players]
            for number in range(3):
                await say(players[0], code, f"a{number}")
                await say(players[1], code, f"b{number}")
        async with serving(tmp_path) as server:
            ann, bob = [await server.tab(token) for token in tokens]
            anns, bobs = listen(ann), listen(bob)
            for client in (ann, bob):
                await client.open(code)
            await ann.until(lambda: game in ann.games)
            await ann.order(game, give.RESIGN)
            await ann.until(lambda: ann.tables[code].phase == "over")
            await ann.do(wire.Rematch(table=code))
            await ann.until(lambda: ann.tables[code].phase == "gathering")
            await say(ann, code, "a3")
            await say(bob, code, "b3")
            await say(bob, code, "all", "table")
            await settled([ann, bob], game)
            assert anns == [*((n + 1, f"a{n}") for n in range(4)), (5, "all")]
            assert bobs == [*((n + 1, f"b{n}") for n in range(4)), (5, "all")]

    run(story())


async def everything_heard(
    server: Server, enemy_talks: Callable[..., Awaitable[None]]
) -> list[str]:
    """All messages about chat that crew a gets in a game, without names, codes and times."""
    code, _, players = await duel_of(server, size=2, settings=replace(QUICK, first=Crew.A))
    raw: list[str] = []
    players[1].raw.append(raw.append)
    for number in range(20):
        await say(players[0], code, f"line {number}")
        await enemy_talks(players[2], code)
        if number % 7 == 0:
            await say(players[1], code, f"hello {number}", "table")
    await settled(players, "")
    late = await server.tab(players[0].token)
    late.raw.append(raw.append)
    await late.do(wire.OpenTable(table=code, chat=5))
    await settled([late], "")
    chat = [message for message in raw if '"type":"chat"' in message]
    hidden = [code, *(p.welcome.you for p in players if p.welcome is not None)]
    return [re.sub("|".join(map(re.escape, hidden)), "-", timeless(message)) for message in chat]


def timeless(message: str) -> str:
    return re.sub(r'"at":\d+', '"at":0', message)


async def be_silent(client: Client, code: str) -> None:
    del client, code


async def chatter(client: Client, code: str) -> None:
    await say(client, code, "they are near")
    phrase = PleaseCharge(System.TORPEDO)
    await client.do(wire.SayPhrase(table=code, phrase=phrase))


def test_what_a_crew_reads_is_the_same_byte_for_byte_whether_or_not_the_enemy_talks(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            quiet = await everything_heard(server, be_silent)
            loud = await everything_heard(server, chatter)
            assert len(quiet) > 35
            assert quiet == loud

    run(story())


# Without sockets, on both logs


@pytest.fixture(params=LOGS)
def open_log(request: pytest.FixtureRequest) -> OpenLog:
    return opener(request.param, request)


def line(text: str, to: tuple[str, ...] | None, counts: Counts | None = None) -> bytes:
    shown = wire.ChatLine(table="K7QMX", number=0, channel="crew", name="Ann", text=text, at=1)
    return encode({"shown": shown, "to": to, "game": None, "counts": counts})


def stored_chat(log: Log) -> StoredChat:
    return StoredChat(log, StoredRows(Metrics()), "K7QMX")


def test_a_crew_finds_its_lines_among_any_number_of_the_enemys(
    open_log: OpenLog, tmp_path: Path
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            counts = Counts()
            for number in range(900):
                to = ("ann",) if number in (3, 4) else ("bob",)
                stored = line(f"{number}", to, counts if number % 2 else None)
                counts.take(await log.say("K7QMX", stored), LINES.decode(stored))
            assert await stored_chat(log).count() == counts
            found = await stored_chat(log).lines_for(counts, "ann", 0)
            assert [(each.number, each.text) for each in found] == [(1, "3"), (2, "4")]
            last = await stored_chat(log).lines_for(counts, "bob", 0)
            assert [each.number for each in last] == list(range(699, 899))

    run(story())


def test_lines_from_before_readers_had_numbers_are_counted_once(
    open_log: OpenLog, tmp_path: Path
) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for number in range(450):
                await log.say("K7QMX", line(f"{number}", ("ann",) if number % 3 else None))
            counts = await stored_chat(log).count()
            assert (counts.public, counts.of("ann"), counts.of("bob")) == (150, 450, 150)

    run(story())


def test_a_line_costs_no_more_when_much_was_said_before(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            code, _, players = await duel_of(server)
            read: list[int] = []
            log = server.harbour.log
            ask = log.chat

            async def counted(*about: Any, **more: Any) -> list[StoredLine]:
                found = await ask(*about, **more)
                read.append(len(found))
                return found

            for number in range(300):
                await say(players[number % 2], code, f"{number}")
            log.chat = counted  # type: ignore[method-assign]
            await say(players[0], code, "one more")
            assert read == [1]
            # After a restart, what was counted is read from the last lines.
            stored = await ask(code, 0, 1)
            assert msgspec.json.decode(stored[0].body)["counts"]["upto"] == 300

    run(story())
