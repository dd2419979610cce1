"""What a newer release has stored is read as far as it is known, row by row."""

import json
import logging
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import aiohttp
import msgspec
import pytest

from fathom import client as fathom_client
from fathom.client import Client
from fathom.engine import orders as give
from fathom.server import wire
from fathom.server.chat_lines import ChatRecord
from fathom.server.duel import StoredHeader
from fathom.server.stored import Stored, Unreadable
from fathom.server.table import Table
from tests.server.serving import Server, duel_of, play_on, run, serving, settled, sheets

Json = dict[str, Any]


def add_fields(value: Any) -> Any:
    """The same with a field more in every object that has a fixed set of them."""
    if isinstance(value, dict):
        more = {name: add_fields(item) for name, item in value.items()}
        return more if keeps_names(value) else {**more, "added_later": [1, {"x": None}]}
    return [add_fields(item) for item in value] if isinstance(value, list) else value


def keeps_names(value: Json) -> bool:
    """Whether an object's names are data: of players, points, systems, rules."""
    return not value.keys() or not all(name.isidentifier() and name.islower() for name in value)


def change(folder: Path, part: str, column: str, edit: Callable[[Any], Any]) -> None:
    """Change every row of a table of the log, while no server runs."""
    with sqlite3.connect(folder / "fathom.db") as database:
        rows = database.execute(f"select distinct {column} from {part}").fetchall()  # noqa: S608
        for (body,) in rows:
            new = json.dumps(edit(json.loads(body))).encode()
            database.execute(f"update {part} set {column} = ? where {column} = ?", (new, body))  # noqa: S608
    database.close()


def test_fields_of_a_newer_release_are_ignored_everywhere(tmp_path: Path) -> None:
    async def begin() -> tuple[str, str, list[str], list[Any]]:
        async with serving(tmp_path, bot_processes=1) as server:
            code, game, players = await duel_of(server)
            await play_on(players, game, Random(3), 30)
            await players[0].do(wire.SayWords(table=code, channel="table", text="Ahoy"))
            _, over, (ann, _) = await duel_of(server)
            await ann.order(over, give.Resign())
            await settled(players, game)
            return code, game, [p.token for p in players], [sheets(p, game) for p in players]

    async def go_on(code: str, game: str, tokens: list[str], before: list[Any]) -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            players = [await server.tab(token) for token in tokens]
            lines: list[wire.ChatLine] = []
            for player in players:
                player.listeners.append(
                    lambda news: lines.append(news) if isinstance(news, wire.ChatLine) else None
                )
                await player.open(code)
            assert [sheets(player, game) for player in players] == before
            assert [line.text for line in lines] == ["Ahoy"] * 2
            lobby = await fathom_client.call(server.url, "/api/lobby", wire.LobbyNow)
            assert code in {card.code for card in lobby.games}
            mine = await fathom_client.call(server.url, "/api/games", wire.MyGames, token=tokens[0])
            assert [card.game for card in mine.games] == [game]
            assert await play_on(players, game, Random(4), 5)
            assert server.harbour.metrics.unreadable == 0
            await check_clients_are_refused(server, players[0], code)

    found: list[Any] = []

    async def first() -> None:
        found.extend(await begin())

    run(first())
    change(tmp_path, "tables", "body", add_fields)
    change(tmp_path, "chat", "body", add_fields)
    change(tmp_path, "games", "header", add_fields)
    change(tmp_path, "games", "card", add_fields)
    change(tmp_path, "steps", "events", add_fields)
    run(go_on(*found))


async def check_clients_are_refused(server: Server, player: Client, code: str) -> None:
    """Clients may not add fields."""
    settings = {"listed": False, "added_later": 1}
    headers = {"Authorization": f"Bearer {player.token}"}
    async with (
        aiohttp.ClientSession(headers=headers) as session,
        session.post(f"{server.url}/api/tables", json={"settings": settings}) as answer,
    ):
        assert (answer.status, (await answer.json())["error"]) == (400, "bad-message")
    errors: list[str] = []
    player.listeners.append(
        lambda news: errors.append(news.error) if isinstance(news, wire.Problem) else None
    )
    assert player.socket is not None
    message = {"type": "settings", "id": "x", "table": code, "settings": settings}
    await player.socket.send_str(json.dumps(message))
    await player.until(lambda: errors == ["bad-message"])


def test_a_row_that_cant_be_read_is_left_out_and_noted_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def begin() -> list[str]:
        async with serving(tmp_path, bot_processes=1) as server:
            ann = await server.player("Ann")
            return [await server.table(ann) for _ in range(2)]

    async def look(good: str, bad: str) -> None:
        async with serving(tmp_path, bot_processes=1) as server:
            for _ in range(3):
                server.harbour.lobby_cache.forget()
                lobby = await fathom_client.call(server.url, "/api/lobby", wire.LobbyNow)
                assert [card.code for card in lobby.tables] == [good]
            assert server.harbour.metrics.unreadable == 3
            assert server.harbour.metrics.faults == 0
            assert sum(bad in record.getMessage() for record in caplog.records) == 1
            async with (
                aiohttp.ClientSession() as session,
                session.get(f"{server.url}/api/tables/{bad}") as answer,
            ):
                assert (await answer.json())["error"] == "internal"

    codes: list[str] = []

    async def first() -> None:
        codes.extend(await begin())

    run(first())

    def spoil(table: Json) -> Json:
        return {**table, "phase": "something-new"} if table["code"] == codes[1] else table

    change(tmp_path, "tables", "body", spoil)
    with caplog.at_level(logging.WARNING, "fathom.log"):
        run(look(*codes))


@pytest.mark.parametrize("kind", [Table, StoredHeader, ChatRecord])
def test_what_is_no_such_thing_is_not_read(kind: Any) -> None:
    for text in (b"", b"{", b"[]", b"7", b"{}", b"\xff", msgspec.json.encode({"code": 5})):
        with pytest.raises(Unreadable):
            Stored(kind).decode(text)
