"""Somebody who begins game after game and finishes none costs nobody else anything."""

from itertools import islice, product
from pathlib import Path

import pytest
from msgspec.structs import replace

from fathom import client as fathom_client
from fathom.client import Client, Failed
from fathom.server import harbour, wire
from fathom.server.log import StoredTable
from fathom.server.wire import CODE_LETTERS
from fathom.words import Crew, Mode
from tests.server.logs import LOGS, OpenLog, opener
from tests.server.serving import QUICK, holds, run, serving


@pytest.fixture(params=LOGS)
def open_log(request: pytest.FixtureRequest) -> OpenLog:
    return opener(request.param, request)


def you(client: Client) -> str:
    assert client.welcome is not None
    return client.welcome.you


def told(client: Client) -> tuple[str, ...]:
    """The tables that the server greeted with."""
    assert client.welcome is not None
    return client.welcome.tables


def test_codes_are_found_without_reading_tables(open_log: OpenLog, tmp_path: Path) -> None:
    async def story() -> None:
        async with open_log(tmp_path) as log:
            for number in range(7):
                stored = StoredTable(f"AAAA{number}", 1, "playing", b"{}")
                await log.save_table(stored, 0, ("ann", "bob") if number == 3 else ("ann",))
            await log.save_table(StoredTable("BBBBB", 1, "over", b"{}"), 0, ("ann",))
            assert await log.codes_of("ann", ("playing",), 2) == ["AAAA6", "AAAA5"]
            assert len(await log.tables_of("ann", ("playing",), 3)) == 3
            assert await log.solo_tables("ann", 2) == ["AAAA4", "AAAA2", "AAAA1", "AAAA0"]
            assert await log.solo_tables("ann", 2, 1) == ["AAAA4"]
            assert await log.solo_tables("bob", 0) == []

    run(story())


def test_of_unfinished_games_against_the_computer_the_newest_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harbour, "MOST_SOLO", 3)

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.player("Ann")
            codes: list[str] = []
            for _ in range(5):
                made = await fathom_client.new_table(server.url, ann.token, QUICK, solo=True)
                codes.append(made.table)
                if len(codes) == 1:
                    await ann.open(made.table)
            await holds(lambda: not server.harbour.rooms.keys() & set(codes[:2]))
            kept = await server.harbour.log.codes_of(you(ann), ("playing",))
            assert sorted(kept) == sorted(codes[2:])
            # Who was still there is told, and what goes on elsewhere is left alone.
            await ann.until(lambda: codes[0] not in ann.open_tables)
            again = await server.tab(ann.token)
            assert set(told(again)) == set(codes[2:])
            assert isinstance(await again.do(wire.OpenTable(table=codes[4])), wire.Done)

    run(story())


def test_hello_tells_of_a_few_tables_and_reads_none(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.player("Ann")
            log = server.harbour.log
            for letters in islice(product(CODE_LETTERS, repeat=5), 150):
                stored = StoredTable("".join(letters), 1, "gathering", b"x" * 20_000)
                await log.save_table(stored, 0, (you(ann),))
            asked: list[str] = []
            ask = log.ask  # type: ignore[attr-defined]

            async def noted(question: str, values: object = ()) -> list[object]:
                rows: list[object] = await ask(question, values)
                asked.append(repr(rows))
                return rows

            log.ask = noted  # type: ignore[attr-defined]
            again = await server.tab(ann.token)
            assert len(told(again)) == 20
            assert sum(map(len, asked)) < 10_000

    run(story())


def test_tables_that_the_lobby_does_not_show_hide_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(harbour, "SHOWN", 2)

    async def story() -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            ann, eve = await server.player("Ann"), await server.player("Eve")
            table = await server.table(ann)
            game = (await fathom_client.new_table(server.url, ann.token, QUICK, solo=True)).table
            unseen = replace(QUICK, watching="nobody")
            codes: list[str] = []
            for number in range(6):
                await fathom_client.new_table(server.url, eve.token, unseen, solo=True)
                code = await server.table(eve)
                if number % 2:
                    await eve.do(wire.LockTable(table=code))
                else:
                    await eve.do(wire.Sit(table=code, crew=Crew.A))
                    await eve.do(wire.PlaceBot(table=code, crew=Crew.B))
                codes.append(code)
            lobby = await server.harbour.lobby()
            assert [card.code for card in lobby.tables] == [table]
            assert [card.code for card in lobby.games] == [game]
            # They are still open to whoever has their code, also when no process has them.
            server.harbour.rooms.clear()
            for code in codes:
                await ann.do(wire.OpenTable(table=code))
                await ann.do(wire.CloseTable(table=code))

    run(story())


def test_a_game_against_the_computer_that_cannot_begin_leaves_no_table(tmp_path: Path) -> None:
    async def story() -> None:
        async with serving(tmp_path) as server:
            ann = await server.player("Ann")
            large = wire.Settings(rulebook="captain-sonar-2", mode=Mode.REAL_TIME)
            with pytest.raises(Failed, match=r"crew\.mode"):
                await fathom_client.new_table(server.url, ann.token, large, solo=True)
            assert await server.harbour.log.codes_of(you(ann), ("gathering", "playing")) == []
            assert server.harbour.rooms == {}

    run(story())
